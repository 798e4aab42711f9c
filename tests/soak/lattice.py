"""Random tables of people: all generalizations that keep promises by persons, and who is published at each, from the
definitions by plain sets.

A search is compared with trying every generalization: those in a class that breaks a promise are left out, then those
who break it among the rest, until nobody does, or more persons than allowed are gone.
"""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from tests.soak.persons import Row, breaking, groups

TOWNS = {"1": ["11", "12", "13"], "2": ["21", "22"]}
LEVELS = {"town": 2, "sex": 1, "age": 3}
CLOSE = 1e-9
Node = tuple[int, ...]
Record = dict[str, Any]


@dataclass(frozen=True)
class Lattice:
    """What is searched: `guards` are settings with their `kind`; people of the population are counted in a `register`,
    by the `weight` of each person, or are the persons over `fraction`."""

    records: list[Record]
    quasi: list[str]
    guards: list[dict[str, Any]]
    linked: bool = False
    register: list[Record] = field(default_factory=list)
    weight: dict[Hashable, float] = field(default_factory=dict)
    fraction: float = 0.0

    @property
    def nodes(self) -> list[Node]:
        return list(product(*(range(LEVELS[name] + 1) for name in self.quasi)))

    def published(self) -> dict[Node, list[str]]:
        """The generalizations that keep all promises, and the records that each publishes."""
        found = {node: self._left(node) for node in self.nodes}
        return {node: sorted(rows) for node, rows in found.items() if rows}

    def _left(self, node: Node) -> list[str]:
        persons = {record["row"]: record["who"] for record in self.records}
        rows = [{**record, **self._labels(record, node)} for record in self.records]
        everybody = {*persons.values()}
        share = max(guard.get("suppression", 0.0) for guard in self.guards)
        allowed = min(int(share * len(everybody) + CLOSE), len(everybody) - 1)
        while True:
            bad = {persons[row["row"]] for guard in self.guards for group in self._breaking(rows, guard, persons, node)
                   for row in group}  # fmt: skip
            if not bad:
                return [row["row"] for row in rows]
            rows = [row for row in rows if persons[row["row"]] not in bad]
            if not rows or len(everybody) - len({persons[row["row"]] for row in rows}) > allowed:
                return []

    def _labels(self, record: Mapping[str, Any], node: Node) -> Record:
        return {name: label(name, record[name], level) for name, level in zip(self.quasi, node, strict=True)}

    def _breaking(
        self, rows: list[Record], guard: Mapping[str, Any], persons: Mapping[str, Hashable], node: Node
    ) -> list[list[Row]]:
        if guard["kind"] not in ("k-map", "delta-presence", "risk-limit"):
            return [group for _, group in breaking(rows, guard, self.quasi, ["ill"], persons, self.linked)]
        return [
            group
            for group in groups(rows, self.quasi, persons, self.linked)
            if not self._stands_for_enough({persons[row["row"]] for row in group}, guard, group[0], node)
        ]

    def _stands_for_enough(self, members: set[Hashable], guard: Mapping[str, Any], row: Row, node: Node) -> bool:
        sampled, people = len(members), 0.0
        if self.register:
            here = {name: row[name] for name in self.quasi}
            people = len({record["who"] for record in self.register if self._labels(record, node) == here})
        else:
            people = sum(self.weight[who] for who in members) if self.weight else sampled / self.fraction
        if guard["kind"] == "delta-presence":
            return guard["minimum"] - CLOSE <= sampled / people <= guard["maximum"] + CLOSE
        if guard["kind"] == "risk-limit":
            assert guard["measure"] == "journalist-risk"
            return 1 / people <= guard["maximum"] + CLOSE
        if self.register:
            return people >= guard["k"]
        return sampled >= min(guard["k"], evident(guard["k"], sampled / people, guard["significance"]))


def evident(k: int, share: float, significance: float) -> int:
    """The fewest records that a sample of k people has at most with probability 1 - significance (Poisson, above 0)."""
    mean, number, total = k * share, 0, 0.0
    while total < 1 - significance - 1e-12:
        number += 1
        total += math.exp(number * math.log(mean) - mean - math.lgamma(number + 1)) / (1 - math.exp(-mean))
    return number


def label(name: str, value: Any, level: int) -> Any:
    if level == LEVELS[name]:
        return "*"
    if name == "town" and level == 1:
        return value[0]
    return value // (10 * level) if name == "age" and level else value


def lattice(seed: int) -> Lattice:
    rng = random.Random(seed)
    people = rng.randint(6, 25)
    who = [*range(people), *rng.choices(range(people), k=rng.randint(0, 2 * people))]
    towns = [town for part in TOWNS.values() for town in part]
    values: dict[str, Sequence[Any]] = {"town": towns, "sex": ["f", "m", "x"], "age": range(40)}
    same = {name: [rng.choice(choice) for _ in range(people)] for name, choice in values.items()}
    changing = rng.choice([0.0, 0.25])
    records = [
        {"who": person, "row": f"R{row}", "ill": rng.choice(["p", "p", "q", "r", None]),
         **{name: rng.choice(choice) if rng.random() < changing else same[name][person]
            for name, choice in values.items()}}
        for row, person in enumerate(who)
    ]  # fmt: skip
    quasi, k = (["town", "sex"] if rng.random() < 0.6 else ["town", "sex", "age"]), rng.randint(2, 4)
    suppression = {"suppression": rng.choice([0.0, 0.0, 0.1, 0.3, 0.6])}
    keys: dict[str, Any] = rng.choice([
        {}, {}, {"subsets": 1}, {"keys": [["town"], ["sex"]]}, {"keys": [{"columns": ["town"], "k": k + 1}]},
    ])  # fmt: skip
    guards: list[dict[str, Any]] = [{"kind": "k-anonymity", "k": k, **suppression, **keys}]
    if rng.random() < 0.5:
        guards.append(rng.choice([
            {"kind": "distinct-diversity", "l": 2}, {"kind": "distinct-diversity", "l": 2, "subsets": 1},
            {"kind": "entropy-diversity", "l": 1.4}, {"kind": "recursive-diversity", "c": 2.0, "l": 2},
            {"kind": "t-closeness", "t": 0.3, "distance": "equal"},
            {"kind": "t-closeness", "t": 0.4, "distance": "equal", "keys": [["town"], ["sex"]]},
        ]))  # fmt: skip
    known, population = rng.choice(["nothing", "weight", "fraction", "register"]), dict[str, Any]()
    if known == "weight":
        population["weight"] = {person: rng.randint(1, 60) + 0.25 for person in range(people)}
    elif known == "fraction":
        population["fraction"] = 0.2
    elif known == "register":
        others = [{"who": 1000 + n // 2, **{name: rng.choice(choice) for name, choice in values.items()}}
                  for n in range(4 * people)]  # fmt: skip
        population["register"] = [*records, *others]
    if population:
        guards.append(rng.choice([
            {"kind": "k-map", "k": rng.randint(3, 20), "significance": 0.05, **suppression},
            {"kind": "delta-presence", "minimum": 0.0, "maximum": rng.choice([0.2, 0.4, 0.6])},
            {"kind": "risk-limit", "measure": "journalist-risk", "maximum": 0.2},
        ]))  # fmt: skip
    linked = known != "register" and rng.random() < 0.2
    return Lattice(records, quasi, guards, linked, **population)
