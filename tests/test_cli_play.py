"""`basra play`: matches against the engine, entry by entry."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from basra import Match, Player
from basra.cli.table import Names, sides_shown
from basra.language import ENGLISH
from basra.record import Record, read_record
from cli_helpers import call
from helpers import latin
from table_helpers import last_line, refusals, sit

GREEDY = ("--level", "greedy", "--seed", "3")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A record that is not there yet; nothing here has to outlive the machine."""
    monkeypatch.setattr("os.fsync", lambda handle: None)
    return str(tmp_path / "match.txt")


def play(file: str, *options: str, typing: list[str]) -> str:
    """What is shown to somebody who types that; the input ends then."""
    found = sit("play", "--record", file, *(options or GREEDY), typing=typing)
    assert (found.code, found.err) == (0, "")
    return found.out


def resume(file: str, *typing: str) -> str:
    """The same with a match that is there."""
    found = sit("play", "--resume", file, typing=list(typing))
    assert (found.code, found.err) == (0, "")
    return found.out


def moves(file: str) -> list[str]:
    """The moves of a record."""
    rounds = read_record(file).rounds
    return [turn.move.text for found in rounds for deal in found.deals for turn in deal.turns]


class Chance:
    """Plays by numbers of the list, until the program asks for nothing more."""

    def __init__(self, seed: int, most: int = 10_000) -> None:
        self.left = most
        self._random = Random(seed)

    def __call__(self, shown: str) -> str | None:
        if not self.left:
            return None
        self.left -= 1
        listed = re.findall(r"#(\d+) ", shown[shown.rindex("Hand: ") :])
        return f"#{self._random.choice(listed)}"


# -- whole matches -------------------------------------------------------------------------------

TABLES = {
    "classic": ["--seat", "2"],
    "classic, three": ["--players", "3", "--level", "casual", "--level", "random"],
    "palestine, partners": ["--rules", "palestine", "--partners", "--seat", "3"],
    "egyptian-v2": ["--rules", "egyptian-v2", "--level", "club"],
}


@pytest.mark.parametrize("name", TABLES)
def test_a_match_to_its_end(name: str, tmp_path: Path, file: str) -> None:
    """As it is shown, as it is recorded, and as the cards that the seed deals would have it."""
    words = TABLES[name]
    rules = tmp_path / "short.toml"
    base = words[1] if words[0] == "--rules" else "classic"
    rules.write_text(f'name = "short"\nbase = "{base}"\ntarget = 40\n', encoding="utf-8")
    options = words[2:] if words[0] == "--rules" else words
    level = [] if "--level" in options else ["--level", "greedy"]
    found = sit(
        "play", "--record", file, "--rules", str(rules), *options, *level, "--seed", "6",
        typing=Chance(6),
    )  # fmt: skip
    assert (found.code, found.err) == (0, "")
    record = read_record(file)
    match = Match.from_record(record)
    assert match.winner is not None
    assert all(found.points is not None for found in record.rounds)
    final = re.search(r"^The match is over: (.*)$", found.out, re.MULTILINE)
    assert final is not None
    assert [int(n) for n in re.findall(r": (-?\d+)", final[1])] == list(match.scores)
    _check_cards(record)
    _check_engine(record)
    again = call("play", "--resume", file)
    assert again.code == 2
    assert "is the record of a match that is over" in again.err


def _check_cards(record: Record) -> None:
    """The cards are those of the seed."""
    match = Match(record.rules, players=record.players, partners=record.partners, seed=record.seed)
    for found in record.rounds:
        game = match.next_round()
        assert game.record().deals[0].hands == found.deals[0].hands
        for deal in found.deals:
            for turn in deal.turns:
                game.play(turn.move)
    assert match.record().rounds == record.rounds


def _check_engine(record: Record) -> None:
    """Engine seats have played what their players choose, with the seed of the match."""
    match = Match(record.rules, players=record.players, partners=record.partners, seed=record.seed)
    found = record.rounds[0]
    game = match.next_round()
    checked = 0
    for deal in found.deals:
        for turn in deal.turns:
            player = record.seats[game.turn].player
            if player:
                assert match.choice(Player.parse(player)).move == turn.move
                checked += 1
            game.play(turn.move)
    assert checked > 12


def test_the_score_step_by_step(file: str) -> None:
    """What each part of a round brought adds up to the record's points, and goes on from before."""
    rounds: list[str] = []

    def typing(shown: str) -> str | None:
        rounds[:] = shown.split(" is over.\n")[1:]
        return None if len(rounds) == 2 else chance(shown)

    chance = Chance(1)
    sit("play", "--record", file, *GREEDY, typing=typing)
    record = read_record(file)
    before = [0, 0]
    for text, found in zip(rounds, record.rounds, strict=False):
        rows = {
            name: [int(n) for n in numbers.split()]
            for name, numbers in re.findall(r"^  ([a-z ,]+?)  +(-?\d+ +-?\d+)$", text, re.MULTILINE)
        }
        parts = zip(
            rows["basras, points"], rows["points of cards"], rows["most cards"], strict=True
        )
        assert tuple(map(sum, parts)) == tuple(rows["this round"]) == found.points
        assert rows["match before"] == before
        before = [a + b for a, b in zip(before, rows["this round"], strict=True)]
        assert rows["match"] == before
        assert sum(rows["cards taken"]) == 52


# -- entries -------------------------------------------------------------------------------------


def test_short_and_full_entries(file: str) -> None:
    """A rank, a card, a number, a move: each is one of the hand AD 7D 8S KD."""
    for entry, move in {
        "8": "8S", "8s": "8S", "٨♠": "8S", "#1": "AD", "a": "AD", "K": "KD", "7dx": "7Dx5C7C9CQH",
        "7Dx5C7C9CQH": "7Dx5C7C9CQH", "7 d": "7Dx5C7C9CQH",
    }.items():  # fmt: skip
        Path(file).unlink(missing_ok=True)
        play(file, typing=[entry])
        assert moves(file)[0] == move


def test_eight_is_a_card_and_not_a_number(file: str) -> None:
    """Numbers of the list have a #."""
    shown = play(file, typing=["1", "3"])
    assert "! 3 cannot be played here" in shown
    assert moves(file)[0] == "AD"  # 1 is an ace


NO_MOVES = ["9", "zz", "#7", "#0", "8x5", "2c", "back", "hint me", "note x", "save", "x" * 5000]


def test_refused_entries_change_nothing(file: str) -> None:
    """And are told why."""
    before = play(file, typing=[])
    text = Path(file).read_text(encoding="utf-8")
    shown = resume(file, *NO_MOVES)
    assert shown.count("\n! ") == len(NO_MOVES) - 1  # a hint was given
    assert Path(file).read_text(encoding="utf-8") == text
    assert "You> " in before


def test_refusals_in_arabic(file: str) -> None:
    """As many, and without a word of English; commands by their Arabic names."""
    wrong = [*NO_MOVES, "back x", "save /no/such/folder/a.txt", f"save {file}"]
    english = refusals(play(file, typing=wrong))
    Path(file).unlink()
    found = refusals(play(file, *GREEDY, "--lang", "ar", typing=wrong))
    assert len(found) == len(english) == len(wrong) - 1
    assert not any(map(latin, found))
    assert all(re.search("[\u0600-\u06ff]", text) for text in found)
    assert english[0] == "9 cannot be played here; play AD 7D 8S KD"
    assert found[0] == "\u20669\u2069 لا يمكن لعبها هنا؛ العب \u2066AD 7D 8S KD\u2069"
    assert "ينقص اسم الملف؛ اكتب احفظ وبعدها اسم الملف" in found


def test_what_is_refused_cannot_turn_the_line(file: str) -> None:
    """No control characters and marks of direction come back from a name."""
    for words in ([], ["--lang", "ar"]):
        Path(file).unlink(missing_ok=True)
        shown = play(file, *GREEDY, *words, typing=["save /no/\x1b[1m/\u202e/a"])
        [told] = refusals(shown)
        assert "\\x1b[1m" in told
        assert "\\u202e" in told
        assert not {"\x1b", "\u202e"} & set(told)


def test_commands(file: str) -> None:
    """All but those that change something."""
    shown = play(
        file, typing=["?", "help", "table", "moves", "score", "seen", "HINT", "8", "note ok"]
    )
    assert shown.count("which cards have not been seen") == 2
    assert shown.count("Hand: AD 7D 8S KD") == 2
    assert shown.count("#1 AD   #2 7Dx5C7C9CQH   #3 8S   #4 KD") == 3
    assert "round 1, so far" in shown
    assert "Not seen: 44 cards" in shown
    assert re.search(r"#3 8S  points \+\d\.\d\d ± \d\.\d\d, best\n", shown)
    [comment] = [
        turn.comment for turn in read_record(file).rounds[0].deals[0].turns if turn.comment
    ]
    assert comment == "ok"


def test_no_peeking(file: str) -> None:
    """Hidden cards are in the record and on no screen: not seen are all that I have not seen."""
    shown = play(file, typing=["seen"])
    record = read_record(file)
    other = record.rounds[0].deals[0].hands[1]
    grid = shown.partition("a dot is for one that was\n")[2]
    for card in other:
        row = next(line for line in grid.splitlines() if "♣♦♥♠"["CDHS".index(card.suit)] in line)
        assert card.rank in row.split()[1:]
    assert str(other) not in shown


# -- taking back, giving up, going on ------------------------------------------------------------


def test_take_back_to_any_point(file: str) -> None:
    """The engine's moves and rounds go with mine; what was played then is as it was."""
    texts: list[str] = []
    chance = Chance(2, most=30)

    def typing(shown: str) -> str | None:
        texts.append(Path(file).read_text(encoding="utf-8"))
        return chance(shown)

    sit("play", "--record", file, *GREEDY, typing=typing)
    assert len(read_record(file).rounds) == 2
    for number in (1, 3, 26):
        shown = resume(file, f"back {number}" if number > 1 else "back")
        assert "Taken back: You: " in shown
        del texts[len(texts) - number :]
        assert Path(file).read_text(encoding="utf-8") == texts[-1]
    shown = resume(file, "back 2", "back")
    assert shown.count("! nothing to take back") == 2
    assert Path(file).read_text(encoding="utf-8") == texts[0]


def test_the_engine_plays_the_same_again(file: str) -> None:
    """After a move was taken back."""
    play(file, "--level", "expert", "--seed", "3", typing=["8", "k"])
    text = Path(file).read_text(encoding="utf-8")
    resume(file, "back 2", "8", "k")
    assert Path(file).read_text(encoding="utf-8") == text


def test_giving_up(file: str) -> None:
    """After a question; the match cannot be gone on with."""
    shown = play(file, typing=["8", "resign", "no", "resign", "yes"])
    assert "Winner: Seat 2" in shown
    assert read_record(file).resigned == 0
    assert call("play", "--resume", file).code == 2


def test_quit_tells_how_to_go_on(file: str) -> None:
    """And nothing is lost."""
    shown = play(file, typing=["8", "quit", "k"])
    assert shown.endswith(f"Go on with: basra play --resume {file}\n")
    assert moves(file)[0] == "8S"
    assert "Hand: AD 7D KD" in resume(file)


def test_a_default_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named by the time, and never the same twice."""
    monkeypatch.chdir(tmp_path)
    for _ in range(3):
        assert sit("play", *GREEDY, typing=[]).code == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == 3
    assert all(re.fullmatch(r"basra-\d{8}-\d{4}(-\d)?\.txt", name) for name in names)


def test_another_seed_every_time(tmp_path: Path) -> None:
    """And it is in the record."""
    files = [str(tmp_path / name) for name in ("a.txt", "b.txt")]
    for file in files:
        sit("play", "--record", file, "--level", "greedy", typing=[])
    one, two = (read_record(file).seed for file in files)
    assert one != two


def test_seats(file: str) -> None:
    """Levels by seat after mine, as they were named; my own name."""
    options = ("--players", "3", "--seat", "2", "--seed", "1", "--name", "Amal")
    shown = play(file, *options, "--level", "Club", "--level", "worlds:worlds=3", typing=[])
    seats = read_record(file).seats
    assert [(seat.name, seat.player) for seat in seats] == [
        ("", "worlds:worlds=3"), ("Amal", ""), ("", "club"),
    ]  # fmt: skip
    assert "against Seat 1 (worlds:worlds=3), Seat 3 (club)" in shown
    assert shown.count("Amal> ") == 1
    assert moves(file)


WRONG = {
    "level": (["--level", "grandmaster"], "--level grandmaster is neither a level nor a method"),
    "levels": (["--level", "club", "--level", "club"], "is not one for each other seat"),
    "seat": (["--seat", "0"], "--seat 0 is not a seat"),
    "players": (["--players", "5"], "--players 5"),
    "rules": (["--rules", "nowhere"], "nowhere"),
    "seed": (["--seed", "-1"], "--seed -1 is not a seed"),
    "record": (["--record", "/no/such/folder/x.txt"], "--record /no/such/folder/x.txt cannot be"),
    "device": (["--record", "/dev/full"], "is there already"),
    "both": (["--resume", "x.txt", "--level", "club"], "cannot go with --resume"),
    "language": (["--lang", "tlh"], "--lang tlh is not a language"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_options(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 2, one message, no file."""
    monkeypatch.chdir(tmp_path)
    words, message = WRONG[name]
    found = call("play", *words)
    assert found.code == 2
    assert message in found.err
    assert list(tmp_path.iterdir()) == []


def test_errors_as_json(file: str) -> None:
    """On stderr, for those who start it from a program."""
    found = call("play", "--json", "--seat", "7")
    assert (found.code, found.out) == (2, "")
    assert found.error["field"] == "seat"
    shown = sit("play", "--json", "--record", file, *GREEDY, typing=[])
    assert (shown.code, shown.err) == (0, "")


def test_a_file_that_is_there_is_kept(file: str) -> None:
    """Whatever it is."""
    Path(file).write_text("mine", encoding="utf-8")
    found = call("play", "--record", file)
    assert found.code == 2
    assert "name another file, or go on with it: --resume FILE" in found.err
    assert Path(file).read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('seat 2 "" greedy\n', ""), "does not say who plays at seat 2"),
        (("greedy", "grandmaster"), "grandmaster"),
        (("1 8S", "1 9S"), "9S"),
        (("seed 3", "seed three"), "seed"),
        (("stock ", "stock 2C "), "stock"),
    ],
)
def test_damaged_records(change: tuple[str, str], message: str, file: str) -> None:
    """A clear error, and the file is not touched."""
    play(file, typing=["8"])
    path = Path(file)
    assert change[0] in path.read_text(encoding="utf-8")
    text = path.read_text(encoding="utf-8").replace(*change)
    path.write_text(text, encoding="utf-8")
    found = call("play", "--resume", file)
    assert found.code == 2
    assert message in found.err
    assert path.read_text(encoding="utf-8") == text


# -- where it cannot be kept ---------------------------------------------------------------------


def test_a_folder_that_goes_away(tmp_path: Path) -> None:
    """Said at once, every time; `save` puts all of it elsewhere, and it is kept there then."""
    folder, other = tmp_path / "gone", tmp_path / "other.txt"
    folder.mkdir()
    file = folder / "match.txt"

    def lines(shown: str) -> str | None:
        asked = shown.count("You> ")
        if asked == 2:
            file.unlink()
            folder.rmdir()
        return ["8", "k", f"save {other}", "a", "quit"][asked - 1]

    found = sit("play", "--record", str(file), *GREEDY, typing=lines)
    assert (found.code, found.err) == (0, "")
    assert "cannot be written: No such file or directory" in " ".join(found.out.split())
    assert "is in no file yet: save FILE puts all of it elsewhere" in " ".join(found.out.split())
    assert f"--resume {other}" in found.out
    assert moves(str(other))[::2] == ["8S", "KD", "AD"] or len(moves(str(other))) >= 3
    assert last_line(found.out.rstrip("\n")).endswith(str(other))


def test_the_end_where_it_cannot_be_kept(tmp_path: Path) -> None:
    """Not an end like others: an error, and exit code 2."""
    folder = tmp_path / "gone"
    folder.mkdir()
    file = folder / "match.txt"

    def lines(shown: str) -> str | None:
        if shown.count("You> ") == 2:
            return None
        file.unlink()
        folder.rmdir()
        return "8"

    found = sit("play", "--record", str(file), *GREEDY, typing=lines)
    assert found.code == 2
    assert f"--record {file} cannot be written" in found.err


def test_two_at_one_file(tmp_path: Path) -> None:
    """What another program wrote in the meantime is not lost: that is said, and `save` goes on."""
    file, other = tmp_path / "match.txt", tmp_path / "other.txt"

    def lines(shown: str) -> str | None:
        asked = shown.count("You> ")
        if asked == 2:
            assert sit("play", "--resume", str(file), typing=["a", "note other"]).code == 0
        return ["8", "k", f"save {other}", "a", None][asked - 1]

    found = sit("play", "--record", str(file), *GREEDY, typing=lines)
    assert (found.code, found.err) == (0, "")
    assert "was changed by another program" in " ".join(found.out.split())
    assert "; other" in file.read_text(encoding="utf-8")
    assert moves(str(file))[2] == "AD"
    assert moves(str(other))[2] == "KD"


def test_a_player_that_cannot_play_by_the_rules(tmp_path: Path) -> None:
    """Refused before anything is dealt: a policy needs a model."""
    rules, file = tmp_path / "mine.toml", tmp_path / "match.txt"
    rules.write_text('name = "mine"\nbase = "classic"\nhand_size = 6\n', encoding="utf-8")
    found = call("play", "--rules", str(rules), "--level", "policy", "--record", str(file))
    assert found.code == 2
    assert "--level policy" in found.err
    assert not file.exists()


def test_a_full_disk(tmp_path: Path) -> None:
    """The record stays what it was before, whole."""
    file = tmp_path / "match.txt"
    text = ""

    def lines(shown: str) -> str | None:
        nonlocal text
        if shown.count("You> ") == 1:
            text = file.read_text(encoding="utf-8")
            return "8"
        return None

    with pytest.MonkeyPatch.context() as patch:
        calls = []

        def full(handle: int) -> None:
            calls.append(handle)
            if len(calls) > 3:  # the file and its folder, then again
                raise OSError(28, "No space left on device")

        patch.setattr("os.fsync", full)
        found = sit("play", "--record", str(file), *GREEDY, typing=lines)
    assert found.code == 2
    assert "No space left on device" in found.err
    assert [path.name for path in tmp_path.iterdir()] == ["match.txt"]
    assert read_record(file).rules.name == "classic"


def test_a_record_without_all_its_cards(tmp_path: Path) -> None:
    """What is not known cannot be played on; the file stays as it is."""
    file = tmp_path / "match.txt"
    assert sit("play", "--seed", "3", "--record", str(file), typing=["a", "quit"]).code == 0
    whole = file.read_text()
    for left_out in ("hand 2 ", "stock "):
        lines = [line for line in whole.splitlines(True) if not line.startswith(left_out)]
        assert len(lines) < len(whole.splitlines())
        file.write_text("".join(lines))
        found = call("play", "--resume", str(file))
        assert found.code == 2
        assert "does not have all the cards of its last round" in found.err
        assert file.read_text() == "".join(lines)
    file.write_text(whole.replace("seed 3", "seed 4"))
    found = call("play", "--resume", str(file))
    assert found.code == 2
    assert "is not what the seed deals in round 1" in found.err


def test_sides_on_a_narrow_terminal() -> None:
    """A line each, where a table would cut names and numbers."""
    match = Match("classic", players=4, partners=True, seed=3, scores=(61, 84))
    game = match.next_round()
    names = Names(match, 0, ENGLISH)
    assert sides_shown(game, names, 40) == [
        "  You + Seat 3: match 61, this round 0, cards taken 0, in hand 4+4",
        "  Seat 2 + Seat 4: match 84, this round 0, cards taken 0, in hand 4+4",
    ]
    [table] = sides_shown(game, names, 80)
    assert not isinstance(table, str)


def test_what_a_hurried_player_types(tmp_path: Path) -> None:
    """`undo` is `back`; levels come first of what can play; cards are no arguments here."""
    file = tmp_path / "match.txt"
    shown = sit("play", "--seed", "3", "--record", str(file), typing=["a", "undo", "exit"])
    assert "Taken back: You: AD" in shown.out
    assert not read_record(file).rounds[0].deals[0].turns
    assert "use beginner, casual" in call("play", "--level", "hard").err
    assert "`basra play --help` lists" in call("play", "7D", "5C").err
    assert '--floor "7D 5C"' in call("captures", "7D", "5C").err
    assert '--hand "7D 5C"' in call("hint", "7D", "5C").err
