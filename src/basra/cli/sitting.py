"""A match at the terminal: what `basra play` and `basra coach` share.

A sitting asks for one entry after the other.  Whatever is entered is in the file before anything
else is asked.
"""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from basra.cli import output, table
from basra.cli.hint_list import hint_lines
from basra.cli.keeping import Keeper
from basra.cli.prompt import Command, EndOfInput, Talk, command_meant, command_words
from basra.cli.table import Names
from basra.completion import Opening
from basra.engine import Engine
from basra.entry import moves_meant, number_meant, picked_or_other, plain, printable
from basra.errors import ArgumentError, BasraError, GameOverError
from basra.game import Game, Hands
from basra.hint_words import notes
from basra.interrupts import held_interrupts
from basra.limits import Limits
from basra.match import Match
from basra.models import DEFAULT_TRUST, default_model
from basra.moves import Move
from basra.record.model import Estimate, Turn
from basra.results import Hint
from basra.said import said
from basra.score import RoundScore

_LISTED = 12  # moves in a list that nobody asked for, and entries to go back to


class Sitting(ABC):
    """A match, the file it is kept in, and whoever sits at the keyboard."""

    command: ClassVar[str]
    """What goes on with the file: `play` or `coach`"""

    def __init__(self, match: Match, talk: Talk, me: int, keeper: Keeper) -> None:
        self.match = match
        self.talk = talk
        self.me = me
        self.limits = Limits()
        self._keeper = keeper
        self._hinted: Hint | None = None

    # -- what each sitting does ------------------------------------------------------------------

    @abstractmethod
    def step(self) -> None:
        """Goes on by one thing: a round, a deal, a move.  At most one entry is asked for."""

    @abstractmethod
    def waits(self, match: Match) -> bool:
        """Is something asked for next?"""

    @abstractmethod
    def show(self) -> None:
        """The table as it is now."""

    @abstractmethod
    def resign(self, rest: str) -> bool:
        """The command; has it changed the match?"""

    # -- short names -----------------------------------------------------------------------------

    @property
    def names(self) -> Names:
        """What the seats are called."""
        return Names(self.match, self.me, self.talk.language)

    @property
    def game(self) -> Game | None:
        """The round that is played."""
        return self.match.game

    # -- the whole of it -------------------------------------------------------------------------

    def run(self) -> int:
        """Until the match is over, or nobody goes on; the exit code."""
        try:
            self.keep()
            self._check_kept()
            self._greet()
            while not self.match.is_over:
                self.step()
                self.keep()
            self._end()
        except EndOfInput:
            self._leave()
        except KeyboardInterrupt:
            self.talk.say()
            self._leave()
            raise
        return 0

    def _greet(self) -> None:
        language = self.talk.language
        self.talk.say(
            language.gettext("Kept in {file} after every entry. ? explains what can be typed.")
            .format(file=language.isolate(self._shown)),
            style="dim", whole=True,
        )  # fmt: skip

    def _end(self) -> None:
        language, names = self.talk.language, self.names
        scores = names.scores(self.match.scores)
        if self.match.resigned is not None:
            name = names.side(self.match.resigned)
            self.talk.say(language.gettext("Given up: {name}").format(name=name))
        self.talk.say(language.gettext("The match is over: {scores}").format(scores=scores))
        if self.match.winner is not None:
            name = names.side(self.match.winner)
            self.talk.say(language.gettext("Winner: {name}").format(name=name), style="bold")
        self._leave()

    def _leave(self) -> None:
        """Says where everything is; an error if it is nowhere."""
        self.keep()
        self._check_kept()
        language = self.talk.language
        self.talk.say(
            language.gettext("Kept in {file}").format(file=language.isolate(self._shown)),
            style="dim",
            whole=True,
        )
        if not self.match.is_over:
            words = f"basra {self.command} --resume {shlex.quote(str(self._keeper.path))}"
            template = language.gettext("Go on with: {command}")
            self.talk.say(template.format(command=language.isolate(words)), style="dim", whole=True)

    @property
    def _shown(self) -> str:
        return output.harmless(str(self._keeper.path))

    # -- keeping ---------------------------------------------------------------------------------

    def keep(self) -> None:
        """Everything so far is in the file; where it cannot be, that is said every time."""
        try:
            self._keeper.keep(self.match.record())
        except BasraError as error:
            if self._keeper.begun:
                self._warn(error)

    def _check_kept(self) -> None:
        """An error if it is not."""
        if self._keeper.trouble is not None:
            raise self._keeper.trouble.moved_to("record")

    def _warn(self, error: BasraError) -> None:
        self.talk.refuse(error)
        language = self.talk.language
        self.talk.say(
            language.gettext(
                "What was entered last is in no file yet: save FILE puts all of it elsewhere."
            ),
            style="bold yellow",
        )

    # -- entries ---------------------------------------------------------------------------------

    def entry(self, prompt: str, *, empty: bool = False) -> str | None:
        """What was typed that is no command; None if a command changed the match."""
        while True:
            text = self.talk.ask(prompt)
            if not plain(text):
                if empty:
                    return ""
                continue
            command = command_meant(text, self.talk.language)
            if command is None:
                return text
            try:
                if self._obey(command):
                    return None
            except BasraError as error:
                self.talk.refuse(error)

    def ask(self, prompt: str, take: Callable[[str], None]) -> None:
        """Asks until an entry is taken, or a command has changed the match."""
        while (text := self.entry(prompt)) is not None:
            try:
                take(text)
                return
            except BasraError as error:
                self.talk.refuse(error)

    def ask_move(self, prompt: str, legal: tuple[Move, ...], take: Callable[[Move], None]) -> None:
        """The same for a move; where several are meant, asks which."""
        meant: tuple[Move, ...] = ()
        while (text := self._which(meant) if meant else self.entry(prompt)) is not None:
            try:
                # Enter alone is for none of several.
                meant = self._picked(text, meant, legal) if text else ()
                if len(meant) == 1:
                    take(meant[0])
                    return
            except BasraError as error:
                self.talk.refuse(error)
                meant = () if len(meant) == 1 else meant

    def _picked(
        self, text: str, meant: tuple[Move, ...], legal: tuple[Move, ...]
    ) -> tuple[Move, ...]:
        found = picked_or_other(text, meant, legal) if meant else ()
        return found or self.moves_meant(text, legal)

    def _which(self, meant: tuple[Move, ...]) -> str | None:
        """Which of several moves: what was typed, "" for none; None if the match was changed."""
        language = self.talk.language
        self.talk.say(language.gettext("Several moves are meant; Enter is for none of them:"))
        for line in table.numbered(meant, self.talk.look, self.talk.out.width):
            self.talk.say(line)
        return self.entry(language.pgettext("prompt", "Which number"), empty=True)

    def moves_meant(self, text: str, legal: tuple[Move, ...]) -> tuple[Move, ...]:
        """What an entry means: a number of the list, or a move."""
        if not plain(text).startswith("#"):
            return moves_meant(text, legal)
        number = number_meant(text, len(legal))
        if number is None:
            raise ArgumentError(
                said("is not in the list"), field="move", value=plain(text)[:20],
                fix=said("use {first} to {last}", first="#1", last=f"#{len(legal)}"),
            )  # fmt: skip
        return (legal[number - 1],)

    def agreed(self, question: str) -> bool:
        """Was the answer yes?"""
        answer = plain(self.talk.ask(question)).lower()
        return answer in ("yes", "y", self.talk.language.pgettext("answer", "yes"))

    def play(self, move: Move) -> None:
        """Makes and keeps a move, with what the last hint said of it."""
        estimate = None if self._hinted is None else _estimate(self._hinted, move)
        with held_interrupts():
            self.match.play(move, estimate=estimate)
        self._hinted = None
        self.keep()

    def show_played(self) -> None:
        """The last move."""
        game = self.game
        assert game is not None
        seat = game.opening.seat(len(game.turns) - 1)
        move = game.turns[-1].move
        self.talk.say(table.played_text(self.names.seat(seat), move, self.talk.look))

    def show_round(self) -> None:
        """The score of the round that has ended."""
        assert self.game is not None
        self.talk.say()
        score = RoundScore.of(self.game)
        for part in table.round_score(score, self.names, self.talk.look):
            self.talk.say(part)
        self.talk.say()

    # -- commands --------------------------------------------------------------------------------

    def _obey(self, command: Command) -> bool:
        """Does what a command says; has it changed the match?"""
        if command.name == "quit":
            raise EndOfInput
        if command.name == "back":
            return self._back(command.rest)
        if command.name == "resign":
            return self.resign(command.rest)
        getattr(self, f"_{command.name}")(command.rest)
        return False

    def _help(self, _: str) -> None:
        for line in help_lines(self.talk):
            self.talk.say(line)

    def _table(self, _: str) -> None:
        self.show()

    def _moves(self, _: str) -> None:
        legal = () if self.game is None else self.game.legal_moves()
        for line in table.numbered(legal, self.talk.look, self.talk.out.width):
            self.talk.say(line)

    def _score(self, _: str) -> None:
        self.talk.say(table.match_table(self.match, self.names))

    def _seen(self, _: str) -> None:
        game, language = self.game, self.talk.language
        if game is None:
            raise GameOverError(
                said("nothing has been seen yet"), fix=said("enter the first floor")
            )
        unseen = game.unseen(self.me)
        template = language.ngettext(
            "Not seen: {count} card; a dot is for one that was",
            "Not seen: {count} cards; a dot is for one that was",
            len(unseen),
        )
        self.talk.say(template.format(count=len(unseen)))
        for line in table.unseen_grid(unseen, self.talk.look):
            self.talk.say(line)

    def _save(self, rest: str) -> None:
        language = self.talk.language
        if not rest:
            raise ArgumentError(
                said("needs a file"), field="save", fix=said("write save and its name")
            )
        self._keeper.copy(self.match.record(), Path(rest).expanduser())
        template = language.gettext("Saved in {file}")
        shown = language.isolate(output.harmless(rest))
        self.talk.say(template.format(file=shown), whole=True)

    def _note(self, rest: str) -> None:
        game, language = self.game, self.talk.language
        if game is None:
            raise GameOverError(said("no move to say something about"), fix=said("play one first"))
        game.note(printable(rest))
        self.keep()
        template = language.gettext("Noted with {move}")
        self.talk.say(template.format(move=language.isolate(game.turns[-1].move.text)))

    def _hint(self, _: str) -> None:
        self.hint(None, notes_too=True)

    def hint(self, most: int | None, *, notes_too: bool = False) -> None:
        """Every move, or the best few, for what I know."""
        game = self.game
        if game is None or game.expects != "move" or game.turn != self.me:
            raise GameOverError(
                said("there is nothing to hint at"),
                fix=said("wait until you are to move, or enter what is due"),
            )
        view, rules = game.view, self.match.rules
        with Engine() as engine:
            found = engine.hint(
                view, self.limits, seed=self.match.seed or 0, model=default_model(rules),
                trust=DEFAULT_TRUST,
            )  # fmt: skip
        self._hinted = found
        for line in hint_lines(
            found, game.legal_moves(), self.talk.look, self.talk.out.width, most
        ):
            self.talk.say(line)
        if notes_too:
            for note in notes(found, view, self.talk.language):
                self.talk.say(note, style="dim")

    # -- taking back -----------------------------------------------------------------------------

    def _back(self, rest: str) -> bool:
        language = self.talk.language
        words = (language.pgettext("after the command back", "list"), "list", "?")
        if plain(rest).lower() in words:
            self._list_entries()
            return False
        count = 1 if not rest else number_meant(rest, 10_000)
        if count is None:
            raise ArgumentError(
                said("is not a number of entries"), field="back", value=plain(rest)[:20],
                fix=said("write back, back 3, or back list"),
            )  # fmt: skip
        trial = self._copy()
        taken = [self._step_back(trial) for _ in range(count)]
        self.match, self._hinted = trial, None
        self.talk.say(language.gettext("Taken back: {entry}").format(entry=taken[-1]))
        return True

    def _copy(self) -> Match:
        leader = self.match.games[0].opening.leader if self.game else self.match.next_leader
        return Match.from_record(self.match.record(), leader=leader)

    def _step_back(self, match: Match) -> str:
        """Takes an entry back, with all that came by itself after it; what it was."""
        while True:
            taken = match.undo()
            if self.waits(match):
                return self._entry_text(taken, match)

    def _entry_text(self, taken: Turn | Hands | Opening | int, match: Match) -> str:
        language, names = self.talk.language, self.names
        if isinstance(taken, int):
            return language.gettext("Given up: {name}").format(name=names.side(taken))
        if isinstance(taken, Opening):
            template = language.gettext("first floor of round {round}: {cards}")
            return template.format(round=taken.number, cards=language.isolate(taken.floor))
        if isinstance(taken, Turn):
            assert match.game is not None
            template = language.pgettext("who played what", "{name}: {move}")
            name = names.seat(match.game.turn)
            return template.format(name=name, move=language.isolate(taken.move.text))
        return language.gettext("hand {cards}").format(cards=language.isolate(taken[self.me]))

    def _list_entries(self) -> None:
        language, trial = self.talk.language, self._copy()
        self.talk.say(language.gettext("back N takes back that entry and all above it:"))
        for number in range(1, _LISTED + 1):
            try:
                what = self._step_back(trial)
            except GameOverError:
                return
            self.talk.say(f"  {number:2}  {what}")


def _estimate(found: Hint, move: Move) -> Estimate | None:
    """What a hint says of a move, as records keep it."""
    for entry in found.moves:
        if move in (entry.move, *entry.equal) and entry.value is not None:
            error = None if entry.stderr is None else round(entry.stderr, 3)
            return Estimate(round(entry.value, 3), error, found.method)
    return None


def help_lines(talk: Talk) -> list[str]:
    """What can be typed."""
    language = talk.language
    words = {name: word for word, name in reversed(command_words(language).items())}

    def command(name: str, more: str = "") -> str:
        both = name if words[name] == name else f"{words[name]}, {name}"
        return f"{both} {more}".rstrip()

    lines = (
        ("8S", language.gettext("a card by rank and suit, C D H S; 10 or T is a ten")),
        ("8", language.gettext("the same without the suit, if no other fits")),
        ("8SxAC7H", language.gettext("a card and what it takes; a part is enough: 8xA")),
        ("8S-", language.gettext("a card laid down, where it could also take")),
        ("#3", language.gettext("number 3 of the list of moves")),
        (command("hint"), language.gettext("what every move is worth, when you are to move")),
        (command("back", "3"), language.gettext("takes back the last three entries; alone: one")),
        (command("back", "list"), language.gettext("what can be taken back")),
        (command("table"), language.gettext("shows the table again")),
        (command("moves"), language.gettext("all moves that can be made")),
        (command("score"), language.gettext("points of every round")),
        (command("seen"), language.gettext("which cards have not been seen")),
        (command("note", ".."), language.gettext("a remark about the last move")),
        (command("save", "FILE"), language.gettext("a copy of the record")),
        (command("resign"), language.gettext("gives the match up")),
        (command("quit"), language.gettext("ends; all is kept, and --resume goes on")),
    )
    width = max(len(typed) for typed, _ in lines)
    return [f"  {language.isolate(typed.ljust(width))}  {words}" for typed, words in lines]
