"""Opening data where it is, and accepting what is suggested for it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest

import fairveil as fv
from fairveil.run.plan import Plan
from fairveil.studio.document import stored
from tests.studio.client import User


def clinic(rows: int = 400) -> bytes:
    """A file as people write them: dates by month, thousands, units, top codes, question marks."""
    lines, draw = ["name,visit,age,sex,cost,diagnosis,smoker"], Random(1)
    for n in range(rows):
        visit = f"{draw.randint(1, 12)}/{draw.randint(1, 28)}/{draw.randint(2015, 2022)}"
        age = ">90" if n % 20 == 0 else str(draw.randint(20, 89))
        cost = f'"${draw.randint(1000, 9999):,}.50"'
        illness, smoker = draw.choice(["flu", "asthma", "cancer"]), draw.choice(["yes", "no", "?"])
        lines.append(f"P {n},{visit},{age},{draw.choice('MF')},{cost},{illness},{smoker}")
    return "\n".join(lines).encode()


def test_all_suggestions_are_reviewed_and_accepted_in_one_step(user: User) -> None:
    user.open()
    opened = user.upload("clinic.csv", clinic())  # the column of ages mixes numbers and text
    assert opened["document"]["source"]["options"]["dates"] == ["visit=%m/%d/%Y"]
    plain = user.call("PUT", "/options", {"options": {"text": opened["columns"]}})
    assert plain["document"]["roles"] == {}
    user.call("POST", "/undo")
    user.call("PUT", "/roles", {"roles": {"smoker": ["quasi"]}})
    answer = user.job(user.call("POST", "/suggestions"))["answer"]
    columns = {column["name"]: column for column in answer["columns"]}
    assert answer["open"] == len(columns) == 7
    assert columns["diagnosis"]["suggested"] == ["sensitive"] and columns["diagnosis"]["reason"]
    assert columns["visit"]["type"] == "dates" and columns["visit"]["path"][-1] == "*"
    assert 0 < columns["age"]["certainty"] < 1 == columns["smoker"]["certainty"]
    before = user.call("GET", "")
    after = user.call("POST", "/suggestions/accept", {})
    assert after["version"] == before["version"] + 1
    assert after["document"]["roles"]["smoker"] == ["quasi"]  # what was said stays
    for name, column in columns.items():
        assert after["document"]["roles"][name] == column["suggested"]
        assert (name in after["document"]["hierarchies"]) == bool(column["generalized"])
    assert {problem["where"] for problem in after["problems"]} <= {"guards", "methods"}
    assert user.job(user.call("POST", "/suggestions"))["answer"]["open"] == 0
    assert user.call("POST", "/undo")["document"] == before["document"]


def test_promises_and_methods_are_those_of_a_first_plan(user: User, tmp_path: Path) -> None:
    user.open()
    user.upload("clinic.csv", clinic())
    (tmp_path / "clinic.csv").write_bytes(clinic())
    user.call("POST", "/suggestions/promises", status=400)  # promises are about roles
    user.call("POST", "/suggestions/accept", {})
    before = user.call("GET", "")
    assert [problem["repair"]["id"] for problem in before["problems"] if problem["where"] == "guards"] == ["promises"]
    after = user.call("POST", "/repair", {"id": "promises"})
    assert after["version"] == before["version"] + 1 and not after["problems"]
    plan = fv.init(tmp_path / "clinic.csv", progress=False)
    assert len(plan.guards) > 1
    assert after["document"]["guards"] == stored(plan.guards)
    assert after["document"]["methods"] == stored(plan.methods) and after["document"]["choose"] == plan.choose
    assert user.call("POST", "/undo")["document"] == before["document"]
    assert user.call("POST", "/suggestions/promises")["document"] == after["document"]


def test_suggested_promises_are_about_the_roles_that_were_given(user: User) -> None:
    user.open()
    user.upload("clinic.csv", clinic())
    user.call("POST", "/suggestions/accept", {})
    user.call("PUT", "/roles", {"roles": {"diagnosis": ["plain"], "smoker": ["sensitive"]}})
    user.call("PUT", "/settings", {"methods": [{"kind": "datafly"}]})
    document = user.call("POST", "/suggestions/promises")["document"]
    kept = [name for name, roles in document["roles"].items() if "sensitive" in roles]
    guarded = {name for guard in document["guards"] for name in guard.get("sensitive", ())}
    assert guarded == {*kept} > {"smoker"}
    assert [method["kind"] for method in document["methods"]] == ["datafly"]  # what was chosen stays


def test_a_file_of_too_few_people_still_has_suggestions(user: User) -> None:
    user.open()
    user.upload("few.csv", b"age,illness\n31,flu\n45,cold\n52,flu\n31,cold\n")
    assert user.call("POST", "/suggestions/accept", {})["document"]["roles"]["age"] == ["quasi", "protected"]
    assert user.call("POST", "/suggestions/promises")["document"]["guards"][0]["k"] == 2


def test_suggestions_for_some_columns_leave_the_others(user: User) -> None:
    user.open()
    user.upload("clinic.csv", clinic())
    after = user.call("POST", "/suggestions/accept", {"columns": ["age"]})
    assert list(after["document"]["roles"]) == ["age"] == list(after["document"]["hierarchies"])
    assert "agee" in user.call("POST", "/suggestions/accept", {"columns": ["agee"]}, 400)["sentence"]


@pytest.mark.parametrize("kind", ["url", "path"])
def test_a_database_opens_as_on_the_command_line(kind: str, user: User, tmp_path: Path) -> None:
    path = tmp_path / "clinic.db"
    with sqlite3.connect(path) as database:
        database.execute("create table stays (age integer, sex text, town text)")
        database.executemany(
            "insert into stays values (?, ?, ?)", [(20 + n % 9, "fm"[n % 2], "ab"[n % 2]) for n in range(300)]
        )
    where: dict[str, Any] = {"path": str(path)} if kind == "path" else {"url": f"sqlite://{path}", "table": "stays"}
    user.open()
    assert user.job(user.call("POST", "/opening", where))["state"] == "done"
    assert user.call("GET", "")["rows"] == 300
    assert user.call("GET", "/rows", offset=1, limit=1)["rows"] == [[21, "m", "b"]]
    user.call("PUT", "/roles", {"roles": {"age": ["quasi"], "sex": ["quasi"], "town": ["plain"]}})
    candidate = user.search("incognito")["candidates"]["id"][0]
    release = user.job(user.call("POST", "/release", {"candidate": candidate}))["answer"]
    assert release["verified"] and release["snapshot"]
    plan = Plan.from_toml(user.call("GET", "/plan"))
    assert plan.task().rows == 300


def test_a_password_is_never_kept(user: User, tmp_path: Path) -> None:
    user.open()
    job = user.job(user.call("POST", "/opening", {"url": "postgresql://me:hunter2@localhost/x", "table": "t"}))
    assert job["state"] == "failed" and "password" in job["error"] and "hunter2" not in str(job)
    kept = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert not [content for content in kept if b"hunter2" in content]


def test_a_source_that_changes_or_goes_is_said(user: User, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,sex\n" + "".join(f"{n % 50},{'fm'[n % 2]}\n" for n in range(100)))
    user.open(path=str(path))
    assert not [problem for problem in user.call("GET", "")["problems"] if problem["where"] == "source"]
    path.write_text("age,sex\n30,f\n")
    os.utime(path, (1, 1))
    [problem] = [one for one in user.call("GET", "")["problems"] if one["where"] == "source"]
    assert "changed since it was opened" in problem["sentence"] and not problem["blocks"]
    assert user.call("GET", "")["rows"] == 100
    assert user.call("POST", "/repair", {"id": problem["repair"]["id"]})["rows"] == 1
    assert not [one for one in user.call("GET", "")["problems"] if one["where"] == "source"]
    path.unlink()
    [problem] = [one for one in user.call("GET", "")["problems"] if one["where"] == "source"]
    assert "no longer where it was" in problem["sentence"] and user.call("GET", "")["rows"] == 1


def test_a_second_writer_is_noticed(user: User) -> None:
    seen = user.open(dataset="credit_decisions")["version"]
    where, body = f"/api/sessions/{user.session}/settings", {"seed": 7}
    first = user.http.put(where, json=body, headers={"x-fairveil-version": str(seen)})
    assert first.status_code == 200
    late = user.http.put(where, json={"seed": 8}, headers={"x-fairveil-version": str(seen)})
    assert late.status_code == 409 and late.json()["code"] == "changed-meanwhile"
    assert "Set the seed to 7" in late.json()["sentence"]
    assert user.call("GET", "")["document"]["seed"] == 7
    assert (
        user.http.post(where.replace("settings", "undo"), headers={"x-fairveil-version": str(seen)}).status_code == 409
    )
    now = user.call("GET", "")["version"]
    assert user.http.put(where, json={"seed": 8}, headers={"x-fairveil-version": str(now)}).status_code == 200


PEOPLE = "id,age,town\n" + "".join(f"{n // 2},{20 + n % 9},{('Rome', 'Bari', 'Oslo', '')[n % 4]}\n" for n in range(200))
TOWNS = "name,region\nRome,Lazio\nBari,Puglia\nParis,France\n"


@pytest.mark.parametrize("kind", ["path", "upload"])
def test_a_further_table_is_compared_joined_and_undone(kind: str, user: User, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "towns.csv").write_text(TOWNS)
    user.open(path=str(tmp_path / "people.csv"))
    user.call("PUT", "/roles", {"roles": {"age": ["quasi"], "town": ["quasi"], "id": ["drop"]}})
    if kind == "path":
        further = user.call("POST", "/further", {"path": str(tmp_path / "towns.csv")})
    else:
        sent = {"content": TOWNS.encode(), "headers": {"content-type": "application/octet-stream"}}
        further = user.http.put(f"/api/sessions/{user.session}/further?name=towns.csv", **sent).json()
    assert further["title"] == "towns.csv" and further["columns"] == ["name", "region"]
    before = user.call("GET", "")
    join = {**further["place"], "on": ["town"], "key": ["name"]}
    fit = user.job(user.call("POST", "/joins/fit", {"join": join}))["answer"]
    assert fit == {"rows": 200, "matched": 100, "further_rows": 3, "repeated": 0, "added": ["region"], "refused": None}
    assert user.call("GET", "")["version"] == before["version"]
    after = user.call("PUT", "/joins", {"joins": [join]})
    assert after["columns"] == ["id", "age", "town", "region"] and after["rows"] == 200
    assert after["document"]["roles"] == before["document"]["roles"]
    assert after["joined"] == ["100 of 200 rows have a partner in towns.csv, the others have no region"]
    assert user.call("PUT", "/subset", {"where": ["region = Lazio"]})["rows"] == 50
    user.call("POST", "/undo")
    user.call("PUT", "/roles", {"roles": {"region": ["quasi"]}})
    candidate = user.search("incognito")["candidates"]["id"][0]
    release = user.job(user.call("POST", "/release", {"candidate": candidate}))["answer"]
    assert release["verified"] and "joined with" in release["snapshot"]
    plan = Plan.from_toml(user.call("GET", "/plan"))
    assert plan.source.join[0].keys == {"town": "name"} and plan.task().rows == 200
    assert user.call("PUT", "/joins", {"joins": []})["columns"] == ["id", "age", "town"]
    assert "u1" not in str(after["joined"])


def test_a_table_that_does_not_fit_changes_nothing(user: User, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "visits.csv").write_text("id,visit\n" + "".join(f"{n % 50},{2000 + n % 9}\n" for n in range(100)))
    user.open(path=str(tmp_path / "people.csv"))
    join = {"path": str(tmp_path / "visits.csv"), "on": ["id"]}
    fit = user.job(user.call("POST", "/joins/fit", {"join": join}))["answer"]
    assert fit["repeated"] == 50 and "several partners" in fit["refused"]
    assert "several partners" in user.call("PUT", "/joins", {"joins": [join]}, 400)["sentence"]
    assert "not a full path" in user.call("POST", "/further", {"path": "visits.csv"}, 400)["sentence"]
    assert "does not exist" in user.call("POST", "/further", {"path": str(tmp_path / "none.csv")}, 400)["sentence"]
    assert user.call("GET", "")["columns"] == ["id", "age", "town"]
    repeated = user.call("PUT", "/joins", {"joins": [{**join, "repeat": True}]})
    assert repeated["rows"] > 200
    assert [one for one in repeated["problems"] if "several partners" in one["sentence"] and one["where"] == "roles"]
    (tmp_path / "visits.csv").write_text("id,visit\n1,2000\n")
    assert "joined with it changed" in str(user.call("GET", "")["problems"])
