"""How a review judges decisions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from basra.engine import check_method
from basra.errors import ArgumentError
from basra.limits import Limits, check_number
from basra.method_hint import IN_POINTS
from basra.models import MAX_TRUST, Model, default_model
from basra.position import checked_seed
from basra.rules import Rules

OPEN_NODES = 2_000_000
"""Of a round's second opinion: some rounds of two players take so much, most a fiftieth of it"""


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """How a review judges decisions; the defaults judge as the player `full` chooses.

    method
        One of `basra.engine.METHODS` that values moves in points.
    limits
        Of each decision; with none a method does what the player of that name does.
    trust
        Percent: how far the others' plays tell of their hands.
    seed
        Of all that is drawn; None for the seed of the record, 0 where it has none.
    model
        "default": what is shipped for the rules; None for none.
    open_nodes
        Limit of the second opinion with open hands, for each round; 0 leaves it out.
    """

    method: str = "best"
    limits: Limits = field(default_factory=Limits)
    trust: int = 100
    seed: int | None = None
    model: Model | Literal["default"] | None = "default"
    open_nodes: int = OPEN_NODES

    def __post_init__(self) -> None:
        check_method(self.method)
        if self.method not in ("worlds", *IN_POINTS):
            raise ArgumentError(
                "does not value moves in points", field="method", value=self.method,
                fix=f"use {', '.join(('worlds', *IN_POINTS))}",
            )  # fmt: skip
        check_number("trust", self.trust, 0, MAX_TRUST, (int,), "percent")
        check_number("open_nodes", self.open_nodes, 0, 10**18, (int,), "nodes")
        if self.seed is not None:
            checked_seed(self.seed)

    def model_for(self, rules: Rules) -> Model | None:
        """The model under some rules."""
        return default_model(rules) if self.model == "default" else self.model
