"""Search, explore, steer, inspect and release, against what the command line and the library give."""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import fairveil as fv
from fairveil import methods
from fairveil.cli import run as command_line
from fairveil.data.atomic import write_text
from fairveil.methods.method import Method, Proposal
from fairveil.methods.task import Task
from fairveil.run.report import report_dict
from fairveil.studio import runs
from fairveil.studio.answers import plain
from tests.studio.client import User

GUARDS = ({"kind": "k-anonymity", "k": 2}, {"kind": "alpha-protection", "alpha": 1.5})


@dataclass(frozen=True)
class Endless(Method):
    """A search that ends only when it is cancelled."""

    kind: ClassVar[str] = "endless"

    def search(self, task: Task) -> Proposal:
        for done in range(100_000):
            task.report(done / 100_000, "going on")
            time.sleep(0.005)
        raise AssertionError("nobody cancelled")


@pytest.fixture
def endless() -> Any:
    methods.register(Endless)
    yield
    methods.METHODS.unregister("endless")


def test_a_run_finds_what_the_library_finds(credit: User) -> None:
    view = credit.search("incognito", "mondrian")
    assert view["run"]["state"] == "done" and view["run"]["found"] == len(view["candidates"]["id"])
    data = fv.datasets.credit_decisions()
    frontier = fv.search(data.table, data.schema, guards=[fv.KAnonymity(3)])
    columns = credit.call("GET", "/candidates")
    mine = [place for place, name in enumerate(columns["method"]) if columns["methods"][name] == "incognito"]
    assert sorted(columns["measures"]["loss"][place] for place in mine) == pytest.approx(
        sorted(frontier.values("loss"))
    )
    for name, levels in columns["levels"].items():
        assert len(levels) == columns["total"] and columns["heights"][name] >= max(
            level for level in levels if level is not None
        )
    assert credit.call("GET", "/runs/r1", since=2)["candidates"]["id"] == view["candidates"]["id"][2:]
    front = credit.call("POST", "/front", {"measures": ["k", "loss"]})
    assert set(front["ids"]) <= set(columns["id"]) and front["knee"] in front["ids"]


def test_what_cannot_be_searched_is_refused_first(credit: User) -> None:
    assert "guard" in credit.call("POST", "/runs", {}, 400)["sentence"]
    credit.call("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 3}]})
    credit.call("POST", "/runs", {"methods": []}, 400)
    credit.call("POST", "/runs", {"max_candidates": 0}, 400)
    credit.call("PUT", "/roles", {"roles": {"Sex": []}})
    assert "no role" in credit.call("POST", "/runs", {}, 400)["sentence"]
    assert credit.call("GET", "")["runs"] == []


def test_a_run_that_finds_nothing_says_why(credit: User) -> None:
    credit.call("PUT", "/roles", {"roles": {"Sex": ["sensitive", "protected"]}})
    view = credit.search(guards=({"kind": "k-anonymity", "k": 3}, {"kind": "distinct-diversity", "l": 3}))
    assert view["run"]["state"] == "failed" and view["run"]["found"] == 0
    assert "ℓ-diversity (distinct values)" in view["run"]["error"]


def test_cancel_keeps_what_was_found_and_answers_soon(credit: User, endless: None) -> None:
    credit.call("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 3}]})
    run = credit.call("POST", "/runs", {"methods": [{"kind": "incognito"}, {"kind": "endless"}]})["id"]
    for _ in range(400):
        view = credit.call("GET", f"/runs/{run}")
        if view["run"]["found"]:
            break
        time.sleep(0.02)
    assert view["run"]["state"] == "running" and view["run"]["found"] and view["run"]["share"] < 1
    credit.call("POST", f"/runs/{run}/again", status=400)
    began = time.monotonic()
    assert credit.call("POST", f"/runs/{run}/cancel")["state"] == "cancelled"
    assert time.monotonic() - began < 2
    left = credit.call("GET", "/candidates")["id"]
    assert left and credit.call("GET", "/inspect", candidate=left[0])["holds"]
    assert credit.call("DELETE", f"/runs/{run}")["runs"] == []
    assert credit.call("GET", "/candidates")["id"] == []
    assert credit.call("POST", "/undo")["runs"][0]["state"] == "cancelled"
    assert credit.call("GET", "/candidates")["id"] == left


@pytest.mark.parametrize(("method", "ends"), [("datafly", "done"), ("endless", "cancelled")])
def test_a_run_has_ended_once_that_is_kept(
    method: str, ends: str, credit: User, endless: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads that it has ended finds the same after the studio was killed."""
    told: list[tuple[str, str]] = []

    def write(text: str, path: Path, **options: Any) -> None:
        kept = json.loads(text)["state"]
        told.append((kept, "running" if not told else credit.call("GET", f"/runs/{path.stem}")["run"]["state"]))
        write_text(text, path, **options)

    credit.call("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 2}]})
    monkeypatch.setattr(runs, "write_text", write)
    run = credit.call("POST", "/runs", {"methods": [{"kind": method}]})["id"]
    if ends == "cancelled":
        credit.call("POST", f"/runs/{run}/cancel")
    assert credit.finish(run)["run"]["state"] == ends
    assert told[-1] == (ends, "running") and {*told[:-1]} == {("running", "running")}


def test_undoing_a_start_stops_the_run(credit: User, endless: None) -> None:
    credit.call("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 3}]})
    run = credit.call("POST", "/runs", {"methods": [{"kind": "endless"}]})["id"]
    assert credit.call("POST", "/undo")["runs"] == []
    job = credit.studio.session(credit.session).runs[run].job
    assert job is not None
    job.thread.join(5)
    assert credit.call("POST", "/redo")["runs"][0]["state"] == "cancelled"


def test_runs_are_named_annotated_and_known_to_be_stale(credit: User) -> None:
    credit.search()
    credit.call("PUT", "/runs/r1", {"name": "First", "note": "keep"})
    [run] = credit.call("GET", "")["runs"]
    assert (run["name"], run["note"], run["stale"]) == ("First", "keep", False)
    assert credit.call("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 2}]})["runs"][0]["stale"]
    assert credit.call("GET", "/inspect", candidate="r1-1")["verdicts"][0]["guard"]["k"] == 3


def test_a_restart_keeps_everything(credit: User, endless: None) -> None:
    credit.search("incognito", "mondrian")
    before = credit.call("GET", "/candidates")
    rows = credit.call("GET", "/inspect/rows", candidate=before["id"][0])
    running = credit.call("POST", "/runs", {"methods": [{"kind": "endless"}]})["id"]
    path, record = credit.studio.state, credit.studio.session(credit.session).folder / "runs" / f"{running}.json"
    left = record.read_text()
    credit.call("PUT", "/chosen", {"candidate": before["id"][0]})
    document = credit.call("GET", "")["document"]
    credit.close()
    record.write_text(left)  # as a killed server leaves it
    again = User(path)
    again.session = credit.session
    try:
        assert again.call("GET", "")["document"] == document
        assert again.call("GET", "/candidates", run="r1") == {**before}
        assert again.call("GET", f"/runs/{running}")["run"]["state"] == "interrupted"
        assert again.call("GET", "/inspect/rows", candidate=before["id"][0]) == rows
        assert again.call("GET", "/runs/r1/lattice")["nodes"]
        assert again.call("POST", f"/runs/{running}/again")["state"] == "running"
        assert again.call("POST", f"/runs/{running}/cancel")["state"] == "cancelled"
        assert again.call("POST", "/undo")["document"]["chosen"] is None
        heads = again.call("GET", "/api/welcome")["sessions"]
        assert [(head["id"], head["rows"], head["runs"]) for head in heads] == [(credit.session, 10, 2)]
    finally:
        again.close()


def test_what_was_found_before_a_kill_is_there_after_it(credit: User, endless: None, tmp_path: Path) -> None:
    """The state of a server that nobody could warn: a copy of it in the middle of a search."""
    credit.call("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 3}]})
    run = credit.call("POST", "/runs", {"methods": [{"kind": "incognito"}, {"kind": "endless"}]})["id"]
    file = credit.studio.session(credit.session).folder / "runs" / f"{run}.json"
    for _ in range(400):
        if json.loads(file.read_text("utf-8"))["found"]["number"]:
            break
        time.sleep(0.02)
    shutil.copytree(credit.studio.state, tmp_path / "killed", ignore=shutil.ignore_patterns(".*"))  # being written
    before = credit.call("GET", "/candidates")
    again = User(tmp_path / "killed")
    again.session = credit.session
    try:
        head = again.call("GET", f"/runs/{run}")["run"]
        assert head["state"] == "interrupted" and "stopped" in head["error"] and head["found"] == len(before["id"]) > 0
        assert again.call("GET", "/candidates") == before
        assert again.call("GET", "/inspect", candidate=before["id"][0])["holds"]
        assert again.call("POST", f"/runs/{run}/again")["found"] == len(before["id"])
        again.call("POST", f"/runs/{run}/cancel")
        assert again.call("GET", "/candidates") == before
    finally:
        again.close()


def test_a_further_promise_is_priced_taken_and_undone(credit: User) -> None:
    credit.search()
    costs = credit.job(credit.call("POST", "/promise-costs", {}))["answer"]["costs"]
    data = fv.datasets.credit_decisions()
    own = fv.promise_costs(data.table, data.schema, guards=fv.KAnonymity(3))
    assert [(cost["amendment"]["sentence"], cost["cost"]) for cost in costs] == [
        (cost.amendment.sentence, cost.cost) for cost in own
    ]
    before = credit.call("GET", "")["document"]
    stricter = next(cost for cost in costs if cost["after"] is not None)
    assert credit.call("POST", "/amend", stricter["amendment"])["document"]["guards"] != before["guards"]
    assert credit.finish(credit.call("POST", "/runs", {})["id"])["run"]["state"] == "done"
    credit.call("POST", "/undo")
    assert credit.call("POST", "/undo")["document"]["guards"] == before["guards"]


def test_a_danger_is_repaired_by_one_click(user: User) -> None:
    rows = "".join(f"{20 + 10 * (i % 4)},{1000 + 7 * i},{'flu' if i % 3 else 'cough'}\n" for i in range(120))
    user.open()
    user.upload("wages.csv", f"age,wage,illness\n{rows}".encode())
    user.call("PUT", "/roles", {"roles": {"age": ["quasi"], "wage": ["plain"], "illness": ["sensitive"]}})
    user.call("PUT", "/hierarchy", {"spec": {"kind": "intervals", "levels": [[20, 40, 60]]}}, column="age")
    candidate = user.search()["candidates"]["id"][0]
    refused = user.job(user.call("POST", "/release", {"candidate": candidate}))["answer"]
    assert not re.search("NAME|uniqueness", refused["refused"])
    [danger] = [danger for danger in refused["dangers"] if danger["name"] == "uniqueness"]
    costs = user.job(user.call("POST", "/repairs", {"candidate": candidate, "danger": danger["name"]}))["answer"][
        "costs"
    ]
    assert any(cost["amendment"]["sentence"] == "Leave out wage" and cost["mends"] for cost in costs)
    coarser = next(cost["amendment"] for cost in costs if cost["amendment"]["level"] and cost["mends"])
    assert coarser["sentence"].startswith("Make wage coarser: ")
    user.call("POST", "/amend", coarser)
    again = user.finish(user.call("POST", "/runs", {})["id"])["candidates"]["id"][0]
    assert user.job(user.call("POST", "/release", {"candidate": again}))["answer"]["verified"]


def test_the_risk_by_attacker_and_by_set_of_columns(credit: User) -> None:
    candidate = credit.search()["candidates"]["id"][0]
    [prosecutor, journalist, marketer] = credit.call("GET", "/inspect/attackers", candidate=candidate, threshold=0.34)
    assert prosecutor["above"] == 0 < prosecutor["above_before"] and journalist["highest"] is None
    assert marketer["average"] == prosecutor["average"] <= prosecutor["highest"] <= 1 / 3
    sets = credit.job(credit.call("POST", "/inspect/key-sets", {"candidate": candidate, "size": 2}))["answer"]["sets"]
    assert all(risk["smallest_after"] >= max(3, risk["smallest_before"]) for risk in sets) and len(sets) == 6


def test_the_lattice_says_what_brute_force_says(credit: User) -> None:
    view = credit.search(guards=GUARDS)
    lattice = credit.call("GET", "/runs/r1/lattice")
    flags = np.frombuffer(base64.b64decode(lattice["flags"]), dtype=np.uint8)
    assert len(flags) == lattice["size"] == np.prod([height + 1 for height in lattice["heights"]])
    keeps = set()
    for node in range(lattice["size"]):
        seen = credit.call("GET", "/node", run="r1", node=node)
        by_kind = {verdict["guard"]["kind"]: verdict["holds"] for verdict in seen["verdicts"]}
        assert bool(flags[node] & 1) == by_kind["k-anonymity"]
        assert bool(flags[node] & 4) == all(by_kind.values())
        if flags[node] & 1:
            assert bool(flags[node] & 2) == by_kind["alpha-protection"]
        keeps |= {node} if flags[node] & 4 else set()
    assert set(lattice["nodes"]) == keeps and len(lattice["ids"]) == len(keeps)
    below = {node: [other for other in keeps if other != node and _under(lattice, other, node)] for node in keeps}
    assert {node for node in keeps if flags[node] & 8} == {node for node in keeps if not below[node]}
    columns = view["candidates"]
    for id, node in zip(lattice["ids"], lattice["nodes"], strict=True):
        place = columns["id"].index(id)
        for name, stride, height in zip(lattice["columns"], lattice["strides"], lattice["heights"], strict=True):
            assert columns["levels"][name][place] == node // stride % (height + 1)


def _under(lattice: Any, one: int, other: int) -> bool:
    ends = zip(lattice["strides"], lattice["heights"], strict=True)
    return all(one // stride % (height + 1) <= other // stride % (height + 1) for stride, height in ends)


def test_inspecting_shows_the_releases_own_figures(credit: User) -> None:
    credit.search()
    data = fv.datasets.credit_decisions()
    frontier = fv.search(data.table, data.schema, guards=[fv.KAnonymity(3)])
    release = frontier.release(1)
    seen = credit.call("GET", "/inspect", candidate="r1-2")
    assert seen["measures"] == pytest.approx(release.evidence()["measures"])
    assert sum(sizes["records"] for sizes in seen["class_sizes"]) == release.published.rows
    rows = credit.call("GET", "/inspect/rows", candidate="r1-2")
    published = release.table.to_arrow().to_pylist()
    shown = [
        {
            name: value
            for name, value, kept in zip(rows["columns"], row["after"], rows["published"], strict=True)
            if kept
        }
        for row in rows["rows"]
        if row["after"] is not None
    ]
    order = sorted(map(str, published[0]))
    assert sorted(str([row[n] for n in order]) for row in shown) == sorted(
        str([row[n] for n in order]) for row in published
    )
    assert [row["before"] for row in rows["rows"]] == [list(row.values()) for row in data.table.to_arrow().to_pylist()]
    for column in rows["columns"]:
        answer = credit.call("GET", "/inspect/distribution", candidate="r1-2", column=column)
        assert sum(answer["before"]["counts"]) == 10
    crossed = credit.call("GET", "/inspect/contingency", candidate="r1-2", one="Sex", other="Credit_approved")
    assert sum(map(sum, crossed["before"]["counts"])) == sum(map(sum, crossed["after"]["counts"])) == 10
    risky = credit.call("GET", "/inspect/risky", candidate="r1-2")["rows"]
    assert [row["class_after"] for row in risky] == sorted(row["class_after"] for row in risky)
    job = credit.job(credit.call("POST", "/inspect/report", {"candidate": "r1-2"}))
    told = report_dict(frontier.release(1), internal=True)
    assert job["answer"]["report"]["report"] == plain(told["report"])
    assert job["answer"]["report"]["attacks"] == plain(told["attacks"])
    compared = credit.call("GET", "/compare", one="r1-1", other="r1-2")
    assert [column["name"] for column, _ in compared["columns"]] == [column["name"] for column in seen["columns"]]
    for path in ("/inspect", "/inspect/rows"):
        credit.call("GET", path, candidate="r1-99", status=404)
        credit.call("GET", path, candidate="../x", status=404)


def test_clipboard_and_further_measures(credit: User) -> None:
    credit.search()
    clips = [{"candidate": "r1-1", "note": "nice"}, {"candidate": "r1-2", "note": ""}]
    assert credit.call("PUT", "/clipboard", {"clipboard": clips})["document"]["clipboard"] == clips
    credit.call("PUT", "/clipboard", {"clipboard": [*clips, clips[0]]}, 400)
    credit.call("PUT", "/clipboard", {"clipboard": [{"candidate": "r9-1", "note": ""}]}, 404)
    credit.job(credit.call("POST", "/measures", {"measures": ["disparate-impact"]}))
    values = credit.call("GET", "/candidates")["measures"]["disparate-impact"]
    assert any(value is not None for value in values)


def test_what_was_released_is_what_the_plan_releases(credit: User, tmp_path: Path) -> None:
    credit.search("mondrian", "incognito")
    candidate = credit.call("GET", "/candidates")["id"][-1]
    credit.call("PUT", "/chosen", {"candidate": candidate})
    out = tmp_path / "out"
    answer = credit.job(credit.call("POST", "/release", {"candidate": candidate, "path": str(out)}))["answer"]
    if answer["refused"]:
        accept = [danger["name"] for danger in answer["dangers"]]
        assert accept and not out.exists()
        credit.call("PUT", "/settings", {"accept": accept})
        answer = credit.job(credit.call("POST", "/release", {"candidate": candidate, "path": str(out)}))["answer"]
    assert answer["verified"] and answer["path"] == str(out) and fv.verify(out)
    plan = credit.call("GET", "/plan.toml")
    (tmp_path / "plan.toml").write_bytes(plan.content)
    assert command_line(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "again")]) == 0
    assert _content(out) == _content(tmp_path / "again")
    zipped = credit.job(credit.call("POST", "/release", {"candidate": candidate}))["answer"]
    archive = zipfile.ZipFile(io.BytesIO(credit.call("GET", f"/releases/{zipped['id']}/zip").content))
    assert {name: archive.read(f"release/{name}") for name in _content(out)} == _content(out)
    page = credit.call("GET", f"/releases/{zipped['id']}/report")
    assert page.content == (out / "report.html").read_bytes() and "sandbox" in page.headers["content-security-policy"]
    credit.call("POST", "/release", {"candidate": candidate, "path": str(out)}, 400)
    credit.call("POST", "/release", {"candidate": candidate, "path": "out"}, 400)
    credit.call("POST", "/release", {"candidate": candidate, "accept": ["none"]}, 400)
    credit.call("GET", "/releases/x99/zip", status=404)


def test_what_was_published_is_known_after_a_restart(credit: User, tmp_path: Path) -> None:
    assert credit.call("GET", "/releases") == []
    credit.search("mondrian")
    candidate = credit.call("GET", "/candidates")["id"][-1]
    accept = [attack["name"] for attack in credit.call("GET", "/api/catalog")["attacks"]]
    out = str(tmp_path / "out")
    made = [
        credit.job(credit.call("POST", "/release", {"candidate": candidate, "accept": accept, **where}))["answer"]
        for where in ({"path": out}, {})
    ]
    assert [answer["id"] for answer in made] == ["x1", "x2"] and all(answer["verified"] for answer in made)
    refused = credit.job(credit.call("POST", "/release", {"candidate": candidate, "sign": str(tmp_path / "no-key")}))
    assert refused["state"] == "failed" and "no-key" in refused["error"]
    session = credit.session
    credit.close()
    again = User(tmp_path / "state")
    again.session = session
    try:
        assert again.call("GET", "/releases") == made[::-1]
        shutil.rmtree(out)  # it was taken elsewhere
        assert again.call("GET", "/releases") == made[1:]
    finally:
        again.close()


def test_candidates_say_why_their_values_may_be_false(credit: User) -> None:
    known = {method["kind"]: method["false_values"] for method in credit.call("GET", "/api/catalog")["methods"]}
    assert known["mdav"] == "averages" and known["noisy-table"] == "noise" and known["incognito"] == ""
    credit.search("incognito", "mdav", guards=({"kind": "k-anonymity", "k": 2},))
    columns = credit.call("GET", "/candidates")
    told = dict(zip(columns["methods"], columns["false_values"], strict=True))
    assert told == {"incognito": "", "mdav": "averages"}, told
    assert "false_values" not in columns["measures"]


def _content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_walk_is_kept_and_replayed(user: User, tmp_path: Path) -> None:
    user.open(dataset="employee_codes")
    user.call("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 2}]})
    asked = {"aspirations": {"necd": 0.1, "nwp": 0.1}, "start": {"necd": 1.0, "nwp": 0.2}}
    walk = user.job(user.call("POST", "/walks", asked))["answer"]
    assert [round(solution["point"]["nwp"], 2) for solution in walk["steps"][0]["solutions"]] == [0.07, 0.09]
    turned = {"choose": 0, "aspirations": {"necd": 0.3, "nwp": 0.05}}
    longer = user.job(user.call("POST", "/walks/w1/step", turned))["answer"]
    assert len(longer["steps"]) == 2 and longer["steps"][1]["chosen"] == 0
    assert user.call("POST", "/walks/w1/back", {"steps": 1}) == walk
    user.call("POST", "/undo")
    assert user.call("GET", "/walks/w1") == longer
    user.call("POST", "/walks/w1/step", {"choose": 99}, 400)
    candidate = longer["steps"][1]["solutions"][-1]["id"]
    assert user.call("GET", "/inspect", candidate=candidate)["holds"]
    user.call("PUT", "/clipboard", {"clipboard": [{"candidate": candidate, "note": ""}]})
    user.call("PUT", "/settings", {"accept": ["homogeneity", "uniqueness"]})
    out = tmp_path / "out"
    answer = user.job(user.call("POST", "/release", {"candidate": candidate, "path": str(out)}))["answer"]
    assert answer["verified"], answer
    (tmp_path / "plan.toml").write_text(user.call("GET", "/plan", candidate=candidate))
    assert command_line(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "again")]) == 0
    assert _content(out) == _content(tmp_path / "again")
    user.close()
    again = User(user.studio.state)
    again.session = user.session
    assert again.call("GET", "/walks") == [longer]
    assert len(again.job(again.call("POST", "/walks/w1/step", {"choose": 0}))["answer"]["steps"]) == 3
    assert again.call("DELETE", "/walks/w1")["document"]["clipboard"] == []
    again.close()


def test_a_walk_is_a_request_like_any_other(user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user.open(dataset="employee_codes")
    user.call("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 2}]})
    user.call("PUT", "/settings", {"order": "keep", "accept": ["homogeneity", "row-order", "uniqueness"]})
    asked = {"aspirations": {"necd": 0.1, "nwp": 0.1}, "points": 3}
    walk = user.job(user.call("POST", "/walks", asked))["answer"]
    wanted = {"candidate": walk["steps"][0]["solutions"][0]["id"], "path": str(tmp_path / "out")}
    answer = user.job(user.call("POST", "/release", wanted))["answer"]
    assert answer["verified"], answer
    assert json.loads((tmp_path / "out" / "evidence.json").read_text("utf-8"))["order"] == "keep"
    refused = user.call("POST", "/walks", {"method": {"kind": "incognito"}}, 400)
    assert "has no reference directions" in str(refused)
    monkeypatch.setattr("fairveil.errors.is_installed", lambda module: module != "pymoo")
    assert "preferences needs pymoo" in str(user.job(user.call("POST", "/walks", asked)))


def test_models_are_tried_and_a_session_can_go_meanwhile(user: User) -> None:
    user.open(dataset="german_credit")
    user.call("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 5}]})
    asked = {"methods": [{"kind": "mondrian"}], "measures": ["disparate-impact"]}
    view = user.finish(user.call("POST", "/runs", asked)["id"])
    assert view["candidates"]["measures"]["disparate-impact"][0] is not None
    report = {"candidate": "r1-1", "utility": True}
    job = user.job(user.call("POST", "/inspect/report", report))
    assert job["answer"]["report"]["utility"]["models"]
    user.call("POST", "/inspect/report", report)
    user.call("DELETE", "")
    assert not list((user.studio.state / "sessions").iterdir())
