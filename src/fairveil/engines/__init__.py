"""Engines hold the data. Relations are counted and read by one protocol, and sources publish."""

from __future__ import annotations

from fairveil.engines.memory import InMemoryTable
from fairveil.engines.open_data import ENGINES, open_source, opened, source_of
from fairveil.engines.relation import Order, PublishedTable, Relation, Sizes, Source, TooManyCells

__all__ = [
    "ENGINES", "InMemoryTable", "Order", "PublishedTable", "Relation", "Sizes", "Source", "TooManyCells", "open_source",
    "opened", "source_of",
]  # fmt: skip
