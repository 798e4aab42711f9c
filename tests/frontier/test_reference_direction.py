"""A session walks, turns, is saved and taken up again, and speaks plain text."""

from __future__ import annotations

import json

import numpy as np
import pytest

import fairveil as fv
from fairveil.errors import BadInput
from fairveil.frontier.dialogue import converse, render
from fairveil.frontier.reference_direction import _genomes
from tests.known import source_rows_of


@pytest.fixture(scope="module")
def credit():
    return fv.datasets.german_credit()


def started(credit, **settings) -> fv.ReferenceDirection:
    method = fv.Preferences({"necd": 0.2, "nwp": 0.2}, evaluations=150, population=10)
    given = {"guards": [fv.KAnonymity(3)], "method": method, "points": 3, **settings}
    return fv.ReferenceDirection(credit.table, credit.schema, **given)


def test_solutions_belong_to_the_points_of_the_direction(credit):
    session = started(credit)
    step = session.step()
    assert step.start == {"necd": 1.0, "nwp": 1.0}
    assert sorted(m for solution in step.solutions for m in solution.reached_from) == [1, 2, 3]
    for solution in step.solutions:
        release = session.release(step.solutions.index(solution))
        assert release.holds
        assert release.measures["k"] == solution.k >= 3
        assert {name: release.measures[name] for name in solution.point} == pytest.approx(solution.point)


def test_a_step_starts_where_one_was_chosen_and_turns(credit):
    session = started(credit)
    first = session.step()
    second = session.step(0, aspirations={"nwp": 0.4, "necd": 0.05}, points=2)
    assert second.start == first.solutions[0].point
    assert second.aspirations == {"necd": 0.05, "nwp": 0.4}
    assert second.points == 2
    wish = session.aspirations
    ours = wish.achievement(np.array([list(solution.point.values()) for solution in second.solutions])).min()
    before = wish.achievement(np.array([list(solution.point.values()) for solution in first.solutions])).min()
    assert ours <= before  # what was found before is known


def test_the_points_of_a_step_share_the_evaluations(credit):
    method = fv.Preferences({"necd": 0.2, "nwp": 0.2}, evaluations=300, population=10, polish=0.0)
    session = started(credit, method=method, points=3)
    before = session.explorer.evaluator.asked
    session.step()
    assert 0 < session.explorer.evaluator.asked - before <= method.evaluations


def test_each_solution_is_the_best_of_the_pool(credit):
    session = started(credit, points=5)
    session.step()
    step = session.step(0, aspirations={"necd": 0.05, "nwp": 0.4})
    evaluator = session.explorer.evaluator
    pool = evaluator.points[evaluator.look(_genomes(step.pool))]
    for solution in step.solutions:
        for m in solution.reached_from:
            wish = session.aspirations.toward(np.array(list(step.start.values())), m / step.points)
            [reached] = wish.achievement(np.array([list(solution.point.values())]))
            assert reached == pytest.approx(wish.achievement(pool).min())


def test_a_session_taken_up_again_goes_on_as_if_never_stopped(credit, tmp_path):
    whole = started(credit, seed=3)
    whole.step()
    whole.save(tmp_path / "walk.json")
    whole.step(0)
    again = fv.ReferenceDirection.load(tmp_path / "walk.json", credit.table)
    assert again.steps == whole.steps[:1]
    again.step(0)
    assert again.steps == whole.steps
    again.save(tmp_path / "other.json")
    whole.save(tmp_path / "walk.json")
    assert (tmp_path / "other.json").read_bytes() == (tmp_path / "walk.json").read_bytes()


def test_a_saved_session_holds_no_data(credit, tmp_path):
    session = started(credit)
    content = json.loads(session.save(tmp_path / "walk.json").read_text("utf-8"))
    assert content["format"] == 1
    assert len(content["table"]) == 64  # a checksum, not the table
    assert content["steps"] == []


def test_another_table_is_refused(credit, tmp_path):
    path = started(credit).save(tmp_path / "walk.json")
    with pytest.raises(BadInput, match="was saved for another table"):
        fv.ReferenceDirection.load(path, credit.table.take(np.arange(100)))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [("{", "not valid JSON"), ("{}", "does not hold"), ('{"kind": "reference-direction", "format": 9}', "format 9")],
)
def test_files_that_are_no_session_are_refused(credit, tmp_path, content, sentence):
    path = tmp_path / "walk.json"
    path.write_text(content, "utf-8")
    with pytest.raises(BadInput, match=sentence):
        fv.ReferenceDirection.load(path, credit.table)


def test_bad_moves_are_refused(credit):
    session = started(credit)
    with pytest.raises(BadInput, match="take a step"):
        session.release(0)
    session.step()
    with pytest.raises(BadInput, match="choose the solution to continue from"):
        session.step()
    with pytest.raises(BadInput, match="no solution 99"):
        session.step(99)
    with pytest.raises(BadInput, match="did you mean 'nwp'"):
        session.step(0, aspirations={"nvp": 0.1})
    with pytest.raises(BadInput, match="lacks a value for 'nwp'"):
        session.step(0, aspirations={"necd": 0.1})
    with pytest.raises(BadInput, match="points must be an integer"):
        started(credit, points=0)
    with pytest.raises(BadInput, match=r"start.*|better than its ideal"):
        started(credit, start={"necd": -1.0, "nwp": 0.1})


def test_a_conversation(credit, tmp_path):
    session = started(credit)
    sentences: list[str] = []
    answers = iter(
        ["", "publsh 1", "go x", "go", f"save {tmp_path / 'walk.json'}", "go 1 nwp=0.3", "go 1 nwp=a", "publish 1"]
    )
    release = converse(session, lambda question: next(answers), sentences.append)
    assert release is not None
    assert release.holds
    assert "did you mean 'publish'" in sentences[2]
    assert "'x' is not the number of a solution" in sentences[3]
    assert "needs the number" in sentences[4]
    assert (tmp_path / "walk.json").is_file()
    assert session.aspirations.levels == {"necd": 0.2, "nwp": 0.3}
    assert "not an aspiration such as" in sentences[-1]
    assert len(session.steps) == 2


def test_quit_publishes_nothing(credit):
    session = started(credit)
    assert converse(session, lambda _: "quit", lambda _: None) is None


def test_what_is_shown(credit):
    session = started(credit)
    lines = render(session.step()).splitlines()
    assert lines[0].split()[:3] == ["necd", "nwp", "k"]
    assert lines[1].split() == ["wish", "0.2", "0.2"]
    assert len(lines) == 2 + len(session.steps[0].solutions)


def test_what_any_step_evaluated_is_chosen_from_by_all_later_ones(credit, tmp_path):
    session = started(credit)
    session.step()
    pool = session.pool
    assert pool and {solution.cuts for solution in session.steps[0].solutions} <= set(pool)
    session.save(tmp_path / "walk.json")
    again = fv.ReferenceDirection.load(tmp_path / "walk.json", credit.table)
    assert again.pool == pool
    for walk in (session, again):
        walk.step(0, aspirations={name: 0.9 * level for name, level in walk.aspirations.levels.items()})
    assert again.steps == session.steps and again.pool == session.pool
    wish = session.aspirations  # the last preference point: nothing of the first step's pool fits it better
    points = session.explorer.evaluator.points[session.explorer.evaluator.look(_genomes(pool))]
    best = np.array([[solution.point[name] for name in wish.names] for solution in session.steps[1].solutions])
    assert wish.achievement(best).min() <= wish.achievement(points).min() + 1e-12


def test_the_rows_keep_their_order_if_asked_for_after_a_break_as_well(credit, tmp_path):
    session = started(credit, order="keep")
    session.step()
    path = session.save(tmp_path / "walk.json")
    again = fv.ReferenceDirection.load(path, credit.table)
    for walk in (session, again):
        release = walk.release(0)
        assert release.order == "keep" and (np.diff(source_rows_of(release)) > 0).all()
    content = json.loads(path.read_text("utf-8"))
    del content["order"]  # as an earlier version saved it
    path.write_text(json.dumps(content), "utf-8")
    assert fv.ReferenceDirection.load(path, credit.table).release(0).order == "sorted"


def test_only_a_method_that_walks_has_reference_directions(credit, tmp_path):
    assert [method.kind for method in fv.methods.METHODS if method.walks] == ["preferences"]
    path = started(credit).save(tmp_path / "walk.json")
    content = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**content, "method": {"kind": "incognito"}}), "utf-8")
    with pytest.raises(BadInput, match="method incognito has no reference directions: use preferences"):
        fv.ReferenceDirection.load(path, credit.table)


def test_a_missing_package_is_named_before_the_data_is_read(credit, monkeypatch):
    monkeypatch.setattr("fairveil.errors.is_installed", lambda module: module != "pymoo")
    with pytest.raises(BadInput, match=r"preferences needs pymoo.*pip install"):
        fv.ReferenceDirection("nowhere.csv", credit.schema, guards=[fv.KAnonymity(3)])
