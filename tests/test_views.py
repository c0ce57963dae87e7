"""Views: what is worked out, what is refused, and that nothing hidden is looked at."""

from __future__ import annotations

import random
from typing import Any

import pytest

import basra
from basra import (
    ArgumentError,
    BasraError,
    CardError,
    Cards,
    GameOverError,
    KnowledgeError,
    Limits,
    NotationError,
    Position,
    Rules,
    RulesError,
    View,
    parse_cards,
)
from helpers import TABLE_IDS, TABLES, Table, both, positions_of

CLASSIC = Rules.preset("classic")
BOTTOM = CLASSIC.with_changes(bury="bottom")
ONES = BOTTOM.with_changes(hand_size=1)
"""24 deals of one card each with two players: the buried cards fill the last of them."""
HAND = CLASSIC.with_changes(must_capture="hand")
NO_FLOOR = CLASSIC.with_changes(floor_size=0, hand_size=26)

# -- refused -------------------------------------------------------------------------------------

H, F = "7D 5C KH 2S", "3C 2H 5S"
"""A hand and a floor that fit deal 2, nine cards gone."""

FAULTS: list[tuple[str, str, str, dict[str, Any], type[BasraError], str, str]] = [
    # what, hand, floor, options, error, field, value
    ("hand empty", "", F, {}, KnowledgeError, "hand", ""),
    ("hand too large", "2S 3S 5C 7D KH", F, {}, KnowledgeError, "hand", "2S 3S 5C 7D KH"),
    ("carry below 0", H, F, {"carry": -1}, KnowledgeError, "carry", "-1"),
    ("carry not kept", H, F, {"carry": 30, "rules": "egyptian"}, KnowledgeError, "carry", "30"),
    ("carry too large", H, F, {"carry": 100_001}, ArgumentError, "carry", "100001"),
    ("points", H, F, {"points": (0, 100_001)}, ArgumentError, "points", "100001"),
    ("match", H, F, {"match": (0, 1 << 40)}, ArgumentError, "match", str(1 << 40)),
    ("count", H, F, {"cards": (0, 53)}, ArgumentError, "cards", "53"),
    ("counts by side", H, F, {"cards": (3, 3, 3)}, ArgumentError, "cards", "3:3:3"),
    ("points by side", H, F, {"points": (3,)}, ArgumentError, "points", "3"),
    ("match by side", H, F, {"match": (1, 2, 3)}, ArgumentError, "match", "1:2:3"),
    ("seat", H, F, {"seat": 3}, ArgumentError, "seat", "3"),
    ("seat 0", H, F, {"seat": 0}, ArgumentError, "seat", "0"),
    ("deal", H, F, {"deal": 7}, ArgumentError, "deal", "7"),
    ("deal 0", H, F, {"deal": 0}, ArgumentError, "deal", "0"),
    ("last", H, F, {"last": "+1"}, ArgumentError, "last", "+1"),
    ("last of three", H, F, {"last": "them", "players": 3}, ArgumentError, "last", "them"),
    ("table", H, F, {"players": 4}, RulesError, "players", "4"),
    ("table", H, F, {"players": 5}, RulesError, "players", "5"),
    (
        "table uneven",
        H,
        F,
        {"players": 3, "rules": "palestine"},
        RulesError,
        "players",
        "3",
    ),
    ("card twice", H, F + " 7D", {}, CardError, "floor", "7D"),
    ("seen twice", H, F, {"seen": "2H 9C"}, CardError, "seen", "2H"),
    ("buried twice", H, F, {"buried": "JS JS"}, CardError, "buried", "JS"),
    ("hand outside", "QD 5C", F, {"rules": "palestine"}, CardError, "hand", "QD"),
    ("seen outside", "2S 5C", F, {"rules": "palestine", "seen": "KD"}, CardError, "seen", "KD"),
    ("buried outside", "2S", F, {"rules": "palestine", "buried": "KD"}, CardError, "buried", "KD"),
    ("not a card", "1D", F, {}, CardError, "hand", "1D"),
    ("not a move", H, F, {"played": "JSx"}, NotationError, "played", "JSx"),
    # plays
    (
        "trailed card is not there",
        "7D 5C KH",
        F,
        {"played": "KD 9C"},
        KnowledgeError,
        "played",
        "9C (number 2)",
    ),
    (
        "taken card is there",
        "7D 5C KH",
        F,
        {"played": "KDxKS 2Dx2H"},
        KnowledgeError,
        "played",
        "2Dx2H (number 2)",
    ),
    (
        "played card was there",
        "7D 5C KH",
        F,
        {"played": "KDxKS 3Cx3D"},
        KnowledgeError,
        "played",
        "3Cx3D (number 2)",
    ),
    (
        "illegal capture",
        "7D 5C 2S",
        F,
        {"played": "KDxKS 6DxQC"},
        KnowledgeError,
        "played",
        "6DxQC (number 2)",
    ),
    (
        "not a maximal capture",
        "7D 9C 2S",
        F + " 8C",
        {"played": "8SxAS7H QH"},
        KnowledgeError,
        "played",
        "QH (number 2)",
    ),
    (
        "trailed a card that captures",
        "7D 9C 2S",
        F + " QC QH",
        {"played": "QC QH"},
        KnowledgeError,
        "played",
        "QH (number 2)",
    ),
    (
        "played card is in hand",
        "7D 5C KD",
        F,
        {"played": "KDxKS 9Cx9S"},
        KnowledgeError,
        "played",
        "KDxKS (number 1)",
    ),
    (
        "taken card is in hand",
        "7D KD 2S",
        F,
        {"played": "KSxKD 9Cx9S"},
        KnowledgeError,
        "played",
        "KSxKD (number 1)",
    ),
    (
        "played card outside",
        "7D JD 2S",
        F,
        {"played": "QSxQD 9Cx9S", "rules": "palestine"},
        KnowledgeError,
        "played",
        "QSxQD (number 1)",
    ),
    (
        "my hand had to capture",
        "5D 5C 2S",
        "3C 2H 5H KS 9S",
        {"played": "KS 9S", "rules": HAND},
        KnowledgeError,
        "played",
        "KS (number 1)",
    ),
    (
        "number of plays",
        H,
        F,
        {"played": "KSxKD 9Cx9S"},
        KnowledgeError,
        "played",
        "KSxKD 9Cx9S",
    ),
    (
        "seat against plays",
        "7D 5C 2S",
        F,
        {"played": "KSxKD 9Cx9S", "seat": 2},
        KnowledgeError,
        "seat",
        "2",
    ),
    (
        "last against plays",
        "7D 5C 2S",
        F,
        {"played": "KSxKD 9Cx9S", "last": "me"},
        KnowledgeError,
        "last",
        "me",
    ),
    (
        "counts against plays",
        "7D 5C 2S",
        F,
        {"played": "KSxKD 9Cx9S", "cards": (0, 10)},
        KnowledgeError,
        "cards",
        "0:10",
    ),
    # deals
    (
        "more in hand than the deal gives",
        "7D 5C 2S",
        F,
        {"deal": 3, "players": 4, "rules": "palestine"},
        KnowledgeError,
        "deal",
        "3",
    ),
    (
        "more on the floor than were dealt",
        "7D 5C 2S 3D",
        "4C 4D 4H 4S 6C 6D 6H 6S",
        {"deal": 1},
        KnowledgeError,
        "deal",
        "1",
    ),
    ("one card gone", "7D 5C 2S 3D", "4C 4D 4H", {"deal": 1}, KnowledgeError, "deal", "1"),
    (
        "no deal fits",
        "7D 5C 2S 3D",
        str(Cards.from_mask((1 << 52) - 1) - Cards("7D 5C 2S 3D KS KD KH")),
        {},
        KnowledgeError,
        "floor",
        str(Cards.from_mask((1 << 52) - 1) - Cards("7D 5C 2S 3D KS KD KH")),
    ),
    (
        "seen too many",
        "7D 5C 2S",
        "4C 4D 4H",
        {"deal": 1, "seen": "6C 6D 6H 6S 8C 8D"},
        KnowledgeError,
        "seen",
        "6C 6D 6H 6S 8C 8D",
    ),
    (
        "not the whole first floor",
        "7D 5C 2S 3D",
        "4C 4D",
        {"deal": 1},
        KnowledgeError,
        "floor",
        "4C 4D",
    ),
    (
        "a jack on the first floor",
        "7C 5C 2S 3D",
        "4C 4D JS 2H",
        {"deal": 1},
        KnowledgeError,
        "floor",
        "JS",
    ),
    # counts and last capturer
    ("a count of one", H, F, {"cards": (1, 8)}, KnowledgeError, "cards", "1:8"),
    ("counts do not add up", H, F, {"cards": (4, 4)}, KnowledgeError, "cards", "4:4"),
    (
        "last captured nothing",
        H,
        F,
        {"cards": (0, 9), "last": "me"},
        KnowledgeError,
        "last",
        "me",
    ),
    (
        "nothing is gone",
        "7C 5C 2S 3D",
        "4C 4D 2H 5S",
        {"last": "them", "deal": 1},
        KnowledgeError,
        "last",
        "them",
    ),
    ("somebody captured", H, F, {"last": "none"}, KnowledgeError, "last", "none"),
    # buried
    ("may lie there", "7C 5C 2S 3D", F, {"buried": "5D"}, KnowledgeError, "buried", "5D"),
    (
        "buried and in my first hand",
        "7C 5C 2S JD",
        "4C 4D 2H 5S",
        {"buried": "JH JD JS", "deal": 1},
        KnowledgeError,
        "buried",
        "JD",
    ),
    (
        "buried and captured in deal 1",
        "7C 5C 2S",
        "4C 4D 2H 5S",
        {"buried": "JH JS", "seen": "JS 9D", "deal": 1},
        KnowledgeError,
        "buried",
        "JS",
    ),
    (
        "buried without a stock",
        "AC AD AH AS 2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7H",
        "",
        {"buried": "JS", "rules": NO_FLOOR},
        KnowledgeError,
        "buried",
        "JS",
    ),
    (
        "bottom: mine too early",
        "7C 5C 2S JD",
        "4C 4D 2H",
        {"rules": BOTTOM, "buried": "JD JS", "deal": 2},
        KnowledgeError,
        "buried",
        "JD",
    ),
    (
        "bottom: on the floor too early",
        "7C 5C 2S 3D",
        "4C 4D JS",
        {"rules": BOTTOM, "buried": "JD JS", "deal": 2},
        KnowledgeError,
        "buried",
        "JS",
    ),
    (
        "bottom: mine, but the other seat's",
        "7C 5C 2S JD",
        "4C 4D 2H",
        {"rules": BOTTOM, "buried": "JD", "deal": 6},
        KnowledgeError,
        "buried",
        "JD",
    ),
    (
        "bottom: not mine, but must be",
        "7C 5C 2S 3D",
        "4C 4D 2H",
        {"rules": BOTTOM, "buried": "JD", "deal": 6, "seat": 2},
        KnowledgeError,
        "buried",
        "JD",
    ),
    (
        "bottom: mine, but long played",
        "JD",
        "4C 4D 2H",
        {"rules": ONES, "buried": "JD JH JS", "deal": 24},
        KnowledgeError,
        "buried",
        "JD",
    ),
]


def _id(case: tuple[Any, ...]) -> str:
    return f"{case[0]} ({case[5]})"


@pytest.mark.parametrize("case", FAULTS, ids=_id)
def test_refused(case: tuple[Any, ...]) -> None:
    """Each way to contradict oneself: its error, the field, the value, and a remedy."""
    _, hand, floor, options, kind, field, value = case
    with pytest.raises(kind) as caught:
        View(hand, floor, **options)
    assert (caught.value.field, caught.value.value) == (field, value)
    assert caught.value.message
    assert caught.value.fix


def test_long_played_and_all_tracked() -> None:
    """A buried card whose deal is past must be somewhere, when every card gone is named."""
    # JH is mine in the last deal and JS the other's; JD was dealt in the deal before.
    gone = Cards.from_mask((1 << 52) - 1) - Cards("JH 4C 4D 2H JD")
    with pytest.raises(KnowledgeError) as caught:
        View("JH", "4C 4D 2H", seen=gone, rules=ONES, buried="JD JH JS", deal=24)
    assert (caught.value.field, caught.value.value) == ("buried", "JD")


def test_long_played_and_not_tracked() -> None:
    """If cards are gone untracked it is one of those: not unseen, and one less to sample."""
    options: dict[str, Any] = {"rules": ONES, "buried": "JD JH JS", "deal": 24}
    view = View("JH", "4C 4D 2H", **options)
    assert "JD" not in view.unseen
    assert view.untracked == view.gone - 1
    (world,) = (view.data.sample_worlds(0, 0, 1)[0],)
    assert world[0][1] == Cards("JS").mask


# -- worked out ----------------------------------------------------------------------------------


def first(cards: int, *taken: str) -> str:
    """The first cards of the pack that are not taken, as a text."""
    used = Cards(" ".join(taken))
    rest = [card for card in Cards.from_mask((1 << 52) - 1) if card not in used]
    return " ".join(map(str, rest[:cards]))


@pytest.mark.parametrize(("deal", "gone"), [(2, 9), (3, 17), (4, 25), (5, 33), (6, 41)])
def test_deal_implied_by_seen(deal: int, gone: int) -> None:
    """All cards gone are named, so their number tells the deal."""
    view = View(H, F, seen=first(gone, H, F))
    assert (view.deal, view.gone, view.untracked) == (deal, gone, 0)
    assert view.is_last_deal == (deal == 6)
    assert "deal" in view.assumed


@pytest.mark.parametrize(
    ("seen", "deal"), [(0, 2), (1, 2), (8, 2), (10, 3), (16, 3), (18, 4), (40, 6)]
)
def test_earliest_deal_that_fits(seen: int, deal: int) -> None:
    """An incomplete `seen` implies none: the first deal in which so many can be gone."""
    view = View(H, F, seen=first(seen, H, F))
    assert view.deal == deal
    assert view.untracked == view.gone - seen
    if not seen:
        assert View(H, F).deal == deal


def test_first_deal_with_a_whole_floor() -> None:
    """Four on the floor and four in hand: nothing has been played, and nobody captured."""
    view = View("7D 5C KH 2S", "3C 2H 5S 9D")
    assert (view.deal, view.seat, view.gone, view.last) == (1, 1, 0, None)
    assert view.cards == (0, 0)
    assert view.stock == 40
    # Taken as deal 1, so a jack on the floor must mean a later one.
    assert View("7D 5C KH 2S", "3C 2H 5S JD").deal == 2


def test_seat() -> None:
    """Default 1; stated; or what the plays of this deal imply."""
    assert View(H, F).seat == 1
    assert View(H, F + " 9D", seat=2).seat == 2
    assert View("7D 5C KH", F + " 9D QS", played="9D QS").seat == 1
    view = View("7D 5C KH 2S", F + " 9D QS", played="9D QS", players=3)
    assert (view.seat, view.hidden) == (3, (3, 3))
    assert view.played == tuple(basra.parse_move(text) for text in ("9D", "QS"))


def test_plays_tell_the_last_capturer_and_what_was_seen() -> None:
    """Captures of this deal are seen, and the last of them is known."""
    view = View("7D 5C KH", F + " 9C", played="QSxQD 9C")
    assert view.seen == Cards("QD QS")
    assert view.last == "me"
    view = View("7D 5C KH", F, played="QSxQD 9Cx9S")
    assert view.seen == Cards("9C 9S QD QS")
    assert view.last == "them"


def test_last_is_averaged_when_unknown() -> None:
    """Cards are gone, and nobody said who captured last."""
    view = View(H, F)
    assert view.last == "unknown"
    assert view.assumed["last"] == "averaged"
    assert View(H, F, last="them").last == "them"
    assert "last" not in View(H, F, last="them").assumed


def test_lists_start_with_my_side() -> None:
    """Stated from me; told from me; whatever my seat is."""
    options: dict[str, Any] = {"rules": "palestine-52", "players": 3, "points": (1, 2, 3)}
    # Floor and hands: 52 - 4 - 3 * 8 = 24 undealt; 11 in hands and 3 on the floor, so 14 are gone.
    for seat in (1, 2, 3):
        view = View(H, F, seat=seat, deal=2, **options)
        gone = view.gone
        counts = (2, 4, gone - 6)
        view = View(H, F, seat=seat, deal=2, cards=counts, match=(7, 8, 9), last="+1", **options)
        assert (view.cards, view.points, view.match) == (counts, (1, 2, 3), (7, 8, 9))
        assert view.last == "+1"
        fields = view.data.fields()
        # Inside they are by seat.
        assert fields["points"][seat - 1] == 1
        assert fields["points"][seat % 3] == 2
        assert fields["last"] == seat % 3


def test_buried_at_random() -> None:
    """In deal 1 all are in the stock; later nothing is known of them."""
    first_deal = View("7C 5C 2S 3D", "4C 4D 2H 5S", buried="JD JS", deal=1)
    assert not first_deal.unseen & Cards("JD JS")
    assert first_deal.data.fields()["stocked"] == Cards("JD JS").mask
    later = View("7C 5C 2S 3D", "4C 4D 2H", buried="JD JS", deal=2)
    assert Cards("JD JS") - later.unseen == Cards()
    assert later.data.fields()["stocked"] == 0


def test_buried_at_the_bottom() -> None:
    """Their place is known: in the stock, then in the last hands, the last found lowest."""
    early = View("7C 5C 2S 3D", "4C 4D 2H", rules=BOTTOM, buried="JD JH JC JS 7D", deal=5)
    assert early.data.fields()["stocked"] == Cards("JC JD JH JS 7D").mask
    # The sixth deal: four lowest to seat 2, the one above them to seat 1.
    mine = View("JD 5C 2S 3D", "4C 4D 2H", rules=BOTTOM, buried="JD JH JC JS 7D", deal=6)
    assert mine.data.fields()["fixed"] == [0, Cards("JH JC JS 7D").mask]
    worlds = mine.data.all_worlds(100)
    assert worlds is not None
    assert {world[0] for world in worlds_of(worlds)} == {
        (Cards("JD 5C 2S 3D").mask, Cards("JH JC JS 7D").mask)
    }


def worlds_of(worlds: Any) -> list[tuple[tuple[int, ...], int, int]]:
    """All of a list of worlds."""
    return [worlds[i] for i in range(len(worlds))]


def test_assumed_tells_every_default() -> None:
    """And nothing that was stated."""
    options: dict[str, Any] = {
        "seen": "9C 9D",
        "buried": "JS",
        "cards": (4, 5),
        "last": "me",
        "deal": 2,
        "seat": 1,
        "points": (1, 2),
        "carry": 30,
        "match": (3, 4),
        "rules": CLASSIC,
        "players": 2,
    }
    assert set(View(H, F).assumed) == {*options, "played"}
    assert View(H, F, **options).assumed == {"played": "nothing"}
    for key, value in options.items():
        assert key not in View(H, F, **{key: value, "deal": 2}).assumed


def test_views_are_values() -> None:
    """Equal, hashable, and not to be changed; what was assumed does not count."""
    one, two = View(H, F), View(H, F, deal=2, seat=1)
    assert one == two
    assert hash(one) == hash(two)
    assert one.assumed != two.assumed
    assert one != View(H, F, deal=3)
    assert one != View(H, F, rules=CLASSIC.with_changes(target=121))
    with pytest.raises(AttributeError):
        one.rules = CLASSIC


# -- views of positions --------------------------------------------------------------------------


def buried_at(preset: str, bury: str) -> Rules:
    """A preset, all of which bury at random, or the same with `bottom`."""
    return both(preset, bury=bury).ours if bury == "bottom" else Rules.preset(preset)


def true_hands(position: Position) -> list[int]:
    """Hands in order of play, seat 0 the leader."""
    seats = [(position.leader + i) % position.players for i in range(position.players)]
    return [position.hands[seat].mask for seat in seats]


def check_truth_fits(view: View, position: Position) -> None:
    """The hands as they are can be drawn from what the view says."""
    fields, hands = view.data.fields(), true_hands(position)
    stock = sum(1 << card.index for card in position.stock)
    assert fields["stocked"] & ~stock == 0
    for seat, hand in enumerate(hands):
        assert fields["hand_sizes"][seat] == hand.bit_count()
        if seat == fields["seat"]:
            assert hand == fields["hand"]
            continue
        fixed = fields["fixed"][seat]
        assert fixed & ~hand == 0
        assert hand & ~fixed & ~fields["unseen"] == 0


@pytest.mark.parametrize("bury", ["random", "bottom"])
@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_views_of_whole_rounds(table: Table, bury: str) -> None:
    """At every ply the view is accepted, tells the truth, and the truth is among its worlds."""
    rules = buried_at(table.preset, bury)
    plies = enumerated = 0
    for seed in range(4):
        for position in positions_of(rules, table.players, table.partners, seed, seed % 2):
            if position.is_over:
                with pytest.raises(GameOverError):
                    position.view()
                continue
            plies += 1
            view = position.view(position.turn)
            turned = (position.turn - position.leader) % table.players
            sides = len(position.cards)
            mine = position.turn % sides
            assert view.seat == turned + 1
            assert view.hand == position.hands[position.turn]
            assert view.floor == position.floor
            assert view.deal == position.deal_number
            assert view.stock == len(position.stock)
            assert view.untracked == 0
            assert view.gone == sum(len(pile) for pile in position.piles)
            assert view.buried == position.buried
            assert view.carry == position.carry
            for name in ("cards", "points"):
                told = getattr(position, name)
                assert getattr(view, name) == (*told[mine:], *told[:mine])
            assert view.legal_moves() == position.legal_moves()
            last = view.data.fields()["last"]
            assert last == (
                -1 if position.last is None else (position.last - position.leader) % table.players
            )
            check_truth_fits(view, position)
            worlds = view.data.all_worlds(300)
            if worlds is not None:
                enumerated += 1
                assert sum(_fits(world, position, rules) for world in worlds_of(worlds)) == 1
    assert plies == 4 * (rules.deck - rules.floor_size)
    assert enumerated > 20


def _fits(world: tuple[tuple[int, ...], int, int], position: Position, rules: Rules) -> bool:
    """Is this the true world, up to equal cards?"""
    hands = true_hands(position)
    return all(
        _kinds(rules, hand) == _kinds(rules, true)
        for hand, true in zip(world[0], hands, strict=True)
    )


def _kinds(rules: Rules, mask: int) -> list[tuple[str, int, bool]]:
    points = dict(rules.card_points)
    found = []
    for card in Cards.from_mask(mask):
        power = str(card) == "7D" and rules.seven_diamonds != "plain"
        found.append((card.rank, points.get(str(card), points.get(card.rank, 0)), power))
    return sorted(found)


@pytest.mark.parametrize("bury", ["random", "bottom"])
@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_views_with_cards_not_tracked(table: Table, bury: str) -> None:
    """A player who forgot some cards, or all, is not refused, and nothing untrue is concluded."""
    rules = buried_at(table.preset, bury)
    rng = random.Random(f"{table.id} {bury}")
    for seed in range(8):
        for position in positions_of(rules, table.players, table.partners, seed):
            if position.is_over:
                continue
            full = position.view()
            kept = [card for card in full.seen if rng.random() < 0.6]
            view = View(
                full.hand,
                full.floor,
                rules=rules,
                seen=rng.choice([None, Cards(kept)]),
                buried=full.buried,
                cards=full.cards,
                last=full.last or "none",
                deal=full.deal,
                seat=full.seat,
                players=table.players,
                partners=table.partners,
            )
            check_truth_fits(view, position)


def test_view_of_another_seat() -> None:
    """Only the seat to move has a view."""
    position = Position.deal("classic", 1)
    assert position.view(0) == position.view()
    with pytest.raises(ArgumentError) as caught:
        position.view(1)
    assert caught.value.field == "seat"


# -- no peeking ----------------------------------------------------------------------------------


def exchanged(position: Position, rng: random.Random) -> Position:
    """The same position with all cards that its seat to move cannot know dealt anew."""
    text = position.notation
    fields = dict(part.partition("=")[::2] for part in text.split("/")[2:])
    players, turn = position.players, position.turn
    others = [seat for seat in range(players) if seat != turn]
    stock, buried = list(position.stock), set(position.buried)
    bottom = position.rules.bury == "bottom"
    known = buried if bottom or position.deal_number == 1 else set()
    # Buried cards: under the stock each keeps its place, in the first deal they stay in the stock.
    free = [card for seat in others for card in position.hands[seat] if card not in known]
    free += [card for card in stock if card not in known]
    rng.shuffle(free)
    hands = []
    for seat in range(players):
        hand = list(position.hands[seat])
        if seat != turn:
            hand = [card if card in known else free.pop() for card in hand]
        since = len(position.history) - sum(1 for _ in _deal_moves(position))
        played = position.history[since:]
        first = position.leader
        hand += [m.card for i, m in enumerate(played) if (first + i) % players == seat]
        hands.append("".join(map(str, hand)))
    order = [card if card in known else free.pop() for card in stock]
    if known and not bottom:
        rng.shuffle(order)
    fields["hands"] = ":".join(hands)
    fields["stock"] = "".join(map(str, order)) or "-"
    body = "/".join(f"{key}={value}" for key, value in fields.items())
    return Position.from_notation(f"basra/1/{body}")


def _deal_moves(position: Position) -> list[basra.Move]:
    """The moves made in this deal."""
    text = position.notation.rpartition("/played=")[2]
    return [] if text == "-" else [basra.parse_move(word) for word in text.split(",")]


@pytest.mark.parametrize("bury", ["random", "bottom"])
@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_no_peeking(table: Table, bury: str) -> None:
    """Hidden cards exchanged: the same view, the same text, the same hint to the last bit."""
    rules = buried_at(table.preset, bury)
    rng = random.Random(f"{table.id} {bury} exchange")
    moved = hinted = 0
    for seed in range(2):
        for position in positions_of(rules, table.players, table.partners, seed, seed % 2):
            if position.is_over:
                continue
            view, other = position.view(), exchanged(position, rng)
            assert other.hands[position.turn] == position.hands[position.turn]
            assert other.view().notation == view.notation
            assert other.view() == view
            moved += other != position
            held = sum(map(len, position.hands))
            if held > (8 if not table.singles else 6) or rng.random() < 0.5:
                continue
            answers = []
            for one in (position, other):
                found = basra.hint(one.view(), limits=Limits(worlds=8), seed=seed).to_dict()
                del found["seconds"]
                answers.append(found)
            assert answers[0] == answers[1]
            hinted += 1
    assert moved > 40
    assert hinted > 5


def test_parse_cards_is_used_for_buried_in_order() -> None:
    """The order in which buried cards were found is kept, from a text or from cards."""
    text = View("7C 5C 2S 3D", "4C 4D 2H", buried="JS JD", deal=2)
    listed = View("7C 5C 2S 3D", "4C 4D 2H", buried=parse_cards("JS JD"), deal=2)
    assert [str(card) for card in text.buried] == ["JS", "JD"]
    assert text == listed
    assert text != View("7C 5C 2S 3D", "4C 4D 2H", buried="JD JS", deal=2)
