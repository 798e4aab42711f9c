"""Parts of an installed package are found by the command line, plans, the studio's catalogue and verify."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import fairveil

PARTS = '''
from dataclasses import dataclass, field
from typing import ClassVar

import fairveil as fv
from fairveil.data.hierarchy.hierarchy import TOP
from fairveil.guards import ClassGuard
from fairveil.methods.incognito import Incognito
from fairveil.settings import required


@dataclass(frozen=True)
class EvenClasses(ClassGuard):
    """Every class has a multiple of `step` records."""

    kind: ClassVar[str] = "even-classes"
    step: int = field(metadata=required("the number that divides every class", min=1, max=9))

    @property
    def limit(self): return 0.0
    higher_is_better: ClassVar[bool] = False
    def values(self, classes, schema): return (classes.rows % self.step).astype(float)
    def describe(self, worst): return f"the remainder is at most {worst:g}"
    def promise(self): return f"The number of records that look alike is a multiple of {self.step}."


@dataclass(frozen=True, repr=False)
class Initials(fv.hierarchy.Hierarchy):
    """The first letter."""

    kind: ClassVar[str] = "initials"
    def paths(self, values): return [(str(value)[:1], TOP) for value in values], []
    @property
    def height(self): return 2
    def admits(self, level, label): return True


@dataclass(frozen=True)
class Mine(Incognito):
    """Incognito under another name."""

    kind: ClassVar[str] = "mine"


def register():
    fv.guards.register(EvenClasses)
    fv.hierarchy.register(Initials)
    fv.methods.register(Mine)
    fv.measures.register(fv.measures.Measure(
        "twice-k", "risk", "higher", (0, float("inf")), "twice the smallest class", of=lambda s: 2 * s.smallest))
'''
PLAN = """
format = 1
methods = [{ kind = "mine" }]
[source]
path = "people.csv"
[schema]
quasi = ["name", "sex"]
[hierarchies.name]
kind = "initials"
[[guards]]
kind = "k-anonymity"
k = 2
[[guards]]
kind = "even-classes"
step = 2
"""
ROWS = "name,sex\nAnn,F\nAmy,F\nBob,M\nBen,M\nBill,M\nBart,M\n"


def install(site: Path, module: str, code: str, entry: str) -> None:
    """A package as pip leaves it: a module and its metadata."""
    site.mkdir(exist_ok=True)
    (site / f"{module}.py").write_text(code, encoding="utf-8")
    folder = site / f"{module}-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(f"[fairveil]\n{module} = {entry}\n")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(ROWS)
    (tmp_path / "plan.toml").write_text(PLAN)
    install(tmp_path / "site", "their_parts", PARTS, "their_parts:register")
    return tmp_path


def run(home: Path, *words: object, site: str = "site") -> subprocess.CompletedProcess[str]:
    source = Path(fairveil.__file__).parents[1]
    paths = [str(source), *([str(home / site)] if site else [])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, check=False, cwd=home, env=environment, capture_output=True, text=True)


def test_a_part_of_a_package_is_found_everywhere(home: Path) -> None:
    check = ("-m", "fairveil", "check", "people.csv", "--quasi", "sex", "--guard")
    assert run(home, *check, "even-classes:step=2").returncode == 0
    assert run(home, *check, "even-classes:step=3").returncode == 1
    refused = run(home, *check, "even-classes:step=10")
    assert refused.returncode == 2 and "step must be an integer from 1 to 9, not 10" in refused.stderr
    released = run(home, "-m", "fairveil", "release", "plan.toml", "--out", "out")
    assert released.returncode == 0, released.stderr
    evidence = json.loads((home / "out" / "evidence.json").read_text())
    assert evidence["measures"]["twice-k"] == 2 * evidence["measures"]["k"]
    verified = run(home, "-m", "fairveil", "verify", "out")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    code = "from fairveil.studio import answers, choices; print(answers.as_json(choices.catalog()).decode())"
    catalog = json.loads(run(home, "-c", code).stdout)
    [guard] = [part for part in catalog["guards"] if part["kind"] == "even-classes"]
    assert guard["says"] == "Every class has a multiple of step records."
    assert [(f["name"], f["minimum"], f["maximum"]) for f in guard["fields"]] == [("step", 1, 9)]
    assert {"mine", "initials"} <= {part["kind"] for part in [*catalog["methods"], *catalog["hierarchies"]]}


def test_without_the_package_verify_says_what_is_missing(home: Path) -> None:
    assert run(home, "-m", "fairveil", "release", "plan.toml", "--out", "out").returncode == 0
    missing = run(home, "-m", "fairveil", "verify", "out", site="")
    assert missing.returncode == 2
    assert "'initials' is unknown here: install the package that provides it" in missing.stdout
    assert "cannot be verified here" in missing.stdout and "NOT as promised" not in missing.stdout
    answer = json.loads(run(home, "-m", "fairveil", "verify", "out", "--json", site="").stdout)
    assert (answer["holds"], answer["problems"]) == (False, []) and "initials" in answer["unknown"]


def test_a_release_verifies_where_further_packages_are_installed(home: Path) -> None:
    plain = PLAN.replace('methods = [{ kind = "mine" }]', "").replace('kind = "initials"', 'kind = "suppress"')
    (home / "plan.toml").write_text(plain[: plain.rindex("[[guards]]")])
    assert run(home, "-m", "fairveil", "release", "plan.toml", "--out", "out", site="").returncode == 0
    assert run(home, "-m", "fairveil", "verify", "out").returncode == 0


def test_a_broken_package_breaks_nothing(home: Path) -> None:
    install(home / "broken", "broken_parts", "import nowhere_at_all", "broken_parts")
    words = ("-m", "fairveil", "check", "people.csv", "--quasi", "sex", "--guard")
    fine = run(home, *words, "k-anonymity:k=2", site="broken")
    assert (fine.returncode, fine.stderr) == (0, "")
    unknown = run(home, *words, "k-anonimity:k=2", site="broken")
    assert unknown.returncode == 2 and "did you mean 'k-anonymity'" in unknown.stderr
    assert "the parts of 'broken_parts' are not available: No module named 'nowhere_at_all'" in unknown.stderr
    assert "Traceback" not in unknown.stderr
    for further in (("--mine", "2"), ()):  # perhaps a short option of the package; measured by all guards there are
        told = run(home, "-m", "fairveil", "check", "people.csv", "--quasi", "sex", *further, site="broken")
        assert told.returncode == (2 if further else 0) and told.stderr.count("'broken_parts' are not available") == 1


def test_importing_fairveil_loads_no_package(home: Path) -> None:
    code = "import sys, fairveil, fairveil.guards; print('their_parts' in sys.modules)"
    assert run(home, "-c", code).stdout.strip() == "False"
