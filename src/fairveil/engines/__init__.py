"""Engines: where the data is. Sources count, hand out rows and publish; all follow one protocol."""

from __future__ import annotations

from fairveil.engines.base import Order, Rows, Sink, Source, Spread, TablesInMemory, TooManyCells
from fairveil.engines.memory import Memory
from fairveil.engines.opening import ENGINES, open_source, opened, source_of
from fairveil.engines.recoded import Recoded

__all__ = [
    "ENGINES", "Memory", "Order", "Recoded", "Rows", "Sink", "Source", "Spread", "TablesInMemory",
    "TooManyCells", "open_source", "opened", "source_of",
]  # fmt: skip
