"""python -m benchmarks key_sets [--against REVISION] [--only WORDS]: all generalizations that keep guards on key sets.

Adult with nine columns (12,960 nodes): all sets of three columns, alone and with records left out, by persons, and with
guards of sensitive values; and a wide file of thirty columns, where the best are searched for 20 seconds, and the time
is that of a thousand generalizations. Each case is timed in CPU seconds of one thread, alone and with the loss of every
candidate, in a process of its own; the older version in turns with this one, if a revision is named (`before.py`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.before import HERE, given, older

LIMIT = 600
"""Seconds after which a case is given up."""
WIDE = 30


def cases() -> dict[str, Any]:
    """The guards and the kind of data of each case."""
    import fairveil as fv

    three = fv.KAnonymity(5, subsets=3)
    few = fv.KAnonymity(5, subsets=3, suppression=0.01)
    one = fv.KAnonymity(2, keys=["sex"], suppression=0.01)
    offices = fv.KAnonymity(2, subsets={3: 20, 2: 40}, suppression=0.01)
    return {
        "k=5 on all threes": ("adult", [three]),
        "k=5 on all threes, 1 % left out": ("adult", [few]),
        "k=20 on threes, 40 on pairs, 1 % left out": ("adult", [offices]),
        "k=5 on all threes, by persons": ("persons", [three]),
        "k=5 on all threes, by persons, 1 % left out": ("persons", [few]),
        "distinct ℓ=3 on all threes": ("sensitive", [fv.DistinctDiversity(3, subsets=3)]),
        "entropy ℓ=2 on all threes": ("sensitive", [fv.EntropyDiversity(2, subsets=3)]),
        "t=0.4 on all threes": ("sensitive", [fv.TCloseness(0.4, subsets=3)]),
        "distinct ℓ=3 on all threes, 1 % left out": ("sensitive", [fv.DistinctDiversity(3, subsets=3), one]),
        "t=0.4 on all threes, 1 % left out": ("sensitive", [fv.TCloseness(0.4, subsets=3), one]),
        "wide: k=5 on all threes, 1 % left out": ("wide", [few]),
    }


def data(kind: str) -> tuple[Any, Any]:
    """The table and its schema."""
    import numpy as np
    import pyarrow as pa

    import fairveil as fv
    from benchmarks.nine import load

    if kind == "wide":
        rng = np.random.default_rng(0)
        like = rng.normal(size=(5_000, 1))
        columns = {
            f"q{n}": np.clip(like[:, 0] + rng.normal(size=5_000), -2, 2).round().astype(int) for n in range(WIDE)
        }
        import pyarrow as pa

        rule = fv.hierarchy.intervals([-3, 3], widths=(2,))
        return pa.table(columns), fv.Schema(quasi=list(columns), hierarchies=dict.fromkeys(columns, rule))
    table, schema = load()
    names = list(schema.quasi)
    if kind == "adult":
        return table, schema
    if kind == "sensitive":
        quasi = [name for name in names if name != "occupation"]
        rules = {name: rule for name, rule in schema.hierarchies.items() if name != "occupation"}
        return table, fv.Schema(quasi=quasi, sensitive=["occupation"], hierarchies=rules)
    who = np.random.default_rng(0).integers(0, table.rows // 2, table.rows)
    return (
        table.to_arrow().append_column("who", [who]),
        fv.Schema(quasi=names, person="who", hierarchies=schema.hierarchies),
    )


def worker(name: str) -> None:
    import fairveil as fv

    kind, guards = cases()[name]
    table, schema = data(kind)
    method: Any = fv.BestFirst(time_limit=20) if kind == "wide" else fv.Incognito()
    began = time.process_time()
    found = fv.search(table, schema, guards=guards, method=method)
    seconds, losses = time.process_time() - began, found.values("loss")
    whole = time.process_time() - began
    if kind == "wide":
        [looked] = [note for note in found.release(0).private if "examined" in note]
        seconds /= int(looked.split("; ")[1].split()[0].replace(",", "")) / 1000
        print(json.dumps([0, 0.0, seconds, seconds]))
    else:
        print(json.dumps([len(losses), float(min(losses)), seconds, whole]))


def timed(checkout: Path, name: str) -> list[Any] | None:
    """What a process of that checkout printed; None if it took too long."""
    path = os.pathsep.join([str(checkout / "src"), str(HERE)])
    environment = {**os.environ, "PYTHONPATH": path, "FAIRVEIL_THREADS": "1"}
    call = [sys.executable, "-m", "benchmarks.key_sets", "worker", name]
    try:
        done = subprocess.run(call, check=True, capture_output=True, text=True, env=environment, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    answer: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def main() -> None:
    named = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
    print("\nkey sets: candidates, CPU seconds of the search, and with the loss of every candidate")
    with older(given()) as checkout:
        for name in (name for name in cases() if named in name):
            sides = {"before": checkout, "after": HERE} if checkout else {"now": HERE}
            answers = {side: timed(place, name) for side, place in sides.items()}
            times = [f"{side} more than {LIMIT} s" if answer is None else f"{side} {answer[2]:.2f} s, {answer[3]:.2f} s"
                     for side, answer in answers.items()]  # fmt: skip
            found = [answer[:2] for answer in answers.values() if answer]
            number = f"{found[-1][0]:,} candidates, least loss {found[-1][1]:.4f}; " if any(map(any, found)) else ""
            differ = "; THEY DIFFER" if any(other != found[0] for other in found) else ""
            print(f"  {name:<48} {number}{'; '.join(times)}{differ}", flush=True)


if __name__ == "__main__":
    worker(sys.argv[2])
