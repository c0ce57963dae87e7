"""A review as a page that stands alone, and as a piece for notebooks.

No scripts, nothing loaded: styles are in the page, charts are inline SVG.
"""

from __future__ import annotations

from collections.abc import Iterator

from basra.cards import Cards
from basra.decks import DEFAULT_DECK
from basra.html.cards import move_html, signs_html
from basra.html.charts import (
    WIDTHS,
    Bar,
    balance_chart,
    both_widths,
    match_chart,
    round_chart,
)
from basra.html.markup import Html, element, joined
from basra.html.review_style import STYLE
from basra.html.tables import table_html
from basra.language import ENGLISH, Language
from basra.moves import Move
from basra.results import HintMove
from basra.review_words import (
    chance_text,
    game_text,
    judged_text,
    loss_text,
    luck_words,
    moment_text,
    move_signs,
    open_text,
    points_lost,
    round_text,
    scale_text,
    seat_text,
    side_text,
    signed,
    verdict_text,
)
from basra.reviews import MARKS, Decision, Moment, Review, ReviewedRound, SeatSummary
from basra.words import reason_text

_REASONS = 4
"""Facts about a move that a moment shows"""


def review_page(review: Review, language: Language = ENGLISH, deck: str = DEFAULT_DECK) -> str:
    """The page as a file has it."""
    title = language.gettext("Review: {game}").format(game=game_text(review, language))
    head = element(
        "head",
        Html('<meta charset="utf-8">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html('<meta name="color-scheme" content="light dark">'),
        element("title", title),
    )
    shown = _shown(review, language, deck, "basra-review page")
    body = element("body", shown, style="margin:0")
    page = element("html", head, body, lang=language.code, dir=language.direction)
    return f"<!DOCTYPE html>\n{page}\n"


def review_html(review: Review, language: Language = ENGLISH, deck: str = DEFAULT_DECK) -> Html:
    """What the page shows, with its styles, to be put into another."""
    return _shown(review, language, deck, "basra-review")


def _shown(review: Review, language: Language, deck: str, kind: str) -> Html:
    parts = [
        element("h1", game_text(review, language)),
        _headline(review, language),
        element("section", *(_seat(review, s, language) for s in review.seats), class_="seats"),
    ]
    if any(d.win is not None for d in review.decisions):
        parts += _match(review, language)
    parts += _contents(review, language)
    for now in review.rounds:
        parts += _round(review, now, language, deck)
    parts.append(_notes(review, language))
    inside = element("main", *parts, lang=language.code, dir=language.direction)
    return element("div", element("style", Html(STYLE)), inside, class_=kind)


def _headline(review: Review, language: Language) -> Html:
    said = [round_text(now, language) for now in review.rounds]
    if review.winner is not None:
        winner = side_text(review, review.winner, language)
        said.append(language.gettext("{side} won the match").format(side=winner))
    return element("p", " · ".join(said), class_="headline")


# -- summaries -----------------------------------------------------------------------------------


def _seat(review: Review, seat: SeatSummary, language: Language) -> Html:
    figure, words = points_lost(seat.lost, language), language.gettext("points lost by marks")
    if seat.win_lost is not None:
        figure = chance_text(seat.win_lost, language)
        words = language.gettext(
            "of winning chance lost by marks, added up; {points} points"
        ).format(points=points_lost(seat.lost, language))
    counts = [
        element(
            "span",
            element("b", str(count)),
            " ",
            verdict_text(verdict, language),
            class_=f"chip {verdict}",
        )
        for verdict, count in seat.counts
        if count or verdict in MARKS
    ]
    decisions = language.ngettext("{count} decision", "{count} decisions", seat.decisions)
    return element(
        "div",
        element(
            "h2",
            element("i", "", class_=f"dot s{seat.seat}"),
            " ",
            seat_text(review, seat.seat, language),
        ),
        element("p", element("b", figure), " ", words, class_="figure"),
        element("p", decisions.format(count=seat.decisions), class_="faint"),
        element("p", *counts, class_="chips"),
        class_="card",
    )


def _match(review: Review, language: Language) -> list[Html]:
    title = language.gettext("Chance of {side} to win the match").format(
        side=side_text(review, review.side, language)
    )
    charts = {name: match_chart(review, width, language) for name, width in WIDTHS.items()}
    return [element("h2", title), element("div", both_widths(charts), class_="card")]


# -- key moments ---------------------------------------------------------------------------------


def _contents(review: Review, language: Language) -> list[Html]:
    """The key moments in short, with links to them."""
    if not review.moments:
        return []
    lines = []
    for moment in review.moments:
        decision = review.decision(moment)
        place = language.gettext("round {round}, ply {ply}, {who}").format(
            round=moment.round, ply=moment.ply, who=seat_text(review, decision.seat, language)
        )
        kind = decision.verdict if moment.kind == "cost" else "swing"
        link = element("a", place, href=f"#{_anchor(moment)}")
        what = moment_text(review, moment, language)
        lines.append(element("li", element("i", "", class_=f"dot {kind}"), " ", link, ": ", what))
    title = element("h2", language.gettext("Key moments"))
    return [title, element("ul", *lines, class_="card contents")]


def _anchor(moment: Moment) -> str:
    return f"round-{moment.round}-ply-{moment.ply}"


def _moment(review: Review, moment: Moment, language: Language, deck: str) -> Html:
    decision = review.decision(moment)
    assert decision.view is not None
    best = decision.moves[0]
    place = language.gettext("Round {round}, deal {deal}, ply {ply}: {who}").format(
        round=moment.round,
        deal=decision.deal,
        ply=decision.ply,
        who=seat_text(review, decision.seat, language),
    )
    gold = best.move.captures | Cards([best.move.card])
    kind = decision.verdict if moment.kind == "cost" else "swing"
    words = [
        element("h3", place),
        element("p", moment_text(review, moment, language), class_=f"what {kind}"),
        _choice(language.gettext("Played"), decision.played, decision, language, deck),
    ]
    if decision.verdict != "best":
        words.append(_choice(language.gettext("Best"), best.move, decision, language, deck))
    else:
        words.append(element("p", language.gettext("No other move was better."), class_="faint"))
    words += _opinion(review, decision, language, deck)
    table = table_html(decision.view, marked=gold, language=language, deck=deck)
    return element(
        "section",
        element("div", table, class_="table"),
        element("div", *words, class_="words"),
        class_="card moment",
        id=_anchor(moment),
    )


def _choice(label: str, move: Move, decision: Decision, language: Language, deck: str) -> Html:
    """A move, its value, and facts about it."""
    entry = next(e for e in decision.moves if move in (e.move, *e.equal))
    facts = [
        element("li", signs_html(reason_text(reason, language), deck))
        for reason in entry.reasons[:_REASONS]
    ]
    parts = [
        element(
            "p",
            element("span", label, class_="faint"),
            " ",
            element("span", move_html(move, deck, language), class_="signs"),
            " ",
            element("span", _value(entry, decision, language), class_="faint"),
        ),
    ]
    if facts:
        parts.append(element("ul", *facts))
    return element("div", *parts, class_="choice")


def _value(entry: HintMove, decision: Decision, language: Language) -> str:
    """What it is worth: in points, and in the chance to win the match where that is known."""
    if entry.value is None:
        return ""
    points = language.gettext("{points} points").format(points=signed(entry.value, language))
    wins = {decision.played: decision.win, decision.moves[0].move: decision.best_win}
    win = wins.get(entry.move)
    if win is None:
        return points
    return language.pgettext("between figures", ", ").join([points, chance_text(win, language)])


def _opinion(review: Review, decision: Decision, language: Language, deck: str) -> Iterator[Html]:
    now = next(now for now in review.rounds if now.number == decision.round)
    ply = now.open_ply(decision)
    if ply is None or ply.loss is None or ply.best is None:
        return
    if ply.loss:
        said = language.gettext(
            "With all cards known to everybody: {points} points lost, {move} was best."
        ).format(
            points=points_lost(ply.loss, language), move=language.isolate(move_signs(ply.best))
        )
    else:
        said = language.gettext("With all cards known to everybody: nothing was lost.")
    yield element("p", signs_html(said, deck), class_="opinion")


# -- rounds --------------------------------------------------------------------------------------


def _round(review: Review, now: ReviewedRound, language: Language, deck: str) -> list[Html]:
    side = side_text(review, review.side, language)
    title = (
        language.gettext("Expected lead of {side} at the end of the round, in points").format(
            side=side
        )
        if review.sides == 2
        else language.gettext("Expected leads at the end of the round, in points")
    )
    charts = {name: round_chart(review, now, width, language) for name, width in WIDTHS.items()}
    costs = language.gettext("Beneath: what each decision lost")
    skill = language.gettext("Luck against skill, in points for {side}").format(side=side)
    if review.sides > 2:
        skill = language.gettext("Luck against skill, in points")
    bars = list(balance(review, now, language))
    balances = {name: balance_chart(bars, width, skill, language) for name, width in WIDTHS.items()}
    return [
        element("h2", round_text(now, language)),
        element(
            "div",
            element("h3", title),
            both_widths(charts),
            element("p", costs, class_="faint"),
            _legend(language),
            class_="card",
        ),
        element("div", element("h3", skill), both_widths(balances), class_="card"),
        *(_moment(review, m, language, deck) for m in review.moments if m.round == now.number),
        _listed(review, now, language, deck),
    ]


def _legend(language: Language) -> Html:
    marks = [
        element("span", element("i", "", class_=f"dot {mark}"), " ", verdict_text(mark, language))
        for mark in MARKS
    ]
    return element("p", *marks, class_="legend")


def balance(review: Review, now: ReviewedRound, language: Language) -> Iterator[Bar]:
    """What a round's result is made of: luck by deal, marks, and all else."""
    shown = [review.side] if review.sides == 2 else sorted(review.reviewed)
    for side in shown:
        who = f"{side_text(review, side, language)}: " if review.sides > 2 else ""
        for deal in now.deals:
            if deal.luck is None or deal.stderr is None:
                continue
            label = language.gettext("Luck of deal {number}").format(number=deal.deal)
            text = language.isolate(f"{deal.luck[side]:+.1f} ± {deal.stderr:.1f}")
            yield Bar(who + label, deal.luck[side], "luck", text)
        yield from _skill(review, now, side, who, language)


def _skill(
    review: Review, now: ReviewedRound, side: int, who: str, language: Language
) -> Iterator[Bar]:
    """Marks for and against a side, and the result."""
    told = 0.0
    luck = now.luck()
    if luck is not None:
        told = luck[side]
        yield Bar(
            who + language.gettext("Luck of all deals"), told, "luck all", signed(told, language)
        )
    reviewed = {seat % review.sides for seat in review.reviewed}
    for other in range(review.sides):
        if other not in reviewed or (review.sides > 2 and other != side):
            continue
        lost = now.lost(other, review.sides)
        value = -lost if other == side else lost
        told += value
        label = language.gettext("Marks of {side}").format(side=side_text(review, other, language))
        yield Bar(label, value, f"marks s{other}", signed(value, language))
    if now.points is None:
        return
    others = [points for at, points in enumerate(now.points) if at != side]
    result = now.points[side] - sum(others) / len(others)
    if luck is not None:
        label = language.gettext("All else, such as the first move")
        yield Bar(who + label, result - told, "rest", signed(result - told, language))
    yield Bar(who + language.gettext("Result"), result, "result", signed(result, language))


def _listed(review: Review, now: ReviewedRound, language: Language, deck: str) -> Html:
    """Every decision of the round."""
    heads = [
        language.pgettext("column", "ply"),
        language.pgettext("column", "who"),
        language.pgettext("column", "played"),
        language.pgettext("column", "better"),
        language.pgettext("column", "lost"),
        language.pgettext("column", "open hands"),
    ]
    rows = [_row(review, now, decision, language, deck) for decision in now.decisions]
    table = element(
        "table",
        element("thead", element("tr", *(element("th", head) for head in heads))),
        element("tbody", *rows),
    )
    summary = element("summary", language.gettext("All decisions"))
    opened = {"open": ""} if len(review.rounds) == 1 else {}
    return element(
        "details", summary, element("div", table, class_="wide-table"), class_="card", **opened
    )


def _row(
    review: Review, now: ReviewedRound, decision: Decision, language: Language, deck: str
) -> Html:
    opinion = now.open_ply(decision)
    lost = "" if opinion is None or opinion.loss is None else points_lost(opinion.loss, language)
    better = decision.best if decision.verdict not in ("best", "forced") else None
    verdict = "" if decision.verdict == "best" else verdict_text(decision.verdict, language)
    cost = loss_text(decision, language) if decision.loss or decision.win_loss else ""
    said = [element("span", cost, class_="cost-figure")] if cost else []
    if verdict:
        said.append(element("span", verdict, class_=f"verdict {decision.verdict}"))
    return element(
        "tr",
        element("td", str(decision.ply), class_="faint"),
        element("td", seat_text(review, decision.seat, language)),
        element("td", _short(decision.played, deck)),
        element("td", "" if better is None else _short(better, deck)),
        element("td", joined(said, " ")),
        element("td", lost, class_="faint"),
        class_=f"row {decision.verdict}",
    )


def _short(move: Move, deck: str) -> Html:
    return element("span", signs_html(move_signs(move), deck), dir="ltr")


# -- notes ---------------------------------------------------------------------------------------


def _notes(review: Review, language: Language) -> Html:
    notes = [judged_text(review, language), scale_text(review, language), luck_words(language)]
    if any(now.open is not None for now in review.rounds):
        notes.append(open_text(language))
    if review.stop != "complete":
        notes.append(language.gettext("The review was stopped before its end."))
    return element("footer", *(element("p", note) for note in notes))
