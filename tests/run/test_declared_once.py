"""Reading options are declared once, in Dialect; plans of version 0.1 are still read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

from fairveil.data.dialect import Dialect
from fairveil.data.table import Table
from fairveil.run.plan import Plan
from fairveil.run.plan.keys import KEYS

PLANS = Path(__file__).parent / "plans-0.1"
WITH_ONE_MORE = """
import sys, types
from pathlib import Path
import fairveil.data

path = Path(fairveil.data.__file__).with_name("dialect.py")
field = "    quote: str | None = field(default=None, metadata=setting('the quotation mark of a CSV file'))\\n"
head, tail = path.read_text(encoding="utf-8").split("    def __post_init__", 1)
module = types.ModuleType("fairveil.data.dialect")
sys.modules["fairveil.data.dialect"] = fairveil.data.dialect = module
exec(compile(head + field + "\\n    def __post_init__" + tail, str(path), "exec"), module.__dict__)

from typer.testing import CliRunner
from docs.making.reference import plan_keys
from fairveil.cli import app
from fairveil.run.plan import Plan
from fairveil.studio.contract import typescript
from fairveil.studio.opening import _given

plan = Plan.read(sys.argv[1])
assert plan.source.dialect.quote == "~" and "quote = " in plan.to_toml()
assert "quote?: string" in typescript()
assert _given({"quote": "~"}) == {"quote": "~"}
assert "| `quote` |" in plan_keys() and "the quotation mark of a CSV file" in plan_keys()
for command in ("profile", "check", "init", "apply", "utility", "attack"):
    assert "--quote" in CliRunner().invoke(app, [command, "--help"]).output, command
"""


def test_a_reading_option_that_is_declared_once_is_found_everywhere(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age\n31\n31\n")
    plan = tmp_path / "plan.toml"
    plan.write_text(
        "format = 1\n[source]\npath = 'people.csv'\nquote = '~'\n[schema]\nquasi = 'age'\n"
        "[[guards]]\nkind = 'k-anonymity'\nk = 2\n"
    )
    done = subprocess.run([sys.executable, "-c", WITH_ONE_MORE, str(plan)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_keywords_of_table_read_are_those_of_a_dialect() -> None:
    keywords = Table.read.__kwdefaults__
    assert set(keywords) == {*Dialect().options, "columns", "dialect", "progress"}
    assert all(keywords[name] == default for name, default in Dialect().options.items())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = "08540;31;F;Ann;cook;-;low\n08541;40,5;M;Bob;clerk;-;high\n"
    (tmp_path / "people.csv").write_text("zip;age;sex;name;job;note;income\n" + rows, encoding="cp1252")
    book = openpyxl.Workbook()
    book.create_sheet("second").append(["age"])
    book["second"].append([31])
    book.save(tmp_path / "people.xlsx")
    for plan in PLANS.glob("*.toml"):
        (tmp_path / plan.name).write_text(plan.read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", sorted(plan.name for plan in PLANS.glob("*.toml")))
def test_plans_of_version_0_1_are_read(name: str, folder: Path) -> None:
    plan = Plan.read(folder / name)
    assert Plan.from_toml(plan.to_toml(), folder) == plan


def test_the_kept_plans_hold_every_key() -> None:
    text = "\n".join(plan.read_text(encoding="utf-8") for plan in PLANS.glob("*.toml"))
    elsewhere = {"master"}  # it needs Spark
    keys = {key for section in KEYS.values() for key in section} - elsewhere
    assert {
        key for key in keys if not any(mark in text for mark in (f"{key} = ", f"[{key}", f"[[{key}", f".{key}]"))
    } == set()
