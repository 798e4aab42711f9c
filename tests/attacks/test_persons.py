"""Attacks count persons where it is known who a record is about, against sets of persons counted by hand."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.attacks import ATTACKS
from fairveil.release.release import Release
from tests.contracts.people import SCHEMA
from tests.contracts.test_persons import PERSONS, WAYS, by_class, visits
from tests.contracts.test_persons_measures import alike, mean_by_person, persons_of
from tests.known import ANY_DANGER

GUARD = fv.KAnonymity(2, suppression=0.3)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEIL_KEY", "a key for tests alone")


def released(seed: int, way: str, guard: fv.KAnonymity = GUARD) -> tuple[Release, pd.DataFrame]:
    frame = visits(seed)
    return fv.search(frame, WAYS[way](PERSONS), guards=[guard], method=fv.Incognito()).best("loss"), frame


def sets_by_hand(release: Release, frame: pd.DataFrame, known: int) -> dict[str, list[int]]:
    """Of each person, how many have records in all classes of each set of so many of theirs."""
    persons, classes = persons_of(release, frame), by_class(release.table.to_arrow().to_pandas())
    of_person: dict[str, set[int]] = defaultdict(set)
    for number, rows in enumerate(classes.values()):
        for row in rows:
            of_person[persons[row]].add(number)
    return {
        person: [
            sum(set(chosen) <= others for others in of_person.values())
            for chosen in combinations(sorted(own), min(known, len(own)))
        ]
        for person, own in of_person.items()
    }


@pytest.mark.parametrize("way", WAYS)
def test_trajectories_are_those_of_all_sets(way: str) -> None:
    for seed in range(4):
        release, frame = released(seed, way)
        findings = list(fv.attack(release, original=frame, only=["trajectory"]))
        assert [f.details["records_known"] for f in findings] == [2, 3]
        for finding in findings:
            by_hand = sets_by_hand(release, frame, finding.details["records_known"])
            few = sum(min(sizes) < GUARD.k for sizes in by_hand.values())
            assert finding.best == pytest.approx(1 / min(map(min, by_hand.values())))
            assert finding.average == pytest.approx(np.mean([np.mean(1 / np.array(own)) for own in by_hand.values()]))
            assert (finding.affected, finding.records) == (few, len(by_hand))
            assert finding.level == ("ok" if not few else "warn")
            if way != "dropped":  # everybody shares the whole set with k persons
                assert finding.level == "ok"


def test_what_a_trajectory_attack_needs() -> None:
    release, frame = released(0, "dropped")
    assert "original data" in fv.attack(release, only=["trajectory"]).skipped["trajectory"]
    by_rows = fv.search(frame.drop(columns="name"), fv.Schema(**roles()), guards=[GUARD]).best("loss")
    assert "who a record is about" in fv.attack(by_rows, only=["trajectory"]).skipped["trajectory"]
    linked, _ = released(0, "pseudonym")
    assert fv.attack(linked, only=["trajectory"])


def roles() -> dict[str, Any]:
    names = ("quasi", "sensitive", "protected", "decision", "denied", "plain", "hierarchies")
    return {name: getattr(SCHEMA, name) for name in names}


def test_linked_records_of_few_people_are_a_danger() -> None:
    """The guard allows any distribution, and nobody but p has records in both classes."""
    frame = pd.DataFrame({"who": list("ppqqrr"), "x": list("abaabb"), "v": [1, 2, 1, 2, 1, 2]})
    schema = fv.Schema(quasi=["x"], sensitive=["v"], person="who", plain=["who"])
    release = fv.search(frame, schema, guards=[fv.TCloseness(1.0)]).best("loss")
    for finding in fv.attack(release, only=["trajectory"]):
        assert (finding.level, finding.best, finding.affected) == ("danger", 1.0, 1)


@pytest.mark.parametrize("way", WAYS)
def test_persons_are_picked_out_among_persons(way: str, tmp_path: Path) -> None:
    for seed, guard in enumerate([GUARD, fv.KAnonymity(2), fv.KAnonymity(3)]):
        release, frame = released(seed, way, guard)
        sizes, persons = alike(release, frame, way != "dropped"), persons_of(release, frame)
        folder = release.save(tmp_path / f"{way}{seed}", accept=ANY_DANGER).path
        for attacked in (release, folder) if not release.suppressed else (release,):
            found = fv.attack(attacked, original=frame, only=["reidentification", "homogeneity", "linkage"])
            picked = found.of("reidentification")
            assert "person" in picked.verdict and "records are counted" not in picked.verdict
            assert picked.best == pytest.approx(1 / min(sizes))
            assert picked.average == pytest.approx(mean_by_person([1 / size for size in sizes], persons))
            assert picked.records == len(set(persons))
            by_class_only = mean_by_person([1 / size for size in alike(release, frame, False)], persons)
            assert found.of("linkage").average == pytest.approx(by_class_only)
            assert found.of("homogeneity").best == pytest.approx(highest_share(release, frame, way != "dropped"))


@pytest.mark.parametrize("way", WAYS)
def test_a_person_in_several_classes_is_counted_once(way: str) -> None:
    """However many classes a person's records are in, no attack affects or counts more people than there are."""
    for seed in range(4):
        release, frame = released(seed, way)
        illness = release.table.to_arrow().to_pandas()["illness"]
        persons = {p for p, known in zip(persons_of(release, frame), illness.notna(), strict=True) if known}
        findings = fv.attack(release, original=frame, only=["homogeneity", "background", "skewness", "similarity"])
        for finding in findings:
            assert finding.records == len(persons) >= finding.affected, finding
        skewness = findings.of("skewness")
        assert skewness.average <= skewness.best


def test_people_in_classes_are_a_set() -> None:
    """p has records in both classes; a class with one value gives it away of all who are in it."""
    frame = pd.DataFrame({"who": list("ppqqrs"), "x": list("abaabb"), "v": [1, 2, 1, 1, 2, 3]})
    schema = fv.Schema(quasi=["x"], sensitive=["v"], person="who")
    release = fv.search(frame, schema, guards=[fv.KAnonymity(2)]).best("loss")
    homogeneity = fv.attack(release, original=frame, only=["homogeneity"]).of("homogeneity")
    assert (homogeneity.affected, homogeneity.records) == (2, 4)  # p and q, of p, q, r and s
    assert homogeneity.average == pytest.approx(((1 + 2 / 3) / 2 + 1 + 2 / 3 + 2 / 3) / 4)


def test_the_journalist_counts_persons_of_the_population() -> None:
    """The original has more people than were published: those of a class are candidates, each once."""
    release, frame = released(0, "dropped", fv.KAnonymity(2, suppression=0.6))
    assert release.suppressed
    found = fv.attack(release, original=frame, only=["reidentification"]).of("reidentification")
    levels = release.schema.bind(release.original)
    codes = {
        name: levels[name].codes[release.recipe.level_of(name) or 0][release.original.column(name).codes]
        for name in SCHEMA.quasi
    }
    of_class = pd.DataFrame(codes).assign(name=frame["name"]).groupby(list(codes))["name"].nunique()
    rows = release.source_rows
    assert rows is not None
    shown = of_class.loc[[tuple(codes[name][row] for name in codes) for row in rows]]
    assert found.details["journalist"] == pytest.approx(1 / shown.min())


def highest_share(release: Release, frame: pd.DataFrame, linked: bool) -> float:
    """The largest share of persons of a class (or with the same set of classes) with the same known illness."""
    persons, published = persons_of(release, frame), release.table.to_arrow().to_pandas()
    groups: dict[object, list[int]] = dict(by_class(published))
    if linked:
        of_person = defaultdict(set)
        for number, rows in enumerate(list(groups.values())):
            for row in rows:
                of_person[persons[row]].add(number)
        groups = defaultdict(list)
        for row, person in enumerate(persons):
            groups[frozenset(of_person[person])].append(row)
    highest = 0.0
    for rows in groups.values():
        known = [
            row for row in rows if isinstance(published["illness"][row], str) and published["illness"][row].strip()
        ]
        having = defaultdict(set)
        for row in known:
            having[published["illness"][row].strip().casefold()].add(persons[row])
        inside = {persons[row] for row in known}
        highest = max([highest, *(len(who) / len(inside) for who in having.values())])
    return highest


def test_what_counts_records_says_so() -> None:
    release, frame = released(1, "dropped")
    for finding in fv.attack(release):  # without the original, nobody knows who a record is about
        assert "(records are counted)" in finding.verdict
    for finding in fv.attack(release, original=frame):
        by_person = ATTACKS.get(finding.attack).by_person
        assert by_person != ("(records are counted)" in finding.verdict), finding


def test_a_distance_above_one_is_explained() -> None:
    """In one class everybody has had every value, elsewhere nobody has had any of them."""
    several = [(person, "x", ill) for person in range(4) for ill in "abc"]
    frame = pd.DataFrame(several + [(person, "y", "d") for person in range(4, 40)], columns=["who", "zip", "ill"])
    schema = fv.Schema(quasi=["zip"], sensitive=["ill"], person="who")
    release = fv.search(frame, schema, guards=[fv.KAnonymity(2)], method=fv.Incognito()).best("loss")
    finding = fv.attack(release, original=frame, only=["skewness"]).of("skewness")
    assert finding.details["gap"] == pytest.approx(3 * (1 - 4 / 40))
    assert "2.70 away in ill" in finding.verdict and "so it can be more than 1" in finding.verdict
    assert 0 <= finding.average <= finding.best == 1
    alone = fv.search(frame.drop_duplicates("who"), schema, guards=[fv.KAnonymity(2)], method=fv.Incognito())
    finding = fv.attack(alone.best("loss"), original=frame.drop_duplicates("who"), only=["skewness"]).of("skewness")
    assert "more than 1" not in finding.verdict and finding.best == pytest.approx(finding.details["gap"])
