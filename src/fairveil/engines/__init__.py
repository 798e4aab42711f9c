"""Engines: where the data is. Sources count, hand out rows and publish; all follow one protocol."""

from __future__ import annotations

from typing import Any

from fairveil.data.table import Missing, Table
from fairveil.engines.base import Kept, Order, Sink, Source
from fairveil.engines.file import File
from fairveil.engines.memory import Memory
from fairveil.engines.recoded import Recoded

__all__ = ["File", "Kept", "Memory", "Order", "Recoded", "Sink", "Source", "source_of"]


def source_of(data: Any, *, missing: Missing = "category") -> Source:
    """The data as a source: a source itself, a Table or any data frame. The data is not changed."""
    if isinstance(data, Memory | File) or all(hasattr(data, name) for name in ("domain", "count", "publish")):
        source: Source = data
        return source
    return Memory(Table.from_frame(data, missing=missing))
