"""Evidence is computed once: attacks run once, the report is built once, and the written rows are grouped once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import fairveil as fv
from fairveil import reporting
from fairveil.counting.cells import Cells
from fairveil.data import writers
from fairveil.engines import memory, open_source
from fairveil.published import csv_runs, data_files
from fairveil.published.published import Published
from fairveil.release import claims
from fairveil.release.release import SavedRelease


def test_what_is_written_is_judged_attacked_and_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()

    def counted(owner: Any, name: str) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def call(*given: Any, **named: Any) -> Any:
            calls[name] += 1
            return original(*given, **named)

        monkeypatch.setattr(owner, name, call)

    counted(Published, "_classes")
    counted(claims, "cheap")
    counted(reporting, "public_report")
    people = pa.table({"age": [31, 32, 40, 41] * 5, "sex": ["F", "M"] * 10})
    release = fv.search(people, fv.Schema(quasi=["age", "sex"]), guards=[fv.KAnonymity(2)]).best("loss")
    saved = release.save(tmp_path / "out")
    assert saved.verification and saved.evidence["holds"]
    assert calls == {"_classes": 1, "cheap": 1, "public_report": 1}


def test_classes_are_grouped_once_for_the_search_and_once_from_the_written_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = 600
    draw = np.random.default_rng(3)
    people = {"age": draw.integers(20, 30, rows), "sex": draw.choice(["F", "M"], rows)}
    pa.csv.write_csv(pa.table({**people, "illness": draw.choice(["flu", "cold"], rows)}), tmp_path / "people.csv")
    grouped: list[str] = []
    for name in ("of", "numbered"):
        original = getattr(Cells, name).__func__

        def call(cls: type[Cells], /, table: fv.Table, *given: Any, original: Any = original, **named: Any) -> Any:
            counts = named.get("counts")  # of the written file, equal rows are read once
            if (table.rows if counts is None else counts.sum()) == rows and len(given[0]) == 3:
                grouped.append(str(given))
            return original(cls, table, *given, **named)

        monkeypatch.setattr(Cells, name, classmethod(call))
    schema = fv.Schema(quasi=["age", "sex"], sensitive=["illness"])
    guards = [fv.KAnonymity(2), fv.DistinctDiversity(2)]
    release = fv.search(tmp_path / "people.csv", schema, guards=guards).best("loss")
    assert release.holds and len(grouped) == 1
    saved = release.save(tmp_path / "out")
    assert saved.verification and len(grouped) == 2, grouped
    assert fv.verify(saved) and len(grouped) == 3, grouped


def test_a_report_of_a_folder_reads_its_data_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people = pa.table({"age": [31, 32, 40, 41] * 5, "sex": ["F", "M"] * 10})
    release = fv.search(people, fv.Schema(quasi=["age", "sex"]), guards=[fv.KAnonymity(2)]).best("loss")
    release.save(tmp_path / "out", format="csv")
    read: list[str] = []

    def call(file: Any, name: str, *given: Any) -> Any:
        read.append(name)
        return csv_runs.read_csv(file, name, *given)

    monkeypatch.setattr(data_files, "read_csv", call)
    assert fv.report(tmp_path / "out").startswith("<!doctype html>")
    assert read == ["data.csv"]


def _saved_from_duckdb(folder: Path, name: str) -> SavedRelease:
    """A release of a source on DuckDB, by a caller who watches the progress."""
    people = {"age": [31, 32, 40, 41] * 50, "sex": ["F", "M"] * 100, "illness": ["flu", "cold", "flu", "cough"] * 50}
    source = folder / "people.parquet"
    pyarrow.parquet.write_table(pa.table(people), source)
    schema = fv.Schema(quasi=["age", "sex"], sensitive=["illness"])
    found = fv.search(open_source(source, engine="duckdb"), schema, guards=[fv.KAnonymity(2)])
    release = found.best("loss")
    return release.save(folder / name, format="parquet", accept=["homogeneity"], progress=lambda *_: True)


def test_claims_are_computed_while_the_rows_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Published] = []
    original = claims.claims

    def call(published: Published, *given: Any) -> Any:
        judged.append(published)
        return original(published, *given)

    monkeypatch.setattr(claims, "claims", call)
    saved = _saved_from_duckdb(tmp_path, "out")
    assert len(judged) == 1 and saved.verification and fv.verify(tmp_path / "out")


def test_claims_are_those_of_the_file_if_it_has_other_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are not those that were handed to the writer are judged again, as they were read back."""
    before = _saved_from_duckdb(tmp_path, "before").evidence
    original = writers.write_table

    def write(table: fv.Table, *given: Any) -> None:
        illness = table.column("illness")
        changed = replace(illness, codes=np.minimum(illness.codes, 1))
        original(table.with_columns([changed]), *given)

    monkeypatch.setattr(memory, "write_table", write)
    after = _saved_from_duckdb(tmp_path, "after").evidence
    assert after["attacks"] != before["attacks"] and fv.verify(tmp_path / "after")
