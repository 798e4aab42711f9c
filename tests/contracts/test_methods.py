"""What every method owes its users, because it is in the registry. What applies is chosen by traits, never by kind."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow.csv
import pytest

import fairveil as fv
from fairveil import methods, recipes
from fairveil.cli import run
from fairveil.methods import METHODS, Method
from fairveil.recipes import Change
from fairveil.release.release import Release
from fairveil.run.plan import Origin, Plan
from tests.contracts.people import GUARDS, SCHEMA, OnlyCounts, contents, frames, quick, search, source
from tests.known import ANY_DANGER


@pytest.fixture(params=METHODS, ids=lambda method: method.kind)
def method(request: pytest.FixtureRequest) -> Method:
    return quick(request.param)


def test_guards_hold_on_what_is_published(method: Method) -> None:
    found = search(method, source())
    assert len(found) > 0
    for position in {0, len(found) // 2, len(found) - 1}:
        release = found.release(position)
        assert release.holds
        for frame in frames(release.to_frame("pandas")):
            quasi = [name for name in frame.columns if name in SCHEMA.quasi]
            assert not quasi or frame.groupby(quasi, dropna=False).size().min() >= 3
            assert "name" not in frame.columns
        assert "name" not in release.table.names


def test_saved_and_verified(method: Method, tmp_path) -> None:
    found = search(method, source())
    for format in ("csv", "parquet"):
        folder = found.release(0).save(tmp_path / format, format=format, accept=ANY_DANGER).path
        verification = fv.verify(folder)
        assert verification, verification.problems


def test_a_fixed_level_is_published_whatever_the_method(method: Method, tmp_path) -> None:
    kinds = fv.hierarchy.tree({"*": {"light": ["flu", "cold"], "grave": ["pox"]}})
    rules = {**SCHEMA.hierarchies, "illness": kinds}
    schema = replace(SCHEMA, sensitive=(), plain=("illness",), hierarchies=rules, levels={"illness": 1})
    release = fv.search(source(), schema, guards=GUARDS, method=method).release(0)
    fresh = release.recipe.applied(fv.Table.from_frame(source(seed=1)), unknown="suppress")
    applied = [part for outcome in (release.outcome, fresh) for part in outcome.tables.values()]
    held = [part.column("illness").domain for part in applied if "illness" in part]
    assert all(set(values) <= {"light", "grave"} for values in held)
    assert fv.verify(release.save(tmp_path / "out").path)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_the_frame_that_came_in_is_untouched_and_its_kind_comes_out(method: Method, kind: str) -> None:
    frame = {"pandas": lambda t: t.to_pandas(), "polars": pl.from_arrow, "pyarrow": lambda t: t}[kind](source())
    before = frame.copy() if kind == "pandas" else frame
    published = search(method, frame).release(0).to_frame()
    assert {type(part) for part in frames(published)} == {type(frame)}
    assert frame.equals(before)


def test_the_same_seed_gives_the_same_release(method: Method) -> None:
    if not method.deterministic:
        pytest.skip("noise that a seed repeats could be taken off again")
    one, other = (search(method, source(), seed=5).release(0) for _ in "xx")
    assert one.table.to_arrow().equals(other.table.to_arrow())
    assert json.dumps(one.recipe.to_dict()) == json.dumps(other.recipe.to_dict())


def test_missing_values(method: Method) -> None:
    release = search(method, source(missing=True)).release(0)
    assert release.holds
    dropped = search(method, source(missing=True), missing="drop").release(0)
    # a differentially private release must not tell
    assert dropped.evidence()["rows"]["dropped_for_missing_values"] == (2 if method.deterministic else 0)


def test_a_table_of_one_row_is_refused(method: Method) -> None:
    # a differentially private method may not tell by its answer how many rows there are
    refusal = fv.Infeasible if method.declares_domains else fv.BadInput
    with pytest.raises(refusal, match=r"more than the 1 row of|the noise leaves no rows|more than the 2 rows"):
        search(method, source(rows=1, seed=2))


def test_a_recipe_can_be_written_read_and_applied_to_new_data(method: Method) -> None:
    found = search(method, source())
    again = recipes.from_dict(json.loads(json.dumps(found.recipe(0).to_dict())))
    fresh = fv.Table.from_frame(source(seed=1))
    one, other = found.recipe(0).applied(fresh).table, again.applied(fresh).table
    assert one.to_arrow().equals(other.to_arrow())
    assert one.rows == fresh.rows


def test_an_unknown_value_is_refused_by_name_or_its_row_left_out(method: Method) -> None:
    found = search(method, source())
    strange = source(seed=1).to_pandas()
    strange.loc[3, "zip"] = "longer"
    table = fv.Table.from_frame(strange)
    with pytest.raises(fv.BadInput, match="'longer'"):
        found.recipe(0).applied(table)
    assert found.recipe(0).applied(table, unknown="suppress").table.rows == table.rows - 1


def test_it_publishes_nothing_false_or_says_so(method: Method) -> None:
    found = search(method, source())
    shares = found.values("truthful")
    if not method.false_values:
        assert (shares == 1).all()
    else:  # what noise made up is not compared with the source: that would cost privacy
        assert (shares < 1).any() or (np.isnan(shares).all() and found.recipe(0).invents)


def test_settings_survive_a_plan(method: Method) -> None:
    assert methods.from_dict(json.loads(json.dumps(method.to_dict()))) == method


def test_a_mistyped_setting_is_refused(method: Method) -> None:
    with pytest.raises(fv.BadInput, match=f"no setting of {method.kind} 'tim_limit'"):
        methods.from_dict({"kind": method.kind, "tim_limit": 3})


def test_progress_can_cancel(method: Method) -> None:
    with pytest.raises(fv.Cancelled):
        search(method, source(), progress=lambda share, what: False)


def test_a_method_that_needs_no_rows_asks_for_none(method: Method) -> None:
    if method.needs_rows:
        pytest.skip("it looks at rows, and says so")
    frontier = fv.search(OnlyCounts(source()), SCHEMA, guards=GUARDS, method=method)
    assert len(frontier) and frontier.values("loss").min() >= 0
    assert all(frontier.judged(position).holds for position in {0, len(frontier) - 1})


def saved(frontier: Any, folder: Path) -> dict[str, bytes]:
    return contents(frontier.release(len(frontier) - 1).save(folder, accept=ANY_DANGER).path)


def test_what_is_recalled_publishes_the_very_bytes_or_is_searched_again(
    method: Method, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(3):
        frame = source(seed, rows=60)

        def explored(frame: object = frame) -> fv.Frontier:
            return fv.explore(
                frame, SCHEMA, guards=GUARDS, methods=[method], keep=tmp_path / "memory", max_candidates=5
            )

        first = explored()
        once = saved(first, tmp_path / f"first-{seed}")
        if method.deterministic:
            with monkeypatch.context() as patch:
                patch.setattr(type(method), "search", lambda *_: pytest.fail("searched again"))
                again = explored()
            assert saved(again, tmp_path / f"again-{seed}") == once
            assert again.records(["loss", "k"]) == first.records(["loss", "k"])
    assert bool(list((tmp_path / "memory").glob("*.json"))) == method.deterministic
    assert all(file.stat().st_mode & 0o077 == 0 for file in (tmp_path / "memory").glob("*.json"))


def test_a_copied_or_reread_candidate_publishes_the_very_bytes(method: Method, tmp_path: Path) -> None:
    frontier = search(method, source())
    release, change = frontier.release(0), frontier.change(0)
    once = contents(release.save(tmp_path / "once", accept=ANY_DANGER).path)
    reread = Change.from_dict(json.loads(json.dumps(change.to_dict(), default=str)))
    for number, twin in enumerate((copy.deepcopy(change), pickle.loads(pickle.dumps(change)), reread)):
        judged = frontier.task.judge(twin)
        other = Release(
            judged, release.guards, copy.deepcopy(release.source), notes=release.notes, invented=release.invented
        )
        assert contents(other.save(tmp_path / f"twin-{number}", accept=ANY_DANGER).path) == once


def test_a_recipe_treats_the_data_it_was_learnt_from_like_any_other(method: Method) -> None:
    table = fv.Table.from_frame(source())
    recipe = search(method, table).recipe(0)
    reread = recipes.from_dict(json.loads(json.dumps(recipe.to_dict(), default=str)))
    pairs = ((recipe, table), (recipe, copy.deepcopy(table)), (reread, table))
    own, equal, again = (learnt.applied(rows).tables for learnt, rows in pairs)
    for name, part in own.items():
        assert part.to_arrow().equals(equal[name].to_arrow()) and part.to_arrow().equals(again[name].to_arrow())


def test_apply_on_a_release_folder_writes_every_table(
    method: Method, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = search(method, source()).release(0)
    release.save(tmp_path / "out", accept=ANY_DANGER)
    pyarrow.csv.write_csv(source(seed=1), tmp_path / "new.csv")

    def apply(out: str) -> tuple[int, str, str]:
        words = ["apply", str(tmp_path / "out"), str(tmp_path / "new.csv"), "--out", out]
        code = run([*words, "--text", "zip", "--unknown", "suppress", "--json"])
        return code, *capsys.readouterr()

    assert apply("applied")[2] == "fairveil: applied must be a .csv or .parquet file\n"
    code, printed, complaints = apply(str(tmp_path / "applied.csv"))
    if release.recipe.invents:
        assert code == 2 and "true rows would be published" in complaints and not (tmp_path / "applied.csv").exists()
        return
    assert code == 0, complaints
    files = [Path(file) for file in json.loads(printed)["files"]]
    assert len(files) == len(release.published.tables)
    for file, table in zip(files, release.published.tables.values(), strict=True):
        assert pyarrow.csv.read_csv(file).column_names == table.names


def test_a_plan_of_several_methods_says_which_failed_and_why(method: Method) -> None:
    """Beside a method that serves, one that cannot: also for the method that serves."""

    class Useless(fv.Incognito):
        kind = "useless"

        def search(self, task: object) -> Any:
            raise fv.Infeasible("it never finds anything")

    plan = Plan(Origin(data=source()), (fv.KAnonymity(2),), SCHEMA, (Useless(), method))
    release = plan.run()
    assert any("useless: it never finds anything" in note for note in release.private)
    assert not any("useless" in note for note in release.notes)  # the reason may tell of the source
    assert plan.explore().failed == ("useless: it never finds anything",)


def test_a_candidate_has_one_record_with_all_that_is_shown(method: Method) -> None:
    comparison = fv.explore(source(), SCHEMA, guards=GUARDS, methods=[method, fv.Datafly()], measures=["loss", "k"])
    records = comparison.records(["loss", "k"])
    assert json.loads(json.dumps(records)) == records
    for position, record in enumerate(records):
        assert list(record) == ["candidate", "method", "settings", "false_values", "levels", "loss", "k"]
        assert methods.from_dict(record["settings"]) == comparison.method(position)
        assert comparison.position_of(record["candidate"]) == position
    if method.deterministic:  # beside another method a candidate keeps its number
        alone = fv.explore(source(), SCHEMA, guards=GUARDS, methods=[method], measures=["loss", "k"])
        beside = [str(number).split(".") for number in comparison.numbers]
        assert alone.numbers == [int(number) for place, number in beside if place == "1"]


def test_what_was_found_so_far_is_told_and_survives_a_cancel(method: Method) -> None:
    heard: list[list[Any]] = []
    progress = fv.Progress(on_found=heard.append)
    comparison = fv.explore(source(), SCHEMA, guards=GUARDS, methods=[method], progress=progress, max_candidates=5)
    assert [record["candidate"] for record in progress.found] == comparison.numbers and heard[-1] == progress.found
    searched = fv.Progress()
    frontier = fv.search(source(), SCHEMA, guards=GUARDS, method=method, measures=["k", "loss"], progress=searched)
    assert searched.found == frontier.records(["k", "loss"])
    progress.cancel()
    with pytest.raises(fv.Cancelled):
        fv.explore(source(), SCHEMA, guards=GUARDS, methods=[method], progress=progress)
    assert len(progress.found) == len(comparison)
