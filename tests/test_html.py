"""Cards, tables and answers as HTML: well formed, every card once, nothing hidden shown."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

import pytest

import basra
from basra import Card, Cards, Game, Match, Move, Player, Position, Rules, Seat, View
from basra.cards import SUIT_SIGNS, SUITS
from basra.decks import DECKS
from basra.errors import ArgumentError
from basra.html import (
    Html,
    card_html,
    cards_html,
    element,
    hint_html,
    match_html,
    move_html,
    signs_html,
    solution_html,
    table_html,
)
from basra.language import ENGLISH, language
from basra.words import reason_text
from helpers import TABLE_IDS, TABLES, Table

ARABIC = language("ar")
HINT = basra.hint(hand="7D 5C KH 2S", floor="3C 2H 5S")
ALL = [Card(index) for index in range(52)]


@dataclass
class Node:
    """An element: its name, attributes, and what is in it."""

    name: str
    attributes: dict[str, str]
    inside: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text for part in self.inside)

    @property
    def style(self) -> dict[str, str]:
        pairs = (part.partition(":") for part in self.attributes.get("style", "").split(";"))
        return {key: value for key, _, value in pairs if key}

    def all(self) -> list[Node]:
        inside = [node for part in self.inside if isinstance(part, Node) for node in part.all()]
        return [self, *inside]


class Reader(HTMLParser):
    """Reads a piece strictly: every element is closed, in its order."""

    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {key: value or "" for key, value in attrs})
        assert len(node.attributes) == len(attrs)
        self.open[-1].inside.append(node)
        self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().name == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


def read(piece: Html) -> Node:
    """The one outermost element of a piece that stands alone and does nothing."""
    reader = Reader()
    reader.feed(piece)
    reader.close()
    [root] = reader.open
    for node in root.all():
        assert node.name not in ("script", "style", "link", "img", "iframe")
        assert set(node.attributes) <= {"style", "dir", "lang"}
        assert "url(" not in node.attributes.get("style", "")
    return root


def is_face(node: Node) -> bool:
    return node.attributes.get("dir") == "ltr" and "height" in node.style


def drawn(root: Node) -> list[Card]:
    """The cards that lie open, as they lie."""
    return [Card(node.text) for node in root.all() if is_face(node)]


def backs(root: Node) -> int:
    """Cards that lie face down."""
    return sum("height" in node.style and not is_face(node) for node in root.all())


# -- markup --------------------------------------------------------------------------------------


def test_text_is_escaped_and_html_is_not() -> None:
    inner = element("i", "<&>\"'")
    assert inner == "<i>&lt;&amp;&gt;\"'</i>"
    assert element("b", inner, "<", title='"<') == f'<b title="&quot;&lt;">{inner}&lt;</b>'
    assert inner._repr_html_() == inner


def test_names_are_escaped() -> None:
    name = "<script>alert('1')</script>&"
    rules = replace(Rules.preset("classic"), name=name)
    view = View(hand="7D 5C", floor="3C", rules=rules, deal=1)
    answer = basra.hint(view, worlds=4)
    pieces = [table_html(view), table_html(Position.deal(rules, 1)), hint_html(answer)]
    for piece in pieces:
        assert name in read(piece).text


# -- cards and moves -----------------------------------------------------------------------------


@pytest.mark.parametrize("deck", DECKS)
def test_every_card(deck: str) -> None:
    """Rank and sign, in the colour of its suit, on white whatever the page is like."""
    colours = {}
    for card in ALL:
        root = read(card_html(card, deck))
        assert drawn(root) == [card]
        [face] = root.inside
        assert isinstance(face, Node)
        assert face.text.startswith("10" if card.rank == "T" else card.rank)
        assert SUIT_SIGNS[SUITS.index(card.suit)] in face.text
        assert face.style["background"] == "#fffefa"
        colours[card.suit] = face.style["color"]
    assert len(set(colours.values())) == len(set(DECKS[deck].values()))
    assert colours["S"] != colours["H"]
    with pytest.raises(ArgumentError, match="is not a deck"):
        card_html(Card("7D"), "three")


def test_sets_of_cards() -> None:
    cards = Cards("KH 7D TC AS")
    root = read(cards_html(cards, marked=Cards("7D")))
    assert drawn(root) == list(cards)
    gold = [Card(n.text) for n in root.all() if is_face(n) and "#f4b400" in n.style["box-shadow"]]
    assert gold == [Card("7D")]
    assert read(cards_html(())).text == "nothing"
    assert read(cards_html((), language=ARABIC)).text == "لا شيء"


def test_moves() -> None:
    found = HINT.best.move
    root = read(move_html(found))
    assert drawn(root) == [found.card, *found.captures]
    assert "takes" in root.text
    assert "basra" in root.text
    trailed = read(move_html(Move(Card("KH"))))
    assert drawn(trailed) == [Card("KH")]
    assert "basra" not in trailed.text
    assert "تأخذ" in read(move_html(found, language=ARABIC)).text
    everything = read(move_html(Move(Card("JC"), Cards(ALL[:40]))))
    assert drawn(everything) == [Card("JC"), *ALL[:40]]
    assert not any("white-space" in node.style for node in everything.all())


def test_signs_in_sentences() -> None:
    root = read(signs_html("takes 2 cards (2♥ T♠) & <more>", "two"))
    assert root.text.replace("\ufe0e", "") == "takes 2 cards (2♥ 10♠) & <more>"
    heart, spade = [node for node in root.all() if node.name == "span"]
    assert spade.style["color"] == "inherit"
    assert heart.style["color"] != "inherit"


# -- tables --------------------------------------------------------------------------------------


def played(table: Table, plies: int) -> Position:
    position = Position.deal(table.preset, 11, players=table.players, partners=table.partners)
    dice = random.Random(plies)
    for _ in range(plies):
        position.play(dice.choice(position.legal_moves()))
    return position


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
@pytest.mark.parametrize("plies", [0, 7])
def test_tables(table: Table, plies: int) -> None:
    """Every open card once, every hidden one as a back, and no other card."""
    position = played(table, plies)
    hands, floor, buried = position.hands, list(position.floor), list(position.buried)
    root = read(table_html(position))
    assert sorted(drawn(root)) == sorted([*floor, *buried, *(c for hand in hands for c in hand)])
    assert backs(root) == bool(position.stock)
    others = sum(map(len, hands)) - len(hands[position.turn])
    for hidden in (position.view(), position):
        root = read(table_html(hidden, hide=True))
        assert sorted(drawn(root)) == sorted([*floor, *buried, *hands[position.turn]])
        assert backs(root) == others + bool(position.stock)
    assert drawn(root)[-len(hands[position.turn]) :] == list(hands[position.turn])
    for seat in range(1, table.players + 1):
        assert f"eat {seat}" in root.text
    for side, cards in enumerate(position.cards):
        assert f"{cards} card{'' if cards == 1 else 's'} captured" in root.text, side


def test_hidden_cards_do_not_matter() -> None:
    """Two positions that a seat cannot tell apart are drawn alike."""
    start = Position.setup("5S 9D / KH QC", "5H 2C", stock="")
    other = Position.setup("5S 9D / 3H QD", "5H 2C", stock="")
    assert table_html(start, hide=True) == table_html(other, hide=True)
    assert table_html(start) != table_html(other)


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_games_whose_cards_are_known(table: Table) -> None:
    """As the position is drawn, at every ply and over."""
    game = Game.of(Position.deal(table.preset, 11, players=table.players, partners=table.partners))
    while not game.is_over:
        assert table_html(game) == table_html(game.public)
        assert table_html(game, seat=1, hide=True) == table_html(game.public, seat=1, hide=True)
        for _ in range(7):
            if not game.is_over:
                game.play(game.legal_moves()[0])
    assert table_html(game) == table_html(game.public)


def beside_a_table() -> Game:
    """Nothing is known but the first floor."""
    match = Match("classic")
    return match.next_round(Cards("3C 2H 5S KD"))


def test_games_show_what_they_know() -> None:
    """Other cards are backs, also where the round is filled up to reckon with; or not dealt."""
    game = beside_a_table()
    root = read(table_html(game))
    assert drawn(root) == [*Cards("3C 2H 5S KD")]
    assert backs(root) == 1
    assert "48 cards left" in root.text
    assert "to move" not in root.text
    assert root.text.count("no cards in hand") == 2

    game.deal([Cards("7D 5C KH 2S"), None])
    assert drawn(read(table_html(game))) == [*Cards("3C 2H 5S KD"), *Cards("7D 5C KH 2S")]
    assert backs(read(table_html(game))) == 4 + 1
    game.play("5Cx2H3C5S")
    root = read(table_html(game))
    # The seat whose hand is known stays below.
    assert drawn(root) == [Card("KD"), *Cards("7D KH 2S")]
    assert backs(root) == 4 + 1
    assert root.text.index("Seat 2") < root.text.index("Seat 1")
    assert root.text.count("to move") == 1
    assert "40 cards left" in root.text
    assert drawn(read(table_html(game, seat=1, hide=True))) == [Card("KD")]
    with pytest.raises(ArgumentError, match="is not a seat"):
        table_html(game, seat=2)
    while game.expects == "move":
        game.play(game.legal_moves()[0])
    assert game.expects == "deal"
    root = read(table_html(game))
    assert sorted(drawn(root)) == sorted(game.public.floor)
    assert "40 cards left" in root.text


def test_hands_known_in_part() -> None:
    game = beside_a_table()
    game.deal([Cards("7D 5C"), Cards("KH")])
    root = read(table_html(game))
    assert drawn(root) == [Card("KH"), *Cards("3C 2H 5S KD"), *Cards("7D 5C")]
    assert backs(root) == 2 + 3 + 1


def test_seats_that_look() -> None:
    position = Position.setup("5S 9D / KH QC / 3C 4C", "5H 2C")
    root = read(table_html(position, seat=1, hide=True))
    assert drawn(root) == [*Cards("2C 5H"), *Cards("KH QC")]
    assert root.text.index("Seat 3") < root.text.index("Seat 1") < root.text.index("Seat 2")
    for seat in (-1, 3):
        with pytest.raises(ArgumentError, match="is not a seat"):
            table_html(position, seat=seat)


def test_what_stands_at_a_table() -> None:
    """Scores, the last capturer, whose turn it is; empty places; the end."""
    view = View(
        hand="7D 5C", floor="", seen="AS AH 2S 2H", last="them", match="61:84", points="3:10",
        deal=3, cards="10:14",
    )  # fmt: skip
    text = read(table_html(view)).text
    for said in ("nothing", "to move", "captured last", "10 cards captured", "61", "84"):
        assert said in text
    assert text.count("captured last") == 1
    partners = View(hand="7D 5C", floor="3C", partners=True, deal=1)
    assert "Your side" in read(table_html(partners)).text
    position = played(Table("palestine", 4, True), 5)
    assert "Seats 1 and 3" in read(table_html(position)).text
    while not position.is_over:
        position.play(position.legal_moves()[0])
    text = read(table_html(position)).text
    assert "over" in text
    assert "to move" not in text
    assert read(table_html(position, title="the <end>")).text.startswith("the <end>")


def test_directions() -> None:
    """Right to left in Arabic, and cards from left to right in it."""
    for piece in (table_html(HINT_VIEW, language=ARABIC), hint_html(HINT, ARABIC)):
        [outer] = read(piece).inside
        assert isinstance(outer, Node)
        assert (outer.attributes["lang"], outer.attributes["dir"]) == ("ar", "rtl")
        words = re.findall("[A-Za-z]{2,}", re.sub("\u2066[^\u2069]*\u2069", "", outer.text))
        assert not words
    [outer] = read(table_html(HINT_VIEW)).inside
    assert isinstance(outer, Node)
    assert (outer.attributes["lang"], outer.attributes["dir"]) == ("en", "ltr")


HINT_VIEW = View.from_notation(HINT.position)


# -- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("spoken", [ENGLISH, ARABIC], ids=["en", "ar"])
def test_hints(spoken: basra.language.Language) -> None:
    """The table, and a row for each move with its cards, its value and its reasons."""
    root = read(hint_html(HINT, spoken))
    rows = [node for node in root.all() if node.name == "tr"][1:]
    assert len(rows) == len(HINT.moves)
    for row, entry in zip(rows, HINT.moves, strict=True):
        assert drawn(row) == [entry.move.card, *entry.move.captures]
        assert entry.value is not None
        assert f"{entry.value:+.2f} ± {entry.stderr:.2f}" in row.text
        for reason in entry.reasons:
            assert reason_text(reason, spoken) in row.text.replace("\ufe0e", "")
    assert "worlds/2" in root.text
    assert "--rules" in root.text


def test_hints_of_equal_moves_and_for_the_match() -> None:
    view = View(hand="QC QD QH 4S", floor="3C 9H 5S TD", deal=1, match="61:84")
    answer = basra.hint(view, worlds=20)
    root = read(hint_html(answer, deck="two"))
    [queens] = [entry for entry in answer.moves if len(entry.equal) == 2]
    row = [node for node in root.all() if node.name == "tr"][1 + answer.moves.index(queens)]
    assert drawn(row) == [Card("QC"), Card("QD"), Card("QH")]
    assert len([node for node in row.all() if node.name == "td"]) == 5
    assert "%" in row.text


def test_solutions() -> None:
    answer = basra.solve(Position.setup("5S 9D / KH QC", "5H 2C"))
    root = read(solution_html(answer))
    assert answer.moves_known
    table, *_ = [node for node in root.all() if node.name == "table"]
    assert drawn(table) == [Card("5S"), Card("5H"), Card("9D")]
    answer.position.play("9D")  # a copy
    assert answer.position == Position.setup("5S 9D / KH QC", "5H 2C")
    assert table.text.count("+32") == 2
    assert "Best play:" in root.text
    assert "exact" in root.text
    three = basra.solve(Position.setup("5S 9D / KH QC / 3C 4C", "5H 2C"))
    assert "32:0:0" in read(solution_html(three)).text
    assert "لعب" in read(solution_html(answer, ARABIC)).text


def test_looking_at_a_solution_starts_no_long_search() -> None:
    """What was stopped is shown as far as it came."""
    position = Position.deal("classic", 2)
    answer = basra.solve(position, limits=basra.Limits(nodes=10))
    root = read(solution_html(answer))
    assert not answer.moves_known
    assert "Value: not reached" in root.text
    assert "not finished, stopped by: nodes" in root.text


@pytest.mark.parametrize("spoken", [ENGLISH, ARABIC], ids=["en", "ar"])
def test_matches(spoken: basra.language.Language) -> None:
    """A column for each side, the sum, a row for each round, and the table of the last."""
    match = Match(
        "classic", seed=3, seats=[Seat("Amal <3", "greedy"), Seat()], scores=(20, 11), first_round=4
    )
    match.play_on([Player("greedy")] * 2, rounds=2)
    match.next_round()
    root = read(match_html(match, spoken))
    rows = [
        [node.text for node in row.inside if isinstance(node, Node)]
        for row in root.all()
        if row.name == "tr"
    ]
    points = [[0, 0] if g.public.points is None else list(g.public.points) for g in match.games]
    assert rows[0][1].strip("\u2068\u2069") == "Amal <3"
    assert [row[1:] for row in rows[1:]] == [
        [spoken.isolate(number) for number in numbers]
        for numbers in (match.scores, (20, 11), *points)
    ]
    assert match.game is not None
    assert table_html(match.game, language=spoken) in match_html(match, spoken)
    if spoken is ENGLISH:
        assert rows[0][2] == "Seat 2"
        heads = ["match", "before", "round 4", "round 5", "round 6, so far"]
        assert [row[0] for row in rows[1:]] == heads
        assert "Winner" not in root.text


def test_ends_of_matches() -> None:
    """Before its first round, given up, won; partners."""
    match = Match("classic", seed=3)
    assert "Seat 1" in read(match_html(match)).text
    match.resign(0)
    text = read(match_html(match)).text
    assert "Given up: Seat 1" in text
    assert "Winner: Seat 2" in text
    four = Match("classic", seed=3, players=4, partners=True)
    four.play_on([Player("greedy")] * 4)
    text = read(match_html(four)).text
    assert four.winner is not None
    assert f"Winner: Seat {four.winner + 1} and Seat {four.winner + 3}" in text
    assert "Given up" not in text


def test_a_match_beside_a_table_shows_no_hidden_card() -> None:
    match = Match("classic")
    match.next_round(Cards("3C 2H 5S KD")).deal([Cards("7D 5C KH 2S"), None])
    root = read(match_html(match))
    assert sorted(drawn(root)) == sorted(Cards("3C 2H 5S KD 7D 5C KH 2S"))


# -- notebooks -----------------------------------------------------------------------------------


def test_notebooks() -> None:
    """All values show themselves."""
    position = Position.setup("5S 9D / KH QC", "5H 2C")
    solution = basra.solve(position)
    shown = {
        Card("7D"): card_html(Card("7D")),
        Cards("7D KH"): cards_html(Cards("7D KH")),
        HINT.best.move: move_html(HINT.best.move),
        HINT_VIEW: table_html(HINT_VIEW),
        HINT: hint_html(HINT),
        solution: solution_html(solution),
    }
    for value, piece in shown.items():
        assert value._repr_html_() == piece  # type: ignore[attr-defined]
        read(piece)
    assert position._repr_html_() == table_html(position)
    match = Match("classic", seed=1)
    assert match.next_round()._repr_html_() == table_html(match.games[0])
    assert match._repr_html_() == match_html(match)


def test_light_and_dark() -> None:
    """Text has its own ground, or no colour of its own, or one that can be read on both."""
    for piece in (hint_html(HINT), table_html(HINT_VIEW), move_html(HINT.best.move)):
        for node in read(piece).all():
            if node.text and "background" in node.style and "#" in node.style["background"]:
                assert "color" in node.style
            if "color" in node.style and "background" not in node.style:
                assert node.style["color"] in ("inherit", *(_luminous(piece)))


def _luminous(piece: str) -> list[str]:
    """Colours whose contrast with black and with white is at least 3, as WCAG reckons it."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    colours = set(re.findall("color:(#[0-9a-f]{6})", piece))
    return [c for c in colours if 1.05 / (light(c) + 0.05) >= 3 and (light(c) + 0.05) / 0.05 >= 3]


def test_pages_are_not_loaded_without_need() -> None:
    """Who does not look at HTML does not wait for it."""
    code = "import basra, sys; sys.exit('basra.html' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
