"""Any number of releases, of other people too: against plain counting."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pandas as pd
import pytest

import fairveil as fv
from fairveil.attacks import m_invariance
from tests.known import ANY_DANGER
from tests.run.test_earlier import SCHEMA_OF_PEOPLE, in_release, numbered

Shown = dict[str, tuple[str, ...]]


def three(seed: int) -> tuple[pd.DataFrame, list[fv.Release], list[Shown]]:
    """Releases of overlapping people; the owner has a file of all of them."""
    everybody = numbered(seed, 90)
    parts = [everybody.iloc[:60], everybody.iloc[20:80], everybody.iloc[40:]]
    releases = []
    for number, part in enumerate(parts):
        found = fv.search(part, SCHEMA_OF_PEOPLE, guards=[fv.KAnonymity(3)])
        releases.append(found.release(number % len(found)))
    return everybody, releases, [in_release(r, part) for r, part in zip(releases, parts, strict=True)]


@pytest.mark.parametrize("seed", range(4))
def test_releases_of_other_people_are_taken_as_well(seed: int, tmp_path: Path) -> None:
    everybody, releases, shown = three(seed)
    folders = [release.save(tmp_path / str(n), accept=ANY_DANGER).path for n, release in enumerate(releases)]
    finding = fv.attack(folders[0], original=everybody, other=folders[1:], only=["intersection"])[0]
    assert "3 releases" in finding.verdict and finding.details["k_promised"] == 3
    assert finding.records <= len(shown[0]) and 1 <= finding.details["k_after"] <= len(shown[0])
    pair = fv.attack(folders[0], original=everybody, other=folders[1], only=["intersection"])[0]
    assert "two releases" in pair.verdict


def test_three_releases_of_the_same_people() -> None:
    everybody = numbered(5, 90)
    found = fv.search(everybody, SCHEMA_OF_PEOPLE, guards=[fv.KAnonymity(3)])
    releases = [found.release(n) for n in range(3)]
    shown = [in_release(release, everybody) for release in releases]
    joint = Counter(tuple(release[person] for release in shown) for person in everybody["id"])
    findings = fv.attack(releases[0], original=everybody, other=releases[1:], only=["intersection"])
    assert findings[0].details["k_after"] == min(joint.values()) and findings[0].records == 90
    sensitive = dict(zip(everybody["id"], everybody["s"], strict=True))
    values: list[dict[tuple[str, ...], set[str]]] = []
    for release in shown:
        of_class = defaultdict(set)
        for person, classes in release.items():
            of_class[classes].add(sensitive[person])
        values.append(of_class)
    certain = sum(
        len(set.intersection(*(of[release[person]] for of, release in zip(values, shown, strict=True)))) == 1
        for person in everybody["id"]
    )
    assert next(finding for finding in findings if finding.column == "s").affected == certain


def test_m_invariance() -> None:
    """The example of the paper in small: the signature of everybody who stays is the same, until it is not."""
    schema = fv.Schema(quasi=["age"], sensitive=["illness"], hierarchies={"age": fv.hierarchy.mask(2)})
    rows = [("21", "flu"), ("22", "pox"), ("31", "flu"), ("32", "cold"), ("41", "pox"), ("42", "flu")]
    frame = pd.DataFrame(rows, columns=["age", "illness"])
    first = fv.search(frame, schema, guards=[fv.KAnonymity(2)]).best("loss")
    same = fv.search(frame.iloc[:4], schema, guards=[fv.KAnonymity(2)]).best("loss")
    found = m_invariance([first, same], frame, "illness")
    assert (found.m, found.unique, found.changed, found.people) == (2, 2, 0, 4)
    merged = fv.search(frame, schema, guards=[fv.KAnonymity(6)]).best("loss")
    found = m_invariance([first, merged], frame, "illness")
    assert (found.m, found.unique, found.changed, found.people) == (0, 0, 6, 6)
    with pytest.raises(fv.BadInput, match="at least two"):
        m_invariance([first], frame, "illness")
    with pytest.raises(fv.BadInput, match="no column 'ilness'"):
        m_invariance([first, same], frame, "ilness")
