"""The k of a release where no guard promises one, and the sizes of its classes, count persons: counted by hand, and the
same in memory and from the folder."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.attacks.attack import LEVELS
from fairveil.methods import METHODS, Method
from fairveil.published.folder import load
from fairveil.reporting.context import ReportContext
from fairveil.reporting.sections.findings import attacks
from tests.contracts.people import quick
from tests.contracts.test_persons import PERSONS, WAYS, by_class, visits
from tests.known import ANY_DANGER

COUNTING = [method for method in METHODS if method.counts_persons]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEIL_KEY", "a key for tests alone")


def sizes(frame: pd.DataFrame, persons: list[Any]) -> list[int]:
    return sorted(len({persons[row] for row in rows}) for rows in by_class(frame).values())


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("method", COUNTING, ids=lambda method: method.kind)
def test_k_without_a_promise_counts_persons(method: type[Method], way: str, tmp_path: Path) -> None:
    frame, schema = visits(1), WAYS[way](PERSONS)
    guard = fv.TCloseness(0.6) if way == "dropped" else fv.DistinctDiversity(2)
    try:
        release = fv.search(frame, schema, guards=[guard], method=quick(method)).best("loss")
    except fv.Infeasible:
        pytest.skip("nothing keeps the guard")
    rows, names = release.source_rows, frame["name"].tolist()
    assert rows is not None
    persons, table = [names[row] for row in rows], release.table.to_arrow().to_pandas()
    expected = sizes(table, persons)[0]
    folder = release.save(tmp_path / "r", accept=ANY_DANGER).path
    read = load(folder).published
    assert [(one.k, one.unit) for one in (release.published, read)] == [(expected, "persons")] * 2
    assert fv.verify(folder)
    [drawn] = ReportContext(read, json.loads((folder / "evidence.json").read_text())).class_sizes.values()
    of = sizes(table, persons) if way != "dropped" else sorted(map(len, by_class(table).values()))
    assert (sorted(drawn.sizes.tolist()), drawn.unit) == (of, "person" if way != "dropped" else "record")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert ("in persons" in page) == (way != "dropped")
    said = f"the smallest group had {sizes(table, persons)[0]} person"
    assert (said in " ".join(page.split())) == (way == "dropped")


def test_an_attack_by_persons_and_by_records_is_listed_once(tmp_path: Path) -> None:
    """With the worse of both levels."""
    release = fv.search(visits(1), PERSONS, guards=[fv.KAnonymity(2)], method=fv.Mondrian()).best("loss")
    folder = release.save(tmp_path / "r", accept=ANY_DANGER).path
    evidence = json.loads((folder / "evidence.json").read_text())
    both = [*evidence["by_persons"], *evidence["attacks"]]
    named = {(finding["attack"], finding.get("column")) for finding in both}
    shown = str(attacks(ReportContext(load(folder).published, evidence)))
    assert len(named) < len(both) and shown.count("<tr>") == len(named) + 1
    worst = [max(LEVELS.index(f["level"]) for f in both if (f["attack"], f.get("column")) == one) for one in named]
    assert [shown.count(badge) for badge in ("✓ ok", "! take care", "✗ danger")] == [worst.count(n) for n in range(3)]


def test_the_internal_report_counts_persons_whose_column_is_not_published() -> None:
    frame = visits(1)
    release = fv.search(frame, PERSONS, guards=[fv.KAnonymity(3)], method=fv.Mondrian()).best("loss")
    page = " ".join(str(fv.report(release, internal=True)).split())
    assert "size of their group, in persons" in page
    assert f"the smallest has {release.published.k} persons" in page


def test_records_are_counted_without_the_role() -> None:
    frame = visits(2).drop_duplicates("name")
    schema = replace(PERSONS, person=None, identifier=("name",))
    release = fv.search(frame, schema, guards=[fv.TCloseness(0.6)], method=fv.Mondrian()).best("loss")
    table = release.table.to_arrow().to_pandas()
    assert (release.published.k, release.published.unit) == (min(map(len, by_class(table).values())), "records")
    assert np.isfinite(release.published.k)
