"""basra coach: beside a real game, entry by entry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from basra.cards import Card, Cards
from basra.cli import table
from basra.cli.keeping import Keeper
from basra.cli.options import deck_option, lang_option, limit_options, limits
from basra.cli.output import Look
from basra.cli.prompt import Talk
from basra.cli.seating import (
    LEADER,
    ME,
    new_file,
    players_of,
    resumed,
    seat_of,
    table_options,
    wrong_command,
)
from basra.cli.sitting import Sitting
from basra.entry import card_alone, cards_meant, list_meant, number_meant, plain, printable
from basra.errors import ArgumentError, BasraError, IllegalMoveError
from basra.game import Game
from basra.interrupts import held_interrupts
from basra.language import Language
from basra.limits import DEFAULT_WORLDS, Limits
from basra.match import Match
from basra.moves import Move
from basra.position import sides_of
from basra.record.model import Seat
from basra.said import said
from basra.view import numbers

HINT_SECONDS = 0.15
"""Of a hint, where no limit is given: entry to hint has to stay below 0.3 s"""

_FEW = 8  # cards that another may hold, of which all are shown
_LISTED = 12  # moves with them
_HINTED = 3  # moves of a hint that nobody asked for
_FRESH = (
    "rules", "players", "partners", "record", "seat", "leader", "scores", "carry", "first", "names"
)  # fmt: skip


@click.command(short_help="Beside a real game: tracks the cards and hints.")
@table_options
@click.option("--seat", type=int, metavar="N", help="Where I sit at the table.  [default: 1]")
@click.option(
    "--leader", type=int, metavar="N", help="The seat that leads the first round.  [default: 1]"
)
@click.option("--scores", metavar="N:N", help="Match scores before, my side first.  [default: 0]")
@click.option("--carry", type=int, metavar="N", help="Points waiting from tied rounds.")
@click.option(
    "--round", "first", type=int, metavar="N", help="Number of the first round.  [default: 1]"
)
@click.option(
    "--name", "names", multiple=True, metavar="NAME", help="Of each seat from 1; repeat it."
)
@limit_options
@click.option("--worlds", type=int, metavar="N", help="Worlds of a hint.")
@click.option("--no-hints", is_flag=True, help="Hint only when asked.")
@lang_option
@deck_option
def coach(language: Language, deck: str, no_hints: bool, **options: Any) -> int:
    """Tracks a real game as it is played, and hints when it is your turn.

    \b
      basra coach --seat 2 --name Amal --name Me
      basra coach --partners --rules palestine --scores 61:84
      basra coach --resume basra-20260501-2015.txt

    \b
    Type the first floor, your hand at each deal, and every card as it is played,
    with what it takes only where it could take something else.  What follows from
    that is never asked for: whose turn it is, who captured last, points, scores.
    A hint takes at most 0.15 s; --time, --worlds and --nodes change that, and the
    command hint at the prompt takes as long as `basra hint`.
    Everything is kept in a file after every entry; Ctrl-C loses nothing.
    """
    talk, quick = Talk(Look(language, deck)), _limits(options)
    sitting = _begun(options, talk) if options["resume"] is None else _resumed(options, talk)
    sitting.quick = quick
    sitting.hints = not no_hints
    return sitting.run()


def _limits(options: dict[str, Any]) -> Limits:
    """Of hints that come by themselves."""
    given = limits(options["seconds"], options["worlds"], options["nodes"])
    return Limits(time=HINT_SECONDS, worlds=DEFAULT_WORLDS) if given == Limits() else given


def _begun(options: dict[str, Any], talk: Talk) -> Coaching:
    players, partners = players_of(options), options["partners"]
    rules = options["rules"] or "classic"
    Match(rules, players=players, partners=partners)  # the table is checked before its seats
    me = seat_of(options["seat"], players, "seat")
    leader = seat_of(options["leader"], players, "leader")
    names = [printable(name) for name in options["names"]]
    if len(names) > players:
        raise ArgumentError(
            "are more than the seats", field="name", value=len(names), fix=f"give at most {players}"
        )
    names += [""] * (players - len(names))
    try:
        match = Match(
            rules, players=players, partners=partners, seats=[Seat(name) for name in names],
            scores=_scores(options["scores"], me, sides_of(players, partners)),
            carry=options["carry"] or 0,
            first_round=1 if options["first"] is None else options["first"], leader=leader,
            tags=[(ME, str(me + 1)), (LEADER, str(leader + 1))],
        )  # fmt: skip
    except BasraError as error:
        raise error.moved_to("round" if error.field == "first_round" else error.field) from None
    return Coaching(match, talk, me, Keeper(new_file(options["record"]), None))


def _scores(text: str | None, me: int, sides: int) -> list[int]:
    """Scores by side, from a list that starts with mine."""
    mine_first = numbers(text, "scores") or [0] * sides
    if len(mine_first) != sides:
        raise ArgumentError(
            "is not one number for each side", field="scores", value=text,
            fix=f"give {sides}, mine first: {':'.join(['61', '84', '40', '7'][:sides])}",
        )  # fmt: skip
    return [mine_first[(side - me) % sides] for side in range(sides)]


def _resumed(options: dict[str, Any], talk: Talk) -> Coaching:
    name = options["resume"]
    record, match, me = resumed(options, _FRESH)
    if record.seed is not None:
        raise wrong_command(name, "dealt by the engine", "play")
    return Coaching(match, talk, me, Keeper(Path(name), record))


class Coaching(Sitting):
    """Me at a real table, of which I see my own hand."""

    command = "coach"
    quick: Limits
    hints: bool

    def step(self) -> None:
        """What comes next: a first floor, a hand, or a move, asked for where it does not follow."""
        game = self.game
        if game is None or game.is_over:
            self._first_floor()
        elif game.expects == "deal":
            self._hand(game)
        else:
            self._move(game)
            if game is self.game and game.is_over:
                self.show_round()

    def waits(self, match: Match) -> bool:
        """Does what comes next not follow from what is known?"""
        game = match.game
        if game is None or game.is_over:
            return match.rules.floor_size > 0
        if game.expects == "deal":
            return self._known_hand(game) is None
        return self._forced(game) is None

    def _greet(self) -> None:
        super()._greet()
        self._show_again()

    def _back(self, rest: str) -> bool:
        changed = super()._back(rest)
        if changed:
            self._show_again()
        return changed

    def _show_again(self) -> None:
        """The table, where the next prompt would not tell it; my hand comes with my turn."""
        if self.game is not None and self.game.expects == "move":
            self._show_table(hand=self.game.turn != self.me)

    # -- what follows ----------------------------------------------------------------------------

    def _known_hand(self, game: Game) -> Cards | None:
        """My next hand, if it follows."""
        known = game.next_hand(self.me)
        return known if len(known) == game.opening.sizes[game.deals_played] else None

    def _forced(self, game: Game) -> Move | None:
        """The move to come, if nothing else can be played."""
        legal = game.legal_moves()
        return legal[0] if len(legal) == 1 else None

    # -- what is asked ---------------------------------------------------------------------------

    def _first_floor(self) -> None:
        language, match = self.talk.language, self.match
        size = match.rules.floor_size
        if not size:
            match.next_round(Cards())
            return
        self.talk.say()
        template = language.gettext("Round {round}; leader: {name}. {scores}")
        self.talk.say(
            template.format(
                round=match.round_number + 1, name=self.names.seat(match.next_leader),
                scores=self.names.scores(match.scores),
            ),
            style="bold",
        )  # fmt: skip
        self.talk.say(
            language.gettext(
                "What lies on the first floor? After / what was shown and put back, as found."
            )
        )
        template = language.ngettext("Floor, {count} card", "Floor, {count} cards", size)

        def take(text: str) -> None:
            floor, _, buried = text.partition("/")
            with held_interrupts():
                match.next_round(cards_meant(floor, "floor"), list_meant(buried, "buried"))

        self.ask(template.format(count=size), take)

    def _hand(self, game: Game) -> None:
        language = self.talk.language
        known = self._known_hand(game)
        if known is not None:
            self._deal(game, known)
            return
        size = game.opening.sizes[game.deals_played]
        template = language.ngettext(
            "Deal {deal} of {deals}, your hand of {count} card",
            "Deal {deal} of {deals}, your hand of {count} cards",
            size,
        )
        prompt = template.format(
            deal=game.deals_played + 1, deals=len(game.opening.sizes), count=size
        )

        def take(text: str) -> None:
            cards = cards_meant(text, "hand")
            if len(cards) != size:
                raise ArgumentError(
                    said("has {count} cards", count=len(cards)), field="hand",
                    value=plain(text)[:40], fix=said("type all {count} of them", count=size),
                )  # fmt: skip
            self._deal(game, cards)

        self.ask(prompt, take)

    def _deal(self, game: Game, cards: Cards) -> None:
        hands: list[Cards | None] = [None] * game.players
        hands[self.me] = cards
        with held_interrupts():
            game.deal(hands)
        self.keep()
        self._show_again()

    def _move(self, game: Game) -> None:
        forced = self._forced(game)
        if forced is not None:
            self.play(forced)
            self._show_forced()
            return
        if game.turn == self.me:
            self._show_mine(game)
        else:
            self._show_few(game)
        self.ask_move(self.names.seat(game.turn), game.legal_moves(), self._take_move)

    def _take_move(self, move: Move) -> None:
        self.play(move)
        self._show_after()

    def moves_meant(self, text: str, legal: tuple[Move, ...]) -> tuple[Move, ...]:
        """The same; a card that cannot be there is refused with where it is."""
        try:
            return super().moves_meant(text, legal)
        except IllegalMoveError as error:
            game, card = self.game, card_alone(text)
            hidden = game is not None and game.turn != self.me
            if hidden and card is not None and all(move.card != card for move in legal):
                raise self._why_not(card, error) from None
            raise

    def _why_not(self, card: Card, error: BasraError) -> BasraError:
        trial = self._copy()
        try:
            trial.play(Move(card))
        except BasraError as better:
            return better
        return error

    # -- what is shown ---------------------------------------------------------------------------

    def _show_after(self) -> None:
        """A move, and the floor that it left."""
        self.show_played()
        if self.game is not None and not self.game.is_over:
            self.talk.say(table.floor_text(self.game.public.floor, self.talk.look))

    def _show_forced(self) -> None:
        language = self.talk.language
        self.talk.say(language.gettext("Nothing else can be played:"), style="dim")
        self._show_after()

    def _show_mine(self, game: Game) -> None:
        self.talk.say(table.hand_text(game.hand(self.me), self.talk.look))
        if self.hints:
            self._quick_hint()

    def _show_few(self, game: Game) -> None:
        """What another can play, where that is not much."""
        legal = game.legal_moves()
        if len({move.card for move in legal}) <= _FEW:
            for line in table.numbered(legal, self.talk.look, self.talk.out.width, _LISTED):
                self.talk.say(line)

    def _quick_hint(self) -> None:
        usual, self.limits = self.limits, self.quick
        try:
            self.hint(_HINTED)
        finally:
            self.limits = usual

    def show(self) -> None:
        """The table, and what I hold."""
        self._show_table(hand=True)

    def _show_table(self, *, hand: bool) -> None:
        game, look, names = self.game, self.talk.look, self.names
        self.talk.say()
        if game is None:
            self.talk.say(names.scores(self.match.scores))
            return
        self.talk.say(table.headline(game, names), style="bold")
        for part in table.sides_shown(game, names, self.talk.out.width):
            self.talk.say(part)
        self.talk.say(table.more_facts(game, names))
        self.talk.say(table.floor_text(game.public.floor, look))
        if hand and game.expects == "move":
            self.talk.say(table.hand_text(game.hand(self.me), look))

    def resign(self, rest: str) -> bool:
        """A side gives the match up: mine, or that of the seat named."""
        language, seat = self.talk.language, self.me
        if rest:
            number = number_meant(rest, self.match.players)
            if number is None:
                raise ArgumentError(
                    said("is not a seat"), field="resign", value=plain(rest)[:20],
                    fix=said("write resign, or resign 1 to {last}", last=self.match.players),
                )  # fmt: skip
            seat = number - 1
        side = seat % self.match.sides
        template = language.gettext("Give the match up for {name}? yes or no")
        if not self.agreed(template.format(name=self.names.side(side))):
            return False
        self.match.resign(side)
        return True
