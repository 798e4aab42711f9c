"""Compiling in advance: it covers every kernel, or those of some methods, and can be interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fairveil as fv
from fairveil import cli
from fairveil.counting.kernels import compiling
from fairveil.progress import Progress
from fairveil.run import warming

ALL = """
import importlib
from contextlib import suppress
from fairveil.counting.kernels.compiling import KERNELS, PACKAGE, kernel_files
from fairveil.errors import Infeasible
from fairveil.run.warming import _families, workload
for family in _families():
    for name in family:
        with suppress(Infeasible):
            workload(name)
for file in kernel_files(PACKAGE):
    importlib.import_module(".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts))
print(*(kernel.py_func.__name__ for kernel in KERNELS if not kernel.signatures))
"""
FOR_PYTHON_ONLY = {"describe_classes", "pessimistic"}
"""Small ones that no method needs on a few rows."""


def test_the_workloads_compile_every_kernel() -> None:
    done = subprocess.run([sys.executable, "-c", ALL], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) <= FOR_PYTHON_ONLY


def test_it_says_when_there_is_nothing_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiling, "cache_folder", lambda kernel: tmp_path)
    monkeypatch.setattr(warming, "_in_processes", lambda families, progress: len(families))
    assert cli.run(["warm"]) == 0 and "Compiled 6 kernels" in capsys.readouterr().out
    assert cli.run(["warm"]) == 0 and "Nothing to do" in capsys.readouterr().out
    (tmp_path / warming.STAMP).write_text("another machine")
    assert cli.run(["warm", "--json"]) == 0 and '"compiled": 6' in capsys.readouterr().out


def test_only_the_methods_that_are_named() -> None:
    assert warming._families(["incognito", "mdav"]) == [
        ("incognito", "incognito, fair", "incognito, fair, suppressing", "incognito, persons"), ("mdav",)
    ]  # fmt: skip
    with pytest.raises(fv.BadInput, match="no method 'incognit': did you mean 'incognito'"):
        warming._families(["incognit"])


def test_methods_whose_packages_are_missing_are_skipped_unless_named(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = warming._stamp()
    monkeypatch.setitem(sys.modules, "opendp", None)
    assert "noisy-table" not in {name for family in warming._families() for name in family}
    assert warming._stamp() != everything  # compiled for fewer methods: not enough once the package is installed
    with pytest.raises(fv.BadInput, match="noisy-table needs OpenDP"):
        warming._families(["noisy-table"])


def test_a_workload_that_fails_is_named() -> None:
    with pytest.raises(RuntimeError, match=r"compiling for no-such-method failed: .*no-such-method"):
        warming._in_processes([("no-such-method",)], Progress())


def test_it_can_be_stopped(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-m", "fairveil", "warm"], stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        while not list(tmp_path.rglob("*.nbi")):  # the first kernel is there, and the next one on its way
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        told = time.monotonic()
        assert process.stderr is not None
        printed = process.stderr.read()
        waited = time.monotonic() - told
    assert process.returncode == 130 and waited < 1.5
    assert printed == "fairveil: interrupted: no incomplete file is left\n"
    held = sorted(path.name for path in tmp_path.rglob("*"))
    time.sleep(1.0)  # the processes that compiled have ended, too
    assert sorted(path.name for path in tmp_path.rglob("*")) == held
