"""MemoryBudget: how much memory a source may use, which limits how many distinct tuples may leave the engine.

>>> str(MemoryBudget.of("4GB")), MemoryBudget.of("4GB").cells(9)
('4.0 GB', 6250000)
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from fairveil.errors import BadInput
from fairveil.messages import literal, option

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
CELL_BYTES = 64
"""Peak memory of a search for each value of a distinct tuple: copies, keys, hash tables."""


def _half_of_the_machine() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return 4 * 10**9


@dataclass(frozen=True)
class MemoryBudget:
    """A number of bytes; by default half of the machine's memory."""

    bytes: int = field(default_factory=_half_of_the_machine)

    @classmethod
    def of(cls, text: str | None) -> MemoryBudget:
        if text is None:
            return cls()
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", str(text).strip(), re.IGNORECASE)
        if not match or float(match[1]) * UNITS[match[2].upper()] < 64 * 10**6:
            raise BadInput(f"{option('memory')} must be a size of at least 64MB, such as 4GB, not {literal(text)}")
        return cls(int(float(match[1]) * UNITS[match[2].upper()]))

    @classmethod
    def for_cells(cls, tuples: int, columns: int) -> MemoryBudget:
        """The memory that this many distinct tuples of this many columns need."""
        return cls(tuples * CELL_BYTES * (columns + 1))

    def cells(self, columns: int) -> int:
        """The number of distinct tuples of this many columns that fit."""
        return max(self.bytes // (CELL_BYTES * (columns + 1)), 1)

    def __str__(self) -> str:
        return f"{self.bytes / 1e9:.1f} GB"
