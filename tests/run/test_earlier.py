"""Publishing again: all nodes that stay safe together with earlier releases, by plain counting of matched people."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil import toml
from fairveil.methods import METHODS
from fairveil.run.plan import Plan
from tests.contracts.people import SCHEMA, quick, source
from tests.guards.test_key_sets import QUASI, ROLES, TREES, people
from tests.known import ANY_DANGER, levels_of

K = 3
LATTICE = list(product(range(3), range(2), range(3)))
OTHER_TREES = fv.hierarchy.from_rows([str(n), "low" if n < 3 else "high", "*"] for n in range(6))
SCHEMA_OF_PEOPLE = fv.Schema(quasi=QUASI, sensitive=["s"], identifier=["id"], hierarchies=ROLES.hierarchies)


def numbered(seed: int, rows: int = 60) -> pd.DataFrame:
    return people(seed, rows).assign(id=[f"p{i}" for i in range(rows)])


def published(frame: pd.DataFrame, node: Any) -> dict[str, tuple[str, ...]]:
    """Everybody's class at a node."""
    return {
        row.id: tuple(TREES[name][getattr(row, name)][at] for name, at in zip(QUASI, node, strict=True))
        for row in frame.itertuples()
    }


def in_release(release: fv.Release, frame: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    """Everybody's class in a release, read off its rows."""
    rows, names = release.source_rows, [n for n in QUASI if n in release.table.names]
    assert rows is not None
    shown = release.table.to_arrow().select(names).to_pylist()
    return {frame["id"].iloc[row]: tuple(map(str, values.values())) for row, values in zip(rows, shown, strict=True)}


def left(now: dict[str, tuple[str, ...]], past: list[dict[str, tuple[str, ...]]]) -> set[str]:
    """Who stays when all in joint classes below k are left out."""
    joint = {person: (shown, *(p.get(person) for p in past)) for person, shown in now.items()}
    sizes = Counter(joint.values())
    return {person for person, classes in joint.items() if sizes[classes] >= K}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("share", [0.0, 0.3])
@pytest.mark.parametrize("past", ["one", "two", "suppressed", "changed", "recoded"])
def test_all_nodes_that_are_safe_together_are_found(seed: int, share: float, past: str, tmp_path: Path) -> None:
    everybody = numbered(seed)
    old, new = everybody.iloc[:42], everybody.iloc[12:]
    schema = SCHEMA_OF_PEOPLE
    if past == "recoded":
        schema = fv.Schema(quasi=QUASI, sensitive=["s"], identifier=["id"],
                           hierarchies={**ROLES.hierarchies, "a": OTHER_TREES})  # fmt: skip
    guard = fv.KAnonymity(K, suppression=0.2 if past == "suppressed" else 0.0)
    found = fv.search(old, schema, guards=[guard])
    releases = [found.best("loss")] + ([found.release(len(found) // 2)] if past == "two" else [])
    before = [in_release(release, old) for release in releases]
    if past == "changed":
        new = new.assign(b=np.random.default_rng(seed).permutation(new["b"]))
    expected = set()
    for node in LATTICE:
        now = published(new, node)
        kept = left(now, before)
        if kept and len(now) - len(kept) <= share * len(now) + 1e-9:
            expected.add(node)
    folders = [release.save(tmp_path / str(n), accept=ANY_DANGER).path for n, release in enumerate(releases)]
    earlier = [fv.Earlier(str(folder), source=old, key="id") for folder in folders]
    for given in (earlier, [fv.Earlier(release, source=old, key="id") for release in releases]):
        for method in (fv.Incognito(), fv.BestFirst(keep=100)):
            try:
                again = fv.search(
                    new, SCHEMA_OF_PEOPLE, guards=[fv.KAnonymity(K, suppression=share)], method=method, earlier=given
                )
            except fv.Infeasible as problem:
                assert not expected and "across all releases" in str(problem)
                continue
            assert {tuple(map(int, node)) for node in again.nodes} == expected
            release = again.best("loss")
            now = published(new, [levels_of(release)[n] for n in QUASI])
            assert in_release(release, new).keys() == left(now, before)
    if expected:
        assert fv.verify(release.save(tmp_path / "again", accept=ANY_DANGER).path)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
def test_every_method_keeps_it_beside_an_earlier_release_or_says_that_it_cannot(method: Any, tmp_path: Path) -> None:
    frame = source(rows=160).to_pandas()
    old, new = frame.iloc[:120], frame.iloc[30:]
    first = fv.search(old, SCHEMA, guards=[fv.KAnonymity(3)]).best("loss")
    given = [fv.Earlier(str(first.save(tmp_path / "first", accept=ANY_DANGER).path), source=old, key="name")]
    try:
        again = fv.search(new, SCHEMA, guards=[fv.KAnonymity(3)], method=quick(method), earlier=given)
    except fv.BadInput as problem:
        assert method.kind in ("dmpd", "noisy-table") and "earlier releases" in str(problem)
        return
    for position in range(min(len(again), 4)):
        release = again.release(position)
        sides = []
        for side, rows in ((first, old), (release, new)):
            shown = side.table.to_arrow().select(["zip", "age", "sex"]).to_pylist()
            assert side.source_rows is not None
            sides.append(
                {
                    rows["name"].iloc[r]: tuple(map(str, v.values()))
                    for r, v in zip(side.source_rows, shown, strict=True)
                }
            )
        joint = Counter((shown, sides[0].get(person)) for person, shown in sides[1].items())
        assert min(joint.values()) >= 3
    folder = again.release(0).save(tmp_path / "again", accept=ANY_DANGER).path
    assert fv.verify(folder)
    files = [file.read_text() for file in folder.iterdir()]
    seal = json.loads((tmp_path / "first" / "evidence.json").read_text())["seal"]
    assert any(f"together with the earlier release {seal[:16]}" in text for text in files)
    assert not any("earlier\\u" in text or "\0" in text or "of the data are in it" in text for text in files)


def test_a_plan_names_earlier_releases_and_the_owner_is_told_what_the_past_gives_away(tmp_path: Path) -> None:
    everybody = numbered(1)
    old, new = everybody.iloc[:42], everybody.iloc[12:]
    for name, frame in (("old.csv", old), ("new.csv", new)):
        frame.to_csv(tmp_path / name, index=False)
    roles = {"quasi": list(QUASI), "sensitive": ["s"], "identifier": ["id"]}
    rules = {name: {"kind": "suppress"} for name in QUASI}
    plan: dict[str, Any] = {"format": 1, "source": {"path": "old.csv"}, "schema": roles, "hierarchies": rules,
                            "guards": [{"kind": "k-anonymity", "k": K, "suppression": 0.4}]}  # fmt: skip
    first = Plan.from_toml(toml.dumps(plan), tmp_path)
    first.search()[0].best("loss").save(tmp_path / "first", accept=ANY_DANGER)
    plan |= {"source": {"path": "new.csv"}, "earlier": [{"release": "first", "source": "old.csv", "key": "id"}]}
    again = Plan.from_toml(toml.dumps(plan), tmp_path)
    assert again.earlier == (fv.Earlier("first", "old.csv", "id"),) == Plan.from_toml(again.to_toml(), tmp_path).earlier
    release = again.search()[0].best("loss")
    assert any("records of the data are in it" in note for note in release.private)
    assert any("who are not in the data" in note for note in release.private)
    without = {**plan, "earlier": [{"release": "first"}]}
    notes = Plan.from_toml(toml.dumps({**without, "source": {"path": "old.csv"}}), tmp_path).search()[0].best("loss")
    assert any("its source is not given" in note for note in notes.private)
    with pytest.raises(fv.BadInput, match="nothing says whose"):  # some of those who look alike are new
        Plan.from_toml(toml.dumps(without), tmp_path).search()


@pytest.mark.parametrize("seed", range(4))
def test_whose_records_were_left_out_is_judged_again(seed: int, tmp_path: Path) -> None:
    """Persons are left out whole, so that of records that look alike some are released and some are not."""
    rng = np.random.default_rng(seed)
    who = np.sort(rng.integers(0, 60, 150))
    visits = people(seed, 60).clip(upper="2").iloc[who].assign(id=[f"p{n}" for n in who]).reset_index(drop=True)
    visits.loc[:2, "a"] = "5"  # somebody who is left out, although their other records look like those of others
    schema = fv.Schema(quasi=QUASI, sensitive=["s"], person="id", hierarchies=ROLES.hierarchies)
    guard = fv.KAnonymity(K, suppression=0.4)
    release = fv.search(visits, schema, guards=[guard]).best("loss")
    folder = release.save(tmp_path / "first", accept=ANY_DANGER).path
    assert release.published.rows < len(visits)
    answers = []
    for given in (release, str(folder)):
        again = fv.search(visits, schema, guards=[guard], earlier=[fv.Earlier(given, source=visits)])
        answers.append((again.nodes.tolist(), again.best("loss").table.to_arrow().to_pylist()))
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("earlier", "message"),
    [
        ([{"release": "first", "source": "old.csv", "key": "nummer"}], "nummer"),
        ([{"release": "first", "source": "old.csv"}], "name a column that both have"),
        ([{"release": "nothing"}], "nothing"),
        ([{"source": "old.csv"}], "release"),
        ([{"release": 3}], "the folder of a release"),
        ([{"release": "first", "sourc": "old.csv"}], "sourc"),
    ],
)
def test_what_makes_no_sense_is_refused(earlier: Any, message: str, tmp_path: Path) -> None:
    old, new = numbered(1).iloc[:42], numbered(1).iloc[12:]
    old.to_csv(tmp_path / "old.csv", index=False)
    new.to_csv(tmp_path / "new.csv", index=False)
    fv.search(old, SCHEMA_OF_PEOPLE, guards=[fv.KAnonymity(3)]).best("loss").save(tmp_path / "first", accept=ANY_DANGER)
    plan = {"format": 1, "source": {"path": "new.csv"}, "schema": {"quasi": list(QUASI), "drop": ["s", "id"]},
            "guards": [{"kind": "k-anonymity", "k": 3}], "earlier": earlier}  # fmt: skip
    with pytest.raises(fv.BadInput, match=message):
        Plan.from_toml(toml.dumps(plan), tmp_path).search()


def test_k_must_be_promised_on_all_columns() -> None:
    frame = numbered(0)
    first = fv.search(frame, SCHEMA_OF_PEOPLE, guards=[fv.KAnonymity(3)]).best("loss")
    with pytest.raises(fv.BadInput, match="earlier releases need"):
        fv.search(frame, SCHEMA_OF_PEOPLE, guards=[fv.DistinctDiversity(2)], earlier=[first])


VALUE_GUARDS: list[Any] = [
    fv.DistinctDiversity(2),
    fv.EntropyDiversity(1.6),
    fv.RecursiveDiversity(2.0, 2),
    fv.TCloseness(0.4),
]


def keeps(guard: Any, values: list[str], everybody: list[str]) -> bool:
    """Whether the values of a joint class keep a guard, from the definitions."""
    counts = sorted(Counter(values).values(), reverse=True)
    if guard.kind == "distinct-diversity":
        return len(counts) >= guard.l
    if guard.kind == "entropy-diversity":
        return float(np.exp(-sum(n / len(values) * np.log(n / len(values)) for n in counts))) >= guard.l - 1e-9
    if guard.kind == "recursive-diversity":
        return counts[0] < guard.c * sum(counts[guard.l - 1 :])
    shares, whole = Counter(values), Counter(everybody)
    gap = sum(abs(shares[v] / len(values) - whole[v] / len(everybody)) for v in whole) / 2
    return gap <= guard.t + 1e-9


@pytest.mark.parametrize("guard", VALUE_GUARDS, ids=lambda guard: guard.kind)
def test_sensitive_values_are_guarded_together_with_earlier_releases(guard: Any) -> None:
    narrowed = 0
    for seed in range(4):
        everybody = numbered(seed)
        old, new = everybody.iloc[:42], everybody.iloc[12:]
        first = fv.search(old, SCHEMA_OF_PEOPLE, guards=[fv.KAnonymity(K)]).best("loss")
        before, value = in_release(first, old), dict(zip(new["id"], new["s"].astype(str), strict=True))
        expected: set[tuple[int, ...]] = set()
        alone: set[tuple[int, ...]] = set()
        for node in LATTICE:
            now = published(new, node)
            for past, safe in ((before, expected), ({}, alone)):
                joint: dict[Any, list[str]] = {}
                for person, shown in now.items():
                    joint.setdefault((shown, past.get(person)), []).append(value[person])
                if all(len(v) >= K and keeps(guard, v, list(value.values())) for v in joint.values()):
                    safe.add(node)
        given = [fv.Earlier(first, source=old, key="id")]
        try:
            again = fv.search(new, SCHEMA_OF_PEOPLE, guards=[fv.KAnonymity(K), guard], earlier=given)
            assert {tuple(map(int, node)) for node in again.nodes} == expected
            assert any(guard.title in note and "earlier release" in note for note in again.best("loss").notes)
        except fv.Infeasible:
            assert not expected
        narrowed += expected != alone
    assert narrowed
