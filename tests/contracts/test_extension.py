"""A guard, a measure, a method, an attack and a hierarchy kind from outside the package: one file, one line each.

Whatever is registered is found by plans, command line, exploring, evidence, report and verification.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow.csv
import pytest

import fairveil as fv
from fairveil import cli
from fairveil.attacks import Attack, Finding, Scene
from fairveil.counting.cells import Classes
from fairveil.data.hierarchy import Hierarchy
from fairveil.data.hierarchy.hierarchy import each
from fairveil.data.schema import Schema
from fairveil.guards.guard import ClassGuard
from fairveil.measures import Measure
from fairveil.methods.method import Method, Proposal, propose, why_broken
from fairveil.methods.task import Task
from fairveil.recipes.change import Change
from fairveil.recipes.full_domain import FullDomain
from fairveil.registry import Registry, postponed
from tests.contracts.people import SCHEMA, contents, source

# ---- a guard: no class has more than a share of all rows


@dataclass(frozen=True)
class NotTooLarge(ClassGuard):
    """No class holds more than the share `max_share` of the published rows."""

    kind: ClassVar[str] = "not-too-large"
    higher_is_better: ClassVar[bool] = False
    leaves_open: ClassVar[str] = "everything about small classes"
    max_share: float = 0.9

    @property
    def limit(self) -> float:
        return self.max_share

    def promise(self) -> str:
        return f"No group of records that look alike holds more than {100 * self.max_share:g} % of them."

    def values(self, classes: Classes, schema: Schema) -> np.ndarray:
        return classes.rows / max(classes.rows.sum(), 1)

    def describe(self, worst: float) -> str:
        return f"the largest class holds {worst:.0%} of the records"


# ---- a measure: of the summary, and a fairness measure of the classes

CLASSES = Measure("class-count", "risk", "higher", (0, float("inf")), "number of classes", lambda s: s.classes)


def denied_gap(classes: Classes, schema: Schema) -> float:
    """How much more often one published sex is denied than the other."""
    if "sex" not in classes.codes or schema.decision is None:
        return float("nan")
    denied = np.array([str(v) in map(str, schema.denied_values) for v in classes.values(schema.decision)])
    sex, hit = classes.codes["sex"], denied[classes.codes[schema.decision]]
    rates = [
        np.average(hit[sex == code], weights=classes.counts[sex == code])
        for code in np.unique(sex)
        if classes.counts[sex == code].sum()
    ]
    return float(max(rates) - min(rates))


GAP = Measure("denied-gap", "fairness", "lower", (0, 1), "gap of the denied shares", of_classes=denied_gap)


# ---- a method: everything at its top


@dataclass(frozen=True)
class Topmost(Method):
    """The release that says least."""

    kind: ClassVar[str] = "topmost"

    def search(self, task: Task) -> Proposal:
        top = FullDomain(task.schema, {name: levels.height for name, levels in task.levels.items()})
        if problem := why_broken(task, Change(top)):
            raise fv.Infeasible(f"topmost found no release that keeps the guards ({problem})")
        return propose(task, self, [Change(top)], notes=["nothing but the top was looked at"])


# ---- an attack: guessing the most frequent class


def crowding(scene: Scene) -> Iterable[Finding]:
    share = float(scene.classes.rows.max() / scene.classes.rows.sum())
    yield Finding("crowding", "ok", f"the largest class holds {share:.0%}", share, share, share, "itself", 0, 1)


CROWDING = Attack("crowding", frozenset({"table"}), "looking for the largest class", crowding, cheap=True)


# ---- a hierarchy kind: first letters


@dataclass(frozen=True)
class Initial(Hierarchy):
    """The first sign of a text, then nothing."""

    kind: ClassVar[str] = "initial"
    top: str = "*"

    def paths(self, values: Sequence[Any]) -> tuple[list[Sequence[Any]], list[str]]:
        return each(values, lambda value: (str(value)[:1], self.top))

    def admits(self, level: int, label: Any) -> bool:
        return level == 0 or (level == 1 and len(str(label)) == 1) or str(label) == self.top


PARTS: list[tuple[Registry[Any], Any]] = [
    (fv.guards.GUARDS, NotTooLarge),
    (fv.measures.MEASURES, CLASSES),
    (fv.measures.MEASURES, GAP),
    (fv.methods.METHODS, Topmost),
    (fv.attacks.ATTACKS, CROWDING),
    (fv.hierarchy.KINDS, Initial),
]


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    for registry, part in PARTS:
        registry.register(part)
    yield
    for registry, part in PARTS:
        registry.unregister(getattr(part, "kind", None) or part.name)


PLAN = """
format = 1
measures = ["class-count", "denied-gap"]
[source]
path = "people.csv"
text = ["zip"]
[schema]
identifier = "name"
quasi = ["zip", "age", "sex"]
protected = "sex"
sensitive = "illness"
decision = "credit"
denied = "no"
[hierarchies.zip]
kind = "initial"
[hierarchies.age]
kind = "intervals"
edges = [20, 60]
widths = [10, 20]
[[guards]]
kind = "k-anonymity"
k = 3
[[guards]]
kind = "not-too-large"
max_share = 1.0
[[methods]]
kind = "incognito"
[[methods]]
kind = "topmost"
"""


def test_all_five_from_a_plan_to_a_verified_release(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pyarrow.csv.write_csv(source(), tmp_path / "people.csv")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    plan = fv.Plan.read(tmp_path / "plan.toml")
    assert fv.Plan.from_toml(plan.to_toml(), tmp_path) == plan
    assert cli.run(["explore", str(tmp_path / "plan.toml"), "--json"]) == 0
    records = json.loads(capsys.readouterr().out)["records"]
    assert {record["method"] for record in records} == {"incognito", "topmost"}
    assert all(record["class-count"] >= 1 for record in records)
    gaps = [record["denied-gap"] for record in records if record["levels"]["sex"] == 0]
    assert gaps and all(0 < gap < 1 for gap in gaps)
    assert cli.run(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "out")]) == 0
    assert "not-too-large" in capsys.readouterr().out
    evidence = json.loads((tmp_path / "out" / "evidence.json").read_text())
    assert evidence["guards"][1]["kind"] == "not-too-large" and evidence["guards"][1]["holds"]
    assert evidence["measures"]["class-count"] >= 1
    assert "crowding" in {finding["attack"] for finding in evidence["attacks"]}
    assert "No group of records that look alike holds more than 100 %" in (tmp_path / "out/report.html").read_text()
    assert fv.verify(tmp_path / "out")
    assert cli.run(["attack", str(tmp_path / "out"), "--only", "crowding"]) == 0


def test_a_fairness_measure_ranks_and_chooses_like_any_other() -> None:
    comparison = fv.explore(
        source(), SCHEMA, guards=fv.KAnonymity(3), methods=[fv.Incognito(), Topmost()], measures=["denied-gap", "loss"]
    )
    values = comparison.values("denied-gap")
    best = comparison.best_position("denied-gap")
    assert values[best] == np.nanmin(values)
    assert len(comparison.pareto("denied-gap", "loss")) >= 1


def test_what_is_not_registered_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(fv.BadInput, match="did you mean 'not-too-large'"):
        fv.guards.GUARDS.get("not-to-large")
    with pytest.raises(fv.BadInput, match="a guard 'k-anonymity' already exists"):

        @fv.guards.register
        @dataclass(frozen=True)
        class Twice(NotTooLarge):
            kind: ClassVar[str] = "k-anonymity"

    fv.methods.METHODS.unregister("topmost")
    with pytest.raises(fv.BadInput, match="no method 'topmost'"):
        fv.Plan.from_toml(PLAN, tmp_path)
    fv.methods.METHODS.register(Topmost)


def test_the_method_from_outside_keeps_the_contract(tmp_path: Path) -> None:
    frontier = fv.search(source(), SCHEMA, guards=fv.KAnonymity(3), method=Topmost())
    once = contents(frontier.release(0).save(tmp_path / "once").path)
    again = fv.search(source(), SCHEMA, guards=fv.KAnonymity(3), method=Topmost())
    assert contents(again.release(0).save(tmp_path / "again").path) == once
    assert frontier.release(0).holds and fv.verify(tmp_path / "once")


@dataclass(frozen=True)
class Named:
    name: str


def test_the_rest_of_a_registry_is_loaded_once_and_only_when_asked_for() -> None:
    loads: list[int] = []

    def rest() -> list[Named]:
        loads.append(1)
        return [Named("second"), Named("third")]

    parts = Registry("part", [Named("first")], further=rest)
    assert parts.get("first").name == "first" and "first" in parts and not loads
    assert parts.get("third").name == "third" and parts.names == ["first", "second", "third"]
    assert parts.own == {"first", "second", "third"} and len(loads) == 1
    with pytest.raises(fv.BadInput, match="already exists"):
        Registry("part", [Named("first")], further=rest).register(Named("second"))
    other = Registry("part", [Named("first")], further=rest)
    other.register(Named("mine"))
    assert other.names == ["first", "second", "third", "mine"] and "mine" not in other.own
    assert [part.name for part in other.among(["mine"])] == other.names
    other.unregister("second")
    assert "second" not in other and other.names == ["first", "third", "mine"]


@pytest.mark.parametrize("package", [fv.guards, fv.measures, fv.methods])
def test_every_public_name_of_a_package_is_there_and_no_other(package: Any) -> None:
    assert [name for name in package.__all__ if not hasattr(package, name)] == []
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = package.nothing


def test_a_name_is_loaded_from_its_module() -> None:
    load = postponed("fairveil.guards", ["closeness.TCloseness"])
    assert load("TCloseness") is fv.TCloseness
    with pytest.raises(AttributeError, match="has no attribute 'KAnonymity'"):
        load("KAnonymity")
