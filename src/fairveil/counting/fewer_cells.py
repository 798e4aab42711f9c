"""PartOf: cells without one of their columns, such as who they are about, and which of them each cell is part of.

There are nearly as many cells with persons as records, and few without. What follows from the fewer cells and the pairs
of one of them and a person is computed once, whichever search, measure or verdict asks for it first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from fairveil.counting.cells import Cells


@dataclass(frozen=True)
class PartOf:
    """The `cells` without the column `name`, of `size` values, and the one that each cell with these codes and counts
    is part of."""

    cells: Cells
    of_cell: NDArray[Any]
    codes: Mapping[str, NDArray[np.int64]]
    counts: np.ndarray
    name: str
    size: int
    _known: dict[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict, repr=False, compare=False)

    def of(self, cells: Cells) -> bool:
        """Whether these are the cells that were counted; others may have been derived from them."""
        return self.codes is cells.codes and self.counts is cells.counts

    def described(self, cells: Cells) -> PartOf:
        """Return the same, of the fewer cells as they are described there."""
        return PartOf(cells, self.of_cell, self.codes, self.counts, self.name, self.size, self._known)

    @property
    def shares(self) -> np.ndarray:
        """How much each of the fewer cells counts if every value of the column, such as a person, counts once, shared
        equally by its rows."""
        return self._shared[0]

    @property
    def persons(self) -> int:
        """The number of values of the column that occur."""
        return int((self._shared[1] > 0).sum())

    @cached_property
    def _shared(self) -> tuple[np.ndarray, np.ndarray]:
        """The shares, and the rows of each value."""
        if "shares" not in self._known:
            codes = self.codes[self.name]
            rows = np.bincount(codes, weights=self.counts, minlength=self.size)
            shares = np.bincount(self.of_cell, weights=self.counts / rows[codes], minlength=len(self.cells))
            self._known["shares"] = (shares, rows)
        return self._known["shares"]

    @property
    def by_value(self) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The fewer cells of each value, value by value, and where those of each value start."""
        from fairveil.counting.kernels.person_counts import stable_order

        if "by_value" not in self._known:
            codes = self.codes[self.name]
            cells = self.of_cell.astype(np.int32)[stable_order(codes.astype(np.int32), self.size)]
            starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=self.size))])
            self._known["by_value"] = (cells, starts)
        return self._known["by_value"]
