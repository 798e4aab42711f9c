"""Downcoding: what minimality adds to guesses about hidden values, against all possible tables written out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.attacks import Scene
from fairveil.attacks.downcoding import downcoding
from fairveil.attacks.draws import beliefs, guess, typical
from fairveil.recipes.full_domain import FullDomain
from fairveil.recipes.outcome import ONLY, Outcome
from fairveil.recipes.recipe import Recipe, Unknown
from fairveil.release.release import publish

SIDES = fv.hierarchy.from_rows([("left", "*"), ("right", "*")])


def table_of(groups: dict[str, tuple[int, int]]) -> fv.Table:
    """Places with so many people on the left and on the right."""
    rows = [
        (p, side)
        for p, counts in groups.items()
        for side, n in zip(("left", "right"), counts, strict=True)
        for _ in range(n)
    ]
    return fv.Table.from_frame(pa.table({"place": [row[0] for row in rows], "side": [row[1] for row in rows]}))


SCHEMA = fv.Schema(quasi=["place", "side"], hierarchies={"side": SIDES})


def full_domain(groups: dict[str, tuple[int, int]], k: int) -> tuple[fv.Table, fv.Release]:
    table = table_of(groups)
    recipe = FullDomain(SCHEMA, {"place": 0, "side": 1})
    return table, publish(table, SCHEMA, [fv.KAnonymity(k)], recipe)


def test_bits_are_those_of_all_tables_written_out() -> None:
    groups, k = {"p": (1, 3), "q": (4, 0)}, 2
    table, release = full_domain(groups, k)
    scene = Scene.of(release, original=table)
    left = sum(a for a, _ in groups.values()) / table.rows
    chance = 0.0
    for counts in product(range(5), repeat=2):  # people on the left in p and q
        prior = math.prod(math.comb(4, n) * left**n * (1 - left) ** (4 - n) for n in counts)
        if any(0 < n < k or 0 < 4 - n < k for n in counts):
            chance += prior
    (belief,) = beliefs(scene)[0]
    guessed = guess(scene, belief, np.random.default_rng(0))
    assert belief.scope == "column"
    assert guessed.bits == pytest.approx(-math.log2(chance), abs=0.15)
    assert (guessed.after.sum(axis=1) == 4).all()


def test_the_only_class_gives_itself_away() -> None:
    """Two people, nearly everybody left, k=2: were both left, 'left' would have been published; so one is not."""
    _, release = full_domain({"p": (1, 1)}, 2)
    world = table_of({"p": (1, 1), "elsewhere": (95, 3)})
    scene = Scene.of(release, original=world)
    (belief,) = beliefs(scene)[0]
    guessed = guess(scene, belief, np.random.default_rng(0))
    order = {belief.levels.labels[0][code]: i for i, code in enumerate(belief.children[0])}
    assert guessed.before[0][order["left"]] == 2
    assert guessed.after[0].tolist() == [1, 1]
    finding = next(iter(downcoding.run(scene)))
    assert finding.average == 1
    assert finding.baseline == 0.5
    assert finding.level == "danger"
    assert finding.affected == 2


def test_many_classes_hide_which_one_forbade_it() -> None:
    groups = {f"p{i}": (7, 5) for i in range(30)} | {"q": (10, 1)}
    table, release = full_domain(groups, 2)
    finding = fv.attack(release, original=table).of("downcoding")
    assert finding.level == "ok"
    assert finding.details["minimal"] is True
    assert finding.details["bits"] < 2


def test_a_release_above_the_minimal_border_misleads() -> None:
    table, release = full_domain({"p": (5, 5), "q": (6, 4)}, 2)
    finding = fv.attack(release, original=table).of("downcoding")
    assert finding.details["minimal"] is False
    assert "could have been less general" in finding.verdict


@dataclass(frozen=True)
class Local(Recipe):
    """Local recoding: each place's people as one class, on their side where all are on the same."""

    kind: ClassVar[str] = "local"
    groups_rows: ClassVar[bool] = True

    def outcome(self, table: Any, *, unknown: Unknown = "refuse") -> Outcome:
        frame = table.to_frame("pandas")
        same = frame.groupby("place")["side"].transform("nunique") == 1
        frame.loc[~same, "side"] = "*"
        costs = {name: (np.zeros(99), np.zeros(99)) for name in self.schema.quasi}
        return Outcome({ONLY: fv.Table.from_frame(frame)}, table.rows, costs, dict.fromkeys(costs, 0.0))

    def strays(self, column: object) -> list[Any]:
        return []

    def to_dict(self) -> dict[str, Any]:
        return {}


def test_a_minimal_local_release_is_downcoded_entirely() -> None:
    """Pairs of people, k=2: a pair on one side is published as such, so '*' is one left and one right for certain."""
    groups = {f"p{i}": (2, 0) if i % 5 else (1, 1) for i in range(40)}
    table = table_of(groups)
    release = publish(table, SCHEMA, [fv.KAnonymity(2)], Local(SCHEMA))
    finding = fv.attack(release, original=table).of("downcoding")
    assert finding.details["columns"]["side"]["scope"] == "class"
    assert finding.average == 1
    assert finding.baseline == 0.5
    assert finding.level == "danger"
    assert finding.affected == 16


@dataclass(frozen=True)
class OneBranch(Local):
    """A cut through a hierarchy: the west is published as such, the east in detail."""

    def outcome(self, table: Any, *, unknown: Unknown = "refuse") -> Outcome:
        frame = table.to_frame("pandas")
        frame["side"] = frame["side"].replace({"west a": "west", "west b": "west"})
        costs = {name: (np.zeros(99), np.zeros(99)) for name in self.schema.quasi}
        return Outcome({ONLY: fv.Table.from_frame(frame)}, table.rows, costs, dict.fromkeys(costs, 0.0))


def test_a_cut_gives_away_what_one_value_hides() -> None:
    branches = fv.hierarchy.tree({"*": {"west": ["west a", "west b"], "east": ["east a", "east b"]}})
    schema = fv.Schema(quasi=["place", "side"], hierarchies={"side": branches})
    sides = ["west a", "west b"] + ["east a"] * 5 + ["east b"] * 4
    table = fv.Table.from_frame(pa.table({"place": ["p"] * 11, "side": sides}))
    world = fv.Table.from_frame(pa.table({"place": ["p"] * 11 + ["q"] * 90, "side": sides + ["west a"] * 90}))
    release = publish(table, schema, [fv.KAnonymity(2)], OneBranch(schema))
    finding = fv.attack(release, original=world).of("downcoding")
    assert finding.details["columns"]["side"]["scope"] == "value"
    assert finding.details["hidden_values"] == 2
    assert (finding.average, finding.baseline) == (1, 0.5)


def test_without_the_original_only_bits_are_known() -> None:
    _, release = full_domain({"p": (1, 3), "q": (4, 0)}, 2)
    finding = fv.attack(release).of("downcoding")
    assert math.isnan(finding.average)
    assert finding.details["bits"] > 0
    assert "original" in finding.verdict


def test_a_guard_on_a_sensitive_column_is_part_of_what_is_ruled_out() -> None:
    """Four people of whom two are ill: split 2 + 2 they keep k=2, so ill and well must be apart, or 1 + 3."""
    rows = [("p", "left", "ill"), ("p", "left", "ill"), ("p", "right", "well"), ("p", "right", "well")]
    table = fv.Table.from_frame(
        pa.table(dict(zip(("place", "side", "state"), map(list, zip(*rows, strict=True)), strict=True)))
    )
    schema = fv.Schema(quasi=["place", "side"], sensitive=["state"], hierarchies={"side": SIDES})
    recipe = FullDomain(schema, {"place": 0, "side": 1})
    chances = {}
    for guards in ([fv.KAnonymity(2)], [fv.KAnonymity(2), fv.DistinctDiversity(2)]):
        scene = Scene.of(publish(table, schema, guards, recipe), original=table)
        chances[len(guards)] = 2 ** -guess(scene, beliefs(scene)[0][0], np.random.default_rng(0)).bits
    ways = [len(set(sides)) == 2 and 1 in map(sides.count, "lr") for sides in product("lr", repeat=4)]
    apart = [sides in (tuple("llrr"), tuple("rrll")) for sides in product("lr", repeat=4)]
    assert chances[1] == pytest.approx(sum(ways) / 16, abs=0.08)
    assert chances[2] == pytest.approx(sum(a or b for a, b in zip(ways, apart, strict=True)) / 16, abs=0.08)


def test_suppression_is_part_of_what_is_ruled_out() -> None:
    german = fv.datasets.german_credit()
    guards = [fv.KAnonymity(5, suppression=0.05)]
    release = fv.search(german.table, german.schema, guards=guards).minimal().best("loss")
    finding = fv.attack(release, original=german.table).of("downcoding")
    assert finding.details["minimal"] is True
    assert finding.details["hidden_values"] > 0


def test_the_typical_composition_is_one_that_was_drawn() -> None:
    drawn = np.array([[[2, 0]], [[1, 1]], [[1, 1]], [[0, 2]]])
    assert typical(drawn).tolist() == [[1, 1]]
