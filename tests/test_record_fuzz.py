"""Records out of anything at all: a record or an error, and soon."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from basra import BasraError, Position, Rules
from basra.record import (
    Record,
    RecordError,
    parse_record,
    record_dict,
    record_json,
    record_text,
)
from record_helpers import SMALL, Forgetting, played_round, small


def _read(text: str) -> Record | None:
    """The record of a text, if it is one; then it can be written and read again."""
    try:
        record = parse_record(text)
    except BasraError:
        return None
    assert parse_record(record_text(record)) == record
    assert parse_record(record_json(record)) == record
    return record


def _mutated(text: str, rng: random.Random) -> str:
    """The text with a few things done to it."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        lines = text.split("\n")
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        kind = rng.randrange(8)
        if kind == 0 and text:
            place = rng.randrange(len(text))
            flipped = chr(ord(text[place]) ^ 1 << rng.randrange(8))
            text = text[:place] + flipped + text[place + 1 :]
        elif kind == 1:
            text = "\n".join([*lines[:at], *lines[at + 1 :]])
        elif kind == 2:
            text = "\n".join([*lines[:at], lines[at], *lines[at:]])
        elif kind == 3:
            lines[at], lines[other] = lines[other], lines[at]
            text = "\n".join(lines)
        elif kind == 4:
            words = lines[at].split(" ")
            rng.shuffle(words)
            text = "\n".join([*lines[:at], " ".join(words), *lines[at + 1 :]])
        elif kind == 5:
            text = text[: rng.randrange(len(text) + 1)]
        elif kind == 6:
            junk = rng.choice(JUNK)
            place = rng.randrange(len(text) + 1)
            text = text[:place] + junk + text[place:]
        else:
            words = text.split(" ")
            words[rng.randrange(len(words))] = rng.choice(JUNK)
            text = " ".join(words)
    return text


JUNK = [
    "", "0", "-1", "99999999999999999999", "9" * 400, "1e999", "nan", "NaN", "null", "true", "[]",
    "{}", "{", "}", '"', "\\", ";", ":", ",", "x", "*", "±", "10D", "KH", "♥", "\ud800", "\u202e",
    "\x00", "round", "deal", "hand 1", "resigned 1", "rules", "[[[[", '{"a":1}', "٣", "ﬀ",
    "\u212a", "\u017f",
]  # fmt: skip


def _junked(value: Any, rng: random.Random) -> Any:
    """JSON with something else in one place."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        return value | {key: _junked(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return [*value[:at], _junked(value[at], rng), *value[at + 1 :]]
    return rng.choice(
        [None, True, 0, -1, 3, 10**30, 1.5, math.nan, "", "KH", "x", [], {}, [[]], [value], {"": 1}]
    )


def _seeds() -> list[str]:
    """Small texts of every kind of record."""
    long = Rules.preset("classic").with_changes(target=121)
    position = Position.deal("palestine", seed=3, players=4, partners=True)
    now = played_round(position, random.Random(1), 9, Forgetting(hands="some"))
    more = Record(Rules.preset("palestine"), 4, True, rounds=(now,))
    return [SMALL, record_text(Record(long, resigned=0)), record_text(more)]


def test_mutated_texts() -> None:
    """Nothing but a record or an error of the package comes of a text that was spoilt."""
    rng, seeds, good = random.Random("records"), _seeds(), 0
    for i in range(10_000):
        good += _read(_mutated(seeds[i % len(seeds)], rng)) is not None
    assert 1_000 < good < 9_000


def test_mutated_json() -> None:
    """And of JSON: of its text, and of its values."""
    rng, good = random.Random("json"), 0
    twins = [record_dict(parse_record(text)) for text in _seeds()]
    texts = [json.dumps(twin, ensure_ascii=False, indent=1) for twin in twins]
    for i in range(10_000):
        if i % 2:
            text = json.dumps(_junked(twins[i % len(twins)], rng))
        else:
            text = _mutated(texts[i % len(texts)], rng)
        good += _read(text) is not None
    assert 500 < good < 9_000


@given(st.text())
def test_any_text(text: str) -> None:
    """Alone, and where a record goes on."""
    _read(text)
    _read("basra record 1\n" + text)
    _read(SMALL + text)
    _read("{" + text)


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
        lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
        max_leaves=8,
    ),
    st.sampled_from(["rules", "seats", "tags", "scores", "seed", "rounds", "comment", "players"]),
)
def test_any_json(value: Any, key: str) -> None:
    """Instead of what should be there."""
    _read(json.dumps(record_dict(small()) | {key: value}))


def test_large_texts_are_refused_at_once() -> None:
    """Longer than any match; and those that are read take a time that grows with their length."""
    with pytest.raises(RecordError, match=r"5,000,000 characters is too long"):
        parse_record("x" * 5_000_000)
    for text in (
        "basra record 1\nrules classic\n" + "; \n" * 300_000,
        SMALL + "KH" * 300_000,
        SMALL + "hand 1 " + "2" * 900_000,
        "basra record 1\nrules classic\nseat 1 " + '"' + '\\"' * 300_000,
        "basra record 1\n" + "a" * 900_000 + " b",
        "{" + '"a": 1,' * 100_000 + '"b": 2}',
        '{"rounds": ' + "[" * 500_000,
    ):
        _read(text)
