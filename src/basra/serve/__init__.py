"""A protocol for other programs: requests and answers, one JSON object a line; docs/protocol.md.

`basra serve` speaks it on its standard streams, and `Client` starts that and talks to it from
Python.
"""

from __future__ import annotations

from basra.serve.client import Client, Pending
from basra.serve.protocol import PROTOCOL, RequestError

__all__ = ["PROTOCOL", "Client", "Pending", "RequestError"]
