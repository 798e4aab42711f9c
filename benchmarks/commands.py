"""The commands of the first hour before and after a change: `python -m benchmarks commands --against REVISION`

Every file of docs/first-hour.md gets the plan that each version's own `init` writes, as its users did. `explore`,
`release`, `attack` and `utility` then run in processes of their own, the two versions in turns; CPU seconds, the best
of each. The first turn of a version also compiles its kernels, so two turns are the least that means something.
The older version is as for `before`: a checkout in FAIRVEIL_BEFORE, else a worktree of REVISION.
Options: `--only FILE …`, `--turns N`, `--all` for the other commands, too.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.before import HERE, older
from benchmarks.hour import NAMES, STEPS, commands, put
from benchmarks.timing import ratio

TIMED = ("explore", "release", "attack", "utility")
LARGE = ("adult", "bank")
"""The files whose slowest command is shown by itself."""


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks commands")
    options.add_argument("--against", default="204c828", metavar="REVISION")
    options.add_argument("--only", nargs="*", choices=NAMES, default=list(NAMES))
    options.add_argument("--turns", type=int, default=2)
    options.add_argument("--all", action="store_true", help="verify and apply, too")
    asked = options.parse_args()
    steps = [step for step in STEPS if step != "report"] if asked.all else ["init", *TIMED]
    with tempfile.TemporaryDirectory() as folder, older(asked.against) as old:
        assert old is not None
        sides = {"before": old, "after": HERE}
        best: dict[str, dict[tuple[str, str], float]] = {step: {} for step in steps}
        print(f"\nCPU seconds of each command at {asked.against} and now, best of {asked.turns} interleaved turns")
        print(f"  {'file':<16}" + "".join(f"{step:>26}" for step in steps))
        for name, places in put(asked.only, Path(folder)).items():
            for turn in range(asked.turns):
                for side in sides if turn % 2 else reversed(sides):
                    work = Path(folder) / f"{name}-{side}"
                    work.mkdir(exist_ok=True)
                    for step in steps:
                        seconds = cpu_of(commands(places, work)[step], sides[side])
                        best[step][name, side] = min(best[step].get((name, side), float("inf")), seconds)
            pairs = [(best[step][name, "before"], best[step][name, "after"]) for step in steps]
            print(f"  {name:<16}" + "".join(f"{a:9.2f} {b:7.2f} {a / b:6.2f} ×" for a, b in pairs), flush=True)
    for step in steps:
        names = [name for name, side in best[step] if side == "after"]
        times = statistics.median(best[step][name, "before"] / best[step][name, "after"] for name in names)
        ratio(f"{step} of the first hour", times)
        print(f"  {step}: {times:.2f} times faster in the median of {len(names)} files")
    slow = {
        (name, step): best[step][name, "after"] for step in steps for name in LARGE if (name, "after") in best[step]
    }
    if slow:
        (name, step), seconds = max(slow.items(), key=lambda item: item[1])
        print(f"  slowest of {' and '.join(LARGE)}: {step} of {name}, {seconds:.2f} s")


def cpu_of(words: list[str], checkout: Path) -> float:
    """The CPU seconds of one command by the version in `checkout`."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users have compiled modules
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "fairveil", *words], env=environment, cwd=checkout, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode > (words[0] == "attack"):  # 1: an attack is a danger
        raise RuntimeError(f"fairveil {' '.join(words)} of {checkout} ends with {done.returncode}:\n{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
