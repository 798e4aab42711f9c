"""Inspect: the same figures wherever the rows are, in memory, in a DuckDB file or in an SQLite file."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.studio.client import User

NAMES = ["who", "age", "sex", "town", "illness"]
STAYS = [
    (n // 2, 20 + n * 7 % 11 * (1 + n // 2 % 3), "fm"[n // 2 % 2], "abcd"[n % 31 % 4], f"i{n % 5}") for n in range(240)
]
ROLES = {"who": ["drop"], "age": ["quasi"], "sex": ["quasi"], "town": ["quasi"], "illness": ["sensitive"]}
PERSONS = {**ROLES, "who": ["person"]}
GUARDS = [{"kind": "k-anonymity", "k": 6, "suppression": 0.2}, {"kind": "distinct-diversity", "l": 2}]


def opened(kind: str, user: User, folder: Path) -> None:
    """A session with the stays, which are in a file of this kind."""
    path = folder / f"stays.{kind}"
    if kind == "csv":
        lines = [",".join("" if value is None else str(value) for value in row) for row in (NAMES, *STAYS)]
        path.write_text("\n".join(lines))
    else:
        with sqlite3.connect(path) if kind == "sqlite" else duckdb.connect(str(path)) as database:
            database.execute("create table stays (who integer, age integer, sex text, town text, illness text)")
            database.executemany("insert into stays values (?, ?, ?, ?, ?)", STAYS)
    user.open()
    assert user.job(user.call("POST", "/opening", {"path": str(path)}))["state"] == "done"


def searched(kind: str, roles: dict[str, list[str]], user: User, folder: Path) -> list[str]:
    opened(kind, user, folder)
    user.call("PUT", "/roles", {"roles": roles})
    user.call("POST", "/suggestions/accept", {"columns": ["age"]})
    found = user.search("incognito", guards=GUARDS)["candidates"]
    ids: list[str] = [found["id"][i] for i in sorted(range(len(found["id"])), key=lambda i: str(_levels(found, i)))]
    return ids


def _levels(found: Any, place: int) -> list[Any]:
    return [found["levels"][name][place] for name in sorted(found["levels"])]


def seen(user: User, candidate: str) -> dict[str, Any]:
    """What the pages Columns and Risk show of a candidate."""
    columns = {name: user.call("GET", "/inspect/distribution", candidate=candidate, column=name) for name in NAMES}
    crossed = user.call("GET", "/inspect/contingency", candidate=candidate, one="sex", other="illness")
    attackers = user.call("GET", "/inspect/attackers", candidate=candidate, threshold=0.2)
    sets = user.job(user.call("POST", "/inspect/key-sets", {"candidate": candidate}))
    assert sets["state"] == "done", sets
    risky = user.call("GET", "/inspect/risky", candidate=candidate, limit=500)
    records = Counter[Any]()
    for row in risky["rows"]:
        records[(*row["values"], row["class_before"], row["class_after"])] += row["records"]
    sizes = [(row["class_after"] or 1000, row["class_before"]) for row in risky["rows"]]
    assert sizes == sorted(sizes) and len(sizes) == risky["total"] and risky["matched"] and not risky["note"]
    return {
        "columns": columns, "crossed": crossed, "attackers": attackers, "sets": sets["answer"], "records": records,
    }  # fmt: skip


@pytest.mark.parametrize("roles", [ROLES, PERSONS], ids=["records", "persons"])
def test_a_candidate_is_inspected_where_its_rows_are(roles: dict[str, list[str]], user: User, tmp_path: Path) -> None:
    ids = searched("csv", roles, user, tmp_path)
    some = [0, len(ids) // 2, len(ids) - 1]
    expected = [seen(user, ids[i]) for i in some]
    assert sum(expected[0]["records"].values()) == len(STAYS)
    assert expected[0]["columns"]["age"]["before"]["distinct"] == len({row[1] for row in STAYS})
    assert any(key[-1] is None for shown in expected for key in shown["records"])
    for kind in ("duckdb", "sqlite"):
        ids = searched(kind, roles, user, tmp_path)
        for i, shown in zip(some, expected, strict=True):
            there = seen(user, ids[i])
            assert there["attackers"] == [pytest.approx(risk) for risk in shown.pop("attackers")]
            shown["attackers"] = there.pop("attackers")
            assert {**there, "attackers": shown["attackers"]} == shown
        assert "stay" in user.call("GET", "/inspect/rows", candidate=ids[0])["note"]


@pytest.mark.parametrize("kind", ["csv", "duckdb", "sqlite"])
def test_no_page_of_a_candidate_fails(kind: str, user: User, tmp_path: Path) -> None:
    opened(kind, user, tmp_path)
    user.call("PUT", "/roles", {"roles": ROLES})
    view = user.search("incognito", "mondrian", "mdav", "top-down-greedy", "dmpd", guards=GUARDS[:1])
    first = dict(zip(reversed(view["candidates"]["method"]), reversed(view["candidates"]["id"]), strict=True))
    assert len(first) >= 2, view["run"]
    for candidate in first.values():
        for name in NAMES:
            user.call("GET", "/inspect/distribution", candidate=candidate, column=name)
        user.call("GET", "/inspect/contingency", candidate=candidate, one="sex", other="illness")
        user.call("GET", "/inspect/attackers", candidate=candidate)
        user.call("GET", "/inspect/rows", candidate=candidate)
        assert user.call("GET", "/inspect/risky", candidate=candidate)["rows"]
        assert user.job(user.call("POST", "/inspect/key-sets", {"candidate": candidate}))["state"] == "done"
        report = user.job(user.call("POST", "/inspect/report", {"candidate": candidate}))
        assert report["state"] == "done", report
        [before] = report["answer"]["report"]["report"]["guards_before"]
        assert before["holds"] is False and "rows stay" not in before["sentence"]
