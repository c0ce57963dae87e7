"""`basra coach` beside real tables: what it asks, what it knows, what it refuses, what it keeps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from basra import ArgumentError, Cards, Match, Position, Rules
from basra.cli.seating import new_file
from basra.record import read_record
from cli_helpers import call
from helpers import latin
from table_helpers import RealTable, last_line, refusals, sit

FLOOR = "3C 2H 5S KD"
HAND = "7D 5C KH 2S"
QUICK = ("--no-hints",)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A record that is not there yet; nothing here has to outlive the machine."""
    monkeypatch.setattr("os.fsync", lambda handle: None)
    return str(tmp_path / "table.txt")


def coach(file: str, *options: str, typing: list[str]) -> str:
    """What is shown to somebody who types that; the input ends then."""
    found = sit("coach", "--record", file, *QUICK, *options, typing=typing)
    assert (found.code, found.err) == (0, "")
    return found.out


def moves(file: str) -> list[str]:
    """The moves of a record."""
    rounds = read_record(file).rounds
    return [turn.move.text for found in rounds for deal in found.deals for turn in deal.turns]


# -- whole matches -------------------------------------------------------------------------------

TABLES = {
    "classic": ("classic", 2, False, 1),
    "classic, three": ("classic", 3, False, 2),
    "palestine, partners": ("palestine", 4, True, 0),
    "palestine-52, four": ("palestine-52", 4, False, 0),
    "egyptian": ("egyptian", 2, False, 0),
    "egyptian-v2": ("egyptian-v2", 2, False, 1),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_match_to_its_end(name: str, tmp_path: Path, file: str) -> None:
    """Random play: the coach knows the scores at the end, and so does its record."""
    base, players, partners, me = TABLES[name]
    rules = tmp_path / "short.toml"
    rules.write_text(f'name = "short"\nbase = "{base}"\ntarget = 40\n', encoding="utf-8")
    dealt = Position.deal(Rules.load(str(rules)), 4, players=players, partners=partners)
    table = RealTable(dealt, me, 4)
    options = ["--rules", str(rules), "--players", str(players), "--seat", str(me + 1)]
    options += ["--partners"] if partners else []
    found = sit("coach", "--record", file, *QUICK, *options, typing=table.typist)
    table.follow(found.out[table.read :])
    assert (found.code, found.err) == (0, "")
    end = table.position
    assert end.winner is not None
    match = Match.from_record(read_record(file))
    assert (match.scores, match.winner) == (end.scores, end.winner)
    final = re.search(r"^The match is over: (.*)$", found.out, re.MULTILINE)
    assert final is not None
    assert [int(n) for n in re.findall(r": (-?\d+)", final[1])] == list(end.scores)
    # It asks for nothing that follows: fewer entries than floors, hands and cards.
    deals = len(match.rules.deal_sizes(players))
    assert len(table.entries) < len(moves(file)) + len(match.games) * (1 + deals)
    assert "! " not in found.out


def test_scores_go_on(file: str) -> None:
    """From a match that had begun: mine first, whatever my seat is."""
    shown = coach(
        file, "--seat", "2", "--leader", "2", "--scores", "61:84", "--carry", "30", "--round", "3",
        typing=[FLOOR, HAND, "table", "score"],
    )  # fmt: skip
    assert "Round 3; leader: You. Seat 1: 84, You: 61" in shown
    assert "30 points wait for the most cards" in shown
    record = read_record(file)
    assert (record.scores, record.carry, record.first_round) == ((84, 61), 30, 3)
    assert record.rounds[0].leader == 1
    assert re.search(r"before\s+84\s+61\n", shown)


def test_who_leads_is_kept(file: str) -> None:
    """Also before anything is entered."""
    coach(file, "--leader", "2", typing=[])
    shown = sit("coach", "--resume", file, typing=[]).out
    assert "Round 1; leader: Seat 2" in shown


# -- what is asked -------------------------------------------------------------------------------


def test_a_card_is_enough_where_it_can_do_one_thing(file: str) -> None:
    """And where it cannot, the coach asks which."""
    options = ("--rules", "palestine-52", "--leader", "2")
    shown = coach(file, *options, typing=["7H AC 8C 2D", HAND, "8s", "2", "5"])
    assert "#1 8SxAC7H   #2 8SxAC7H8C   #3 8Sx8C\nWhich number> 2\n" in shown
    assert moves(file)[0] == "8SxAC7H8C"
    assert "which" not in shown.partition("8SxAC7H8C\n")[2].lower()


def test_hands_are_asked_for_at_each_deal_only(file: str) -> None:
    """And a hidden hand never."""
    table = RealTable(Position.deal("classic", 2), 0, 2)
    asked = []

    def typing(shown: str) -> str | None:
        asked.append(last_line(shown))
        return None if table.position.deal_number == 3 else table.typist(shown)

    sit("coach", "--record", file, *QUICK, typing=typing)
    assert [prompt for prompt in asked if prompt.startswith("Deal")] == [
        "Deal 1 of 6, your hand of 4 cards> ",
        "Deal 2 of 6, your hand of 4 cards> ",
        "Deal 3 of 6, your hand of 4 cards> ",
    ]
    assert len(asked) <= 1 + 3 + len(moves(file))  # a last card that can do one thing follows


def test_a_hand_that_follows_is_not_asked_for(tmp_path: Path, file: str) -> None:
    """Four jacks shown first and put under the stock: they are the dealer's last hand."""
    path = tmp_path / "low.toml"
    path.write_text('name = "low"\nbase = "palestine-52"\nbury = "bottom"\n', encoding="utf-8")
    rules = Rules.load(str(path))
    jacks = list(Cards("JC JD JH JS"))
    free = [card.index for card in rules.pack - Cards(jacks) - Cards(FLOOR)]
    fields = Position.deal(rules, 2).data.fields() | {
        "floor": Cards(FLOOR).mask,
        "hands": [sum(1 << card for card in free[i : i + 4]) for i in (0, 4)],
        "stock": free[8:] + [card.index for card in jacks],
        "buried": [card.index for card in jacks],
    }
    table = RealTable(Position.from_fields(rules, fields, True), 1, 2)
    asked: list[str] = []

    def typing(shown: str) -> str | None:
        asked.append(last_line(shown))
        return None if "Round 1 is over" in shown else table.typist(shown)

    shown = sit(
        "coach", "--record", file, *QUICK, "--rules", str(path), "--seat", "2", typing=typing
    )
    assert sum(prompt.startswith("Deal") for prompt in asked) == 5
    assert "deal 6 of 6; leader: Seat 1" in shown.out
    assert "  Hand: JC JD JH JS\n" in shown.out
    assert Match.from_record(read_record(file)).games[0].turns[-1].move.card in jacks


def test_what_follows_is_played(file: str) -> None:
    """The last card of a hand, where only one can be left; `back` goes to what was typed."""
    position = Position.deal("classic", 5)
    table = RealTable(position, 0, 5)

    def typing(shown: str) -> str | None:
        if "Nothing else can be played:" in shown:
            return None
        return table.typist(shown)

    shown = sit("coach", "--record", file, *QUICK, typing=typing).out
    assert "Nothing else can be played:\nYou: " in shown
    before = len(moves(file))
    shown = sit("coach", "--resume", file, *QUICK, typing=["back", "quit"]).out
    assert "Taken back: Seat 2: " in shown
    assert len(moves(file)) < before - 1


# -- what it knows -------------------------------------------------------------------------------


def test_cards_that_can_be_there(file: str) -> None:
    """In the last deal the other hand follows, and only its cards are shown."""
    table = RealTable(Position.deal("classic", 5), 0, 5)

    def typing(shown: str) -> str | None:
        entry = table.typist(shown)
        last = table.position.deal_number == 6 and last_line(shown) == "Seat 2> "
        return None if last else entry

    shown = sit("coach", "--record", file, *QUICK, typing=typing).out
    listed = shown[shown.rindex("Floor:") :].partition("Seat 2> ")[0]
    held = re.findall(r"#\d+ ([2-9ATJQK][CDHS])", listed)
    assert Cards(dict.fromkeys(held)) == table.position.hands[1]


def test_a_hint_when_it_is_my_turn(file: str) -> None:
    """With reasons; and what the move was worth is in the record."""
    found = sit(
        "coach", "--record", file, "--worlds", "4", typing=[FLOOR, HAND, "5", "8c", "hint", "quit"]
    )
    first, *_ = found.out.split("You> ")
    assert re.search(r"^  #2 5Cx2H3C5S  points \+\d+\.\d\d ± \d\.\d\d, best$", first, re.MULTILINE)
    assert "takes 3 cards (2♥ 3♣ 5♠)" in first
    assert "mean over 4 worlds" not in first
    assert "searched with open hands" in found.out
    turn = read_record(file).rounds[0].deals[0].turns[0]
    assert turn.estimate is not None
    assert turn.estimate.method == "worlds/2"
    assert turn.estimate.value > 5


def test_no_hints(file: str) -> None:
    """Only when they are asked for; and never for another seat."""
    shown = coach(file, typing=[FLOOR, HAND, "hint", "5", "hint"])
    before, _, after = shown.partition("You> hint\n")
    assert "points +" not in before
    assert "points +" in after.partition("You> 5")[0]
    assert "! there is nothing to hint at" in after


def test_hidden_cards_are_of_no_effect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints are those of the view that the entries tell."""
    monkeypatch.setattr("os.fsync", lambda handle: None)
    file = tmp_path / "one.txt"
    found = sit(
        "coach", "--record", str(file), "--worlds", "8", typing=[FLOOR, HAND, "5", "8c", "quit"]
    )
    import basra

    game = Match.from_record(read_record(file)).games[0]
    told = basra.hint(
        hand="2S 7D KH", floor="8C KD", seen="2H 3C 5C 5S", deal=1, seat=1, cards="4:0",
        last="me", played="5Cx2H3C5S 8C", points="0:0", worlds=8,
    )  # fmt: skip
    assert game.view.notation == told.position
    last = found.out.rpartition("Hand: 2S 7D KH")[2]
    assert f"points {told.best.value:+.2f}" in last


def test_seen(file: str) -> None:
    """All cards that are in nobody's sight but their holder's."""
    shown = coach(file, typing=[FLOOR, HAND, "5", "8c", "seen"])
    assert "Not seen: 43 cards" in shown
    assert "♣  A 2 . 4 . 6 7 . 9 T J Q K" in shown.replace("⁦", "")


# -- what it refuses -----------------------------------------------------------------------------

REFUSED = {
    "a floor of three": ([], "3C 2H 5S", "has 3 cards"),
    "a jack on the floor": ([], "3C 2H 5S JD", "may not lie on the first floor"),
    "a buried five": ([], f"{FLOOR} / 5D", "may lie on the first floor"),
    "a buried card on the floor": ([], f"{FLOOR} / KD", "is in floor too"),
    "a card twice": ([], "3C 3C 5S KD", "is named twice"),
    "no cards": ([], "hello", "is not a card"),
    "a hand of three": ([FLOOR], "7D 5C KH", "has 3 cards"),
    "a hand from the floor": ([FLOOR], "7D 5C KH 3C", "lay on the first floor"),
    "a hand with what was buried": ([f"{FLOOR} / JD"], "7D 5C KH JD", "was put back"),
    "a card that is not mine": ([FLOOR, HAND], "8h", "cannot be played here"),
    "a capture that there is not": ([FLOOR, HAND], "5xk", "is not legal here"),
    "no move": ([FLOOR, HAND], "well", "is not a move"),
    "out of the list": ([FLOOR, HAND], "#9", "is not in the list"),
    "a card of the first floor": ([FLOOR, HAND, "5"], "3c", "lay on the first floor"),
    "a card of mine": ([FLOOR, HAND, "5"], "kh", "was dealt to seat 1 in deal 1"),
    "a card played before": ([FLOOR, HAND, "5", "8c", "k"], "8c", "was played by seat 2"),
    "a card that was buried": ([f"{FLOOR} / JD", HAND, "5"], "jd", "nobody holds it"),
    "laid down where it must take": ([FLOOR, HAND, "5"], "ks-", "is not legal here"),
    "a hint for another": ([FLOOR, HAND, "5"], "hint", "nothing to hint at"),
    "what was seen of nothing": ([], "seen", "nothing has been seen yet"),
    "back too far": ([FLOOR, HAND], "back 5", "nothing to take back"),
    "back to what": ([FLOOR], "back all", "is not a number of entries"),
    "a seat that resigns": ([FLOOR], "resign 3", "is not a seat"),
    "a note on nothing": ([FLOOR], "note good", "no move to say something about"),
    "a copy nowhere": ([FLOOR], "save /no/such/folder/a.txt", "cannot be written"),
    "a copy without a name": ([FLOOR], "save", "needs a file"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, file: str) -> None:
    """With the reason; and all stays as it was."""
    before, wrong, why = REFUSED[name]
    kept = coach(file, typing=before)
    text = Path(file).read_text(encoding="utf-8")
    found = sit("coach", "--resume", file, *QUICK, typing=[wrong])
    assert found.code == 0
    said = " ".join(found.out.split())
    assert why in said
    assert "! " in found.out
    assert Path(file).read_text(encoding="utf-8") == text
    asked = last_line(kept[: kept.rindex("\nKept in")])
    assert found.out.count(asked) >= 2


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_arabic(name: str, file: str) -> None:
    """In words of the language; what was typed, cards and moves stay as they are."""
    before, wrong, why = REFUSED[name]
    english = refusals(coach(file, typing=[*before, wrong]))
    Path(file).unlink()
    [arabic] = refusals(coach(file, "--lang", "ar", typing=[*before, wrong]))
    assert re.search("[\u0600-\u06ff]", arabic)
    assert not latin(arabic)
    assert why in english[0]
    cards = r"\b[A2-9TJQK][CDHS]\b"
    assert re.findall(cards, arabic) == re.findall(cards, english[0])


# -- taking back, giving up, going on ------------------------------------------------------------


def test_take_back_to_any_point(file: str) -> None:
    """One by one, or several at once: the record is what it was then."""
    table = RealTable(Position.deal("classic", 9), 1, 9)
    texts: list[str] = []

    def typing(shown: str) -> str | None:
        texts.append(Path(file).read_text(encoding="utf-8"))
        return None if len(table.entries) == 40 else table.typist(shown)

    sit("coach", "--record", file, "--seat", "2", *QUICK, typing=typing)
    for number in (1, 2, 5, 31):
        shown = sit("coach", "--resume", file, *QUICK, typing=[f"back {number}"]).out
        assert "Taken back: " in shown
        del texts[len(texts) - number :]
        assert Path(file).read_text(encoding="utf-8") == texts[-1]


def test_what_can_be_taken_back_is_listed(file: str) -> None:
    """The latest first; taking them back changes nothing yet."""
    shown = coach(file, typing=[FLOOR, HAND, "5", "8c", "back list"])
    listed = shown.partition("all above it:\n")[2].partition("You>")[0]
    assert listed == (
        "   1  Seat 2: 8C\n   2  You: 5Cx2H3C5S\n   3  hand 2S 5C 7D KH\n"
        "   4  first floor of round 1: 2H 3C 5S KD\n"
    )
    assert moves(file) == ["5Cx2H3C5S", "8C"]


@pytest.mark.parametrize(("words", "side"), [("resign", 1), ("resign 1", 0)])
def test_giving_up(words: str, side: int, file: str) -> None:
    """After a question; it cannot be gone on with."""
    typed = [FLOOR, words, "no", words, "yes"]
    shown = coach(file, "--seat", "2", typing=typed)
    assert read_record(file).resigned == side
    assert f"Winner: {['Seat 1', 'You'][1 - side]}" in shown
    found = sit("coach", "--resume", file, typing=[])
    assert found.code == 2
    assert "is the record of a match that is over" in found.err


def test_notes_and_names(file: str) -> None:
    """Are in the record."""
    coach(
        file, "--name", "Amal", "--name", 'Zoë "Z"', typing=[FLOOR, HAND, "5", "note  risky; but"]
    )
    record = read_record(file)
    assert [seat.name for seat in record.seats] == ["Amal", 'Zoë "Z"']
    assert record.rounds[0].deals[0].turns[0].comment == "risky; but"
    assert "Amal> " in sit("coach", "--resume", file, typing=["back"]).out


@pytest.mark.parametrize(
    "name", ["[/b]", "[red]x", "{0}", "{name}", "\x1b[2J", "नमस्ते", "م\u064eنى"]
)
def test_any_name(name: str, file: str) -> None:
    """Is shown as it is, but for controls, and kept."""
    table = RealTable(Position.deal("classic", 5), 0, 5)
    most = 70  # over the end of a round

    def typing(shown: str) -> str | None:
        table.follow(shown[table.read :].replace(f"{kept}: ", "Seat 2: "))
        table.read = len(shown)
        return None if len(table.entries) > most else table.entry(last_line(shown))

    kept = name.replace("\x1b", "")
    found = sit("coach", "--record", file, *QUICK, "--name", "", "--name", name, typing=typing)
    assert (found.code, found.err) == (0, "")
    assert f"\n{kept}> " in found.out
    assert f"\n  {kept}  " in found.out
    assert "Round 1 is over." in found.out
    assert read_record(file).seats[1].name == kept


def test_a_copy(tmp_path: Path, file: str) -> None:
    """Of the same match; never in place of something."""
    copy = tmp_path / "copy.json"
    shown = coach(file, typing=[FLOOR, HAND, f"save {copy}", f"save {copy}"])
    assert read_record(copy) == read_record(file)
    assert "is there already" in shown


# -- options -------------------------------------------------------------------------------------

WRONG = {
    "seat": (["--seat", "3"], "--seat 3 is not a seat of this table"),
    "leader": (["--leader", "0"], "--leader 0 is not a seat of this table"),
    "scores": (["--scores", "1:2:3"], "--scores 1:2:3 is not one number for each side"),
    "table": (["--rules", "egyptian", "--players", "3"], "do not allow this table"),
    "names": (["--name", "a", "--name", "b", "--name", "c"], "--name 3 are more than the seats"),
    "record": (["--record", "/no/such/folder/x.txt"], "--record /no/such/folder/x.txt cannot be"),
    "device": (["--record", "/dev/full"], "--record /dev/full is there already"),
    "resume": (["--resume", "/no/such.txt"], "cannot be read"),
    "both": (["--resume", "x.txt", "--seat", "2"], "--seat 2 cannot go with --resume"),
    "round": (["--resume", "x.txt", "--round", "2"], "cannot go with --resume"),
    "points": (["--scores", "999999999:0"], "is not a number of points"),
    "time": (["--time", "-1"], "--time -1"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_options(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 2, one message, no file."""
    monkeypatch.chdir(tmp_path)
    words, message = WRONG[name]
    found = call("coach", *words)
    assert found.code == 2
    assert message in found.err
    assert list(tmp_path.iterdir()) == []


def test_a_record_of_play_is_for_play(tmp_path: Path) -> None:
    """And the other way round."""
    file = str(tmp_path / "play.txt")
    sit("play", "--record", file, "--seed", "1", typing=[])
    assert "basra play --resume goes on with it" in call("coach", "--resume", file).err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("me ", ";me "), "does not say which seat is yours"),
        (('me "1"', 'me "7"'), "is not a seat"),
        (("floor ", "floor 9"), "floor"),
        (("5Cx2H3C5S", "5Cx2H"), "not legal"),
        (("basra record 1", "something else"), "record"),
    ],
)
def test_damaged_records(change: tuple[str, str], message: str, file: str) -> None:
    """A clear error, and the file is not touched."""
    coach(file, typing=[FLOOR, HAND, "5"])
    path = Path(file)
    text = path.read_text(encoding="utf-8").replace(*change)
    path.write_text(text, encoding="utf-8")
    found = call("coach", "--resume", file)
    assert found.code == 2
    assert message in found.err
    assert "Traceback" not in found.err
    assert path.read_text(encoding="utf-8") == text


def test_a_new_file_is_nobody_elses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is there at once, so that whoever begins at the same moment takes another."""
    monkeypatch.chdir(tmp_path)
    names = [new_file(None) for _ in range(3)]
    assert len(set(names)) == 3
    assert sorted(tmp_path.iterdir()) == sorted(tmp_path / name for name in names)
    assert new_file("mine.txt").exists()
    for taken in ("mine.txt", "", str(names[0])):
        with pytest.raises(ArgumentError) as caught:
            new_file(taken)
        assert caught.value.field == "record"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--carry", "-1"], "--carry -1"),
        (["--rules", "palestine", "--carry", "30"], "--carry 30"),
        (["--carry", "99999999"], "--carry 99999999"),
        (["--round", "0"], "--round 0"),
        (["--round", "2147483647"], "--round 2147483647"),
        (["--scores", "101:3"], "--scores 101:3 have won the match already"),
    ],
    ids=" ".join,
)
def test_a_table_that_cannot_be(words: list[str], said: str, tmp_path: Path) -> None:
    """Refused before anything is asked, and nothing is left behind."""
    file = tmp_path / "mine.txt"
    found = call("coach", *words, "--record", str(file))
    assert (found.code, found.out) == (2, "")
    assert said in found.err
    assert not file.exists()
