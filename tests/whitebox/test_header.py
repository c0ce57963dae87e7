"""The public header: clean alone, bound from another language, and as the wrapper declares it."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import cffi
import pytest

from whitebox.build import CSRC, HEADER, ROOT, header_cdef, make, run

PXD = ROOT / "src" / "basra" / "_capi.pxd"


def header_text() -> str:
    """The header without comments."""
    return re.sub(r"/\*.*?\*/", " ", HEADER.read_text(), flags=re.DOTALL)


@cache
def shared_library() -> Path:
    return make("lib") / "libbasra.so"


@cache
def binding() -> tuple[Any, Any]:
    """The plain shared library, bound by its header alone, as any other language would."""
    ffi = cffi.FFI()
    ffi.cdef(header_cdef())
    return ffi, ffi.dlopen(str(shared_library()))


def api_functions() -> set[str]:
    return set(re.findall(r"BASRA_API\s[^;]*?\b(basra_\w+)\s*\(", header_text()))


def test_header_compiles_alone() -> None:
    run(["make", "-C", CSRC, "header"])


def test_exported_symbols_are_the_public_functions() -> None:
    listed = run(["nm", "-D", "--defined-only", shared_library()])
    exported = {line.split()[-1].split("@")[0] for line in listed.splitlines()}
    # Some linkers add marks of their own.
    exported -= {"_init", "_fini", "__bss_start", "_edata", "_end"}
    assert exported == api_functions()
    assert len(exported) > 30


def test_version_is_the_package_version() -> None:
    stated = re.search(r'#define BASRA_VERSION "(.*)"', HEADER.read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert stated is not None
    assert stated[1] == project["version"]


def test_engine_from_another_language() -> None:
    ffi, lib = binding()
    rules = lib.basra_preset_rules(0)
    assert ffi.string(lib.basra_preset_name(0)) == b"classic"
    out = ffi.new("basra_engine **")
    assert lib.basra_engine_new(0, out) == lib.BASRA_OK
    engine = out[0]
    fault, detail = ffi.new("basra_fault *"), ffi.new("int *")

    # 5S 9D against KH QC on 4C AD.
    p = ffi.new("basra_position *")
    p.players, p.last = 2, lib.BASRA_UNKNOWN_SEAT
    p.hand[0], p.hand[1] = 1 << 19 | 1 << 33, 1 << 50 | 1 << 44
    p.floor = 1 << 12 | 1 << 1
    assert lib.basra_position_complete(rules, 0, p, fault, detail) == lib.BASRA_OK
    moves, line = ffi.new("basra_scored[16]"), ffi.new("basra_move[52]")
    solution = ffi.new("basra_solution *")
    status = lib.basra_solve(engine, rules, p, ffi.NULL, 1, moves, 16, line, solution)
    assert status == lib.BASRA_OK
    assert (solution.moves, solution.line, solution.stop) == (2, 4, lib.BASRA_STOP_COMPLETE)
    best = moves[solution.best]
    # The five takes all: a basra, the ace, and the bonus for five cards of none.
    assert (best.move.card, best.move.taken, best.move.basra) == (19, p.floor, 10)
    assert best.value == 10 + 1 + 30

    view, facts = ffi.new("basra_view *"), ffi.new("basra_facts *")
    deal = ffi.new("basra_position *")
    assert lib.basra_position_deal(rules, 2, 0, 0, 11, deal) == lib.BASRA_OK
    assert lib.basra_view_of(rules, deal, view) == lib.BASRA_OK
    assert lib.basra_view_complete(rules, view, facts, fault, detail) == lib.BASRA_OK
    count, groups, done = ffi.new("size_t *"), ffi.new("size_t *"), ffi.new("size_t *")
    listed = ffi.new("basra_scored[64]")
    assert lib.basra_view_moves(rules, view, listed, 64, count, groups) == lib.BASRA_OK
    worlds = ffi.new("basra_world[5]")
    assert lib.basra_worlds_sample(rules, view, 0, 0, 5, worlds) == lib.BASRA_OK
    values, nodes = ffi.new(f"int32_t[{5 * groups[0]}]"), ffi.new("uint64_t[5]")
    stop = ffi.new("basra_stop *")
    status = lib.basra_world_values(
        engine, rules, view, ffi.NULL, worlds, 5, ffi.NULL, groups[0], values, nodes, done, stop
    )
    assert (status, done[0], stop[0]) == (lib.BASRA_OK, 5, lib.BASRA_STOP_COMPLETE)
    assert all(nodes)
    lib.basra_engine_free(engine)


# -- the wrapper's declarations --------------------------------------------------------------------


def field_names(body: str) -> list[str]:
    """Names of the fields of a struct body, C or Cython, in order."""
    names = []
    for declaration in re.split(r"[;\n]", body):
        # The type is the first word, or two of them; names follow, split by commas.
        words = re.sub(r"\[[^\]]*\]", "", declaration).replace("*", " ").strip()
        if words and words != "pass":
            first, *rest = words.split(",")
            names += [first.split()[-1], *(word.strip() for word in rest)]
    return names


def header_structs() -> dict[str, list[str]]:
    found = re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", header_text(), flags=re.DOTALL)
    return {name: field_names(body.replace("\n", " ")) for name, body in found}


def header_enums() -> dict[str, list[str]]:
    """Members by enum; those without a name under ""."""
    enums: dict[str, list[str]] = {"": []}
    pattern = r"enum (\w*)\s*\{(.*?)\}"
    for name, body in re.findall(pattern, header_text(), flags=re.DOTALL):
        members = [part.split("=")[0].strip() for part in body.split(",")]
        enums.setdefault(name, []).extend(member for member in members if member)
    return enums


def pxd_blocks(kind: str) -> dict[str, list[str]]:
    """Bodies of the `ctypedef KIND name:` blocks of the wrapper's declarations, as lines."""
    blocks: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for line in PXD.read_text().splitlines():
        start = re.match(rf"    ctypedef {kind} (\w+):", line)
        if start:
            lines = blocks[start[1]] = []
        elif lines is not None and line.startswith(" " * 8):
            lines.append(line.strip())
        else:
            lines = None
    return blocks


def test_wrapper_structs_agree_with_the_header() -> None:
    ours = header_structs()
    blocks = pxd_blocks("struct")
    assert blocks
    for name, lines in blocks.items():
        if lines == ["pass"]:
            assert name not in ours
            continue
        assert field_names("\n".join(lines)) == ours[name], name


def test_wrapper_field_types_agree_with_the_header() -> None:
    """Each field has the width, sign and length that a compiler gives it by the header."""
    ffi, _ = binding()
    alone: Any = cffi.FFI()
    text = ""
    for name, members in header_enums().items():
        text += f"typedef enum {name} {{ {', '.join(members)} }} {name};\n" if name else ""
    text += "typedef int (*basra_poll)(void *user);\n"
    for name, lines in pxd_blocks("struct").items():
        # What the header keeps to itself can be pointed at, and no more.
        body = f"{{ {'; '.join(lines)}; }}" if lines != ["pass"] else name
        text += f"typedef struct {body} {name};\n"
    alone.cdef(text)
    for name, lines in pxd_blocks("struct").items():
        if lines == ["pass"]:
            continue
        ours, theirs = ffi.typeof(name).fields, alone.typeof(name).fields
        assert ours is not None
        assert theirs is not None
        for (field, one), (_, other) in zip(ours, theirs, strict=True):
            assert one.offset == other.offset, (name, field)
            assert ffi.sizeof(one.type) == alone.sizeof(other.type), (name, field)
            assert one.type.cname == other.type.cname, (name, field)


def test_wrapper_enum_members_exist() -> None:
    enums = header_enums()
    blocks = pxd_blocks("enum")
    assert blocks
    for name, lines in blocks.items():
        assert set(lines) <= set(enums[name]), name
    constants = set(re.findall(r"^    int (BASRA_\w+)$", PXD.read_text(), flags=re.MULTILINE))
    assert constants
    assert constants <= set(enums[""])


def function_shapes(text: str) -> dict[str, str]:
    """Every function declared, with the types of its parameters and nothing else."""
    shapes = {}
    text = re.sub(r"\s+", " ", text)
    for result, name, parameters in re.findall(
        r"([\w *]+?[ *])(basra_\w+)\(([^()]*)\)", text.replace("BASRA_API", ";")
    ):
        kinds = []
        for parameter in parameters.split(","):
            words = re.sub(r"\w+$", "", parameter.strip()) or parameter.strip()
            kinds.append(re.sub(r" ", "", words).removesuffix("void"))
        shapes[name] = re.sub(r" ", "", result) + ":" + ",".join(kinds)
    return shapes


def test_wrapper_functions_agree_with_the_header() -> None:
    theirs = function_shapes(header_text())
    assert set(theirs) >= api_functions()
    body = PXD.read_text().split("cdef extern", 1)[1]
    declared = re.findall(
        r"^    ((?:const )?[\w]+ \**basra_\w+\([^)]*\))", body, flags=re.MULTILINE
    )
    ours = function_shapes(";".join(declared))
    assert len(ours) > 30
    for name, shape in ours.items():
        assert shape == theirs[name], name


@pytest.mark.parametrize("name", sorted(api_functions()))
def test_every_public_function_can_be_called_by_name(name: str) -> None:
    _, lib = binding()
    assert getattr(lib, name)
