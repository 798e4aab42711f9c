"""The command line as tests use it: the same `run` that the command `fairveil` calls, and a small file of people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from fairveil import cli

ROWS = [
    ("Ann", 21, "08540", "F", "flu"), ("Bob", 24, "08541", "M", "cold"), ("Cid", 27, "08542", "M", "flu"),
    ("Dee", 29, "08543", "F", "cold"), ("Eve", 33, "08610", "F", "flu"), ("Fay", 36, "08611", "F", "asthma"),
    ("Gus", 38, "08612", "M", "flu"), ("Hal", 39, "08613", "M", "asthma"), ("Ida", 44, "08710", "F", "cold"),
    ("Jon", 45, "08711", "M", "flu"), ("Kai", 47, "08712", "M", "cold"), ("Lea", 49, "08713", "F", "asthma"),
]  # fmt: skip

COMPILING = "compiling the counting kernels"

PLAN = """\
format = 1

[source]
path = "people.csv"

[schema]
identifier = ["name"]
quasi = ["age", "zip", "sex"]
sensitive = ["disease"]

[hierarchies.age]
kind = "intervals"
edges = [20, 30, 40, 50]

[hierarchies.zip]
kind = "mask"
length = 5

[[guards]]
kind = "k-anonymity"
k = 3

[[guards]]
kind = "distinct-diversity"
l = 2
"""


@dataclass(frozen=True)
class Said:
    """What one command line came to."""

    code: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture
def fairveil(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> Said:
        capsys.readouterr()
        code = cli.run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        # a fresh installation compiles and says so, once, in whichever test comes first
        return Said(
            code, captured.out, "".join(line for line in captured.err.splitlines(True) if COMPILING not in line)
        )

    return run


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    lines = ["name,age,zip,sex,disease", *(",".join(map(str, row)) for row in ROWS)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def plan(people: Path) -> Path:
    path = people.with_name("plan.toml")
    path.write_text(PLAN, encoding="utf-8")
    return path
