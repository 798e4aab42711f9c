"""fairveil check: short options are declared beside the settings of guards, and all problems are named at once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from fairveil import guards
from fairveil.cli.check import short_options
from fairveil.counting.cells import Classes
from fairveil.data.schema import Schema
from fairveil.guards import ClassGuard
from fairveil.settings import required, setting, settings_of
from tests.cli.conftest import PLAN, Run

FAIR = ("--protected", "sex", "--decision", "disease", "--denied", "flu")


@pytest.fixture
def gaps(tmp_path: Path) -> Path:
    path = tmp_path / "gaps.csv"
    path.write_text("sex,age\n,1\nF,1\nF,1\nM,1\nM,1\nX,2\n")
    return path


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_rows_with_missing_values_are_dropped_if_asked(engine: str, gaps: Path, fairveil: Run) -> None:
    asked = ("check", gaps, "--quasi", "sex", "--k", 2, "--engine", engine)
    kept = fairveil(*asked)
    assert "6 rows, quasi columns sex" in kept.out and "2 records in 2 classes break it" in kept.out
    dropped = fairveil(*asked, "--missing", "drop")
    assert "5 rows, 1 dropped before for missing values, quasi columns sex" in dropped.out
    assert "1 record in 1 class breaks it" in dropped.out
    if engine == "memory":
        assert "(the first after the header is 1): 1, 6" in kept.out
        assert "(the first that was not dropped is 1): 5" in dropped.out
    answer = json.loads(fairveil(*asked, "--missing", "drop", "--json").out)
    assert (answer["rows"], answer["dropped"]) == (5, 1)


def test_a_plan_may_drop_rows_with_missing_values(people: Path, fairveil: Run) -> None:
    lines = people.read_text(encoding="utf-8").splitlines()
    people.write_text("\n".join([*lines, "Max,,08713,M,flu", ""]), encoding="utf-8")
    plan = people.with_name("dropping.toml")
    plan.write_text(PLAN.replace('path = "people.csv"', 'path = "people.csv"\nmissing = "drop"'), encoding="utf-8")
    assert "12 rows, 1 dropped before" in fairveil("check", people, "--plan", plan).out


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--measure", "slift", *FAIR), "--measure belongs to --alpha: also give --alpha"),
        (("--distance", "equal"), "--distance belongs to --t: also give --t"),
        (("--c", "2"), "--c belongs to --l: also give --l"),
        (
            ("--measure", "slift", "--granularity", "2", *FAIR),
            "--measure and --granularity belong to --alpha: also give --alpha",
        ),
        (("--confidence", "0.9", *FAIR), "--confidence belongs to --alpha: also give --alpha"),
        (("--k", "2", "--knowledge", "census.csv"), "--knowledge belongs to --alpha: also give --alpha"),
        (("--k", "2", "--k", "3"), "--k is given twice"),
        (("--k", "2", "--k", "2", "--k", "2"), "--k is given 3 times"),
        (("--sensitive", "disease", "--t", "0.2", "--t", "0.3"), "--t is given twice"),
        (("--guard", "t-closeness:t=0.2,0.3"), "t must be a number from 0 to 1, not '0.2,0.3'"),
        (("--legal", "zip", "--neighbours", "0", *FAIR), "--neighbours must be an integer of at least 1, not 0"),
        (("--entropy-l", "0"), "--entropy-l must be a number of at least 1, not 0"),
        (
            ("--guard", "no-redlining:alpha=1.2", *FAIR),
            "no-redlining needs background knowledge, such as --knowledge FILE",
        ),
    ],
)
def test_problems_name_the_options(options: tuple[str, ...], problem: str, people: Path, fairveil: Run) -> None:
    result = fairveil("check", people, "--quasi", "age", *options)
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert result.err.rstrip().endswith(problem)


def test_all_problems_are_named_at_once(people: Path, fairveil: Run) -> None:
    wrong = ("--quasi", "age,zap", "--sensitive", "diseas", "--guard", "foo", "--k", 1, "--alpha", 0.5, "--t", 7)
    result = fairveil("check", people, *wrong, "--measure", "lift")
    assert result.code == 2 and "8 problems: " in result.err and result.err.count("problems") == 1
    for culprit in ("--k must", "--alpha must", "--measure must", "--t must", "'foo'", "'zap'", "'diseas'", "--denied"):
        assert culprit in result.err
    result = fairveil("check", people, "--quasi", "agee", "--l", 2)
    assert "'agee'" in result.err and "distinct-diversity needs a sensitive column" in result.err
    result = fairveil("check", people.with_name("nobody.csv"), "--quasi", "age", "--k", 1)
    assert "2 problems: " in result.err and "--k must" in result.err and "nobody.csv" in result.err
    result = fairveil("check", people, "--quasi", "age", "--k", 2, "--separator", "ab", "--decimal", "x")
    assert "2 problems: --separator" in result.err and "--decimal" in result.err


def test_knowledge_is_for_a_guard_that_takes_it(people: Path, fairveil: Run) -> None:
    """A long spelling needs no --alpha beside it."""
    rules = people.with_name("rules.json")
    rules.write_text('["zip -> sex"]')
    roles = ("--quasi", "zip,age", *FAIR, "--knowledge", rules, "--json")
    long = fairveil("check", people, *roles, "--guard", "no-redlining:alpha=1.2")
    assert long.code in (0, 1) and long == fairveil("check", people, *roles, "--alpha", 1.2)


def test_every_short_option_is_a_setting_of_a_guard() -> None:
    for option, meanings in short_options().items():
        for kind, spelled in meanings:
            guard: type = guards.GUARDS.get(kind)
            assert spelled in settings_of(guard)
            assert spelled.cli == f"--{option.replace('_', '-')}"


@dataclass(frozen=True)
class LargeClasses(ClassGuard):
    """A guard of another package: classes have at least `rows` rows, times `factor`."""

    bound: ClassVar[str] = "rows"
    kind: ClassVar[str] = "large-classes"
    rows: int = field(metadata=required("minimum number of rows", min=1, cli="--class-rows"))
    factor: float = setting(1.0, "rows are counted this many times", cli="--class-factor")
    k: int = setting(2, "spelled as another guard's", cli="--k")
    quasi: str = setting("", "spelled as another option", cli="--quasi")

    def values(self, classes: Classes, schema: Schema) -> np.ndarray:
        return classes.rows * self.factor

    def describe(self, worst: float) -> str:
        return f"at least {worst:g} rows"


@pytest.fixture
def outside() -> Iterator[None]:
    guards.register(LargeClasses)
    yield
    guards.GUARDS.unregister(LargeClasses.kind)


@pytest.mark.usefixtures("outside")
def test_an_outside_guard_may_have_short_options(people: Path, fairveil: Run) -> None:
    asked = ("check", people, "--quasi", "sex")
    assert "--class-rows ROWS" in fairveil("check", "--help").out
    assert "✓ large-classes: at least 6 rows" in fairveil(*asked, "--class-rows", 6).out
    assert "✓ large-classes: at least 12 rows" in fairveil(*asked, "--class-rows", 12, "--class-factor", 2).out
    assert "--class-factor belongs to --class-rows" in fairveil(*asked, "--class-factor", 2).err
    assert "--class-rows must be an integer" in fairveil(*asked, "--class-rows", 0).err
    result = fairveil(*asked, "--k", 6, "--class-rows", 7)
    assert result.code == 1 and "✓ k-anonymity" in result.out and "✗ large-classes" in result.out


def test_the_list_of_commands_loads_no_guards() -> None:
    script = "import sys; from fairveil import cli; cli.run(['--help']); print([*sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "check" in done.stdout
    assert not any(f"'{name}'" in done.stderr for name in ("fairveil.guards", "numpy", "pyarrow"))
