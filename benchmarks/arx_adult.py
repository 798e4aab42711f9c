"""Adult with the nine hierarchies that ARX ships: 12,960 nodes, all nine columns quasi. Needs FAIRVEIL_DATA."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import fairveil as fv
from experiments import not_bundled

NAMES = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "income")


def hierarchy_file(name: str) -> Path:
    return _hierarchies() / f"adult-{'salary-class' if name == 'income' else name}.csv"


def _hierarchies() -> Path:
    folder = not_bundled("hierarchies")
    if folder is None:
        raise SystemExit("this benchmark needs the hierarchies that ARX ships: name their folder in FAIRVEIL_DATA")
    return folder


def load() -> tuple[fv.Table, fv.Schema]:
    table = fv.Table.read(_hierarchies().parent / "adult.csv.gz", missing="drop", missing_values=["?"])
    split = table.column("split")
    train = table.take(np.flatnonzero(split.codes == split.code_of("train"))).select(NAMES).compact()
    return train, fv.Schema(
        quasi=NAMES, hierarchies={name: fv.hierarchy.read_csv(hierarchy_file(name)) for name in NAMES}
    )
