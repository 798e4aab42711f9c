"""PackedKeys: the codes of several columns packed into as few 64-bit integers as possible, in memory or on an engine.

Keys sort in the order of the codes, column by column, so an engine only has to join, group and sort integers.

>>> keys = PackedKeys.of({"sex": 2, "age": 100})
>>> packed = keys.pack({"sex": np.array([1, 0]), "age": np.array([31, 40])})
>>> [key.tolist() for key in packed], keys.unpack(packed)["age"].tolist()
([[159, 40]], [31, 40])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil.counting.tuples import KEY_BITS, bits_for
from fairveil.data.table import narrow


@dataclass(frozen=True)
class PackedKeys:
    """`sizes`: the number of codes of each column. `columns`: the columns packed into each key."""

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
        """The names of the key columns on an engine."""
        return [f"key{index}" for index, _ in enumerate(self.columns)]

    @property
    def factors(self) -> dict[str, int]:
        """What the codes of each column are multiplied by in their key, which is the sum."""
        factors = {}
        for names in self.columns:
            factor = 1
            for name in reversed(names):
                factors[name] = factor
                factor <<= bits_for(self.sizes[name])
        return factors

    def pack(self, codes: Mapping[str, Any]) -> list[Any]:
        """Return the keys of codes: arrays, or expressions that can be multiplied and added."""
        packed = []
        for first, *others in self.columns:
            key = codes[first]
            for name in others:
                key = key * (1 << bits_for(self.sizes[name])) + codes[name]
            packed.append(key)
        return packed

    def unpack(self, keys: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
        """Return the codes that `pack` packed."""
        codes = {}
        for key, names in zip(keys, self.columns, strict=True):
            shift = 0
            for name in reversed(names):
                bits = bits_for(self.sizes[name])
                codes[name] = narrow((key >> shift) & ((1 << bits) - 1), self.sizes[name])
                shift += bits
        return {name: codes[name] for name in self.sizes}
