"""Nodes that keep something monotone: exactly those of judging each, however few are judged."""

from __future__ import annotations

import numpy as np
import pytest

from fairveil.counting.lattice import Node
from fairveil.counting.up_sets import is_small, monotone_nodes


@pytest.mark.parametrize("seed", range(30))
def test_exactly_the_nodes_that_keep_it(seed: int) -> None:
    """Random up-sets, asked about all nodes of a lattice or about some of them, in any order."""
    rng = np.random.default_rng(seed)
    tops = rng.integers(0, 4, rng.integers(1, 6))
    borders = rng.integers(0, tops + 1, (rng.integers(0, 4), len(tops)))
    nodes = np.indices((tops + 1).tolist()).reshape(len(tops), -1).T
    nodes = rng.permutation(nodes)[: rng.integers(1, len(nodes) + 1)]
    judged: list[Node] = []
    known: list[np.ndarray] = []

    def keeps(node: Node) -> bool:
        judged.append(node)
        return any((np.array(node) >= border).all() for border in borders)

    expected = [any((node >= border).all() for border in borders) for node in nodes]
    assert monotone_nodes(nodes, tops, keeps, known.append).tolist() == expected
    assert len(set(judged)) == len(judged) <= len(nodes)
    assert {*judged} <= {*map(tuple, nodes.tolist())}


def test_few_nodes_of_a_huge_lattice_are_judged_one_by_one() -> None:
    tops = np.full(20, 9)
    assert not is_small(tops, np.zeros((3, 20)))
    assert is_small(tops[:5], np.zeros((3, 5)))
