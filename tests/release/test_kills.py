"""Killed while saving, at each step and at any moment: no half release, none lost, nothing left after the next run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.data import atomic, renaming, writers
from fairveil.data.writers import Format
from fairveil.release import verify as verifying
from tests.contracts.people import GUARDS, SCHEMA, OnlyCounts, source
from tests.release.killing import in_child

ROOT = Path(__file__).parents[2]
FILES = ("a", "b", "c")

WRITE = """
import sys, pathlib
from fairveil.data.atomic import whole_folder
with whole_folder(pathlib.Path(sys.argv[1]), replaces=lambda path: True) as folder:
    for name in "abc":
        (folder / name).write_text("new")
"""
SYSTEM_CALLS = ("mkdir", "fsync", "flock", "renameat2", "unlink", "unlinkat", "rmdir")


def killing(tmp_path: Path, *options: str) -> str:
    command = [sys.executable, "-W", "ignore", "-m", "tests.release.killing", str(tmp_path), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_killed_before_each_call_that_touches_files(tmp_path: Path) -> None:
    printed = killing(tmp_path, "--steps", "1")
    assert int(printed.split()[0]) > 120 and printed.endswith(" 0 problems\n")


def test_killed_a_hundred_times_at_random_moments(tmp_path: Path) -> None:
    assert killing(tmp_path, "--moments", "100") == "100 kills, 0 problems\n"


def test_the_kills_would_find_a_run_that_does_not_clean_up(tmp_path: Path) -> None:
    code = (
        "from fairveil.data import atomic; atomic.sweep = lambda parent: None\n"
        "import sys; sys.argv = ['killing', sys.argv[1], '--steps', '9']\n"
        "from tests.release.killing import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, str(tmp_path)],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 1 and "the next run leaves" in done.stdout


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize("overwrite", [False, True])
def test_killed_by_the_kernel_at_each_system_call(tmp_path: Path, overwrite: bool) -> None:
    if renaming.system_rename is None:
        pytest.skip("there are no one-step renames here")
    out, kills = tmp_path / "out", 0
    for call in SYSTEM_CALLS:
        for number in range(1, 40):
            shutil.rmtree(out, ignore_errors=True)
            if overwrite:
                out.mkdir()
                for name in FILES:
                    (out / name).write_text("old")
            inject = ["-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}"]
            command = ["strace", "-f", "-qq", "-o", os.devnull, *inject, sys.executable, "-c", WRITE, str(out)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if "ptrace" in done.stderr:
                pytest.skip("tracing is not allowed here")
            whole = {file.read_text() for file in out.iterdir()} if out.exists() else {"absent"}
            assert whole in ({"new"}, {"old"} if overwrite else {"absent"}), (call, number)
            assert not out.exists() or sorted(os.listdir(out)) == list(FILES)
            atomic.sweep(tmp_path)
            assert set(os.listdir(tmp_path)) <= {"out"}, (call, number)
            if done.returncode == 0:
                break
            kills += 1
    assert kills > 10


@pytest.mark.parametrize("format", ["parquet", "parts"])
def test_killed_while_an_engine_writes(tmp_path: Path, format: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it writes, between its parts, and while it is verified."""
    out = tmp_path / "out"
    monkeypatch.setattr(writers, "PART_ROWS", 10)
    found = fv.search(OnlyCounts(source(), elsewhere=True), SCHEMA, guards=GUARDS)
    calls = {"write": (pq.ParquetWriter, "write_table"), "verify": (verifying, "verify_written")}
    for name, number in (("write", 1), ("write", 3), ("verify", 1)):
        where, called = calls[name]
        made, real = 0, getattr(where, called)

        def dying(*given: Any, real: Any = real, number: int = number, **settings: Any) -> Any:
            nonlocal made
            made += 1
            if made == number:
                os._exit(9)
            return real(*given, **settings)

        with monkeypatch.context() as patched:
            patched.setattr(where, called, dying)
            child = in_child(lambda: found.release(0).save(out, format=format))
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9, (name, number)
        assert not out.exists() and os.listdir(tmp_path), (name, number)
        saved = found.release(0).save(out, format=format).path
        assert fv.verify(saved) and os.listdir(tmp_path) == ["out"], (name, number)
        shutil.rmtree(out)
