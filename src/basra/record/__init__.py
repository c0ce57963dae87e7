"""Game records: values, a readable text form, and its JSON twin; see docs/record.md."""

from basra.record.model import DealRecord, Estimate, Record, RoundRecord, Seat, Turn

__all__ = ["DealRecord", "Estimate", "Record", "RoundRecord", "Seat", "Turn"]
