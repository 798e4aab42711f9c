"""The first answer of every method in an installation that has compiled nothing yet, and where the time goes.

Each method publishes a sample of Adult in a fresh process: with an empty cache of compiled functions, then with
the cache that this left. Seconds of CPU, which other work on the machine disturbs least, and on the wall.
Options: names of methods, `--kernels` to list what was compiled for each, `--sample ROWS`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

LISTED = 12
"""Kernels shown per method with `--kernels`, the most expensive first."""


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks first")
    options.add_argument("--method", action="append", help="only this one; may be given several times")
    options.add_argument("--kernels", action="store_true", help="list what is compiled")
    options.add_argument("--sample", type=int, default=3000, help="rows of Adult")
    given = options.parse_args()
    from fairveil.methods import METHODS

    print(f"\nFirst answer on {given.sample:,} rows of Adult: CPU seconds (and on the wall), fresh process each")
    print(f"  {'method':<24} {'nothing compiled':>18} {'all compiled':>16} {'ratio':>6} {'kernels':>8}")
    for case in [*(method.kind for method in METHODS), "incognito + α-protection"]:
        if given.method and case not in given.method:
            continue
        with tempfile.TemporaryDirectory() as cache:
            cold, warm = (_timed(case, given.sample, cache) for _ in "xx")
        print(
            f"  {case:<24} {cold['cpu']:9.2f} ({cold['wall']:5.2f}) {warm['cpu']:8.2f} ({warm['wall']:4.2f})"
            f" {cold['cpu'] / warm['cpu']:6.2f} {len(cold['kernels']):8}",
            flush=True,
        )
        if given.kernels:
            for name, seconds in sorted(cold["kernels"].items(), key=lambda item: -item[1])[:LISTED]:
                print(f"      {name:<36} {seconds:6.2f}")


def _timed(case: str, rows: int, cache: str) -> dict[str, Any]:
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, __file__, case, str(rows)], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{case} failed:\n{done.stderr}")
    return {**json.loads(done.stdout.splitlines()[-1]), "wall": time.perf_counter() - begun}


def worker(case: str, rows: int) -> None:
    """One search and its best release; prints the CPU seconds of the whole process, and of each kernel alone."""
    import fairveil as fv
    from fairveil.cli.lean import leave_out_what_is_not_needed

    leave_out_what_is_not_needed()
    from numba.core import event

    own: dict[str, float] = {}
    open_since: list[list[Any]] = []

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            open_since.append([time.process_time(), 0.0])

        def on_end(self, event: Any) -> None:
            start, inside = open_since.pop()
            spent = time.process_time() - start
            if open_since:
                open_since[-1][1] += spent
            name = event.data["dispatcher"].py_func.__qualname__
            own[name] = own.get(name, 0.0) + spent - inside

    adult = fv.datasets.adult()
    table = adult.table.take(range(0, adult.table.rows, max(adult.table.rows // rows, 1)))
    kind, _, extra = case.partition(" + ")
    guards: list[Any] = [fv.KAnonymity(5, suppression=0.02)]
    if extra:
        guards.append(fv.AlphaProtection(1.2, "slift", 0.05, 3))
    with event.install_listener("numba:compile", Listener()):
        found = fv.search(table, adult.schema, guards=guards, method=fv.methods.from_dict({"kind": kind}))
        assert found.best("loss").table.rows
    print(json.dumps({"cpu": time.process_time(), "kernels": own}))


if __name__ == "__main__":
    worker(sys.argv[1], int(sys.argv[2]))
