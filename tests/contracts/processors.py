"""Releases of every method, so that the bytes of one processor can be compared with those of another.

`python -m tests.contracts.processors FOLDER` writes them into a folder. With the variables of `narrow()` a process
computes as on a processor without wide instructions: sums are added in another order, and logarithms differ in their
last digits.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from fairveil.guards import Guard
from fairveil.methods import Method
from tests.contracts import test_leaks, test_row_order
from tests.contracts.test_leaks import named, variants
from tests.known import ANY_DANGER

TABLES: dict[str, tuple[Any, fv.Schema, Sequence[Guard]]] = {
    "ties": (test_row_order.people(0), test_row_order.SCHEMA, test_row_order.GUARDS),
    "far": (
        test_leaks.people(0),
        test_leaks.schema("income", "town", "height"),
        [fv.KAnonymity(3, suppression=0.3), fv.EntropyDiversity(1.4), fv.TCloseness(0.45)],
    ),
}
"""Few distinct values, so that many candidates are equally good; and numbers of very different sizes."""
MEASURES = ("loss", "entropy", "cm", "k", "average-risk")
SAME = ("tests/run/test_tryout.py", "tests/reporting/test_sentences.py", "tests/golden/test_paper_003.py")
"""Tests that compare figures of two computations: they run on that processor as well."""


def narrow() -> dict[str, str]:
    """The environment of a process without wide instructions, which compiled kernels do not use anyway."""
    return {
        "NPY_DISABLE_CPU_FEATURES": " ".join(wide_instructions()),
        "OPENBLAS_CORETYPE": "Nehalem",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
        "ARROW_USER_SIMD_LEVEL": "NONE",
    }


def wide_instructions() -> list[str]:
    """The instructions beyond its baseline that NumPy uses on this processor."""
    try:
        numpy_core = import_module("numpy._core._multiarray_umath")
    except ImportError:  # NumPy 1
        numpy_core = import_module("numpy.core._multiarray_umath")
    return [name for name in numpy_core.__cpu_dispatch__ if numpy_core.__cpu_features__[name]]


def write(folder: Path) -> None:
    """A release of each method for each table, and the figures of its candidates."""
    for table, (frame, schema, guards) in TABLES.items():
        for method in variants():
            if table == "far" or not getattr(method, "granularity", {}):
                _write(folder / table / named(method), frame, schema, guards, method)


def _write(folder: Path, frame: object, schema: fv.Schema, guards: Sequence[Guard], method: Method) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        frontier = fv.search(frame, schema, guards=guards, method=method, seed=3)
    except (fv.Infeasible, fv.BadInput) as problem:  # some guards are not defined for projections
        folder.with_suffix(".txt").write_text(str(problem))
        return
    frontier.best("loss").save(folder, accept=ANY_DANGER)
    (folder / "candidates.json").write_text(json.dumps(frontier.records(MEASURES), default=str))


if __name__ == "__main__":
    assert not wide_instructions()
    write(Path(sys.argv[1]))
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *SAME]))
