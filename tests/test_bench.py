"""The node signature: exact node counts of fixed positions, kind by kind.

They are the same on every machine and change only when a search does.  If that was meant to happen,
write them anew with `BASRA_UPDATE_GOLDEN=1 python -m pytest tests/test_bench.py` and say why in the
commit.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from basra.bench import run

GOLDEN = Path(__file__).parent / "golden" / "bench.json"


def test_node_signature() -> None:
    """Right answers at a higher price would pass every other test."""
    found = run()
    nodes = {kind.name: kind.nodes for kind in found.kinds}
    if os.environ.get("BASRA_UPDATE_GOLDEN"):
        GOLDEN.write_text(json.dumps(nodes, indent=2) + "\n", encoding="utf-8")
    assert nodes == json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert found.signature == sum(nodes.values())
