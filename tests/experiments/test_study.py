"""Experiments are run in pieces: what is done is kept, goes out as it is finished, and is never done twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from experiments import EXPERIMENTS, Sheet, study
from experiments.study import Study, finished
from fairveil.errors import Cancelled


def test_results_are_kept_by_settings_seed_and_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Study(tmp_path).once({"k": 5}, lambda: {"a": (1, 2)}) == {"a": [1, 2]}  # as it will be read
    assert Study(tmp_path, "full").once({"k": 5}, lambda: 1 / 0) == {"a": [1, 2]}  # the size is no setting
    assert Study(tmp_path).once({"k": 6}, lambda: "other settings") == "other settings"
    assert Study(tmp_path, seed=1).once({"k": 5}, lambda: "other seed") == "other seed"
    monkeypatch.setattr(study, "versions", lambda: {"fairveil": "another"})
    assert Study(tmp_path).once({"k": 5}, lambda: "other versions") == "other versions"


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_line_that_was_cut_off_is_ignored_and_spoils_no_other(tmp_path: Path, cut: int) -> None:
    Study(tmp_path).once({"k": 1}, lambda: "first")
    whole = (tmp_path / "kept.jsonl").read_bytes()
    (tmp_path / "kept.jsonl").write_bytes(whole + whole[:cut])
    Study(tmp_path).once({"k": 2}, lambda: "second")
    again = Study(tmp_path)
    assert again.once({"k": 1}, lambda: 1 / 0) == "first"
    assert again.once({"k": 2}, lambda: 1 / 0) == "second"


def test_the_duration_counts_what_earlier_runs_did(tmp_path: Path) -> None:
    first = Study(tmp_path)
    first.once({"k": 1}, lambda: time.sleep(0.3))
    assert Study(tmp_path).seconds < 0.2
    again = Study(tmp_path)
    for _ in range(3):
        again.once({"k": 1}, lambda: 1 / 0)
    assert 0.3 <= again.seconds < 0.5


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """An experiment of two sheets."""

    def run(study: Study) -> Iterator[Sheet]:
        for number in (1, 2):
            study.tell(number / 3, f"sheet {number}")
            yield Sheet(f"Table {number}", ["a"], [[study.once({"n": number}, partial(int, number))]])

    module = ModuleType("sample_of_two")
    module.TITLE, module.run = "a sample", run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sample_of_two", module)
    monkeypatch.setitem(EXPERIMENTS, "sample", "sample_of_two")
    return module


def test_sheets_come_as_they_are_finished_and_a_cancel_stops(tmp_path: Path, sample: ModuleType) -> None:
    here = Study(tmp_path)
    sheets = finished("sample", here)
    assert next(sheets).title == "Table 1"
    here.progress.cancel()
    with pytest.raises(Cancelled):
        next(sheets)
    assert [sheet.rows for sheet in finished("sample", Study(tmp_path))] == [[[1]], [[2]]]


STUBBORN = """
import sys, time, types
from experiments import EXPERIMENTS, Sheet

def run(study):
    yield Sheet("Table 1", ["n"], [[study.once({"n": 1}, lambda: 1)]])
    study.once({"n": 2}, lambda: time.sleep(60))  # reports nothing, looks at nothing
    yield Sheet("Table 2", ["n"], [[2]])

module = types.ModuleType("stubborn")
module.TITLE, module.run = "stubborn", run
sys.modules["stubborn"], EXPERIMENTS["stubborn"] = module, "stubborn"
import importlib
importlib.import_module("fairveil.cli.reproduce").A_MINUTE = 0.2
from fairveil.cli import main
sys.argv = ["fairveil", "reproduce", "stubborn", "--out", sys.argv[1]]
main()
"""


def test_ctrl_c_stops_within_a_second_and_says_how_to_go_on(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STUBBORN, str(tmp_path / "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout and process.stderr
    lines = iter(process.stdout.readline, "")
    assert any("Table 1" in line for line in lines)  # printed although the second is not finished
    assert "after 0 min" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    assert process.wait(timeout=30) == 130
    assert time.monotonic() - started < 1.5
    [last] = [line for line in process.stderr if " min: " not in line]
    kept_in = f"what was done is kept in {tmp_path / 'out'}"
    assert last == f"fairveil: stopped: {kept_in}; the same command continues from there\n"
    kept = (tmp_path / "out" / "stubborn" / "kept.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line)["of"]["n"] for line in kept.splitlines()] == [1]
