"""Languages: catalogues that are complete, which language is chosen, and what it says."""

from __future__ import annotations

import pickle
import random
import re
import shlex
import subprocess
import sys
from pathlib import Path
from string import Formatter

import pytest
from babel.messages import Catalog, Message
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po
from rich.cells import cell_len

import basra
import basra.language
from basra import Card, Limits, Position, Reason, View
from basra.cards import parse_cards
from basra.errors import ArgumentError
from basra.hint_words import notes, stop_text
from basra.language import ENGLISH, language, language_of, names
from basra.moves import parse_move, parse_moves
from basra.players import METHODS
from basra.reasons import CODES, reasons_for
from basra.results import STOPS
from basra.words import assumed_text, position_text, reason_text, table_text
from cli_helpers import README, answer, call, in_process, in_terminal, timeless
from helpers import TABLE_IDS, TABLES, Table, latin

ROOT = Path(__file__).resolve().parents[1]
LOCALE = ROOT / "src" / "basra" / "locale"
CATALOGUES = sorted(LOCALE.glob("*/LC_MESSAGES/basra.po"))
CODES_OF_CATALOGUES = [path.parts[-3] for path in CATALOGUES]
ARABIC = language("ar")

# A table of every kind, and a seat that has heard of plays.
HEARD = View(hand="KC 9H 2S 4D", floor="6C KH", seen="", played="KH", seat=2, deal=1)


def catalogue(path: Path) -> Catalog:
    with path.open("rb") as stream:
        return read_po(stream)


def messages(found: Catalog) -> dict[tuple[str | None, str], Message]:
    """Messages by context and text; the header is none."""
    return {(m.context, forms(m.id)[0]): m for m in found if m.id}


def forms(text: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


# -- catalogues ----------------------------------------------------------------------------------


def test_the_template_is_that_of_the_sources(tmp_path: Path) -> None:
    """The documented command finds what is in the template, no more and no less."""
    page = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
    [command] = re.findall("^pybabel extract .*$", page, re.M)
    made = tmp_path / "basra.pot"
    words = shlex.split(command.replace("src/basra/locale/basra.pot", str(made)))
    program = [sys.executable, "-m", "babel.messages.frontend"]
    subprocess.run([*program, *words[1:]], cwd=ROOT, check=True, capture_output=True, timeout=60)
    found, template = messages(catalogue(made)), messages(catalogue(LOCALE / "basra.pot"))
    assert found.keys() == template.keys(), f"run: {command}"
    for key, message in found.items():
        assert message.id == template[key].id


def test_there_is_a_catalogue() -> None:
    assert "ar" in CODES_OF_CATALOGUES


@pytest.mark.parametrize("path", CATALOGUES, ids=CODES_OF_CATALOGUES)
def test_catalogues_are_complete(path: Path) -> None:
    """Every message of the template, nothing fuzzy, every plural form, and the same gaps."""
    template, found = messages(catalogue(LOCALE / "basra.pot")), catalogue(path)
    assert messages(found).keys() == template.keys()
    assert not found.obsolete
    assert not found.fuzzy
    assert found.num_plurals == get_plural(path.parts[-3]).num_plurals
    for key, message in messages(found).items():
        assert not message.fuzzy, key
        wanted, told = forms(template[key].id), forms(message.string or "")
        assert len(told) == (found.num_plurals if len(wanted) > 1 else 1), key
        assert all(text.strip() for text in told), key
        # A form for one or two may say the count in a word; the last says it in digits.
        for text in told[:-1]:
            assert gaps(wanted[-1]) - gaps(text) <= {"count", "worlds"}, key
            assert gaps(text) <= gaps(wanted[-1]), key
        assert gaps(told[-1]) == gaps(wanted[-1]), key


def test_arabic_has_six_plural_forms() -> None:
    found = catalogue(LOCALE / "ar" / "LC_MESSAGES" / "basra.po")
    assert found.num_plurals == 6
    said = [
        ARABIC.ngettext("{count} point", "{count} points", count).format(count=count)
        for count in (0, 1, 2, 3, 11, 100)
    ]
    assert said == ["بلا نقاط", "نقطة واحدة", "نقطتان", "3 نقاط", "11 نقطة", "100 نقطة"]


@pytest.mark.parametrize("path", CATALOGUES, ids=CODES_OF_CATALOGUES)
def test_catalogues_are_compiled(path: Path) -> None:
    """What the package says is what stands in the catalogue: else compile it anew."""
    found = language(path.parts[-3])
    for (context, text), message in messages(catalogue(path)).items():
        if isinstance(message.string, str):
            said = found.pgettext(context, text) if context else found.gettext(text)
            assert said == message.string, "run: pybabel compile -d src/basra/locale -D basra"


# -- which language ------------------------------------------------------------------------------


def test_names() -> None:
    assert names() == ["en", *CODES_OF_CATALOGUES]


@pytest.mark.parametrize("code", ["ar", "AR", "ar-EG", "ar_EG.UTF-8", "ar_SY@latin"])
def test_codes_of_arabic(code: str) -> None:
    found = language(code)
    assert (found.code, found.direction, found.name) == ("ar", "rtl", "العربية")


def test_english() -> None:
    found = language("en_US")
    assert (found.code, found.direction, found.name) == ("en", "ltr", "English")
    assert found == ENGLISH
    assert found.isolate("+1") == "+1"


@pytest.mark.parametrize("code", ["xx", "", "arabic", "../ar", "ar/..", "a" * 999, "e\0n"])
def test_unknown_codes(code: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        language(code)
    assert caught.value.field == "lang"
    assert caught.value.fix == "use en, ar"


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "ar_EG.UTF-8"}, "ar"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LC_MESSAGES": "ar", "LANG": "en_US.UTF-8"}, "ar"),
        ({"LC_ALL": "en_GB", "LC_MESSAGES": "ar", "LANG": "ar"}, "en"),
        ({"LC_ALL": "", "LANG": "ar"}, "ar"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:ar"}, "ar"),
        ({"LANGUAGE": "ar"}, "ar"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "ar"}, "ar"),
        ({"LANG": "C", "LANGUAGE": "ar"}, "en"),
        ({"LC_ALL": "POSIX", "LANG": "ar"}, "en"),
        ({"LANG": "../../etc"}, "en"),
    ],
)
def test_languages_of_locales(environment: dict[str, str], code: str) -> None:
    assert language_of(environment).code == code


def test_a_language_is_a_value() -> None:
    again = pickle.loads(pickle.dumps(ARABIC))
    assert again == ARABIC
    assert hash(again) == hash(ARABIC)
    assert again.gettext("exact") == ARABIC.gettext("exact") != "exact"
    assert ARABIC != ENGLISH
    with pytest.raises(AttributeError):
        ARABIC.code = "en"  # type: ignore[misc]


def test_a_catalogue_that_is_not_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """English, and not a word about it."""
    (tmp_path / "locale" / "qx" / "LC_MESSAGES").mkdir(parents=True)
    monkeypatch.setattr(basra.language, "files", lambda _: tmp_path)
    assert names() == ["en", "qx"]
    found = language("qx")
    assert (found.code, found.direction, found.gettext("exact")) == ("qx", "ltr", "exact")
    monkeypatch.setattr(basra.language, "files", lambda _: tmp_path / "nowhere")
    assert names() == ["en"]
    assert language_of({"LANG": "ar"}) == ENGLISH


# -- reasons -------------------------------------------------------------------------------------

SAID = {
    Reason("basra", ("2H", "3C"), 10): "basra now, 10 points",
    Reason("basra", ("2H",), 1): "basra now, 1 point",
    Reason("takes", ("2H", "3C", "5S"), 3, played="5S"): "takes 2 cards (2♥ 3♣)",
    Reason("takes", ("2H", "2S"), 2, played="2S"): "takes 1 card (2♥)",
    Reason("points", ("TD",), 3): "3 card points now",
    Reason("reply_basra", ("8C", "8D"), 0.324): "next player can make a basra: 32%, with 8♣ 8♦",
    Reason("reply_sweep", ("JC",), 1.0): "next player can take the whole floor: 100%, with J♣",
    Reason("belief", ("6D", "KC"), 0.2, "reply_basra", "KH"): (
        "did not take with 6 or K, but laid down K♥: rather 20%"
    ),
    Reason("belief", ("6D",), 0.4, "reply_basra"): (
        "after what it played, rather 40% that it can make a basra"
    ),
    Reason("belief", ("JD",), 0.4, "reply_sweep"): (
        "after what it played, rather 40% that it can take the whole floor"
    ),
    Reason("last_copy", ("7S",), 3): "last 7: no other is left to match it",
    Reason("power_kept", ("7D", "JS"), 2): "keeps 7♦ J♠",
    Reason("power_risked", ("JS",), 1, "floor"): "lays J♠ on the floor, where it can be taken",
    Reason("power_risked", ("JS",), 1, "hand"): (
        "leaves J♠ as the last card, to be played even on an empty floor"
    ),
}


def test_every_code_is_said() -> None:
    assert {reason.code for reason in SAID} == set(CODES)


@pytest.mark.parametrize("reason", SAID, ids=lambda reason: f"{reason.code}-{reason.about}")
def test_reasons_from_their_facts(reason: Reason) -> None:
    """English comes from code and facts alone; Arabic has the same cards and figures."""
    assert reason_text(reason) == reason.text == SAID[reason]
    arabic = reason_text(reason, ARABIC)
    assert re.search("[\u0600-\u06ff]", arabic)
    assert not latin(arabic)
    cards = r"[A2-9TJQK][♣♦♥♠]|\d+%"
    assert re.findall(cards, arabic) == re.findall(cards, reason.text)
    for found in re.finditer(cards, arabic):
        assert arabic[found.start() - 1] == "\u2066"
        assert arabic[found.end()] == "\u2069"


@pytest.mark.parametrize("table", TABLES, ids=TABLE_IDS)
def test_whole_rounds_in_arabic(table: Table) -> None:
    """No reason and no line about a table stays English."""
    position = Position.deal(table.preset, 3, players=table.players, partners=table.partners)
    dice = random.Random(5)
    while not position.is_over:
        view = position.view()
        said = [table_text(view, ARABIC), position_text(position, ARABIC)]
        moves = position.legal_moves()
        said += [reason_text(r, ARABIC) for move in moves for r in reasons_for(view, move)]
        assert not any(map(latin, said))
        position.play(dice.choice(moves))
    assert not latin(position_text(position, ARABIC))


def test_notes_in_arabic() -> None:
    """How a hint was found, by every method, and everything that was assumed."""
    for method in METHODS:
        found = basra.hint(HEARD, method=method, limits=Limits(worlds=8))
        assert not any(map(latin, notes(found, HEARD, ARABIC))), method
    assert not any(latin(stop_text(stop, ARABIC)) for stop in STOPS)
    known = [
        View(hand="7D 5C", floor="3C 2H"),
        View(hand="2C 5D", floor="3C", rules="palestine", players=4),
    ]
    for view in known:
        for name, text in view.assumed.items():
            assert text == assumed_text(view, name)
            assert not latin(assumed_text(view, name, ARABIC)), name


# -- the command ---------------------------------------------------------------------------------


def test_arabic_hint() -> None:
    """All of it, and the same cards, moves and figures as in English."""
    english, arabic = call(*README), call(*README, "--lang", "ar")
    assert (arabic.code, arabic.err) == (0, "")
    assert not latin(arabic.out)
    assert "الأفضل" in arabic.out
    figures = r"[-+]\d+\.\d\d ± \d+\.\d\d|[A2-9TJQK][CDHS]x[A-Z0-9*]+"
    assert re.findall(figures, arabic.out) == re.findall(figures, english.out)
    assert len(re.findall(figures, arabic.out)) > 6


@pytest.mark.parametrize("words", [README, [*README, "--match", "61:84"]], ids=["points", "match"])
def test_columns_are_aligned(words: list[str]) -> None:
    """Numbers end in the column where their heading does, by what a terminal makes of it."""
    lines = call(*words, "--lang", "ar").out.splitlines()
    [head] = [line for line in lines if "اللعبة" in line]
    end = cell_len(head[: head.index("النقاط") + len("النقاط")])
    rows = [line for line in lines if re.match(r"^ \d ", line)]
    assert len(rows) == 4
    for row in rows:
        ends = [
            cell_len(row[: found.end()])
            for found in re.finditer("\u2066[^\u2069]*± [^\u2069]*\u2069", row)
        ]
        assert end in ends


def test_json_is_not_translated() -> None:
    assert timeless(answer(*README, "--lang", "ar")) == timeless(answer(*README))


def test_unknown_languages_are_refused() -> None:
    found = call(*README, "--lang", "xx", "--json")
    assert found.code == 2
    assert (found.error["field"], found.error["value"]) == ("lang", "xx")
    assert found.error["fix"] == "use en, ar"


def test_the_locale_decides() -> None:
    english = call(*README).out.splitlines()[0]
    arabic = call(*README, "--lang", "ar").out.splitlines()[0]
    assert in_process(*README, LANG="ar_EG.UTF-8").out.splitlines()[0] == arabic
    assert in_process(*README, LANG="ar", LC_ALL="C", LANGUAGE="ar").out.splitlines()[0] == english
    assert in_process(*README, "--lang", "en", LANG="ar").out.splitlines()[0] == english


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_outputs_without_arabic_letters(encoding: str) -> None:
    """English then, not question marks."""
    found = in_process(*README, "--lang", "ar", PYTHONIOENCODING=encoding)
    assert (found.code, found.err) == (0, "")
    assert "best" in found.out
    assert "\u2066" not in found.out
    assert "?" not in found.out


def test_outputs_with_arabic_letters_and_no_signs() -> None:
    """Letters for suits, and no marks that it has not got."""
    found = in_process(*README, "--lang", "ar", PYTHONIOENCODING="cp1256:strict")
    assert (found.code, found.err) == (0, "")
    assert "(2H 3C 5S)" in found.out


def test_what_is_printed_can_be_typed_again() -> None:
    """Marks that come along when text is copied are no part of it."""
    arabic = call(*README, "--lang", "ar").out
    [text, *_] = re.findall("\u2066[^\u2069]*x[^\u2069]*\u2069", arabic)
    assert parse_move(text).text == parse_move(text[1:-1]).text
    assert parse_cards("\u20667♦\u2069 \u200f5C\u200e") == [Card("7D"), Card("5C")]
    assert [m.text for m in parse_moves(f"\u20665D\u2069 {text}")] == ["5D", "5Cx2H3C5S"]


def test_arabic_on_terminals() -> None:
    """Wide and narrow; a move is a sentence there."""
    pytest.importorskip("pty", reason="needs pseudo-terminals")
    for columns in ("100", "60"):
        seen = in_terminal(*README, "--lang", "ar", COLUMNS=columns)
        plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.terminal)
        assert seen.code == 0
        assert not latin(plain)
        assert "\u20665♣\u2069 تأخذ \u20662♥\u2069 \u20663♣\u2069 \u20665♠\u2069 *" in plain


# -- decks ---------------------------------------------------------------------------------------


def colours(*words: str, deck: str = "") -> dict[str, str]:
    """The colour codes of the suits on a terminal, with BASRA_DECK or without."""
    pytest.importorskip("pty", reason="needs pseudo-terminals")
    screen = in_terminal(*README, *words, BASRA_DECK=deck).terminal
    found = {}
    for suit, card in zip("SCDH", ("2♠", "5♣", "7♦", "K♥"), strict=True):
        before = screen[: screen.index(card)]
        found[suit] = re.findall(r"\x1b\[([0-9;]*)m", before)[-1]
    return found


def test_decks() -> None:
    """Four colours unless two are asked for, by the option or for good."""
    four, two = colours("--deck", "four"), colours("--deck", "two")
    assert len(set(four.values())) == 4
    assert two["S"] == two["C"] == four["S"]
    assert two["D"] == two["H"] == four["H"]
    assert colours() == four
    assert colours(deck="two") == two
    assert colours("--deck", "four", deck="two") == four


def test_unknown_decks_are_refused() -> None:
    found = call(*README, "--deck", "three", "--json")
    assert found.code == 2
    assert (found.error["field"], found.error["value"]) == ("deck", "three")
    assert found.error["fix"] == "use two or four"
    assert in_process(*README, BASRA_DECK="three").code == 2


def test_languages_are_handed_on() -> None:
    """Two by turns: no language is in force anywhere."""
    reason = next(iter(SAID))
    said = [reason_text(reason, found) for found in (ARABIC, ENGLISH, ARABIC, ENGLISH)]
    assert said[0] == said[2] != said[1] == said[3]
