"""Numbers in columns: which columns hold numbers, which can be measured, and the number behind each value.

>>> import pyarrow as pa
>>> from fairveil.data.table import Table
>>> age = Table.from_frame(pa.table({"age": [40, None, 31, 40]})).column("age")
>>> is_number(age), numbers_per_value(age).tolist()
(True, [31.0, 40.0, nan])
>>> numbers_per_value(age)[age.codes].tolist()
[40.0, nan, 31.0, 40.0]
"""

from __future__ import annotations

import numpy as np

from fairveil.data.table import Column


def is_number(column: Column) -> bool:
    """Whether the values are numbers; truth values are names, and so is a column with endless ones: no interval ends
    there, and nothing is at a distance from them."""
    import pyarrow as pa  # here, because whoever only names a hierarchy need not wait for it

    kind = column.values.type
    if pa.types.is_floating(kind):
        import pyarrow.compute as pc

        return not pc.any(pc.is_inf(column.values)).as_py()
    return bool(pa.types.is_integer(kind) or pa.types.is_decimal(kind))


def is_measurable(column: Column) -> bool:
    """Whether values lie at a distance from each other and have a mean: numbers and points in time."""
    import pyarrow as pa

    kind = column.values.type
    return is_number(column) or bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


def numbers_per_value(column: Column) -> np.ndarray:
    """The distinct values as floats, in code order; missing is NaN. Points in time count in their own unit."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = column.values
    if pa.types.is_date32(values.type):
        values = values.cast(pa.int32())
    elif pa.types.is_date(values.type) or pa.types.is_timestamp(values.type):
        values = values.cast(pa.int64())
    return np.asarray(pc.cast(values, pa.float64(), safe=False).to_numpy(zero_copy_only=False), dtype=float)
