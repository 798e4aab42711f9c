"""Adult published twice: 31 nodes are safe alone, 8 together with the first release.

The columns and hierarchies are those with which ARX is usually tried (240 nodes), k is 5. The samples are the first
70 % and 80 % of two permutations with NumPy's seed 0; the first release is at sex 0, age 4, race 1, marital-status 2,
education 0, a minimal node of the first sample. Both numbers are counted here by brute force, too.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np

import fairveil as fv
from fairveil.data.hierarchy import Hierarchy
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import publish
from tests.known import ANY_DANGER

K = 5
FIRST = {"sex": 0, "age": 4, "race": 1, "marital-status": 2, "education": 0}
PRESENT = ("Married-civ-spouse", "Married-AF-spouse")
EDUCATION = {
    ("Undergraduate", "Higher education"): "Bachelors Some-college",
    ("Professional Education", "Higher education"): "Prof-school Assoc-acdm Assoc-voc",
    ("Graduate", "Higher education"): "Masters Doctorate",
    ("High School", "Secondary education"): "9th 10th 11th 12th 7th-8th HS-grad",
    ("Primary School", "Primary education"): "Preschool 1st-4th 5th-6th",
}


def test_adult_published_twice(tmp_path: Path) -> None:
    table = fv.datasets.adult(columns="all").table.select([*FIRST])
    ages = [[n, *(f"{(n - 1) // width}th {width}" for width in (5, 10, 20)), "*"] for n in range(1, 101)]
    states = table.column("marital-status").domain
    marital = [[value, f"spouse {'' if value in PRESENT else 'not '}present", "*"] for value in states]
    education = [[value, *above, "*"] for above, values in EDUCATION.items() for value in values.split()]
    trees = {"age": ages, "marital-status": marital, "education": education}
    rules: dict[str, Hierarchy] = {name: fv.hierarchy.from_rows(rows) for name, rows in trees.items()}
    rules |= {name: fv.hierarchy.suppress() for name in ("sex", "race")}
    schema = fv.Schema(quasi=[*FIRST], hierarchies=rules)
    rng = np.random.default_rng(0)
    rows = table.rows
    old, new = (np.sort(rng.permutation(rows)[: int(share * rows)]) for share in (0.7, 0.8))
    frame = table.to_arrow().append_column("id", [[f"p{i}" for i in range(rows)]])
    owned = fv.Schema(quasi=[*FIRST], identifier=["id"], hierarchies=rules)
    first = publish(frame.take(old), owned, [fv.KAnonymity(K)], FullDomain(owned, FIRST))
    assert first.holds
    folder = first.save(tmp_path / "first", accept=ANY_DANGER).path
    alone = fv.search(frame.take(new), owned, guards=[fv.KAnonymity(K)])
    again = fv.search(frame.take(new), owned, guards=[fv.KAnonymity(K)],
                      earlier=[fv.Earlier(str(folder), source=frame.take(old), key="id")])  # fmt: skip
    assert alone.task.lattice.size == 240 and (len(alone), len(again)) == (31, 8)

    levels = {name: schema.hierarchy(name).bind(table.column(name).domain, name) for name in FIRST}

    def classes(node: tuple[int, ...]) -> np.ndarray:
        packed = np.zeros(rows, dtype=np.int64)
        for name, at in zip(FIRST, node, strict=True):
            packed = packed * 1000 + levels[name].codes[at][table.column(name).codes]
        return np.unique(packed, return_inverse=True)[1]

    was = np.zeros(rows, dtype=np.int64)
    was[old] = classes(tuple(FIRST.values()))[old] + 1
    safe: dict[bool, set[tuple[int, ...]]] = {False: set(), True: set()}
    for node in product(*(range(levels[name].height + 1) for name in FIRST)):
        now = classes(node)[new]
        for together, nodes in safe.items():
            _, sizes = np.unique(now * rows + was[new] * together, return_counts=True)
            if sizes.min() >= K:
                nodes.add(node)
    for found, together in ((alone, False), (again, True)):
        assert {tuple(map(int, node)) for node in found.nodes} == safe[together]
