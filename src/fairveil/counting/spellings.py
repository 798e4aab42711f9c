"""Values of one column that are spelt alike: they count as one where a guard asks how many there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

if TYPE_CHECKING:
    from fairveil.data.table import Column

Labels = Any
"""The values that the codes of a column stand for: an Arrow array or a tuple, indexed by code."""
SpeltAlike = dict[str | tuple[str, int], tuple[Labels, Any]]
"""What `spellings` returned, by column, for the labels that it was asked for; by column and level, what guards judge
these as."""


def spellings(values: Labels) -> NDArray[np.int64] | None:
    """Return for each value the code of the first that is spelt like it, but for case and outer blanks, and -1 for a
    missing or blank one; None if all are known and different.

    >>> spellings(("HIV", "flu", " hiv ", " ", None))
    array([ 0,  1,  0, -1, -1])
    """
    if hasattr(values, "to_pylist"):
        if not values.null_count and not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
            return None
        values = values.to_pylist()
    first: dict[Any, int] = {"": -1, None: -1}
    keys = (value.strip().casefold() if isinstance(value, str) else value for value in values)
    codes = np.array([first.setdefault(key, code) for code, key in enumerate(keys)], dtype=np.int64)
    return None if (codes == np.arange(len(codes))).all() else codes


def known_codes(column: Column) -> NDArray[np.int64]:
    """Return the codes of a sensitive column's rows: one for all spellings of a value, -1 for a missing one."""
    same = spellings(column.values)
    return column.codes.astype(np.int64) if same is None else same[column.codes]


def spelt_together(columns: Sequence[Column], codes: Sequence[np.ndarray], size: int) -> NDArray[np.int64] | None:
    """Return the `spellings` of `size` codes that columns of several tables share, given the codes of their rows."""
    return counted_as(columns, codes, size, True, list)


def counted_as(
    columns: Sequence[Column],
    codes: Sequence[np.ndarray],
    size: int,
    known: bool,
    judged: Callable[[list[Any]], Sequence[Any]],
) -> NDArray[np.int64] | None:
    """Return for each of `size` codes that columns of several tables share the code of the first that is `judged` as
    the same; if only `known` values count, also of the first that is spelt like it, and -1 for a missing one."""
    values = np.full(size, None, dtype=object)
    for column, own in zip(columns, codes, strict=True):
        values[own] = np.array(column.domain, dtype=object)[column.codes]
    labels = judged(values.tolist())
    if known:
        return spellings(labels)
    first: dict[Any, int] = {}
    return np.array([first.setdefault(label, code) for code, label in enumerate(labels)], dtype=np.int64)
