"""Why a move is good or risky: facts that are computed from the view, never guessed.

Chances are those of the uniform deal: every hidden hand that fits the view is equally likely;
but for `belief`, which weighs hands by what their players played in this deal.
"""

from __future__ import annotations

from math import comb

from basra.belief import Belief, passed_over
from basra.cards import Card, Cards
from basra.moves import Move
from basra.results import Reason
from basra.view import View

CODES: dict[str, str] = {
    "basra": "basra points made at once",
    "takes": "cards captured at once, the card played included",
    "points": "card points taken at once",
    "reply_basra": "chance that the next player can make a basra, and the cards it depends on",
    "reply_sweep": "chance that the next player can take the whole floor, and with which cards",
    "belief": "the same chance of a reply, after what the next player played in this deal",
    "last_copy": "no unseen card of this rank is left; value: copies seen elsewhere",
    "power_kept": "jacks, and a 7D that sweeps, still in hand after the move",
    "power_risked": "a jack or sweeping 7D laid on the floor, or left as the only card in hand",
}
"""Codes of reasons and what their value is."""


def reasons_for(view: View, move: Move, belief: Belief | None = None) -> tuple[Reason, ...]:
    """All that can be said about one legal move of a view; more with what is believed of hands."""
    replies = _replies(view, move, belief)
    return (*_gains(move), *replies, *_last_copy(view, move), *_powers(view, move))


def chance_of_any(wanted: Cards, pool: Cards, draws: int) -> float:
    """Chance that `draws` cards from `pool` hold at least one of the wanted ones.

    >>> chance_of_any(Cards("KH"), Cards("KH QC 2D 3D"), 1)
    0.25
    """
    rest = len(pool) - len(wanted & pool)
    if draws > len(pool):
        return 1.0 if wanted & pool else 0.0
    return 1 - comb(rest, draws) / comb(len(pool), draws)


def _gains(move: Move) -> list[Reason]:
    found = []
    taken = move.captures
    if move.basra:
        found.append(Reason("basra", tuple(taken.texts), move.basra))
    if taken:
        cards = (taken | Cards([move.card])).texts
        found.append(Reason("takes", tuple(cards), len(cards), played=str(move.card)))
    if move.points:
        found.append(Reason("points", tuple(taken.texts), move.points))
    return found


def _replies(view: View, move: Move, belief: Belief | None) -> list[Reason]:
    basra, sweep, pool, fixed, draws = view.data.reply(move.card.index, move.captures.mask)
    found = []
    for code, mask in (("reply_basra", basra), ("reply_sweep", sweep)):
        cards = Cards.from_mask(mask)
        if not cards:
            continue
        chance = 1.0 if mask & fixed else chance_of_any(cards, Cards.from_mask(pool), draws)
        if chance:
            reply = Reason(code, tuple(cards.texts), chance)
            found.append(reply)
            found += _believed(view, cards, reply, belief)
    return found


_TELLING = 0.03  # by how much belief must change a chance to be worth a word


def _believed(view: View, cards: Cards, reply: Reason, belief: Belief | None) -> list[Reason]:
    """What the next player's plays of this deal say about a reply."""
    seat = view.seat % view.players  # from 0: the one after mine
    if belief is None or not any(hands[seat] for hands, _ in belief.hands):
        return []
    believed = belief.chance(seat, cards.mask)
    if abs(believed - reply.value) < _TELLING:
        return []
    passed = passed_over(view, seat, cards.mask) if believed < reply.value else None
    played = "" if passed is None else str(passed.card)
    return [Reason("belief", reply.cards, believed, about=reply.code, played=played)]


def _last_copy(view: View, move: Move) -> list[Reason]:
    """Meaningful only for a card that stays on the floor."""
    if move.captures:
        return []
    rank = Cards.from_mask(15 << (move.card.index // 4 * 4)) & view.rules.pack
    fields = view.data.fields()
    hidden = view.unseen | Cards.from_mask(fields["stocked"])
    for fixed in fields["fixed"]:
        hidden = hidden | Cards.from_mask(fixed)
    own = view.hand - Cards([move.card])
    if rank & (hidden | own | view.floor):
        return []
    elsewhere = len(rank) - 1
    return [Reason("last_copy", (str(move.card),), elsewhere)]


def _is_power(view: View, card: Card) -> bool:
    return card.rank == "J" or (str(card) == "7D" and view.rules.seven_diamonds != "plain")


def _powers(view: View, move: Move) -> list[Reason]:
    left = view.hand - Cards([move.card])
    kept = Cards([card for card in left if _is_power(view, card)])
    found = []
    if _is_power(view, move.card) and not move.captures:
        found.append(Reason("power_risked", (str(move.card),), 1, about="floor"))
    if kept and len(left) == 1:
        found.append(Reason("power_risked", tuple(kept.texts), 1, about="hand"))
    elif kept:
        found.append(Reason("power_kept", tuple(kept.texts), len(kept)))
    return found
