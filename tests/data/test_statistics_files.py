"""Files of Stata, SPSS and SAS: labels instead of codes, declared missing values, dates."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import fairveil as fv
from fairveil import Table
from fairveil.data.readers import column_names
from fairveil.data.statistics_files import open_labelled

pyreadstat = pytest.importorskip("pyreadstat")

PEOPLE = pd.DataFrame(
    {
        "school": [3.0, 1.0, 2.0, 9.0],
        "age": [31.0, 40.0, None, 52.0],
        "weight": [70.5, 61.0, 80.25, 90.0],
        "name": ["Ada", "Bo", "", "Cy"],
    }
)
LABELS: dict[str, dict[Any, str]] = {"school": {1: "primary", 2: "secondary", 3: "college", 9: "no answer"}}


def test_spss(tmp_path: Path) -> None:
    frame = PEOPLE.assign(born=[dt.date(1990, 1, 2)] * 4, seen=[dt.datetime(2020, 1, 1, 3, 4, 5)] * 4)
    path = tmp_path / "p.sav"
    pyreadstat.write_sav(frame, path, variable_value_labels=LABELS, missing_ranges={"school": [9]})
    table = Table.read(path)
    assert table.to_arrow()["school"].to_pylist() == ["college", "primary", "secondary", None]
    assert table.to_arrow()["age"].to_pylist() == [31, 40, None, 52]
    assert table.to_arrow()["name"].to_pylist() == ["Ada", "Bo", None, "Cy"]
    assert [str(table.column(name).values.type) for name in ("age", "weight", "born")] == [
        "int64", "double", "date32[day]",
    ]  # fmt: skip
    assert table.column("seen").domain == [dt.datetime(2020, 1, 1, 3, 4, 5)]
    assert table.orders["school"] == ("primary", "secondary", "college", "no answer")


def test_stata(tmp_path: Path) -> None:
    path = tmp_path / "p.dta"
    pyreadstat.write_dta(PEOPLE, path, variable_value_labels=LABELS)
    table = Table.read(path, columns=["school", "age"], missing_values=["no answer"])
    assert table.to_arrow()["school"].to_pylist() == ["college", "primary", "secondary", None]
    assert column_names(path) == ["school", "age", "weight", "name"]


def test_stata_as_pandas_reads_it(tmp_path: Path) -> None:
    frame = PEOPLE.assign(school=pd.Categorical(["c", "a", "b", "a"], categories=["b", "a", "c"], ordered=True))
    frame.to_stata(tmp_path / "p.dta", write_index=False)
    table = Table.read(tmp_path / "p.dta")
    assert table.to_arrow()["school"].to_pylist() == pd.read_stata(tmp_path / "p.dta")["school"].tolist()
    assert open_labelled(tmp_path / "p.dta").orders == {"school": ("b", "a", "c")}


def test_sas_transport(tmp_path: Path) -> None:
    pyreadstat.write_xport(PEOPLE, tmp_path / "p.xpt")
    table = Table.read(tmp_path / "p.xpt")
    assert table.to_arrow()["school"].to_pylist() == [3, 1, 2, 9]
    assert table.to_arrow()["age"].to_pylist() == [31, 40, None, 52]


def test_codes_without_a_label(tmp_path: Path) -> None:
    path = tmp_path / "p.sav"
    pyreadstat.write_sav(PEOPLE, path, variable_value_labels={"school": {1: "primary"}, "age": {99: "older"}})
    table = Table.read(path)
    assert table.to_arrow()["school"].to_pylist() == ["3", "primary", "2", "9"]
    assert table.to_arrow()["age"].to_pylist() == [31, 40, None, 52]
    assert Table.read(path, text=["age"]).column("age").domain == ["31", "40", "52", None]


def test_the_order_of_codes_groups_neighbours(tmp_path: Path) -> None:
    path = tmp_path / "p.sav"
    pyreadstat.write_sav(pd.concat([PEOPLE] * 3), path, variable_value_labels=LABELS)
    plan = """
        format = 1
        [source]
        path = "p.sav"
        columns = ["school", "weight"]
        [schema]
        quasi = ["school"]
        plain = ["weight"]
        [hierarchies.school]
        kind = "grouping"
        sizes = [2]
        [[guards]]
        kind = "k-anonymity"
        k = 6
    """
    release = fv.Plan.from_toml(plan, tmp_path).run()
    assert set(release.table.column("school").domain) == {"primary…secondary", "college…no answer"}


@pytest.mark.parametrize("ending", ["sav", "dta", "sas7bdat", "xpt", "por", "zsav"])
def test_damaged_files(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"p.{ending}"
    path.write_bytes(b"nothing of the kind" * 40)
    with pytest.raises(fv.BadInput, match=rf"p.{ending} is truncated, or is not a {ending} file"):
        Table.read(path)


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "p.sav").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(fv.BadInput, match=r"p.sav needs pyreadstat, which is not installed: pip install"):
        Table.read(tmp_path / "p.sav")
