"""Reviews of played games: what every decision cost for what the seat knew, luck apart from that.

docs/review.md tells what each number means, and has the scale of the marks.
"""

from basra.reviews.luck import DealLuck
from basra.reviews.marks import MARKS, SCALES, VERDICTS, Scale
from basra.reviews.results import Decision, Moment, Review, ReviewedRound, SeatSummary
from basra.reviews.settings import ReviewSettings

__all__ = [
    "MARKS",
    "SCALES",
    "VERDICTS",
    "DealLuck",
    "Decision",
    "Moment",
    "Review",
    "ReviewSettings",
    "ReviewedRound",
    "Scale",
    "SeatSummary",
]
