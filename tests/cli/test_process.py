"""The command as a process of its own: what only a real process shows."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest

from fairveil import cli

COMMAND = [sys.executable, "-m", "fairveil"]

SLOW = """
import sys, time
from fairveil import cli
from fairveil.data import writers
write = writers.write_csv
def slow(table, path, progress=None, **more):
    write(table, path, progress, **more)
    print("writing", file=sys.stderr, flush=True)
    time.sleep(60)
writers.write_csv = slow
cli.main()
"""


SAYING = """
import sys
from fairveil import cli
from fairveil.progress import Progress
tell = Progress.tell
def aloud(self, share, what):
    print(what, file=sys.stderr, flush=True)
    tell(self, share, what)
Progress.tell = aloud
"""


def command(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


def test_bad_input_is_one_line_and_exit_code_2(people: Path) -> None:
    done = command("check", people, "--quasi", "agee", "--k", "2")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "fairveil: no column 'agee': did you mean 'age'?\n"


def test_yes_and_no_are_exit_codes_0_and_1(people: Path) -> None:
    codes = [command("check", people, "--quasi", "sex", "--k", k).returncode for k in ("6", "7")]
    assert codes == [0, 1]


def test_a_release_in_a_locale_without_our_signs(plan: Path) -> None:
    done = command("release", plan, "--out", plan.with_name("out"), PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.returncode == 0
    assert "k-anonymity" in done.stdout


def interrupted(plan: Path, sign: signal.Signals, *options: str) -> int:
    """Stop a release while its data is being written; gives the exit code."""
    arguments = ["release", str(plan), "--out", str(plan.with_name("out")), *options]
    with subprocess.Popen([sys.executable, "-c", SLOW, *arguments], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while "writing" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(sign)
        printed = process.stderr.read()
    assert "Traceback" not in printed
    return process.returncode


def test_ctrl_c_ends_the_query_of_an_engine(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(tmp_path / "d.duckdb") as connection:
        connection.execute("CREATE VIEW endless AS SELECT (a.range * b.range) % 7 AS a, 1 AS b "
                           "FROM range(1000000) a, range(1000000) b")  # fmt: skip
    words = ["check", f"duckdb://{tmp_path / 'd.duckdb'}", "--table", "endless", "--quasi", "a", "--k", "2"]
    script = SAYING + "cli.main()"
    with subprocess.Popen([sys.executable, "-c", script, *words], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while "counting" not in process.stderr.readline():
            assert process.poll() is None
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130  # at once where nothing else is done
        assert "Traceback" not in process.stderr.read()


def test_interrupted_work_leaves_nothing_half_written(plan: Path) -> None:
    before = sorted(plan.parent.iterdir())
    assert interrupted(plan, signal.SIGINT) == 130
    assert sorted(plan.parent.iterdir()) == before
    assert interrupted(plan, signal.SIGTERM) == 143
    assert sorted(plan.parent.iterdir()) == before


def test_interrupted_overwriting_keeps_the_old_release(plan: Path) -> None:
    out = plan.with_name("out")
    command("release", plan, "--out", out)
    before = sorted(plan.parent.rglob("*"))
    assert interrupted(plan, signal.SIGINT, "--overwrite") == 130
    assert sorted(plan.parent.rglob("*")) == before
    assert command("verify", out).returncode == 0


def test_a_reader_who_stops_early_gets_no_complaint(plan: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "explore", plan, "--csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        printed = process.stderr.read()
    assert process.returncode == cli.UNREAD
    assert printed == b""


def test_bars_only_on_a_terminal(plan: Path) -> None:
    """On a terminal stderr carries a bar, and stdout stays pure JSON."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "explore", plan, "--json"],
        stdout=subprocess.PIPE,
        stderr=follower,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    ) as process:
        os.close(follower)
        output = b""
        while True:
            try:
                piece = os.read(leader, 4096)
            except OSError:
                break
            if not piece:
                break
            output += piece
        assert process.stdout is not None
        out = process.stdout.read()
    os.close(leader)
    assert process.returncode == 0
    assert out.startswith(b"{") and b"\x1b" not in out
    assert b"\x1b" in output


def test_help_imports_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "fairveil", "--help"], capture_output=True, text=True, check=True
    )
    imported = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "fairveil" in imported and "typer" in imported
    assert not imported & {"numpy", "pyarrow", "scipy", "sklearn", "pandas", "narwhals", "rich"}


LEAN = """
import sys
from fairveil import cli
assert cli.run(sys.argv[1:]) == 0
assert "pandas" not in sys.modules, "loaded"
import pyarrow as pa
frame = pa.table({"a": [1, None]}).to_pandas()
import fairveil as fv
assert fv.Table.from_frame(frame).column("a").domain == [1.0, None]
assert type(fv.Table.from_frame(frame).to_frame()) is type(frame)
"""


@pytest.mark.skipif(int(version("pyarrow").split(".")[0]) < 26, reason="older pyarrow looks for pandas again and again")
def test_pandas_stays_unloaded_and_still_works_afterwards(people: Path) -> None:
    pytest.importorskip("pandas")
    check = ["check", str(people), "--quasi", "sex", "--k", "2"]
    done = subprocess.run([sys.executable, "-c", LEAN, *check], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
