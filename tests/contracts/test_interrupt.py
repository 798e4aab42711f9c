"""Ctrl-C ends every method and every command within half a second, by one sentence or by KeyboardInterrupt."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fairveil.methods import METHODS, Method
from tests.contracts.interrupted import INTERRUPTED

PATIENCE, TRIES, EARLY = 0.5, 3, 10
"""Seconds; a busy machine may keep one waiting once or twice, work that does not look up always. Short work may have
ended when the signal is to be sent, on a busy machine."""
ROWS, COLUMNS = 90_000, [f"q{i}" for i in range(7)]
SLOW: dict[str, dict[str, Any]] = {
    "incognito": {},
    "preferences": {"evaluations": 10_000_000, "largest": 1},
    "dmpd": {"generations": 10_000, "population": 100},
    "noisy-table": {"public": [*COLUMNS, "granted"], "epsilon": 20.0},
    "mdav": {"blocks": None},
    "fair-mdav": {"blocks": None},
}
PLAN = f"""format = 1
[source]
path = "many.parquet"
[schema]
quasi = {COLUMNS}
sensitive = ["sex"]
protected = ["sex"]
decision = "granted"
denied = 0
""" + "".join(
    f'[hierarchies.{name}]\nkind = "intervals"\nedges = [0, 64]\nwidths = [2, 4, 8, 16, 32]\n' for name in COLUMNS
) + '[[guards]]\nkind = "k-anonymity"\nk = 20\nsuppression = 0.01\n'  # fmt: skip


class Forks:
    """Work in forks of one process that has everything loaded."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.contracts.interrupted", str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip

    def interrupted(self, work: dict[str, Any], after: float = 0.2) -> tuple[int, float] | None:
        """The exit code, and the seconds from Ctrl-C to the end; None if it had ended by itself before."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(work) + "\n")
        self.process.stdin.flush()
        child, state = int(self._line()), self._line()
        if state == "at work":
            assert self.process.stdout is not None
            select.select([self.process.stdout], [], [], after)
            try:
                os.kill(child, signal.SIGINT)
            except ProcessLookupError:
                self._line()
                return None
            sent = time.monotonic()
            state = self._line()
            waited = time.monotonic() - sent
            has_ended = int(state) != INTERRUPTED and waited < PATIENCE  # it was about to end when the signal came
            return None if has_ended else (int(state), waited)
        return int(state), 0.0

    def done(self, *command: object) -> None:
        """Run a command to its end."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"command": [*map(str, command)]}) + "\n")
        self.process.stdin.flush()
        self._line()
        while (state := self._line()) == "at work":
            pass
        assert state == "0", (self.folder / "printed").read_text(encoding="utf-8")

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the process of the forks has ended"
        return line.strip()


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    folder = tmp_path_factory.mktemp("interrupted")
    random = np.random.default_rng(0)
    columns = {name: random.integers(0, 64, ROWS) for name in COLUMNS}
    columns |= {"sex": random.integers(0, 2, ROWS), "granted": random.integers(0, 2, ROWS)}
    pq.write_table(pa.table(columns), folder / "many.parquet")
    (folder / "plan.toml").write_text(PLAN, encoding="utf-8")
    forks = Forks(folder)
    yield forks
    forks.process.kill()
    forks.process.wait()


def ends(forks: Forks, work: dict[str, Any], after: float = 0.2) -> None:
    """Whether work that is interrupted ends in time, says one sentence at most, and leaves nothing behind."""
    before = sorted(path.name for path in forks.folder.iterdir() if path.name != "printed")
    waits: list[float] = []
    early = 0  # how often it was quicker than the signal
    while min(waits, default=PATIENCE) >= PATIENCE and len(waits) < TRIES:
        ended = forks.interrupted(work, after / (1 + early))
        if ended is None:
            early += 1
            assert early < EARLY, "it ends too soon to be interrupted: give it more to do"
            continue
        code, wait = ended
        waits.append(wait)
        printed = (forks.folder / "printed").read_text(encoding="utf-8").splitlines()
        assert code == INTERRUPTED, (code, printed)
        said = [line for line in printed if "compiling the counting kernels" not in line]
        expected = ["fairveil: interrupted: no incomplete file is left"] if "command" in work else []
        assert said == expected
    assert min(waits) < PATIENCE, waits
    assert sorted(path.name for path in forks.folder.iterdir() if path.name != "printed") == before


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
def test_a_search_in_python(method: type[Method], forks: Forks) -> None:
    ends(forks, {"method": {"kind": method.kind, **SLOW.get(method.kind, {})}})


def test_patterns_of_all_pairs_and_small_groups_in_python(forks: Forks) -> None:
    """What runs longest in one piece: billions of pairs, and exact groups of a few, which take a second."""
    ends(forks, {"method": {"kind": "roll-up", "coverage": 0.5}}, after=1.0)
    ends(forks, {"method": {"kind": "mdav", "blocks": None}}, after=0.5)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
def test_a_release_on_the_command_line(method: type[Method], forks: Forks) -> None:
    plan = forks.folder / f"plan-{method.kind}.toml"
    settings = {"kind": method.kind, **SLOW.get(method.kind, {})}
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items() if value is not None]
    plan.write_text(PLAN + "[method]\n" + "\n".join(lines) + "\n", encoding="utf-8")
    ends(forks, {"command": ["release", str(plan), "--out", str(forks.folder / "out")]})


@pytest.fixture(scope="module")
def released(forks: Forks) -> Path:
    plan, folder = forks.folder / "quick.toml", forks.folder / "released"
    plan.write_text(PLAN + '[method]\nkind = "mondrian"\n', encoding="utf-8")
    forks.done("release", plan, "--out", folder, "--format", "parquet")
    return folder


COMMANDS: dict[str, tuple[str, ...]] = {
    "init": ("many.parquet", "--out", "new.toml"),
    "profile": ("many.parquet",),
    "check": ("many.parquet", "--quasi", ",".join(COLUMNS), "--k", "5"),
    "explore": ("plan.toml",),
    "utility": ("released", "--original", "many.parquet", "--test", "0.3"),
    "attack": ("released", "--original", "many.parquet"),
    "verify": ("released",),
    "report": ("released", "--out", "new.html"),
    "apply": ("released", "many.parquet", "--out", "new.parquet"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command(command: str, forks: Forks, released: Path) -> None:
    ends(forks, {"command": [command, *COMMANDS[command]]}, after=0.02)
