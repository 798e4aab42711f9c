"""A research subset: every engine keeps the same rows, and a condition that cannot be meant is one sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fairveil.data.dialect import Dialect
from fairveil.errors import BadInput
from fairveil.run.plan import Plan
from fairveil.run.sections import Origin

ROWS = [(15 + n * 7 % 60, ("Rome", "Bari", "?")[n % 3], f"20{10 + n % 12}-0{1 + n % 9}-15", n % 5) for n in range(300)]
CONDITIONS = [
    (["age >= 18"], lambda row: row[0] >= 18),
    (["town in Rome, Oslo"], lambda row: row[1] == "Rome"),
    (["town not in Rome"], lambda row: row[1] == "Bari"),
    (["town is missing", "age<40"], lambda row: row[1] == "?" and row[0] < 40),
    (["town is not missing"], lambda row: row[1] != "?"),
    (["seen on < 2015-06-30", "seen != 3"], lambda row: row[2] < "2015-06-30" and row[3] != 3),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("subset") / "people.csv"
    lines = ["age,town,seen on,seen", *(",".join(map(str, row)) for row in ROWS)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize(("where", "keeps"), CONDITIONS)
def test_every_engine_keeps_the_same_rows(engine: str, where: list[str], keeps: object, file: Path) -> None:
    origin = Origin(str(file), engine=engine, where=tuple(where), dialect=Dialect(missing_values=["?"]))
    source = origin.open()
    kept = [row for row in ROWS if keeps(row)]  # type: ignore[operator]
    assert source.rows == len(kept)
    cells = source.count(["age"])
    ages = {
        int(age): int(rows) for age, rows in zip(cells.table().to_arrow()["age"].to_pylist(), cells.counts, strict=True)
    }
    assert ages == {age: sum(row[0] == age for row in kept) for age in {row[0] for row in kept}}
    assert replace(origin, columns=("seen",)).open().names == ["seen"]


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("aeg > 3", "age"), ("age > old", "not a number"), ("seen on = soon", "not a date"),
        ("town < Rome", "holds texts"), ("age", "must be a column"), ("age > 200", "no row meets"),
    ],
)  # fmt: skip
def test_a_condition_that_cannot_be_meant_is_one_sentence(where: str, said: str, file: Path) -> None:
    with pytest.raises(BadInput, match=said):
        Origin(str(file), where=(where,)).open()


def test_a_plan_says_it_too() -> None:
    text = (
        'format = 1\n[source]\ndataset = "credit_decisions"\nwhere = ["Sex = Female"]\n'
        '[[guards]]\nkind = "k-anonymity"\nk = 2\n'
    )
    plan = Plan.from_toml(text)
    assert 0 < plan.task().rows < 10 and "where" in plan.to_toml()
