"""The order of rows by their values, whatever order a column lists its values in."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from fairveil.counting.ordering import is_in_order, ranked
from fairveil.data.table import Column


@given(st.permutations(["a", "b", "c"]) | st.permutations(["a", "b", None]), st.lists(st.integers(0, 2), max_size=6))
def test_rows_are_in_order_if_their_values_are(values: list[str | None], codes: list[int]) -> None:
    column = Column("x", np.array(codes, dtype=np.uint8), pa.array(values, pa.string()))
    rows = [(values[code] is None, values[code] or "") for code in codes]
    assert is_in_order([ranked(column)], len(codes)) == (rows == sorted(rows))
