"""HTML text that cannot be put together wrongly: what is not `Html` is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from basra.language import Language


class Html(str):
    """A piece of HTML, escaped where it must be; a notebook shows it."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def element(name: str, *children: str, **attributes: str) -> Html:
    """An element; children that are no `Html` are text, and are escaped.

    An underscore at the end of an attribute's name is dropped, one within is a hyphen.

    >>> element("b", "1 < 2 ", element("i", "so"), style="color:red", aria_label='"')
    '<b style="color:red" aria-label="&quot;">1 &lt; 2 <i>so</i></b>'
    """
    listed = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
    )
    return Html(f"<{name}{listed}>{joined(children)}</{name}>")


def joined(children: Iterable[str], between: str = "") -> Html:
    """Pieces one after the other, escaped as in `element`."""
    return Html(_safe(between).join(map(_safe, children)))


def _safe(text: str) -> str:
    return text if isinstance(text, Html) else escape(text, quote=False)


def block(language: Language, *children: str, style: str = "") -> Html:
    """The outermost element of a piece: its language and direction."""
    font = "font-family:system-ui,'Segoe UI',Roboto,'Noto Sans','Noto Sans Arabic',sans-serif;"
    return element(
        "div",
        *children,
        lang=language.code,
        dir=language.direction,
        style=f"{font}line-height:1.5;text-align:start;{style}",
    )
