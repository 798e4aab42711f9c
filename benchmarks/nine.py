"""Adult with nine quasi columns in a lattice of 12,960 nodes: hierarchies of the same heights as those that ARX ships.

They are made of the bundled ones, so that this runs anywhere. Where FAIRVEIL_DATA names a folder that has ARX's own
(`hierarchies/adult-*.csv`), `load(arx=True)` takes those.
"""

from __future__ import annotations

import csv
from pathlib import Path

import fairveil as fv
from experiments import not_bundled

LEVELS = {
    "sex": (0, 1),
    "race": (0, 2),
    "marital-status": (0, 2, 3),
    "education": (0, 1, 2, 4),
    "native-country": (0, 2, 4),
    "workclass": (0, 2, 4),
    "occupation": (0, 1, 2),
}
"""Which levels of the bundled hierarchies are taken."""
NAMES = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "income")


def load(arx: bool = False) -> tuple[fv.Table, fv.Schema]:
    """The rows that people train on, complete ones only, and the schema."""
    table = fv.datasets.adult(columns="all").table.select(NAMES).compact()
    if arx:
        hierarchies = {name: fv.hierarchy.read_csv(path) for name, path in arx_files().items()}
    else:
        hierarchies = {name: fv.hierarchy.from_rows(rows) for name, rows in paths(table).items()}
    return table, fv.Schema(quasi=NAMES, hierarchies=hierarchies)


def paths(table: fv.Table) -> dict[str, list[tuple[str, ...]]]:
    """Of each column its values, each with what stands for it on every level."""
    bundled = fv.datasets.adult().schema.hierarchies
    rows = {
        name: [tuple(path[level] for level in LEVELS[name]) for path in bundled[name].rows if path[0] in known]
        for name in LEVELS
        for known in [{str(value) for value in table.column(name).domain}]
    }
    ages = sorted(int(value) for value in table.column("age").domain)
    rows["age"] = [(str(age), *(f"{age // w * w}-{age // w * w + w - 1}" for w in (5, 10, 20)), "*") for age in ages]
    rows["income"] = [(str(value), "*") for value in table.column("income").domain]
    return {name: rows[name] for name in NAMES}


def arx_files() -> dict[str, Path]:
    """The files of ARX's hierarchies by column; none where they are not here."""
    folder = not_bundled("hierarchies")
    if folder is None:
        return {}
    return {name: folder / f"adult-{'salary-class' if name == 'income' else name}.csv" for name in NAMES}


def write(folder: Path, table: fv.Table) -> dict[str, Path]:
    """Our hierarchies as the files that a plan names."""
    files = {}
    for name, rows in paths(table).items():
        files[name] = folder / f"{name}.csv"
        with files[name].open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=";").writerows(rows)
    return files
