"""Games and matches: what they remember is what happened, and nothing that was not told."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from basra import (
    ArgumentError,
    BasraError,
    CardError,
    Cards,
    DealRecord,
    Game,
    GameOverError,
    IllegalMoveError,
    KnowledgeError,
    Match,
    Move,
    Opening,
    Player,
    Position,
    PositionError,
    RoundRecord,
    Rules,
    Seat,
    Turn,
    View,
)
from basra.players import Choice
from helpers import TABLE_IDS, TABLES, Table

HAND = Rules.load("classic").with_changes(must_capture="hand")
BOTTOM = Rules.load("classic").with_changes(bury="bottom")
FREE = Rules.load("palestine-52").with_changes(bury="bottom", must_capture="none")
EVERYWHERE = [(table.id, Rules.load(table.preset), *table[1:]) for table in TABLES] + [
    (f"{name}-{players}", rules, players, partners)
    for name, rules in (("hand", HAND), ("bottom", BOTTOM), ("free", FREE))
    for players, partners in ((2, False), (3, False), (4, True))
]


def follow(rules: Rules, players: int, partners: bool, seed: int, known: Sequence[int]) -> None:
    """A game that is told of some hands is asked beside the position that it cannot see."""
    dice = random.Random(seed)
    position = Position.deal(rules, seed, players=players, partners=partners, leader=seed % players)
    whole = Game.of(position)
    game = Game(whole.opening)
    while not position.is_over:
        if game.expects == "deal":
            hands = [hand if seat in known else None for seat, hand in enumerate(position.hands)]
            game.deal(hands)
        legal = position.legal_moves()
        check_same(game, position, known)
        assert whole.legal_moves() == legal
        assert whole.view == position.view()
        assert whole.position is not None
        # In the stock a hand's cards may be in another order.
        assert whole.position.hands == position.hands
        assert Cards(whole.position.stock) == Cards(position.stock)
        assert set(legal) <= set(game.legal_moves())
        move = dice.choice(legal)
        for played in (position, whole, game):
            played.play(move)
        if dice.random() < 0.15:
            check_back(game, dice.randrange(1, 12))
            check_back(whole, dice.randrange(1, 12))
    assert game.expects == "nothing"
    assert game.position is not None
    assert game.position.points == whole.public.points == position.points
    assert Game.from_record(game.opening, game.record()).record() == game.record()
    assert Game.from_record(whole.opening, whole.record()).record() == whole.record()


def check_same(game: Game, position: Position, known: Sequence[int]) -> None:
    public = game.public
    for name in ("floor", "piles", "cards", "points", "last", "turn", "deal_number", "carry"):
        assert getattr(public, name) == getattr(position, name)
    for seat, hand in enumerate(position.hands):
        assert game.hand_size(seat) == len(hand)
        assert game.hand(seat) == (hand if seat in known else Cards())
    if position.turn in known:
        assert game.view == position.view()
        assert game.legal_moves() == position.legal_moves()
    else:
        with pytest.raises(KnowledgeError):
            game.view  # noqa: B018


def check_back(game: Game, count: int) -> None:
    """Entries taken back and entered again leave all as it was."""
    before = game.record()
    taken: list[Turn | tuple[Cards, ...]] = []
    for _ in range(count):
        if not game.turns:
            break
        taken.append(game.undo())
    for entry in reversed(taken):
        if isinstance(entry, Turn):
            game.play(entry.move, entry.comment, entry.estimate)
        else:
            game.deal(entry)
    assert game.record() == before


@pytest.mark.parametrize(
    ("name", "rules", "players", "partners"), EVERYWHERE, ids=[row[0] for row in EVERYWHERE]
)
def test_a_game_follows_a_round(name: str, rules: Rules, players: int, partners: bool) -> None:
    """At every table, for somebody who sees no hand, one, or all."""
    for seed in range(3):
        follow(rules, players, partners, seed, ([], [seed % players], range(players))[seed])


def beside(rules: str | Rules = "classic", floor: str = "3C 4H 9S KD", **options: object) -> Game:
    """A game of two of which only the hand of seat 0 is known."""
    opening = Opening(Rules.load(rules), 2, False, 0, Cards(floor), **options)  # type: ignore[arg-type]
    return Game(opening).deal([Cards("2C 5D 8S QH"), None])


def test_who_must_take_and_lays_down_has_nothing_to_take_with() -> None:
    """Under must_capture = hand, what was laid down before tells of a hidden hand."""
    game = beside(HAND).play("QH").play("TC").play("2C")
    before = game.record()
    # With a king it would have had to take the king when the ten was laid down.
    with pytest.raises(IllegalMoveError, match="move 2 of the round"):
        game.play("KHxKD")
    assert (game.turn, game.record()) == (1, before)
    # Under the usual rules it need not have taken.
    beside().play("QH").play("TC").play("2C").play("KHxKD")


REFUSED: list[tuple[str, type[BasraError], str]] = [
    ("3C", CardError, "lay on the first floor"),
    ("5D", CardError, "was dealt to seat 1 in deal 1"),
    ("2C", CardError, "was played by seat 1 in deal 1"),
    ("9C", IllegalMoveError, "is not legal here"),
    ("JHx3C", IllegalMoveError, "is not legal here"),
    ("7D", IllegalMoveError, "is not legal here"),
]


@pytest.mark.parametrize(("move", "kind", "message"), REFUSED, ids=str)
def test_refused_moves_change_nothing(move: str, kind: type[BasraError], message: str) -> None:
    game = beside().play("2C")
    before = game.record()
    with pytest.raises(kind, match=message):
        game.play(move)
    assert game.record() == before
    assert (game.turn, game.expects) == (1, "move")


def opening(
    rules: str | Rules = "classic", floor: str = "3C 4H 9S 8D", buried: str = ""
) -> Opening:
    return Opening(Rules.load(rules), 2, False, 1, Cards(floor), tuple(Cards(buried)))


def test_floors_that_cannot_begin_a_round() -> None:
    for floor, buried, field in (
        ("3C 4H 9S", "", "floor"),
        ("3C 4H 9S JD", "", "floor"),
        ("3C 4H 9S 8D", "2C", "buried"),
        ("3C 4H 9S KD", "JC", "floor"),
        ("3C 4H 9S 8D", "3C", "buried"),
    ):
        with pytest.raises(BasraError) as caught:
            opening("palestine" if "K" in floor else "classic", floor, buried)
        assert caught.value.field == field
        assert caught.value.fix


def test_buried_cards_are_in_no_hand_of_the_first_deal() -> None:
    game = Game(opening(buried="JC 7D"))
    for hands in ([None, Cards("JC 2C 2D 2H")], [Cards("7D"), None]):
        with pytest.raises(CardError, match="put back into the stock"):
            game.deal(hands)
    game.deal([None, Cards("2C 2D 2H 2S")]).play("2C")
    assert not {"JC", "7D"} & {move.text[:2] for move in game.legal_moves()}
    with pytest.raises(CardError, match="put back into the stock"):
        game.play("JCx2C3C4H8D9S")


def test_buried_at_the_bottom_is_dealt_last() -> None:
    """Where buried cards lie under the stock, the last hands are known to hold them."""
    game = Game(opening(BOTTOM, buried="JC 7D"))
    dice = random.Random(4)
    while game.deal_number < 5 or game.expects != "deal":
        if game.expects == "deal":
            game.deal([None, None])
        cards = {move.card for move in game.legal_moves()}
        assert not cards & set(game.opening.buried)
        game.play(dice.choice(game.legal_moves()))
    # The leader is dealt first, so they are seat 0's, who does not lead.
    with pytest.raises(PositionError, match="bottom of the stock"):
        game.deal([None, Cards("JC")])
    game.deal([None, None])
    while game.turn != 0:
        game.play(dice.choice(game.legal_moves()))
    assert set(game.opening.buried) <= {move.card for move in game.legal_moves()}


def test_deals_and_moves_when_they_are_not_due() -> None:
    game = Game(opening())
    with pytest.raises(PositionError, match="has to be dealt first"):
        game.play("2C")
    with pytest.raises(PositionError, match="is not the number of hands"):
        game.deal([None])
    with pytest.raises(CardError, match="more than the 4 cards"):
        game.deal([None, Cards("2C 2D 2H 2S 5C")])
    with pytest.raises(CardError, match="was dealt to seat"):
        game.deal([Cards("2C"), Cards("2C 2D 2H 2S")])
    game.deal([None, None])
    with pytest.raises(PositionError, match="is not due"):
        game.deal([None, None])
    with pytest.raises(GameOverError):
        Game(opening()).view  # noqa: B018
    with pytest.raises(GameOverError):
        Game(opening()).undo()


def test_hands_known_in_part() -> None:
    """What is known stays known, and the rest is what turns out."""
    game = Game(opening()).deal([Cards("KD KH"), Cards("2C 2D 2H 2S")])
    assert (game.hand(0), game.hand_is_known(0), game.hand_size(0)) == (Cards("KD KH"), False, 4)
    game.play("2C").play("QD").play("2Sx2C").play("QSxQD")
    assert game.hand(0) == Cards("KD KH")
    assert game.hand_is_known(0)
    with pytest.raises(CardError, match="was dealt to seat 1 in deal 1"):
        Game(opening()).deal([Cards("KD"), Cards("2C 2D 2H")]).play("KD")


def test_what_is_said_about_moves() -> None:
    game = Game(opening()).deal([None, None]).play("2C", "why not")
    game.note("a blunder")
    assert [turn.comment for turn in game.turns] == ["a blunder"]
    with pytest.raises(GameOverError):
        Game(opening()).note("nothing yet")


def test_no_view_holds_what_is_not_told() -> None:
    """The filling is arbitrary, so nothing that is asked may depend on it."""
    for seed in range(20):
        position = Position.deal("classic", seed)
        mine = position.hands[0]
        game = Game(Game.of(position).opening).deal([mine, None])
        text = game.view.notation
        assert text == position.view().notation
        assert game.unseen() == position.rules.pack - mine - position.floor


# -- matches -------------------------------------------------------------------------------------

GREEDY = Player.parse("greedy")


def played(rules: str = "classic", players: int = 2, partners: bool = False) -> Match:
    match = Match(rules, players=players, partners=partners, seed=5, leader=1)
    match.play_on([GREEDY] * players)
    return match


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_a_match_is_the_positions(table: Table) -> None:
    """The same rounds, leaders, carries and winner as a position that is played on."""
    match = played(*table)
    position = Position.deal(
        table.preset, 5, players=table.players, partners=table.partners, leader=1
    )
    for number, game in enumerate(match.games):
        assert game.opening.leader == position.leader
        for turn in game.turns:
            position.play(turn.move)
        assert position.is_over
        assert game.public.scores == position.scores
        if number + 1 < len(match.games):
            assert position.winner is None
            position.next_round()
    assert (match.scores, match.winner) == (position.scores, position.winner)
    assert match.is_over
    assert match.round_number == len(match.games)
    record = match.record()
    assert Match.from_record(record).record() == record


def test_take_back_everything() -> None:
    match = played()
    record = match.record()
    count = 0
    while match.games[0].turns:
        match.undo()
        count += 1
    assert count == sum(len(game.turns) for game in Match.from_record(record).games)
    with pytest.raises(GameOverError):
        match.undo()
    match.play_on([GREEDY] * 2)
    assert match.record() == record


def test_a_match_beside_a_table() -> None:
    """Floors and hands as they are told; each entry can be taken back, the floor last."""
    match = Match("classic", scores=(61, 84), carry=30, first_round=5, leader=1, seats=[
        Seat("Layla"), Seat("Amal")
    ])  # fmt: skip
    assert (match.round_number, match.next_leader, match.game) == (4, 1, None)
    match.next_round(Cards("3C 4H 9S KD"))
    assert (match.round_number, match.carry, match.scores) == (5, 30, (61, 84))
    match.deal([None, Cards("2C 5D 8S QH")]).play("2C")
    record = match.record()
    assert record.seats[0].name == "Layla"
    assert Match.from_record(record).record() == record
    for _ in range(3):
        match.undo()
    assert match.game is None
    with pytest.raises(GameOverError):
        match.undo()


def test_leaders_and_carry_go_on_without_a_seed() -> None:
    dealt = played()
    told = Match("classic", leader=1)
    for game in dealt.games:
        told.next_round(game.opening.floor, game.opening.buried)
        assert told.game is not None
        assert told.game.opening == replace(game.opening, seed=0)
        for turn in game.turns:
            if told.game.expects == "deal":
                told.deal([None, None])
            told.play(turn.move)
    assert (told.scores, told.winner) == (dealt.scores, dealt.winner)
    with pytest.raises(GameOverError, match="won"):
        told.next_round(Cards("3C 4H 9S KD"))


def test_giving_up() -> None:
    match = Match("classic", seed=3)
    match.next_round()
    match.resign(0)
    assert (match.winner, match.resigned, match.is_over) == (1, 0, True)
    with pytest.raises(GameOverError, match="given up"):
        match.play(match.games[0].legal_moves()[0])
    record = match.record()
    assert Match.from_record(record).winner == 1
    match.undo()
    assert (match.winner, match.is_over) == (None, False)
    three = Match("classic", players=3, seed=3)
    three.resign(2)
    assert (three.winner, three.is_over) == (None, True)
    with pytest.raises(ArgumentError):
        Match("classic").resign(2)


class Shown:
    """A player of one's own: the first legal move, and what it was shown."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def choose(self, view: View, *, seed: int = 0) -> Choice:
        self.views.append(view)
        return Choice(view.legal_moves()[0], 0, "complete")


def test_own_players_see_their_own_hand_alone() -> None:
    first, second = Shown(), Shown()
    match = Match("egyptian", seed=9)
    match.play_on([first, second], rounds=1)
    assert len(match.games) == 1
    assert len(first.views) == len(second.views) == 24
    assert {view.seat for view in first.views} == {1}
    with pytest.raises(ArgumentError, match="is not one for each seat"):
        match.play_on([first])


def test_records_that_are_wrong() -> None:
    record = played().record()
    first = record.rounds[0]
    deal = first.deals[0]
    cut = replace(first, deals=(replace(deal, turns=deal.turns[:3]),), stock=None, points=None)

    def refused(changed: tuple[RoundRecord, ...], message: str) -> None:
        with pytest.raises(BasraError, match=message):
            Match.from_record(replace(record, rounds=changed))

    refused((cut, *record.rounds[1:]), "comes before the round before it is over")
    refused((replace(cut, points=(3, 4)),), "do not follow from the moves")
    refused((replace(first, points=(99, 1)),), "do not follow from the moves")
    refused((replace(cut, deals=(*cut.deals, DealRecord(deal.hands))),), "comes before the deal")
    long = replace(deal, turns=deal.turns + first.deals[1].turns)
    refused((replace(cut, deals=(long,)),), "more than 8")
    refused((replace(first, deals=(*first.deals, deal)),), "is one too many")
    wrong = replace(deal, turns=(Turn(Move(first.deals[1].turns[0].move.card)), *deal.turns[1:]))
    refused((replace(cut, deals=(wrong,)),), "deal 1")
    refused((replace(cut, stock=tuple(Cards("2C"))),), "is not the number of cards left to deal")
    refused((*record.rounds, first), "won")


def test_bad_matches() -> None:
    for options, field in (
        ({"leader": 2}, "leader"),
        ({"scores": (1, 2, 3)}, "scores"),
        ({"seats": (Seat("a"),)}, "seats"),
        ({"first_round": 0}, "first_round"),
        ({"seed": -1}, "seed"),
    ):
        with pytest.raises(BasraError) as caught:
            Match("classic", **options)
        assert caught.value.field == field
    with pytest.raises(BasraError):
        Match("egyptian", players=3)
    with pytest.raises(ArgumentError, match="floor: is missing"):
        Match("classic").next_round()
    with pytest.raises(ArgumentError, match="the engine deals"):
        Match("classic", seed=1).next_round(Cards("2C 2D 2H 2S"))
    with pytest.raises(PositionError, match="has not begun"):
        Match("classic").play("2C")
    match = Match("classic", seed=1)
    match.next_round()
    with pytest.raises(PositionError, match="is not over"):
        match.next_round()
    with pytest.raises(PositionError, match="has been played on"):
        Game.of(Position.deal(seed=1).play(Position.deal(seed=1).legal_moves()[0]))


def test_scores_and_carry_that_cannot_be() -> None:
    """Refused when the match is made, not when its first round is."""
    for rules in ("egyptian", "egyptian-v2", "palestine", "palestine-52"):
        with pytest.raises(BasraError) as caught:
            Match(rules, carry=5)
        assert caught.value.field == "carry"
    for carry in (-4, 100_001, 99_999_999):
        with pytest.raises(BasraError) as caught:
            Match("classic", carry=carry)
        assert (caught.value.field, caught.value.value) == ("carry", str(carry))
    for options, field in (({"leader": "x"}, "leader"), ({"first_round": "x"}, "first_round")):
        with pytest.raises(ArgumentError) as wrong:
            Match("classic", **options)  # type: ignore[arg-type]
        assert wrong.value.field == field
    match = Match("classic", seed=1)
    match.next_round()
    with pytest.raises(ArgumentError) as no_move:
        match.play(None)  # type: ignore[arg-type]
    assert no_move.value.field == "move"


def test_players_by_their_texts() -> None:
    match = Match("egyptian", seed=5)
    match.play_on(["learner", "greedy:noise=5"], rounds=1)
    again = Match("egyptian", seed=5)
    again.play_on([Player.parse("learner"), Player.parse("greedy:noise=5")], rounds=1)
    assert match.record() == again.record()


def test_what_was_said_of_a_round_goes_with_it() -> None:
    record = played().record()
    first, *later = record.rounds
    said = replace(record, rounds=(replace(first, comment="the first"), *later))
    match = Match.from_record(said)
    while len(match.games) > 1:
        match.undo()
    assert match.record().rounds[0].comment == "the first"
    table = Match("classic")
    table.next_round(Cards("3C 4H 9S KD"))
    noted = table.record()
    noted = replace(noted, rounds=(replace(noted.rounds[0], comment="a bad floor"),))
    match = Match.from_record(noted)
    match.undo()
    match.next_round(Cards("2C 4H 9S KD"))
    assert match.record().rounds[0].comment == ""


def test_what_the_seed_does_not_deal() -> None:
    """A seed that a record names gives its cards, or the record is wrong."""
    record = played().record()
    first = record.rounds[0]
    for changed, field in (
        (replace(record, seed=99), "floor"),
        (replace(record, rounds=(replace(first, leader=0), *record.rounds[1:])), "hand"),
    ):
        with pytest.raises(PositionError, match="is not what the seed deals in round 1") as caught:
            Match.from_record(changed)
        assert caught.value.field == field
    deal = first.deals[0]
    hands = (deal.hands[0], Cards(list(first.deals[1].hands[1])))
    swapped = replace(first, deals=(replace(deal, hands=hands), *first.deals[1:]))
    with pytest.raises(PositionError, match="is not what the seed deals") as caught:
        Match.from_record(replace(record, rounds=(swapped, *record.rounds[1:])))
    assert caught.value.field == "hand"
    unseeded = replace(record, seed=None)
    assert Match.from_record(unseeded).scores == Match.from_record(record).scores


def test_a_match_that_is_won_does_not_begin() -> None:
    for scores in ((101, 3), (100_000, -100_000)):
        with pytest.raises(ArgumentError, match="have won the match already") as caught:
            Match("classic", scores=scores)
        assert caught.value.field == "scores"
    assert not Match("classic", scores=(101, 101)).is_over
    assert not Match("classic", scores=(100, 3)).is_over


@pytest.mark.parametrize("seat", [-1, 2, 9, "1"])
def test_seats_that_are_none(seat: int) -> None:
    game = Game(opening()).deal([None, None])
    for ask in (game.hand, game.hand_size, game.hand_is_known, game.unseen):
        with pytest.raises(ArgumentError) as caught:
            ask(seat)
        assert caught.value.field == "seat"
    with pytest.raises(ArgumentError) as leader:
        Match("classic").next_round(Cards("3C 4H 9S KD"), leader=seat)
    assert leader.value.field == "leader"
