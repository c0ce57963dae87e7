"""Players: ways to choose a move from what a seat knows, as values with a text of one line.

A player's text is its method, and what differs from the usual after a colon:

    greedy
    worlds
    worlds:worlds=40,trust=0,model=none
    ismcts:simulations=2000,explore=20

A level is a name for a player of known strength, `beginner` to `full`, and stands wherever a text
does; options after it change that player: `club:noise=2`.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Protocol

from basra import _core
from basra.engine import Engine, keep_spare, spare_engine
from basra.errors import (
    ArgumentError,
    BasraError,
    GameOverError,
    ModelError,
    StoppedError,
    core_error,
)
from basra.language import N_
from basra.limits import Limits, limits_ns
from basra.models import Model, default_model
from basra.moves import Move, move_of
from basra.position import Position, checked_seed
from basra.results import STOPS
from basra.rules import Rules
from basra.view import View

METHODS: Mapping[str, str] = MappingProxyType(
    {
        "random": N_("any move, each as likely as the others"),
        "greedy": N_("what brings most at once"),
        "endgame": N_("as greedy, and the last deal exactly"),
        "careful": N_("what brings most at once, less what the next player can answer"),
        "policy": N_("what the model's players would play"),
        "worlds": N_("the best mean over hidden hands that fit, searched to the end of the deal"),
        "expectimax": N_("the same against others who play as the model's players"),
        "ismcts": N_("tree search over information sets, one observer"),
        "mo-ismcts": N_("tree search over information sets, an observer for each seat"),
        "best": N_("expectimax between two players, and the last deal exactly; else worlds"),
    }
)
"""Methods, in the core's order, and what they play."""

_SEARCH = ("trust", "noise", "memory", "model", "nodes", "ms")
_OPTIONS: dict[str, tuple[str, ...]] = {
    "random": (),
    "greedy": ("noise",),
    "endgame": ("effort", *_SEARCH),
    "careful": ("noise", "memory"),
    "policy": ("noise", "memory", "model"),
    "worlds": ("effort", *_SEARCH),
    "expectimax": ("effort", *_SEARCH),
    "ismcts": ("effort", "explore", *_SEARCH),
    "mo-ismcts": ("effort", "explore", *_SEARCH),
    "best": ("effort", *_SEARCH),
}
_ORDER = ("effort", "trust", "explore", "noise", "memory", "model", "nodes", "ms")

_POINTS = (0, 1000, "points")
_RANGES: dict[str, tuple[int, int, str]] = {
    "effort": (0, 1 << 24, ""),
    "trust": (0, 400, "percent"),
    "explore": _POINTS,
    "noise": _POINTS,
    "memory": (0, 100, "percent"),
    "nodes": (0, 10**18, "nodes a move"),
    "ms": (0, 10_000_000, "milliseconds a move"),
}
_WHOLE = ("effort", "trust", "memory", "nodes")
_BUDGET_WORLDS, _BUDGET_SIMULATIONS = 1000, 1_000_000

_Question = Callable[
    [_core.EngineData, _core.PlayerData, list[BaseException]],
    tuple[tuple[int, int, int, int], int, int, int],
]


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player chose."""

    move: Move
    work: int
    """Nodes searched, or plies simulated"""
    stop: str
    """Why it stopped thinking: `complete`, or the limit that ended it"""


class Chooser(Protocol):
    """What can take a seat: a `Player`, or anything of your own that chooses as it does."""

    def choose(self, view: View, *, seed: int = 0) -> HasMove:
        """A legal move of the view; all chance comes from the seed."""


class HasMove(Protocol):
    """An answer with a move in it, such as `Choice`."""

    @property
    def move(self) -> Move:
        """The move chosen"""


@dataclass(frozen=True, slots=True)
class Player:
    """A way to choose moves: a plain value, written as `str(player)` and read by `Player.parse`.

    method
        One of `METHODS`.
    effort
        Worlds, or simulations of a tree search; 0: as many as the method thinks right.
    trust
        Percent: how far what others have played tells of their hands; 0: not at all.
    explore
        Points: the exploration constant of tree search; 0: its default.
    noise
        Points: the deviation with which every move is misjudged.
    memory
        Percent of the cards gone that it remembers in play.
    model
        "default": the file that comes with the rules, if there is one; "none"; or a path.
    nodes, ms
        A budget of nodes, or of milliseconds, for each move; 0: none.  Play by a clock is not the
        same twice.

    >>> player = Player.parse("Worlds: worlds = 40, trust=0%")
    >>> str(player), player.effort
    ('worlds:worlds=40,trust=0', 40)
    """

    method: str = "worlds"
    effort: int = 0
    trust: int = 100
    explore: float = 0.0
    noise: float = 0.0
    memory: int = 100
    model: str = "default"
    nodes: int = 0
    ms: float = 0.0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise _no_name(self.method, METHODS, "is not a method")
        for name in _RANGES:
            object.__setattr__(self, name, _checked(name, getattr(self, name)))
        model = str(self.model)
        if not model or re.search(r"[,\x00-\x1f]", model) or model != model.strip():
            raise ArgumentError(
                "cannot name a model", field="model", value=model,
                fix="use default, none, or a path without commas",
            )  # fmt: skip
        object.__setattr__(self, "model", model)
        for f in fields(self):
            if f.name == "method" or f.name in _OPTIONS[self.method]:
                continue
            if getattr(self, f.name) != f.default:
                raise ArgumentError(
                    f"is nothing that {self.method} has", field=f.name,
                    value=getattr(self, f.name), fix=_options_of(self.method),
                )  # fmt: skip

    @classmethod
    def parse(cls, text: str | Player) -> Player:
        """The player of a text: a method or a level, and options after a colon.

        Blanks and capitals do not matter.  Raises ArgumentError that names what cannot be read,
        and what to type instead.
        """
        if isinstance(text, Player):
            return text
        typed, _, rest = text.partition(":")
        name = typed.strip().lower().replace("_", "-")
        if name in LEVELS:
            base = LEVELS[name]
        elif name in METHODS:
            base = cls(name)
        else:
            raise _no_name(typed.strip(), (*LEVELS, *METHODS), "is neither a level nor a method")
        changes: dict[str, Any] = {}
        for item in filter(None, map(str.strip, rest.split(","))):
            _read_option(base.method, item, changes)
        try:
            return replace(base, **changes)
        except ArgumentError as error:
            shown = f"{_key(base.method, error.field)}={error.value}"
            raise ArgumentError(error.message, field="player", value=shown, fix=error.fix) from None

    def __str__(self) -> str:
        words = []
        for name in _ORDER:
            value, usual = getattr(self, name), _DEFAULTS[name]
            if value != usual:
                shown = value if isinstance(value, str) else _number_text(value)
                words.append(f"{_key(self.method, name)}={shown}")
        return self.method + (":" + ",".join(words) if words else "")

    def choose(
        self,
        view: View,
        *,
        seed: int = 0,
        limits: Limits | None = None,
        engine: Engine | None = None,
    ) -> Choice:
        """The player's move for what a seat knows; all chance comes from the seed and the view.

        `limits` are nodes and time for this choice, in place of the player's own budget; with none
        left before it could tell, the player takes what brings most at once.  The same if the
        `engine` that it is to think with is stopped, and then `stop` is `requested`.  `memory` is
        of no effect here: a view says itself what is remembered; see `choose_at`.

        Raises ModelError if the model cannot be read, or lacks what the method needs.

        >>> view = View(hand="7D 5C KH 2S", floor="3C 2H 5S")
        >>> Player.parse("greedy").choose(view).move.text
        '5Cx2H3C5S*'
        """
        nodes, time_ns = self.budget
        if limits is not None:
            nodes, time_ns = limits.nodes or 0, limits_ns(limits)
        try:
            return self._choose(view, checked_seed(seed), nodes, time_ns, engine)
        except StoppedError:
            found = Player("greedy")._choose(view, seed, 0, 0, None)
            asked = engine is not None and engine.stopped
            return replace(found, stop="requested" if asked else "nodes" if nodes else "time")

    def choose_at(self, position: Position, *, seed: int = 0) -> Choice:
        """The player's move at a position, as it plays there: from what its seat saw and it kept.

        Searches draw from the seed alone, as in `choose`; what the player forgets lasts for a
        round, and noise, ties and random play have chance of their own at every ply of a match.
        Hidden cards of the position are of no effect.

        Raises GameOverError if the round is over, ModelError as `choose` does.

        >>> position = Position.deal("classic", seed=7)
        >>> Player.parse("club").choose_at(position).move in position.legal_moves()
        True
        """
        if position.is_over:
            raise GameOverError("the round is over", fix="deal the next with next_round()")
        return self._ask(
            position.rules,
            None,
            lambda engine, player, interrupts: _core.choose_at(
                engine, player, position.data, checked_seed(seed), *self.budget, interrupts
            ),
        )

    def _choose(
        self, view: View, seed: int, nodes: int, time_ns: int, given: Engine | None
    ) -> Choice:
        return self._ask(
            view.rules,
            given,
            lambda engine, player, interrupts: _core.choose(
                engine, player, view.data, seed, nodes, time_ns, interrupts
            ),
        )

    def _ask(self, rules: Rules, given: Engine | None, ask: _Question) -> Choice:
        interrupts: list[BaseException] = []
        data = core_player(self, rules)
        engine = given or spare_engine(0)
        try:
            with engine.held() as core:
                move, _, work, stop = ask(core, data, interrupts)
        except _core.CoreError as error:
            if interrupts:
                raise interrupts[0] from None
            raise player_error(error, self) from None
        finally:
            if given is None:
                keep_spare(engine)
        if interrupts:
            raise interrupts[0]
        return Choice(move_of(move), work, STOPS[stop])

    @property
    def budget(self) -> tuple[int, int]:
        """Nodes and nanoseconds for each move, as the core takes them; 0: no limit."""
        return self.nodes, int(self.ms * 1e6)

    @property
    def timed(self) -> bool:
        """Does it play by a clock, and so not the same twice?"""
        return self.ms > 0

    def to_dict(self) -> dict[str, object]:
        """All of it, by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


_DEFAULTS: dict[str, Any] = {f.name: f.default for f in fields(Player)}


# -- reading -------------------------------------------------------------------------------------


def _key(method: str, name: str) -> str:
    """What a field is called in a text."""
    if name != "effort":
        return name
    return "simulations" if method.endswith("ismcts") else "worlds"


def _options_of(method: str) -> str:
    names = [_key(method, name) for name in _ORDER if name in _OPTIONS[method]]
    return f"{method} has {', '.join(names)}" if names else f"{method} has no options"


def _no_name(name: str, names: Mapping[str, object] | tuple[str, ...], wrong: str) -> ArgumentError:
    near = difflib.get_close_matches(name.lower(), list(names), n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    return ArgumentError(wrong, field="player", value=name, fix=f"{meant}use {', '.join(names)}")


def _read_option(method: str, item: str, changes: dict[str, Any]) -> None:
    """One `name=value` of a text, put into the changes."""
    key, equals, value = (word.strip() for word in item.partition("="))
    names = {_key(method, name): name for name in _ORDER if name in _OPTIONS[method]}
    if key.lower() not in names:
        near = difflib.get_close_matches(key.lower(), names, n=1)
        meant = f"did you mean {near[0]}? " if near else ""
        raise ArgumentError(
            f"is no option of {method}", field="player", value=key,
            fix=f"{meant}{_options_of(method)}",
        )  # fmt: skip
    name = names[key.lower()]
    if not equals or not value:
        raise ArgumentError(
            "has no value", field="player", value=key, fix=f"write {key.lower()}=.. and its value"
        )
    if name in changes:
        raise ArgumentError("is there twice", field="player", value=key, fix="leave one out")
    changes[name] = value if name == "model" else _read_number(key.lower(), name, value)


def _read_number(key: str, name: str, text: str) -> int | float:
    number = re.fullmatch(r"(\d{1,18})(\.\d{1,6})?\s*%?", text)
    if number is None or (number[2] and name in _WHOLE):
        low, high, noun = _RANGES[name]
        kind = "a whole number" if name in _WHOLE else "a number"
        raise ArgumentError(
            f"is not {kind}", field="player", value=f"{key}={text}",
            fix=f"use {low} to {high:,} {noun}".rstrip(),
        )  # fmt: skip
    return float(number[1] + number[2]) if number[2] else int(number[1])


def _checked(name: str, value: object) -> int | float:
    """A number in its range, a whole one where it is."""
    low, high, noun = _RANGES[name]
    kinds = (int,) if name in _WHOLE else (int, float)
    good = isinstance(value, kinds) and not isinstance(value, bool)
    if not good or not low <= value <= high:  # type: ignore[operator]
        what = "a whole number" if name in _WHOLE else "a number"
        raise ArgumentError(
            f"is not {what} in range", field=name, value=value,
            fix=f"use {low} to {high:,} {noun}".rstrip(),
        )  # fmt: skip
    assert isinstance(value, (int, float))
    return int(value) if name in _WHOLE else round(float(value), 6)


def _number_text(value: float) -> str:
    """The shortest decimal that reads as the same number."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


# -- levels --------------------------------------------------------------------------------------

LEVELS: Mapping[str, Player] = MappingProxyType(
    {
        "beginner": Player("greedy", noise=15),
        "casual": Player("greedy", noise=5),
        "learner": Player("greedy"),
        "club": Player("endgame", memory=80, model="none"),
        "strong": Player("worlds", effort=10, noise=2, memory=85, model="none"),
        "expert": Player("worlds", effort=20, noise=1, memory=95, model="none"),
        "full": Player("best"),
    }
)
"""Players of known strength, each of which loses to the next; docs/strength-arena.md has by how
much."""

LEVEL_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "beginner": N_("takes what is there, and often misjudges it"),
        "casual": N_("takes what is there, and misjudges it less"),
        "learner": N_("always takes what brings most at once"),
        "club": N_("the same, and plays the last deal well, as far as it remembers the cards"),
        "strong": N_(
            "thinks of some hands that others may hold, forgets cards, misjudges a little"
        ),
        "expert": N_("thinks of more hands, forgets and misjudges hardly anything"),
        "full": N_("all that the engine has"),
    }
)
"""What each level is like."""


# -- the core's players --------------------------------------------------------------------------


def core_player(player: Player, rules: Rules) -> _core.PlayerData:
    """The core's player for some rules, its model read."""
    model = model_of(player, rules)
    effort = player.effort
    if not effort and (player.nodes or player.ms):
        tree = player.method.endswith("ismcts")
        effort = _BUDGET_SIMULATIONS if tree else _BUDGET_WORLDS
    return _core.PlayerData(
        None if model is None else model._data,
        list(METHODS).index(player.method),
        effort,
        player.trust,
        round(player.explore * _core.UNIT),
        round(player.noise * _core.UNIT),
        player.memory,
    )


def model_of(player: Player, rules: Rules) -> Model | None:
    """The model that a player has under some rules; None if it has none."""
    if player.model == "none" or "model" not in _OPTIONS[player.method]:
        return None
    if player.model == "default":
        return default_model(rules)
    try:
        made = os.stat(player.model)
    except (OSError, ValueError):
        return Model.read(player.model, rules)  # which says why not
    return _read_model(player.model, rules, made.st_mtime_ns, made.st_size)


@lru_cache(maxsize=8)
def _read_model(path: str, rules: Rules, _time: int, _size: int) -> Model:
    return Model.read(path, rules)


def player_error(error: _core.CoreError, player: Player) -> BasraError:
    """The exception for a player that the core could not let choose."""
    found = core_error(error, "player", str(player))
    if isinstance(found, ModelError):
        found.fix = (
            "its model lacks what the method needs, or there is none for these rules: name one "
            "with model=FILE, or choose another method"
        )
    return found
