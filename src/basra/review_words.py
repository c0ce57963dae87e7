"""What a review says in words: verdicts, losses, moments, luck, and how it was judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from unicodedata import bidirectional

from basra.language import ENGLISH, Language
from basra.reviews.marks import SCALES, SURE

if TYPE_CHECKING:
    from basra.moves import Move
    from basra.record.model import Seat
    from basra.reviews import DealLuck, Decision, Moment, Review, ReviewedRound, SeatSummary


# -- who and what --------------------------------------------------------------------------------


def seat_text(review: Review, seat: int, language: Language = ENGLISH) -> str:
    """A player's name, or its seat."""
    return player_text(review.names, seat, language)


def player_text(seats: Sequence[Seat], seat: int, language: Language = ENGLISH) -> str:
    """The name of who sits somewhere, or the seat."""
    name = "".join(c for c in seats[seat].name if c.isprintable()).strip()
    if not name:
        return language.gettext("Seat {seat}").format(seat=seat + 1)
    turned = language.direction == "rtl" or any(bidirectional(c) in _FROM_RIGHT for c in name)
    return f"{_ISOLATE}{name}{_END}" if turned else name


_FROM_RIGHT = ("R", "AL", "RLE", "RLO", "RLI")
_ISOLATE, _END = "\u2068", "\u2069"  # in its own direction, whatever stands around


def side_text(review: Review, side: int, language: Language = ENGLISH) -> str:
    """A side: a player, or two partners."""
    return players_text(review.names, side, review.partners, language)


def players_text(
    seats: Sequence[Seat], side: int, partners: bool, language: Language = ENGLISH
) -> str:
    """Who plays on a side."""
    if not partners:
        return player_text(seats, side, language)
    return language.pgettext("partners", "{one} and {other}").format(
        one=player_text(seats, side, language), other=player_text(seats, side + 2, language)
    )


def game_text(review: Review, language: Language = ENGLISH) -> str:
    """Which rules, and who played."""
    between = language.pgettext("opponents", " against ")
    if review.sides > 2:
        between = language.pgettext("between figures", ", ")
    sides = [side_text(review, side, language) for side in range(review.sides)]
    return language.gettext("{rules}: {players}").format(
        rules=language.isolate(review.rules.name), players=between.join(sides)
    )


def round_text(now: ReviewedRound, language: Language = ENGLISH) -> str:
    """A round and its points."""
    if now.points is None:
        return language.gettext("Round {number}, not finished").format(number=now.number)
    return language.gettext("Round {number}: {points}").format(
        number=now.number, points=language.isolate(":".join(map(str, now.points)))
    )


def move_signs(move: Move) -> str:
    """A move in signs, short enough for a line of a phone: J♠x5♠ 2♦*."""
    taken = "x" + " ".join(card.sign for card in move.captures) if move.captures else ""
    return f"{move.card.sign}{taken}{'*' if move.basra else ''}"


# -- numbers -------------------------------------------------------------------------------------


def points_lost(points: float, language: Language = ENGLISH) -> str:
    """A loss in points; `points_text` is for values."""
    return language.isolate(f"{points:.1f}")


def signed(points: float, language: Language = ENGLISH) -> str:
    """Points that can be for or against."""
    return language.isolate(f"{round(points, 1) + 0.0:+.1f}")  # no -0.0


def chance_text(chance: float, language: Language = ENGLISH) -> str:
    """A chance, or a difference of two, in percent."""
    return language.isolate(f"{100 * chance:.1f} %")


def loss_text(decision: Decision, language: Language = ENGLISH) -> str:
    """What a move lost, on the scale that it is judged by, and the error of that."""
    if decision.win_loss is not None:
        error = f" ± {100 * decision.win_stderr:.1f}" if decision.win_stderr else ""
        return language.isolate(f"{100 * decision.win_loss:.1f}{error} %")
    if decision.loss is None:
        return ""
    error = f" ± {decision.stderr:.1f}" if decision.stderr else ""
    return language.isolate(f"{decision.loss:.1f}{error}")


# -- verdicts ------------------------------------------------------------------------------------


def verdict_text(verdict: str, language: Language = ENGLISH) -> str:
    """What is said of a decision."""
    return {
        "best": language.pgettext("verdict", "best"),
        "close": language.pgettext("verdict", "too close to call"),
        "small": language.pgettext("verdict", "hardly worse"),
        "inaccuracy": language.pgettext("verdict", "inaccuracy"),
        "mistake": language.pgettext("verdict", "mistake"),
        "blunder": language.pgettext("verdict", "blunder"),
        "forced": language.pgettext("verdict", "forced"),
        "unknown": language.pgettext("verdict", "hand not known"),
        "unreached": language.pgettext("verdict", "not reached"),
    }[verdict]


def summary_text(seat: SeatSummary, language: Language = ENGLISH) -> str:
    """What became of a seat's decisions: how many of each kind, nothing left out."""
    counts = [
        language.pgettext("what, and how many", "{what} {count}").format(
            count=language.isolate(count), what=verdict_text(verdict, language)
        )
        for verdict, count in seat.counts
        if count
    ]
    decisions = language.ngettext("{count} decision", "{count} decisions", seat.decisions)
    if not counts:
        return decisions.format(count=language.isolate(seat.decisions))
    return language.pgettext("total and its parts", "{total}: {parts}").format(
        total=decisions.format(count=language.isolate(seat.decisions)),
        parts=language.pgettext("between figures", ", ").join(counts),
    )


def lost_text(seat: SeatSummary, language: Language = ENGLISH) -> str:
    """What its marks cost a seat."""
    if seat.win_lost is not None:
        template = language.gettext("marks cost {chance} of winning chance, {points} points")
        return template.format(
            chance=chance_text(seat.win_lost, language), points=points_lost(seat.lost, language)
        )
    template = language.gettext("marks cost {points} points")
    return template.format(points=points_lost(seat.lost, language))


# -- moments -------------------------------------------------------------------------------------


def moment_text(review: Review, moment: Moment, language: Language = ENGLISH) -> str:
    """Why a decision is worth a second look."""
    decision = review.decision(moment)
    if moment.kind == "cost":
        return language.pgettext("mark and loss", "{verdict}, {loss} lost").format(
            verdict=verdict_text(decision.verdict, language), loss=_unit(decision, language)
        )
    side = review.side if review.sides == 2 else decision.seat
    template = (
        language.gettext("the cards dealt moved the lead of {side} by {points}")
        if moment.dealt
        else language.gettext("what came before moved the lead of {side} by {points}")
    )
    return template.format(
        side=side_text(review, side, language), points=signed(moment.value, language)
    )


def _unit(decision: Decision, language: Language) -> str:
    loss = loss_text(decision, language)
    if decision.win_loss is not None:
        return language.gettext("{chance} of winning chance").format(chance=loss)
    return language.gettext("{points} points").format(points=loss)


# -- luck ----------------------------------------------------------------------------------------


def luck_text(now: ReviewedRound, side: int, language: Language = ENGLISH) -> str:
    """What the deals of a round gave to a side."""
    luck = now.luck()
    if luck is None:
        return language.gettext("not known: not all hands are")
    error = language.isolate(f"± {now.luck_stderr:.1f}")
    return f"{signed(luck[side], language)} {error}"


def deal_text(deal: DealLuck, side: int, language: Language = ENGLISH) -> str:
    """What one deal gave to a side."""
    if deal.luck is None:
        return language.pgettext("luck", "not known")
    return signed(deal.luck[side], language)


# -- how it was judged ---------------------------------------------------------------------------


def scale_text(review: Review, language: Language = ENGLISH) -> str:
    """The scale of the marks, in the unit that goes here."""
    wins = any(decision.win_loss is not None for decision in review.decisions)
    light, middle, heavy = SCALES["win" if wins else "points"].least
    if wins:
        template = language.gettext(
            "Marks: inaccuracy from {light} of winning chance lost, mistake from {middle}, "
            "blunder from {heavy}; never for a difference of less than {sure} standard errors."
        )
        figures = [language.isolate(f"{100 * part:g} %") for part in (light, middle, heavy)]
    else:
        template = language.gettext(
            "Marks: inaccuracy from {light} point lost, mistake from {middle}, blunder from "
            "{heavy}; never for a difference of less than {sure} standard errors."
        )
        figures = [language.isolate(f"{points:g}") for points in (light, middle, heavy)]
    return template.format(light=figures[0], middle=figures[1], heavy=figures[2], sure=SURE)


def judged_text(review: Review, language: Language = ENGLISH) -> str:
    """By what, and with which knowledge."""
    return language.gettext(
        "Judged for what the seat knew, by the method {method}, trust {trust} %, seed {seed}."
    ).format(
        method=language.isolate(review.settings.method),
        trust=review.settings.trust,
        seed=language.isolate(review.seed),
    )


def open_text(language: Language = ENGLISH) -> str:
    """What the second opinion is."""
    return language.gettext(
        "Open hands: points that a move lost with all cards known to everybody. A second opinion: "
        "it may have been impossible to see, and no mark goes by it."
    )


def luck_words(language: Language = ENGLISH) -> str:
    """What luck is."""
    return language.gettext(
        "Luck: points that the hands of a deal were worth more than others that could have been "
        "dealt, open, to the end of the deal; ± one standard error. Nobody's play is in it."
    )
