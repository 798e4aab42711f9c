"""MemoryBudget: how much memory a source may use, which limits how many distinct tuples may leave the engine.

>>> str(MemoryBudget.of("4GB")), MemoryBudget.of("4GB").cells(9)
('4.0 GB', 5312500)
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from fairveil.errors import BadInput
from fairveil.messages import literal, option

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
MINIMUM = 15 * 10**8
"""The smallest budget in bytes: a release of ten million rows exceeds anything smaller."""
PLAUSIBLE = 64 * 10**6
"""Anything smaller is a mistake, also where no engine needs it."""
RESERVED = 600 * 10**6
"""Memory for the program, its libraries, and rows on their way to a file."""
CELL_BYTES = 64
"""Peak memory of a search for each value of a distinct tuple: copies, keys, hash tables."""


def _half_of_the_machine() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return 4 * 10**9


@dataclass(frozen=True)
class MemoryBudget:
    """A number of bytes; by default half of the machine's memory. Of these, `reserved` are not for data."""

    bytes: int = field(default_factory=_half_of_the_machine)
    reserved: int = 0

    @classmethod
    def of(cls, text: str | None) -> MemoryBudget:
        if text is None:
            return cls()
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", str(text).strip(), re.IGNORECASE)
        if not match or float(match[1]) * UNITS[match[2].upper()] < PLAUSIBLE:
            raise _too_small(literal(text))
        return cls(int(float(match[1]) * UNITS[match[2].upper()]), RESERVED)

    def for_engine(self) -> MemoryBudget:
        """The budget itself; raises BadInput if an engine would not keep it."""
        if self.reserved and self.bytes < MINIMUM:
            raise _too_small(str(self))
        return self

    @property
    def for_data(self) -> int:
        """The bytes for data: an engine in this process uses half of them."""
        return self.bytes - self.reserved

    @classmethod
    def for_cells(cls, tuples: int, columns: int) -> MemoryBudget:
        """The memory that this many distinct tuples of this many columns need."""
        return cls(tuples * CELL_BYTES * (columns + 1))

    def cells(self, columns: int) -> int:
        """The number of distinct tuples of this many columns that fit."""
        return max(self.for_data // (CELL_BYTES * (columns + 1)), 1)

    def __str__(self) -> str:
        return f"{self.bytes / 1e9:.1f} GB"


def _too_small(given: str) -> BadInput:
    return BadInput(f"{option('memory')} must be a size of at least 1.5GB, such as 4GB, not {given}")
