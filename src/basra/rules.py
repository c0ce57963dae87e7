"""Rule sets: the presets of the core, and rule files laid over them."""

from __future__ import annotations

import difflib
import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, cast

from basra import _core
from basra.cards import RANKS, Cards, parse_cards
from basra.errors import CardError, RulesError, core_error, fault_field
from basra.files import read_plain

Points = tuple[tuple[str, int], ...]
"""A table of points: pairs of a rank or card and its points, canonical order."""

TABLES = ("2", "3", "4", "partners")
_CHOICES: dict[str, tuple[str, ...]] = {
    "bury": ("random", "bottom"),
    "choice": ("any", "maximal"),
    "must_capture": ("none", "card", "hand"),
    "seven_diamonds": ("plain", "sweep", "wild"),
    "seven_basra": ("none", "total_ten", "equal_groups", "as_any_card"),
    "most_cards_tie": ("nobody", "carry"),
}
_BYTES = ("deck", "hand_size", "floor_size")
_NUMBERS = (*_BYTES, "jack_basra", "most_cards", "target")
_FLAT, _DOUBLE, _TABLE = 0, 1, 2
_FILE_LIMIT = 100_000  # bytes of a rule file


def _file_text(path: Path) -> str:
    """Raises OSError, and ValueError for what is no plain file, too long, or no text."""
    try:
        return read_plain(path, _FILE_LIMIT).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8 text") from None


def preset_names() -> list[str]:
    """Names of the presets.

    >>> preset_names()
    ['classic', 'egyptian', 'palestine', 'palestine-52', 'egyptian-v2']
    """
    return _core.preset_names()


@dataclass(frozen=True)
class Rules:
    """Every parameter of a rule set; checked by the core when it is made.

    Make one with `Rules.preset`, `Rules.load` or `with_changes`.  Two rule sets are equal when all
    parameters are; the name does not count.

    >>> Rules.preset("classic").with_changes(target=121).target
    121
    """

    deck: int
    tables: tuple[str, ...]
    hand_size: int
    floor_size: int
    not_on_first_floor: Cards
    bury: str
    choice: str
    must_capture: str
    seven_diamonds: str
    seven_basra: str
    jack_basra: int
    basra_points: int | str | Points
    basra_on_last: bool
    card_points: Points
    most_cards: int
    most_cards_tie: str
    target: int
    name: str = field(default="custom", compare=False)
    data: _core.RulesData = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        for f in fields(self):
            if f.init and f.name != "name":
                object.__setattr__(self, f.name, _read(f.name, getattr(self, f.name)))
        object.__setattr__(self, "data", _to_core(self))

    def __reduce__(self) -> tuple[object, ...]:
        return (Rules, tuple(getattr(self, f.name) for f in fields(self) if f.init))

    @classmethod
    def preset(cls, name: str) -> Rules:
        """A preset by name; RulesError with the nearest name if there is none."""
        if name not in preset_names():
            raise _unknown_rules(name)
        return _preset(name)

    @classmethod
    def load(cls, rules: str | Path | Rules) -> Rules:
        """A preset by name, or a rule file by path (anything that ends in .toml)."""
        if isinstance(rules, Rules):
            return rules
        if isinstance(rules, str) and rules in preset_names():
            return _preset(rules)
        path = Path(rules)
        if path.suffix != ".toml":
            raise _unknown_rules(str(rules))
        try:
            text = _file_text(path)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise RulesError(
                f"cannot be read: {reason}",
                field="rules",
                value=rules,
                fix="name a preset or a TOML file; `basra rules classic` prints one to start from",
            ) from error
        try:
            return cls.from_toml(text, name=path.stem)
        except RulesError as error:
            error.source = str(path)
            raise

    @classmethod
    def from_toml(cls, text: str, name: str = "custom") -> Rules:
        """A rule file: `base` names a preset, every other key changes one parameter of it."""
        try:
            keys = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            # Not only TOMLDecodeError: numbers and nesting can be too long as well.
            raise RulesError(
                f"is not valid TOML: {str(error)[:200]}",
                field="rules",
                value=name,
                fix='write lines such as hand_size = 6, text values in "quotes"',
            ) from error
        return cls.from_dict(keys, name)

    @classmethod
    def from_dict(cls, parameters: Mapping[str, object], name: str = "custom") -> Rules:
        """What a rule file says, or all parameters as `to_dict` gives them.

        >>> Rules.from_dict({"base": "classic", "target": 121}).target
        121
        """
        keys = dict(parameters)
        if "base" not in keys and keys.keys() >= _parameters(_preset("classic")).keys():
            # Nothing is left for a base to say.
            keys["base"] = "classic"
        base = keys.pop("base", None)
        if not isinstance(base, str) or base not in preset_names():
            raise RulesError(
                "is not a preset",
                field="base",
                value=_shown(base) if base is not None else "",
                fix=f'start the file with base = "classic" (or {", ".join(preset_names()[1:])})',
            )
        title = keys.pop("name", name)
        if not isinstance(title, str) or not title.replace("-", "").replace("_", "").isalnum():
            raise RulesError(
                "is not a name",
                field="name",
                value=_shown(title),
                fix="use letters, digits, - and _",
            )
        return _changed(_preset(base), title, keys)

    def with_changes(self, /, **changes: object) -> Rules:
        """These rules with some parameters changed, values as in a rule file."""
        return _changed(self, "custom", changes)

    def check_table(self, players: int, partners: bool) -> None:
        """RulesError unless the rules allow this table."""
        shown = f"{players} in partnerships" if partners else f"{players}"
        try:
            self.data.check_table(players, partners)
        except _core.CoreError as error:
            found = core_error(error, value=shown)
            found.fix += f" ({self.name}: {', '.join(self.tables)})"
            raise found from None

    def deal_sizes(self, players: int) -> list[int]:
        """Cards dealt to a hand in each deal of a round."""
        try:
            return self.data.deal_sizes(players)
        except _core.CoreError as error:
            raise core_error(error, "players", players) from None

    @property
    def pack(self) -> Cards:
        """The cards in use."""
        return Cards.from_mask(self.data.pack)

    @property
    def hash(self) -> str:
        """Twelve hexadecimal digits that name the parameters."""
        text = json.dumps(_parameters(self), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def to_dict(self) -> dict[str, object]:
        """All parameters, as a rule file has them."""
        return _parameters(self)

    def changes(self) -> tuple[str, dict[str, object]]:
        """The nearest preset, and the parameters that differ from it."""
        mine = _parameters(self)
        best: tuple[str, dict[str, object]] | None = None
        for name in preset_names():
            theirs = _parameters(_preset(name))
            differ = {key: value for key, value in mine.items() if theirs[key] != value}
            if best is None or len(differ) < len(best[1]):
                best = (name, differ)
        assert best is not None
        return best

    def to_toml(self) -> str:
        """A rule file that gives these rules again."""
        base = self.changes()[0]
        lines = [f'base = "{base}"', f'name = "{self.name}"', ""]
        for key, value in _parameters(self).items():
            lines.append(f"{key} = {_toml_value(value)}{_comment(key)}")
        return "\n".join(lines) + "\n"


def _unknown_rules(name: str) -> RulesError:
    near = difflib.get_close_matches(name, preset_names(), n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    return RulesError(
        "is neither a preset nor a .toml file",
        field="rules",
        value=name,
        fix=f"{meant}presets are {', '.join(preset_names())}",
    )


@cache
def _preset(name: str) -> Rules:
    core = _core.RulesData.preset(preset_names().index(name)).fields()
    values: dict[str, Any] = {key: core[key] for key in _NUMBERS}
    values |= {key: names[core[key]] for key, names in _CHOICES.items()}
    values["tables"] = tuple(table for i, table in enumerate(TABLES) if core["tables"] >> i & 1)
    values["not_on_first_floor"] = Cards.from_mask(core["not_on_first_floor"])
    values["basra_on_last"] = bool(core["basra_on_last"])
    values["card_points"] = _table_of(core["card_points"], core["deck"])
    if core["basra_kind"] == _FLAT:
        values["basra_points"] = core["basra_points"]
    elif core["basra_kind"] == _DOUBLE:
        values["basra_points"] = "double"
    else:
        pairs = zip(RANKS, core["basra_table"], strict=True)
        values["basra_points"] = tuple((rank, points) for rank, points in pairs if points)
    return Rules(**values, name=name)


def _table_of(points: list[int], deck: int) -> Points:
    """Points by card as a short table: whole ranks, then single cards that differ."""
    table: list[tuple[str, int]] = []
    suits = "CDHS"
    for rank, letter in enumerate(RANKS[: deck // 4]):
        four = points[4 * rank : 4 * rank + 4]
        common = max(set(four), key=lambda p: (four.count(p), p == 0, -abs(p), -p))
        if common:
            table.append((letter, common))
        table += [(letter + suits[i], p) for i, p in enumerate(four) if p != common]
    return tuple(table)


def _shown(value: object) -> str:
    try:
        return json.dumps(value, default=str)[:60]
    except (ValueError, RecursionError):
        # Whole numbers have more digits than Python prints, or lists lie in lists without end.
        return "so large a value"


def _wrong(key: str, value: object, message: str, fix: str) -> RulesError:
    return RulesError(message, field=key, value=_shown(value), fix=fix)


def _changed(base: Rules, name: str, changes: Mapping[str, object]) -> Rules:
    values: dict[str, Any] = {f.name: getattr(base, f.name) for f in fields(base) if f.init}
    values["name"] = name
    for key, value in changes.items():
        if key not in values or key == "name":
            near = difflib.get_close_matches(key, values, n=1)
            fix = f"did you mean {near[0]}?" if near else "`basra rules classic` lists all of them"
            raise _wrong(key, value, "is not a rule parameter", fix)
        values[key] = _read(key, value)
    # A plain 7D has no basra rule; the one of the base goes unless the file insists on it.
    if changes.get("seven_diamonds") == "plain" and "seven_basra" not in changes:
        values["seven_basra"] = "none"
    return Rules(**values)


def _read(key: str, value: object) -> object:
    """A parameter from a rule file, typed; ranges are the core's to check."""
    if key in _CHOICES:
        if value not in _CHOICES[key]:
            raise _wrong(key, value, "is not known", f"use one of {', '.join(_CHOICES[key])}")
        return value
    if key in _NUMBERS:
        if not isinstance(value, int) or isinstance(value, bool):
            raise _wrong(key, value, "is not a whole number", f"write {key} = 4, say")
        return value
    if key == "basra_on_last":
        if not isinstance(value, bool):
            raise _wrong(key, value, "is not true or false", "write true or false")
        return value
    if key == "tables":
        return _read_tables(value)
    if key == "not_on_first_floor":
        return _read_first_floor(value)
    if key == "basra_points":
        return _read_basra_points(value)
    return _read_points(key, value, cards=True)


def _read_tables(value: object) -> tuple[str, ...]:
    fix = f'list some of {", ".join(TABLES)}, such as ["2", "partners"]'
    if not isinstance(value, (list, tuple)):
        raise _wrong("tables", value, "is not a list", fix)
    listed = [str(table) if isinstance(table, int) else table for table in value]
    for table in listed:
        if table not in TABLES:
            raise _wrong("tables", table, "is not a table", fix)
    return tuple(table for table in TABLES if table in listed)


def _read_first_floor(value: object) -> Cards:
    fix = 'list ranks and cards, such as ["J", "7D"]'
    words = value.split() if isinstance(value, str) else value
    if isinstance(words, Cards):
        return words
    if not isinstance(words, (list, tuple)) or not all(isinstance(w, str) for w in words):
        raise _wrong("not_on_first_floor", value, "is not a list of cards", fix)
    found = Cards()
    for word in words:
        found = found | Cards.from_mask(_cards_of("not_on_first_floor", word, fix))
    return found


def _cards_of(key: str, word: str, fix: str) -> int:
    """The cards that a rank letter or a card names, as a mask."""
    letter = "T" if word == "10" else word.upper()
    if letter in list(RANKS):
        return 15 << 4 * RANKS.index(letter)
    try:
        return Cards(parse_cards(word, key)).mask
    except CardError:
        raise _wrong(key, word, "is neither a rank nor a card", fix) from None


def _read_basra_points(value: object) -> int | str | Points:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if value == "double":
        return "double"
    if not isinstance(value, (Mapping, tuple)):
        fix = 'use a whole number, "double", or a table such as { A = 2, 7 = 14 }'
        raise _wrong("basra_points", value, "is not known", fix)
    return _read_points("basra_points", value, cards=False)


def _read_points(key: str, value: object, *, cards: bool) -> Points:
    fix = "write a table such as { A = 1, J = 1, 2C = 2 }" if cards else "write { A = 2, 7 = 14 }"
    if cards and value in ("none", 0):
        return ()
    pairs = list(value) if isinstance(value, tuple) else None
    if isinstance(value, Mapping):
        pairs = list(value.items())
    if pairs is None:
        raise _wrong(key, value, "is not a table of points", fix)
    points: dict[int, int] = {}
    single: dict[int, int] = {}
    for word, number in pairs:
        if not isinstance(number, int) or isinstance(number, bool):
            raise _wrong(key, {word: number}, "is not a whole number of points", fix)
        mask = _cards_of(key, str(word), fix)
        if mask.bit_count() == 1 and not cards:
            raise _wrong(key, word, "is a card, not a rank", fix)
        target = points if mask.bit_count() == 4 else single
        target |= {card.index: number for card in Cards.from_mask(mask)}
    points |= single
    if not cards:
        return tuple((RANKS[i // 4], p) for i, p in sorted(points.items()) if i % 4 == 0)
    return _table_of([points.get(i, 0) for i in range(52)], 52)


def _clamped(value: int, low: int, high: int) -> int:
    """A number that fits the core's field; what is out of range there is out of range here."""
    return max(low, min(high, value))


def _to_core(rules: Rules) -> _core.RulesData:
    wide = (-(2**31), 2**31 - 1)
    values: dict[str, Any] = {}
    for key in _NUMBERS:
        values[key] = _clamped(getattr(rules, key), *((0, 255) if key in _BYTES else wide))
    if any(getattr(rules, key) < 0 for key in _BYTES):
        key = next(key for key in _BYTES if getattr(rules, key) < 0)
        raise _wrong(key, getattr(rules, key), "is negative", "use 4, say")
    values |= {key: names.index(getattr(rules, key)) for key, names in _CHOICES.items()}
    values["tables"] = sum(1 << i for i, table in enumerate(TABLES) if table in rules.tables)
    values["not_on_first_floor"] = rules.not_on_first_floor.mask
    values["basra_on_last"] = int(rules.basra_on_last)
    values["card_points"] = _clamped_list(_spread(rules.card_points))
    values["basra_table"] = [0] * 13
    values["basra_points"] = 0
    if rules.basra_points == "double":
        values["basra_kind"] = _DOUBLE
    elif isinstance(rules.basra_points, int):
        values["basra_kind"] = _FLAT
        values["basra_points"] = _clamped(rules.basra_points, *wide)
    else:
        values["basra_kind"] = _TABLE
        table = dict(cast("Points", rules.basra_points))
        values["basra_table"] = _clamped_list([table.get(rank, 0) for rank in RANKS])
    try:
        return _core.RulesData(values)
    except _core.CoreError as error:
        key = fault_field(error)
        raise core_error(error, value=_shown(_parameters(rules).get(key, ""))) from None


def _clamped_list(values: list[int]) -> list[int]:
    return [_clamped(value, -(2**31), 2**31 - 1) for value in values]


def _spread(points: Points) -> list[int]:
    by_card = [0] * 52
    for word, number in sorted(points, key=lambda pair: len(pair[0])):
        for card in Cards.from_mask(_cards_of("card_points", word, "")):
            by_card[card.index] = number
    return by_card


def _parameters(rules: Rules) -> dict[str, object]:
    """All parameters as plain TOML and JSON values."""
    values: dict[str, object] = {}
    for f in fields(rules):
        if f.name in ("name", "data"):
            continue
        value = getattr(rules, f.name)
        if f.name == "not_on_first_floor":
            value = _ranks_and_cards(value)
        elif f.name == "tables":
            value = list(value)
        elif isinstance(value, tuple):
            value = dict(value)
        values[f.name] = value
    return values


def _ranks_and_cards(cards: Cards) -> list[str]:
    words: list[str] = []
    for rank, letter in enumerate(RANKS):
        four = cards.mask >> 4 * rank & 15
        if four == 15:
            words.append(letter)
        else:
            words += Cards.from_mask(four << 4 * rank).texts
    return words


def _toml_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {v}" for k, v in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(f'"{v}"' for v in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _comment(key: str) -> str:
    notes = {
        "deck": "52, or 44 without queens and kings",
        "tables": ", ".join(TABLES),
        "not_on_first_floor": "ranks and cards",
        "basra_points": 'a number, "double", or { rank = points }',
        "card_points": "{ rank or card = points }",
        "jack_basra": "a jack on a lone jack; 0 = none",
        "most_cards": "for strictly most cards",
    }
    note = notes.get(key) or (", ".join(_CHOICES[key]) if key in _CHOICES else "")
    return f"  # {note}" if note else ""
