"""Weights that also stand for suppressed records do not make anybody safer: risks are about the weights before that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.counting.population_sizes import population_columns
from fairveil.measures import MEASURES
from tests.known import ANY_DANGER

TABLE = pa.table({
    "who": [f"p{number // 2}" for number in range(44)],
    "town": [*(["Rome"] * 12), *(["Bari"] * 12), *(f"village {number // 2}" for number in range(20))],
    "w": [2.0] * 44, "home": [number // 4 for number in range(44)],
})  # fmt: skip
UNCHANGED = fv.Schema(quasi=["town"], weight="w", person="who", household="home")
NAMES = [measure.name for measure in MEASURES if population_columns(UNCHANGED)[0] in measure.columns(UNCHANGED)]


@pytest.mark.parametrize("data", [TABLE, duckdb.connect().from_arrow(TABLE)], ids=["memory", "duckdb"])
@pytest.mark.parametrize("name", NAMES)
def test_recalibrated_weights_have_the_same_risks(name: str, data: Any, tmp_path: Path) -> None:
    limit = [fv.RiskLimit("expected-reidentifications", 5.0), fv.KMap(6, suppression=0.5)]
    guards = [fv.KAnonymity(3, suppression=0.5), *limit]
    values, verdicts = [], []
    for way in ("unchanged", "recalibrated"):
        found = fv.search(data, replace(UNCHANGED, publish_weight=way), guards=guards, method=fv.Incognito())
        release = next(release for release in map(found.release, range(len(found))) if release.suppressed)
        values.append(found.values(name)[release])
        verdicts.append([str(verdict) for verdict in release.verdicts])
        assert fv.verify(release.save(tmp_path / way, format="parquet", accept=ANY_DANGER).path)
    assert values[0] == pytest.approx(values[1], rel=1e-6)
    assert verdicts[0] == verdicts[1]
