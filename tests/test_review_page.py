"""The page of a review: well formed, nothing loaded, and as it looks in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import browser
from basra import ArgumentError, Match, Review, Seat, View, read_record, review
from basra.html.charts import lead_lines
from basra.html.review_page import balance, review_html
from basra.language import ENGLISH
from basra.review_words import seat_text
from review_helpers import match_of, people

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "docs" / "examples" / "round.txt"
PHONE, DESK = (390, 844), (1280, 800)
VOID = ("meta",)


@pytest.fixture(scope="module")
def example() -> Review:
    """The review of the documents' example."""
    return review(read_record(EXAMPLE))


@pytest.fixture(scope="module")
def match() -> Review:
    """Of some rounds of a match."""
    return review(people(match_of("casual", "learner", seed=11, rounds=2).record()))


@pytest.fixture(scope="module")
def partners() -> Review:
    """Of a table of four."""
    return review(match_of(*["greedy"] * 4, partners=True, seed=3))


@pytest.fixture(scope="module")
def singles() -> Review:
    """Of three single players, one of them reviewed."""
    table = match_of("greedy", "greedy", "greedy", rules="palestine-52", seed=3)
    return review(table, seats=[0, 2])


class Strict(HTMLParser):
    """Reads a page: every element is closed in its order, attributes are there once."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        self.names.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)

    def values(self, name: str) -> Iterator[str]:
        return (value for key, value in self.attributes if key == name)


@pytest.mark.parametrize("which", ["example", "match", "partners", "singles"])
@pytest.mark.parametrize("lang", ["en", "ar"])
def test_well_formed_and_alone(which: str, lang: str, request: pytest.FixtureRequest) -> None:
    """One file: no script, nothing loaded, links lead to what is in it."""
    page = request.getfixturevalue(which).html(lang)
    read = Strict(page)
    assert page.startswith("<!DOCTYPE html>\n<html")
    assert read.names[:2] == ["html", "head"]
    assert not {"script", "link", "img", "iframe", "object", "video"} & set(read.names)
    assert not {"src", "srcset", "data", "action"} & {name for name, _ in read.attributes}
    assert not any(name.startswith("on") for name, _ in read.attributes)
    assert not re.search(r"https?:|url\(|@import|//", page)
    ids = list(read.values("id"))
    assert len(set(ids)) == len(ids)
    for target in read.values("href"):
        assert target.startswith("#")
        assert target[1:] in ids
    assert next(read.values("lang")) == lang
    assert next(read.values("dir")) == {"en": "ltr", "ar": "rtl"}[lang]
    assert "None" not in read.text
    assert "{" not in read.text


def test_what_the_page_shows(example: Review) -> None:
    """Every number of the review that people look for, once each round, decision and moment."""
    read = Strict(example.html())
    assert read.names.count("h1") == 1
    assert "Salma against Karim" in read.text
    assert "Round 1: 4:49" in read.text
    # Each chart for a phone and for a desk.
    assert read.names.count("svg") == 4
    assert list(read.values("class")).count("narrow") == 2
    assert read.names.count("circle") == 2 * len(example.marked)
    assert read.names.count("tr") == 1 + len(example.decisions)
    assert list(read.values("class")).count("card moment") == len(example.moments)
    costs = [d for d in example.decisions if d.loss and d.loss > 0]
    bars = len(list(balance(example, example.rounds[0], ENGLISH)))
    # Bars, and nothing else, are rectangles.
    assert read.names.count("rect") == 2 * (len(costs) + bars)
    for decision in example.marked:
        assert f"{decision.loss:.1f}" in read.text
    assert "With all cards known to everybody" in read.text


def test_a_moment_shows_what_the_seat_saw(example: Review) -> None:
    """Its own hand and the floor; of the other hand the backs alone."""
    moment = next(moment for moment in example.moments if moment.kind == "cost")
    decision = example.decision(moment)
    page = example.html()
    start = page.index(f'id="round-1-ply-{moment.ply}"')
    section = Strict(page[page.rindex("<section", 0, start) : page.index("</section>", start) + 10])
    assert decision.view is not None
    hidden = decision.view.unseen
    assert hidden
    table = section.text[: section.text.index("Round 1")]
    for card in decision.view.hand | decision.view.floor:
        assert card.sign[0].replace("T", "10") + card.sign[1] in table
    for card in hidden - decision.view.hand - decision.view.floor:
        assert card.sign[0].replace("T", "10") + card.sign[1] not in table


def test_lines_and_balance(example: Review) -> None:
    """The chart's line begins before the first deal and ends at the result; bars add up to it."""
    [now] = example.rounds
    assert now.points is not None
    [line] = lead_lines(example, now).values()
    assert line[0] == (0, now.deals[0].before[0] if now.deals[0].before else None)
    assert line[-1] == (48, now.points[0] - now.points[1])
    assert [ply for ply, _ in line] == sorted(ply for ply, _ in line)
    bars = list(balance(example, now, ENGLISH))
    assert bars[-1].value == now.points[0] - now.points[1]
    parts = [bar.value for bar in bars if bar.kind.split()[0] in ("marks", "rest")]
    luck = sum(bar.value for bar in bars if bar.kind == "luck")
    assert luck + sum(parts) == pytest.approx(bars[-1].value)


def test_leads_are_those_of_the_first_seat_reviewed(example: Review) -> None:
    """So that up is good for who looks."""
    theirs = review(read_record(EXAMPLE), seats=[1])
    assert (example.side, theirs.side) == (0, 1)
    [line] = lead_lines(theirs, theirs.rounds[0]).values()
    assert theirs.rounds[0].points == (4, 49)
    assert line[-1] == (48, 45)
    [mine] = lead_lines(example, example.rounds[0]).values()
    assert mine[-1] == (48, -45)
    assert "lead of Karim" in Strict(theirs.html()).text
    assert "lead of Salma" not in Strict(theirs.html()).text
    bars = list(balance(theirs, theirs.rounds[0], ENGLISH))
    assert bars[-1].value == 45
    lost = theirs.seats[0].lost
    assert lost > 0
    assert any(bar.value == -lost for bar in bars if bar.kind.startswith("marks"))


def test_nothing_to_draw() -> None:
    """A round just begun, and a record without one."""
    match = Match("classic", seed=3)
    assert Strict(review(match).html()).text
    game = match.next_round()
    game.play(game.legal_moves()[0])
    page = Strict(review(match).html())
    assert "Round 1, not finished" in page.text


def test_names_are_text(example: Review) -> None:
    """Whatever people call themselves."""
    odd = replace(example, names=(Seat('<b onclick="x">&'), Seat("\u202eسلمى\x07")))
    page = odd.html("en")
    assert "b" not in Strict(page).names or "&lt;b onclick" in page
    assert "<b onclick" not in page
    assert "\u202e" not in page
    assert "\x07" not in page
    assert seat_text(odd, 1) == "\u2068سلمى\u2069"


def test_notebooks_and_arguments(example: Review) -> None:
    """A piece for notebooks, whose styles are for it alone; languages and decks are looked at."""
    piece = example._repr_html_()
    assert piece == review_html(example)
    assert Strict(piece).names[:2] == ["div", "style"]
    style = piece[piece.index("<style>") + 7 : piece.index("</style>")]
    rules = re.findall(r"([^{}]+)\{[^{}]*\}", re.sub(r"@media[^{]*\{", "", style))
    selectors = [part.strip() for rule in rules for part in rule.split(",")]
    assert len(selectors) > 50
    assert all(part.startswith(".basra-review") for part in selectors)
    with pytest.raises(ArgumentError):
        example.html("xx")
    with pytest.raises(ArgumentError):
        example.html(deck="five")
    two, four = example.html(deck="two"), example.html(deck="four")
    assert two != four


def test_messages_are_translated(example: Review, match: Review) -> None:
    """No English words are left in Arabic, but for names of rules, players and methods."""
    for found in (example, match):
        text = Strict(found.html("ar")).text
        words = set(re.findall(r"[A-Za-z]{3,}", text))
        assert words <= {"classic", "Salma", "Karim", "best", "expectimax"}


# -- in a browser --------------------------------------------------------------------------------

needs_browser = pytest.mark.skipif(
    browser.binary() is None,
    reason="no Chromium or Chrome: apt-get install chromium, or name one in BASRA_BROWSER",
)


@needs_browser
@pytest.mark.parametrize("lang", ["en", "ar"])
def test_in_a_browser(lang: str, example: Review, match: Review, tmp_path: Path) -> None:
    """On a phone and on a desk: nothing to scroll sideways, letters of a size to read, each chart
    once, words from the side where the language begins, nothing loaded, a silent console."""
    for number, found in enumerate((example, match)):
        folder = tmp_path / str(number)
        folder.mkdir()
        measured, console = browser.look(found.html(lang), [PHONE, DESK], folder)
        assert console == []
        charts = 2 * len(found.rounds) + (found is match)
        for (width, _), size in zip((PHONE, DESK), measured, strict=True):
            assert size["width"] <= width
            assert size["scroll"] <= size["width"]
            assert size["beyond"] == []
            assert size["smallest"] >= 9.5
            assert size["drawn"] == charts
            assert size["loaded"] == 0
            assert size["direction"] == {"en": "ltr", "ar": "rtl"}[lang]
            begins, ends = size["left"], size["right"]
            if lang == "ar":
                begins, ends = ends, begins
            assert abs(begins) < 3
            assert ends > 20


@needs_browser
def test_the_browser_would_tell(tmp_path: Path) -> None:
    """A page that is too wide, with small letters, an error and a picture, is seen to be so."""
    page = (
        '<!DOCTYPE html><html lang="en"><body><h1>Wide</h1>'
        '<p style="width:900px;font-size:5px">a</p>'
        '<img src="data:image/png;base64,xx"><script>console.error("wrong")</script></body></html>'
    )
    [phone], console = browser.look(page, [PHONE], tmp_path)
    assert phone["scroll"] > phone["width"]
    assert phone["smallest"] == 5
    assert any("wrong" in line for line in console)


def test_views_are_those_of_notations(example: Review) -> None:
    """What is drawn can be drawn again from the JSON."""
    for decision in example.decisions[:5]:
        assert decision.view is not None
        assert View.from_notation(decision.view.notation) == decision.view
