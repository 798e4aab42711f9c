"""Types of several files: nothing is lost without a refusal."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairveil.data.common_types import common_types
from fairveil.errors import BadInput


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64()])
@pytest.mark.parametrize("offset", [-2, -1, 0])
def test_integers_become_floats_only_if_every_float_is_exact(kind: pa.DataType, offset: int, tmp_path: Path) -> None:
    maximum = 2 ** (64 if pa.types.is_unsigned_integer(kind) else 63) - 1
    for integers, exact in (([2**53 + offset, 3], True), ([maximum + offset], False), ([3, maximum + offset], False)):
        files = {}
        for number, column in enumerate([pa.array([0.25]), pa.array(integers, kind)]):
            pq.write_table(pa.table({"a": column}), path := tmp_path / f"{number}.parquet")
            files[path] = {"a": column.type}
        if exact:
            assert common_types(files) == {"a": pa.float64()}
        else:
            with pytest.raises(BadInput, match=r"'a' is double in 0\.parquet and u?int64 in 1\.parquet"):
                common_types(files)
