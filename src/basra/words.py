"""Sentences that more than one surface shows: reasons, tables, what was assumed.

English and every other language come from the same templates; each takes a `Language` and holds no
HTML and no colours.  Cards and numbers are isolated, so that they stay whole in any direction.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from basra.cards import Card
from basra.language import ENGLISH, Language

if TYPE_CHECKING:
    from basra.position import Position
    from basra.results import Reason
    from basra.view import View


def card_signs(cards: Iterable[Card | str], language: Language = ENGLISH) -> str:
    """Cards by their signs, which are the same in every language.

    >>> card_signs(["2H", "TD"])
    '2♥ T♦'
    """
    return " ".join(language.isolate(Card(card).sign) for card in cards)


def percent(chance: float, language: Language = ENGLISH) -> str:
    """A chance of 0 to 1."""
    return language.isolate(f"{chance:.0%}")


def points_text(value: float | None, language: Language = ENGLISH) -> str:
    """A solved value in points; None where the search did not get to it.

    >>> points_text(32), points_text(-1.5), points_text(None)
    ('+32', '-1.50', 'not reached')
    """
    if value is None:
        return language.gettext("not reached")
    return language.isolate(f"{value:+d}" if isinstance(value, int) else f"{value:+.2f}")


# -- reasons -------------------------------------------------------------------------------------


def reason_text(reason: Reason, language: Language = ENGLISH) -> str:
    """A reason as a sentence; `Reason.text` is the English one.

    >>> from basra.results import Reason
    >>> reason_text(Reason("power_kept", ("7D", "JS"), 2))
    'keeps 7♦ J♠'
    """
    if reason.code in ("basra", "takes", "points"):
        return _gain(reason, language)
    if reason.code == "belief":
        return _belief(reason, language)
    cards, chance = card_signs(reason.cards, language), percent(reason.value, language)
    if reason.code == "power_risked":
        template = (
            language.gettext("lays {cards} on the floor, where it can be taken")
            if reason.about == "floor"
            else language.gettext(
                "leaves {cards} as the last card, to be played even on an empty floor"
            )
        )
        return template.format(cards=cards)
    template = {
        "reply_basra": language.gettext("next player can make a basra: {chance}, with {cards}"),
        "reply_sweep": language.gettext(
            "next player can take the whole floor: {chance}, with {cards}"
        ),
        "last_copy": language.gettext("last {rank}: no other is left to match it"),
        "power_kept": language.gettext("keeps {cards}"),
    }[reason.code]
    rank = language.isolate(Card(reason.cards[0]).rank)
    return template.format(cards=cards, chance=chance, rank=rank)


def _gain(reason: Reason, language: Language) -> str:
    count, cards = int(reason.value), reason.cards
    if reason.code == "basra":
        template = language.ngettext("basra now, {count} point", "basra now, {count} points", count)
    elif reason.code == "points":
        template = language.ngettext("{count} card point now", "{count} card points now", count)
    else:
        cards = tuple(card for card in cards if card != reason.played)
        count = len(cards)
        template = language.ngettext(
            "takes {count} card ({cards})", "takes {count} cards ({cards})", count
        )
    return template.format(count=count, cards=card_signs(cards, language))


def _belief(reason: Reason, language: Language) -> str:
    chance = percent(reason.value, language)
    if reason.played:
        ranks = dict.fromkeys(Card(card).rank for card in reason.cards)
        template = language.gettext(
            "did not take with {ranks}, but laid down {card}: rather {chance}"
        )
        between = language.pgettext("between alternatives", "or")
        return template.format(
            ranks=f" {between} ".join(map(language.isolate, ranks)),
            card=card_signs([reason.played], language),
            chance=chance,
        )
    template = (
        language.gettext("after what it played, rather {chance} that it can make a basra")
        if reason.about == "reply_basra"
        else language.gettext(
            "after what it played, rather {chance} that it can take the whole floor"
        )
    )
    return template.format(chance=chance)


# -- tables --------------------------------------------------------------------------------------


def table_text(view: View, language: Language = ENGLISH, rules: str | None = None) -> str:
    """Which rules, table, deal and seat a view is about; `rules` is a better name for its rules."""
    return language.gettext("{rules}, {players}, deal {deal} of {deals}, seat {seat}").format(
        rules=language.isolate(view.rules.name if rules is None else rules),
        players=_players_text(view, language),
        deal=view.deal,
        deals=view.deals,
        seat=view.seat,
    )


def position_text(position: Position, language: Language = ENGLISH) -> str:
    """Which rules, table and deal a position is about."""
    said = {
        "rules": language.isolate(position.rules.name),
        "players": _players_text(position, language),
        "round": position.round_number,
    }
    if position.is_over:
        return language.gettext("{rules}, {players}, round {round}: over").format(**said)
    deals = len(position.rules.deal_sizes(position.players))
    return language.gettext("{rules}, {players}, round {round}, deal {deal} of {deals}").format(
        **said, deal=position.deal_number, deals=deals
    )


def _players_text(table: View | Position, language: Language) -> str:
    if table.partners:
        template = language.gettext("{count} players in partnerships")
    else:
        template = language.ngettext("{count} player", "{count} players", table.players)
    return template.format(count=table.players)


# -- what was assumed ----------------------------------------------------------------------------


def assumed_text(view: View, name: str, language: Language = ENGLISH) -> str:
    """What a view took for an option that was not given, as one would type or say it."""
    numbers = {
        "deal": view.deal,
        "seat": view.seat,
        "points": ":".join("0" for _ in view.points),
        "carry": 0,
        "match": ":".join("0" for _ in view.match),
        "rules": view.rules.name,
        "players": view.players,
    }
    if name in numbers:
        return language.isolate(numbers[name])
    if name == "last":
        return _last_text(view.last, language)
    if name == "cards":
        counts = language.isolate(":".join(map(str, view.cards)))
        return language.gettext("level, {counts}").format(counts=counts)
    if name == "buried":
        return language.pgettext("cards put back into the stock", "none")
    if name == "partners":
        return language.gettext("no, single players")
    if name == "played":
        return _played_text(view.plays_made, language)
    return _seen_text(view, language)


def _last_text(last: str | None, language: Language) -> str:
    if last is None:
        return language.pgettext("who captured last", "none")
    if last == "unknown":
        return language.pgettext("who captured last", "averaged")
    return language.isolate(last)


def _played_text(plays: int, language: Language) -> str:
    if not plays:
        return language.pgettext("what was played", "nothing")
    template = language.ngettext("{count} play, not given", "{count} plays, not given", plays)
    return template.format(count=plays)


def _seen_text(view: View, language: Language) -> str:
    if not view.gone:
        return language.gettext("nothing gone")
    if not view.untracked:
        return language.gettext("all cards gone")
    template = language.ngettext(
        "{count} card gone, not tracked", "{count} cards gone, not tracked", view.untracked
    )
    return template.format(count=view.untracked)
