"""basra play: a match against the engine, in the terminal."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import click

from basra.cli import output, table
from basra.cli.keeping import Keeper
from basra.cli.options import deck_option, lang_option
from basra.cli.output import Look
from basra.cli.prompt import Talk
from basra.cli.seating import (
    ME,
    new_file,
    players_of,
    resumed,
    seat_of,
    table_options,
    wrong_command,
)
from basra.cli.sitting import Sitting
from basra.entry import printable
from basra.errors import ArgumentError, BasraError
from basra.interrupts import held_interrupts
from basra.language import Language
from basra.limits import Limits
from basra.match import Match
from basra.moves import Move
from basra.players import LEVELS, Player
from basra.record.model import Seat

_LISTED = 12  # moves that are shown before they are asked for
_FRESH = ("rules", "players", "partners", "record", "levels", "seat", "seed", "name")


@click.command(short_help="Play a match against the engine.")
@table_options
@click.option(
    "--level", "levels", multiple=True, metavar="LEVEL",
    help="A level or a player; once for all, or for each seat after mine.  [default: club]",
)  # fmt: skip
@click.option(
    "--seat", type=int, metavar="N", help="Where I sit; seat 1 leads the first round.  [default: 1]"
)
@click.option("--seed", type=int, metavar="N", help="Of the cards.  [default: another every time]")
@click.option("--name", metavar="NAME", help="What I am called.")
@lang_option
@deck_option
def play(language: Language, deck: str, **options: Any) -> int:
    """A whole match in the terminal, against engine players of any level.

    \b
      basra play
      basra play --partners --level expert --rules palestine
      basra play --players 3 --level club --level worlds:worlds=40
      basra play --resume basra-20260501-2015.txt

    \b
    Levels, the weakest first: beginner, casual, learner, club, strong, expert,
    full; `basra arena --list` describes them.  Type a card to play it: 8 if
    there is one eight, else 8S; ? at the prompt lists what else can be typed.
    Everything is kept in a file after every move; Ctrl-C loses nothing.
    """
    talk = Talk(Look(language, deck))
    sitting = _begun(options, talk) if options["resume"] is None else _resumed(options, talk)
    return sitting.run()


def _begun(options: dict[str, Any], talk: Talk) -> Playing:
    players = players_of(options)
    seed = secrets.randbits(32) if options["seed"] is None else options["seed"]
    # The table is checked before seats at it.
    rules, partners = options["rules"] or "classic", options["partners"]
    Match(rules, players=players, partners=partners, seed=seed)
    me = seat_of(options["seat"], players, "seat")
    seats = [Seat(printable(options["name"] or ""))] * players
    for place, level in enumerate(_levels(options["levels"], players), 1):
        seats[(me + place) % players] = Seat(player=level)
    match = Match(
        rules, players=players, partners=partners, seed=seed, seats=seats, tags=[(ME, str(me + 1))]
    )
    _check_players(match)
    return Playing(match, talk, me, Keeper(new_file(options["record"]), None))


def _levels(given: tuple[str, ...], players: int) -> list[str]:
    """A player for each other seat, as records have it: a level by its name."""
    texts = [_player_text(text) for text in given or ("club",)]
    if len(texts) not in (1, players - 1):
        raise ArgumentError(
            "is not one for each other seat", field="level", value=len(texts),
            fix=f"give one for all, or {players - 1}",
        )  # fmt: skip
    return texts * (players - 1) if len(texts) == 1 else texts


def _player_text(text: str) -> str:
    try:
        player = Player.parse(text)
    except ArgumentError as error:
        raise error.moved_to("level") from None
    name = text.strip().lower()
    return name if name in LEVELS else str(player)


def _resumed(options: dict[str, Any], talk: Talk) -> Playing:
    name = options["resume"]
    record, match, me = resumed(options, _FRESH)
    if record.seed is None:
        raise wrong_command(name, "the record of a table, not dealt by the engine", "coach")
    if match.game is not None and match.game.position is None:
        raise ArgumentError(
            "does not have all the cards of its last round", field="resume", value=name,
            fix="take the file as basra play has written it",
        )  # fmt: skip
    for number, seat in enumerate(record.seats):
        if number != me and not seat.player:
            raise ArgumentError(
                f"does not say who plays at seat {number + 1}", field="resume", value=name,
                fix=f'add it to its head: seat {number + 1} "" club',
            )  # fmt: skip
    _check_players(match)
    return Playing(match, talk, me, Keeper(Path(name), record))


def _check_players(match: Match) -> None:
    """ModelError for a player that could not play by these rules, before it would have to."""
    trial = Match(match.rules, players=match.players, partners=match.partners, seed=0)
    view = trial.next_round().view
    for text in {seat.player for seat in match.seats if seat.player}:
        try:
            Player.parse(text).choose(view, limits=Limits(nodes=1))
        except BasraError as error:
            raise error.moved_to("level") from None


class Playing(Sitting):
    """Me at a table of engine players."""

    command = "play"

    def __init__(self, match: Match, talk: Talk, me: int, keeper: Keeper) -> None:
        super().__init__(match, talk, me, keeper)
        self._players = {
            number: Player.parse(seat.player)
            for number, seat in enumerate(match.seats)
            if number != me
        }

    def step(self) -> None:
        """A round is dealt, an engine player moves, or I do."""
        if self.game is None or self.game.is_over:
            self._new_round()
        elif self.game.turn != self.me:
            self._others()
        else:
            self._mine()
        if self.game is not None and self.game.is_over:
            self.show_round()

    def waits(self, match: Match) -> bool:
        """Am I to move?"""
        game = match.game
        return game is not None and game.expects == "move" and game.turn == self.me

    def _greet(self) -> None:
        super()._greet()
        language, match = self.talk.language, self.match
        players = [
            f"{self.names.seat(seat)} ({language.isolate(match.seats[seat].player)})"
            for seat in self._players
        ]
        between = language.pgettext("between figures", ", ")
        template = language.gettext("{rules}, to {target} points, seed {seed}; against {players}")
        if match.partners:
            template = language.gettext(
                "{rules}, to {target} points, seed {seed}; with and against {players}"
            )
        self.talk.say(
            template.format(
                rules=language.isolate(match.rules.name), target=match.rules.target,
                seed=language.isolate(match.seed), players=between.join(players),
            )
        )  # fmt: skip

    def _new_round(self) -> None:
        with held_interrupts():
            game = self.match.next_round()
        if game.turn != self.me:
            # Others move before the table is shown to me.
            self.talk.say()
            self.talk.say(table.headline(game, self.names), style="bold")
            self.talk.say(table.floor_text(game.public.floor, self.talk.look))

    def _others(self) -> None:
        assert self.game is not None
        player = self._players[self.game.turn]
        with output.patience(self.talk.language.gettext("thinking")):
            move = self.match.choice(player).move
        self.play(move)
        self.show_played()

    def _mine(self) -> None:
        assert self.game is not None
        self.show()
        self.ask_move(self.names.seat(self.me), self.game.legal_moves(), self._take_move)

    def _take_move(self, move: Move) -> None:
        self.play(move)
        self.show_played()

    def show(self) -> None:
        """The table, my hand, and what I can do."""
        game, look, names = self.game, self.talk.look, self.names
        assert game is not None
        self.talk.say()
        self.talk.say(table.headline(game, names), style="bold")
        for part in table.sides_shown(game, names, self.talk.out.width):
            self.talk.say(part)
        self.talk.say(table.more_facts(game, names))
        self.talk.say(table.floor_text(game.public.floor, look))
        self.talk.say(table.hand_text(game.hand(self.me), look))
        for line in table.numbered(game.legal_moves(), look, self.talk.out.width, _LISTED):
            self.talk.say(line)

    def resign(self, rest: str) -> bool:
        """After a question, gives the match up for my side."""
        language = self.talk.language
        if not self.agreed(language.gettext("Give the match up? yes or no")):
            return False
        self.match.resign(self.me % self.match.sides)
        return True
