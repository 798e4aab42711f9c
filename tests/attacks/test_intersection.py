"""Two releases of the same people: who is left in both classes, counted by hand."""

from __future__ import annotations

from collections import Counter, defaultdict

import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import fairveil as fv
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import publish
from tests.known import levels_of, source_rows_of
from tests.randomly import Case, cases


@given(cases(quasi=(2, 3), sensitive=(1, 1), rows=(6, 24)), st.data())
def test_counted_by_hand(case: Case, data: st.DataObject) -> None:
    candidates = fv.search(case.table, case.schema, guards=[fv.KAnonymity(2, suppression=0.3)])
    first, second = (candidates.release(data.draw(st.integers(0, len(candidates) - 1))) for _ in "12")
    assume(first.table.rows and second.table.rows)
    attacked = fv.attack(first, original=case.table, other=second, only=["intersection"])
    keys = [case.generalize(list(levels_of(release).values())) for release in (first, second)]
    members = [set(source_rows_of(release).tolist()) for release in (first, second)]
    both = members[0] & members[1]
    if not both:
        assert "intersection" in attacked.skipped
        return
    pairs = Counter((keys[0][i], keys[1][i]) for i in both)
    left = [pairs[keys[0][i], keys[1][i]] for i in both]
    finding = attacked.of("intersection")
    assert finding.details["k_after"] == min(left)
    assert finding.affected == sum(n < 2 for n in left)
    assert finding.average == pytest.approx(sum(1 / n for n in left) / len(left))
    values: list[dict[tuple[str, ...], set[str]]] = [defaultdict(set), defaultdict(set)]
    for side in (0, 1):
        for i in members[side]:
            if case.rows[i][-1] is not None:
                values[side][keys[side][i]].add(case.rows[i][-1].strip().lower())
    certain = sum(len(values[0][keys[0][i]] & values[1][keys[1][i]]) == 1 for i in both)
    assert attacked.of("intersection", case.schema.sensitive[0]).affected == certain


def test_two_harmless_releases_single_everybody_out(tmp_path) -> None:
    table = fv.Table.from_frame(pa.table({"zip": list("aabb"), "sex": list("fmfm"), "ill": ["x", "y", "y", "x"]}))
    schema = fv.Schema(quasi=["zip", "sex"], sensitive=["ill"])
    guards = [fv.KAnonymity(2), fv.DistinctDiversity(2)]
    by_zip, by_sex = (
        publish(table, schema, guards, FullDomain(schema, levels)).save(tmp_path / name).path
        for name, levels in {"zip": {"zip": 0, "sex": 1}, "sex": {"zip": 1, "sex": 0}}.items()
    )
    findings = fv.attack(by_zip, original=table, other=by_sex)
    assert findings.of("intersection").level == "danger"
    assert findings.of("intersection").details["singled_out"] == 4
    assert findings.of("intersection").baseline == 0.5


def test_the_same_release_twice_tells_nothing_new() -> None:
    german = fv.datasets.german_credit()
    release = fv.search(german.table, german.schema, guards=[fv.KAnonymity(5, suppression=0.02)]).best("loss")
    finding = fv.attack(release, original=german.table, other=release).of("intersection")
    assert finding.level == "ok"
    assert finding.average == pytest.approx(finding.baseline)
