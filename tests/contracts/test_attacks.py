"""What every attack owes its users, because it is in the registry; and what a release tells about itself."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import fairveil as fv
from fairveil.attacks import ATTACKS, COLUMNS, Findings, cheap, weaknesses
from fairveil.attacks.attack import LEVELS, percent
from tests.contracts.people import SCHEMA, source

DOCS = Path(__file__).parents[2] / "docs" / "attacks.md"


@pytest.fixture(scope="module")
def release() -> fv.Release:
    return fv.search(source(rows=300), SCHEMA, guards=[fv.KAnonymity(3, suppression=0.1)]).best("loss")


@pytest.fixture(scope="module")
def findings(release: fv.Release) -> Findings:
    return fv.attack(release, original=source(rows=300), control=source(1, rows=200), other=release)


def test_all_attacks_run_or_say_why_not(findings: Findings) -> None:
    ran = {finding.attack for finding in findings}
    assert ran | set(findings.skipped) == {attack.name for attack in ATTACKS}
    assert not ran & set(findings.skipped)
    # neither a plain column nor a hierarchy of illnesses, no guard on them, one table, one record per person
    assert set(findings.skipped) == {
        "uniqueness", "similarity", "minimality", "rejoin", "row-order", "any-column", "trajectory",
    }  # fmt: skip


def test_every_finding_has_a_baseline_and_a_plain_verdict(findings: Findings) -> None:
    for finding in findings:
        assert finding.level in LEVELS
        assert 0 <= finding.average <= 1
        assert 0 <= finding.baseline <= 1
        assert 0 <= finding.average <= finding.best <= 1
        assert 0 <= finding.affected <= finding.records
        assert finding.against
        assert finding.verdict[0].islower()
        assert not finding.verdict.endswith(".")
        assert "nan" not in finding.verdict
        json.dumps(finding.to_dict(), allow_nan=False)
    assert all(len(row) == len(COLUMNS) for row in findings.rows())
    json.dumps(findings.to_dict(), allow_nan=False)


def test_the_same_seed_gives_the_same_findings(release: fv.Release, findings: Findings) -> None:
    again = fv.attack(release, original=source(rows=300), control=source(1, rows=200), other=release)
    assert again.to_dict() == findings.to_dict()


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_a_folder_is_attacked_like_the_release(
    release: fv.Release, findings: Findings, format: str, tmp_path: Path
) -> None:
    folder = release.save(tmp_path / "out", format=format).path  # type: ignore[arg-type]
    found = fv.attack(folder, original=source(rows=300), control=source(1, rows=200), other=folder)
    drawn = "downcoding"  # its draws follow the order of codes, which a file does not keep
    assert [f.to_dict() for f in found if f.attack != drawn] == [f.to_dict() for f in findings if f.attack != drawn]


def test_files_are_read(release: fv.Release, tmp_path: Path) -> None:
    folder = release.save(tmp_path / "out").path
    source(rows=300).to_pandas().to_csv(tmp_path / "original.csv", index=False)
    found = fv.attack(folder, original=str(tmp_path / "original.csv"))
    assert found.of("linkage").best <= 1 / 3


def test_without_anything_only_the_published_table_is_attacked(release: fv.Release) -> None:
    found = fv.attack(release)
    assert found.skipped["linkage"] == "it needs the original data"
    assert found.skipped["intersection"] == "it needs a second release of the same people"
    with pytest.raises(KeyError, match="original"):
        found.of("linkage")


def test_the_evidence_holds_the_cheap_attacks_and_nothing_that_is_not_public(
    release: fv.Release, tmp_path: Path
) -> None:
    folder = release.save(tmp_path / "out").path
    evidence = json.loads((folder / "evidence.json").read_text())
    public = json.loads(json.dumps([finding.to_dict() for finding in cheap(folder)]))
    assert evidence["attacks"] == public  # recomputed from the folder, without the source
    assert {finding["attack"] for finding in public} == {"reidentification", "homogeneity", "background", "skewness"}
    assert fv.verify(folder)


def test_known_weaknesses_are_named(release: fv.Release) -> None:
    named = release.evidence()["weaknesses"]
    assert named == weaknesses(release)
    assert "k-anonymity alone" in named["homogeneity"]
    assert "minimality" in named
    diverse = fv.search(source(rows=300), SCHEMA, guards=[fv.KAnonymity(3), fv.DistinctDiversity(2)]).best("loss")
    assert "homogeneity" not in weaknesses(diverse)
    assert "skewness" in weaknesses(diverse)
    close = fv.search(source(rows=300), SCHEMA, guards=[fv.KAnonymity(3), fv.TCloseness(0.5)]).best("loss")
    assert not {"homogeneity", "skewness"} & set(weaknesses(close))


def test_missing_values() -> None:
    table = source(rows=200, missing=True)
    release = fv.search(table, SCHEMA, guards=[fv.KAnonymity(3)]).best("loss")
    assert fv.attack(release, original=table).of("linkage").best <= 1 / 3


def test_every_attack_is_documented() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert [attack.name for attack in ATTACKS if f"`{attack.name}`" not in text] == []


def test_percent_is_never_rounded_to_nothing() -> None:
    assert [percent(share) for share in (0, 0.0001, 0.5, 0.1234, 0.99999, 1)] == [
        "0 %", "less than 0.1 %", "50 %", "12.3 %", "more than 99.9 %", "100 %"]  # fmt: skip
    assert percent(math.nan) == "–"


def test_the_input_is_untouched(release: fv.Release) -> None:
    frame = source(rows=300).to_pandas()
    before, codes = frame.copy(), [column.codes.copy() for column in release.table.columns]
    fv.attack(release, original=frame, control=frame)
    assert frame.equals(before)
    assert all(np.array_equal(a, c.codes) for a, c in zip(codes, release.table.columns, strict=True))
