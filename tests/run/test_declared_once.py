"""Settings are declared once, and found in plan, command line, studio and docs; plans of 0.1 are still read."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import typer

from fairveil.cli import app
from fairveil.data.about import About
from fairveil.data.dialect import Dialect
from fairveil.data.roles import Roles
from fairveil.data.table import Table
from fairveil.run.plan import Plan
from fairveil.run.plan.parsing import KEYS
from fairveil.run.sections import RequestOptions, Tryout
from fairveil.settings import settings_of
from tests.studio.client import User

PLANS = Path(__file__).parent / "plans-0.1"
DECLARED_OUTSIDE = """
import sys, types
from pathlib import Path
import fairveil.data

path = Path(fairveil.data.__file__).with_name("dialect.py")
field = "    quote: str | None = setting(None, 'the quotation mark of a CSV file')\\n"
head, tail = path.read_text(encoding="utf-8").split("    def __post_init__", 1)
module = types.ModuleType("fairveil.data.dialect")
sys.modules["fairveil.data.dialect"] = fairveil.data.dialect = module
exec(compile(head + field + "\\n    def __post_init__" + tail, str(path), "exec"), module.__dict__)

from dataclasses import dataclass, field
from typing import ClassVar
import fairveil as fv
from fairveil.guards import ClassGuard
from fairveil.settings import required

@dataclass(frozen=True)
class EvenClasses(ClassGuard):
    kind: ClassVar[str] = "even-classes"
    step: int = field(metadata=required("the number that divides every class", min=1, max=9))
    higher_is_better: ClassVar[bool] = False
    limit: ClassVar[float] = 0.0
    def values(self, classes, schema): return (classes.rows % self.step).astype(float)
    def describe(self, worst): return f"the remainder is at most {worst:g}"
    def promise(self): return f"The number of records that look alike is a multiple of {self.step}."

fv.guards.register(EvenClasses)
"""
FOUND = """
from typer.testing import CliRunner
from docs.making.tables import TABLES
from fairveil.cli import app, run
from fairveil.run.plan import Plan
from fairveil.studio.choices import catalog
from fairveil.studio.contract import typescript
from tests.studio.client import User

plan = Plan.read(sys.argv[1])  # the plan, read and written
assert plan.source.dialect.quote == "~" and plan.guards == (EvenClasses(2),)
text = plan.to_toml()
assert 'quote = "~"' in text and 'kind = "even-classes"' in text and "step = 2" in text
assert Plan.from_toml(text, plan.folder) == plan

for command in ("profile", "check", "init", "apply", "utility", "attack"):  # the command line
    assert "--quote" in CliRunner().invoke(app, [command, "--help"]).output, command
check = ["check", str(plan.folder / "people.csv"), "--quasi", "age", "--quote", "~", "--guard"]
assert [run([*check, f"even-classes:step={step}"]) for step in (2, 3, 10)] == [0, 1, 2]

assert "quote?: string" in typescript()  # the studio's API: types, reading again, opening by path and by upload
user = User(plan.folder / "state")
data = plan.folder / "people.csv"
for opened in (
    user.open(path=str(data), options={"quote": "~"}),
    user.upload("people.csv", data.read_bytes(), quote="~"),
    user.call("PUT", "/options", {"options": {"quote": "~"}}),
    user.call("POST", "/open", {"path": sys.argv[1]}),
):
    assert opened["document"]["source"]["options"] == {"quote": "~"}
assert user.upload("people.csv", data.read_bytes())["document"]["source"]["options"] == {}
user.close()
[quote] = [setting for setting in catalog().reading if setting.name == "quote"]  # the studio's forms
assert (quote.label, quote.type) == ("Quote", "text") and quote.says == "the quotation mark of a CSV file"
[guard] = [part for part in catalog().guards if part.kind == "even-classes"]
[step] = guard.fields
assert (step.name, step.type, step.minimum, step.maximum) == ("step", "integer", 1, 9)
assert step.says == "the number that divides every class" and step.required

assert "| `quote` | text |  | the quotation mark of a CSV file |" in TABLES["plan source"]()  # the documentation
assert "| `--quote` | The quotation mark of a CSV file. |  |" in TABLES["reading options"]()
for command in ("profile", "check", "init", "apply", "utility", "attack"):
    assert "[reading options]" in TABLES[f"command {command}"](), command
assert "| `even-classes` | `EvenClasses` |" in TABLES["guards"]()
step = "| `even-classes` | `step` | an integer from 1 to 9 | required | the number that divides every class |"
assert step in TABLES["guard settings"]()
"""


def test_what_is_declared_outside_in_one_place_is_found_everywhere(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age\n31\n31\n")
    plan = tmp_path / "plan.toml"
    plan.write_text(
        "format = 1\n[source]\npath = 'people.csv'\nquote = '~'\n[schema]\nquasi = 'age'\n"
        "[[guards]]\nkind = 'even-classes'\nstep = 2\n"
    )
    script = [sys.executable, "-c", DECLARED_OUTSIDE + FOUND, str(plan)]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("command", "part", "names"),
    [
        ("release", About, ["title", "dataset", "publisher", "date"]),
        ("release", RequestOptions, ["accept", "candidate", "format", "table"]),
        ("explore", RequestOptions, ["measures"]),
        ("utility", Tryout, ["test", "classifiers", "queries", "resamples", "hidden", "seed"]),
        ("check", Roles, ["quasi", "sensitive", "protected", "decision", "denied", "identifier"]),
        ("init", Roles, ["protected", "decision", "denied"]),
    ],
)
def test_options_of_the_command_line_have_the_words_of_the_request(command: str, part: type, names: list[str]) -> None:
    described: Any = typer.main.get_command(app)
    texts = {option: p.help for p in described.commands[command].params for option in p.opts}
    for setting in settings_of(part):
        if setting.name in names:
            assert setting.says[1:] in texts[setting.cli or f"--{setting.name}"]


def test_the_keywords_of_table_read_are_those_of_a_dialect() -> None:
    keywords = Table.read.__kwdefaults__ or {}
    assert set(keywords) == {*Dialect().options, "columns", "dialect", "sample", "progress"}
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


def exported(plan: Path) -> tuple[User, Plan]:
    """The user who has opened a plan in the studio, and the plan that the studio exports, seen from the same folder."""
    user = User(plan.parent / "state")
    user.open(path=str(plan))
    text = user.call("GET", "/plan")
    home = plan.parent.resolve()
    return user, Plan.read(Plan.from_toml(text).save(home / "exported.toml"))


def spelled_out(plan: Plan) -> Plan:
    """The plan with the schema that bundled data has, its denied values in a list, and protected columns in order."""
    schema = plan.data[1] if plan.schema is None else plan.schema
    denied = schema.denied_values or None
    return replace(plan, schema=replace(schema, denied=denied, protected=sorted(schema.protected)))


WALK = (PLANS / "database.toml").read_text(encoding="utf-8")
STUDIO_PLANS = {
    **{name: (PLANS / name).read_text(encoding="utf-8") for name in ("bundled.toml", "file.toml", "workbook.toml")},
    "walk.toml": "format = 1\n[source]\npath = 'people.csv'\ncolumns = ['zip', 'age']\nengine = 'spark'\n"
    "master = 'local[2]'\n" + WALK[WALK.index("[schema]") :],
    "preset.toml": "format = 1\npreset = 'cell-count-3'\n[source]\ndataset = 'credit_decisions'\n",
    "spelling.toml": "format = 1\n[source]\npath = 'people.csv'\ncolumns = ['zip', 'age']\nthousands = ','\n"
    "units = ['$']\ndates = ['zip=%m/%d/%Y']\ntop_codes = ['age']\nothers_missing = ['age']\nheader = 'yes'\n"
    "[schema]\nquasi = 'zip'\nplain = 'age'\n[[guards]]\nkind = 'k-anonymity'\nk = 2\n",
    "subset.toml": "format = 1\n[source]\npath = 'people.csv'\ncolumns = ['zip', 'age']\n"
    "where = ['age is not missing']\n[schema]\nquasi = 'zip'\nplain = 'age'\n[[guards]]\nkind = 'k-anonymity'\nk = 2\n",
    "join.toml": "format = 1\n[source]\npath = 'people.csv'\ncolumns = ['zip', 'age', 'their_income']\n"
    "[[source.join]]\npath = 'people.csv'\non = 'zip'\ncolumns = 'income'\nprefix = 'their_'\nunmatched = 'drop'\n"
    "repeat = true\n[schema]\nquasi = 'zip'\nperson = 'age'\nplain = 'their_income'\n"
    "[[guards]]\nkind = 'k-anonymity'\nk = 2\n",
    "columns.toml": "format = 1\n[source]\ndataset = 'german_credit'\ncolumns = 'all'\n"
    "[[guards]]\nkind = 'k-anonymity'\nk = 2\n",
    **{
        f"{name}.toml": "format = 1\n[source]\npath = 'people.csv'\ncolumns = ['zip', 'age']\n[schema]\nquasi = 'zip'\n"
        f"{schema}\n[[guards]]\nkind = 'k-anonymity'\nk = 2\n{population}\n"
        for name, schema, population in (
            ("size", "plain = 'age'", "[population]\nsize = 1000"),
            ("fraction", "plain = 'age'", "[population]\nfraction = 0.5"),
            ("register", "plain = 'age'", "[population]\nregister = 'people.csv'"),
            ("weight", "publish_weight = 'rounded'", "[population]\nweight = 'age'"),
            ("person", "person = 'age'", "[prepare]\none_row_per_person = 'latest'\nby = 'age'"),
            ("household", "household = 'age'", ""),
        )
    },
    "test.toml": "format = 1\n[source]\npath = 'people.csv'\ncolumns = ['zip', 'income']\n[schema]\nquasi = 'zip'\n"
    "decision = 'income'\ndenied = 'low'\n[[guards]]\nkind = 'k-anonymity'\nk = 2\n[utility]\ntest = 'people.csv'\n"
    "hidden = 'category'\n",
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, id=f"{name}-spark" if "'spark'" in STUDIO_PLANS[name] else name) for name in STUDIO_PLANS],
)
def test_a_plan_that_the_studio_opens_is_exported_as_it_was(
    name: str, folder: Path, request: pytest.FixtureRequest
) -> None:
    if "'spark'" in STUDIO_PLANS[name]:
        request.getfixturevalue("spark")
    (folder / name).write_text(STUDIO_PLANS[name], encoding="utf-8")
    user, plan = exported(folder / name)
    user.close()
    assert spelled_out(plan) == spelled_out(Plan.read(folder / name))


def test_what_a_plan_has_picked_goes_with_its_search(folder: Path) -> None:
    user, plan = exported(folder / "file.toml")
    assert plan.candidate == "3"
    user.call("PUT", "/settings", {"notes": "the search is the same"})
    assert Plan.from_toml(user.call("GET", "/plan")).candidate == "3"
    changed = user.call("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 3}]})["document"]
    assert changed["candidate"] is None and changed["utility"]["test"] == 0.25
    assert user.call("POST", "/undo")["document"]["candidate"] == "3"
    assert user.call("POST", "/open", {"dataset": "credit_decisions"})["document"]["utility"] is None
    user.close()


@pytest.mark.parametrize(
    ("plans", "elsewhere"),
    [
        (
            [plan.read_text(encoding="utf-8") for plan in PLANS.glob("*.toml")],
            {
                "master",
                "preset",
                "population",
                "size",
                "fraction",
                "register",
                "weight",
                "publish_weight",
                "person",
                "household",
                "prepare",
                "one_row_per_person",
                "by",
                "thousands",
                "units",
                "dates",
                "top_codes",
                "others_missing",
                "header",
                "where",
                "hidden",
                "earlier",
                "release",
                "key",
                "join",
                "prefix",
                "unmatched",
                "repeat",
            },
        ),  # the first needs Spark, version 0.1 does not know the others
        # the studio opens no databases; earlier releases are in tests/studio/test_people.py
        (STUDIO_PLANS.values(), {"url", "earlier", "release", "key"}),
    ],
)
def test_the_kept_plans_hold_every_key(plans: Iterable[str], elsewhere: set[str]) -> None:
    text = "\n".join(plans)
    keys = {key for section in KEYS.values() for key in section} - elsewhere
    assert {
        key for key in keys if not any(mark in text for mark in (f"{key} = ", f"[{key}", f"[[{key}", f".{key}]"))
    } == set()
