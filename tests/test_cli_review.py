"""`basra review FILE`: what it prints, its JSON and its page, the quiz, and what it refuses."""

from __future__ import annotations

import io
import random
import re
import sys
from pathlib import Path
from unittest import mock

import pytest

from basra import Card, Limits, Record, Seat, parse_move, read_record, review, write_record
from cli_helpers import Answer, call, in_process, in_terminal, strict_json, timeless
from helpers import latin
from review_helpers import match_of, people
from test_cli_terminal import interrupt

EXAMPLE = Path(__file__).parent.parent / "docs" / "examples" / "round.txt"
ROUND = read_record(EXAMPLE)
FOUND = review(ROUND)


def answers(text: str, *words: str) -> Answer:
    """`basra review EXAMPLE --quiz`, with lines to read."""
    with mock.patch.object(sys, "stdin", io.StringIO(text)):
        return call("review", str(EXAMPLE), "--quiz", *words)


# -- what is printed -----------------------------------------------------------------------------


def test_json_is_the_reviews() -> None:
    """All of it, but for how long it took."""
    found = call("review", str(EXAMPLE), "--json").json
    assert timeless(found) == timeless(FOUND.to_dict())


def test_what_is_printed() -> None:
    """Every mark with its loss and the second opinion; counts, luck, moments and the scale."""
    text = call("review", str(EXAMPLE)).out
    assert text.startswith("classic: Salma against Karim\n")
    assert "Round 1: 4:49" in text
    [now] = FOUND.rounds
    rows = {row.split()[0]: row.split() for row in text.splitlines() if re.match(r" +\d+   ", row)}
    assert set(rows) == {str(decision.ply) for decision in FOUND.marked}
    for decision in FOUND.marked:
        row = rows[str(decision.ply)]
        assert decision.best is not None
        assert row[1] == ("Salma", "Karim")[decision.seat]
        assert row[2:4] == [decision.played.text, decision.best.text]
        assert row[4] == f"{decision.loss:.1f}"
        assert decision.verdict in row
        ply = now.open_ply(decision)
        assert ply is not None
        assert row[-1] == f"{ply.loss:.1f}"
    unbroken = re.sub(r"\s+", " ", text)
    for seat in FOUND.seats:
        assert f"{seat.name}: marks cost {seat.lost:.1f} points" in text
        for verdict, count in seat.counts:
            if verdict in ("inaccuracy", "mistake", "blunder", "forced", "best"):
                assert f"{verdict} {count}" in unbroken or not count
    luck = now.luck()
    assert luck is not None
    assert f"Luck of Salma: {luck[0]:+.1f} ± {now.luck_stderr:.1f}; by deal" in text
    assert text.count("round 1, ply ") == len(FOUND.moments)
    assert "for what the seat knew" in text
    assert "with all cards known to everybody" in unbroken
    assert "inaccuracy from 1 point lost, mistake from 4, blunder from 10" in text


def test_options_are_those_of_the_package() -> None:
    """Seats, method, limits, seed, trust, model."""
    found = call(
        "review", str(EXAMPLE), "--seat", "2", "--method", "worlds", "--worlds", "12",
        "--seed", "9", "--trust", "50", "--model", "none", "--threads", "2", "--json",
    ).json  # fmt: skip
    wanted = review(
        ROUND, seats=[1], method="worlds", limits=Limits(worlds=12), seed=9, trust=50, model=None
    )
    assert timeless(found) == timeless(wanted.to_dict())
    both = call("review", str(EXAMPLE), "--seat", "2", "--seat", "1", "--nodes", "9", "--json").json
    assert [seat["seat"] for seat in both["seats"]] == [1, 2]


def test_in_arabic() -> None:
    """And the JSON is in no language."""
    text = call("review", str(EXAMPLE), "--seat", "2", "--lang", "ar").out
    assert "اللحظات الفاصلة" in text
    assert "Marks" not in text
    english = call("review", str(EXAMPLE), "--seat", "2", "--json").json
    arabic = call("review", str(EXAMPLE), "--seat", "2", "--json", "--lang", "ar").json
    assert timeless(arabic) == timeless(english)


def test_a_match(tmp_path: Path) -> None:
    """Losses are chances there."""
    record = people(match_of("casual", "learner", seed=11, rounds=2).record())
    write_record(record, tmp_path / "match.json")
    text = call("review", str(tmp_path / "match.json"), "--seat", "1").out
    assert "of winning chance, " in text
    assert "from 0.5 % of winning chance lost" in text
    assert "Round 2" in text


def test_no_marks(tmp_path: Path) -> None:
    """A round that full played with itself."""
    write_record(match_of("full", "full", seed=3).record(), tmp_path / "full.txt")
    text = call("review", str(tmp_path / "full.txt")).out
    assert "No marks." in text
    assert "marks cost 0.0 points" in text
    quiz = call("review", str(tmp_path / "full.txt"), "--quiz").out
    assert "nothing to ask" in quiz


def test_progress(tmp_path: Path) -> None:
    """On a terminal, once it takes more than a second; and no code of it is left in pipes."""
    write_record(match_of(*["greedy"] * 4, partners=True).record(), tmp_path / "four.txt")
    slow = ["--worlds", "100000", "--time", "0.2", "--seat", "1", "--seat", "2"]
    screen = in_terminal("review", str(tmp_path / "four.txt"), *slow, both=False)
    assert screen.code == 0
    assert "decisions, " in screen.terminal
    assert "\x1b" not in screen.out
    quick = in_terminal("review", str(EXAMPLE), "--method", "greedy", both=False)
    assert quick.terminal == ""


def test_interrupted(tmp_path: Path) -> None:
    """Exit code 130; what was found so far is printed, the rest counted as not reached."""
    write_record(match_of(*["greedy"] * 4, partners=True).record(), tmp_path / "four.txt")
    stopped = interrupt(["review", str(tmp_path / "four.txt"), "--worlds", "3000", "--json"], 1.0)
    assert stopped.code == 130
    assert stopped.err.strip() == ""
    found = strict_json(stopped.out)
    assert found["stop"] == "interrupted"
    assert sum(seat["decisions"] for seat in found["seats"]) == 48
    assert sum(seat["verdicts"]["unreached"] for seat in found["seats"]) > 10


# -- the page ------------------------------------------------------------------------------------


def test_page(tmp_path: Path) -> None:
    """Written whole, in the language and with the deck asked for, beside what is printed."""
    page = tmp_path / "page.html"
    found = call("review", str(EXAMPLE), "--html", str(page), "--lang", "ar", "--deck", "two")
    assert found.code == 0
    assert str(page) in found.out.replace("\n", "")
    assert page.read_text(encoding="utf-8") == FOUND.html("ar", "two")
    as_json = call("review", str(EXAMPLE), "--html", str(page), "--json").json
    assert as_json["schema"] == "basra.game-review/1"
    assert page.read_text(encoding="utf-8") == FOUND.html()
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_page_has_the_letters_that_the_terminal_lacks(tmp_path: Path) -> None:
    """A file is UTF-8 whatever the output is."""
    page = tmp_path / "page.html"
    words = ["review", str(EXAMPLE), "--html", str(page), "--lang", "ar", "--seat", "1"]
    found = in_process(*words, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert found.code == 0
    assert "Key moments" in found.out
    assert 'dir="rtl"' in page.read_text(encoding="utf-8")


# -- the quiz ------------------------------------------------------------------------------------


def test_quiz() -> None:
    """The best moves: all found, nothing lost; the table as the seat saw it, and no more."""
    best = [decision.moves[0].move.text.rstrip("*") for decision in FOUND.marked]
    told = answers("\n".join(best) + "\n")
    assert told.code == 0
    count = len(best)
    lost = sum(decision.loss or 0 for decision in FOUND.marked)
    assert f"{count} of {count} found, {count} answered: 0.0 points lost, {lost:.1f} in" in told.out
    parts = re.split(r"\n\d+ of \d+: ", told.out)[1:]
    assert len(parts) == count
    for part, decision in zip(parts, FOUND.marked, strict=True):
        view = decision.view
        assert view is not None
        asked, _, after = part.partition("Your move:")
        assert f"Your hand: {view.hand}" in asked
        assert f"Floor: {view.floor or 'nothing'}" in asked
        seen = {Card(text) for text in re.findall(r"\b[A2-9TJQK][CDHS]\b", asked)}
        assert not seen & set(view.unseen)
        assert "best: 0.0 points behind" in after
        assert f"In the game: {decision.played.text}" in after


def test_quiz_again_wrong() -> None:
    """The moves of the game, by their numbers: they cost what they cost then."""
    lines = []
    for decision in FOUND.marked:
        assert decision.view is not None
        lines.append(str(1 + decision.view.legal_moves().index(decision.played)))
    told = answers("\n".join(lines))
    lost = f"{sum(decision.loss or 0 for decision in FOUND.marked):.1f}"
    assert (
        f"0 of {len(lines)} found, {len(lines)} answered: {lost} points lost, {lost} in" in told.out
    )
    for decision in FOUND.marked:
        assert f"{decision.verdict}: {decision.loss:.1f} points behind the best" in told.out


def test_quiz_reads_what_is_typed() -> None:
    """What is no move is asked again, an empty line leaves out, the input's end ends it."""
    first = FOUND.marked[0]
    told = answers(f"foo\n99\n9C\n{first.moves[0].move.text}\n\n")
    assert told.code == 0
    assert "foo is not a move" in told.out
    assert "9C" in told.out
    assert "Left out." in told.out
    assert f"1 of {len(FOUND.marked)} found, 1 answered" in told.out
    assert "0 answered" in answers("").out
    arabic = answers("1\n", "--lang", "ar", "--seat", "2").out
    assert "لعبتك" in arabic


def test_quiz_refuses_in_its_language() -> None:
    """And asks again."""
    wrong = "foo\n?\n9C\n2cxk\n"
    told = answers(wrong).out
    assert "foo is not a move; type a card, such as 8S or 8, or with what it takes" in told
    arabic = answers(wrong, "--lang", "ar").out
    why = "ليست لعبة|لا يمكن لعبها|غير مسموحة"
    said = [line for line in arabic.splitlines() if re.search(why, line)]
    assert len(said) == 4
    assert not any(map(latin, said))


def test_quiz_interrupted() -> None:
    """The score so far is told."""
    stdin = mock.Mock(isatty=lambda: False)
    first = FOUND.marked[0].moves[0].move.text
    stdin.readline.side_effect = [f"{first}\n", KeyboardInterrupt]
    with mock.patch.object(sys, "stdin", stdin):
        told = call("review", str(EXAMPLE), "--quiz")
    assert told.code == 130
    assert f"1 of {len(FOUND.marked)} found, 1 answered" in told.out


def test_other_moves_are_judged() -> None:
    """What the quiz says of a move that nobody played; and of none."""
    for decision in FOUND.marked:
        for entry in decision.moves:
            verdict, loss = decision.judged(entry.move)
            assert verdict == ("best" if entry is decision.moves[0] else verdict)
            if entry.move != decision.played:
                assert loss == entry.delta
        with pytest.raises(ValueError, match="not a move"):
            decision.judged(parse_move("2C" if decision.ply != 1 else "9C"))


# -- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ([], "file"),
        (["no such file"], "file"),
        ([str(EXAMPLE), "--seat", "3"], "seat"),
        ([str(EXAMPLE), "--seat", "0"], "seat"),
        ([str(EXAMPLE), "--method", "policy"], "method"),
        ([str(EXAMPLE), "--method", "foo"], "method"),
        ([str(EXAMPLE), "--worlds", "0"], "worlds"),
        ([str(EXAMPLE), "--trust", "-1"], "trust"),
        ([str(EXAMPLE), "--seed", "-1"], "seed"),
        ([str(EXAMPLE), "--threads", "0"], "threads"),
        ([str(EXAMPLE), "--table", "0"], "table"),
        ([str(EXAMPLE), "--model", "no such file"], "model"),
        ([str(EXAMPLE), "--lang", "xx"], "lang"),
        ([str(EXAMPLE), "--deck", "five"], "deck"),
        ([str(EXAMPLE), "--quiz"], "quiz"),
        ([str(EXAMPLE), "--position", "x"], "file"),
        (["--position", "x", "--seat", "1"], "seat"),
        (["--position", "x", "--quiz"], "quiz"),
        (["--position", "x", "--html", "y"], "html"),
        (["--position", "x", "--seed", "0"], "seed"),
        (["--position", "x", "--trust", "0"], "trust"),
        ([str(EXAMPLE), "--html", "/no/such/folder/x.html", "--method", "greedy"], "html"),
        ([str(EXAMPLE), "--html", "/", "--method", "greedy"], "html"),
    ],
)
def test_refused(words: list[str], field: str) -> None:
    """With the option that is wrong, and nothing on stdout."""
    found = call("review", *words, "--json")
    assert found.code == 2
    assert found.out == ""
    assert found.error["field"] == field
    assert found.error["fix"]


def test_a_record_that_is_wrong(tmp_path: Path) -> None:
    """Said with the place in the file."""
    text = EXAMPLE.read_text(encoding="utf-8")
    broken = tmp_path / "broken.txt"
    broken.write_text(text.replace("1 6Cx2D4D6D", "1 6Cx2D"), encoding="utf-8")
    found = call("review", str(broken))
    assert found.code == 2
    assert "6Cx2D" in found.err


def test_any_record(tmp_path: Path) -> None:
    """Lines dropped, doubled or exchanged: reviewed or refused."""
    dice = random.Random(1)
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    codes = set()
    for number in range(40):
        changed = list(lines)
        at, other = dice.randrange(1, len(lines)), dice.randrange(1, len(lines))
        if number % 4 == 0:
            del changed[at]
        elif number % 4 == 1:
            changed.insert(at, lines[other])
        elif number % 4 == 2:
            changed[at], changed[other] = changed[other], changed[at]
        else:
            del changed[at:]
        file = tmp_path / "changed.txt"
        file.write_text("\n".join(changed), encoding="utf-8")
        found = call("review", str(file), "--method", "greedy", "--json")
        codes.add(found.code)
        assert found.code in (0, 2)
        assert (found.out == "") == (found.code == 2)
    assert codes == {0, 2}


def test_the_example_is_what_it_says() -> None:
    """Played again from its seed, by the levels named in its comment."""
    played = match_of("club", "casual", seed=4).record()
    names = (Seat("Salma"), Seat("Karim"))
    assert ROUND.rounds == played.rounds
    assert ROUND.seats == names
    assert isinstance(ROUND, Record)
    assert "club" in ROUND.comment
    assert "casual" in ROUND.comment


def test_a_page_is_never_written_over_a_record(tmp_path: Path) -> None:
    """Nor over anything else but a page."""
    mine = tmp_path / "mine.txt"
    mine.write_bytes(EXAMPLE.read_bytes())
    link = tmp_path / "link.html"
    link.symlink_to(mine)
    for page in (mine, link):
        found = call("review", str(mine), "--html", str(page))
        assert found.code == 2
        assert "is there already, and no page" in found.err
        assert mine.read_bytes() == EXAMPLE.read_bytes()
    page = tmp_path / "page.html"
    for _ in range(2):
        assert call("review", str(mine), "--html", str(page)).code == 0


def test_what_is_wrong_in_a_record_is_no_option(tmp_path: Path) -> None:
    """The file is named, and nothing that looks like an option."""
    mine = tmp_path / "mine.txt"
    text = EXAMPLE.read_text(encoding="utf-8")
    mine.write_text(re.sub(r"^points .*$", "points 1:2", text, flags=re.M), encoding="utf-8")
    found = call("review", str(mine))
    assert found.code == 2
    assert found.err.startswith(f"basra: {mine}: points 1:2 do not follow from the moves")


def test_narrow_terminals() -> None:
    """No number is cut: the marks stand in lines."""
    shown = in_terminal("review", str(EXAMPLE), both=True, COLUMNS="40").terminal
    for decision in FOUND.marked:
        assert f"{decision.loss:.1f}" in shown
    assert "\u2026" not in shown
