"""The protocol's messages: the schema, what is read and what is not, and the page about them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import basra
from basra import BasraError, View
from basra.serve.fields import FIELDS, MAX_WARNINGS, NEEDED, POSITION_FIELDS, TYPES, VIEW_FIELDS
from basra.serve.protocol import Request, RequestError, answer, failure, read_request
from cli_helpers import JSON, timeless
from serve_helpers import HAND, SCHEMA, Talk, check_answer, is_request, last_deals

VIEW = View(**HAND)
LAST = last_deals(1)[0]


# -- the schema ----------------------------------------------------------------------------------


def test_the_schema_is_one() -> None:
    """By the schema of schemas."""
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("kind", TYPES)
def test_the_schema_has_all_fields(kind: str) -> None:
    """Of each type, and which of them must be there."""
    defined = SCHEMA["$defs"][kind]
    assert set(defined["properties"]) == set(FIELDS[kind])
    needed = {names[0] for names in NEEDED.get(kind, ()) if len(names) == 1}
    assert set(defined["required"]) == {"id", "type", *needed}
    assert ("oneOf" in defined) == any(len(names) > 1 for names in NEEDED.get(kind, ()))


def test_the_schema_has_all_options() -> None:
    """Of objects that describe positions and views."""
    defs = SCHEMA["$defs"]
    assert set(defs["positionOptions"]["properties"]) == set(POSITION_FIELDS)
    assert set(defs["viewOptions"]["properties"]) == set(VIEW_FIELDS)


VALUES = st.sampled_from(
    [
        *(None, True, False, 0, 1, -1, 1.5, 10**30, "", "5S", "2", "full", "worlds"),
        *("x" * 201, "x" * 10_001, [], [1, 2], ["5S"], [1] * 65, {}, HAND),
        *({"hands": "5S / KH", "floor": ""}, {"hands": "5S / KH"}),
        *({"hands": 1, "floor": ""}, {"hand": "5S"}, {"time": 1}, {"time": 0}, {"worlds": 1.5}),
        *({"nodes": None}, {"nodes": 10**30}, {**HAND, "cards": [10**10]}, {**HAND, "deal": True}),
        LAST, VIEW.notation,
    ]
)  # fmt: skip


@given(st.sampled_from(sorted(TYPES)), st.data())
def test_what_is_taken_is_as_the_schema_says(kind: str, data: st.DataObject) -> None:
    """And what the schema refuses is refused."""
    names = st.sampled_from([*sorted(FIELDS[kind]), "colour"])
    asked = {"id": 1, "type": kind, **data.draw(st.dictionaries(names, VALUES, max_size=4))}
    if asked["type"] != kind:
        asked["type"] = kind
    request = read_request(json.dumps(asked).encode())
    if request.error is None:
        assert is_request(asked)
    else:
        check_answer(json.loads(failure(request, request.error)))


# -- lines ---------------------------------------------------------------------------------------


def test_many_unknown_fields() -> None:
    """Some of them are told, in no time."""
    asked = {"id": 1, "type": "ping", **{f"field {i}": i for i in range(20_000)}}
    request = read_request(json.dumps(asked).encode())
    assert request.error is None
    assert len(request.warnings) == MAX_WARNINGS


BAD_LINES: list[bytes] = [
    b"",
    b"   ",
    b"hello",
    b"[1, 2]",
    b"7",
    b"null",
    b'"solve"',
    b"{",
    b'{"id": 1, "type": "ping"} {}',
    b'{"type": "ping"}',
    b'{"id": null, "type": "ping"}',
    b'{"id": true, "type": "ping"}',
    b'{"id": 1.5, "type": "ping"}',
    b'{"id": [1], "type": "ping"}',
    b'{"id": 18446744073709551616, "type": "ping"}',
    b'{"id": "' + b"x" * 201 + b'", "type": "ping"}',
    b'{"id": 1, "type": "ping", "x": NaN}',
    b'{"id": 1, "type": "ping", "x": Infinity}',
    b'{"id": 1, "type": "ping", "x": -Infinity}',
    b'{"id": 1, "type": "ping", "x": 1e999}',
    b'{"id": 1, "type": "ping", "x": ' + b"9" * 10_000 + b"}",
    b'{"id": 1, "type": "ping", "x": ' + b"[" * 100_000 + b"}",
    b'{"id": 1, "type": "ping", "x": ' + b'{"a":' * 100_000 + b"}",
    b'{"id": 1, "type": "p\xffng"}',
    b"\xed\xa0\x80",
    b"\x00",
    b"\xef\xbb\xbf{}",
]


@pytest.mark.parametrize("line", BAD_LINES, ids=lambda line: repr(line[:40]))
def test_lines_that_are_no_requests(line: bytes) -> None:
    """One error without an id, which names the line."""
    request = read_request(line, 12)
    assert request.error is not None
    found = check_answer(json.loads(failure(request, request.error)))
    assert (found["id"], found["line"], found["final"]) == (None, 12, True)
    assert found["error"]["code"] == "request"
    assert found["error"]["message"]
    assert found["error"]["fix"]


@given(st.binary(max_size=60) | st.text(max_size=40).map(str.encode))
def test_any_bytes_are_read(line: bytes) -> None:
    """As a request or as none, and never an exception."""
    request = read_request(line)
    if request.error is not None:
        check_answer(json.loads(failure(request, request.error)))


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from(sorted(TYPES)), st.data())
def test_any_values_are_read(kind: str, data: st.DataObject) -> None:
    """Of any field."""
    names = st.sampled_from(sorted(FIELDS[kind]))
    asked = {"id": 1, "type": kind, **data.draw(st.dictionaries(names, JSONS, max_size=5))}
    request = read_request(json.dumps(asked).encode())
    if request.error is not None:
        check_answer(json.loads(failure(request, request.error)))


def test_ids_are_told_as_they_are() -> None:
    """Text with anything in it, and whole numbers of 64 bits."""
    for id in ("", 'a"b\\c\n', "\ud800", "٣♦😀", 0, -(1 << 63), (1 << 64) - 1):
        request = Request(id, "ping")
        assert json.loads(answer(request, {}))["id"] == id
        assert read_request(json.dumps({"id": id, "type": "ping"}).encode()).id == id


# -- the page ------------------------------------------------------------------------------------

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "protocol.md").read_text(encoding="utf-8")


def conversations() -> list[list[JSON]]:
    """What docs/protocol.md shows: a request and its answers in each block."""
    found = []
    for text in re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        decoder, at, objects = json.JSONDecoder(), 0, []
        while at < len(text.rstrip()):
            value, end = decoder.raw_decode(text[at:].lstrip())
            at += len(text[at:]) - len(text[at:].lstrip()) + end
            objects.append(value)
        found.append(objects)
    return found


@pytest.mark.parametrize("shown", conversations(), ids=lambda shown: shown[0]["type"])
def test_examples_of_the_page(shown: list[JSON]) -> None:
    """They are answered as shown, but for seconds."""
    request, *answers = shown
    with Talk() as talk:
        talk.send(request)
        talk.final(request["id"])
        assert [without_seconds(a) for a in talk.end()] == [
            without_seconds(a) for a in answers if a["type"] != "ping"
        ]


def without_seconds(answer: JSON) -> JSON:
    """What is the same every time."""
    return {**answer, "result": timeless(answer.get("result", {}))}


def test_examples_of_all_types() -> None:
    """No type of request is left out."""
    assert {shown[0]["type"] for shown in conversations()} == set(TYPES)


def test_codes_of_the_page() -> None:
    """A row for each code that an error can have."""
    kinds: list[type[BasraError]] = [
        *basra.errors.STATUS_ERRORS.values(),
        basra.NotationError,
        RequestError,
    ]
    kinds.remove(basra.EngineBusyError)
    kinds.remove(basra.BoundsError)
    rows = re.findall(r"^\| `(\w+)` \| ", PAGE.partition("## Errors")[2], re.MULTILINE)
    assert sorted(rows) == sorted(["code", *(kind.code for kind in kinds)])
