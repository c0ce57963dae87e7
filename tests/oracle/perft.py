"""Counting lines of play: the plainest way to see that two engines play the same game."""

from .play import State, apply, moves


def perft(state: State, depth: int) -> int:
    """Number of lines of exactly `depth` plays, card by card; shorter rounds count nothing."""
    if depth == 0:
        return 1
    return sum(perft(apply(state, move), depth - 1) for move in moves(state))
