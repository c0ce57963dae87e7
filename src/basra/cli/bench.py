"""basra bench: work and speed over a fixed set of positions."""

from __future__ import annotations

import click

from basra.bench import run
from basra.cli import output
from basra.cli.options import json_option


@click.command(short_help="Nodes and speed over fixed positions.")
@json_option
def bench(as_json: bool) -> None:
    """Nodes, nodes per second for each kind of search, the node signature, and an engine's memory.

    Node counts are exact and the same on every machine; speeds are not.
    """
    with output.patience("measuring"):
        found = run()
    if as_json:
        output.print_json(found.to_dict())
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("kind", "positions", "nodes", "nodes each", "nodes/s"):
        table.add_column(title, justify="left" if title == "kind" else "right")
    for kind in found.kinds:
        table.add_row(
            kind.name,
            f"{kind.positions:,}",
            f"{kind.nodes:,}",
            f"{kind.nodes / kind.positions:,.0f}",
            f"{kind.nodes_per_second:,.0f}",
        )
    out = output.console()
    out.print(table)
    out.print(f"signature {found.signature}", style="bold")
    out.print(f"memory of an engine {found.memory:,} bytes")
