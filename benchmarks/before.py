"""Every search and command before and after a change: `python -m benchmarks before [--against REVISION]`

The older version is the checkout that FAIRVEIL_BEFORE names, or a Git worktree of REVISION in a temporary folder.
Processes of the two take turns; the best time of each counts. Searches are timed in CPU seconds of one thread, which
other work on the machine disturbs least; commands in CPU and wall seconds, each in a fresh process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TURNS = 4
HERE = Path(__file__).resolve().parents[1]


def searches() -> dict[str, tuple[Callable[[], Any], int]]:
    """A search by name, and how often a process repeats it. Only names that older versions know, too."""
    import fairveil as fv

    adult, k = fv.datasets.adult(), fv.KAnonymity(5)
    fair = fv.AlphaProtection(1.2, "slift", 0.05, 3)

    def search(guards: list[Any], method: Any = None, measure: str = "loss") -> Callable[[], Any]:
        def run() -> Any:
            settings = {"method": method} if method else {}
            return fv.search(adult.table, adult.schema, guards=guards, **settings).best_position(measure)

        return run

    def published() -> Any:
        return fv.search(adult.table, adult.schema, guards=[k]).best("loss").table

    return {
        "incognito": (search([k]), 30),
        "incognito, 5 % suppressed": (search([fv.KAnonymity(5, suppression=0.05)]), 8),
        "incognito, entropies": (search([k], measure="entropy"), 20),
        "α-protection": (search([k, fair]), 20),
        "α-protection, 5 % suppressed": (search([fv.KAnonymity(50, suppression=0.05), fair]), 3),
        "best-first": (search([k], fv.BestFirst(time_limit=600)), 3),
        "preferences": (search([k], fv.Preferences(evaluations=4000)), 3),
        "roll-up": (search([k], fv.RollUp()), 20),
        "datafly": (search([k], fv.Datafly()), 20),
        "tds": (search([k], fv.TDS()), 3),
        "tdr": (search([k], fv.TDR()), 3),
        "mondrian": (search([k], fv.Mondrian()), 3),
        "top-down greedy": (search([fv.KAnonymity(50)], fv.TopDownGreedy()), 3),
        "mdav": (search([k], fv.MDAV()), 3),
        "fair-mdav": (search([k], fv.FairMDAV(size=10)), 3),
        "dmpd": (search([k], fv.DMPD(generations=3, population=20)), 3),
        "search and publish": (published, 10),
    }


def worker() -> None:
    best: dict[str, float] = {}
    for name, (run, times) in searches().items():
        run()
        for _ in range(times):
            start = time.process_time()
            run()
            best[name] = min(best.get(name, float("inf")), time.process_time() - start)
    print(json.dumps(best))


def commands(folder: Path) -> dict[str, list[str]]:
    start = [sys.executable, "-c"]
    return {
        "import fairveil": [*start, "import fairveil"],
        "fairveil --help": [sys.executable, "-m", "fairveil", "--help"],
        "file to release": [sys.executable, "-m", "fairveil", "release", str(folder / "plan.toml"), "--out",
                            str(folder / "out"), "--overwrite"],
    }  # fmt: skip


def write_plan(folder: Path) -> None:
    """Adult as a CSV file, its hierarchies, and a plan that publishes it."""
    import fairveil as fv
    from fairveil.data.release_csv import write_csv

    adult = fv.datasets.adult()
    write_csv(adult.table, folder / "people.csv")
    quasi = json.dumps(list(adult.schema.quasi))
    lines = ["format = 1", "[source]", 'path = "people.csv"', "[schema]", f"quasi = {quasi}", 'decision = "income"']
    for column, rule in adult.schema.hierarchies.items():
        fv.hierarchy.write_csv(rule.bind(adult.table.column(column).domain), folder / f"{column}.csv")
        lines += [f'[hierarchies."{column}"]', 'kind = "csv"', f'path = "{column}.csv"']
    lines += ["[[guards]]", 'kind = "k-anonymity"', "k = 5", "suppression = 0.01"]
    (folder / "plan.toml").write_text("\n".join(lines), encoding="utf-8")


def given() -> str | None:
    """The revision to compare with, if the command line names one."""
    return sys.argv[2] if sys.argv[1:2] == ["--against"] else None


@contextmanager
def older(revision: str | None) -> Iterator[Path | None]:
    """The checkout that FAIRVEIL_BEFORE names, or a Git worktree of a revision; None if neither is given."""
    named = os.environ.get("FAIRVEIL_BEFORE")
    if named is not None or revision is None:
        yield None if named is None else Path(named)
        return
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "before"
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run([*git, "add", "--detach", str(checkout), revision], check=True, capture_output=True)
        compile_kernels = [sys.executable, "hatch_build.py", "kernels"]
        subprocess.run(compile_kernels, cwd=checkout, check=False, capture_output=True)  # older ones need none
        try:
            yield checkout
        finally:
            subprocess.run([*git, "remove", "--force", str(checkout)], check=False, capture_output=True)


def main() -> None:
    with older(given()) as checkout:
        if checkout is None:
            print("\nbefore: --against REVISION, or an older checkout in FAIRVEIL_BEFORE, says what to compare with")
        else:
            compare(checkout)


def compare(old: Path) -> None:
    sides = {"before": old, "after": HERE}
    best: dict[str, dict[str, float]] = {side: {} for side in sides}
    with tempfile.TemporaryDirectory() as place:
        write_plan(Path(place))
        for turn in range(TURNS):
            for side in sides if turn % 2 else reversed(sides):
                for name, seconds in _timed(sides[side], Path(place)).items():
                    best[side][name] = min(best[side].get(name, float("inf")), seconds)
    print(f"\nbefore ({old}) and after, best of {TURNS} interleaved turns")
    for name, before in best["before"].items():
        after = best["after"][name]
        print(f"  {name:<30} {1e3 * before:9.2f} ms {1e3 * after:9.2f} ms   {after / before:5.3f} times")


def _timed(checkout: Path, folder: Path) -> dict[str, float]:
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "FAIRVEIL_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users have compiled modules
    settings: dict[str, Any] = {"env": environment, "cwd": folder, "capture_output": True, "text": True}
    answer = subprocess.run([sys.executable, __file__, "worker"], check=True, **settings)
    times: dict[str, float] = json.loads(answer.stdout.splitlines()[-1])
    for name, command in commands(folder).items():
        for _ in range(3):
            before, start = os.times(), time.perf_counter()
            subprocess.run(command, check=True, **settings)
            wall, after = time.perf_counter() - start, os.times()
            cpu = sum(after[2:4]) - sum(before[2:4])
            for clock, seconds in ((f"{name}, wall", wall), (f"{name}, CPU", cpu)):
                times[clock] = min(times.get(clock, float("inf")), seconds)
    return times


if __name__ == "__main__":
    worker()
