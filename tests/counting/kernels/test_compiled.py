"""Compiled kernels do what their Python says, on what the methods ask of them, and stale ones are refused."""

from __future__ import annotations

import copy
import ctypes
import importlib
import shutil
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil import methods
from fairveil.counting.kernels import compiling, sources
from fairveil.counting.kernels.compiling import Kernel
from fairveil.data.table import Column
from fairveil.errors import BadInput, Infeasible
from fairveil.learning.inducers import C45
from translator.program import Program

SETTINGS: dict[str, dict[str, Any]] = {
    "preferences": {"evaluations": 60, "population": 20},
    "dmpd": {"generations": 1, "population": 4},
    "noisy-table": {"epsilon": 20.0, "public": {"class": ["bad", "good"]}},
    "roll-up": {"coverage": 0.5},
}
"""Settings that shorten a search."""
SLOW, CALLS = 2_000_000, 6
"""Kernels that get more bytes than this, or have been compared this often, are not interpreted."""


WORKING_MEMORY = {"cells", "slots", "scratch", "common"}
"""Parameters that are undefined after a call."""


def every_kernel() -> list[Kernel]:
    files = [file.relative_to(sources.PACKAGE.parent) for file in sources.kernel_files()]
    modules = [importlib.import_module(".".join(file.with_suffix("").parts)) for file in files]
    parts = (part for module in modules for part in vars(module).values())
    return list({id(part): part for part in parts if isinstance(part, Kernel)}.values())


def search(
    kind: str, suppression: float = 0.1, fair: bool = False, persons: bool = False, guarded: bool = False,
    decided: bool = True, keyed: bool = False, diverse: bool = False, **more: Any
) -> None:  # fmt: skip
    """A search on a few rows and columns, its best release, and the recipe on new data."""
    credit = fv.datasets.german_credit()
    few = credit.table.take(np.arange(60))
    quasi, others = credit.schema.quasi[:4], credit.schema.quasi[4:]
    schema = replace(credit.schema, quasi=quasi, plain=(*credit.schema.plain, *others), whole_numbers={})
    if persons:
        who = Column("who", np.arange(few.rows) // 2, pa.array(range(few.rows // 2)))
        few, schema = replace(few, columns=(*few.columns, who)), replace(schema, person="who")
    if not decided:
        schema = replace(schema, decision=None, denied=None, plain=(*schema.plain, "class"))
    guards: list[Any] = [fv.KAnonymity(3, suppression=suppression)]
    if keyed or diverse:
        schema = replace(schema, sensitive=others[:1], plain=tuple(name for name in schema.plain if name != others[0]))
        guards.append(fv.DistinctDiversity(2))
    if keyed:
        guards = [fv.KAnonymity(3, subsets=2, suppression=suppression), fv.DistinctDiversity(2, subsets=1)]
    guards += [fv.AlphaProtection(1.2, "slift", 0.05, 3)] if fair else []
    guards += [fv.KnownDecision(3)] if guarded else []
    method = methods.from_dict({"kind": kind, **SETTINGS.get(kind, {}), **more})
    with suppress(Infeasible):
        release = fv.search(few, schema, guards=guards, method=method).best("loss")
        release.recipe.applied(few, unknown="suppress")
        _ = release.table


def same(one: Any, other: Any) -> None:
    if isinstance(one, tuple):
        for mine, theirs in zip(one, other, strict=True):
            same(mine, theirs)
    elif one is not None:
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-12, atol=1e-12)


def size(value: Any) -> int:
    return sum(map(size, value)) if isinstance(value, tuple) else getattr(value, "nbytes", 0)


@pytest.mark.parametrize("copy_of", ["plain", "for this processor"])
def test_every_kernel_computes_what_it_says_in_python(copy_of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call runs compiled and, on a copy of its arguments, interpreted: results and written arrays are equal."""
    if copy_of == "plain":
        if not compiling.suffix():
            pytest.skip("this processor has no copy of its own")
        monkeypatch.setattr(compiling, "suffix", lambda: "")
        for kernel in every_kernel():
            monkeypatch.delitem(vars(kernel), "bound", raising=False)
    compared: Counter[str] = Counter()
    compiled = Kernel.__call__

    def both(kernel: Kernel, *arguments: Any) -> Any:
        if size(arguments) > SLOW or compared[kernel.__name__] == CALLS:
            return compiled(kernel, *arguments)
        copied = copy.deepcopy(arguments)
        compared[kernel.__name__] += 1
        result = compiled(kernel, *arguments)
        with np.errstate(all="ignore"):
            interpreted = kernel.py_func(*copied)
        if kernel.__name__ == "roll_up_stack":  # beyond its end, a stack is undefined
            end = arguments[2][-1]
            same(tuple(part[:end] for part in result), tuple(part[:end] for part in interpreted))
        else:
            same(result, interpreted)
        for name, mine, theirs in zip(kernel.py_func.__annotations__, arguments, copied, strict=False):
            if name not in WORKING_MEMORY:
                same(mine, theirs)
        return result

    monkeypatch.setattr(Kernel, "__call__", both)
    monkeypatch.setattr(Kernel, "given", lambda kernel, *first: partial(kernel, *first))  # noqa: PLW0108 - partial is no method
    search("incognito", diverse=True)  # first: later calls of the same kernels are not compared
    search("mondrian", diverse=True)
    search("mondrian", diverse=True, persons=True)
    for method in methods.METHODS:
        if method.__module__.startswith("fairveil."):
            search(method.kind)
    search("incognito", fair=True)
    search("incognito", fair=True, suppression=0.0)
    search("incognito", persons=True, suppression=0.0)
    search("incognito", decided=False)
    search("incognito", keyed=True)
    search("roll-up", coverage=None)
    search("roll-up", coverage=None, exceptions=0.3)
    search("local-suppression", guarded=True)
    x, y = np.random.default_rng(0).random((60, 3)), np.arange(60) % 2
    x[::7, 0] = np.nan
    C45().fit(x, y).predict_proba(x)
    C45().out_of_fold(x, y, 2, np.arange(60) % 3)
    small = {"describe_classes", "pessimistic", "smallest_covers"}  # others are tested by themselves
    small |= {"count_keys", "merge_counts", "hashed_keys", "keep_and_tally", "equal_records"}
    small |= {"pairs_by_person", "by_cell", "keys_of_numbered", "hashes_of_texts", "words_of_texts"}
    assert {kernel.__name__ for kernel in every_kernel()} - small == set(compared) - small


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the compiled kernels that takes their place."""
    copied = tmp_path / "compiled.so"
    shutil.copy(sources.LIBRARY, copied)
    monkeypatch.setattr(compiling, "LIBRARY", copied)
    return copied


def test_missing_and_stale_kernels_are_refused(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = compiling.library.__wrapped__
    assert isinstance(load(), ctypes.CDLL)
    monkeypatch.setattr(compiling, "fingerprint", lambda: "changed since")
    with pytest.raises(BadInput, match=r"older than their sources .*: run `python hatch_build.py kernels`"):
        load()
    library.unlink()
    with pytest.raises(BadInput, match="the compiled kernels are missing"):
        load()


def test_arrays_of_other_types_are_refused() -> None:
    from fairveil.counting.kernels.group_by import group_firsts

    for keys in (np.arange(4, dtype=np.int32), np.arange(8)[::2], np.zeros((2, 2), dtype=np.int64)):
        with pytest.raises(TypeError, match="group_firsts: keys must be a C-contiguous array of int64"):
            group_firsts(keys, np.zeros(8, dtype=np.int64))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("return keys + keys", "arithmetic is on numbers only"),
        ("return np.sort(keys)", "kernels do not know np.sort"),
        ("return len(keys) / unknown", "unknown has no type"),
        ("return keys[0.5]", "an index must be an integer"),
        ("keys[0] = 0.5", "a float is assigned to an array of integers"),
        ("with keys: pass", "kernels cannot contain: with keys:"),
        ("return np.uint64(1) + len(keys)", "uint64 and a signed integer"),
        ("return keys[::2]", "without a step"),
        ("return 0.5", "total returns f8"),
        ("return len(keys) or 5", "`and` and `or` are for Booleans"),
        ("return int(~(len(keys) > 1))", "means something else in NumPy"),
        ("return (len(keys) > 1) + (len(keys) > 2)", "two Booleans are added"),
        ("return int(-np.uint8(len(keys)))", "means something else in NumPy"),
        ("return int(np.uint8(len(keys)) - np.uint8(1))", "wraps around"),
        ("return len(keys) ** 2", "for floats"),
        ("return len(keys) << 64", "0 to 63 bits"),
        ("return len(keys) >> -1", "0 to 63 bits"),
        ("return int(len(keys) not in (1, 2))", "cannot compare like this"),
        ("for i in range(3): pass\n    else: return 1", "a loop has no else"),
    ],
)
def test_what_cannot_be_translated_is_refused_with_its_line(tmp_path: Path, line: str, reason: str) -> None:
    file = tmp_path / "package" / "sum_kernels.py"
    file.parent.mkdir()
    file.write_text(f"import numpy as np\n\n@kernel\ndef total(keys: Int64s) -> int:\n    {line}\n", encoding="utf-8")
    with pytest.raises(TypeError, match=rf"sum_kernels\.py:[45]: .*{reason}"):
        Program(file.parent, [file]).source()
