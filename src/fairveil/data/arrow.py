"""Arrow arrays without pandas: `pyarrow.array` imports pandas if it is installed, which takes longer than a search.

>>> numbers(np.array([3, 1], dtype=np.uint8)).to_pylist(), texts(["ü", None, ""]).to_pylist()
([3, 1], ['ü', None, ''])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa


def numbers(values: np.ndarray) -> pa.Array:
    """An array of numbers or Booleans, without nulls."""
    if values.dtype == bool:
        return pa.Array.from_buffers(pa.bool_(), len(values), [None, _bits(values)])
    values = np.ascontiguousarray(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)])


def texts(values: Sequence[str | None]) -> pa.Array:
    """An array of texts; None becomes null."""
    encoded = [b"" if value is None else value.encode() for value in values]
    offsets = np.zeros(len(encoded) + 1, dtype=np.int32)
    np.cumsum([len(text) for text in encoded], out=offsets[1:])
    present = np.array([value is not None for value in values], dtype=bool)
    buffers = [_bits(present), pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.string(), len(encoded), buffers)


def plain(array: pa.Array) -> np.ndarray:
    """The numbers of an array, without a copy; undefined where it has nulls."""
    buffer = np.frombuffer(array.buffers()[1], dtype=array.type.to_pandas_dtype())
    return buffer[array.offset : array.offset + len(array)]


def filled(array: pa.Array, value: int) -> np.ndarray:
    """The numbers of an array, `value` where it has nulls."""
    return np.where(present(array), plain(array), value) if array.null_count else plain(array)


def present(array: pa.Array) -> np.ndarray:
    """Where an array has no null."""
    if not array.null_count:
        return np.ones(len(array), dtype=bool)
    bits = np.unpackbits(np.frombuffer(array.buffers()[0], dtype=np.uint8), bitorder="little")
    return bits[array.offset : array.offset + len(array)].astype(bool)


def _bits(mask: np.ndarray) -> pa.Buffer:
    return pa.py_buffer(np.packbits(mask, bitorder="little"))
