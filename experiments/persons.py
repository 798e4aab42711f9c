"""How much more of a file with several rows per person is kept, if persons are counted: python -m experiments.persons

For the files of the first hour in which people have several rows. `rows` is the way without a person column: the k that
`fairveil init` proposes for a file of this size, times the most rows of a person, which belong to at least k people.
`persons` counts people, and k is 5, however small the file. Both once with every column
quasi and k alone. The last line is the plan of `fairveil init`, unedited but for k: columns that nobody can look up are
not made coarser there, but guarded by ℓ-diversity. The line before has the same columns and k alone, so that it shows
what ℓ-diversity costs.

`bits kept` is the share of the information of all published columns that the release keeps: the mutual information of
each column and its published form, over its entropy. `entropy` is the measure of that name, over quasi columns alone.
`ceiling` is the most that classes of k people could keep if columns were independent: log2 of the number of classes
that fit, over the sum of the columns' entropies.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

import fairveil as fv
from experiments.first_hour.files import FILES
from fairveil.data.table import Table
from fairveil.run.plan import Plan

K, FILES_OF_PERSONS = 5, ("wisconsin", "hospital-stays")


def bits_kept(original: pd.DataFrame, published: pd.DataFrame) -> float:
    """The share of the columns' entropies that their published forms keep."""
    kept = whole = 0.0
    for name in published:
        values, labels = pd.factorize(original[name])[0], pd.factorize(published[name])[0]
        entropy = _entropy(values)
        whole += entropy
        kept += entropy + _entropy(labels) - _entropy(values.astype(np.int64) * (labels.max() + 2) + labels)
    return kept / whole


def _entropy(codes: np.ndarray) -> float:
    shares = np.unique(codes, return_counts=True)[1] / len(codes)
    return float(-(shares * np.log2(shares)).sum())


def _first_plan(data: Path, plan: Path, options: Sequence[str]) -> Plan:
    """The plan that `fairveil init` writes."""
    call = [sys.executable, "-m", "fairveil", "init", str(data), "--out", str(plan), *options]
    subprocess.run(call, check=True, capture_output=True)
    return Plan.read(plan)


def lines(name: str, folder: Path) -> Iterator[list[str]]:
    """The lines of the table for a file."""
    places = next(file for file in FILES if file.name == name).put(folder)
    if places is None:
        return
    request, usual = (_first_plan(places[0], folder / f"{name}{len(k)}.toml", k) for k in (["--k", str(K)], []))
    usual_k = max(guard.least_rows for guard in usual.guards)
    schema = request.schema
    assert schema is not None and schema.person is not None
    table = Table.read(places[0], missing_values=["NULL", "?"])
    frame = pd.DataFrame(table.to_frame("pandas")).astype(str)
    most = int(frame[schema.person].value_counts().max())
    decision = [schema.decision] if schema.decision else []
    known = [column for column in schema.published if column not in decision]
    every = replace(schema, quasi=known, sensitive=(), protected=(), plain=(), levels={})
    unlinked = replace(every, person=None, drop=[*schema.drop, schema.person])
    alone = fv.KAnonymity(K, suppression=0.02)
    runs = (
        ("rows", unlinked, [fv.KAnonymity(usual_k * most, suppression=0.02)]),
        ("persons", every, [alone]),
        ("persons, the columns of init's plan", schema, [alone]),
        ("persons, the plan of init", schema, list(request.guards)),
    )
    for counted, asked, guards in runs:
        release = fv.search(table, asked, guards=guards, method=fv.Mondrian(), measures=["entropy"]).best("entropy")
        shown = pd.DataFrame(release.table.to_frame("pandas"))[list(asked.published)].astype(str)
        original = frame.iloc[release.source_rows].reset_index(drop=True)
        whole = sum(_entropy(pd.factorize(original[column])[0]) for column in asked.quasi)
        ceiling = np.log2(original[schema.person].nunique() / K) / whole
        yield [
            name, counted, str(len(asked.quasi)), str(usual_k * most if counted == "rows" else K),
            f"{release.measures['entropy']:.3f}", f"{max(1 - ceiling, 0):.3f}", f"{bits_kept(original, shown):.0%}",
            f"{shown.groupby(list(asked.quasi)).ngroups:,}",
        ]  # fmt: skip


def as_markdown(rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown."""
    head = ["file", "counts", "quasi columns", "k", "entropy", "least, if independent", "bits kept", "classes"]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *rows])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        print(as_markdown([line for name in FILES_OF_PERSONS for line in lines(name, Path(home))]))
