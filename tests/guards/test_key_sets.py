"""Guards on key sets, against definitions written out with plain Python on small random tables."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil import guards, toml
from fairveil.cli.check import guard_of, spelled_guard
from fairveil.counting.cells import classes_of
from fairveil.guards import Guard
from fairveil.guards.key_sets import KeyedGuard
from fairveil.methods import METHODS
from fairveil.run.plan import Plan
from tests.contracts.people import SCHEMA, quick, source
from tests.known import ANY_DANGER, levels_of

QUASI = ("a", "b", "c")
TREES = {
    "a": {str(n): [str(n), f"{n // 2}x", "*"] for n in range(6)},
    "b": {str(n): [str(n), "*"] for n in range(3)},
    "c": {str(n): [str(n), f"{n // 2}y", "*"] for n in range(4)},
}
ROLES = fv.Schema(
    quasi=QUASI, sensitive=["s"], hierarchies={n: fv.hierarchy.from_rows(t.values()) for n, t in TREES.items()}
)
Row = tuple[str, ...]


def people(seed: int, rows: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = {n: rng.geometric(0.4, rows).clip(max=len(t)) - 1 for n, t in TREES.items()}
    return pd.DataFrame({**frame, "s": rng.integers(0, 3, rows)}).astype(str)


def generalized(frame: pd.DataFrame, node: Sequence[int]) -> list[Row]:
    rows = frame.itertuples(index=False)
    return [(*(TREES[n][v][at] for n, v, at in zip(QUASI, row, node, strict=False)), row[3]) for row in rows]


def keeps_k(group: list[Row], everybody: list[Row], k: float) -> bool:
    return len(group) >= k


def keeps_l(group: list[Row], everybody: list[Row], l: float) -> bool:  # noqa: E741
    return len({row[3] for row in group}) >= l


def keeps_entropy(group: list[Row], everybody: list[Row], l: float) -> bool:  # noqa: E741
    shares = [n / len(group) for n in Counter(row[3] for row in group).values()]
    return math.exp(-sum(p * math.log(p) for p in shares)) >= l - 1e-9


def keeps_recursive(group: list[Row], everybody: list[Row], c: float) -> bool:
    counts = sorted(Counter(row[3] for row in group).values(), reverse=True)
    return counts[0] < c * sum(counts[1:])


def keeps_t(group: list[Row], everybody: list[Row], t: float) -> bool:
    here, there = (Counter(row[3] for row in rows) for rows in (group, everybody))
    return sum(abs(here[v] / len(group) - there[v] / len(everybody)) for v in there) / 2 <= t + 1e-9


Keeps = Callable[[list[Row], list[Row], float], bool]


def left(rows: list[Row], sets: dict[tuple[str, ...], float], keeps: Keeps) -> list[Row]:
    """The rows that stay when those that break a key set are taken out, again and again."""
    while True:
        groups: dict[Row, dict[Row, list[Row]]] = {names: defaultdict(list) for names in sets}
        for row, names in product(rows, sets):
            groups[names][tuple(row[QUASI.index(n)] for n in names)].append(row)
        bad = {
            tuple(row[:3]) for names, bound in sets.items() for group in groups[names].values()
            if not keeps(group, rows, bound) for row in group
        }  # fmt: skip
        if not bad:
            return rows
        rows = [row for row in rows if tuple(row[:3]) not in bad]


def nodes_of(found: fv.Frontier) -> set[tuple[int, ...]]:
    return {tuple(map(int, node)) for node in found.nodes}


PAIRS: dict[Row, float] = dict.fromkeys(combinations(QUASI, 2), 6.0)
ALL: dict[Row, float] = {**{(n,): 12.0 for n in QUASI}, **dict.fromkeys(PAIRS, 7.0), QUASI: 3.0}
ASKED: list[tuple[KeyedGuard, dict[tuple[str, ...], float], Keeps]] = [
    (fv.KAnonymity(6, keys=[["a", "b"], ["c"]]), {("a", "b"): 6, ("c",): 6}, keeps_k),
    (fv.KAnonymity(6, subsets=2), PAIRS, keeps_k),
    (fv.KAnonymity(3, subsets={2: 7, 1: 12}), ALL, keeps_k),
    (fv.KAnonymity(2, keys=["c+a:9"]), {("a", "c"): 9, QUASI: 2}, keeps_k),
    (fv.DistinctDiversity(3, subsets=1), {(n,): 3.0 for n in QUASI}, keeps_l),
    (fv.EntropyDiversity(1.5, keys=[["a", "b"]]), {("a", "b"): 1.5}, keeps_entropy),
    (fv.RecursiveDiversity(4.0, 2, keys=[["a", "b"], ["c"]]), {("a", "b"): 4.0, ("c",): 4.0}, keeps_recursive),
    (fv.TCloseness(0.4, keys=[{"columns": ["a"], "t": 0.2}, ["b", "c"]]), {("a",): 0.2, ("b", "c"): 0.4}, keeps_t),
]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: str(asked[0].to_dict()))
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("share", [0.0, 0.25])
def test_exactly_the_nodes_of_the_definition_are_found(asked: Any, seed: int, share: float) -> None:
    guard, sets, keeps = asked
    frame = people(seed)
    lattice = list(product(*(range(len(next(iter(TREES[n].values())))) for n in QUASI)))
    rest = {node: left(generalized(frame, node), sets, keeps) for node in lattice}
    expected = {node for node, rows in rest.items() if rows and len(frame) - len(rows) <= share * len(frame)}
    asked_for = [guard, fv.KAnonymity(2, keys=[["a"]], suppression=share)] if share else [guard]
    if share:  # a key set that only allows to leave out
        expected = {
            node for node in expected
            if len(frame) - len(left_by_both(generalized(frame, node), sets, keeps)) <= share * len(frame)
        }  # fmt: skip
    for method in (fv.Incognito(), fv.BestFirst(keep=1000)):
        try:
            found = fv.search(frame, ROLES, guards=asked_for, method=method)
        except fv.Infeasible:
            assert not expected
            continue
        assert nodes_of(found) == expected
        release = found.release(0)
        table = release.published.table.to_arrow().to_pylist()
        node = [levels_of(release)[n] for n in QUASI]
        assert all(release.verdicts) and Counter(tuple(map(str, row.values())) for row in table) == Counter(
            left_by_both(generalized(frame, node), sets, keeps) if share else rest[tuple(node)]
        )


def left_by_both(rows: list[Row], sets: dict[tuple[str, ...], float], keeps: Keeps) -> list[Row]:
    """With a second guard that no value of `a` is alone."""
    while (fewer := left(left(rows, sets, keeps), {("a",): 2.0}, keeps_k)) != rows:
        rows = fewer
    return rows


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
@pytest.mark.parametrize("share", [0.0, 0.3])
def test_every_method_keeps_it_or_says_that_it_cannot(method: Any, share: float, tmp_path: Path) -> None:
    asked: list[Guard] = [
        fv.KAnonymity(4, keys=[["age", "sex"], {"columns": ["zip"], "k": 9}], suppression=share),
        fv.DistinctDiversity(2, subsets=2),
    ]
    looks = method.kind != "noisy-table"  # it publishes no sensitive column
    try:
        found = fv.search(source(rows=120), SCHEMA, guards=asked if looks else asked[:1], method=quick(method))
    except fv.BadInput as problem:
        assert method.kind == "dmpd" and "key sets" in str(problem)
        return
    for position in range(min(len(found), 5)):
        release = found.release(position)
        [table] = [table.to_arrow().to_pandas() for table in release.published.tables.values()]
        for names, k in (["age", "sex"], 4), (["zip"], 9):
            assert table.astype(str).groupby(names).size().min() >= k
        for pair in combinations(["zip", "age", "sex"], 2) if looks else ():
            assert table.astype(str).groupby(list(pair))["illness"].nunique().min() >= 2
    assert fv.verify(found.release(0).save(tmp_path / "out", accept=ANY_DANGER).path)


EVERY = [
    fv.KAnonymity(4, subsets=2), fv.KAnonymity(2, subsets={1: 9, 2: 5}), fv.DistinctDiversity(2, subsets=2),
    fv.EntropyDiversity(1.7, subsets=2), fv.RecursiveDiversity(3.0, 2, subsets={2: 4.0, 1: 2.0}),
    fv.TCloseness(0.3, subsets={1: 0.2, 2: 0.4}),
]  # fmt: skip


@pytest.mark.parametrize("guard", EVERY, ids=lambda guard: str(guard.to_dict()))
@pytest.mark.parametrize("unit", ["records", "persons", "linked", "wide"])
@pytest.mark.parametrize("seed", range(3))
def test_all_sets_at_once_are_judged_as_one_by_one(guard: KeyedGuard, unit: str, seed: int, monkeypatch: Any) -> None:
    """As compiled, in copies of the records, and in parts of these, where keys are too wide or copies too many."""
    frame = people(seed, 60).assign(who=np.random.default_rng(seed).integers(0, 30, 60).astype(str))
    if unit == "wide":
        monkeypatch.setattr("fairveil.guards.key_sets.KEY_BITS", 2)
        monkeypatch.setattr("fairveil.guards.key_sets.MAX_COPIED", 100)
    person = {"person": "who"} if unit in ("persons", "linked") else {"drop": ["who"]}
    schema = fv.Schema(quasi=QUASI, sensitive=["s"], pseudonyms=["who"] if unit == "linked" else (), **person)
    classes, _ = classes_of(fv.Table.from_frame(frame), schema)
    passing, breaking = np.ones(len(classes), dtype=bool), np.zeros(len(classes.ids), dtype=bool)
    for columns, alone in guard.key_sets(schema):
        coarser, of_class = classes.by(columns)
        passing &= alone.passing(coarser, schema)[of_class]
        breaking |= alone.breaking(coarser, schema)
    assert guard.passing(classes, schema).tolist() == passing.tolist()
    assert guard.breaking(classes, schema).tolist() == breaking.tolist()


def test_one_set_of_all_columns_is_the_guard_itself() -> None:
    frame = people(0)
    for guard, same in (
        (fv.KAnonymity(3), fv.KAnonymity(3, keys=[QUASI])),
        (fv.KAnonymity(3, suppression=0.3), fv.KAnonymity(3, subsets=3, suppression=0.3)),
        (fv.DistinctDiversity(2), fv.DistinctDiversity(2, keys=[QUASI])),
    ):
        one, other = (fv.search(frame, ROLES, guards=[g, fv.KAnonymity(2, keys=["a"])]) for g in (guard, same))
        assert nodes_of(one) == nodes_of(other)
        assert sorted(one.values("loss")) == pytest.approx(sorted(other.values("loss")))


SPELLED = [
    ("k-anonymity:k=5,keys=age+sex,race+sex:20",
     fv.KAnonymity(5, keys=[["age", "sex"], {"columns": ["race", "sex"], "k": 20}])),
    ("k-anonymity:k=5,subsets=2", fv.KAnonymity(5, subsets=2)),
    ("k-anonymity:k=5,subsets=2:40,3:20", fv.KAnonymity(5, subsets={3: 20, 2: 40})),
    ("t-closeness:t=0.4,keys=age:0.2", fv.TCloseness(0.4, keys=[{"columns": "age", "t": 0.2}])),
]  # fmt: skip


@pytest.mark.parametrize(("text", "guard"), SPELLED, ids=str)
def test_command_line_plan_and_evidence_say_the_same(text: str, guard: KeyedGuard) -> None:
    assert guard_of(*spelled_guard(text)) == guard
    spec = guard.to_dict()
    assert guards.from_dict(json.loads(json.dumps(spec))) == guard
    plan = Plan.from_toml(toml.dumps({"format": 1, "source": {"dataset": "compas"}, "guards": [spec]}))
    assert plan.guards == (guard,) == Plan.from_toml(plan.to_toml()).guards


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"keys": [["age", "sexx"]]}, "no quasi column 'sexx': did you mean 'sex'"),
        ({"keys": [["illness"]]}, "illness"),
        ({"subsets": 4}, "sets of 4 columns, and only 3 are quasi"),
        ({"keys": [3]}, "keys must be a list of columns"),
        ({"keys": [{"columns": ["age"], "l": 3}]}, "key of a key set"),
        ({"keys": [{"columns": ["age"], "k": 1}]}, "at least 2"),
        ({"keys": [[]]}, "keys must be"),
        ({"subsets": 0}, "subsets must be"),
        ({"subsets": {"two": 3}}, "subsets must be"),
        ({"subsets": [2, 3]}, "of a key set"),
        ({"keys": 3}, "must be a list of key sets"),
        ({"subsets": {2: 500}}, "k=500 is more than"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_by_name(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(fv.BadInput, match=message):
        fv.search(source(), SCHEMA, guards=[fv.KAnonymity(3, **settings)])


def test_verify_recomputes_key_sets_from_the_file(tmp_path: Path) -> None:
    guard = fv.KAnonymity(3, keys=[{"columns": ["age", "sex"], "k": 9}])
    found = fv.search(source(rows=200), SCHEMA, guards=[guard])
    folder = found.best("loss").save(tmp_path / "out", accept=ANY_DANGER).path
    assert fv.verify(folder)
    evidence = json.loads((folder / "evidence.json").read_text())
    asked = evidence["guards"][0]["keys"][0]
    asked["k"] = 199
    (folder / "evidence.json").write_text(json.dumps(evidence))
    assert not fv.verify(folder)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("share", [0.0, 0.3])
def test_persons_are_counted_on_key_sets(seed: int, share: float) -> None:
    frame = people(seed).assign(who=np.random.default_rng(seed).integers(0, 25, 40).astype(str))
    schema = fv.Schema(quasi=QUASI, sensitive=["s"], person="who", hierarchies=ROLES.hierarchies)
    sets = (("a", "b"), ("c",))
    expected = set()
    for node in product(range(3), range(2), range(3)):
        rows = [(*row, who) for row, who in zip(generalized(frame, node), frame["who"], strict=True)]
        while True:
            small = set()
            for names in sets:
                groups = defaultdict(list)
                for row in rows:
                    groups[tuple(row[QUASI.index(n)] for n in names)].append(row[4])
                small |= {who for group in groups.values() if len(set(group)) < 5 for who in group}
            if not small:
                break
            rows = [row for row in rows if row[4] not in small]
        if rows and len(frame) - len(rows) <= share * len(frame):
            expected.add(node)
    try:
        found = fv.search(frame, schema, guards=[fv.KAnonymity(5, keys=sets, suppression=share)])
        assert nodes_of(found) == expected
    except fv.Infeasible:
        assert not expected
    risk = next(r for r in fv.key_risks(frame, schema, size=2) if r.columns == ("a", "b"))
    assert risk.smallest == frame.groupby(["a", "b"])["who"].nunique().min()
