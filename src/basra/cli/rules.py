"""basra rules: the presets, and one as a rule file."""

from __future__ import annotations

import sys

import click

from basra.cli import output
from basra.cli.options import json_option
from basra.rules import Rules, preset_names


@click.command(short_help="List the rule sets, or print one to edit.")
@click.argument("name", required=False)
@json_option
def rules(name: str | None, as_json: bool) -> None:
    """Without NAME, the presets; with it, that rule set as TOML to edit and feed back.

    \b
    Example:
      basra rules classic > mine.toml
      basra hint --rules mine.toml --hand "7D 5C KH 2S" --floor "3C 2H 5S"
    """
    if name is None:
        _list(as_json)
        return
    found = Rules.load(name)
    if as_json:
        output.print_json(_entry(found))
    else:
        sys.stdout.write(found.to_toml())


def _entry(found: Rules) -> dict[str, object]:
    return {
        "schema": "basra.rules/1",
        "name": found.name,
        "hash": found.hash,
        "rules": found.to_dict(),
    }


def _list(as_json: bool) -> None:
    presets = [Rules.preset(name) for name in preset_names()]
    if as_json:
        listed = [{"name": found.name, "hash": found.hash} for found in presets]
        output.print_json({"schema": "basra.presets/1", "presets": listed})
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("rules", no_wrap=True)
    for title in ("cards", "players", "7D", "choice", "basra", "most cards", "target"):
        table.add_column(title, overflow="fold")
    for found in presets:
        table.add_row(
            found.name,
            str(found.deck),
            ", ".join(found.tables),
            found.seven_diamonds,
            found.choice,
            str(found.basra_points),
            str(found.most_cards),
            str(found.target),
        )
    output.console().print(table)
