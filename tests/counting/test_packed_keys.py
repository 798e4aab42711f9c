"""Keys hold what was packed into them and sort as it does, and rows are cut as they should be."""

from __future__ import annotations

import numpy as np
import pytest

from fairveil.counting.packed_keys import PackedKeys
from fairveil.engines.key_pieces import cut


@pytest.mark.parametrize("sizes", [(1,), (2, 3), (5, 1, 70_000), (2**30, 2**32), (2**40, 2**40, 7), (2**62, 2)])
def test_keys_sort_as_codes_do(sizes: tuple[int, ...]) -> None:
    random = np.random.default_rng(0)
    codes = {f"c{n}": np.append(random.integers(0, size, 500), [0, size - 1]) for n, size in enumerate(sizes)}
    keys = PackedKeys.of(dict(zip(codes, sizes, strict=True)))
    packed = keys.pack(codes)
    assert all(key.min() >= 0 for key in packed) and len(packed) == len(keys.names)
    summed = [sum(codes[name] * keys.factors[name] for name in names) for names in keys.columns]
    assert all(np.array_equal(key, total) for key, total in zip(packed, summed, strict=True))
    for name, column in keys.unpack(packed).items():
        assert np.array_equal(column, codes[name])
    plain = sorted(zip(*(column.tolist() for column in codes.values()), strict=True))
    order = np.lexsort(packed[::-1])
    assert [tuple(int(column[row]) for column in codes.values()) for row in order] == plain


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_cut(size: int) -> None:
    random = np.random.default_rng(1)
    batches = [({"a": random.integers(0, 9, n)}, random.integers(1, 12, n)) for n in (0, 5, 1, 0, 20, 2)]
    whole = np.concatenate([np.repeat(codes["a"], counts) for codes, counts in batches])
    pieces = [piece["a"] for piece in cut(batches, size)]
    assert np.array_equal(np.concatenate(pieces), whole)
    assert {len(piece) for piece in pieces[:-1]} <= {size} and 0 < len(pieces[-1]) <= size
    assert list(cut([], size)) == [] and list(cut(batches[:1], size)) == []
