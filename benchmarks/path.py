"""The whole path in one figure: a CSV file on disk to a verified release, and where the time goes.

`python -m benchmarks.path [rows]`: Adult, then so many rows drawn from it (default ten million). Each is one process
that runs `fairveil release`, `verify`, `attack` and `report` as a user does, kernels compiled before. A thread looks at
what the process is doing every few milliseconds; within `release` a stage is told by the outermost room of the code on
the stack, the other commands are a stage each. Reading and writing are compared with DuckDB's own `COPY` of the same
columns from the file to another one, in the same run.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from types import FrameType

from benchmarks.memory import peak
from benchmarks.timing import SERIES, show

ROWS = 10_000_000
STAGES = {
    "fairveil.data.readers": "read",
    "fairveil.engines.open_data": "read",
    "fairveil.release.verify": "verify",
    "fairveil.attacks": "attacks",
    "fairveil.reporting": "report",
    "fairveil.run.report": "report",
    "fairveil.data.writers": "write",
    "fairveil.data.release_csv": "write",
    "fairveil.published.data_files": "write",
    "fairveil.engines.fetched_rows": "write",
    "fairveil.engines.lazy_rows": "write",
    "fairveil.methods": "search",
    "fairveil.frontier": "search",
    "fairveil.measures": "search",
    "fairveil.choice": "search",
    "fairveil.recipes": "publish",
    "fairveil.published": "publish",
    "fairveil.release": "publish",
}
"""Rooms and modules -> stages; a module's own line goes before its room's."""
WITHIN = {
    ("read", "fairveil.data.table"): "code",
    ("read", "fairveil.data.types"): "code",
    ("search", "fairveil.counting.cells"): "cells",
    ("search", "fairveil.counting.tuples"): "cells",
    ("search", "fairveil.engines"): "cells",
    ("publish", "fairveil.data.writers"): "write",
    ("publish", "fairveil.data.release_csv"): "write",
    ("publish", "fairveil.attacks"): "attacks",
    ("publish", "fairveil.run.report"): "report",
    ("publish", "fairveil.reporting"): "report",
    ("publish", "fairveil.release.verify"): "verify",
    ("publish", "fairveil.engines.fetched_rows"): "write",
    ("publish", "fairveil.engines.lazy_rows"): "write",
}
"""A stage that is part of another one -> its own name."""
ORDER = ("start", "read", "code", "cells", "search", "publish", "write", "attacks", "report", "verify", "other")
PAUSE = 0.003


def stage_of(frame: FrameType | None) -> str:
    """What a process is doing, by the modules on its stack."""
    modules: list[str] = []
    while frame is not None:
        modules.append(str(frame.f_globals.get("__name__", "")))
        frame = frame.f_back
    if "importlib._bootstrap" in modules or not any(name.startswith("fairveil.") for name in modules):
        return "start"
    stage = "other"
    for name in reversed(modules):
        known = next((STAGES[room] for room in STAGES if inside(name, room)), None)
        inner = next((to for (of, room), to in WITHIN.items() if of == stage and inside(name, room)), None)
        if inner is not None:
            stage = inner
        elif stage == "other" and known is not None:
            stage = known
    return stage


def inside(module: str, room: str) -> bool:
    return module == room or module.startswith(room + ".")


class Watch:
    """Adds up the seconds of each stage, whichever thread works on it."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self.command = ""
        """The stage that everything but starting counts as, if there is one."""
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.last = time.perf_counter()
        self.thread.start()

    def run(self) -> None:
        while not self.stopped.wait(PAUSE):
            now = time.perf_counter()
            stage = self.stage()
            self.spent[self.command if self.command and stage != "start" else stage] += now - self.last
            self.last = now

    def stage(self) -> str:
        """What the busiest thread does: work goes on in a thread of its own while the first one waits for it."""
        stacks = [frame for thread, frame in sys._current_frames().items() if thread != self.thread.ident]
        return max((stage_of(frame) for frame in stacks), key=lambda stage: (stage in ORDER[1:-1], stage == "other"))

    def stop(self) -> dict[str, float]:
        self.stopped.set()
        self.thread.join()
        return dict(self.spent)


def child(plan: str, source: str, out: str) -> None:
    """In a process of its own: the commands one after the other, and what each stage took."""
    began = time.perf_counter()
    watch = Watch()
    from fairveil.cli import run

    codes = []
    for stage, command in (
        ("", ["release", plan, "--out", out]),
        ("verify", ["verify", out]),
        ("attacks", ["attack", out, "--original", source]),
        ("report", ["report", out]),
    ):
        watch.command = stage
        codes.append(run(command))
    spent = watch.stop()
    spent["all"] = time.perf_counter() - began
    spent["megabytes"] = peak()
    print(json.dumps({"codes": codes, "spent": spent}))


def measure(rows: int | None) -> dict[str, float]:
    """Seconds of each stage; None is Adult as it is."""
    import fairveil as fv
    from benchmarks.mdav import many
    from fairveil.data.release_csv import write_csv

    adult = fv.datasets.adult()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_csv(adult.table if rows is None else many(adult.table, rows), folder / "people.csv")
        lines = [
            "format = 1",
            "[source]",
            'path = "people.csv"',
            "[schema]",
            f"quasi = {json.dumps(list(adult.schema.quasi))}",
            'decision = "income"',
        ]
        for column, rule in adult.schema.hierarchies.items():
            fv.hierarchy.write_csv(rule.bind(adult.table.column(column).domain), folder / f"{column}.csv")
            lines += [f'[hierarchies."{column}"]', 'kind = "csv"', f'path = "{column}.csv"']
        lines += ["[[guards]]", 'kind = "k-anonymity"', "k = 5", "suppression = 0.01"]
        (folder / "plan.toml").write_text("\n".join(lines), encoding="utf-8")
        command = [sys.executable, "-c", "import sys; from benchmarks.path import child; child(*sys.argv[1:])"]
        for turn in range(2 if rows is None else 1):  # compiled by the first
            said = subprocess.run(
                [*command, *(str(folder / file) for file in ("plan.toml", "people.csv", f"out{turn}"))],
                capture_output=True,
                text=True,
                check=False,
            )
            answer = json.loads(said.stdout.splitlines()[-1]) if said.returncode == 0 else {}
            if answer.get("codes") != [0, 0, 0, 0]:
                raise RuntimeError(said.stdout + said.stderr)
        spent: dict[str, float] = answer["spent"]
        spent["copy"] = copying(folder / "people.csv", [*adult.schema.quasi, "income"])
    return spent


def copying(source: Path, names: list[str]) -> float:
    """Seconds of DuckDB's `COPY` of these columns of a CSV file, as texts, to another file."""
    import duckdb

    columns = ", ".join(f'"{name}"' for name in names)
    began = time.perf_counter()
    with duckdb.connect() as database:
        database.execute(
            f"copy (select {columns} from read_csv('{source}', all_varchar=true)) to '{source}.copy' (format csv)"
        )
    return time.perf_counter() - began


def main(rows: int | None = None) -> None:
    rows = rows or (int(float(sys.argv[1])) if len(sys.argv) > 1 else ROWS)
    for name, size in (("Adult, 30,162 rows", None), (f"{rows:,} rows", rows)):
        spent = measure(size)
        whole, megabytes, copy = (spent.pop(key) for key in ("all", "megabytes", "copy"))
        moved = sum(spent.get(stage, 0.0) for stage in ("read", "code", "write"))
        show(
            f"CSV file to a release, verified, attacked and reported on, {name}: {whole:.2f} s, at most "
            f"{megabytes:,.0f} MB; DuckDB's COPY {copy:.2f} s, read and written in {moved / copy:.1f} times that",
            {stage: f"{spent[stage]:8.2f} s  {spent[stage] / whole:4.0%}" for stage in ORDER if spent.get(stage)},
        )
        SERIES.setdefault("the whole path, shares of the time", {})[name] = [
            (place, spent.get(stage, 0.0) / whole) for place, stage in enumerate(ORDER)
        ]


if __name__ == "__main__":
    main()
