"""What a hint says besides moves and reasons: numbers with their errors, how it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from basra.language import ENGLISH, Language
from basra.players import METHODS
from basra.words import assumed_text, reason_text

if TYPE_CHECKING:
    from basra.results import Hint, HintMove
    from basra.view import View


def value_text(found: Hint, move: HintMove, language: Language = ENGLISH) -> str:
    """A move's value in points, with its standard error."""
    if move.value is None:
        return "" if _player_of(found) else language.gettext("not searched")
    error = f" ± {move.stderr:.2f}" if move.stderr else ""
    return language.isolate(_signed(move.value, found.exact) + error)


def win_text(move: HintMove, language: Language = ENGLISH) -> str:
    """The chance to win the match, if the hint is for it."""
    if move.match is None:
        return ""
    error = f" ± {100 * move.match.stderr:.1f}" if move.match.stderr else ""
    return language.isolate(f"{100 * move.match.win:.1f}{error} %")


def behind_text(found: Hint, move: HintMove, language: Language = ENGLISH) -> str:
    """How far a move is behind the best: in points, or in the chance to win the match."""
    if move.delta is None:
        return ""
    if move is found.best:
        return language.pgettext("move", "best")
    if move.delta == 0 and not (move.match and move.match.delta):
        return language.pgettext("move", "equal")
    close = " ?" if is_close(move) else ""
    if move.match is not None:
        error = f" ± {100 * move.match.delta_stderr:.1f}" if move.match.delta_stderr else ""
        return language.isolate(f"-{100 * move.match.delta:.1f}{error} %{close}")
    error = f" ± {move.delta_stderr:.2f}" if move.delta_stderr else ""
    return language.isolate(_signed(-move.delta, found.exact) + error + close)


def is_close(move: HintMove) -> bool:
    """Is the difference to the best inside two of its own errors?"""
    gap = move if move.match is None else move.match
    return bool(gap.delta and gap.delta_stderr and gap.delta < 2 * gap.delta_stderr)


def why_text(move: HintMove, language: Language = ENGLISH) -> str:
    """All reasons of a move."""
    return language.listed([reason_text(reason, language) for reason in move.reasons])


def notes(found: Hint, view: View, language: Language = ENGLISH) -> list[str]:
    """What stands under the moves: how they were found, and what was taken for granted."""
    said = [_summary(found, language)]
    if any(view.match) and found.objective == "points":
        said.append(
            language.gettext(
                "The match score is not looked at: the chance to win is known only before the "
                "match is over, by the methods worlds and best, with a model made for this table "
                "and target."
            )
        )
    if found.assumed:
        options = [
            f"{language.isolate(f'--{name}')} {assumed_text(view, name, language)}"
            for name, _ in found.assumed
        ]
        template = language.gettext("Assumed, as not given: {options}")
        said.append(template.format(options=language.listed(options)))
    return said


def stop_text(stop: str, language: Language = ENGLISH) -> str:
    """What ended a search."""
    return {
        "complete": language.pgettext("stopped by", "complete"),
        "settled": language.pgettext("stopped by", "settled"),
        "worlds": language.pgettext("stopped by", "worlds"),
        "nodes": language.pgettext("stopped by", "nodes"),
        "time": language.pgettext("stopped by", "time"),
        "requested": language.pgettext("stopped by", "requested"),
        "interrupted": language.pgettext("stopped by", "interrupted"),
        "memory": language.pgettext("stopped by", "memory"),
    }[stop]


def effort_text(nodes: int, seconds: float, language: Language = ENGLISH) -> str:
    """Positions looked at, and how long that took."""
    template = language.ngettext(
        "{count} position in {seconds} s", "{count} positions in {seconds} s", nodes
    )
    return template.format(
        count=language.isolate(f"{nodes:,}"), seconds=language.isolate(f"{seconds:.2f}")
    )


def _signed(value: float, exact: bool) -> str:
    return f"{value:+.0f}" if exact and value == int(value) else f"{value:+.2f}"


def _player_of(found: Hint) -> str:
    """The method, if it is a player's other than the worlds search."""
    method = found.method.partition("/")[0]
    return method if method in METHODS and method != "worlds" else ""


def _summary(found: Hint, language: Language) -> str:
    facts = _how(found, language)
    if found.objective == "match":
        facts.append(language.gettext("ranked by the chance to win the match"))
    if found.stop == "settled":
        facts.append(
            language.gettext("there is no other move")
            if len(found.moves) == 1
            else language.gettext("the best move is told from all others")
        )
    facts.append(_figures(found, language))
    return language.listed(facts)


def _how(found: Hint, language: Language) -> list[str]:
    method = _player_of(found)
    if method:
        words = language.gettext(METHODS[method])
        return [
            language.pgettext("method", "{method}: {words}").format(
                method=language.isolate(method), words=words
            )
        ]
    if found.exact:
        return [language.gettext("exact: the hidden hand follows from the cards seen")]
    if not found.worlds:
        return [
            language.gettext("stopped before anything was searched"),
            language.gettext("ordered by what a move brings at once"),
        ]
    worlds = language.isolate(f"{found.worlds:,}")
    if found.worlds_complete:
        template = language.ngettext(
            "mean over all {worlds} world (hidden hands) that fit, searched with open hands",
            "mean over all {worlds} worlds (hidden hands) that fit, searched with open hands",
            found.worlds,
        )
        return [template.format(worlds=worlds)]
    if found.worlds == 1:
        template = language.gettext(
            "mean over {worlds} world (hidden hands that fit), searched with open hands"
        )
        return [template.format(worlds=worlds)]
    template = language.ngettext(
        "mean over {worlds} world (hidden hands that fit), searched with open hands, "
        "± one standard error",
        "mean over {worlds} worlds (hidden hands that fit), searched with open hands, "
        "± one standard error",
        found.worlds,
    )
    facts = [template.format(worlds=worlds)]
    if any(map(is_close, found.moves)):
        facts.append(language.gettext("? = too close to call"))
    return facts


def _figures(found: Hint, language: Language) -> str:
    figures = [
        effort_text(found.nodes, found.seconds, language),
        language.isolate(found.method),
        language.gettext("seed {seed}").format(seed=language.isolate(found.seed)),
    ]
    if found.stop not in ("complete", "worlds", "settled"):
        stop = stop_text(found.stop, language)
        figures.append(language.gettext("stopped by: {stop}").format(stop=stop))
    return language.pgettext("between figures", ", ").join(figures)
