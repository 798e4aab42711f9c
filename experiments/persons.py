"""How much more of a file with several rows per person is kept, if persons are counted: python -m experiments.persons

For the files of the first hour in which people have several rows. `rows` is the way without a person column: the k that
`fairveil init` proposes for a file of this size, times the most rows of a person, which belong to at least k people.
`persons` counts people, and k is 5, however small the file. Both once with every column
quasi and k alone. The last line is the plan of `fairveil init`, unedited but for k: columns that nobody can look up are
not made coarser there, but guarded by ℓ-diversity. The line before has the same columns and k alone, so that it shows
what ℓ-diversity costs.

`bits kept` is the share of the information of all published columns that the release keeps: the mutual information of
each column and its published form, over its entropy. `times` compares it with that of `rows`. `entropy` is the measure
of that name, over quasi columns alone.
`ceiling` is the most that classes of k people could keep if columns were independent: log2 of the number of classes
that fit, over the sum of the columns' entropies.

With `--columns`: the bits of each column that the plan of `fairveil init` keeps.
"""

from __future__ import annotations

import argparse
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
from fairveil.guards.guard import Guard
from fairveil.run.plan import Plan

K, FILES_OF_PERSONS = 5, ("wisconsin", "hospital-stays", "malades")


def bits_kept(original: pd.DataFrame, published: pd.DataFrame) -> float:
    """The share of the columns' entropies that their published forms keep."""
    columns = [_bits(original[name], published[name]) for name in published]
    return sum(kept for _, kept in columns) / sum(entropy for entropy, _ in columns)


def _bits(original: pd.Series, published: pd.Series) -> tuple[float, float]:
    """The entropy of a column, and the bits of it that its published form keeps."""
    values, labels = pd.factorize(original)[0], pd.factorize(published)[0]
    entropy = _entropy(values)
    return entropy, entropy + _entropy(labels) - _entropy(values.astype(np.int64) * (labels.max() + 2) + labels)


def _entropy(codes: np.ndarray) -> float:
    shares = np.unique(codes, return_counts=True)[1] / len(codes)
    return float(-(shares * np.log2(shares)).sum())


def _first_plan(data: Path, plan: Path, options: Sequence[str]) -> Plan:
    """The plan that `fairveil init` writes."""
    call = [sys.executable, "-m", "fairveil", "init", str(data), "--out", str(plan), *options]
    subprocess.run(call, check=True, capture_output=True)
    return Plan.read(plan)


def lines(name: str, folder: Path, *, by_column: bool = False) -> Iterator[list[str]]:
    """The lines of the table for a file; `by_column` those of each column of the plan of `init`."""
    places = next(file for file in FILES if file.name == name).put(folder)
    if places is None:
        return
    request, usual = (_first_plan(places[0], folder / f"{name}{len(k)}.toml", k) for k in (["--k", str(K)], []))
    usual_k = max(guard.least_rows for guard in usual.guards)
    schema = request.schema
    assert schema is not None and schema.person is not None
    table = Table.read(places[0], dialect=request.source.dialect)
    frame = pd.DataFrame(table.to_frame("pandas")).astype(str)
    if by_column:
        original, published, _ = _released(table, frame, schema, list(request.guards))
        for column in published:
            entropy, kept = _bits(original[column], published[column])
            role = "quasi" if column in schema.quasi else "sensitive" if column in schema.sensitive else "other"
            yield [name, column, role, f"{entropy:.1f}", f"{kept:.1f}"]
        return
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
    by_rows = 0.0
    for counted, asked, guards in runs:
        original, published, hidden = _released(table, frame, asked, guards)
        whole = sum(_entropy(pd.factorize(original[column])[0]) for column in asked.quasi)
        ceiling = np.log2(original[schema.person].nunique() / K) / whole
        kept = bits_kept(original, published)
        by_rows = by_rows or kept
        yield [
            name, counted, str(len(asked.quasi)), str(usual_k * most if counted == "rows" else K),
            f"{hidden:.3f}", f"{max(1 - ceiling, 0):.3f}", f"{kept:.1%}", f"{kept / by_rows:.2f}",
            f"{published.groupby(list(asked.quasi)).ngroups:,}",
        ]  # fmt: skip


def _released(
    table: Table, frame: pd.DataFrame, asked: fv.Schema, guards: Sequence[Guard]
) -> tuple[pd.DataFrame, pd.DataFrame, float]:
    """The source rows behind a release, what it publishes of them, and its measure `entropy`."""
    release = fv.search(table, asked, guards=guards, method=fv.Mondrian(), measures=["entropy"]).best("entropy")
    published = pd.DataFrame(release.table.to_frame("pandas"))[list(asked.published)].astype(str)
    return frame.iloc[release.source_rows].reset_index(drop=True), published, release.measures["entropy"]


HEAD = ("file", "counts", "quasi columns", "k", "entropy", "least, if independent", "bits kept", "times", "classes")
HEAD_BY_COLUMN = ("file", "column", "role", "bits", "bits kept")


def as_markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown."""
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *rows])


if __name__ == "__main__":
    options = argparse.ArgumentParser(prog="python -m experiments.persons")
    options.add_argument("--columns", action="store_true", help="the bits of each column of the plan of init")
    by_column = options.parse_args().columns
    with tempfile.TemporaryDirectory() as home:
        table = [line for name in FILES_OF_PERSONS for line in lines(name, Path(home), by_column=by_column)]
        print(as_markdown(HEAD_BY_COLUMN if by_column else HEAD, table))
