"""The commands of the first hour before and after a change: `python -m benchmarks commands --against REVISION`

Both versions do the same work: they get today's plan of a file of docs/first-hour.md; where the older version cannot
read it, its own plan; and where a command of today refuses that one, each version the plan that its own `init` writes,
as its users did. The output says which (`now`, `before`, `own`). `explore`, `release`, `attack` and `utility` run in
processes of their own, the two versions in turns; CPU seconds, the best of each, and at the end how often faster by
CPU and by wall time (today's version uses several cores). The first turn of a version also compiles its kernels, if it
still does, so two turns are the least that means something.
The older version is as for `before`: a checkout in FAIRVEIL_BEFORE, else a worktree of REVISION; FAIRVEIL_BEFORE_PATH
names folders with packages that only the older version needs, such as Numba.
Options: `--only FILE …`, `--turns N`, `--all` for the other commands, too, `--plan own` for each version's own plan.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from benchmarks.before import HERE, older
from benchmarks.hour import NAMES, STEPS, commands, put
from benchmarks.timing import ratio

TIMED = ("explore", "release", "attack", "utility")
LOADED = "numpy, pyarrow"
"""What every command loads of other packages: none can take less."""
PLANS = ("now", "before", "own")
LARGE = ("adult", "bank")
"""The files whose slowest command is shown by itself."""


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks commands")
    options.add_argument("--against", default="204c828", metavar="REVISION")
    options.add_argument("--only", nargs="*", choices=NAMES, default=list(NAMES))
    options.add_argument("--turns", type=int, default=2)
    options.add_argument("--all", action="store_true", help="verify and apply, too")
    options.add_argument("--plan", nargs="*", choices=PLANS, default=list(PLANS), help="the plans to try, in order")
    asked = options.parse_args()
    steps = [step for step in STEPS if step not in ("init", "report")] if asked.all else list(TIMED)
    with tempfile.TemporaryDirectory() as folder, older(asked.against) as old:
        assert old is not None
        sides = {"before": old, "after": HERE}
        best: dict[str, dict[str, dict[str, Seconds]]] = {}
        today: dict[tuple[str, str], Seconds] = {}
        print(f"\nCPU seconds of each command at {asked.against} and now, best of {asked.turns} interleaved turns")
        print(f"  {'file':<16}{'plan':<8}" + "".join(f"{step:>26}" for step in steps))
        for name, places in put(asked.only, Path(folder)).items():
            for plan in asked.plan:
                try:
                    best[name] = compare(places, Path(folder) / f"{name}-{plan}", plan, sides, steps, asked.turns)
                    break
                except RuntimeError as problem:
                    print(f"  {name:<16}{plan:<8}not used: {str(problem).splitlines()[-1][:100]}", flush=True)
            if name in best:
                pairs = [(best[name]["before"][step].cpu, best[name]["after"][step].cpu) for step in steps]
                print(
                    f"  {name:<16}{plan:<8}" + "".join(f"{a:9.2f} {b:7.2f} {a / b:6.2f} ×" for a, b in pairs),
                    flush=True,
                )
            if name in LARGE:
                alone = compare(places, Path(folder) / f"{name}-today", "own", {"after": HERE}, steps, asked.turns)
                today |= {(step, name): seconds for step, seconds in alone["after"].items()}
    floor = Seconds.least(seconds_of(["-c", f"import {LOADED}"], HERE, module=False) for _ in range(3))
    print(f"  Python and loading {LOADED} alone, which every command does: {floor.cpu:.2f} s, wall {floor.wall:.2f} s")
    kind = f" with plans {', '.join(asked.plan)}" if asked.plan != list(PLANS) else ""
    for step in steps:
        cpu = statistics.median(sides["before"][step].cpu / sides["after"][step].cpu for sides in best.values())
        wall = statistics.median(sides["before"][step].wall / sides["after"][step].wall for sides in best.values())
        ratio(f"{step} of the first hour{kind}", cpu)
        ratio(f"{step} of the first hour{kind}, wall", wall)
        most = statistics.median(sides["before"][step].cpu / floor.cpu for sides in best.values())
        print(
            f"  {step}: {cpu:.2f} times faster in the median of {len(best)} files, wall {wall:.2f} times; a command "
            f"that only loads {LOADED} would be {most:.1f} times faster"
        )
    if today:
        (step, name), seconds = max(today.items(), key=lambda item: item[1].cpu)
        print(
            f"  slowest of {' and '.join(LARGE)} with today's plans: {step} of {name}, {seconds.cpu:.2f} s, "
            f"wall {seconds.wall:.2f} s"
        )


class Seconds(NamedTuple):
    """What a command takes: of all cores together, and until it ends."""

    cpu: float
    wall: float

    @classmethod
    def least(cls, times: Iterable[Seconds]) -> Seconds:
        """The best of several runs, each clock by itself."""
        return cls(*map(min, zip(*times, strict=True)))


def compare(
    places: tuple[Path, Path], work: Path, plan: str, sides: dict[str, Path], steps: list[str], turns: int
) -> dict[str, dict[str, Seconds]]:
    """The best times of each step by version; raises RuntimeError where a version refuses the plan."""
    best: dict[str, dict[str, Seconds]] = {side: {} for side in sides}
    writer = {"now": "after", "before": "before"}.get(plan)
    words = {side: commands(places, work.with_name(f"{work.name}-{side}")) for side in sides}
    for side in sides:
        (folder := work.with_name(f"{work.name}-{side}")).mkdir()
        seconds_of(commands(places, folder)["init"], sides[writer or side])
    for turn in range(turns):
        for side in sides if turn % 2 else reversed(sides):
            for step in steps:
                seconds = seconds_of(words[side][step], sides[side])
                best[side][step] = Seconds.least((best[side].get(step, seconds), seconds))
    return best


def seconds_of(words: list[str], checkout: Path, module: bool = True) -> Seconds:
    """What one command takes by the version in `checkout`, or of Python with these words."""
    further = os.environ.get("FAIRVEIL_BEFORE_PATH", "") if checkout != HERE else ""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(checkout / "src"), further]))}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users have compiled modules
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    call = [sys.executable, *(["-m", "fairveil"] if module else []), *words]
    done = subprocess.run(call, env=environment, cwd=checkout, capture_output=True, text=True, check=False)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
    if done.returncode > (words[0] == "attack"):  # 1: an attack is a danger
        raise RuntimeError(f"fairveil {' '.join(words)} of {checkout} ends with {done.returncode}:\n{done.stderr}")
    return Seconds(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)


if __name__ == "__main__":
    main()
