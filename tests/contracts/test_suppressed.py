"""Whoever is left out of a release does not show in it: other values in a suppressed row change no byte of any file.

A suppressed row is given other values in one column after the other, and the method searches again. Where the very
same data would be published, every other file must be the same, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.guards import Guard
from fairveil.methods import METHODS, Method
from fairveil.release.release import Release
from tests.contracts.people import SCHEMA, contents, quick, source
from tests.known import ANY_DANGER

OTHERS: dict[str, list[Any]] = {
    "zip": ["00", "12", "79", None],
    "age": [20, 41, 59],
    "sex": ["f", "m", "x"],
    "illness": ["flu", "pox", "something new", None, ""],
    "credit": ["yes", "no", None],
    "income": [1, 70_000, -1, 2**40, None],
}
"""Values that a column can hold: those of other people, new ones, none."""
FILES = ("data.csv", "recipe.json", "evidence.json", "report.html")
GUARDS: dict[int, list[Guard]] = {
    3: [fv.KAnonymity(4, suppression=0.3)],
    5: [fv.KAnonymity(3, suppression=0.4), fv.DistinctDiversity(2)],
    6: [fv.KAnonymity(5, subsets={2: 6, 1: 8}, suppression=0.5)],
}
"""By the seed of the people; the second ones leave rows out for what they have in a class, too, the last ones for key
sets."""


def people(seed: int) -> pd.DataFrame:
    """A few people with rare values, who are the first to be suppressed; an income is published as it is."""
    frame = source(seed, rows=48).to_pandas()
    frame["income"] = pd.array(np.random.default_rng(seed).integers(1, 9, len(frame)) * 10_000, dtype="Int64")
    frame.loc[:2, "zip"] = ["77", "78", "79"]
    return frame


def released(method: Method, frame: pd.DataFrame, seed: int) -> Iterator[Release]:
    schema = replace(SCHEMA, plain=("income",))
    try:
        found = fv.search(frame, schema, guards=GUARDS[seed], method=method)
    except (fv.Infeasible, fv.BadInput):
        return
    for position in range(min(len(found), 40)):
        yield found.release(position)


def left_out(release: Release) -> list[int]:
    rows = release.source_rows
    return [] if rows is None else sorted(set(range(release.source.rows)) - set(rows.tolist()))


def changed(frame: pd.DataFrame, row: int) -> Iterator[tuple[str, Any, pd.DataFrame]]:
    for column, values in OTHERS.items():
        for value in values:
            other = frame.copy()
            other.loc[row, column] = value
            if not other.loc[row].equals(frame.loc[row]):
                yield column, value, other


def shown(release: Release) -> tuple[Any, ...]:
    """All that the data files would hold, and how many rows are not in them."""
    tables = release.published.tables.items()
    return (release.suppressed, *((name, str(table.to_arrow().to_pydict())) for name, table in tables))


def compared(method: Method, folder: Path) -> Iterator[tuple[str, dict[str, bytes], dict[str, bytes]]]:
    """What was changed, and the files of the two releases that publish the same data."""
    for turn, seed in enumerate(GUARDS):
        frame = people(seed)
        suppressing = (r for r in released(method, frame, seed) if len(left_out(r)) > 0 and r.holds)
        release = next(suppressing, None)
        if release is None:
            continue
        files, published = contents(release.save(folder / str(seed), accept=ANY_DANGER).path), shown(release)
        row = left_out(release)[0 if seed == 3 else -1]
        for column, value, other in islice(changed(frame, row), turn % 2, None, 2):  # each column under each guard
            twin = next((r for r in released(method, other, seed) if shown(r) == published), None)
            if twin is not None:
                place = folder / f"{seed}-{row}-{column}-{OTHERS[column].index(value)}"
                yield (
                    f"seed {seed}, row {row}, {column}={value!r}",
                    files,
                    contents(twin.save(place, accept=ANY_DANGER).path),
                )


def _bare(content: bytes) -> bytes:
    """Without checksums of other files: each file is compared by itself."""
    return re.sub(rb"[0-9a-f]{64}", b"", content)


@pytest.fixture(scope="module", params=[m for m in METHODS if m.deterministic], ids=lambda method: method.kind)
def pairs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    method = quick(request.param)
    found = list(compared(method, tmp_path_factory.mktemp(method.kind)))
    if not found:
        pytest.skip("it leaves nobody out, or nothing else keeps the data as it is")
    return found


@pytest.mark.parametrize("name", FILES)
def test_another_value_in_a_suppressed_row_changes_no_byte(pairs: list[Any], name: str) -> None:
    different = [what for what, one, other in pairs if _bare(one[name]) != _bare(other[name])]
    assert not different, f"{len(different)} of {len(pairs)}: {different[:5]}"


@pytest.mark.parametrize("method", [m for m in METHODS if m.deterministic], ids=lambda method: method.kind)
def test_what_somebody_who_is_left_out_holds_changes_nothing(method: type[Method]) -> None:
    """The plain call, twice: whoever is left out both times may hold anything. In fair-mdav, everybody's protected
    group decides how many records of each group a fairlet has, which the release says."""
    schema, settings = replace(SCHEMA, plain=("income",)), quick(method)

    def best(frame: pd.DataFrame, guards: list[Guard]) -> Release | None:
        try:
            return fv.search(frame, schema, guards=guards, method=settings).best("loss")
        except (fv.Infeasible, fv.BadInput):
            return None

    def all_of(release: Release) -> tuple[Any, ...]:
        return shown(release), json.dumps(release.recipe.to_dict()), json.dumps(release.evidence(), default=str)

    for seed, guards in ((seed, guards) for seed in (11, 12) for guards in GUARDS.values()):
        frame = people(seed)
        release = best(frame, guards)
        for number, row in enumerate([] if release is None else left_out(release)[: seed - 10]):
            for column, value, other in islice(changed(frame, row), seed - 11 + number, None, 3):  # each value once
                twin = None if method.kind == "fair-mdav" and column == "sex" else best(other, guards)
                if release is not None and twin is not None and row in left_out(twin):
                    assert all_of(twin) == all_of(release), f"seed {seed}, row {row}, {column}={value!r}"


@pytest.mark.parametrize("method", [m for m in METHODS if m.deterministic], ids=lambda method: method.kind)
def test_another_value_in_a_row_that_was_dropped_for_a_missing_one_changes_no_byte(
    method: type[Method], tmp_path: Path
) -> None:
    frame = people(3)
    frame.loc[7, "zip"] = None
    schema = replace(SCHEMA, plain=("income",))

    def files(number: int, table: pd.DataFrame) -> dict[str, bytes]:
        found = fv.search(table, schema, guards=[fv.KAnonymity(3)], method=quick(method), missing="drop")
        return contents(found.release(0).save(tmp_path / str(number), accept=ANY_DANGER).path)

    before = files(0, frame)
    others = [("illness", "new"), ("age", 20), ("sex", "x"), ("credit", None), ("income", 2**40)]
    for number, (column, value) in enumerate(others, start=1):
        other = frame.copy()
        other.loc[7, column] = value
        assert files(number, other) == before, column
