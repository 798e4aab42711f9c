"""MemoryBudget: how much memory a source may use, and so how many distinct tuples may leave the engine.

>>> str(MemoryBudget.of("4GB")), MemoryBudget.of("4GB").cells(9)
('4.0 GB', 6250000)
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from fairveil.errors import BadInput
from fairveil.messages import option

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
CELL_BYTES = 64
"""Of memory for each value of a distinct tuple, at the worst moment of a search: copies, keys, hash tables."""


def _half_of_the_machine() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):  # Windows says it elsewhere
        return 4 * 10**9


@dataclass(frozen=True)
class MemoryBudget:
    """Bytes; half of the machine's memory unless said otherwise."""

    bytes: int = field(default_factory=_half_of_the_machine)

    @classmethod
    def of(cls, text: str | None) -> MemoryBudget:
        if text is None:
            return cls()
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?\s*", str(text), re.IGNORECASE)
        if not found or float(found[1]) * UNITS[found[2].upper()] < 64 * 10**6:
            raise BadInput(f"{option('memory', text)}: say how much, at least 64MB, such as 4GB")
        return cls(int(float(found[1]) * UNITS[found[2].upper()]))

    def cells(self, columns: int) -> int:
        """How many distinct tuples of so many columns fit."""
        return max(self.bytes // (CELL_BYTES * (columns + 1)), 1)

    def __str__(self) -> str:
        return f"{self.bytes / 1e9:.1f} GB"
