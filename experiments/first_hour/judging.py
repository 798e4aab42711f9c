"""Would a careful owner accept this release? Plain checks of the published file against its source.

- no column that names people, and no value that looks like an e-mail address, a phone number or a sentence
- k as promised, counted with pandas
- no more rows left out than the plan allows
- nothing false: every row shows labels that cover its own values, so `truthful` is 1 (checked by the page)
- no column at its top that need not be: one level lower, some guard must break
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd

from fairveil.data.table import Table
from fairveil.recipes import from_dict as recipe_from_dict

NAMING = re.compile(r"[^@\s]+@[^@\s]+\.\w{2,}|\+\d[\d ()/-]{6,}\d|(\S+ ){6,}\S+")
"""E-mail addresses, phone numbers, sentences."""


def complaints(folder: Path, source: Path, naming: tuple[str, ...]) -> list[str]:
    """What a careful owner would not accept."""
    release = folder / "release"
    published = pd.read_csv(release / "data.csv", dtype=str, keep_default_na=False)
    evidence = json.loads((release / "evidence.json").read_text())
    content = json.loads((release / "recipe.json").read_text())
    quasi = content["schema"]["quasi"]
    guard = next(guard for guard in evidence["guards"] if guard["kind"] == "k-anonymity")
    found = [f"{name} is published" for name in naming if name in published]
    found += [
        f"{name} shows {value!r}"
        for name in published
        for value in published[name].unique()[:5000]
        if NAMING.fullmatch(value)
    ][:3]
    if published.groupby(quasi, sort=False).size().min() < guard["k"]:
        found.append(f"a class has fewer than {guard['k']} rows")
    rows = evidence["rows"]["source"]
    if len(published) < (1 - guard["suppression"]) * rows:
        found.append(f"{rows - len(published)} of {rows} rows are left out")
    return found + _needlessly_at_top(content, published, source, guard)


def _needlessly_at_top(content: Any, published: pd.DataFrame, source: Path, guard: Any) -> list[str]:
    """Columns that show one label only, though one level lower every class would still have k rows."""
    recipe = recipe_from_dict(content)
    whole = [name for name in content["schema"]["quasi"] if published[name].nunique() == 1]
    if not whole:
        return []
    table = Table.of(Table.read(source, **recipe.schema.read.options), recipe.schema.read)
    shown = pd.DataFrame(recipe.apply(table, unknown="suppress").table.to_frame("pandas")).astype(str)
    if len(shown) != table.rows:
        return []
    found = []
    for name in whole:
        column = table.column(name)
        levels = recipe.schema.hierarchy(name).bind(column.domain, name)
        lower = levels.codes[levels.height - 1][column.codes]
        if len(set(lower.tolist())) < 2:
            continue  # nothing is hidden
        sizes = shown.assign(lower=lower).groupby([*content["schema"]["quasi"], "lower"], sort=False).size()
        left_out = int(sizes[sizes < guard["k"]].sum())
        if left_out <= guard["suppression"] * table.rows and len(sizes) > 1:
            found.append(f"{name} is at its top and need not be")
    return found
