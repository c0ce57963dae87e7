"""The documents: what they show is run, what they list is complete, and links lead somewhere.

In README.md and docs/, `sh` lines that start with `basra` are run in a folder that has the page's
`toml` blocks as files, and its `jsonl` block as deals.jsonl; a comment `# exits 2` names another
exit code than 0. A `text` block right after a block with one such command is its output, but for
the seconds. `pycon` blocks of a page are one doctest session.
"""

from __future__ import annotations

import doctest
import importlib
import json
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

import pytest

import basra
from basra import Rules, preset_names
from basra.reasons import CODES
from basra.results import STOPS
from cli_helpers import settled

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
DOCS = sorted((ROOT / "docs").glob("*.md"))
SHOWN = [README, *DOCS]
PAGES = [
    path
    for path in sorted(ROOT.rglob("*.md"))
    if not {".git", ".venv", "venv", "build"} & set(path.relative_to(ROOT).parts)
    and not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
]
TEST_COMMAND = "python -m pip install '.[test]' && python -m pytest"
HINT_COMMAND = 'python -m pip install . && basra hint --hand "7D 5C KH 2S" --floor "3C 2H 5S"'
PARAMETERS = [f.name for f in fields(Rules) if f.init and f.name != "name"]


class Block(NamedTuple):
    """A fenced block: its language, its text, and the block that follows with nothing between."""

    language: str
    text: str
    after: str | None


_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: Path, language: str) -> Iterator[Block]:
    """The blocks of one language; `after` is the text block that follows at once, if any."""
    text = page.read_text(encoding="utf-8")
    found = list(_FENCE.finditer(text))
    for i, match in enumerate(found):
        if match[1] != language:
            continue
        after = None
        if i + 1 < len(found) and found[i + 1][1] == "text":
            between = text[match.end() : found[i + 1].start()]
            after = None if between.strip() else found[i + 1][2]
        yield Block(match[1], match[2], after)


class Shown(NamedTuple):
    """A command that a page shows, its exit code, and its output if that is shown too."""

    page: Path
    command: str
    code: int
    output: str | None


def commands() -> list[Shown]:
    """All commands of all pages that start with `basra`, alone or after an installation."""
    found = []
    for page in SHOWN:
        for block in blocks(page, "sh"):
            lines = [line.split(" && ")[-1] for line in block.text.splitlines()]
            mine = [line for line in lines if line.startswith("basra ")]
            for line in mine:
                exits = re.search(r"#\s*exits (\d+)\s*$", line)
                # Only what stands last in its block can have its output after it.
                output = block.after if line == lines[-1] else None
                found.append(Shown(page, line, int(exits[1]) if exits else 0, output))
    return found


def masked(text: str) -> str:
    """Output without what differs from run to run, and without blanks that cannot be seen."""
    text = re.sub(r"\d+\.\d\d s\b", "#.## s", text)
    lines = [line.rstrip() for line in text.splitlines()]
    return "\n".join(lines).strip("\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the rule files and the positions of all pages lie."""
    made = tmp_path_factory.mktemp("pages")
    for page in SHOWN:
        for block in blocks(page, "toml"):
            name = tomllib.loads(block.text)["name"]
            (made / f"{name}.toml").write_text(block.text, encoding="utf-8")
        for block in blocks(page, "jsonl"):
            (made / "deals.jsonl").write_text(block.text, encoding="utf-8")
    shutil.copytree(ROOT / "docs" / "examples", made / "docs" / "examples")
    return made


@pytest.mark.parametrize(
    "shown", commands(), ids=lambda shown: f"{shown.page.stem}: {shown.command[:60]}"
)
def test_commands(shown: Shown, folder: Path) -> None:
    """They end as shown, and print what is shown."""
    words = shlex.split(shown.command, comments=True)
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env={**settled(os.environ), "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == shown.code, done.stderr
    assert bool(done.stderr) == bool(shown.code)
    if shown.output is not None:
        assert masked(done.stdout) == masked(shown.output)


def test_commands_were_found() -> None:
    """Each page that shows commands, and the example of the README with its output."""
    found = commands()
    assert {shown.page.name for shown in found} >= {"README.md", "rules.md", "notation.md"}
    [example, *_] = [shown for shown in found if shown.page == README]
    assert HINT_COMMAND.endswith(example.command)
    assert example.output is not None
    assert "mean over 32 worlds" in example.output
    assert "the\nbest move is told from all others" in example.output


def test_installation_commands() -> None:
    """The README has both, to the letter."""
    lines = [line for block in blocks(README, "sh") for line in block.text.splitlines()]
    assert HINT_COMMAND in lines
    assert TEST_COMMAND in lines


def test_ci_runs_the_test_command() -> None:
    """What the README says is what is run on a fresh machine."""
    script = ROOT / ".ci" / "run"
    if not script.exists():
        pytest.skip("not a checkout")
    assert TEST_COMMAND in script.read_text(encoding="utf-8")


# -- Python --------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: page.name)
def test_sessions(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python sessions of a page, one after the other."""
    monkeypatch.chdir(folder)
    source = "\n".join(block.text for block in blocks(page, "pycon"))
    session = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)
    said: list[str] = []
    result = doctest.DocTestRunner().run(session, out=said.append)
    assert result.failed == 0, "".join(said)


def modules() -> list[str]:
    """All modules of the package; what only starts the command line does so when imported."""
    found = pkgutil.walk_packages(basra.__path__, "basra.")
    return ["basra", *(module.name for module in found if module.name != "basra.__main__")]


@pytest.mark.parametrize("name", modules())
def test_docstrings(name: str) -> None:
    """Examples in docstrings."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_docstrings_were_found() -> None:
    """The walk sees the package and the commands."""
    assert {"basra.engine", "basra.cli.hint", "basra._core"} <= set(modules())


# -- what is listed ------------------------------------------------------------------------------


def has_row(page: str, name: str, cells: int) -> bool:
    """Has a table of that many columns a row that starts with a name in code type?"""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith(f"| `{name}` |")]
    return any(row.count(" | ") == cells - 1 for row in rows)


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_parameters_are_described(parameter: str) -> None:
    """docs/rules.md has a row for every rule parameter."""
    assert has_row("rules.md", parameter, 3)


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_presets_are_as_described(parameter: str) -> None:
    """And the values that the presets have, in a table of their own."""
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    table = text.partition("## Presets")[2]
    head = next(line for line in table.splitlines() if line.startswith("| |"))
    assert [cell.strip() for cell in head.strip("|").split("|")[1:]] == preset_names()
    [row] = [line for line in table.splitlines() if line.startswith(f"| `{parameter}` |")]
    cells = [cell.strip() for cell in row.strip("|").split("|")[1:]]
    assert cells == [in_words(Rules.preset(name).to_dict()[parameter]) for name in preset_names()]


def in_words(value: object) -> str:
    """A value of a rule parameter as the table of presets has it."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {points}" for key, points in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_rule_files() -> None:
    """Every rule file that a page shows changes its base."""
    for page in SHOWN:
        for block in blocks(page, "toml"):
            rules = Rules.from_toml(block.text)
            assert rules != Rules.preset(tomllib.loads(block.text)["base"])
            assert rules.name in block.text


@pytest.mark.parametrize("code", CODES)
def test_reasons_are_described(code: str) -> None:
    """docs/algorithms.md has a row for every code."""
    assert has_row("algorithms.md", code, 4)


def test_sizes_are_those_of_the_signature() -> None:
    """The table of docs/algorithms.md has the mean nodes of `basra bench`."""
    nodes = json.loads((ROOT / "tests" / "golden" / "bench.json").read_text(encoding="utf-8"))
    text = (ROOT / "docs" / "algorithms.md").read_text(encoding="utf-8")
    rows = [line for line in text.partition("### Size")[2].splitlines() if line.startswith("| ")]
    counts = {"last deal": 500, "two deals": 100, "whole round": 10, "last deal, partners": 50}
    for row, (name, count) in zip(rows[1:5], counts.items(), strict=True):
        kinds = (name, f"{name}, every move")
        cells = [f"{nodes[kind] / count:,.0f}" if kind in nodes else "" for kind in kinds]
        assert [cell.strip() for cell in row.strip("|").split("|")] == [name, *cells]


@pytest.mark.parametrize("stop", STOPS)
def test_stops_are_described(stop: str) -> None:
    """And for every reason to stop."""
    assert has_row("algorithms.md", stop, 2)


def test_the_example_in_c_is_valid() -> None:
    """It compiles against the header, without a warning."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    assert compiler, "no C compiler"
    [example] = blocks(ROOT / "docs" / "c-api.md", "c")
    done = subprocess.run(
        [
            *shlex.split(compiler),
            *("-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c"),
            *("-I", str(ROOT / "csrc"), "-"),
        ],
        input=example.text,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr


# -- links ---------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """What headings of a page are called in links."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links(page: Path) -> None:
    """Relative links lead to files, and to headings in them."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        to = page.parent / name if name else page
        assert to.exists(), target
        assert not anchor or anchor in anchors(to), target
