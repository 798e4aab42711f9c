"""Whatever columns a file has: its first plan runs as it is, or `init` says in one sentence why there is none."""

from __future__ import annotations

from datetime import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fairveil.cli import run


def columns(rng: np.random.Generator, n: int) -> dict[str, Any]:
    """Columns of every kind, odd ones too."""
    moments = pd.to_datetime(rng.integers(0, 10**9, n), unit="s")
    return {
        "age": rng.integers(0, 100, n),
        "zip": [f"{code:05d}" for code in rng.integers(0, 99_999, n)],
        'a b=c#"d': rng.choice(["x", "y"], n),
        "name": rng.choice(["Al", "Bo", "Cy"], n),
        "born": moments.date,
        "ts": moments,
        "flag": rng.random(n) < 0.5,
        "big": rng.integers(0, 2**62, n),
        "frac": rng.normal(size=n).round(3),
        "tiny": rng.normal(size=n) * 1e-9,
        "empty": [None] * n,
        "const": ["c"] * n,
        "mostly": [None if share < 0.9 else "seen" for share in rng.random(n)],
        "id": np.arange(n),
        "patient_id": np.arange(n) // 2,
        "time": [time(int(hour), 0) for hour in rng.integers(0, 24, n)],
        "icd": [f"{rng.choice(list('ABC'))}{rng.integers(10, 99)}.{rng.integers(0, 9)}" for _ in range(n)],
        "class": rng.choice(["a", "b"], n),
        "salary": rng.integers(1000, 9000, n),
        "diagnosis": rng.choice(["d1", "d2", "d3"], n, p=[0.1, 0.2, 0.7]),
        "note": [f"the person of row {i} came in and went home" for i in range(n)],
        "long": ["z" * int(length) for length in rng.integers(1, 60, n)],
        "other": rng.choice(["other", "o2", "o3", "o4", "o5", "o6", "o7"], n),
        "inf": rng.choice([1.0, np.inf, 2.5, 3.0, 4, 5, 6, 7], n),
        "star": rng.choice(["*", "a", "b"], n),
        "NA": rng.choice(["NA", "1", "2", "3"], n),
        "code": rng.choice([11, 12, 40, 77, 81, 90, 95], n),
        "two": rng.choice([0, 1], n, p=[0.98, 0.02]),
        "money": [f"€{amount}" for amount in rng.integers(0, 1000, n)],
    }


@pytest.mark.parametrize("seed", range(8))
def test_the_plan_of_any_file_runs(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(seed)
    offered = columns(rng, 120)
    names = ["age", *rng.choice([name for name in offered if name != "age"], 5, replace=False)]
    frame = pd.DataFrame({name: offered[name] for name in names})
    file, plan = tmp_path / ("people.csv" if seed % 2 else "people.parquet"), tmp_path / "plan.toml"
    if seed % 2:
        frame.to_csv(file, index=False, sep=";")
    else:
        frame.to_parquet(file)
    assert run(["init", str(file), "--out", str(plan)]) == 0, names
    assert run(["release", str(plan), "--out", str(tmp_path / "release")]) == 0, names
    capsys.readouterr()
