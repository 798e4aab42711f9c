"""Arguments are converted as Typer would, and a release does not load packages that it does not need."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer.core
import typer.main

from fairveil import cli
from fairveil.cli.lean import convert_plain_arguments

VALUES = ["a", "", "12", "007", "-3", "1.5", "٣", "99999999999", "a,b", ".", "/no/such/file", "true", 0, 3, 0.5,
          Path("x"), None, ["a", "b"], [], ("a",), True]  # fmt: skip
NOT_NEEDED = ("pydantic", "cffi", "scipy", "pandas", "duckdb", "sklearn", "narwhals", "matplotlib", "pyarrow.parquet")


def outcome(convert: Callable[[], Any]) -> Any:
    try:
        value = convert()
    except Exception as problem:
        return type(problem), str(problem)
    return type(value), value


@pytest.mark.skipif(not hasattr(typer.core, "_TyperParameter"), reason="a version of Typer without Pydantic")
def test_arguments_become_what_typer_makes_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    parameter: Any = typer.core._TyperParameter
    own = parameter.get_runtime_param
    monkeypatch.setattr(parameter, "get_runtime_param", own)  # puts it back afterwards
    convert_plain_arguments()
    group: Any = typer.main.get_command(cli.app)
    context = typer.Context(group)
    seen = 0
    for command in group.commands.values():
        for option in command.params:
            if not isinstance(option, parameter):
                continue
            for value in VALUES:
                ours = outcome(lambda: option.get_runtime_param().coerce(value, param=option, ctx=context))  # noqa: B023
                typers = outcome(lambda: own(option).coerce(value, param=option, ctx=context))  # noqa: B023
                assert ours == typers, (command.name, option.name, value)
                seen += 1
    assert seen > 1000


LOADED = """
import os, sys
from fairveil import cli
def end(code):
    assert code == 0
    print([name for name in {names} if name in sys.modules], file=sys.stderr)
    os.kill(os.getpid(), 9)
os._exit = end
cli.main()
"""


def test_a_release_of_a_csv_file_loads_little(plan: Path, tmp_path: Path) -> None:
    script = [sys.executable, "-c", LOADED.format(names=NOT_NEEDED), "release", str(plan), "--out"]
    for turn in ("compiles", "loads"):  # the kernels, if they are not compiled yet
        done = subprocess.run(
            [*script, str(tmp_path / turn), "--accept", "homogeneity"], capture_output=True, text=True, check=False
        )
    assert done.stderr.splitlines()[-1] == "[]", done.stderr


ROOMS = ("attacks", "release", "reporting", "evaluation", "learning", "datasets.real", "guards.closeness",
         "guards.rules", "guards.situation", "measures.accuracy", "methods.mondrian", "data.excel",
         "data.statistics_files")  # fmt: skip


def test_the_parts_that_a_plan_does_not_name_are_not_loaded(plan: Path) -> None:
    """A plan with k-anonymity and ℓ-diversity that is only explored: nothing is attacked, published or trained."""
    script = [sys.executable, "-c", LOADED.format(names=tuple(f"fairveil.{room}" for room in ROOMS))]
    done = subprocess.run([*script, "explore", str(plan)], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == "[]", done.stderr


POSTPONED = """
import sys
from fairveil.cli.lean import load_learners
load_learners()
import sklearn.cluster, sklearn.ensemble, sklearn.linear_model, sklearn.metrics, sklearn.model_selection, sklearn.tree
assert "scipy.stats._stats_py" not in sys.modules
from sklearn.metrics import average_precision_score, roc_auc_score
assert roc_auc_score([0, 1, 1], [0.1, 0.4, 0.2]) == 1
import scipy.stats as whole
from scipy import stats
from scipy.stats import chi2, norm, rankdata
assert rankdata([3, 1, 2]).tolist() == stats.rankdata([3, 1, 2]).tolist() == [3, 1, 2]
assert abs(chi2.ppf(0.5, 2) - 1.386294) < 1e-6 and norm.cdf(0) == 0.5
import scipy.stats.distributions
assert sys.modules["scipy.stats"].norm is norm and whole.norm is norm
"""

OTHERS = """
import sys
from fairveil.cli.lean import POSTPONED, load_learners
load_learners()
import sklearn.ensemble, sklearn.linear_model, sklearn.metrics, sklearn.model_selection, sklearn.preprocessing
for name in ("scipy.integrate._quadrature", "scipy.interpolate._bsplines"):
    assert name not in sys.modules, name
from scipy.integrate import quad, trapezoid
from scipy.interpolate import BSpline, interp1d
from scipy.spatial.transform import Rotation
assert trapezoid([1, 1]) == 1 and abs(quad(lambda x: x, 0, 2)[0] - 2) < 1e-9 and interp1d([0, 1], [0, 2])(0.5) == 1
assert Rotation.identity().magnitude() == 0 and BSpline([0, 0, 1, 1], [3.0, 3.0], 1)(0.5) == 3
from sklearn.preprocessing import SplineTransformer
assert SplineTransformer(degree=2, n_knots=3).fit_transform([[0.0], [1.0], [2.0]]).shape == (3, 4)
assert sklearn.metrics.auc([0, 1], [0, 1]) == 0.5
"""


@pytest.mark.parametrize("what", ["statistics", "others"])
def test_parts_of_packages_are_loaded_when_they_are_used(what: str) -> None:
    """scikit-learn imports scipy.stats, whose loading takes longer than most commands need for all else."""
    script = POSTPONED if what == "statistics" else OTHERS
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
