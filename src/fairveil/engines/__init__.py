"""Engines: where the data is. Sources that count, hand out rows and publish, behind one protocol."""

from __future__ import annotations

from typing import Any

from fairveil.data.table import Missing, Table
from fairveil.engines.base import Kept, Order, Sink, Source
from fairveil.engines.file import File
from fairveil.engines.memory import Memory
from fairveil.engines.recoded import Recoded

__all__ = ["File", "Kept", "Memory", "Order", "Recoded", "Sink", "Source", "source_of"]


def source_of(data: Any, *, missing: Missing = "category") -> Source:
    """A source itself, or a Table or any data frame as one; nothing that is given is changed."""
    if isinstance(data, Memory | File) or all(hasattr(data, name) for name in ("domain", "count", "publish")):
        source: Source = data
        return source
    return Memory(Table.from_frame(data, missing=missing))
