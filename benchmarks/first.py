"""The first answer of every method in a fresh process, and how long it takes to get there.

Kernels are compiled when fairveil is built, so nothing is compiled here. The build is timed as well: how long the
translation into C and the C compiler take, and how large the library is. Seconds of CPU, which other work on the
machine disturbs least, and on the wall. Options: `--method NAME`, `--sample ROWS`, `--imports` to list the modules that
take longest to load.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

LISTED = 6
"""Modules shown per method with `--imports`, the slowest first."""
TURNS = 2
"""Fresh processes per method; the better one counts, because the first may have to read files from the disk."""


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks first")
    options.add_argument("--method", action="append", help="only this one; may be given several times")
    options.add_argument("--imports", action="store_true", help="list the modules that take longest to load")
    options.add_argument("--sample", type=int, default=3000, help="rows of Adult")
    given = options.parse_args()
    from fairveil.methods import METHODS

    if not given.method:
        build()
    print(f"\nFirst answer on {given.sample:,} rows of Adult, fresh process each")
    print(f"  {'method':<26} {'CPU s':>6} {'wall s':>7}")
    for case in [*(method.kind for method in METHODS), "incognito + α-protection"]:
        if given.method and case not in given.method:
            continue
        best = min(
            (_timed(case, given.sample, given.imports) for _ in range(TURNS)), key=lambda turn: float(turn["cpu"])
        )
        print(f"  {case:<26} {best['cpu']:6.2f} {best['wall']:7.2f}", flush=True)
        for name, seconds in best["imports"]:
            print(f"      {name:<36} {seconds:6.2f}")


def build() -> None:
    """Time the build of the kernels."""
    from fairveil.counting.kernels.sources import LIBRARY, PACKAGE, kernel_files
    from hatch_build import compile_c
    from translator.program import Program

    with tempfile.TemporaryDirectory() as folder:
        code, library = Path(folder) / "kernels.c", Path(folder) / "kernels.so"
        begun = time.process_time()
        code.write_text(Program(PACKAGE, kernel_files()).source(), encoding="utf-8")
        translated = time.process_time() - begun
        begun = time.perf_counter()
        compile_c(code, library)
        compiled = time.perf_counter() - begun
    lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in kernel_files())
    print(
        f"\nBuilding the kernels: {lines:,} lines of Python into C in {translated:.1f} s, compiled in {compiled:.1f} s"
    )
    print(f"  the library has {LIBRARY.stat().st_size / 1e3:,.0f} kB")


def _timed(case: str, rows: int, imports: bool) -> dict[str, Any]:
    begun = time.perf_counter()
    command = [sys.executable, *(["-X", "importtime"] if imports else []), __file__, case, str(rows)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{case} failed:\n{done.stderr}")
    loaded = re.findall(r"import time:\s+\d+ \|\s+(\d+) \| (\w[\w.]*)$", done.stderr, flags=re.MULTILINE)
    slowest = sorted(((name, int(time) / 1e6) for time, name in loaded), key=lambda item: -item[1])[:LISTED]
    return {**json.loads(done.stdout.splitlines()[-1]), "wall": time.perf_counter() - begun, "imports": slowest}


def worker(case: str, rows: int) -> None:
    """One search and its best release; prints the CPU seconds of the whole process."""
    import fairveil as fv
    from fairveil.cli.lean import load_arrays

    load_arrays()
    adult = fv.datasets.adult()
    table = adult.table.take(range(0, adult.table.rows, max(adult.table.rows // rows, 1)))
    kind, _, extra = case.partition(" + ")
    guards: list[Any] = [fv.KAnonymity(5, suppression=0.02)]
    if extra:
        guards.append(fv.AlphaProtection(1.2, "slift", 0.05, 3))
    public = {"public": {"income": [">50K", "<=50K"]}} if kind == "noisy-table" else {}
    found = fv.search(table, adult.schema, guards=guards, method=fv.methods.from_dict({"kind": kind, **public}))
    assert found.best("loss").table.rows
    print(json.dumps({"cpu": time.process_time()}))


if __name__ == "__main__":
    worker(sys.argv[1], int(sys.argv[2]))
