"""Open, describe and promise: every change is a sentence in the history and can be taken back."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from fairveil.run.plan import Plan
from fairveil.studio.document import blank, schema_of
from fairveil.studio.history import History
from tests.studio.client import User

PEOPLE = "id,age,zip,sex,born,job\n" + "".join(
    f"{n},{20 + n % 50},{1000 + n % 7:05d},{'FM'[n % 2]},19{60 + n % 30}-0{1 + n % 9}-11,{'abc'[n % 3]}\n"
    for n in range(200)
)


def people(user: User) -> Any:
    user.open()
    return user.upload("people.csv", PEOPLE.encode())


def test_what_is_shown_of_a_file_is_what_pandas_finds(user: User) -> None:
    made, frame = people(user), pd.read_csv(io.StringIO(PEOPLE), dtype={"zip": str})
    assert made["rows"] == len(frame) and made["columns"] == list(frame.columns)
    facts = {column["name"]: column for column in user.call("GET", "/table")["columns"]}
    for name in frame:
        assert facts[name]["distinct"] == frame[name].nunique()
        assert sum(facts[name]["histogram"]["counts"]) + facts[name]["histogram"]["rest"] == len(frame)
        assert facts[name]["unique"] == pytest.approx((frame[name].value_counts() == 1).sum() / len(frame))
        assert facts[name]["reason"]
    assert (facts["age"]["minimum"], facts["age"]["maximum"]) == (frame["age"].min(), frame["age"].max())
    assert facts["zip"]["shortest"] == facts["zip"]["longest"] == 5 and facts["zip"]["minimum"] is None
    assert user.call("GET", "/table")["options"]["separator"] == ","
    assert facts["id"]["suggested"] == ["identifier"] and facts["sex"]["suggested"] == ["quasi", "protected"]
    window = user.call("GET", "/rows", offset=150, limit=20)
    assert [row[1] for row in window["rows"]] == frame["age"][150:170].tolist() and window["total"] == 200
    assert user.call("GET", "/rows", offset=195, limit=20)["rows"][-1][0] == 199
    pairs = user.call("GET", "/pairs")
    by_name = {frozenset(pair["names"]): pair for pair in pairs}
    assert by_name[frozenset(("age", "sex"))]["distinct"] == len(frame[["age", "sex"]].drop_duplicates())
    assert [pair["unique"] for pair in pairs] == sorted((pair["unique"] for pair in pairs), reverse=True)


def test_what_whole_numbers_mean_is_suggested_said_and_written_down(user: User, tmp_path: Path) -> None:
    user.open()
    lines = [f"{20 + n % 60},{(11, 12, 40)[n % 3]},{n % 4}" for n in range(120)]
    user.upload("people.csv", "\n".join(["age,ward,kids", *lines]).encode())
    facts = {column["name"]: column["code"] for column in user.call("GET", "/table")["columns"]}
    assert facts == {"age": "", "ward": "its name", "kids": ""}
    made = user.call("POST", "/suggestions/accept", {})
    assert made["document"]["whole_numbers"] == {"ward": "code"}
    made = user.call("PUT", "/column", {"column": "ward", "whole_numbers": "quantity"})
    assert made["document"]["whole_numbers"] == {"ward": "quantity"}
    assert schema_of(made["document"]).whole_numbers == {"ward": "quantity"}
    made = user.call("PUT", "/column", {"column": "ward", "whole_numbers": "unsaid"})
    assert made["document"]["whole_numbers"] == {}
    assert user.call("POST", "/undo")["document"]["whole_numbers"] == {"ward": "quantity"}
    user.call("PUT", "/column", {"column": "ward", "whole_numbers": "number"}, 400)


def test_a_file_is_read_in_another_way(user: User) -> None:
    people(user)
    assert user.call("PUT", "/options", {"options": {"separator": ";"}})["columns"] == ["id,age,zip,sex,born,job"]
    assert user.call("POST", "/undo")["columns"][0] == "id"
    user.call("PUT", "/options", {"options": {"missing_values": ["a"]}})
    assert next(c for c in user.call("GET", "/table")["columns"] if c["name"] == "job")["missing"] == 67
    assert "seperator" in user.call("PUT", "/options", {"options": {"seperator": ";"}}, 400)["sentence"]
    user.call("PUT", "/options", {"options": {"separator": "long"}}, 400)
    user.call("PUT", "/options", {"options": {"separator": 3}}, 400)


def test_a_file_in_another_encoding(user: User) -> None:
    user.open()
    content = "Straße;Größe\nAm Dünsberg;1,75\nZürich;1,80\n".encode("cp1252")
    user.upload("orte.csv", content)
    options = user.call("GET", "/table")["options"]
    assert options["encoding"] == "cp1252" and options["separator"] == ";" and options["decimal"] == ","
    user.call("PUT", "/options", {"options": {"encoding": "cp437"}})
    assert user.call("GET", "/rows")["columns"][0] != "Straße"
    assert "orte.csv" in user.upload("orte.csv", content, 400, encoding="utf-8")["sentence"]
    assert user.upload("orte.csv", content, encoding="cp1252", separator=";")["columns"] == ["Straße", "Größe"]
    assert user.upload("orte.csv", content, columns=["Größe"], missing_values=["2"])["columns"] == ["Größe"]
    for wrong, why in (("{", "JSON"), ("[]", "Options"), ('{"seperator": ";"}', "separator"), ('{"text": 1}', "text")):
        query = {"name": "orte.csv", "options": wrong}
        bytes_of = {"content-type": "application/octet-stream"}
        where = f"/api/sessions/{user.session}/upload"
        refused = user.http.put(where, params=query, content=content, headers=bytes_of)
        assert refused.status_code == 400 and why in refused.json()["sentence"], refused.text
    assert len(list((user.studio.session(user.session).folder / "uploads").iterdir())) == 3


def test_a_workbook(user: User) -> None:
    user.open()
    book = io.BytesIO()
    pd.DataFrame({"age": [31, 40], "sex": ["F", "M"]}).to_excel(book, index=False, engine="openpyxl")
    assert user.upload("people.xlsx", book.getvalue())["columns"] == ["age", "sex"]
    assert user.call("GET", "/rows")["rows"] == [[31, "F"], [40, "M"]]


def test_a_path_and_a_plan_of_this_machine(user: User, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    assert user.open(path=str(tmp_path / "people.csv"))["rows"] == 200
    user.call("POST", "/open", {"path": "people.csv"}, 400)
    user.call("POST", "/open", {"path": str(tmp_path / "none.csv")}, 400)
    user.call("POST", "/open", {}, 400)
    plan = 'format = 1\n[source]\npath = "people.csv"\n[schema]\nquasi = ["age", "sex"]\n'
    plan += 'drop = ["id", "zip", "born", "job"]\n'
    plan += '[[guards]]\nkind = "k-anonymity"\nk = 4\n[method]\nkind = "mondrian"\n'
    (tmp_path / "plan.toml").write_text(plan)
    for document in (
        user.call("POST", "/open", {"path": str(tmp_path / "plan.toml")})["document"],
        user.call("POST", "/plan", {"text": plan, "folder": str(tmp_path)})["document"],
    ):
        assert document["guards"][0]["k"] == 4 and document["roles"]["age"] == ["quasi"]
        assert document["methods"][0]["kind"] == "mondrian"
    assert "no dataset" in user.call("POST", "/plan", {"text": 'format = 1\n[source]\ndataset = "x"'}, 400)["sentence"]


def test_every_change_is_a_sentence_and_can_be_undone(user: User) -> None:
    made = people(user)
    states = [made["document"]]
    calls: list[tuple[str, str, Any, dict[str, Any]]] = [
        ("POST", "/suggestions/accept", {}, {}),
        ("PUT", "/roles", {"roles": {"age": ["quasi"], "job": ["decision"]}}, {}),
        ("PUT", "/denied", {"denied": ["a"]}, {}),
        ("PUT", "/column", {"column": "age", "weight": 3}, {}),
        ("PUT", "/column", {"column": "id", "pseudonym": True}, {}),
        (
            "PUT",
            "/hierarchy",
            {"spec": {"kind": "intervals", "edges": [0, 100], "widths": [10, 20]}},
            {"column": "age"},
        ),
        ("POST", "/hierarchy/import", {"text": "F;*\nM;*\n"}, {"column": "sex"}),
        ("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 5}]}, {}),
        ("PUT", "/settings", {"methods": [{"kind": "mondrian"}], "name": "Trial", "seed": 3}, {}),
    ]
    for verb, path, body, query in calls:
        states.append(user.call(verb, path, body, **query)["document"])
        assert states[-1] != states[-2], path
    history = user.call("GET", "/history")
    assert len(history) == len(states) and all(entry["done"] for entry in history)
    assert history[2]["sentence"] == "Set age to quasi-identifier, job to decision"
    for state in reversed(states[:-1]):
        assert user.call("POST", "/undo")["document"] == state
    assert user.call("POST", "/undo")["document"]["source"] is None
    user.call("POST", "/undo", status=400)
    assert user.call("POST", "/redo")["document"] == states[0]
    assert user.call("POST", "/history", {"steps": len(states)})["document"] == states[-1]
    user.call("POST", "/redo", status=400)
    user.call("POST", "/history", {"steps": 999}, 400)
    user.call("POST", "/history", {"steps": 3})
    after = user.call("PUT", "/settings", {"notes": "other"})
    assert after["redo"] is None
    assert [entry["done"] for entry in user.call("GET", "/history")] == [True] * 4


def test_nothing_half_changes(credit: User) -> None:
    before = credit.call("GET", "")
    for verb, path, body in (
        ("PUT", "/roles", {"roles": {"Sex": ["quasi", "identifier"]}}),
        ("PUT", "/roles", {"roles": {"Sexx": ["quasi"]}}),
        ("PUT", "/roles", {"roles": {"Sex": ["quasy"]}}),
        ("PUT", "/denied", {"denied": ["perhaps"]}),
        ("PUT", "/column", {"column": "Sex", "weight": -1}),
        ("PUT", "/column", {"column": "Sex", "pseudonym": True}),
        ("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 1}]}),
        ("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 2}, {"kind": "k-anonymity", "k": 3}]}),
        ("PUT", "/settings", {"methods": [{"kind": "none"}]}),
        ("PUT", "/settings", {"measures": ["none"]}),
        ("PUT", "/settings", {"accept": ["none"]}),
        ("PUT", "/chosen", {"candidate": "r1-1"}),
        ("POST", "/repair", {"id": "none"}),
    ):
        answer = credit.call(verb, path, body, 404 if path == "/chosen" else 400)
        assert answer["sentence"]
    assert credit.call("GET", "") == before


def test_problems_have_repairs_that_mend_them(user: User) -> None:
    found = people(user)["problems"]
    assert {problem["column"] for problem in found if problem["where"] == "roles"} >= {"age", "zip"}
    user.call("POST", "/suggestions/accept", {})
    user.call("PUT", "/hierarchy", {"spec": {"kind": "intervals", "edges": [30, 60], "widths": [10]}}, column="age")
    user.call("POST", "/hierarchy/import", {"text": "F;woman;*\n"}, column="sex")
    for _ in range(20):
        problems = user.call("GET", "")["problems"]
        repairs = [problem["repair"]["id"] for problem in problems if problem["repair"]]
        if not repairs:
            break
        user.call("POST", "/repair", {"id": repairs[0]})
    assert not [problem for problem in problems if problem["blocks"]]
    document = user.call("GET", "")["document"]
    assert document["hierarchies"]["age"]["open_ended"] and document["guards"][0]["kind"] == "k-anonymity"
    assert ["M", "M", "*"] in document["hierarchies"]["sex"]["rows"]
    assert document["hierarchies"]["born"]["kind"] == "dates" and document["hierarchies"]["zip"]["kind"] == "mask"
    finished = user.finish(user.call("POST", "/runs", {})["id"])
    assert finished["run"]["state"] == "done", finished["run"]
    plan = Plan.from_toml(user.call("GET", "/plan"))
    assert plan.schema == schema_of(document)


@pytest.mark.parametrize(
    "spec",
    [
        {"kind": "intervals", "edges": [0, 100], "widths": [10, 50]},
        {"kind": "intervals", "edges": [30, 50], "open_ended": True},
        {"kind": "mask", "length": 2},
        {"kind": "grouping", "order": list(range(20, 70)), "sizes": [5, 10]},
        {"kind": "tree", "tree": {"*": {"low": list(range(20, 40)), "high": list(range(40, 70))}}},
        {"kind": "suppress"},
    ],
)
def test_a_preview_counts_the_rows_of_each_node(user: User, spec: dict[str, Any]) -> None:
    people(user)
    view = user.call("POST", "/hierarchy/preview", {"spec": spec}, column="age")
    assert not view["problems"] and user.call("GET", "", None)["document"]["hierarchies"] == {}
    for level in range(view["height"] + 1):
        assert sum(node["rows"] for node in view["nodes"] if node["level"] == level) == 200
    parents = {node["id"] for node in view["nodes"]} | {None}
    assert all(node["parent"] in parents for node in view["nodes"])
    exported = user.call("PUT", "/hierarchy", {"spec": spec}, column="age") and user.call(
        "GET", "/hierarchy/csv", column="age"
    )
    assert len(exported.text.splitlines()) == 50 and "attachment" in exported.headers["content-disposition"]
    user.call("POST", "/hierarchy/import", {"text": exported.text}, column="age")
    again = user.call("GET", "/hierarchy", column="age")
    assert {node["id"]: node["rows"] for node in again["nodes"]} == {node["id"]: node["rows"] for node in view["nodes"]}


def test_a_tree_is_edited(credit: User) -> None:
    tree = {"kind": "tree", "tree": {"*": {"A": {"a": ["35", "36"], "b": ["37"]}, "B": {"c": ["40", "45", "50"]}}}}
    credit.call("PUT", "/hierarchy", {"spec": tree}, column="Hours")

    def edit(status: int = 200, **asked: Any) -> Any:
        answer = credit.call("POST", "/hierarchy/edit", asked, status, column="Hours")
        return answer["document"]["hierarchies"]["Hours"]["rows"] if status == 200 else answer

    assert ["36", "b", "A", "*"] in edit(action="move", nodes=["0:36"], to="1:b")
    assert ["36", "b", "B", "*"] in edit(action="move", nodes=["1:b"], to="2:B")
    assert ["36", "late", "B", "*"] in edit(action="rename", nodes=["1:b"], label="late")
    assert ["45", "new", "B", "*"] in edit(action="group", nodes=["0:45", "0:50"], label="new")
    assert ["40", "n2", "A", "*"] in edit(action="add", nodes=["0:40"], label="n2", to="2:A")
    assert ["40", "a", "A", "*"] in edit(action="remove", nodes=["1:n2"], to="1:a")
    assert ["40", "a", "a", "A", "*"] in edit(action="level", level=1)
    assert ["40", "a", "A", "*"] in edit(action="remove", level=1)
    for wrong in (
        {"action": "move", "nodes": ["0:40"], "to": "2:A"},
        {"action": "move", "nodes": ["0:99"], "to": "1:a"},
        {"action": "rename", "nodes": ["0:40"], "label": "x"},
        {"action": "rename", "nodes": ["1:a"], "label": "new"},
        {"action": "remove", "nodes": ["0:40"]},
        {"action": "remove", "nodes": ["1:a"]},
        {"action": "group", "nodes": ["2:A"], "label": "x"},
        {"action": "level", "level": 9},
        {"action": "move", "nodes": ["x"], "to": "1:a"},
        {"action": "shake"},
    ):
        assert edit(400, **wrong)["sentence"]
    assert credit.call("GET", "")["undo"] == "Removed level 1 from the tree of Hours"


def test_feasibility_against_plain_counting(user: User) -> None:
    people(user)
    user.call("PUT", "/roles", {"roles": {"age": ["quasi"], "sex": ["quasi"], "job": ["quasi"]}})
    frame = pd.read_csv(io.StringIO(PEOPLE))
    [answer] = user.call("POST", "/feasibility", {"guards": [{"kind": "k-anonymity", "k": 3}]})

    def broken(*names: str) -> int:
        sizes = frame.groupby(list(names)).size()
        return int(sizes[sizes < 3].sum())

    assert answer["broken_rows"] == broken("age", "sex", "job") and answer["rows"] == 200 and answer["reachable"]
    blamed = {blame["column"]: blame["broken_rows"] for blame in answer["blame"]}
    plain = {"age": broken("sex", "job"), "sex": broken("age", "job"), "job": broken("age", "sex")}
    assert blamed == {name: rows for name, rows in plain.items() if rows < answer["broken_rows"]}
    assert answer["blame"] == sorted(answer["blame"], key=lambda blame: blame["broken_rows"])
    [no] = user.call("POST", "/feasibility", {"guards": [{"kind": "t-closeness", "t": 0.1}]})
    assert "sensitive" in no["problem"]
    assert user.call("GET", "")["document"]["guards"] == []


def test_feasibility_of_guards_about_rules(credit: User) -> None:
    [answer] = credit.call("POST", "/feasibility", {"guards": [{"kind": "alpha-protection", "alpha": 1.2}]})
    assert answer["problem"] is None and not answer["holds"] and answer["reachable"]


def test_the_catalog_is_that_of_the_registries(user: User) -> None:
    from fairveil import guards, measures, methods

    catalog = user.call("GET", "/api/catalog")
    for part, registry in (("guards", guards.GUARDS), ("methods", methods.METHODS)):
        assert [entry["kind"] for entry in catalog[part]] == registry.names
        for entry in catalog[part]:
            assert entry["says"] and all(field["says"] for field in entry["fields"]), entry["kind"]
    assert [measure["name"] for measure in catalog["measures"]] == measures.MEASURES.names


def test_a_history_of_a_file_that_was_tampered_with_is_refused() -> None:
    good: dict[str, Any] = History().to_dict()
    assert History.from_dict(good).document == blank()
    tampered: list[Any] = [{}, {**good, "format": 2}, {**good, "document": {"roles": 3}}, {**good, "changes": [{}]}, []]
    for bad in tampered:
        with pytest.raises(ValueError):
            History.from_dict(bad)


def test_hierarchies_that_fit_the_values_are_suggested(user: User) -> None:
    """Codes by their beginnings, names by how frequent they are: built, exported, and the same when imported."""
    codes = [f"{letter}{number}" + ".1" * (number % 2) for letter in "EIM" for number in range(10, 16)]
    lines = [f"{codes[i % 18]},{'abcdefghijkl'[min(i % 20, 11)]}town,p{i}@example.org" for i in range(400)]
    user.open()
    user.upload("codes.csv", "\n".join(["diagnosis,place,mail", *lines]).encode())
    facts = {column["name"]: column for column in user.call("GET", "/table")["columns"]}
    assert facts["diagnosis"]["look"] == "ICD codes" and facts["mail"]["safe_harbor"] == "e-mail addresses"
    for column, kind in (("diagnosis", "prefixes"), ("place", "frequent")):
        view = user.call("POST", "/hierarchy/suggest", column=column)
        assert view["kind"] == view["spec"]["kind"] == kind and not view["problems"] and view["notes"][0]
        assert user.call("POST", "/hierarchy/preview", {"spec": view["spec"]}, column=column)["nodes"] == view["nodes"]
        user.call("PUT", "/hierarchy", {"spec": view["spec"]}, column=column)
        exported = user.call("GET", "/hierarchy/csv", column=column).text
        user.call("POST", "/hierarchy/import", {"text": exported}, column=column)
        assert user.call("GET", "/hierarchy", column=column)["nodes"] == view["nodes"]
    rows = pd.DataFrame([line.split(",") for line in lines], columns=["diagnosis", "place", "mail"])
    letters = rows["diagnosis"].str[0].value_counts()
    view = user.call("POST", "/hierarchy/suggest", column="diagnosis")
    shown = {node["label"]: node["rows"] for node in view["nodes"] if node["level"] == 2}
    assert shown == {f"{letter}…": count for letter, count in letters.items()}
    learnt = user.call("POST", "/hierarchy/learn", column="place")
    assert learnt["kind"] == "tree" and not learnt["problems"]
