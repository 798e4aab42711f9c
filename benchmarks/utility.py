"""What `utility` takes on a hospital file: 50,000 rows with dates, postcodes and 5,000 diagnosis codes."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pyarrow as pa

import fairveil as fv
from benchmarks.memory import peak

ROWS, CODES = 50_000, 5_000


def measure() -> None:
    rng = np.random.default_rng(1)
    days = [pa.array(rng.integers(0, most, ROWS), pa.int32()).cast(pa.date32()) for most in (30_000, 1_400)]
    sex = rng.choice(["f", "m"], ROWS)
    frame = pa.table({
        "born": days[0], "admitted": days[1], "zip": [f"{z:05d}" for z in rng.integers(10_000, 99_999, ROWS)],
        "sex": sex, "code": [f"c{c}" for c in np.minimum(rng.geometric(0.002, ROWS), CODES - 1)],
        "back": np.where(rng.random(ROWS) < np.where(sex == "f", 0.5, 0.2), "yes", "no"),
    })  # fmt: skip
    rules = {"born": fv.hierarchy.dates(), "admitted": fv.hierarchy.dates(), "zip": fv.hierarchy.mask(5)}
    schema = fv.Schema(
        quasi=["born", "admitted", "zip", "sex"], sensitive=["code"], decision="back", denied="yes", hierarchies=rules
    )
    release = fv.search(frame, schema, guards=[fv.KAnonymity(5, suppression=0.02)]).best("loss")
    began = time.monotonic()
    fv.utility(release, frame, 0.3)
    took = time.monotonic() - began
    print(f"utility of {ROWS:,} rows with {CODES:,} codes: {took:.1f} s, at most {peak():,.0f} MB")


def main() -> None:
    """In a process of its own, so that its memory is told from that of other benchmarks."""
    alone = [sys.executable, "-c", "from benchmarks.utility import measure; measure()"]
    print(subprocess.run(alone, stdout=subprocess.PIPE, text=True, check=True).stdout.strip())


if __name__ == "__main__":
    main()
