"""Charts of reviews as inline SVG: how a round and a match went, and luck against skill.

Every chart is drawn for a width in pixels, so that its letters have their size on a phone as well
as on a desk: pages have two of each, and show one.  Time and numbers go from left to right in every
language.  Colours come from the page's styles, by class.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from basra.html.markup import Html, element, joined
from basra.language import Language
from basra.review_words import loss_text, move_signs, seat_text, verdict_text
from basra.reviews import Decision, Review, ReviewedRound

WIDTHS = {"narrow": 346, "wide": 800}
"""Names of the two sizes, and their widths"""

_LEFT, _RIGHT, _TOP = 36, 10, 20
_LEADS, _CHANCES, _COSTS = 150, 130, 34  # heights of plots
_ROW = _COSTS + 24  # of a seat's costs, with its name
_MOST_COST = {"points": 12.0, "win": 0.08}  # what fills a row of costs; bars of more say it


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart of balances."""

    label: str
    value: float
    kind: str
    """A class: what it stands for"""
    text: str


# -- pieces --------------------------------------------------------------------------------------


def _at(number: float) -> str:
    """A coordinate."""
    return f"{number:.1f}".removesuffix(".0")


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Html:
    return element("line", x1=_at(x1), y1=_at(y1), x2=_at(x2), y2=_at(y2), class_=kind)


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "middle") -> Html:
    return element("text", text, x=_at(x), y=_at(y), class_=f"t {kind}".strip(), text_anchor=anchor)


def _path(points: Iterable[tuple[float, float]], kind: str, end: str = "") -> Html:
    steps = " L".join(f"{_at(x)} {_at(y)}" for x, y in points)
    return element("path", d=f"M{steps}{end}", class_=kind)


def _drawing(width: float, height: float, label: str, *parts: str) -> Html:
    return element(
        "svg",
        *parts,
        viewBox=f"0 0 {_at(width)} {_at(height)}",
        role="img",
        aria_label=label,
        direction="ltr",
        class_="chart",
    )


def both_widths(draw: dict[str, Html]) -> Html:
    """The same chart for a phone and for a desk, of which the page shows one."""
    return joined(element("div", chart, class_=name) for name, chart in draw.items())


def _steps(low: float, high: float) -> list[float]:
    """Round numbers from below to above, zero among them."""
    wanted = max(high - low, 1) / 4
    size = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**6) if s >= wanted)
    first = int(low // size)
    return [size * i for i in range(first, int(-(-high // size)) + 1)]


# -- a round -------------------------------------------------------------------------------------


def round_chart(review: Review, now: ReviewedRound, width: int, language: Language) -> Html:
    """Expected leads through the round, and beneath what each decision cost."""
    seats = review.reviewed
    height = _TOP + _LEADS + _ROW * len(seats) + 6
    scale = _Time(review, now, width)
    parts = [
        *_deals(scale, height, language),
        *_leads(review, now, scale),
        *(
            part
            for row, seat in enumerate(seats)
            for part in _costs(review, now, seat, scale, _TOP + _LEADS + row * _ROW, language)
        ),
    ]
    label = language.gettext("Expected lead at the end of the round, and what decisions cost")
    return _drawing(width, height, label, *parts)


class _Time:
    """Where plies and deals stand."""

    def __init__(self, review: Review, now: ReviewedRound, width: int) -> None:
        sizes = review.rules.deal_sizes(review.players)
        self.ends = [review.players * sum(sizes[: deal + 1]) for deal in range(len(sizes))]
        self.width = width
        self.plies = self.ends[-1]

    def x(self, ply: float) -> float:
        return _LEFT + (self.width - _LEFT - _RIGHT) * ply / self.plies


def _deals(scale: _Time, height: float, language: Language) -> list[Html]:
    parts = []
    for deal, (start, end) in enumerate(pairwise([0, *scale.ends]), 1):
        if start:
            parts.append(_line(scale.x(start), _TOP, scale.x(start), height - 4, "deal"))
        label = language.gettext("deal {number}").format(number=deal) if deal == 1 else str(deal)
        parts.append(_text(scale.x((start + end) / 2), 12, label, "faint"))
    return parts


def lead_lines(review: Review, now: ReviewedRound) -> dict[int, list[tuple[float, float]]]:
    """By side: (ply, expected lead) from before the first deal to the round's result.

    Two sides have one line, that of `Review.side`; its values are the seats' own, as each knew its
    cards.
    """
    sides = [review.side] if review.sides == 2 else sorted({d.seat for d in now.decisions})
    lines: dict[int, list[tuple[float, float]]] = {side: [] for side in sides}
    for side in sides:
        line = lines[side]
        if now.deals and now.deals[0].before is not None:
            line.append((0, now.deals[0].before[side]))
        for decision in now.decisions:
            if decision.before is None or decision.after is None:
                continue
            if review.sides > 2 and decision.seat != side:
                continue
            line.append((decision.ply - 0.6, decision.before[side]))
            line.append((decision.ply, decision.after[side]))
        if now.points is not None and line:
            others = [points for at, points in enumerate(now.points) if at != side]
            plies = review.players * sum(review.rules.deal_sizes(review.players))
            line.append((plies, now.points[side] - sum(others) / len(others)))
    return lines


def _leads(review: Review, now: ReviewedRound, scale: _Time) -> list[Html]:
    lines = lead_lines(review, now)
    values = [value for line in lines.values() for _, value in line] or [0.0]
    ticks = _steps(min(0, *values), max(0, *values))
    low, high = ticks[0], max(ticks[-1], ticks[0] + 1)

    def y(value: float) -> float:
        return _TOP + 4 + (_LEADS - 8) * (high - value) / (high - low)

    parts = []
    for tick in ticks:
        kind = "zero" if tick == 0 else "grid"
        parts.append(_line(_LEFT, y(tick), scale.width - _RIGHT, y(tick), kind))
        parts.append(_text(_LEFT - 5, y(tick) + 4, f"{tick:+g}" if tick else "0", "faint", "end"))
    for side, line in lines.items():
        drawn = [(scale.x(ply), y(value)) for ply, value in line]
        if len(drawn) < 2:
            continue
        if review.sides == 2:
            ground = f" L{_at(drawn[-1][0])} {_at(y(0))} L{_at(drawn[0][0])} {_at(y(0))} Z"
            parts.append(_path(drawn, "area", ground))
        parts.append(_path(drawn, f"lead s{side}"))
    for decision in now.decisions:
        if decision.mark is None or decision.after is None:
            continue
        side = review.side if review.sides == 2 else decision.seat
        parts.append(
            element(
                "circle",
                cx=_at(scale.x(decision.ply)),
                cy=_at(y(decision.after[side])),
                r="4",
                class_=f"mark {decision.mark}",
            )
        )
    return parts


def _costs(
    review: Review, now: ReviewedRound, seat: int, scale: _Time, top: float, language: Language
) -> list[Html]:
    """A row of bars: what each decision of a seat lost."""
    bottom = top + _ROW
    wide = max(3.0, min(9.0, (scale.width - _LEFT - _RIGHT) / scale.plies * 0.8))
    name = seat_text(review, seat, language)
    parts = [
        _line(_LEFT, bottom, scale.width - _RIGHT, bottom, "zero"),
        _text(_LEFT, top + 20, name, f"name s{seat}", "start"),
    ]
    for decision in now.decisions:
        if decision.seat != seat:
            continue
        lost = decision.loss if decision.win_loss is None else decision.win_loss
        if not lost or lost <= 0:
            continue
        most = _MOST_COST["points" if decision.win_loss is None else "win"]
        high = max(1.5, (_COSTS - 2) * min(1.0, lost / most))
        x = scale.x(decision.ply - 0.5)
        parts.append(
            element(
                "rect",
                element("title", _told(decision, language)),
                x=_at(x - wide / 2),
                y=_at(bottom - high),
                width=_at(wide),
                height=_at(high),
                class_=f"cost {decision.verdict}",
            )
        )
        if lost > most:
            anchor = "end" if x > scale.width / 2 else "start"
            shift = -wide if anchor == "end" else wide
            parts.append(_text(x + shift, bottom - _COSTS + 9, _short(decision), "", anchor))
    return parts


def _told(decision: Decision, language: Language) -> str:
    verdict = verdict_text(decision.verdict, language)
    return (
        f"{decision.ply}: {move_signs(decision.played)}, {verdict}, {loss_text(decision, language)}"
    )


def _short(decision: Decision) -> str:
    if decision.win_loss is not None:
        return f"{100 * decision.win_loss:.0f} %"
    return f"{decision.loss:.0f}"


# -- a match -------------------------------------------------------------------------------------


def match_chart(review: Review, width: int, language: Language) -> Html:
    """The chance of `Review.side` to win, decision by decision through all rounds."""
    plies = review.players * sum(review.rules.deal_sizes(review.players))
    total = plies * len(review.rounds)
    height = _TOP + _CHANCES + 6

    def x(ply: float) -> float:
        return _LEFT + (width - _LEFT - _RIGHT) * ply / total

    def y(chance: float) -> float:
        return _TOP + 2 + (_CHANCES - 4) * (1 - chance)

    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(
            _line(_LEFT, y(tick), width - _RIGHT, y(tick), "zero" if tick == 0.5 else "grid")
        )
        parts.append(_text(_LEFT - 5, y(tick) + 4, f"{100 * tick:.0f}%", "faint", "end"))
    drawn: list[tuple[float, float]] = []
    marks = []
    for number, now in enumerate(review.rounds):
        start = number * plies
        if number:
            parts.append(_line(x(start), _TOP, x(start), height - 4, "deal"))
        label = language.gettext("round {number}") if number == 0 else "{number}"
        parts.append(_text(x(start + plies / 2), 12, label.format(number=now.number), "faint"))
        for decision in now.decisions:
            if decision.win is None or decision.best_win is None:
                continue
            best, win = decision.best_win, decision.win
            if decision.seat % 2 != review.side:
                best, win = 1 - best, 1 - win
            here = start + decision.ply
            drawn += [(x(here - 0.6), y(best)), (x(here), y(win))]
            if decision.mark is not None:
                marks.append(
                    element(
                        "circle",
                        cx=_at(x(here)),
                        cy=_at(y(win)),
                        r="3.5",
                        class_=f"mark {decision.mark}",
                    )
                )
    if review.winner is not None and drawn:
        drawn.append((x(total), y(float(review.winner == review.side))))
    if len(drawn) > 1:
        ground = f" L{_at(drawn[-1][0])} {_at(y(0.5))} L{_at(drawn[0][0])} {_at(y(0.5))} Z"
        parts += [_path(drawn, "area", ground), _path(drawn, f"lead s{review.side}")]
    label = language.gettext("Chance to win the match")
    return _drawing(width, height, label, *parts, *marks)


# -- luck against skill --------------------------------------------------------------------------

_LABELS = 300  # width of the words beside bars, where there is room for them


def balance_chart(bars: Sequence[Bar], width: int, label: str, language: Language) -> Html:
    """Bars for and against, one under the other, their words beside them or above."""
    beside = width > WIDTHS["narrow"]
    high, room = (24, _LABELS) if beside else (33, 0)
    right = language.direction == "rtl"
    left = room if not right else 0
    middle, reach = left + (width - room) / 2, (width - room) / 2 - 84
    most = max((abs(bar.value) for bar in bars), default=1.0) or 1.0
    parts = [_line(middle, 2, middle, high * len(bars), "zero")]
    for row, bar in enumerate(bars):
        top = row * high + (4 if beside else 16)
        length = max(1.0, reach * abs(bar.value) / most)
        words = element(
            "text",
            bar.label,
            x=_at(width - 2 if right else 2),
            y=_at(top + 11 if beside else top - 4),
            class_="t label",
            text_anchor="start",
            direction=language.direction,
        )
        drawn = element(
            "rect",
            x=_at(middle if bar.value >= 0 else middle - length),
            y=_at(top),
            width=_at(length),
            height="13",
            class_=f"bar {bar.kind}",
            rx="2",
        )
        end = middle + length + 5 if bar.value >= 0 else middle - length - 5
        anchor = "start" if bar.value >= 0 else "end"
        parts += [words, drawn, _text(end, top + 11, bar.text, "", anchor)]
    return _drawing(width, high * len(bars) + 2, label, *parts)
