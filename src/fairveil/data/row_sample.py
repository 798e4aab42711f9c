"""RowSample: a random sample of the rows of a file that is read in pieces, in memory that does not grow with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fairveil.data.coding import Coder


@dataclass
class RowSample:
    """At most `size` of the rows, each as likely as any other, in their order: those with the smallest of random
    numbers. They depend on the seed and on how many rows there are, not on the pieces.

    >>> import pyarrow as pa
    >>> from fairveil.data.coding import Coder
    >>> coder, rows = Coder("n"), RowSample(3, seed=1)
    >>> for piece in ([5, 6, 7, 8], [9, 5, 6]):
    ...     coder.add(pa.array(piece))
    ...     rows.keep([coder], len(piece))
    >>> rows.settle([coder])
    >>> len(coder.finish().codes)
    3
    """

    size: int
    seed: int = 0
    drawn: np.ndarray = field(default_factory=lambda: np.empty(0), repr=False)

    def __post_init__(self) -> None:
        self._numbers = np.random.default_rng(self.seed)

    def keep(self, coders: Iterable[Coder], rows: int) -> None:
        """Take note of the rows that the coders have just read, and forget some once there are too many."""
        self.drawn = np.append(self.drawn, self._numbers.random(rows))
        if len(self.drawn) > 2 * self.size:
            self.settle(coders)

    def settle(self, coders: Iterable[Coder]) -> None:
        """Forget all rows but the sample."""
        if len(self.drawn) <= self.size:
            return
        chosen = np.sort(np.argpartition(self.drawn, self.size)[: self.size])
        self.drawn = self.drawn[chosen]
        for coder in coders:
            coder.pieces = [np.concatenate(coder.pieces)[chosen]]
