"""Caruccio et al., Section 6: rules of three data sets, what joining adds, what the frontier leaves, and baselines.

The data and the authors' taxonomies are read from the folder FAIRVEIL_DATA; where they are not, bundled Adult and Bank
stand in for them, and the sheets say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from experiments import Sheet, not_bundled
from experiments.papers import read
from experiments.rollup import against, frontier, not_anonymized, plots, restated, sheets
from experiments.rollup.runs import (
    BUNDLED,
    DECISIONS,
    SHARES,
    Data,
    Kept,
    data_folder,
    measured,
    of_authors,
    rules_of,
    stand_in,
)
from experiments.study import Study
from fairveil.choice.pareto import pareto
from fairveil.data.table import Table
from fairveil.datasets.dataset import data_file

TITLE = "Rules read off roll-up dependencies on Electricity, Adult and Bank (Caruccio et al., Figures 4 to A.36)"

FILES = ("electricity.csv.gz", "adult.csv.gz", "bank.csv.gz", *(f"taxonomies/Tax{n.capitalize()}" for n in DECISIONS))
PLACES = {"electricity": 0, "adult": 1, "bank": 2}
"""Of a data set among the figures of one kind."""


def run(study: Study) -> Iterator[Sheet]:
    """A data set after the other: rules, what joining adds, what levels leave, the frontier; then what explains where
    the paper's numbers differ; then the other methods, which take longest."""
    yield example()
    yield table_6()
    folder = None if study.size == "tiny" else data_folder()
    if folder is None:
        yield absent()
    results: dict[str, dict[float, Kept]] = {}
    read_data: dict[str, Data] = {}
    plain: dict[str, dict[str, float]] = {}
    names = tuple(DECISIONS) if folder is not None else study.pick(tiny=BUNDLED[:1], quick=BUNDLED, full=BUNDLED)
    most = study.pick(tiny=200, quick=400, full=5_000)
    for place, name in enumerate(names):
        study.tell(0.15 * place, f"{name}: rules")
        data = take(study, folder, name)
        read_data[data.name] = data
        plain[data.name] = against.plain(study, data, most)
        results[data.name] = {
            share: measured(study, data.task, data.name, share, most)
            for share in study.pick(tiny=(0.05,), quick=(0.05, 0.5), full=SHARES)
        }
        yield from of_one(study, data, results, plain[data.name])
    if folder is not None:
        yield table_7(list(read_data.values()))
        yield from explained(study, read_data, results, plain, folder)
    for place, data in enumerate(read_data.values()):
        study.tell(0.6 + 0.4 * place / len(read_data), f"{data.label}: other methods")
        # small groups take Top-Down Greedy and the trees longest
        reached = [
            level for level in results[data.name][0.05]["level"] if level >= study.pick(tiny=2, quick=20, full=2)
        ]
        levels = against.some_levels(reached, study.pick(tiny=1, quick=3, full=8))
        rows = against.compared(study, data, results[data.name][0.05], levels, most)
        plots.against(study.out, data.slug, rows, plain[data.name])
        shown = figures(data, "Figure 19", "Figure A.34", "Figure 22")
        yield from against.sheets(data, rows, plain[data.name], shown, most)
        some = against.some_levels(
            [level for level in levels if level >= study.pick(tiny=2, quick=LEAST_RESTATED, full=LEAST_RESTATED)],
            study.pick(tiny=1, quick=2, full=3),
        )
        yield restated.sheet(study, data, results[data.name][0.05], some)


LEAST_RESTATED = 20
"""The programs' many small groups at low levels take longest."""


def take(study: Study, folder: Path | None, name: str) -> Data:
    """Bank's pairs take longest to count, as it has the most columns: the quick form draws rows of it."""
    if folder is not None:
        return of_authors(folder, name, study.seed, study.pick(tiny=None, quick=QUICK_ROWS.get(name), full=None))
    return stand_in(name, study.seed, study.pick(tiny=1_000, quick=QUICK_ROWS.get(name), full=None))


QUICK_ROWS = {"bank": 10_000}


def of_one(study: Study, data: Data, results: dict[str, dict[float, Kept]], plain: dict[str, float]) -> Iterator[Sheet]:
    by_share = results[data.name]
    names = {kind: f"{data.slug}-{kind}.png" for kind in ("joined", "tradeoff", "rules", "frontier", "against")}
    plots.joined(study.out, data.slug, by_share)
    yield sheets.joining(data, by_share, plain, results, names["joined"])
    plots.tradeoff(study.out, data.slug, by_share, plain)
    shown = figures(data, "Figure 13", "Figure A.31", "Figure 16")
    yield sheets.tradeoff(data, by_share, plain, shown, names["tradeoff"])
    plots.counts(study.out, data.slug, by_share)
    plots.frontier(study.out, data.slug, by_share)
    shown = figures(data, "Figure 25", "Figure 28")
    yield frontier.sheet(data, by_share, shown, [names["rules"], names["frontier"]])


def figures(data: Data, *electricity: str) -> list[str]:
    """The figures of a data set: each is so many places behind that of Electricity."""
    found = []
    for name in electricity:
        head, number = name[: len(name.rstrip("0123456789"))], int(name[len(name.rstrip("0123456789")) :])
        found.append(f"{head}{number + PLACES.get(data.name, 0)}")
    return found


def explained(
    study: Study,
    read_data: dict[str, Data],
    results: dict[str, dict[float, Kept]],
    plain: dict[str, dict[str, float]],
    folder: Path,
) -> Iterator[Sheet]:
    """Readings of what the text leaves open, each beside what the paper prints."""
    counted = {name: rules_of(study, data.task, name) for name, data in read_data.items() if data.whole}
    yield sheets.levels_sheet(counted, list(FILES))
    whole = {name: results[name] for name, data in read_data.items() if data.whole}
    yield frontier.readings_sheet(whole)
    study.tell(0.5, "not anonymized")
    some = read_data if study.full else {name: read_data[name] for name in not_anonymized.FIGURES}
    tried = {name: not_anonymized.tried(study, data, folder, plain[name]["svm"]) for name, data in some.items()}
    fits = {name: partial(sheets.losses, data, results[name]) for name, data in some.items()}
    yield not_anonymized.sheet(study, tried, fits)


def example() -> Sheet:
    """Example 7: which of the rules that Table 5 prints are on the frontier. It needs no data."""
    printed = next(sheet for sheet in read("rollup").printed if sheet.name == "Table 5").numbers
    rules = list(dict.fromkeys(key.split(":")[0] for key in printed))
    points = np.array([[printed[f"{rule}: {what}"] for what in ("k", "accuracy", "gain")] for rule in rules])
    best = pareto(-points)
    rows = [
        [rule, *map(float, point), "yes" if on else ""] for rule, point, on in zip(rules, points, best, strict=True)
    ]
    found = [rule for rule, on in zip(rules, best, strict=True) if on]
    return Sheet(
        "Figure 3: the frontier of the rules of Example 6", ["rule", "k", "accuracy", "gain", "frontier"],
        rows, ["The rules' values are those of the paper's Table 5; the frontier is ours."], of=["Figure 3"],
        holds={"r2, r4 and r10": found == ["r2", "r4", "r10"]},
    )  # fmt: skip


def table_6() -> Sheet:
    """Of the data that is here, rows with missing values counted."""
    paths = {name: not_bundled(f"{name}.csv.gz") for name in DECISIONS} | {"adult": data_file("adult")}
    rows: list[list[object]] = []
    ours: dict[str, float] = {}
    for name, path in paths.items():
        if path is not None:
            table = Table.read(path).drop(["split"])
            rows.append([name.capitalize(), table.rows, len(table.names) - 1])
            ours |= {f"{name.capitalize()}: rows": table.rows, f"{name.capitalize()}: attributes": len(table.names) - 1}
    notes = ["The decision is not counted as an attribute."]
    if paths["electricity"] is None:
        notes.append("Electricity may not be bundled, and is not here.")
    return Sheet("Table 6: the data sets", ["data", "rows", "attributes"], rows, notes, of=["Table 6"], ours=ours)


def table_7(read_data: Sequence[Data]) -> Sheet:
    """The authors' taxonomies as they are read."""
    rows, ours = [], {}
    for data in read_data:
        table = data.task.table
        for name, levels in data.task.levels.items():
            values = len(table.column(name).values)
            rows.append([data.label, name, values, levels.height + 1])
            ours[f"{data.label}, {name}: levels"] = levels.height + 1
            if data.whole:
                ours[f"{data.label}, {name}: values"] = values
    return Sheet(
        "Table 7: the authors' taxonomies", ["data", "attribute", "values", "levels"], rows,
        ["values: distinct values in the rows that are used"], of=["Table 7"], ours=ours, not_bundled=FILES,
    )  # fmt: skip


def absent() -> Sheet:
    rows = [[name, "yes" if not_bundled(name) else "no"] for name in FILES]
    return Sheet(
        "The authors' files", ["file", "here"], rows,
        ["The authors' taxonomies and Electricity may not be bundled. Put them, with adult.csv.gz and bank.csv.gz, "
         "into the folder that FAIRVEIL_DATA names. What follows is bundled Adult under our own hierarchies, and "
         "bundled Bank, without its columns about other calls, under hierarchies made as the paper makes its own: it "
         "tells how the method behaves, not whether the paper's numbers come out."],
        not_bundled=FILES,
    )  # fmt: skip
