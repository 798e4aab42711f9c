"""Engines: where the data is. Sources count, hand out rows and publish; all follow one protocol."""

from __future__ import annotations

from typing import Any

from fairveil.data.table import Missing, Table
from fairveil.engines.base import Order, Sink, Source, TablesInMemory
from fairveil.engines.file import File
from fairveil.engines.memory import Memory
from fairveil.engines.recoded import Recoded

__all__ = ["File", "Memory", "Order", "Recoded", "Sink", "Source", "TablesInMemory", "source_of"]


def source_of(given: Any, *, missing: Missing = "category") -> Source:
    """A source itself, or a Table or any data frame as one; nothing that is given is changed.

    Values that no row of a Table holds any more are no part of the data.
    """
    return given if isinstance(given, Source) else Memory(Table.from_frame(given, missing=missing).compact())
