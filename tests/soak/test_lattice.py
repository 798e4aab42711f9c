"""All generalizations that keep promises by persons are found, in memory and on DuckDB, and publish the same records as
plain sets say."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.guards import GUARDS
from fairveil.shapes import part
from tests.soak.lattice import TOWNS, Lattice, Node, evident, lattice

FIRST, GROUP = 40_000, 25
LEVELS = {"town": fv.hierarchy.tree({"*": TOWNS}), "age": fv.hierarchy.intervals([0, 40], widths=(10, 20))}


def found(given: Lattice, engine: str) -> dict[Node, list[str]]:
    records = [{**record, "w": given.weight.get(record["who"])} for record in given.records]
    table, population = pa.Table.from_pylist(records), None
    if given.register:
        population = fv.Population(register=pa.Table.from_pylist(given.register).select(["who", *given.quasi]))
    elif given.fraction:
        population = fv.Population(fraction=given.fraction)
    weight = "w" if given.weight else None
    schema = fv.Schema(
        quasi=given.quasi, sensitive=["ill"], person="who", plain=["row", *["who"] * given.linked], weight=weight,
        drop=[name for name in ("age", "w") if name not in (*given.quasi, weight)], population=population,
        hierarchies={name: LEVELS[name] for name in given.quasi if name in LEVELS},
    )  # fmt: skip
    data = table if engine == "memory" else duckdb.connect().from_arrow(table)
    guards = [part(GUARDS, guard) for guard in given.guards]
    try:
        frontier = fv.search(data, schema, guards=guards, method=fv.Incognito())
    except fv.Infeasible:
        return {}
    nodes = {}
    for at, node in enumerate(frontier.nodes):
        release = frontier.release(at)
        content = next(iter(release.published.content.values()))
        assert release.holds
        nodes[tuple(map(int, node))] = sorted(content.count(["row"]).table().column("row").domain)
    return nodes


@pytest.mark.parametrize("group", range(3))
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_a_search_finds_what_trying_everything_finds(engine: str, group: int) -> None:
    kept = 0
    for seed in range(FIRST + GROUP * group, FIRST + GROUP * (group + 1)):
        given = lattice(seed)
        expected = given.published()
        assert found(given, engine) == expected, (seed, given.guards)
        kept += len(expected)
    assert kept > GROUP


def test_what_a_sample_is_evidence_of() -> None:
    assert (evident(5, 0.1, 0.01), evident(50, 0.2, 0.05)) == (3, 15)
