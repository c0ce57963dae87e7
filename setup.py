"""Build of the one extension module: the C core and its Cython wrapper, linked once.

Everything else is in pyproject.toml.  Switches, read from the environment and none of them set by
default: BASRA_SANITIZE=1 (AddressSanitizer and UndefinedBehaviorSanitizer), BASRA_DEBUG=1 (-O0 -g),
BASRA_WERROR=1 (warnings are errors), BASRA_NATIVE=1 (-march=native).
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

CORE = sorted(
    path.as_posix()
    for room in ("game", "model", "knowledge", "search", "play")
    for path in Path("csrc", room).glob("*.c")
)
HEADERS = sorted(path.as_posix() for path in Path("csrc").rglob("*.h"))


def wanted(switch: str) -> bool:
    return os.environ.get(switch, "") not in ("", "0")


def compile_flags() -> list[str]:
    if sys.platform == "win32":
        return ["/O2", "/std:c11", "/experimental:c11atomics"]
    flags = ["-std=c11", "-O3", "-fvisibility=hidden", "-ffp-contract=off"]
    if wanted("BASRA_DEBUG"):
        flags += ["-O0", "-g", "-UNDEBUG"]
    if wanted("BASRA_SANITIZE"):
        flags += ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"]
        flags += ["-fno-sanitize-recover=undefined"]
    if wanted("BASRA_WERROR"):
        flags += ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
    if wanted("BASRA_NATIVE"):
        flags += ["-march=native"]
    return flags


def link_flags() -> list[str]:
    return ["-fsanitize=address,undefined"] if wanted("BASRA_SANITIZE") else []


setup(
    ext_modules=cythonize(
        [
            Extension(
                "basra._core",
                sources=["src/basra/_core.pyx", *CORE],
                depends=HEADERS,
                include_dirs=["csrc"],
                extra_compile_args=compile_flags(),
                extra_link_args=link_flags(),
            )
        ],
        build_dir="build/cython",
        language_level=3,
    )
)
