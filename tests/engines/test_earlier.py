"""Publishing again from an engine: the same nodes, releases and notes as in memory; the rows stay where they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.engines.lazy import LazySource
from tests.engines.conftest import Opened
from tests.known import ANY_DANGER

QUASI = ("age", "sex", "town")
RULES = {"age": fv.hierarchy.intervals([0, 60], widths=(10, 20)), "town": fv.hierarchy.suppress()}
ROLES = fv.Schema(quasi=QUASI, sensitive=["illness"], drop=["who"], hierarchies=RULES)
PERSONS = fv.Schema(quasi=QUASI, sensitive=["illness"], person="who", hierarchies=RULES)
K = fv.KAnonymity(3, suppression=0.3)


def people(rows: int = 150, persons: int | None = None, seed: int = 0) -> pa.Table:
    """Records of people, some of them rare, with missing towns; those of a person differ in few columns."""
    rng = np.random.default_rng(seed)
    who = np.arange(rows) if persons is None else np.sort(rng.integers(0, persons, rows))
    towns, own = np.array(["Rome", "Bari", None], dtype=object), rng.integers(0, 1 << 30, rows)
    return pa.table({
        "who": [f"p{n:03}" for n in who], "age": 20 + own[who] % 7 * 5 + rng.integers(0, 2, rows),
        "sex": np.array(["f", "m"])[own[who] % 2],
        "town": pa.array(towns[np.minimum(own[who] // 8 % 16 // 7, 2)].tolist(), pa.string()),
        "illness": rng.choice(["flu", "cold", "gout"], rows),
    })  # fmt: skip


def answer(data: Any, schema: fv.Schema, guards: list[Any], earlier: list[Any], folder: Path) -> Any:
    """All that is found: the nodes, the rows of the best, and the notes."""
    again = fv.search(data, schema, guards=guards, earlier=earlier)
    assert isinstance(data, pa.Table) or isinstance(again.task.source, LazySource)
    release = again.best("loss")
    saved = release.save(folder / str(uuid4()), format="parquet", accept=ANY_DANGER).path
    notes = [note for note in release.private if note.startswith("earlier release") or "their earlier classes" in note]
    return sorted(map(tuple, again.nodes.tolist())), pq.read_table(saved / "data.parquet").to_pylist(), notes


CASES: dict[str, tuple[fv.Schema, list[Any]]] = {
    "records": (ROLES, [K]),
    "persons": (PERSONS, [K]),
    "values": (ROLES, [K, fv.DistinctDiversity(2)]),
}


@pytest.mark.parametrize("case", CASES)
def test_the_same_nodes_and_releases_as_in_memory(case: str, opened: Opened, tmp_path: Path) -> None:
    schema, guards = CASES[case]
    everybody = people(persons=90 if schema.person else None)
    old, new = everybody.slice(0, 110), everybody.slice(30)
    found = fv.search(old, schema, guards=guards[:1])
    general = int(np.argmax(found.nodes.sum(axis=1)))  # beside it, all that is safe beside the first still is
    releases = [found.best("loss"), found.release(general)]
    folders = [release.save(tmp_path / str(n), accept=ANY_DANGER).path for n, release in enumerate(releases)]
    keyed = [fv.Earlier(str(folder), source=old, key="who") for folder in folders]
    on_engine = fv.Earlier(str(folders[0]), source=opened(old), key="who")
    source = opened(new)
    for number, earlier in ((1, [on_engine]), (2, [on_engine, keyed[1]])):
        expected = answer(new, schema, guards, keyed[:number], tmp_path)
        assert answer(source, schema, guards, earlier, tmp_path) == expected


def test_without_its_source_the_recipe_is_applied_where_the_rows_are(opened: Opened, tmp_path: Path) -> None:
    data = people()
    folder = fv.search(data, ROLES, guards=[K]).best("loss").save(tmp_path / "first", accept=ANY_DANGER).path
    expected = answer(data, ROLES, [K], [str(folder)], tmp_path)
    assert any("its source is not given" in note for note in expected[2])
    assert answer(opened(data), ROLES, [K], [str(folder)], tmp_path) == expected


def test_rows_on_an_engine_have_no_place(opened: Opened, tmp_path: Path) -> None:
    data = people()
    folder = fv.search(data, ROLES, guards=[K]).best("loss").save(tmp_path / "first", accept=ANY_DANGER).path
    with pytest.raises(fv.BadInput, match="name a column that both have"):
        fv.search(opened(data), ROLES, guards=[K], earlier=[fv.Earlier(str(folder), source=data)])


def test_a_release_of_an_engine_is_earlier_itself(native: Callable[[pa.Table], Any]) -> None:
    data = people()
    first = fv.search(native(data), ROLES, guards=[K]).best("loss")
    expected = fv.search(data, ROLES, guards=[K], earlier=[fv.Earlier(first, source=data, key="who")])
    again = fv.search(native(data), ROLES, guards=[K], earlier=[fv.Earlier(first, source=native(data), key="who")])
    assert again.nodes.tolist() == expected.nodes.tolist()
