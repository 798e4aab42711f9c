"""`python -m tests.soak`: many random releases, on all cores; prints what it does, exits 1 if anything was wrong."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter

from tests.soak.trial import trial


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--releases", type=int, default=10_000, help="how many releases to make")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; every trial has the next one")
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--faults", type=int, default=20, help="stop after this many")
    chosen = parser.parse_args()
    seen, faults, began, told = Counter[str](), 0, time.monotonic(), time.monotonic()
    with multiprocessing.get_context("spawn").Pool(chosen.processes) as pool:
        for number, result in enumerate(pool.imap_unordered(trial, _seeds(chosen.seed), chunksize=8), start=1):
            seen[result.what] += 1
            if result.faults:
                faults += 1
                print(f"FAULT {result.case}\n  " + "\n  ".join(result.faults), flush=True)
            if seen["released"] >= chosen.releases or faults >= chosen.faults:
                break
            if time.monotonic() - told > 30:
                told = time.monotonic()
                print(f"{number:,} tried in {told - began:.0f} s: {_headline(seen)}, {faults} faults", flush=True)
        pool.terminate()
    print(f"{sum(seen.values()):,} tried in {time.monotonic() - began:.0f} s: {_headline(seen)}, {faults} faults")
    return int(faults > 0)


def _seeds(first: int):
    while True:
        yield first
        first += 1


def _headline(seen: Counter[str]) -> str:
    return ", ".join(f"{seen[what]:,} {what}" for what in ("released", "infeasible", "refused"))


if __name__ == "__main__":
    sys.exit(main())
