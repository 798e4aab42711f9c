"""What the studio and the evidence show where people have several records: persons, by plain sets."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.progress import Progress
from fairveil.studio.inspecting import class_sizes_of, context_of
from fairveil.studio.risks import published_key_risks

QUASI = ["age", "sex", "zip"]
RNG = np.random.default_rng(4)
WHO = RNG.integers(0, 120, 600)
VISITS = pa.table({
    "who": WHO, "age": RNG.integers(0, 16, 120)[WHO] + RNG.integers(0, 3, 600), "sex": RNG.choice(["f", "m"], 120)[WHO],
    "zip": RNG.integers(0, 4, 600),
})  # fmt: skip
SCHEMA = fv.Schema(quasi=QUASI, person="who", hierarchies={"age": fv.hierarchy.intervals([0, 20], widths=(2, 10))})
KEYED = fv.KAnonymity(3, keys=[["age"], {"columns": ["sex", "zip"], "k": 8}])


def persons_by(rows: list[dict[str, Any]], who: list[int], columns: tuple[str, ...]) -> dict[Any, set[int]]:
    classes: dict[Any, set[int]] = defaultdict(set)
    for person, row in zip(who, rows, strict=True):
        classes[tuple(row[name] for name in columns)].add(person)
    return classes


@pytest.mark.parametrize("guard", [KEYED, fv.KAnonymity(3, suppression=0.3)], ids=["key sets", "all columns"])
def test_sets_of_columns_and_class_sizes_count_persons(guard: fv.KAnonymity) -> None:
    release = fv.search(VISITS, SCHEMA, guards=[guard], method=fv.Incognito()).best("loss")
    assert release.source_rows is not None
    published, who = release.table.to_arrow().to_pylist(), VISITS["who"].to_numpy()[release.source_rows].tolist()
    for risks, rows, persons in (
        (fv.key_risks(VISITS, SCHEMA, size=3), VISITS.to_pylist(), VISITS["who"].to_pylist()),
        (published_key_risks(release, 3, Progress()), published, who),
    ):
        sets = [columns for m in (1, 2, 3) for columns in combinations(QUASI, m)]
        assert risks.rows == len({*persons}) and sorted(risk.columns for risk in risks) == sorted(sets)
        for risk in risks:
            classes = persons_by(rows, persons, risk.columns).values()
            assert risk.smallest == min(map(len, classes))
            assert risk.unique == len(set().union(*(some for some in classes if len(some) == 1)))
            assert risk.exposed == len(set().union(*(some for some in classes if len(some) < 5)))
    together = persons_by(published, who, tuple(QUASI))
    shown = class_sizes_of(release, context_of(release))
    assert sum(size.classes for size in shown) == len(together)
    assert sum(size.records for size in shown) == len(published)
    assert shown[0].minimum <= min(map(len, together.values())) <= shown[0].maximum
    assert {size.unit for size in shown} == {"persons"}
    risks_of: dict[int, list[float]] = defaultdict(list)
    for person, row in zip(who, published, strict=True):
        risks_of[person].append(1 / len(together[tuple(row[name] for name in QUASI)]))
    average = sum(sum(risks) / len(risks) for risks in risks_of.values()) / len(risks_of)
    assert fv.attacker_risks(release)[0].average == pytest.approx(average)
    assert release.measures["average-risk"] == pytest.approx(average)


def test_no_risk_is_stated_as_smaller_than_it_is() -> None:
    release = fv.search(VISITS, SCHEMA, guards=[fv.KAnonymity(5)], method=fv.Incognito()).release(-1)
    exact, stated = release.measures, release.evidence()["measures"]
    for name in ("highest-risk", "average-risk", "at-risk", "uniqueness"):
        assert exact[name] - 1e-9 <= stated[name] <= exact[name] + 0.1
    assert stated["highest-risk"] > 0
