"""Builds of the C core for tests: cffi modules around its files, and what its Makefile makes.

A module includes the `.c` files under test, so that static functions and private structs can be
reached from Python; the rest of the core is linked from an archive. Everything is built outside
the tree, in a folder named by a hash of the sources and of how they are compiled, and found there
again.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cffi

ROOT = Path(__file__).resolve().parents[2]
CSRC = ROOT / "csrc"
HEADER = CSRC / "basra.h"
ROOMS = ("game", "model", "knowledge", "search", "play")
FLAGS = ("-std=c11", "-O1", "-g", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off")


@dataclass(frozen=True)
class Module:
    """A compiled cffi module."""

    ffi: Any
    lib: Any


def run(command: Iterable[str | Path], **options: Any) -> str:
    """Output of a command; an error with all it said if it fails."""
    words = [str(word) for word in command]
    done: subprocess.CompletedProcess[str]
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def compiler() -> str:
    return os.environ.get("CC") or "cc"


@cache
def compiler_version() -> str:
    return run([compiler(), "--version"])


def core_sources() -> list[Path]:
    return sorted(path for room in ROOMS for path in (CSRC / room).glob("*.c"))


@cache
def sources_digest() -> str:
    """Hash of everything that a build of the core can depend on."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    paths = [*CSRC.rglob("*.[ch]"), CSRC / "Makefile", *here.glob("*.h")]
    paths += (ROOT / "tests" / "c").glob("*.c")
    for path in sorted(paths):
        if "build" in path.relative_to(ROOT).parts:
            continue
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def folder_for(name: str, *inputs: str) -> Path:
    """Where a build of these inputs belongs."""
    parts = (sources_digest(), compiler_version(), sys.version, cffi.__version__, *inputs)
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "basra-tests" / f"{name}-{digest}"


def keep(made: Path, folder: Path) -> Path:
    """Moves a finished build into place; if another process was first, its build is as good."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        made.rename(folder)
    except OSError:
        shutil.rmtree(made, ignore_errors=True)
        if not folder.is_dir():
            raise
    return folder


def scratch(folder: Path) -> Path:
    """A fresh folder on the same file system as `folder`."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(dir=folder.parent))


def compile_all(sources: Iterable[Path], flags: Iterable[str], into: Path) -> list[Path]:
    """Object files of C files, two at a time."""

    def compile_one(source: Path) -> Path:
        target = into / f"{source.parent.name}-{source.stem}.o"
        run([compiler(), *flags, "-I", CSRC, "-c", "-o", target, source])
        return target

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(compile_one, sources))


@cache
def archive(*flags: str) -> Path:
    """The whole core as a static library."""
    folder = folder_for("core", *FLAGS, *flags)
    if not folder.is_dir():
        made = scratch(folder)
        objects = compile_all(core_sources(), [*FLAGS, *flags], made)
        run(["ar", "rcs", made / "libcore.a", *objects])
        keep(made, folder)
    return folder / "libcore.a"


def header_cdef() -> str:
    """The declarations of basra.h, as cffi can read them."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)
    text = re.sub(r"^#.*(?:\\\n.*)*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\bBASRA_API\s+", "", text)


def module(name: str, source: str, cdef: str, *flags: str) -> Module:
    """A module of C `source` that makes what `cdef` declares reachable, basra.h included."""
    folder = folder_for(name, source, cdef, *FLAGS, *flags)
    full_name = "_" + folder.name.replace("-", "_")
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    target = folder / f"{full_name}{suffix}"
    if not folder.is_dir():
        made = scratch(folder)
        ffi = cffi.FFI()
        ffi.cdef(header_cdef() + cdef)
        ffi.set_source(full_name, source)
        ffi.emit_c_code(str(made / "module.c"))
        includes = ["-I", str(CSRC), "-I", sysconfig.get_path("include")]
        command = [compiler(), *FLAGS, *flags, "-Wno-unused-function", *includes]
        # The archive comes last: of what the module includes itself, nothing is taken from it.
        run([*command, "-shared", "-o", made / target.name, made / "module.c", archive(*flags)])
        keep(made, folder)
    loader = importlib.machinery.ExtensionFileLoader(full_name, str(target))
    spec = importlib.util.spec_from_file_location(full_name, target, loader=loader)
    assert spec is not None
    loaded: Any = importlib.util.module_from_spec(spec)
    loader.exec_module(loaded)
    return Module(loaded.ffi, loaded.lib)


@cache
def make(*arguments: str) -> Path:
    """Folder of what `make ARGUMENTS` in csrc/ builds."""
    folder = folder_for("make", *arguments)
    if not folder.is_dir():
        made = scratch(folder)
        run(["make", "-j2", "-C", CSRC, f"CC={compiler()}", f"BUILD={made}", *arguments])
        keep(made, folder)
    return folder
