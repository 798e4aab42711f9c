"""Persons, their population, key sets and earlier releases: on the page as in a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from fairveil.attacks import ATTACKS
from fairveil.run.plan import Plan
from tests.studio.client import User

VISITS = "who,age,sex,day\n" + "".join(
    f"p{n % 40},{20 + n % 4},{'FM'[n % 2]},2026-01-{1 + n // 10:02d}\n" for n in range(120)
)
ROLES = {"who": ["person"], "age": ["quasi"], "sex": ["quasi"], "day": ["plain"]}


@pytest.fixture
def visits(user: User) -> User:
    user.open()
    user.upload("visits.csv", VISITS.encode())
    user.call("PUT", "/roles", {"roles": ROLES})
    return user


def plan_of(user: User, folder: Path) -> Plan:
    (folder / "plan.toml").write_bytes(user.call("GET", "/plan.toml").content)
    return Plan.read(folder / "plan.toml")


def test_weights_are_published_as_asked(user: User) -> None:
    user.open()
    user.upload("people.csv", b"age,w\n" + b"".join(b"%d,%d.5\n" % (20 + n % 9, n % 4 + 1) for n in range(60)))
    assert "weight first" in user.call("PUT", "/weights", {"publish": "rounded"}, 400)["sentence"]
    user.call("PUT", "/roles", {"roles": {"age": ["quasi"], "w": ["weight"]}})
    user.call("PUT", "/weights", {"publish": "rounded"})
    user.call("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 3}]})
    assert 'publish_weight = "rounded"' in user.call("GET", "/plan")


def test_a_population_is_set_checked_and_forgotten(visits: User, tmp_path: Path) -> None:
    asked = {"guards": [{"kind": "k-map", "k": 30}]}
    assert visits.call("POST", "/feasibility", asked)[0]["problem"]
    made = visits.call("PUT", "/population", {"size": 5000})
    assert made["document"]["population"] == {"size": 5000}
    assert visits.call("POST", "/feasibility", asked)[0]["problem"] is None
    visits.call("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 2}]})
    schema = plan_of(visits, tmp_path).schema
    assert schema is not None and schema.population is not None and schema.population.size == 5000
    assert "at least as large" in visits.call("PUT", "/population", {"size": 7}, 400)["sentence"]
    assert visits.call("PUT", "/population", {"size": 41})["document"]["population"] == {"size": 41}  # 40 have 120 rows
    for wrong in ({"fraction": 0}, {"fraction": 1.5}, {"size": 0}, {"size": 5000, "fraction": 0.5}):
        visits.call("PUT", "/population", wrong, 400)
    assert visits.call("PUT", "/population", {"fraction": 0.02})["document"]["population"] == {"fraction": 0.02}
    assert visits.call("PUT", "/population", {})["document"]["population"] is None
    assert visits.call("POST", "/undo")["document"]["population"] == {"fraction": 0.02}


def test_one_record_of_each_person_is_counted(visits: User, tmp_path: Path) -> None:
    asked = {"guards": [{"kind": "k-anonymity", "k": 5}]}
    assert visits.call("POST", "/feasibility", asked)[0]["rows"] == 120
    assert "needs a column" in visits.call("PUT", "/one-row-per-person", {"keep": "latest"}, 400)["sentence"]
    visits.call("PUT", "/one-row-per-person", {"keep": "latest", "by": "dya"}, 400)
    document = visits.call("PUT", "/one-row-per-person", {"keep": "latest", "by": "day"})["document"]
    assert (document["one_row_per_person"], document["by"]) == ("latest", "day")
    assert visits.call("POST", "/feasibility", asked)[0]["rows"] == 40
    visits.search(guards=asked["guards"])
    assert visits.call("GET", "/inspect/rows", candidate="r1-1")["total"] == 40
    assert plan_of(visits, tmp_path).one_row_per_person == "latest"
    document = visits.call("PUT", "/one-row-per-person", {"keep": "random", "by": "day"})["document"]
    assert (document["one_row_per_person"], document["by"]) == ("random", None)
    assert visits.call("PUT", "/one-row-per-person", {})["document"]["one_row_per_person"] is None
    visits.call("PUT", "/roles", {"roles": {"who": ["drop"]}})
    assert "role person" in visits.call("PUT", "/one-row-per-person", {"keep": "random"}, 400)["sentence"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"keys": [["age"], {"columns": ["sex"], "k": 9}]}, {"keys": [["age"], {"columns": ["sex"], "k": 9}]}),
        ({"subsets": ["1"]}, {"subsets": 1}),
        ({"subsets": ["1:4", "2:3"]}, {"subsets": {"1": 4, "2": 3}}),
    ],
)
def test_key_sets_are_kept_as_the_form_gives_them(visits: User, given: Any, kept: Any) -> None:
    """And the form is given them back in the same way."""
    guard = {"kind": "k-anonymity", "k": 3, **given}
    [stored] = visits.call("PUT", "/guards", {"guards": [guard]})["document"]["guards"]
    assert {name: stored[name] for name in kept} == kept
    assert visits.call("PUT", "/guards", {"guards": [stored]})["document"]["guards"] == [stored]
    assert visits.call("POST", "/feasibility", {"guards": [guard]})[0]["problem"] is None
    assert visits.search(guards=[guard])["run"]["found"]


def test_an_earlier_release_is_part_of_every_search(credit: User, tmp_path: Path) -> None:
    data = fv.datasets.credit_decisions()
    alone = credit.search(guards=[{"kind": "k-anonymity", "k": 2}])["run"]
    first = tmp_path / "first"
    frontier = fv.search(data.table, data.schema, guards=[fv.KAnonymity(2)])
    frontier.best("loss").save(first, accept=[attack.name for attack in ATTACKS])
    document = credit.call("PUT", "/earlier", {"earlier": [{"release": str(first)}]})["document"]
    assert document["earlier"] == [{"release": str(first)}]
    again = fv.search(data.table, data.schema, guards=[fv.KAnonymity(2)], earlier=[first])
    head = credit.finish(credit.call("POST", "/runs", {})["id"])["run"]
    assert head["found"] == len(again) < alone["found"]
    assert credit.call("GET", "/runs/r1")["run"]["stale"] and not head["stale"]
    assert [one.release for one in plan_of(credit, tmp_path).earlier] == [str(first)]
    for wrong in ({"release": "first"}, {"release": str(tmp_path)}, {"release": str(first), "source": "/none.csv"},
                  {"release": str(first), "key": "nobody"}, {"source": "/none.csv"}):  # fmt: skip
        credit.call("PUT", "/earlier", {"earlier": [wrong]}, 400)
    assert credit.call("PUT", "/earlier", {"earlier": []})["document"]["earlier"] == []
    plan = tmp_path / "plan.toml"
    plan.write_text(plan.read_text("utf-8").replace(str(first), "first"), "utf-8")
    assert credit.open(path=str(plan))["document"]["earlier"] == [{"release": str(first)}]
