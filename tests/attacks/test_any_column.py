"""Where the schema names no sensitive column, every column is tried, against guesses counted by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import pytest

import fairveil as fv
from tests.contracts.people import SCHEMA, source


def test_every_column_is_guessed_from_the_others() -> None:
    frame = source(2, rows=120).to_pandas()
    schema = replace(SCHEMA, sensitive=(), plain=("illness",), population=None)
    release = fv.search(frame, schema, guards=[fv.KAnonymity(3)]).best("loss")
    findings = fv.attack(release, only=["any-column"])
    published = release.table.to_arrow().to_pylist()
    assert {finding.column for finding in findings} >= {"illness", "credit"}
    for finding in findings:
        groups: defaultdict[tuple[Any, ...], Counter[Any]] = defaultdict(Counter)
        for row in published:
            groups[tuple(row[name] for name in schema.quasi if name != finding.column)][row[finding.column]] += 1
        right = sum(max(counts.values()) for counts in groups.values()) / len(published)
        certain = sum(counts.total() for counts in groups.values() if len(counts) == 1)
        assert finding.average == pytest.approx(right)
        assert finding.affected == certain
        assert finding.level in ("ok", "warn")


def test_sensitive_columns_are_left_to_other_attacks() -> None:
    frame = source(2, rows=120).to_pandas()
    release = fv.search(frame, replace(SCHEMA, population=None), guards=[fv.KAnonymity(3)]).best("loss")
    assert "any-column" in fv.attack(release).skipped
    assert not any(finding["attack"] == "any-column" for finding in release.evidence()["attacks"])
