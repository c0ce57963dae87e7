"""Build of the one extension module, the C core and its Cython wrapper, and of the catalogues.

Everything else is in pyproject.toml.  Switches, read from the environment and none of them set by
default: BASRA_SANITIZE=1 (AddressSanitizer and UndefinedBehaviorSanitizer), BASRA_DEBUG=1 (-O0 -g),
BASRA_WERROR=1 (warnings are errors), BASRA_NATIVE=1 (-march=native).
"""

import os
import sys
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from Cython.Build import cythonize
from setuptools import Command, Extension, setup
from setuptools.command.build import build

CORE = sorted(
    path.as_posix()
    for room in ("game", "model", "knowledge", "search", "play")
    for path in Path("csrc", room).glob("*.c")
)
HEADERS = sorted(path.as_posix() for path in Path("csrc").rglob("*.h"))


CATALOGUES = sorted(Path("src/basra/locale").glob("*/LC_MESSAGES/*.po"))


class BuildCatalogues(Command):
    """Compiles the gettext catalogues: where the package is built, or in place if it is editable.

    By hand: pybabel compile -d src/basra/locale -D basra
    """

    user_options: list[tuple[str, str | None, str]] = []  # noqa: RUF012

    def initialize_options(self) -> None:
        self.build_lib: str | None = None
        self.editable_mode = False

    def finalize_options(self) -> None:
        self.set_undefined_options("build_py", ("build_lib", "build_lib"))

    def run(self) -> None:
        for source in CATALOGUES:
            target = self._target(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            with source.open("rb") as text, target.open("wb") as compiled:
                write_mo(compiled, read_po(text))

    def _target(self, source: Path) -> Path:
        folder = Path("src" if self.editable_mode else self.build_lib or "")
        return folder / source.relative_to("src").with_suffix(".mo")

    def get_source_files(self) -> list[str]:
        return [source.as_posix() for source in CATALOGUES]

    def get_outputs(self) -> list[str]:
        return [self._target(source).as_posix() for source in CATALOGUES]

    def get_output_mapping(self) -> dict[str, str]:
        return {}


class Build(build):
    """And the catalogues."""

    sub_commands = [*build.sub_commands, ("build_catalogues", None)]  # noqa: RUF012


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
    cmdclass={"build": Build, "build_catalogues": BuildCatalogues},
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
    ),
)
