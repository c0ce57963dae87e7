"""Small policy models for tests."""

from __future__ import annotations

import random
import struct
from functools import cache

from basra import Rules, _core
from basra.models import POLICY, Model, Part, model_bytes

HEAD = struct.Struct("<IIHHHH")


def part_bytes(
    rules: Rules, seed: int, *, hidden: int = 8, temperature: int = 100, floor: int = 20,
    spread: int = 300,
) -> bytes:  # fmt: skip
    """A policy part of random weights."""
    rng = random.Random(seed)
    features = _core.policy_features(rules.data)
    count = (features + 2) * hidden
    weights = [rng.randint(-spread, spread) for _ in range(count)]
    return HEAD.pack(1, features, hidden, temperature, floor, 0) + struct.pack(
        f"<{count}h", *weights
    )


def data_of(model: Model | None) -> _core.ModelData | None:
    """What the core takes for a model."""
    return None if model is None else model._data


@cache
def random_model(preset: str, seed: int = 1, *, temperature: int = 100, floor: int = 20) -> Model:
    """A model with a policy of random weights, strong enough that chances differ."""
    rules = Rules.preset(preset)
    part = part_bytes(rules, seed, temperature=temperature, floor=floor)
    return Model(rules, model_bytes(rules, [Part(POLICY, 0, 0, part)]))
