"""A tiny form of every experiment runs, yields sheets that name what the paper has, and goes on from what is kept."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from experiments import EXPERIMENTS, papers
from experiments.study import Study, finished

TINY = ("fair-mdav", "preferences", "rollup")
"""The experiments that have a tiny form."""


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name in TINY])
def test_a_tiny_form_runs_and_is_not_run_twice(name: str, tmp_path: Path) -> None:
    if name == "fair-mdav":
        pytest.importorskip("fairlearn")
    sheets = list(finished(name, Study(tmp_path, "tiny")))
    printed = {table.name: table for table in papers.read(name).printed}
    shown = {of for sheet in sheets for of in sheet.of}
    assert shown and shown <= {table.name for table in printed.values() if not table.left_out}
    for sheet in sheets:
        assert sheet.rows and all(len(row) == len(sheet.columns) for row in sheet.rows)
        assert set(sheet.ours) <= {what for table in sheet.of for what in printed[table].numbers}, sheet.title
        assert set(sheet.holds) <= {what for table in sheet.of for what in printed[table].claims}, sheet.title
        assert all((tmp_path / picture).read_bytes().startswith(b"\x89PNG") for picture in sheet.pictures)
    kept = (tmp_path / "kept.jsonl").read_text(encoding="utf-8")
    again = list(islice(finished(name, Study(tmp_path, "tiny")), 4))  # the rest would only draw once more
    assert [(sheet.title, sheet.rows) for sheet in again] == [(sheet.title, sheet.rows) for sheet in sheets[:4]]
    assert (tmp_path / "kept.jsonl").read_text(encoding="utf-8") == kept
