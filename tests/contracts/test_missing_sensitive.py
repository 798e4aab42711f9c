"""A missing or blank cell is not a sensitive value, and another spelling is not another one: for every guard over
sensitive columns, every attack on them, every method, one table or projections, in memory or only counted."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.attacks import attack
from fairveil.counting.cells import classes_of
from fairveil.guards import GUARDS, Guard, SensitiveGuard
from fairveil.guards import from_dict as guard_from
from fairveil.guards.projections import Projections
from fairveil.methods import METHODS, Method
from fairveil.published.folder import guard_of, load, with_current_names
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import publish
from tests.contracts.people import OnlyCounts, quick
from tests.contracts.test_guards import EXAMPLES

SENSITIVE = [kind for kind in GUARDS if issubclass(kind, SensitiveGuard)]
SPELLINGS = ["flu", "Flu ", " FLU", "cold", "cold ", "pox", None, "", "  "]
SCHEMA = fv.Schema(
    quasi=["zip", "sex"],
    protected=["sex"],
    sensitive=["ill"],
    decision="y",
    denied="no",
    hierarchies={"zip": fv.hierarchy.mask(2)},
)


def people(seed: int, rows: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"zip": rng.choice(["11", "12", "21", "22"], rows), "sex": rng.choice(["f", "m"], rows)})
    frame["ill"] = pd.Series(rng.choice(np.array(SPELLINGS, dtype=object), rows), dtype=object)
    frame.loc[frame["zip"] == frame["zip"][0], "ill"] = frame["ill"].where(rng.random(rows) < 0.3, None)
    return frame.assign(y=rng.choice(["no", "yes"], rows))


def cleaned(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows with a value, in one spelling."""
    spelt = frame["ill"].map(lambda value: value.strip().lower() or None if isinstance(value, str) else None)
    return frame.assign(ill=spelt)[spelt.notna()]


def table(frame: pd.DataFrame) -> fv.Table:
    return fv.Table.from_frame(
        pa.table({name: pa.array([None if pd.isna(v) else v for v in frame[name]], pa.string()) for name in frame})
    )


def by_class(guard: SensitiveGuard, frame: pd.DataFrame) -> dict[tuple[Any, ...], float]:
    rows = table(frame)
    classes, _ = classes_of(rows, SCHEMA)
    first = {int(c): i for i, c in reversed(list(enumerate(classes.ids)))}
    labels = {name: classes.values(name) for name in ("zip", "sex")}
    names = [tuple(labels[n][classes.codes[n][first[c]]] for n in labels) for c in range(len(classes))]
    return dict(zip(names, guard.values(classes, SCHEMA).tolist(), strict=True))


@pytest.fixture(params=SENSITIVE, ids=lambda kind: kind.kind)
def guard(request: pytest.FixtureRequest) -> SensitiveGuard:
    made = guard_from({"kind": request.param.kind, **EXAMPLES[request.param.kind]})
    assert isinstance(made, SensitiveGuard)
    return made


@pytest.mark.parametrize("seed", range(12))
def test_classes_are_judged_by_their_known_values(guard: SensitiveGuard, seed: int) -> None:
    frame = people(seed, 12 + 8 * seed)
    known, every = by_class(guard, cleaned(frame)), by_class(guard, frame)
    for place, value in every.items():
        best = np.inf if guard.higher_is_better else 0.0  # nothing is known of the class, so nothing is given away
        assert value == pytest.approx(known.get(place, best))


@pytest.mark.parametrize("seed", range(4))
def test_the_other_reading_takes_cells_as_they_are(guard: SensitiveGuard, seed: int) -> None:
    frame = people(seed)
    as_text = frame.assign(ill=frame["ill"].map(lambda cell: f"<{cell!r}>"))
    as_value: Any = replace(guard, missing="value")
    assert by_class(as_value, frame) == pytest.approx(by_class(guard, as_text))
    assert "missing" in as_value.promise() and "missing" not in guard.promise()


def test_nothing_is_known_at_all(guard: SensitiveGuard) -> None:
    [result] = fv.check(table(people(1).assign(ill=None)), SCHEMA, guard)
    assert result.holds
    assert all(attained.holds for attained in fv.check(table(people(1).assign(ill=None)), SCHEMA))


@pytest.mark.parametrize("seed", range(6))
def test_joined_projections_are_judged_by_known_values(seed: int) -> None:
    frame = people(seed, 20).astype(object).where(lambda cell: cell.notna(), None)
    parts = [frame[["zip", "ill", "y"]], frame[["sex", "y"]]]
    projections = Projections.of([table(part) for part in parts], quasi=["zip", "sex"], decision="y", sensitive=["ill"])
    whole = cleaned(frame)["ill"].value_counts(normalize=True)
    fewest, farthest = np.inf, 0.0
    for joined in (parts[0], parts[0].merge(parts[1], on="y")):
        known = [name for name in ("zip", "sex") if name in joined]
        for _, group in cleaned(joined).groupby(known):
            shares = group["ill"].value_counts(normalize=True).reindex(whole.index, fill_value=0)
            fewest, farthest = min(fewest, len(set(group["ill"]))), max(farthest, (shares - whole).abs().sum() / 2)
    assert fv.DistinctDiversity(2).verdict_parts(projections).worst == fewest
    cells = min(
        group["ill"].nunique(dropna=False) for _, group in parts[0].merge(parts[1], on="y").groupby(["zip", "sex"])
    )
    alone = min(group["ill"].nunique(dropna=False) for _, group in parts[0].groupby("zip"))
    assert fv.DistinctDiversity(2, missing="value").verdict_parts(projections).worst == min(cells, alone)
    assert fv.TCloseness(0.5).verdict_parts(projections).worst == pytest.approx(farthest)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
def test_every_method_keeps_it(method: type[Method]) -> None:
    frame = people(3, 150)
    guards: list[Guard] = [fv.KAnonymity(3, suppression=0.3), fv.DistinctDiversity(2)]
    if method.declares_domains:  # it publishes no sensitive column
        return
    try:
        release = fv.search(table(frame), SCHEMA, guards=guards, method=quick(method)).release(0)
    except fv.Infeasible:
        return
    tables = list(release.published.tables.values())
    assert fv.DistinctDiversity(2).verdict_parts(Projections.published(tables, SCHEMA)).holds
    if not release.recipe.splits:
        groups = cleaned(tables[0].to_frame("pandas")).groupby(["zip", "sex"])["ill"].nunique()
        assert groups.min() >= 2


def test_a_source_that_only_counts_is_judged_alike() -> None:
    guards = [fv.KAnonymity(3, suppression=0.2), fv.DistinctDiversity(2), fv.TCloseness(0.6)]
    given = [table(people(5, 200)), OnlyCounts(pa.Table.from_pylist(table(people(5, 200)).to_arrow().to_pylist()))]
    first, second = (fv.search(rows, SCHEMA, guards=guards).best("loss").evidence() for rows in given)
    assert first["guards"] == second["guards"] and first["attacks"] == second["attacks"]


@pytest.mark.parametrize("seed", range(4))
def test_attacks_on_sensitive_values_see_known_values(seed: int) -> None:
    frame = people(seed, 80)
    recipe = FullDomain(SCHEMA, {"zip": 1, "sex": 0})
    every, known = (
        publish(table(rows), SCHEMA, [fv.KAnonymity(2)], recipe).evidence()["attacks"]
        for rows in (frame, cleaned(frame))
    )
    names = ("homogeneity", "background", "skewness", "similarity")
    assert [f for f in every if f["attack"] in names] == [f for f in known if f["attack"] in names]


def test_one_value_and_missing_cells_are_worried_about() -> None:
    frame = people(3, 100).assign(ill=["HIV", None] * 50)
    with pytest.raises(fv.Infeasible):
        fv.search(table(frame), SCHEMA, guards=[fv.KAnonymity(3), fv.DistinctDiversity(2)])
    release = fv.search(table(frame), SCHEMA, guards=[fv.KAnonymity(3)]).best("loss")
    assert attack(release).of("homogeneity").level == "warn"
    as_value = fv.search(
        table(frame), SCHEMA, guards=[fv.KAnonymity(3), fv.DistinctDiversity(2, missing="value")]
    ).best("loss")
    assert attack(as_value).of("homogeneity").level == "ok"
    assert as_value.evidence()["guards"][1]["missing"] == "value"
    assert (
        "missing" in as_value.evidence()["guards"][1]["sentence"] + fv.DistinctDiversity(2, missing="value").promise()
    )


@pytest.mark.parametrize("seed", range(30))
def test_failing_nodes_rule_out_lower_ones_only_where_that_is_claimed(seed: int) -> None:
    """With suppression a class of missing values keeps what its union with a poor class breaks."""
    frame = people(seed, 24)
    guards = [fv.KAnonymity(2, suppression=0.3), fv.DistinctDiversity(2)]
    solutions: set[tuple[int, ...]] = set()
    for node in [(z, s) for z in range(3) for s in range(2)]:
        recipe = FullDomain(SCHEMA, dict(zip(("zip", "sex"), node, strict=True)))
        if publish(table(frame), SCHEMA, guards, recipe).holds:
            solutions.add(node)
    try:
        found = {tuple(map(int, node)) for node in fv.search(table(frame), SCHEMA, guards=guards).nodes}
    except fv.Infeasible:
        found = set()
    assert found == solutions


def test_a_release_of_version_0_1_is_read_as_it_was_meant(tmp_path: Path) -> None:
    claim = {"kind": "distinct-diversity", "sensitive": ["ill"], "l": 2, "holds": True, "worst": 2.0, "limit": 2.0}
    [earlier] = with_current_names({"fairveil": "0.1.0", "guards": [claim]})["guards"]
    assert guard_of(earlier) == fv.DistinctDiversity(2, sensitive=["ill"], missing="value")
    assert list(earlier)[:4] == list(fv.DistinctDiversity(2, sensitive=["ill"]).to_dict())
    [now] = with_current_names({"fairveil": fv.__version__, "guards": [claim]})["guards"]
    assert now == claim
    guards = [fv.KAnonymity(3), fv.DistinctDiversity(2, missing="value")]
    folder = fv.search(table(people(3, 100)), SCHEMA, guards=guards).best("loss").save(tmp_path / "o").path
    assert fv.verify(folder)
    for changed in ("without", "ignore"):
        forged = Path(shutil.copytree(folder, tmp_path / changed))
        evidence = json.loads((forged / "evidence.json").read_text())
        if changed == "without":
            del evidence["guards"][1]["missing"]
        else:
            evidence["guards"][1]["missing"] = "ignore"
        from tests.release.test_releases_0_1 import resealed

        resealed(forged, evidence)
        assert not fv.verify(forged)
    assert load(folder).published.guards == tuple(guards)
