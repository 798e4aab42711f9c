"""Sensitive values where people have several records: what guards promise, and what attacks find, from the definitions,
one set of persons at a time."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.attacks import ATTACKS, tried
from fairveil.counting.cells import Classes
from fairveil.guards import GUARDS
from fairveil.guards.cover_kernels import smallest_covers
from fairveil.guards.diversity import fewest_values
from fairveil.guards.guard import SensitiveGuard
from fairveil.guards.key_sets import KeyedGuard
from fairveil.release.release import Release
from tests.contracts.people import quick
from tests.contracts.test_persons import COUNTING, PERSONS, WAYS, visits
from tests.known import ANY_DANGER

Having = Mapping[Any, set[Any]]
"""The values of each person of a class."""

STRICT: dict[str, SensitiveGuard] = {
    "distinct-diversity": fv.DistinctDiversity(2),
    "entropy-diversity": fv.EntropyDiversity(1.5),
    "recursive-diversity": fv.RecursiveDiversity(3.0, 2),
    "t-closeness": fv.TCloseness(0.3),
}
"""Each guard of sensitive columns, with settings under which no class may have a value that everybody has, as long as
nine in ten of all people do not."""


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEIL_KEY", "a key for tests alone")


def test_every_guard_of_sensitive_columns_is_here() -> None:
    kinds = {guard.kind for guard in GUARDS if issubclass(guard, SensitiveGuard)}
    assert kinds == set(STRICT)
    assert {kind for kind in kinds if "homogeneity" in type(STRICT[kind]).covers} == kinds


def fewest(having: Having) -> int:
    """The fewest values of which everybody has one."""
    every = sorted(set().union(*having.values()))
    return next(
        number
        for number in range(1, len(every) + 1)
        if any(all(set(chosen) & own for own in having.values()) for chosen in combinations(every, number))
    )


def certain_after(having: Having, ruled_out: int) -> bool:
    """Whether somebody who knows so many values that a person does not have may be certain of one."""
    every = sorted(set().union(*having.values()))
    for chosen in combinations(every, min(ruled_out, len(every))):
        left = [own for own in having.values() if not own & set(chosen)]
        if left and set.intersection(*left):
            return True
    return False


def random_class(rng: np.random.Generator) -> dict[int, set[int]]:
    values, people, most = (int(rng.integers(*limits)) for limits in ((2, 7), (1, 8), (1, 4)))
    return {
        person: set(rng.choice(values, min(int(rng.integers(1, most + 1)), values), replace=False).tolist())
        for person in range(people)
    }


def test_distinct_values_are_those_that_remain_if_one_of_each_person_is_counted() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        groups = [random_class(rng) for _ in range(4)]
        cells = [(c, 10 * c + p, v) for c, having in enumerate(groups) for p, own in having.items() for v in own]
        ids, who, what = map(np.array, zip(*rng.permutation(cells).tolist(), strict=True))
        classes = Classes(ids, np.ones(len(ids), dtype=np.int64), np.bincount(ids), {"who": who, "what": what},
                          {"who": 40, "what": 7}, {})  # fmt: skip
        expected = [fewest(having) for having in groups]
        assert fewest_values(classes, "what", False, "who", 7).tolist() == expected
        assert (np.minimum(fewest_values(classes, "what", False, "who", 2), 2) == np.minimum(expected, 2)).all()


def test_the_search_for_fewest_values_computes_what_it_says_in_python() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        groups = [list(random_class(rng).values()) for _ in range(5)]
        people = [sorted(own) for group in groups for own in group]
        values, starts = np.concatenate(people), np.cumsum([0, *map(len, people)])
        firsts, limits = np.cumsum([0, *map(len, groups)]), rng.integers(1, 5, len(groups))
        compiled = smallest_covers(values, starts, firsts, 7, limits)
        assert (compiled == smallest_covers.py_func(values, starts, firsts, 7, limits)).all()
        exact = np.array([fewest(dict(enumerate(group))) for group in groups])
        assert (compiled <= exact).all() and (compiled >= np.minimum(exact, limits)).all()


def test_ruling_out_values_is_what_the_number_promises() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        having = random_class(rng)
        number = fewest(having)
        assert not any(certain_after(having, ruled_out) for ruled_out in range(number - 1))
        assert certain_after(having, number - 1)


def shares(having: Having) -> dict[Any, float]:
    return {v: sum(v in own for own in having.values()) / len(having) for v in set().union(*having.values())}


def entropy(having: Having) -> float:
    of_value = shares(having)
    total = sum(of_value.values())
    effective = math.exp(-sum(p / total * math.log(p / total) for p in of_value.values()))
    return effective if total <= 1 + 1e-9 else min(effective, 1 / max(of_value.values()))


def recursive(having: Having, first: int) -> float:
    counts = sorted((round(share * len(having)) for share in shares(having).values()), reverse=True)
    tail = min(sum(counts[first - 1 :]), len(having) - counts[0])
    return counts[0] / tail if tail else math.inf


def gap(having: Having, whole: Having) -> float:
    here, overall = shares(having), shares(whole)
    differences = [here.get(value, 0.0) - share for value, share in overall.items()]
    return max(sum(max(difference, 0.0) for difference in differences), -min(differences))


HOLDS: dict[str, Callable[[Having, Having], bool]] = {
    "distinct-diversity": lambda having, whole: fewest(having) >= 2,
    "entropy-diversity": lambda having, whole: entropy(having) >= 1.5 - 1e-9,
    "recursive-diversity": lambda having, whole: recursive(having, 2) < 3.0,
    "t-closeness": lambda having, whole: gap(having, whole) <= 0.3 + 1e-9,
}
SCHEMA = fv.Schema(
    quasi=["a", "b"], sensitive=["v"], person="who",
    hierarchies={"a": fv.hierarchy.tree({"*": {"x": ["1", "2"], "y": ["3"]}}),
                 "b": fv.hierarchy.tree({"*": {"u": ["1", "2"], "w": ["3"]}})},
)  # fmt: skip


def small(seed: int, people: int = 8, rows: int = 26) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    home = rng.choice(list("123"), (people, 2))
    who = np.concatenate([np.arange(people), rng.integers(0, people, rows - people)])
    moved = rng.random((rows, 2)) < 0.3
    keys = np.where(moved, rng.choice(list("123"), (rows, 2)), home[who])
    return pd.DataFrame({"who": who, "a": keys[:, 0], "b": keys[:, 1], "v": rng.choice(list("pqr"), rows)})


def having_of(frame: pd.DataFrame) -> Having:
    having = defaultdict(set)
    for person, value in zip(frame["who"], frame["v"], strict=True):
        having[person].add(value)
    return having


def nodes_by_hand(frame: pd.DataFrame, kind: str, budget: int) -> set[tuple[int, ...]]:
    """All generalizations whose classes keep the guard, leaving out persons of classes that do not, again and again."""
    table = fv.Table.from_frame(frame)
    levels, nodes = SCHEMA.bind(table), set()
    for node in product(range(3), repeat=2):
        keys = [
            levels[n].codes[at][fv.Table.from_frame(frame).column(n).codes] for n, at in zip("ab", node, strict=True)
        ]
        recoded, kept = frame.assign(a=keys[0], b=keys[1]), np.ones(len(frame), dtype=bool)
        while kept.any():
            left, bad = recoded[kept], set()
            for _, members in left.groupby(["a", "b"]):
                few = members["who"].nunique() < 2
                if few or not HOLDS[kind](having_of(members), having_of(left)):
                    bad |= set(members["who"])
            if not bad:
                break
            kept &= ~frame["who"].isin(bad).to_numpy()
        if kept.any() and (~kept).sum() <= budget:
            nodes.add(node)
    return nodes


@pytest.mark.parametrize("suppression", [0.0, 0.3])
@pytest.mark.parametrize("kind", STRICT)
def test_searches_find_all_generalizations_that_persons_allow(kind: str, suppression: float) -> None:
    found_any = 0
    for seed in range(6):
        frame, k = small(seed), fv.KAnonymity(2, suppression=suppression)
        expected = nodes_by_hand(frame, kind, k.budget(len(frame)))
        try:
            found = fv.search(frame, SCHEMA, guards=[k, STRICT[kind]], method=fv.Incognito())
            nodes = {tuple(found.release(at).recipe.to_dict()["levels"].values()) for at in range(len(found))}
        except fv.Infeasible:
            nodes = set()
        assert nodes == expected, seed
        found_any += bool(nodes)
    assert found_any


def test_merging_classes_may_break_what_both_keep() -> None:
    """p has x in one class and y in the other, q the other way round: together, everybody has both."""
    frame = pd.DataFrame({"who": list("pqpqrsrs"), "a": list("11223333"), "b": ["1"] * 8, "v": list("xyyxxyxy")})
    nodes = fv.search(frame, SCHEMA, guards=[fv.DistinctDiversity(2)], method=fv.Incognito())
    levels = {nodes.release(at).recipe.to_dict()["levels"]["a"] for at in range(len(nodes))}
    assert levels == {0, 2}  # with r and s, two values are needed again


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", STRICT)
def test_what_a_guard_covers_no_attack_by_persons_finds(kind: str, way: str, tmp_path: Path) -> None:
    releases = 0
    for seed in range(3):
        frame, schema = visits(seed), WAYS[way](PERSONS)
        guards = [fv.KAnonymity(2, suppression=0.5), STRICT[kind]]
        try:
            release = fv.search(frame, schema, guards=guards, method=fv.Incognito()).best("loss")
        except fv.Infeasible:
            continue
        releases += 1
        for finding in fv.attack(release, original=frame):
            if finding.attack not in STRICT[kind].covers or finding.attack != "homogeneity":
                continue
            if kind == "t-closeness":  # a class may have all of a value that nearly everybody has: it promises no more
                assert finding.level != "danger" or finding.baseline >= 1 - 0.3 - 1e-9
            else:
                assert finding.level != "danger" and finding.best < 1
        saved = release.save(tmp_path / str(seed), accept=ANY_DANGER)
        assert fv.verify(saved.path)
        dangers = [f for f in tried(saved.evidence) if f["level"] == "danger" and f["attack"] == "homogeneity"]
        assert not dangers or kind == "t-closeness"
    assert releases


@pytest.mark.parametrize("method", COUNTING, ids=lambda method: method.kind)
def test_a_release_is_attacked_by_persons_when_it_is_made(method: Any, tmp_path: Path) -> None:
    """As `attack` does with the original. Nobody guards the illness here: what is found must be accepted."""
    frame = visits(2)
    try:
        release = fv.search(frame, PERSONS, guards=[fv.KAnonymity(2)], method=quick(method)).best("loss")
    except fv.Infeasible:
        pytest.skip("this method finds nothing here")
    by_person = [attack.name for attack in ATTACKS if attack.cheap and attack.by_person]
    expected = fv.attack(release, original=frame, only=by_person)
    assert "records are counted" not in expected[0].verdict
    assert release.findings_by_persons.to_dict()["attacks"] == expected.to_dict()["attacks"]
    saved = release.save(tmp_path / "out", accept=ANY_DANGER)
    stated = [(f["attack"], f["level"]) for f in saved.evidence["by_persons"]]
    assert stated == [(f.attack, f.level) for f in expected]
    assert fv.verify(saved.path)


@pytest.mark.parametrize("guarded", [True, False])
def test_beside_an_earlier_release_too(guarded: bool, tmp_path: Path) -> None:
    """Classes of the past are in what is judged, and in nothing that is published."""
    frame = visits(1, people=40, rows=120)
    names = sorted(frame["name"].unique())
    old, new = frame[frame["name"].isin(names[:30])], frame[frame["name"].isin(names[8:])]
    k = fv.KAnonymity(2, suppression=0.9)
    first = fv.search(old, PERSONS, guards=[k], method=fv.Incognito()).best("loss")
    guards = [k, fv.DistinctDiversity(2)] if guarded else [k]
    found = fv.search(new, PERSONS, guards=guards, method=fv.Incognito(), earlier=[fv.Earlier(first, source=old)])
    release = found.best("loss")
    assert release.suppressed
    tried_by_persons = {finding.attack for finding in release.findings_by_persons}
    assert {"homogeneity", "reidentification"} <= tried_by_persons
    assert fv.verify(release.save(tmp_path / "out", accept=ANY_DANGER).path)


def homogeneous() -> tuple[Release, pd.DataFrame]:
    """Everybody has had the flu, and each something else: no class has one value only, by records."""
    frame = pd.DataFrame({"who": np.repeat(np.arange(8), 2), "x": np.repeat(list("aabb") * 2, 2),
                          "v": ["flu", "pox", "flu", "cold"] * 4})  # fmt: skip
    frame.loc[frame["x"] == "b", "v"] = ["flu", "pox", "cold", "pox", "flu", "cold", "cold", "flu"]
    schema = fv.Schema(quasi=["x"], sensitive=["v"], person="who")
    return fv.search(frame, schema, guards=[fv.KAnonymity(2)], method=fv.Incognito()).best("loss"), frame


def test_a_danger_by_persons_must_be_accepted_and_is_said(tmp_path: Path) -> None:
    release, frame = homogeneous()
    assert fv.attack(release).of("homogeneity").level == "ok"  # by records
    with pytest.raises(fv.Danger, match="everybody in a class has the same value in some record"):
        release.save(tmp_path / "refused")
    saved = release.save(tmp_path / "out", accept=["homogeneity"])
    assert fv.verify(saved.path)
    report = (saved.path / "report.html").read_text(encoding="utf-8")
    assert "No attack that was tried is a danger" not in report
    assert "attacks on the release are a danger" in report
    assert not fv.check(frame, release.schema, [fv.DistinctDiversity(2)])[0].holds


def test_key_sets_are_judged_by_persons_too() -> None:
    _, frame = homogeneous()
    frame["y"] = "all"
    schema = fv.Schema(quasi=["x", "y"], sensitive=["v"], person="who")
    for guard in STRICT.values():
        assert isinstance(guard, KeyedGuard)
    [verdict] = fv.check(frame, schema, [fv.DistinctDiversity(2, keys=[["x"]])])
    assert not verdict.holds
    [verdict] = fv.check(frame, schema, [fv.DistinctDiversity(2, keys=[["y"]])])
    assert verdict.holds
