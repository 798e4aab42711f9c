"""What a report must not do: run what the data holds, or tell what the published data does not."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.data.hierarchy import from_rows
from fairveil.published.data_files import load_table as load_data
from tests.known import levels_of, source_rows_of
from tests.reporting import nasty
from tests.reporting.reading import read


@pytest.fixture(scope="module")
def release() -> fv.Release:
    return nasty.release()


@pytest.mark.parametrize("internal", [False, True])
def test_nothing_breaks_out(release: fv.Release, internal: bool) -> None:
    html = fv.report(release, internal=internal)
    report = read(html)  # refuses every element and attribute that the report does not use itself
    for name in nasty.NAMES[:5]:
        assert name in report.text
    for value in nasty.VALUES:
        if value and any(sign in value for sign in "<>"):
            assert value not in html
    assert "\u202e" not in html and "\x00" not in html


def test_nothing_breaks_the_csv(release: fv.Release, tmp_path: Path) -> None:
    folder = release.save(tmp_path / "out").path
    table = load_data(folder, json.loads((folder / "evidence.json").read_text())["types"])
    assert table.names == [name for name in nasty.NAMES if name != nasty.NAMES[6]]
    header = (folder / "data.csv").read_text(encoding="utf-8").split("\n")[0]
    assert not [cell for cell in header.split(",") if cell.strip('"').startswith(("=", "+", "-", "@"))]
    for name in (nasty.NAMES[3], nasty.NAMES[5]):
        back, sent = table.column(name), release.table.column(name)
        assert [back.domain[c] for c in back.codes] == [sent.domain[c] for c in sent.codes]


@st.composite
def private_tables(draw: st.DrawFn) -> tuple[pa.Table, fv.Schema]:
    """Every value of every column is a word of its own, so that finding it says where it came from."""
    rows = draw(st.integers(4, 30))
    columns: dict[str, list[str]] = {}
    hierarchies = {}
    for name in ("age", "zip"):
        leaves = [f"{name}Leaf{i}x" for i in range(draw(st.integers(2, 6)))]
        columns[name] = [draw(st.sampled_from(leaves)) for _ in range(rows)]
        hierarchies[name] = from_rows([leaf, f"{name}Group{i % 2}x", "*"] for i, leaf in enumerate(leaves))
    columns["illness"] = [f"illness{draw(st.integers(0, 9))}x" for _ in range(rows)]
    columns["code"] = [f"code{draw(st.integers(0, 40))}x" for _ in range(rows)]
    columns["person"] = [f"person{i}x" for i in range(rows)]
    columns["secret"] = [f"secret{i}x" for i in range(rows)]
    schema = fv.Schema(
        quasi=["age", "zip"], sensitive=["illness"], plain=["code"], identifier=["person"], drop=["secret"],
        hierarchies=hierarchies,
    )  # fmt: skip
    return pa.table(columns), schema


@settings(max_examples=30)
@given(private_tables(), st.integers(2, 4), st.sampled_from([0.0, 0.3, 0.6]))
def test_no_value_that_is_not_published(case: tuple[pa.Table, fv.Schema], k: int, suppression: float) -> None:
    table, schema = case
    candidates = fv.search(table, schema, guards=[fv.KAnonymity(k, suppression=suppression)])
    release = candidates.best("loss")
    published = {str(v) for column in release.table.to_arrow().columns for v in column.to_pylist()}
    source = {str(v) for column in table.columns for v in column.to_pylist()}
    html, data = fv.report(release), json.dumps(fv.report_dict(release))
    leaked = [value for value in source - published if value in html or value in data]
    assert not leaked


def test_the_internal_report_shows_the_source_and_is_never_written(tmp_path: Path) -> None:
    credit = fv.datasets.credit_decisions()
    release = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)]).best("loss")
    report = read(fv.report(release, internal=True))
    assert "Internal: do not publish." in report.text
    ids = [element["id"] for element in report.all("h2")]
    assert ids[:4] == ["summary", "sample", "guards-before", "risk-shares"]
    changed = [name for name, level in levels_of(release).items() if level]
    assert changed
    row = int(source_rows_of(release)[0])
    column = credit.table.column(changed[0])
    assert str(column.domain[column.codes[row]]) in report.text
    tried = {element["attack"]: element for element in fv.report_dict(release, internal=True)["attacks"]}
    assert tried["linkage"]["average"] <= 1 / 3 < tried["linkage"]["details"]["original"]["best"]
    assert "linkage" not in {element["attack"] for element in fv.report_dict(release)["attacks"]}
    folder = release.save(tmp_path / "out").path
    assert "Internal" not in (folder / "report.html").read_text()
    with pytest.raises(fv.BadInput, match="a folder does not hold its source"):
        fv.report(folder, internal=True)
