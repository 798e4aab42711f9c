"""Files with an expert's labels beside them, NAME.csv and NAME.json: a person column or null, and for each column the
roles that are acceptable.

>>> roles_wanted(["quasi", "identifier"]), roles_wanted(["quasi+protected", "quasi"]), roles_wanted(["person"])
('left out or quasi', 'quasi, may be protected', 'person')
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from experiments.first_hour.expert import LEFT_OUT, Expected, escaped
from fairveil.release.release import Release

Label = Mapping[str, Any]
"""What an expert says of a column: `best`, `acceptable` and `why`."""


def labelled_files(folder: Path) -> Iterator[tuple[str, Path, Expected, str | None]]:
    """Name, place, acceptable roles and person column of each file of a folder that has labels."""
    for labels in sorted(folder.glob("*.json")):
        place = labels.with_suffix(".csv")
        if place.exists():
            content = json.loads(labels.read_text(encoding="utf-8"))
            yield labels.stem, place, wanted_of(content["columns"]), content.get("person")


def wanted_of(columns: Mapping[str, Label]) -> dict[str, list[str]]:
    """Columns by acceptable roles, as in roles.toml."""
    wanted: dict[str, list[str]] = {}
    for name, label in columns.items():
        wanted.setdefault(roles_wanted([label["best"], *label["acceptable"]]), []).append(escaped(name))
    return wanted


def roles_wanted(alternatives: Sequence[str]) -> str:
    """Acceptable roles in the words of roles.toml."""
    named = [set(re.findall("[a-z]+", alternative.lower())) for alternative in alternatives]
    published = [roles for roles in named if not roles <= LEFT_OUT]
    unnamed = {role for roles in named for role in roles} & LEFT_OUT
    grounds = ["protected" in roles for roles in published]
    ground = ", protected" if grounds and all(grounds) else ", may be protected" if any(grounds) else ""
    left_out = ["left out"] if unnamed & {"identifier", "drop"} else sorted(unnamed)
    return " or ".join([*left_out, *sorted(set().union(*published) - {"protected"})]) + ground


def smallest_class(place: Path, release: Release, person: str | None) -> int:
    """The fewest persons who look alike in what is published; rows, where no column says who they are about."""
    quasi = list(release.schema.quasi)
    published = pd.DataFrame(release.table.to_frame("pandas"))[quasi].astype(str)
    if person is None or release.source_rows is None:
        return int(published.groupby(quasi, sort=False, dropna=False).size().min())
    people = pd.read_csv(place, usecols=[person], dtype=str, keep_default_na=False)[person].to_numpy()
    published["who looks alike"] = people[release.source_rows]
    return int(published.groupby(quasi, sort=False, dropna=False)["who looks alike"].nunique().min())


def kinds_of_changes(changes: Sequence[str]) -> str:
    """How often each role is given where another is wanted."""
    kinds = Counter(change.rpartition(" is ")[2] for change in changes)
    return "\n".join(f"{times:4} {kind}" for kind, times in kinds.most_common())
