"""Adult with the nine hierarchies that ARX ships: 12,960 nodes, all nine columns quasi. Needs ../shared/data."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import fairveil as fv

SHARED = Path(__file__).parent.parent.parent / "shared" / "data"
NAMES = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "income")


def hierarchy_file(name: str) -> Path:
    return SHARED / "hierarchies" / f"adult-{'salary-class' if name == 'income' else name}.csv"


def load() -> tuple[fv.Table, fv.Schema]:
    if not SHARED.is_dir():
        raise SystemExit(f"this benchmark needs the hierarchies that ARX ships, in {SHARED}")
    table = fv.Table.read(SHARED / "adult.csv.gz", missing="drop", missing_values=["?"])
    split = table.column("split")
    train = table.take(np.flatnonzero(split.codes == split.code_of("train"))).select(NAMES).compact()
    return train, fv.Schema(
        quasi=NAMES, hierarchies={name: fv.hierarchy.read_csv(hierarchy_file(name)) for name in NAMES}
    )
