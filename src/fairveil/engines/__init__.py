"""Engines hold the data. Sources count, yield rows and publish, all by one protocol."""

from __future__ import annotations

from fairveil.engines.memory import InMemorySource
from fairveil.engines.open_data import ENGINES, open_source, opened, source_of
from fairveil.engines.recoded import RecodedSource
from fairveil.engines.source import Order, PublishedRows, Sink, Source, Spread, TablesInMemory, TooManyCells

__all__ = [
    "ENGINES",
    "InMemorySource",
    "Order",
    "PublishedRows",
    "RecodedSource",
    "Sink",
    "Source",
    "Spread",
    "TablesInMemory",
    "TooManyCells",
    "open_source",
    "opened",
    "source_of",
]  # fmt: skip
