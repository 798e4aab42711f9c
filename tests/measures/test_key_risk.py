"""The risk of sets of columns, counted with pandas."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import fairveil as fv
from tests.contracts.people import SCHEMA, source
from tests.known import ANY_DANGER

COMPAS = fv.datasets.compas()


def test_every_set_of_columns_is_counted_as_pandas_counts_it() -> None:
    frame = pd.DataFrame(COMPAS.table.to_arrow().to_pydict())
    found = fv.key_risks(COMPAS.table, COMPAS.schema, size=3)
    assert len(found) == 5 + 10 + 10 and found.rows == len(frame)
    for risk in found:
        sizes = frame.groupby(list(risk.columns), dropna=False).size()
        sizes = sizes[sizes > 0]
        assert (risk.classes, risk.smallest, risk.unique) == (len(sizes), sizes.min(), (sizes == 1).sum())
        assert risk.exposed == sizes[sizes < 5].sum()
    assert [risk.smallest for risk in found] == sorted(risk.smallest for risk in found)


def test_too_many_sets_and_no_columns_are_refused() -> None:
    wide = pd.DataFrame({f"c{i}": [0, 1] for i in range(60)})
    with pytest.raises(fv.BadInput, match="36,050 sets of up to 3"):
        wide_schema = fv.Schema(quasi=list(wide.columns))
        fv.key_risks(wide, wide_schema, size=3)
    with pytest.raises(fv.BadInput, match="no column is quasi"):
        fv.key_risks(wide, fv.Schema())


def test_the_report_draws_them_where_a_promise_is_about_key_sets(tmp_path: Path) -> None:
    for number, guard in enumerate([fv.KAnonymity(3), fv.KAnonymity(3, subsets=2)]):
        release = fv.search(source(rows=200), SCHEMA, guards=[guard]).best("loss")
        folder = release.save(tmp_path / str(number), accept=ANY_DANGER).path
        assert ("Risk by what attackers know" in (folder / "report.html").read_text()) == bool(number)
        assert fv.verify(folder)
