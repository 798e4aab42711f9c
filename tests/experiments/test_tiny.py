"""A tiny form of every experiment runs, stops at once where it is cancelled, and goes on from what is kept."""

from __future__ import annotations

import threading
import time
from importlib import import_module
from itertools import islice
from pathlib import Path

import pytest

from experiments import EXPERIMENTS, Sheet, papers
from experiments.study import Study, finished
from fairveil.errors import Cancelled

MOMENTS = (0.0, 0.05, 0.3)
"""Seconds after which a run is cancelled, each going on from the one before."""


@pytest.fixture(scope="module", params=list(EXPERIMENTS))
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, list[Sheet]]:
    """An experiment, where it was run to its end, and its sheets; it was cancelled several times before."""
    name = request.param
    if name == "fair-mdav":
        pytest.importorskip("fairlearn")
    import_module(EXPERIMENTS[name])  # takes a second or two, and nothing has begun
    out = tmp_path_factory.mktemp(name)
    for moment in MOMENTS:
        _cancelled(name, Study(out, "tiny"), moment)
    return name, out, list(finished(name, Study(out, "tiny")))


def _cancelled(name: str, study: Study, moment: float) -> None:
    """Cancel a run from another thread; it must stop within a second, and leave whole lines behind."""
    study.progress.watched = True
    at: list[float] = []

    def cancel() -> None:
        at.append(time.monotonic())
        study.progress.cancel()

    timer = threading.Timer(moment, cancel)
    timer.start()
    with pytest.raises(Cancelled):
        list(finished(name, study))
    assert time.monotonic() - at[0] < 1.0
    timer.join()


def test_sheets_name_what_the_paper_has(ran: tuple[str, Path, list[Sheet]]) -> None:
    name, out, sheets = ran
    printed = {table.name: table for table in papers.read(name).printed}
    shown = {of for sheet in sheets for of in sheet.of}
    assert shown and shown <= {table.name for table in printed.values() if not table.left_out}
    for sheet in sheets:
        assert sheet.rows and all(len(row) == len(sheet.columns) for row in sheet.rows)
        assert set(sheet.ours) <= {what for table in sheet.of for what in printed[table].numbers}, sheet.title
        assert set(sheet.holds) <= {what for table in sheet.of for what in printed[table].claims}, sheet.title
        assert all((out / picture).read_bytes().startswith(b"\x89PNG") for picture in sheet.pictures)


def test_nothing_is_run_twice(ran: tuple[str, Path, list[Sheet]]) -> None:
    name, out, sheets = ran
    kept = (out / "kept.jsonl").read_text(encoding="utf-8")
    again = list(islice(finished(name, Study(out, "tiny")), 4))  # the rest would only draw once more
    assert [(sheet.title, sheet.rows) for sheet in again] == [(sheet.title, sheet.rows) for sheet in sheets[:4]]
    assert (out / "kept.jsonl").read_text(encoding="utf-8") == kept


@pytest.mark.parametrize("ran", ["incognito"], indirect=True)
def test_incognito_says_what_its_tables_cannot_tell(ran: tuple[str, Path, list[Sheet]]) -> None:
    _, _, sheets = ran
    accuracy = next(sheet for sheet in sheets if sheet.of == ["Table 6"])
    assert accuracy.ours["Naïve Bayes, original"] == pytest.approx(71.25, abs=0.02)  # as printed
    assert any("same table" in note for note in accuracy.notes)
    counted = next(sheet for sheet in sheets if sheet.of == ["Figure 5"])
    assert counted.holds["elift is faster than slift"] is False
    assert any("Contradicted of section 6.2: elift" in note for note in counted.notes)
    other = next(sheet for sheet in sheets if sheet.title.startswith("Table 6 by other choices"))
    by_height = next(row for row in other.rows if row[0] == "least GH")
    assert set(by_height[3:]) == {"71.26"}  # the share of the most frequent answer, as the paper prints it
