"""Texts of data frames are read as those of files are, if a dialect says how numbers and dates are written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.data.dialect import Dialect
from fairveil.data.table import Table
from fairveil.engines import source_of

ROWS = {
    "born": ["3/14/1960", "12/31/1971", "1/2/1980", "7/4/1999"] * 10,
    "salary": ["$1,234", "$20,000", "?", "$987"] * 10,
    "sex": ["F", "M", "M", "F"] * 10,
}
SPELLED = Dialect(missing_values=("?",), thousands=",", units=("$",), dates=("%m/%d/%Y",))


@pytest.mark.parametrize(
    "kind", [pd.DataFrame, pl.DataFrame, pa.table, lambda rows: pd.DataFrame(rows, dtype="string")]
)
def test_a_frame_is_read_as_a_file_is(kind: Any, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    pd.DataFrame(ROWS).to_csv(file, index=False)
    frame, read = Table.of(kind(ROWS), SPELLED), Table.read(file, dialect=SPELLED)
    for name in ROWS:
        assert frame.column(name).domain == read.column(name).domain
        assert frame.column(name).codes.tolist() == read.column(name).codes.tolist()
    assert frame.dialect is not None and frame.dialect.missing_values == ("?",)
    assert source_of(kind(ROWS), dialect=SPELLED).domain("born").domain == read.column("born").domain


def test_a_first_plan_for_a_frame_reads_what_its_texts_mean_and_so_does_its_recipe() -> None:
    frame = pd.DataFrame({name: values * 5 for name, values in ROWS.items()})
    frame["illness"] = ["flu", "cold", "pox", "gout", "flu"] * 40
    plan = fv.init(frame)
    assert plan.source is not None and plan.source.dialect.thousands == "," and plan.source.dialect.dates
    published = plan.run().recipe.apply(frame)
    assert len(published) == len(frame) and "3/14/1960" not in set(published["born"].astype(str))
