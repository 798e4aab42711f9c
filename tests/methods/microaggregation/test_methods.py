"""MDAV and Fair-MDAV through `search`: guards, evidence, recipes that hold no record, new data."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil import recipes as recipe
from fairveil.recipes.microaggregated import Microaggregated
from tests.known import ANY_DANGER

GUARDS = [fv.KAnonymity(5)]


@pytest.fixture(scope="module")
def german() -> fv.datasets.Dataset:
    return fv.datasets.german_credit()


@pytest.fixture(scope="module")
def private(german: fv.datasets.Dataset) -> tuple[fv.Table, fv.Schema]:
    """Sex is protected and sensitive, as in the paper; a number is quasi beside the categories."""
    wide = fv.datasets.german_credit(columns="all")
    quasi = ["age", "duration", "purpose", "housing", "credit_amount"]
    table = wide.table.select([*quasi, "sex", "class"])
    schema = fv.Schema(quasi=quasi, sensitive=["sex"], protected=["sex"], decision="class", denied="bad")
    return table, schema


def test_fair_mdav_keeps_k_t_and_tau(private: tuple[fv.Table, fv.Schema], tmp_path: Path) -> None:
    table, schema = private
    method = fv.FairMDAV(size=10, tau=1.0)
    guards = [fv.KAnonymity(10), fv.TCloseness(0.05)]
    release = fv.search(table, schema, guards=guards, method=method).release(0)
    folder = release.save(tmp_path / "out").path
    assert fv.verify(folder)
    published = pd.read_csv(folder / "data.csv")
    fairlets = published.groupby(list(schema.quasi), dropna=False)
    assert fairlets.size().min() >= 10
    facts = json.loads((folder / "evidence.json").read_text())["facts"]
    assert facts["t_closeness_of_protected"] <= 0.05
    assert sum(facts["composition"].values()) == 10
    assert facts["favoured"] == "male"
    after = facts["positive_ratios"]["after"]
    assert after["female"] >= after["male"]
    assert facts["labels_changed"]["made_favourable"] > 0
    assert facts["published_values"]["age"] == "mean"
    assert 0 < facts["sse_over_sst"] < 1
    ratio = published.assign(good=published["class"] == "good").groupby("sex")["good"].mean()
    assert ratio["female"] == pytest.approx(after["female"])


def test_no_original_record_is_in_the_recipe(private: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = private
    learnt = fv.search(table, schema, guards=GUARDS, method=fv.MDAV(k=5)).recipe(0)
    groups = pd.DataFrame(learnt.to_dict()["groups"])
    records = table.select(list(schema.quasi)).to_frame("pandas")
    shared = groups.merge(records.drop_duplicates(), how="inner", on=list(schema.quasi))
    counts = records.value_counts()
    assert len(groups) > 50
    assert all(counts[tuple(row)] >= 5 for row in shared.to_numpy())  # only what five people share anyway


def test_several_settings_are_several_candidates(private: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = private
    frontier = fv.search(table, schema, guards=GUARDS, method=fv.MDAV(k=(3, 5, 10)))
    assert len(frontier) == 2  # groups of 3 do not keep k = 5
    assert frontier.values("k").tolist() == [5, 10]
    loss = frontier.values("loss")
    assert loss[0] < loss[1]
    assert frontier.best("loss").measures["loss"] == pytest.approx(loss[0])
    several = fv.search(table, schema, guards=GUARDS, method=fv.FairMDAV(size=[10, 20], tau=[0.5, 1.0]))
    assert len(several) == 4
    assert len(several.pareto("loss", "k")) >= 1


def test_guards_that_cannot_be_kept_say_how_close_one_gets(private: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = private
    with pytest.raises(fv.Infeasible, match="smallest class has 3"):
        fv.search(table, schema, guards=GUARDS, method=fv.MDAV(k=3))
    with pytest.raises(fv.Infeasible, match="smallest class has 4"):
        fv.search(table, schema, guards=GUARDS, method=fv.FairMDAV(size=4))


def test_groups_grow_until_every_guard_holds(private: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = private
    release = fv.search(table, schema, guards=[fv.KAnonymity(3), fv.TCloseness(0.2)], method=fv.MDAV()).release(0)
    assert release.holds
    assert release.outcome.facts["k"] > 3


def test_a_quasi_protected_column_is_kept_or_aggregated(german: fv.datasets.Dataset) -> None:
    frontier = fv.search(german.table, german.schema, guards=[fv.KAnonymity(5)], method=fv.FairMDAV(protected="sex"))
    kept = frontier.release(0)
    frame = kept.to_frame("pandas")
    assert frame.groupby(list(german.schema.quasi)).size().min() >= 5
    assert set(frame["sex"]) == {"male", "female"}
    method = fv.FairMDAV(protected="sex", protected_values="aggregate", size=5)
    assert fv.search(german.table, german.schema, guards=[fv.KAnonymity(5)], method=method).release(0).holds
    with pytest.raises(fv.Infeasible):
        fv.search(german.table, german.schema, guards=[fv.KAnonymity(5)],
                  method=fv.FairMDAV(protected="sex", protected_values="keep", size=5))  # fmt: skip


def test_several_protected_columns_at_once(german: fv.datasets.Dataset) -> None:
    release = fv.search(german.table, german.schema, guards=[fv.KAnonymity(5)],
                        method=fv.FairMDAV(protected=("sex", "foreign_worker"), size=20, protected_values="aggregate"),
                        ).release(0)  # fmt: skip
    ratios = release.outcome.facts["positive_ratios"]["after"]
    assert len(ratios) >= 2
    best = ratios[release.outcome.facts["favoured"]]
    assert all(ratio >= best - 0.1 for ratio in ratios.values())  # rounded, because no group is published


def test_leftovers_are_dropped_or_join_the_nearest(private: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = private
    dropped, joined = (
        fv.search(table, schema, guards=GUARDS, method=fv.FairMDAV(size=10, leftovers=what)).release(0)
        for what in ("drop", "nearest")
    )
    assert dropped.suppressed > 0
    assert dropped.evidence()["rows"]["suppressed"] == dropped.suppressed
    assert joined.suppressed == 0
    assert joined.holds
    assert any("left out" in note for note in dropped.private)


def test_fairness_alone_leaves_values_as_they_are(private: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = private
    method = fv.FairMDAV(size=10, microaggregate=False)
    guards = [fv.AlphaProtection(50.0)]
    release = fv.search(table, schema, guards=guards, method=method, order="keep").release(0)
    for name in schema.quasi:
        source = table.column(name).to_arrow().take(release.source_rows)
        assert release.table.column(name).to_arrow().to_pylist() == source.to_pylist()


def test_new_data_gets_the_nearest_published_values(private: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = private
    learnt = fv.search(table, schema, guards=GUARDS, method=fv.MDAV(k=5)).recipe(0)
    again = recipe.from_dict(json.loads(json.dumps(learnt.to_dict())))
    assert isinstance(again, Microaggregated)
    fresh = table.take(np.arange(40)).compact()
    outcome = again.outcome(fresh)
    groups = pd.DataFrame(learnt.to_dict()["groups"])
    scales = {axis["name"]: axis for axis in learnt.to_dict()["space"]["columns"]}
    for row in range(0, 40, 7):
        record = {name: fresh.column(name).to_arrow()[row].as_py() for name in schema.quasi}
        ways = sum(
            ((groups[name] - record[name]) / scales[name]["scale"]) ** 2
            if "scale" in scales[name]
            else 2.0 * (groups[name] != record[name])
            for name in schema.quasi
        )
        got = groups.loc[int(np.argmin(ways))]
        assert {name: outcome.table.column(name).to_arrow()[row].as_py() for name in schema.quasi} == got.to_dict()
    assert outcome.table.column("class").to_arrow().equals(fresh.column("class").to_arrow())  # labels are not touched


@pytest.mark.parametrize("publish", ["median", "interval", {"age": "interval"}])
def test_other_published_values_verify(private: tuple[fv.Table, fv.Schema], publish: object, tmp_path: Path) -> None:
    table, schema = private
    method = fv.MDAV(k=5, publish=publish, integers=True)  # type: ignore[arg-type]
    release = fv.search(table, schema, guards=GUARDS, method=method).release(0)
    assert fv.verify(release.save(tmp_path / "out", accept=ANY_DANGER).path)
    assert str(release.table.column("duration").values.type) == ("string" if publish == "interval" else "int64")


@pytest.mark.parametrize("publish", ["mean", "median", "interval"])
def test_dates_and_missing_values_through_files_and_on_new_data(publish: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    days = np.datetime64("2024-01-01") + rng.integers(0, 300, 60)
    table = fv.Table.from_frame(pa.table({"day": pa.array(days), "size": pa.array([None, *rng.normal(size=59)])}))
    schema = fv.Schema(quasi=["day", "size"])
    frontier = fv.search(table, schema, guards=[fv.KAnonymity(4)], method=fv.MDAV(publish=publish))  # type: ignore[arg-type]
    folder = frontier.release(0).save(tmp_path / "out").path
    assert fv.verify(folder), fv.verify(folder).problems
    again = recipe.from_dict(json.loads((folder / "recipe.json").read_text()))
    assert again.outcome(table.take(np.arange(9))).table.rows == 9


@pytest.mark.parametrize("distance", ["manhattan", "gower"])
def test_other_distances(private: tuple[fv.Table, fv.Schema], distance: str) -> None:
    table, schema = private
    assert fv.search(table, schema, guards=GUARDS, method=fv.FairMDAV(size=10, distance=distance)).release(0).holds  # type: ignore[arg-type]


def test_a_tampered_value_is_noticed(private: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = private
    learnt = fv.search(table, schema, guards=GUARDS, method=fv.MDAV(k=5)).recipe(0)
    assert learnt.strays(learnt.outcome(table).table.column("age")) == []
    assert learnt.strays(table.column("credit_amount"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": 1}, "size must be an integer of at least 2 or a list, not 1"),
        ({"tau": 2}, "tau must be a number from 0 to 1 or a list or 'auto'"),
        ({"correction": "positiv"}, "did you mean 'positive'"),
        ({"leftovers": "keep"}, "leftovers must be 'drop', 'drop-last' or 'nearest', not 'keep'"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(fv.BadInput, match=message):
        fv.FairMDAV(**settings)  # type: ignore[arg-type]


def test_what_the_schema_lacks_is_named(private: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = private
    bare = fv.Schema(quasi=list(schema.quasi), plain=["sex"], decision="class")
    with pytest.raises(fv.BadInput, match="needs a protected column"):
        fv.search(table, bare, guards=GUARDS, method=fv.FairMDAV())
    undecided = fv.Schema(quasi=list(schema.quasi), sensitive=["sex"], protected=["sex"], decision="class")
    with pytest.raises(fv.BadInput, match="denied values"):
        fv.search(table, undecided, guards=GUARDS, method=fv.FairMDAV())


def test_weights_steer_the_distance(private: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = private
    heavy = fv.Schema(quasi=schema.quasi, sensitive=schema.sensitive, protected=schema.protected,
                      decision=schema.decision, denied=schema.denied, weights={"age": 50.0})  # fmt: skip
    plain, steered = (
        fv.search(table, s, guards=GUARDS, method=fv.MDAV(k=5)).release(0).evidence()["loss_per_column"]["age"]
        for s in (schema, heavy)
    )
    assert steered < plain


def test_labels_are_corrected_in_the_groups_of_mdav(private: tuple[fv.Table, fv.Schema], tmp_path: Path) -> None:
    """In every group that has both, women are accepted at least as often as men afterwards; nothing else changes."""
    table, schema = private
    plain, fair = (
        fv.search(table, schema, guards=[fv.KAnonymity(10)], method=fv.MDAV(k=10, tau=tau)).release(0)
        for tau in (0.0, 1.0)
    )
    changed = fair.outcome.facts["labels_changed"]
    assert changed["made_favourable"] > 0 and changed["made_unfavourable"] == 0
    assert "composition" not in fair.outcome.facts
    rows = pd.DataFrame(fair.table.to_arrow().to_pandas())
    groups = rows.assign(good=rows["class"] != "bad").groupby([*schema.quasi, "sex"], dropna=False, observed=True)
    shares = groups["good"].mean().unstack("sex").dropna()
    assert len(shares) and (shares["female"] >= shares["male"] - 1e-9).all()
    before = pd.DataFrame(plain.table.to_arrow().to_pandas())
    assert sorted(map(str, rows[list(schema.quasi)].values.tolist())) == sorted(
        map(str, before[list(schema.quasi)].values.tolist())
    )
    fair.save(tmp_path / "out", accept=ANY_DANGER)
    assert fv.verify(tmp_path / "out")


def test_correcting_labels_needs_a_protected_column(private: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = private
    bare = fv.Schema(quasi=schema.quasi, sensitive=["sex"], decision="class", denied="bad")
    with pytest.raises(fv.BadInput, match="mdav with tau needs a protected column"):
        fv.search(table, bare, guards=GUARDS, method=fv.MDAV(k=5, tau=0.5))


def test_a_category_without_a_majority_is_published_as_missing(
    private: tuple[fv.Table, fv.Schema], tmp_path: Path
) -> None:
    table, schema = private
    modes, majorities = (
        fv.search(table, schema, guards=GUARDS, method=fv.MDAV(k=20, categories=categories)).release(0)
        for categories in ("mode", "majority")
    )
    purposes = [release.table.to_arrow()["purpose"] for release in (modes, majorities)]
    assert purposes[0].null_count == 0 < purposes[1].null_count
    majorities.save(tmp_path / "out", accept=ANY_DANGER)
    assert fv.verify(tmp_path / "out")
