"""PackedKeys: the codes of several columns packed into as few whole numbers as hold them, on an engine and here.

Keys sort as the codes do, column after column. So an engine joins, groups and sorts nothing but numbers.

>>> keys = PackedKeys.of({"sex": 2, "age": 100})
>>> packed = keys.pack({"sex": np.array([1, 0]), "age": np.array([31, 40])})
>>> [key.tolist() for key in packed], keys.unpack(packed)["age"].tolist()
([[159, 40]], [31, 40])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil.counting.cells import KEY_BITS, bits_for
from fairveil.data.table import narrow
from fairveil.data.writers import repeated

Codes = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class PackedKeys:
    """`sizes` has how many codes each column may have, `columns` the columns of each key."""

    sizes: Mapping[str, int]
    columns: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, sizes: Mapping[str, int]) -> PackedKeys:
        columns: list[tuple[str, ...]] = []
        width = KEY_BITS
        for name, size in sizes.items():
            width += bits_for(size)
            if width > KEY_BITS:
                columns.append(())
                width = bits_for(size)
            columns[-1] += (name,)
        return cls(dict(sizes), tuple(columns))

    @property
    def names(self) -> list[str]:
        """How the keys are called on an engine."""
        return [f"key{number}" for number, _ in enumerate(self.columns)]

    def pack(self, codes: Mapping[str, Any]) -> list[Any]:
        """The keys of codes: of arrays, or of whatever else can be multiplied and added."""
        packed = []
        for first, *others in self.columns:
            key = codes[first]
            for name in others:
                key = key * (1 << bits_for(self.sizes[name])) + codes[name]
            packed.append(key)
        return packed

    def unpack(self, keys: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
        """The codes that were packed."""
        codes = {}
        for key, names in zip(keys, self.columns, strict=True):
            shift = 0
            for name in reversed(names):
                bits = bits_for(self.sizes[name])
                codes[name] = narrow((key >> shift) & ((1 << bits) - 1), self.sizes[name])
                shift += bits
        return {name: codes[name] for name in self.sizes}


def cut(distinct: Iterable[tuple[Codes, np.ndarray]], rows: int) -> Iterator[Codes]:
    """So many rows at a time, the last time fewer, from pieces of distinct ones and how often each stands there."""
    left: Codes | None = None
    counts = np.empty(0, dtype=np.int64)
    for codes, more in distinct:
        left = codes if left is None else {name: np.concatenate([left[name], codes[name]]) for name in codes}
        counts = np.concatenate([counts, more])
        ends = np.cumsum(counts)
        done = int(ends[-1]) // rows * rows if len(ends) else 0
        for start in range(0, done, rows):
            yield _taken(left, repeated(ends, slice(start, start + rows)))
        first = int(np.searchsorted(ends, done, side="right"))
        left = {name: column[first:] for name, column in left.items()}
        counts = np.diff(ends[first:], prepend=done)
    if left is not None and len(counts):
        yield _taken(left, np.repeat(np.arange(len(counts)), counts))


def _taken(codes: Codes, rows: np.ndarray) -> Codes:
    return {name: column[rows] for name, column in codes.items()}
