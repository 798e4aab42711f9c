"""How many may be left out is a share of the persons, where persons are counted: by every method, guard and engine,
against sets of persons counted by hand, in the evidence and by `verify`."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.guards import GUARDS, Guard
from fairveil.methods import METHODS, Method
from fairveil.published.folder import seal
from fairveil.release.release import Release
from tests.contracts.people import quick
from tests.known import ANY_DANGER

COUNTING = [method for method in METHODS if method.counts_persons]
LEVELS = {name: fv.hierarchy.tree({"*": {"x": ["1", "2"], "y": ["3", "4"]}}) for name in "ab"}
SCHEMA = fv.Schema(
    quasi=["a", "b"], person="who", protected=["sex"], plain=["sex"], decision="credit", denied="no",
    hierarchies=LEVELS, population=fv.Population(fraction=0.5),
)  # fmt: skip
SUPPRESSING: list[Guard] = [
    fv.KAnonymity(4, suppression=0.3), fv.KAnonymity(2, suppression=0.3, keys=[["a"], ["a", "b"]]),
    fv.KMap(5, suppression=0.3),
]  # fmt: skip


def records(seed: int, often: str) -> pd.DataFrame:
    """40 people with one or six records; those with `rare` or `common` values have the most."""
    rng = np.random.default_rng(seed)
    rare = rng.random(40) < 0.4
    times = np.where(rare == (often == "rare"), 6, 1)
    a = np.where(rare, rng.choice(list("34"), 40), rng.choice(list("12"), 40))
    b = np.where(rare, rng.choice(list("1234"), 40), rng.choice(list("1"), 40))
    people = pd.DataFrame({"who": np.arange(40), "a": a, "b": b, "sex": rng.choice(["f", "m"], 40)})
    frame = people.loc[people.index.repeat(times)].reset_index(drop=True)
    return frame.assign(credit=rng.choice(["yes", "no"], len(frame)))


def left_out(release: Release, frame: pd.DataFrame) -> set[Any]:
    """The persons of whom any record is not published."""
    rows = release.source_rows
    assert rows is not None
    return set(frame["who"].drop(index=rows.tolist()))


@pytest.mark.parametrize("often", ["rare", "common"])
@pytest.mark.parametrize("guard", SUPPRESSING, ids=lambda guard: f"{guard.kind}-{len(getattr(guard, 'keys', ()))}")
@pytest.mark.parametrize("method", COUNTING, ids=lambda method: method.kind)
def test_no_method_leaves_out_more_persons(method: type[Method], guard: Guard, often: str, tmp_path: Path) -> None:
    for seed in range(3):
        frame, way = records(seed, often), replace(SCHEMA, plain=("sex", "who")) if seed == 2 else SCHEMA
        try:
            frontier = fv.search(frame, way, guards=[guard], method=quick(method))
        except fv.Infeasible:
            continue
        for position in {0, len(frontier) // 2, len(frontier) - 1}:
            release = frontier.release(position)
            gone = left_out(release, frame)
            if not release.recipe.groups_rows:
                assert len(gone) <= 0.3 * 40
                assert not gone & set(frame["who"][release.source_rows])  # with all records or with none
        saved = release.save(tmp_path / str(seed), accept=ANY_DANGER)
        assert fv.verify(saved.path)
        stated = json.loads((saved.path / "evidence.json").read_text())["persons"]
        published = frame["who"][release.source_rows].nunique()
        assert stated == {"source": 40, "suppressed": len(gone), "published": published}


def test_every_guard_that_leaves_out_is_tried() -> None:
    assert {guard.kind for guard in SUPPRESSING} == {g.kind for g in GUARDS if "suppression" in g.__dataclass_fields__}


def surviving(frame: pd.DataFrame, k: int) -> set[Any]:
    """The largest set of persons of whom each class has k or none."""
    persons = set(frame["who"])
    while True:
        classes: dict[tuple[Any, ...], set[Any]] = defaultdict(set)
        for row in frame[frame["who"].isin(persons)].itertuples():
            classes[row.a, row.b].add(row.who)
        if not (bad := set().union(*(members for members in classes.values() if len(members) < k))):
            return persons
        persons -= bad


@pytest.mark.parametrize("often", ["rare", "common"])
def test_whoever_survives_survives_above(often: str) -> None:
    """So a generalization that leaves out too many persons rules out all below it, and the search finds all others."""
    for seed, share in product(range(4), (0.0, 0.1, 0.3, 0.6)):
        frame, rng = records(seed, often), np.random.default_rng(seed)
        moved = rng.random(len(frame)) < 0.3  # people with records in several classes
        frame.loc[moved, "b"] = rng.choice(list("1234"), int(moved.sum()))
        persons = {}
        for node in product(range(3), repeat=2):
            recoded = frame.copy()
            for name, level in zip("ab", node, strict=True):
                bound = LEVELS[name].bind(list("1234"), name)
                recoded[name] = [bound.codes[level]["1234".index(value)] for value in frame[name]]
            persons[node] = surviving(recoded, 4)
        for below, above in product(persons, repeat=2):
            if all(map(int.__le__, below, above)):
                assert persons[below] <= persons[above]
        expected = {node for node, kept in persons.items() if kept and 40 - len(kept) <= share * 40 + 1e-9}
        try:
            frontier = fv.search(frame, SCHEMA, guards=[fv.KAnonymity(4, suppression=share)])
            found = {tuple(map(int, node)) for node in frontier.nodes}
            for position, node in enumerate(frontier.nodes):
                assert set(frame["who"]) - left_out(frontier.release(position), frame) == persons[tuple(node)]
        except fv.Infeasible:
            found = set()
        assert found == expected


def test_evidence_without_persons_is_read_as_a_share_of_the_records(tmp_path: Path) -> None:
    """As releases that were made before the evidence counted persons."""
    frame = records(0, "common")
    frontier = fv.search(frame, SCHEMA, guards=[fv.KAnonymity(4, suppression=0.3)])
    saved = max(map(frontier.release, range(len(frontier))), key=lambda release: release.suppressed).save(
        tmp_path / "r", accept=ANY_DANGER
    )
    evidence = json.loads((saved.path / "evidence.json").read_text())
    assert evidence.pop("persons")["suppressed"]
    rewritten(saved.path, evidence)
    verification = fv.verify(saved.path)
    assert verification, verification.problems
    assert "share of the records" in " ".join(verification.notes)


@pytest.mark.parametrize(
    ("linked", "change", "problem"),
    [
        (False, {"source": 41}, "does not fit"),
        (False, {"source": 400, "published": 388}, "cannot have"),
        (False, {"suppressed": 30, "published": 10}, "cannot have|the promises allow 12"),
        (True, {"source": 39, "published": 39, "suppressed": 0}, "cannot have|the files have"),
        (False, {"suppressed": -1}, "suppressed"),
        (False, {"who": 1}, "who"),
    ],
)
def test_numbers_of_persons_that_cannot_be(linked: bool, change: dict[str, int], problem: str, tmp_path: Path) -> None:
    frame, schema = records(0, "common"), replace(SCHEMA, plain=("sex", "who")) if linked else SCHEMA
    frontier = fv.search(frame, schema, guards=[fv.KAnonymity(4, suppression=0.3)])
    release = max(map(frontier.release, range(len(frontier))), key=lambda release: release.suppressed)
    saved = release.save(tmp_path / "r", accept=ANY_DANGER)
    evidence = json.loads((saved.path / "evidence.json").read_text())
    evidence["persons"] |= change
    rewritten(saved.path, evidence)
    verification = fv.verify(saved.path)
    assert not verification
    assert re.search(problem, " ".join(verification.problems)), verification.problems


def rewritten(folder: Path, evidence: dict[str, Any]) -> None:
    """Write other evidence, sealed, and the report that it gives."""
    from fairveil.published.folder import json_text, load, sha256
    from fairveil.release.checks import before_report
    from fairveil.reporting import public_report

    def write() -> None:
        evidence["seal"] = seal(evidence)
        (folder / "evidence.json").write_text(json_text(evidence), encoding="utf-8")

    write()
    try:
        page = public_report(load(folder).published, before_report(evidence))
    except fv.BadInput:
        return  # it cannot even be read
    (folder / "report.html").write_text(page, encoding="utf-8")
    evidence["files"]["report.html"] = sha256(folder / "report.html")
    write()
