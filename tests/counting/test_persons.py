"""Persons per class, node by node, against a plain count."""

from __future__ import annotations

from itertools import product

import numpy as np
import pyarrow as pa
import pytest

from fairveil.counting.cells import Cells
from fairveil.counting.lattice import Lattice
from fairveil.counting.persons import PersonPairs
from fairveil.data.hierarchy import intervals, suppress
from fairveil.data.table import Table

LEVELS = {"age": intervals([0, 8], widths=(2, 4)), "zip": suppress(), "sex": suppress()}


def pairs_of(seed: int, rows: int, people: int) -> tuple[PersonPairs, Table]:
    rng = np.random.default_rng(seed)
    who = rng.integers(0, people, rows)
    columns = {
        "who": who, "age": np.minimum(rng.integers(0, 8, people)[who] + rng.integers(0, 2, rows), 7),
        "zip": rng.integers(0, 3, rows), "sex": rng.integers(0, 2, people)[who], "ill": rng.integers(0, 2, rows),
    }  # fmt: skip
    table = Table.from_frame(pa.table(columns))
    levels = {name: rule.bind(table.column(name).domain) for name, rule in LEVELS.items()}
    names = ["age", "zip", "sex", *(["ill"] if seed % 2 else []), "who"]
    return PersonPairs.of(Lattice(Cells.of(table, names), levels), "who"), table


@pytest.mark.parametrize("seed", range(4))
def test_people_of_every_class_at_every_node(seed: int) -> None:
    pairs, table = pairs_of(seed, 200, 60)
    nodes = np.array(list(product(*(range(levels.height + 1) for levels in pairs.lattice.levels.values()))))
    np.random.default_rng(seed).shuffle(nodes)
    plainly = {}
    for node in map(tuple, nodes.tolist()):
        members: dict[tuple[int, ...], set[int]] = {}
        for row in range(table.rows):
            levels = zip(node, pairs.lattice.levels.items(), strict=True)
            key = tuple(int(of.codes[level][table.column(name).codes[row]]) for level, (name, of) in levels)
            members.setdefault(key, set()).add(int(table.column("who").codes[row]))
        plainly[node] = sorted(map(len, members.values()))
        assert sorted(pairs.people(np.array(node)).tolist()) == plainly[node]
    for k in (2, 5, 20):
        expected = [plainly[tuple(node)][0] >= k for node in nodes.tolist()]
        assert pairs.at_least(k, nodes).tolist() == expected
    assert pairs.persons == len(table.column("who").values)


def test_persons_in_one_class_are_not_read_again() -> None:
    pairs, _ = pairs_of(0, 200, 60)
    top = pairs.lattice.tops
    assert pairs.people(top).tolist() == [pairs.persons]
    assert not len(pairs._reduced(tuple(top.tolist())).cells)
