"""A table in the terminal: what lies there, who holds how much, scores, cards not seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from basra.cards import RANKS, SUIT_SIGNS, SUITS, Card, Cards
from basra.cli import output
from basra.cli.output import Look
from basra.game import Game
from basra.language import Language
from basra.match import Match
from basra.moves import Move
from basra.results import Reason
from basra.score import RoundScore
from basra.words import reason_text

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


@dataclass(frozen=True, slots=True)
class Names:
    """What seats and sides are called."""

    match: Match
    me: int
    language: Language

    def seat(self, seat: int) -> str:
        """A player's name, else the number of the seat."""
        name = self.match.seats[seat].name
        if name:
            return self.language.isolate(output.harmless(name))
        if seat == self.me:
            return self.language.pgettext("player", "You")
        return self.language.gettext("Seat {number}").format(number=seat + 1)

    def side(self, side: int) -> str:
        """The names of its players."""
        seats = range(side, self.match.players, self.match.sides)
        return " + ".join(map(self.seat, seats))

    @property
    def sides(self) -> list[str]:
        """All sides."""
        return [self.side(side) for side in range(self.match.sides)]

    def scores(self, points: Iterable[int]) -> str:
        """Points with the names of their sides."""
        language = self.language
        listed = [
            f"{name}: {language.isolate(number)}"
            for name, number in zip(self.sides, points, strict=True)
        ]
        return language.pgettext("between figures", ", ").join(listed)


# -- moves ---------------------------------------------------------------------------------------


def played_text(name: str, move: Move, look: Look) -> Text:
    """A move that was made, with what it brought."""
    from rich.text import Text

    language = look.language
    template = language.pgettext("who played what", "{name}: {move}")
    said = output.filled(template, name=Text(name), move=output.move_text(move, look))
    gains = [
        reason_text(Reason(code, (), points), language)
        for code, points in (("basra", move.basra), ("points", move.points))
        if points and move.captures
    ]
    return Text.assemble(said, (f"  ({language.listed(gains)})" if gains else "", "dim"))


def numbered(moves: Sequence[Move], look: Look, width: int, most: int | None = None) -> list[Text]:
    """Moves with the numbers that choose them, side by side; at most so many."""
    from rich.text import Text

    items = [
        Text.assemble((f"#{number} ", "dim"), output.move_text(move, look))
        for number, move in enumerate(moves[:most], 1)
    ]
    if most is not None and len(moves) > most:
        command = look.language.pgettext("command", "moves")
        items.append(Text(more_text(len(moves) - most, command, look.language), style="dim"))
    return _packed(items, width)


def more_text(count: int, command: str, language: Language) -> str:
    """That a list has more, and the command that shows all of it."""
    template = language.ngettext(
        "and {count} more: type {command}", "and {count} more: type {command}", count
    )
    return template.format(count=count, command=command)


def _packed(items: Sequence[Text], width: int) -> list[Text]:
    """Texts side by side in as many lines as they need, each whole."""
    from rich.text import Text

    lines: list[list[Text]] = [[]]
    for item in items:
        if lines[-1] and sum(len(one) + 3 for one in [*lines[-1], item]) > width:
            lines.append([])
        lines[-1].append(item)
    return [Text.assemble("  ", Text("   ").join(line)) for line in lines if line]


# -- the table -----------------------------------------------------------------------------------


def headline(game: Game, names: Names) -> str:
    """Which deal of which round, and who leads."""
    language = names.language
    return language.gettext("Round {round}, deal {deal} of {deals}; leader: {name}").format(
        round=game.opening.number,
        deal=game.deal_number,
        deals=len(game.opening.sizes),
        name=names.seat(game.opening.leader),
    )


_WIDE = 60  # columns that the table of sides needs


def sides_shown(game: Game, names: Names, width: int) -> list[Table | str]:
    """Match, round, pile and hands of each side: a table, or a line each where it is narrow."""
    from rich.table import Table
    from rich.text import Text

    language = names.language
    titles = (
        language.pgettext("column", "match"),
        language.pgettext("column", "this round"),
        language.pgettext("column", "cards taken"),
        language.pgettext("column", "in hand"),
    )
    rows = [
        (name, [language.isolate(cell) for cell in _side_facts(game, side)])
        for side, name in enumerate(names.sides)
    ]
    if width < _WIDE:
        comma = language.pgettext("between figures", ", ")
        lines = []
        for name, cells in rows:
            facts = (f"{title} {cell}" for title, cell in zip(titles, cells, strict=True))
            lines.append(f"  {name}: {comma.join(facts)}")
        return list(lines)
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("", style="bold")
    for title in titles:
        table.add_column(title, justify="right", header_style="dim")
    for name, cells in rows:
        table.add_row(Text(f"  {name}"), *cells)
    return [table]


def _side_facts(game: Game, side: int) -> tuple[int | str, ...]:
    public = game.public
    hands = [game.hand_size(seat) for seat in range(side, game.players, len(public.cards))]
    return (
        public.scores_before[side], public.points[side], public.cards[side],
        "+".join(map(str, hands)),
    )  # fmt: skip


def more_facts(game: Game, names: Names) -> str:
    """The stock, who captured last, and points that wait."""
    language, public = names.language, game.public
    facts = [language.gettext("In the stock: {count}").format(count=len(public.stock))]
    if public.last is not None:
        name = names.seat(public.last)
        facts.append(language.gettext("last to capture: {name}").format(name=name))
    if public.carry:
        template = language.ngettext(
            "{count} point waits for the most cards", "{count} points wait for the most cards",
            public.carry,
        )  # fmt: skip
        facts.append(template.format(count=public.carry))
    return "  " + language.listed(facts)


def floor_text(cards: Cards, look: Look) -> Text:
    """What lies on the floor."""
    return output.filled(
        "  " + look.language.gettext("Floor: {cards}"), cards=output.cards_text(cards, look=look)
    )


def hand_text(cards: Cards, look: Look) -> Text:
    """One's own hand."""
    return output.filled(
        "  " + look.language.gettext("Hand: {cards}"), cards=output.cards_text(cards, look=look)
    )


def unseen_grid(unseen: Cards, look: Look) -> list[Text]:
    """A line for each suit; a dot for every card seen."""
    from rich.text import Text

    lines = []
    for suit in SUITS:
        cards = [Card(rank + suit) for rank in RANKS]
        sign = output.card_text(cards[0], look)
        shown = Text(SUIT_SIGNS[SUITS.index(suit)] if output.can_sign() else suit, sign.style)
        cells = " ".join(card.rank if card in unseen else "." for card in cards)
        lines.append(Text.assemble("  ", shown, f"  {look.language.isolate(cells)}"))
    return lines


# -- scores --------------------------------------------------------------------------------------


def _points_table(names: Names) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("")
    for name in names.sides:
        table.add_column(Text(name), justify="right", header_style="bold")
    return table


def round_score(score: RoundScore, names: Names, look: Look) -> list[Text | Table | str]:
    """What a round brought, step by step, and how the match stands."""
    language, sides = names.language, score.sides
    said: list[Text | Table | str] = [
        language.gettext("Round {round} is over.").format(round=score.number)
    ]
    if score.leftovers:
        said.append(_leftovers(score, names, look))
    table = _points_table(names)
    rows = (
        (language.pgettext("score", "cards taken"), [side.cards for side in sides]),
        (language.pgettext("score", "basras, number"), [len(side.basras) for side in sides]),
        (language.pgettext("score", "basras, points"), [side.basra_points for side in sides]),
        (language.pgettext("score", "points of cards"), [side.card_points for side in sides]),
        (language.pgettext("score", "most cards"), [side.majority for side in sides]),
        (language.pgettext("score", "this round"), [side.points for side in sides]),
        (language.pgettext("score", "match before"), [side.before for side in sides]),
        (language.pgettext("score", "match"), [side.after for side in sides]),
    )
    for title, values in rows:
        table.add_row(f"  {title}", *(language.isolate(value) for value in values))
    said.append(table)
    said += [f"  {words}" for words in _majority(score, names)]
    return said


def _leftovers(score: RoundScore, names: Names, look: Look) -> Text:
    from rich.text import Text

    language, cards = names.language, output.cards_text(score.leftovers, look=look)
    if score.last is None:
        template = language.gettext("Left on the floor, for nobody: {cards}")
        return output.filled(f"  {template}", cards=cards)
    template = language.gettext("Left on the floor, for {name}: {cards}")
    return output.filled(f"  {template}", name=Text(names.seat(score.last)), cards=cards)


def _majority(score: RoundScore, names: Names) -> list[str]:
    """A tie for most cards, points that waited, and points that wait."""
    language, said = names.language, []
    won = any(side.majority for side in score.sides)
    if won and score.carry_before:
        template = language.ngettext(
            "{count} point that waited is in it.", "{count} points that waited are in it.",
            score.carry_before,
        )  # fmt: skip
        said.append(template.format(count=score.carry_before))
    if score.carry_after:
        template = language.ngettext(
            "Nobody has most cards: {count} point waits for the next round.",
            "Nobody has most cards: {count} points wait for the next round.",
            score.carry_after,
        )
        said.append(template.format(count=score.carry_after))
    elif not won:
        said.append(language.gettext("Nobody has most cards."))
    return said


def match_table(match: Match, names: Names) -> Table:
    """Points of every round, and the sum."""
    language, table = names.language, _points_table(names)
    record = match.record()
    if any(record.scores):
        before = language.pgettext("score", "before")
        table.add_row(f"  {before}", *map(language.isolate, record.scores))
    for game in match.games:
        public = game.public
        template = (
            language.gettext("round {round}")
            if game.is_over
            else language.gettext("round {round}, so far")
        )
        title = template.format(round=public.round_number)
        table.add_row(f"  {title}", *map(language.isolate, public.points))
    table.add_row(f"  {language.pgettext('score', 'match')}", *map(language.isolate, match.scores))
    return table
