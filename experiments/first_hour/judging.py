"""Would an expert accept this release? Plain checks of the published file against its source and the expert's roles.

- every sensitive column is guarded, and at most half of the cells are hidden (`*`, or in a row that is left out)
- no column that names people, none that the expert would leave out, and no value that looks like an e-mail address, a
  phone number or a sentence
- k as promised, counted with pandas
- no more rows left out than the plan allows
- nothing false: every row shows labels that cover its own values, so `truthful` is 1 (checked by the page)
- no column at its top that need not be: one level lower, some guard must break
"""

from __future__ import annotations

import json
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pandas as pd

from experiments.first_hour.expert import Expected
from fairveil.data.table import Table
from fairveil.recipes import from_dict as recipe_from_dict

NAMING = re.compile(r"[^@\s]+@[^@\s]+\.\w{2,}|\+\d[\d ()/-]{6,}\d|(\S+ ){6,}\S+")
"""E-mail addresses, phone numbers, sentences."""


MAX_HIDDEN = 0.5


def complaints(folder: Path, source: Path, wanted: Expected) -> list[str]:
    """What an expert would not accept."""
    release = folder / "release"
    published = pd.read_csv(release / "data.csv", dtype=str, keep_default_na=False)
    evidence = json.loads((release / "evidence.json").read_text())
    content = json.loads((release / "recipe.json").read_text())
    quasi = content["schema"]["quasi"]
    guard = next(guard for guard in evidence["guards"] if guard["kind"] == "k-anonymity")
    found = [f"{name} is published" for name in published for key, names in wanted.items()
             if key.strip() == "left out" and any(fnmatchcase(name, pattern) for pattern in names)]  # fmt: skip
    guarded = {name for guard in evidence["guards"] for name in guard.get("sensitive") or ()}
    found += [f"{name} is not guarded" for name in content["schema"].get("sensitive", ()) if name not in guarded]
    if (share := hidden(folder)) > MAX_HIDDEN:
        found.append(f"{share:.0%} of the cells are hidden")
    found += [
        f"{name} shows {value!r}"
        for name in published
        for value in published[name].unique()[:5000]
        if any(map(NAMING.fullmatch, value.split(" or ")))  # joined labels
    ][:3]
    if published.groupby(quasi, sort=False).size().min() < guard["k"]:
        found.append(f"a class has fewer than {guard['k']} rows")
    rows = evidence["rows"]["source"]
    if len(published) < (1 - guard["suppression"]) * rows:
        found.append(f"{rows - len(published)} of {rows} rows are left out")
    return found + _needlessly_at_top(content, published, source, guard, evidence["guards"])


def hidden(folder: Path) -> float:
    """The share of the cells of all published columns that show nothing: `*`, or in a row that is left out."""
    release = folder / "release"
    published = pd.read_csv(release / "data.csv", dtype=str, keep_default_na=False)
    rows = json.loads((release / "evidence.json").read_text())["rows"]["source"]
    return 1 - float((published != "*").to_numpy().sum()) / float(rows * published.shape[1])


def _farthest(values: pd.Series, everybody: pd.Series) -> float:
    """How far the shares of some values are from those of everybody."""
    shares = values.value_counts(normalize=True).sub(everybody.value_counts(normalize=True), fill_value=0)
    return float(shares.abs().sum() / 2)


def _broken(shown: pd.DataFrame, keys: list[str], k: int, guards: Any) -> pd.Series:
    """Which rows are in a class that breaks k, ℓ or t."""
    classes = shown.groupby(keys, sort=False)
    breaks = classes.size() < k
    for guard in guards:
        if guard["kind"] == "distinct-diversity":
            breaks |= classes[guard["sensitive"][0]].nunique() < guard["l"]
        elif guard["kind"] == "t-closeness":
            breaks |= classes[guard["sensitive"][0]].agg(_farthest, shown[guard["sensitive"][0]]) > guard["t"]
    return pd.Series(breaks.reindex(pd.MultiIndex.from_frame(shown[keys])).to_numpy(bool), shown.index)


def _needlessly_at_top(content: Any, published: pd.DataFrame, source: Path, guard: Any, guards: Any) -> list[str]:
    """Columns that show one label only, though one level lower every class would still keep k, ℓ and t."""
    recipe = recipe_from_dict(content)
    whole = [name for name in content["schema"]["quasi"] if published[name].nunique() == 1]
    if not whole:
        return []
    table = Table.of(Table.read(source, **recipe.schema.read.options), recipe.schema.read)
    frame = pd.DataFrame(recipe.outcome(table, unknown="suppress").table.to_frame("pandas"))
    shown = frame.astype(str).where(frame.notna() | ~frame.columns.isin(content["schema"]["sensitive"]))
    if len(shown) != table.rows:
        return []
    found = []
    for name in whole:
        column = table.column(name)
        levels = recipe.schema.hierarchy(name).bind(column.domain, name)
        lower = levels.codes[levels.height - 1][column.codes]
        if len(set(lower.tolist())) < 2:
            continue  # nothing is hidden
        left, keys = shown.assign(lower=lower), [*content["schema"]["quasi"], "lower"]
        while (broken := _broken(left, keys, guard["k"], guards)).any() and not broken.all():
            left = left[~broken]  # until those who are left keep everything
        classes = len(left[keys].drop_duplicates())
        if table.rows - len(left) <= guard["suppression"] * table.rows and classes > 1 and not broken.any():
            found.append(f"{name} is at its top and need not be")
    return found
