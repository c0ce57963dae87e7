"""Notation: one line for each position and view, and back."""

from __future__ import annotations

import pickle
import random
import re
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from basra import (
    BasraError,
    CardError,
    Cards,
    IllegalMoveError,
    NotationError,
    Position,
    Rules,
    RulesError,
    View,
)
from basra.notation import _as_written, _parse_position
from helpers import TABLES, RuleChange, Table, positions_of, rule_changes

SAFE = re.compile(r"[A-Za-z0-9/=:,+._-]+")
"""No shell needs quotes for these."""


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Somewhere in a match, at any table, under any rules that the table's preset takes."""
    table = draw(st.sampled_from(TABLES))
    change = draw(rule_changes([table.preset]))
    inline = dict(change.inline)
    inline["bury"] = draw(st.sampled_from(["random", "bottom"]))
    if draw(st.booleans()):
        inline["hand_size"] = draw(st.sampled_from([1, 2, 3, 5, 6]))
    rules = RuleChange(table.preset, tuple(sorted(inline.items()))).pair.ours
    rng = random.Random(draw(st.integers(0, 1 << 30)))
    position = Position.deal(
        rules,
        rng.getrandbits(64),
        players=table.players,
        partners=table.partners,
        leader=rng.randrange(table.players),
    )
    for _ in range(draw(st.integers(0, 120))):
        if position.is_over:
            position.next_round()
        position.play(rng.choice(position.legal_moves()))
    return position


def check_position(position: Position) -> None:
    """Text and back: equal, the same text, safe in a shell; and pickled."""
    text = position.notation
    assert SAFE.fullmatch(text)
    again = Position.from_notation(text)
    assert again == position
    assert again.notation == text
    assert again.is_over == position.is_over
    assert again.legal_moves() == position.legal_moves()
    assert (again.scores, again.leader, again.turn) == (
        position.scores,
        position.leader,
        position.turn,
    )
    loaded = pickle.loads(pickle.dumps(position))
    assert loaded == position
    assert loaded.notation == text
    assert loaded.history == position.history


def check_view(view: View) -> None:
    """The same for what a seat knows."""
    text = view.notation
    assert SAFE.fullmatch(text)
    again = View.from_notation(text)
    assert again == view
    assert hash(again) == hash(view)
    assert again.notation == text
    told, was = again.data.fields(), view.data.fields()
    sides = 2 if view.partners else view.players
    if was["last"] >= 0:
        # Partners share one status, so the text names the side.
        assert told.pop("last") % sides == was.pop("last") % sides
    assert told == was | {"seen_given": True}
    loaded = pickle.loads(pickle.dumps(view))
    assert loaded == view
    assert loaded.assumed == view.assumed
    assert loaded.data.fields() == view.data.fields()


@settings(max_examples=120)
@given(positions())
def test_round_trips(position: Position) -> None:
    """Whole matches at all tables, with house rules."""
    check_position(position)
    if not position.is_over:
        check_view(position.view())
        # The next round goes on from the text as from the position itself.
        return
    again = Position.from_notation(position.notation)
    assert again.next_round() == position.copy().next_round()


@settings(max_examples=150)
@given(positions(), st.data())
def test_round_trips_of_views_that_were_typed(position: Position, data: st.DataObject) -> None:
    """With cards forgotten, and things left unsaid."""
    if position.is_over or position.rules.bury == "bottom":
        return
    full = position.view()
    kept = data.draw(st.sets(st.sampled_from(list(full.seen)))) if full.seen else set()
    options: dict[str, Any] = {
        "seen": data.draw(st.sampled_from([None, Cards(kept)])),
        "cards": data.draw(st.sampled_from([None, full.cards])),
        "last": data.draw(st.sampled_from([None, full.last or "none"])),
        "points": data.draw(st.sampled_from([None, full.points])),
        "match": data.draw(st.sampled_from([None, full.match])),
        "buried": data.draw(st.sampled_from([None, full.buried])),
    }
    view = View(
        full.hand,
        full.floor,
        rules=full.rules,
        deal=full.deal,
        seat=full.seat,
        players=full.players,
        partners=full.partners,
        **options,
    )
    check_view(view)


def test_text_tells_all() -> None:
    """Two positions have the same text exactly if they are equal; so have views."""
    found: list[Position] = []
    for table in TABLES[:4]:
        rules = Rules.preset(table.preset)
        for leader in range(2):
            for position in positions_of(rules, table.players, table.partners, 1, leader):
                found.append(position)
    found += [position.copy() for position in found[:20]]
    equal = 0
    some = found[::5] + found[-20:]
    texts = [position.notation for position in some]
    for i, j in combinations(range(len(some)), 2):
        assert (some[i] == some[j]) == (texts[i] == texts[j])
        equal += texts[i] == texts[j]
    assert equal > 0
    views = [position.view() for position in some if not position.is_over]
    lines = [view.notation for view in views]
    for i, j in combinations(range(0, len(views), 2), 2):
        assert (views[i] == views[j]) == (lines[i] == lines[j])
        if lines[i] == lines[j]:
            assert hash(views[i]) == hash(views[j])


def test_any_field_makes_a_difference() -> None:
    """Each part of a position's text is part of its value."""
    base = POSITION
    position = Position.from_notation(base)
    other = {
        "rules": "classic+target=151",
        "cards": "6:10:4",
        "points": "3:13:0",
        "last": "1",
        "carry": "60",
        "match": "70:3:56",
        "round": "3",
        "seed": "8",
        "buried": "JS7D",
        "played": "9H",
        "stock": "AD9D9S",
    }
    for key, value in other.items():
        changed = re.sub(rf"/{key}=[^/]*", f"/{key}={value}", base)
        assert changed != base
        found = Position.from_notation(changed)
        assert found != position
        assert found.notation != position.notation


# -- written by hand -----------------------------------------------------------------------------

POSITION = (
    "basra/1/rules=classic+hand_size=3/table=3/knows=all/turn=2/hands=5STS:9HKC:8CQD"
    "/floor=2C3D/stock=AD9S9D/piles=-:-:-/cards=6:12:4/points=3:13:1/last=3/carry=30"
    "/match=70:56:3/round=2/seed=7/buried=7DJS/played=-"
)


def test_a_position_read_by_hand() -> None:
    """Three seats, all different: everything is where it was written, seat by seat."""
    position = Position.from_notation(POSITION)
    assert position.players == 3
    assert position.turn == position.leader == 1
    assert position.hands == (Cards("5S TS"), Cards("9H KC"), Cards("8C QD"))
    assert position.floor == Cards("2C 3D")
    assert [str(card) for card in position.stock] == ["AD", "9S", "9D"]
    assert position.cards == (6, 12, 4)
    assert position.points == (3, 13, 1)
    assert position.last == 2
    assert position.carry == 30
    assert position.scores_before == (70, 56, 3)
    assert position.scores == (73, 69, 4)
    assert (position.round_number, position.seed) == (2, 7)
    assert [str(card) for card in position.buried] == ["7D", "JS"]
    assert position.notation == POSITION
    # The leader of the round is seat 2, who is dealt AD, then seat 3, then seat 1.
    for text in ("9H", "8C", "TSx8C2C", "KC", "QD", "5S"):
        position.play(text)
    assert position.hands == (Cards("9D"), Cards("AD"), Cards("9S"))
    assert position.turn == 1


def test_seats_exchanged_are_another_position() -> None:
    """Hands, counts and points belong to seats."""
    position = Position.from_notation(POSITION)
    for old, new in (
        ("hands=5STS:9HKC:8CQD", "hands=9HKC:5STS:8CQD"),
        ("cards=6:12:4", "cards=12:6:4"),
        ("points=3:13:1", "points=13:3:1"),
        ("match=70:56:3", "match=56:70:3"),
        ("turn=2", "turn=1"),
    ):
        assert old in POSITION
        other = Position.from_notation(POSITION.replace(old, new))
        assert other != position
        assert other.notation == POSITION.replace(old, new)


def test_a_played_position_read_by_hand() -> None:
    """The deal's plays are made from its start, one by one."""
    text = (
        "basra/1/rules=egyptian/table=2/knows=all/turn=2/hands=2S8HJD:AC5C7D/floor=4SKH"
        "/stock=-/piles=-:-/cards=0:0/points=0:0/last=-/carry=0/match=0:0/round=1/seed=0"
        "/buried=-/played=5C,2S,7Dx2S4S5CKH"
    )
    position = Position.from_notation(text)
    assert position.turn == 0
    assert position.hands == (Cards("8H JD"), Cards("AC"))
    assert position.last == 1
    assert position.piles == (Cards(), Cards("2S 4S 5C 7D KH"))
    assert [move.text for move in position.history] == ["5C", "2S", "7Dx2S4S5CKH"]
    assert position.notation == text


VIEW = (
    "basra/1/rules=classic/table=3/knows=2/deal=2/hand=5SKD/hidden=2:1/stock=24/floor=3D9H"
    "/seen=2C2DTC/untracked=18/buried=JS/cards=13:4:4/points=1:2:3/last=+2/carry=60"
    "/match=30:20:10/played=-"
)


def test_a_view_read_by_hand() -> None:
    """Lists start with my side: I am seat 2, next is seat 3, then seat 1."""
    view = View.from_notation(VIEW)
    assert (view.players, view.seat, view.deal) == (3, 2, 2)
    assert view.hand == Cards("5S KD")
    assert view.hidden == (2, 1)
    assert (view.gone, view.untracked, view.stock) == (21, 18, 24)
    assert view.cards == (13, 4, 4)
    assert view.points == (1, 2, 3)
    assert view.match == (30, 20, 10)
    assert view.last == "+2"
    assert view.carry == 60
    assert view.notation == VIEW
    fields = view.data.fields()
    assert fields["points"] == [3, 1, 2]
    assert fields["score"] == [10, 30, 20]
    assert fields["last"] == 0
    other = View.from_notation(VIEW.replace("points=1:2:3", "points=3:1:2"))
    assert other != view
    assert View.from_notation(VIEW.replace("last=+2", "last=me")).data.fields()["last"] == 1


def test_rules_in_notation() -> None:
    """A preset and what differs from it."""
    for text in (
        "classic+target=121",
        "classic+card_points=A.1+target=121",
        "classic+basra_points=A.3,7.21",
        "classic+card_points=none",
        "classic+tables=2",
        "classic+not_on_first_floor=none",
        "classic+basra_on_last=false",
        "egyptian+card_points=2.-3,5S.4",
        "palestine+choice=maximal+must_capture=hand",
    ):
        whole = f"basra/1/rules={text}/table=2/knows=1/hand=5S/floor=3C"
        assert f"/rules={text}/" in View.from_notation(whole).notation


def test_an_empty_table_of_basra_points() -> None:
    """No rank has points for a basra: a rule set like any other."""
    rules = Rules.preset("classic").with_changes(basra_points={})
    check_position(Position.deal(rules, 1))


# -- lenient -------------------------------------------------------------------------------------


def test_fields_in_any_order() -> None:
    """The head stands first; the rest as one likes."""
    rng = random.Random(3)
    for text, read in ((POSITION, Position.from_notation), (VIEW, View.from_notation)):
        head, fields = text.split("/")[:2], text.split("/")[2:]
        for _ in range(20):
            rng.shuffle(fields)
            assert read("/".join(head + fields)) == read(text)


def test_case_and_spelling() -> None:
    """Cards in lower case, with 10 and blanks around; keys in capitals."""
    text = VIEW.replace("5SKD", "5s,kd").replace("TC", "10c").replace("floor=", "FLOOR=")
    assert View.from_notation(f"  {text}\n") == View.from_notation(VIEW)
    assert View.from_notation(VIEW.replace("basra/1", "BASRA/1")) == View.from_notation(VIEW)
    assert View.from_notation(VIEW.replace("last=+2", "LAST=+2")) == View.from_notation(VIEW)
    signs = Position.from_notation(POSITION.replace("KC", "K♣"))
    assert signs == Position.from_notation(POSITION)


def test_fields_left_out() -> None:
    """They take the defaults of a view, or nothing."""
    short = View.from_notation("basra/1/rules=classic/table=2/knows=1/hand=7D5CKH2S/floor=3C2H5S")
    assert short == View("7D 5C KH 2S", "3C 2H 5S")
    assert short.assumed["seen"] == View("7D 5C KH 2S", "3C 2H 5S").assumed["seen"]
    position = Position.from_notation("basra/1/rules=classic/table=2/knows=all/hands=5S:KH")
    assert position == Position.setup("5S/KH")


# -- refused -------------------------------------------------------------------------------------

HEAD = "basra/1/rules=classic/table=2/knows="
BAD: list[tuple[str, str, type[BasraError], str, str]] = [
    # which, text, error, field, value
    ("view", "", NotationError, "position", ""),
    ("view", "chess/1/rules=classic", NotationError, "position", "chess/1/rules=classic"),
    ("view", "basra/2/rules=classic/table=2/knows=1", NotationError, "position", "basra/2"),
    ("view", HEAD + "1/hand=5S/colour=red", NotationError, "position", "colour=red"),
    ("view", HEAD + "1/hand=5S/hand=5S", NotationError, "position", "hand"),
    ("view", HEAD + "1/hand", NotationError, "position", "hand"),
    ("view", "basra/1/table=2/knows=1/hand=5S", NotationError, "position", "rules="),
    ("view", "basra/1/rules=classic/knows=1", NotationError, "position", "table="),
    ("view", "basra/1/rules=classic/table=2", NotationError, "position", "knows="),
    ("view", HEAD + "all/hand=5S", NotationError, "position", "knows=all"),
    ("position", HEAD + "1/hands=5S:KH", NotationError, "position", "knows=1"),
    ("position", HEAD + "all/hand=5S", NotationError, "position", "hand=5S"),
    ("view", "basra/1/rules=klassik/table=2/knows=1", NotationError, "rules", "klassik"),
    ("view", "basra/1/rules=classic+x/table=2/knows=1", NotationError, "rules", "x"),
    ("view", "basra/1/rules=classic+deck=40/table=2/knows=1", RulesError, "deck", "40"),
    ("view", "basra/1/rules=classic+dek=44/table=2/knows=1", RulesError, "dek", "44"),
    ("view", "basra/1/rules=classic/table=5/knows=1", NotationError, "table", "5"),
    ("view", "basra/1/rules=classic/table=2p/knows=1/hand=5S", RulesError, "players", "2"),
    ("view", "basra/1/rules=classic/table=4/knows=1/hand=5S", RulesError, "players", "4"),
    ("view", HEAD + "x/hand=5S", NotationError, "knows", "x"),
    ("view", HEAD + "1/hand=5S/deal=x", NotationError, "deal", "x"),
    ("view", HEAD + "1/hand=5S/carry=1.5", NotationError, "carry", "1.5"),
    ("view", HEAD + "1/hand=5S/cards=1:x", NotationError, "cards", "x"),
    ("view", HEAD + "1/hand=1S/floor=3C", CardError, "hand", "1S"),
    ("view", HEAD + "1/hand=5S5S", CardError, "hand", "5S"),
    ("view", HEAD + "1/hand=5S/floor=5S", CardError, "floor", "5S"),
    ("view", HEAD + "1/hand=5S/floor=3C/hidden=3", NotationError, "hidden", "3"),
    ("view", HEAD + "1/hand=5S/floor=3C/stock=3", NotationError, "stock", "3"),
    ("view", HEAD + "1/hand=5S/floor=3C/untracked=3", NotationError, "untracked", "3"),
    ("view", HEAD + "1/hand=5S/floor=3C/played=5Sx", NotationError, "played", "5Sx"),
    ("position", HEAD + "all/hands=5S", NotationError, "hands", "5S"),
    ("position", HEAD + "all/hands=5S:KH:2C", NotationError, "hands", "5S:KH:2C"),
    ("position", HEAD + "all/hands=5S:KH/piles=-", NotationError, "piles", "-"),
    ("position", HEAD + "all/hands=5S:KH/cards=2", NotationError, "cards", "2"),
    ("position", HEAD + "all/hands=5S:KH/turn=3", NotationError, "turn", "3"),
    ("position", HEAD + "all/hands=5S:KH/last=0", NotationError, "last", "0"),
    ("position", HEAD + "all/hands=5S:KH/round=0", NotationError, "round", "0"),
    ("position", HEAD + "all/hands=5S:KH/floor=KH", CardError, "hands, number 2", "KH"),
    ("position", HEAD + "all/hands=5S:KH/played=5SxKH", IllegalMoveError, "played", "5SxKH"),
]


@pytest.mark.parametrize("case", BAD, ids=[f"{case[3]}-{case[4]}" for case in BAD])
def test_refused(case: tuple[str, str, type[BasraError], str, str]) -> None:
    """What is wrong is named by its field, with the value and a remedy."""
    which, text, kind, field, value = case
    read = View.from_notation if which == "view" else Position.from_notation
    with pytest.raises(kind) as caught:
        read(text)
    assert caught.value.field == field
    assert caught.value.value.startswith(value)
    assert caught.value.message
    assert caught.value.fix


IN_HAND = "basra/1/rules=classic+hand_size=1/table=2/knows=all/hands=JS:KH/floor=2C3C4C5C"


@pytest.mark.parametrize("buried", ["JDJD", "9C", "JS"])
def test_impossible_buried_cards(buried: str) -> None:
    """Twice, of a kind that is never buried, or in a hand of the first deal: not a position."""
    used = Cards("JS KH 2C 3C 4C 5C")
    stock = "".join(str(card) for card in Cards.from_mask((1 << 52) - 1) - used)
    assert Position.from_notation(f"{IN_HAND}/stock={stock}/buried=JD").deal_number == 1
    with pytest.raises(BasraError) as caught:
        Position.from_notation(f"{IN_HAND}/stock={stock}/buried={buried}")
    assert caught.value.field == "buried"


def test_not_a_text() -> None:
    """Nor one that is far too long."""
    for wrong in (None, 5, b"basra/1", "basra/1/" + "x" * 20_000):
        for read in (View.from_notation, Position.from_notation):
            with pytest.raises(NotationError):
                read(wrong)  # type: ignore[arg-type]


SPICE = "0123456789ACDHJKQSTacdhsx-:=/,+.*_ \t\n%$\"'\\éß²٣♦\x00\ud800😀"


def mutated(text: str, rng: random.Random) -> str:
    """Some characters, or whole fields, exchanged, dropped or doubled."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:at] + rng.choice(SPICE) + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + text[at + rng.randint(1, 6) :]
        elif kind == 2:
            text = text[:at] + rng.choice(SPICE) * rng.choice([1, 2, 60]) + text[at:]
        elif kind == 3:
            parts = text.split("/")
            i, j = rng.randrange(len(parts)), rng.randrange(len(parts))
            parts[i], parts[j] = parts[j], parts[i]
            text = "/".join(parts)
        elif kind == 4:
            parts = text.split("/")
            key, _, value = rng.choice(parts).partition("=")
            number = rng.choice(["-1", "0", "255", "256", "4294967296", str(1 << 63), "9" * 30])
            swapped = f"{key}={number}"
            text = text.replace(f"{key}={value}", swapped, 1)
        else:
            text = text.swapcase() if rng.random() < 0.2 else text[:at]
        if not text:
            return text
    return text


def use(read: Any, text: str) -> bool:
    """Reads a text and, if it is one, looks at what it says; only the package's errors pass."""
    try:
        found = read(text)
        assert SAFE.fullmatch(found.notation)
        found.legal_moves()
        if isinstance(found, Position) and not found.is_over:
            found.view()
    except BasraError:
        return False
    return True


def either_way(text: str) -> None:
    """What is read at once is what is read field by field, and the same texts are refused."""
    found = _as_written(text)
    try:
        slowly = _parse_position(text)
    except BasraError:
        assert found is None
        return
    if found is not None:
        assert found == slowly
        assert found.history == slowly.history


@settings(max_examples=50)
@given(positions())
def test_texts_as_they_are_written(position: Position) -> None:
    """They are read at once, and all of them."""
    found = _as_written(position.notation)
    assert found == position
    either_way(position.notation)


def test_mutated_texts_either_way() -> None:
    """What differs a little from what is written."""
    rng = random.Random(2027)
    rules = Rules.preset("classic")
    sources = [p.notation for p in positions_of(rules, 2, False, 2) if len(p.history) % 5 == 2]
    sources += [p.notation for p in positions_of(rules, 4, True, 1) if len(p.history) % 5 == 3]
    for _ in range(3000):
        either_way(mutated(rng.choice(sources), rng))
    for text in sources[:40]:
        for at in range(len(text)):
            either_way(text[:at])


@pytest.mark.parametrize("seed", [0, 10**19 - 1, 10**19, 2**64 - 1])
def test_seeds(seed: int) -> None:
    """All of 64 bits, and no more."""
    text = Position.deal("classic", seed=seed).notation
    found = _as_written(text)
    assert found is not None
    assert found.seed == seed
    assert _as_written(text.replace(f"seed={seed}", f"seed={seed + 2**64}")) is None


@pytest.mark.parametrize("points", [0, -1, 99_999, -100_000])
def test_points(points: int) -> None:
    """With their sign."""
    text = Position.deal("classic", seed=1).notation
    text = text.replace("points=0:0", f"points={points}:7").replace("match=0:0", "match=-5:0")
    found = Position.from_notation(text)
    assert (found.points, found.scores_before) == ((points, 7), (-5, 0))
    assert found.notation == text


def test_mutated_texts() -> None:
    """2,000 of them: read, or refused by an error of the package, never anything else."""
    rng = random.Random(2026)
    sources = [POSITION, VIEW]
    for table in (Table("classic", 2, False), Table("palestine", 4, True)):
        rules = Rules.preset(table.preset)
        for position in positions_of(rules, table.players, table.partners, 2):
            if len(position.history) % 7 == 3:
                sources += [position.notation, position.view().notation]
    good = bad = 0
    for _ in range(2000):
        text = mutated(rng.choice(sources), rng)
        for read in (Position.from_notation, View.from_notation):
            if use(read, text):
                good += 1
            else:
                bad += 1
    assert bad > 1000
    assert good > 50
