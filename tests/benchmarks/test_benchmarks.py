"""The benchmarks run on a fresh clone: a peer that fails is a line, floors and ratios fit, pages come from results."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import benchmarks
from benchmarks import __main__ as command
from benchmarks import check, commands, group_by, growth, kept, nine, page, path, timing
from benchmarks.peers import peer
from benchmarks.timing import show

ROOT = Path(benchmarks.__file__).parents[1]


def failing() -> Callable[[], Any]:
    raise TypeError("astype() got an unexpected keyword\nand more")


def ending() -> Callable[[], Any]:
    import os

    return lambda: os._exit(3)


def sleeping() -> Callable[[], Any]:
    import time

    return lambda: time.sleep(60)


def working() -> Callable[[], Any]:
    return lambda: None


def test_a_peer_that_is_not_there_fails_or_is_slow_is_a_line() -> None:
    timing.RATIOS.clear()
    assert peer("no_such_peer", working).against("x", 1.0) == "no_such_peer is not installed: `make bench` installs it"
    assert peer("json", failing).against("x", 1.0) == "json fails here: TypeError: astype() got an unexpected keyword"
    assert peer("json", ending).against("x", 1.0) == "json fails here: ended without an answer"
    assert "stopped after 0 s: more than" in peer("json", sleeping, limit=0.3).against("x", 0.01)
    assert not timing.RATIOS
    assert peer("json", working).against("x", 1.0).endswith(" times ours")
    assert set(timing.RATIOS) == {"x"}


def test_without_the_data_that_is_not_bundled_the_lattice_has_the_same_size() -> None:
    table, schema = nine.load()
    heights = [schema.hierarchies[name].bind(table.column(name).domain).height for name in schema.quasi]
    size = 1
    for height in heights:
        size *= height + 1
    assert size == 12_960


def test_every_module_is_a_benchmark_or_part_of_one() -> None:
    modules = {module.name for module in pkgutil.iter_modules(benchmarks.__path__)}
    parts = {"__main__", "timing", "memory", "peers", "kept", "page", "check", "nine", "cost", "plain_greedy", "same"}
    parts |= {"hour"}
    assert set(command.NAMES) <= modules
    assert modules - parts == set(command.NAMES)
    for name in command.NAMES:
        assert callable(importlib.import_module(f"benchmarks.{name}").main)


def test_one_that_fails_is_said_and_the_others_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> None:
        raise ValueError("no")

    monkeypatch.setattr("benchmarks.attacks.main", broken)
    monkeypatch.setattr("benchmarks.growth.main", lambda: show("fine", {"a": "b"}))
    assert command.run(["attacks", "growth"], tmp_path / "kept.json") == 1
    assert "failed: attacks" in capsys.readouterr().err
    assert list(json.loads((tmp_path / "kept.json").read_text(encoding="utf-8"))["benchmarks"]) == ["growth"]


def test_tiny_forms_run_and_make_a_page(tmp_path: Path) -> None:
    results = kept.Results.started(["group_by", "growth"])
    with kept.listening() as said:
        group_by.main(2_000)
    results.add("group_by", said.getvalue(), 1.0)
    with kept.listening() as said:
        growth.main(tiny=True)
    results.add("growth", said.getvalue(), 1.0)
    results.write(tmp_path / "kept.json")
    made = json.loads((tmp_path / "kept.json").read_text(encoding="utf-8"))
    text = page.page(made)
    assert "| Polars group-by |" in text
    assert "All solutions while k grows" in text
    assert set(page.plots(made)) == {"speed-growth.svg"}


@pytest.mark.parametrize(
    ("modules", "stage"),
    [
        ([], "start"),
        (["fairveil.cli"], "other"),
        (["fairveil.cli", "importlib._bootstrap"], "start"),
        (["fairveil.cli", "fairveil.data.readers"], "read"),
        (["fairveil.cli", "fairveil.data.readers", "fairveil.data.table"], "code"),
        (["fairveil.run.explore", "fairveil.methods.incognito", "fairveil.counting.cells"], "cells"),
        (["fairveil.methods.incognito", "fairveil.counting.lattice"], "search"),
        (["fairveil.release.release", "fairveil.attacks.linkage", "fairveil.counting.cells"], "attacks"),
        (["fairveil.release.release", "fairveil.data.writers"], "write"),
        (["fairveil.release.verify", "fairveil.data.readers"], "verify"),
    ],
)
def test_a_stage_is_told_by_the_outermost_room(modules: list[str], stage: str) -> None:
    def call(left: list[str]) -> str:
        if not left:
            return path.stage_of(sys._getframe())
        inside: dict[str, Any] = {"__name__": left[0]}
        exec("def go(call, left): return call(left)", inside)
        return str(inside["go"](call, left[1:]))

    assert call(modules) == stage


def test_ratios_and_floors_have_the_same_names() -> None:
    assert set(check.RATIOS) == set(check.floors())
    assert all(floor > 0 for floor in check.floors().values())


def test_a_low_ratio_fails_and_is_measured_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried: list[float] = []

    def low() -> float:
        tried.append(0.5)
        return 0.5

    monkeypatch.setattr(check, "RATIOS", {"a": low, "b": lambda: 3.0})
    monkeypatch.setattr(check, "floors", lambda: {"a": 1.0, "b": 2.0})
    assert check.main() == 1
    assert len(tried) == check.TRIES
    assert "too low: a" in capsys.readouterr().err
    monkeypatch.setattr(check, "floors", lambda: {"a": 0.4, "b": 2.0})
    assert check.main() == 0


def test_the_page_is_what_the_results_say() -> None:
    if not page.RESULTS.exists():
        pytest.fail("run `make bench`, which keeps benchmarks/results.json")
    results = json.loads(page.RESULTS.read_text(encoding="utf-8"))
    assert (page.PAGES / "speed.md").read_text(encoding="utf-8") == page.page(results)
    for name in page.plots(results):
        assert (page.PAGES / name).is_file()


def test_commands_that_readme_names_are_there() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"python -m benchmarks(?: |\.)([a-z_]+)", text))
    modules = {module.name for module in pkgutil.iter_modules(benchmarks.__path__)}
    assert named <= modules
    assert "make bench" in text


def test_each_clock_has_its_own_best_run() -> None:
    runs = [commands.Seconds(2.0, 1.5), commands.Seconds(1.0, 1.8)]
    assert commands.Seconds.least(runs) == commands.Seconds(1.0, 1.5)


def test_what_a_page_explains_is_a_benchmark() -> None:
    assert {name.split()[0] for name in page.EXPLAINED} <= set(command.NAMES)
