"""Translated arithmetic and statements give what Python gives, where C by itself would not."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import product
from typing import Any, get_type_hints

import numpy as np
import pytest

from fairveil.counting.kernels.compiling import Binding, Kernel, Kind
from hatch_build import compile_c
from translator.program import Program

SOURCE = """
import numpy as np

from fairveil.counting.kernels.compiling import Bools, Float64s, Int64s, kernel


@kernel
def divided(a: int, b: int) -> tuple[int, int]:
    return a // b, a % b


@kernel
def shifted(a: int, bits: int) -> tuple[int, int]:
    return a >> bits, (a & 1023) << bits


@kernel
def counted(start: int, stop: int, step: int) -> tuple[int, int]:
    number, last = 0, -99
    for i in range(start, stop, step):
        number += 1
        last = i
    return number, last


@kernel
def backwards(n: int) -> int:
    total = 0
    for i in range(n, -1, -2):
        total = total * 7 + i
    return total


@kernel
def guarded(keys: Int64s, at: int) -> bool:
    return at < len(keys) and keys[at] > 0


@kernel
def compared(a: float, b: float) -> tuple[bool, bool, bool, bool, float, float]:
    return a < b, a >= b, a == b, a != b, min(a, b), max(a, b)


@kernel
def truths(a: float, n: int, flags: Bools) -> tuple[bool, bool]:
    flags[0] = n
    flags[1] = bool(a)
    return bool(a), bool(n)


@kernel
def wrapped(a: int, b: int) -> int:
    return a * b + a


@kernel
def swapped(left: Int64s, right: Int64s, third: Int64s, i: int, j: int, k: int, n: int) -> None:
    left[i], right[j] = right[k], third[n]


@kernel
def truncated(a: float) -> int:
    return int(a)


@kernel
def chosen(a: int, values: Float64s) -> float:
    return values[a] if a < len(values) else -1.0


@kernel
def powers(a: float, b: float) -> float:
    return a**b / 3
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Kernel, Callable[..., Any]]]:
    """The kernels of the source: compiled, and in Python."""
    folder = tmp_path_factory.mktemp("translation") / "package"
    folder.mkdir()
    file = folder / "arithmetic_kernels.py"
    file.write_text(SOURCE, encoding="utf-8")
    code, library = folder / "kernels.c", folder / "kernels.so"
    code.write_text(Program(folder, [file]).source(), encoding="utf-8")
    compile_c(code, library)
    loaded, scope = ctypes.CDLL(str(library)), dict[str, Any]()
    exec(compile(SOURCE, str(file), "exec"), scope)
    made = {}
    for name, kernel in scope.items():
        if isinstance(kernel, Kernel):
            hints = get_type_hints(kernel.py_func, include_extras=True)
            returns = hints.pop("return")
            entry = getattr(loaded, f"package_arithmetic_kernels_{name}")
            kind = None if returns is type(None) else Kind.of(returns)
            kernel.bound = Binding.of([Kind.of(hint) for hint in hints.values()], kind, entry)
            made[name] = kernel, kernel.py_func
    return made


NUMBERS = (-(2**63) + 1, -1000, -7, -2, -1, 0, 1, 3, 8, 2**62)
FLOATS = (-np.inf, -2.5, -0.0, 0.0, 0.4, 1e300, np.inf, np.nan)


def test_division_and_remainder_of_negative_numbers(kernels: Any) -> None:
    compiled, plain = kernels["divided"]
    for a, b in product(NUMBERS, NUMBERS):
        if b != 0:
            assert compiled(a, b) == plain(a, b), (a, b)


def test_shifts_of_negative_numbers(kernels: Any) -> None:
    compiled, plain = kernels["shifted"]
    for a, bits in product(NUMBERS, (0, 1, 7, 40)):
        assert compiled(a, bits) == plain(a, bits), (a, bits)


def test_ranges_with_any_step(kernels: Any) -> None:
    compiled, plain = kernels["counted"]
    for start, stop, step in product((-5, 0, 4), (-6, 0, 9), (-3, -1, 1, 2)):
        assert compiled(start, stop, step) == plain(start, stop, step), (start, stop, step)
    compiled, plain = kernels["backwards"]
    assert [compiled(n) for n in range(-2, 9)] == [plain(n) for n in range(-2, 9)]


def test_what_and_guards_is_not_read(kernels: Any) -> None:
    compiled, _ = kernels["guarded"]
    far = 2**40  # reading there ends the process
    assert [compiled(np.array([0, 5]), at) for at in (0, 1, 2, far)] == [False, True, False, False]
    chosen, _ = kernels["chosen"]
    assert [chosen(at, np.array([0.5])) for at in (0, 1, far)] == [0.5, -1.0, -1.0]


def test_comparisons_with_what_is_not_a_number(kernels: Any) -> None:
    compiled, plain = kernels["compared"]
    for a, b in product(FLOATS, FLOATS):
        np.testing.assert_equal(compiled(a, b), plain(a, b))


def test_truth_of_numbers(kernels: Any) -> None:
    """C keeps the last eight bits."""
    compiled, plain = kernels["truths"]
    for a, n in product(FLOATS, (0, 1, 256, -512, 2**40)):
        flags, others = np.zeros(2, dtype=bool), np.zeros(2, dtype=bool)
        assert compiled(a, n, flags) == plain(a, n, others), (a, n)
        assert flags.tolist() == others.tolist(), (a, n)


def test_overflow_wraps_around(kernels: Any) -> None:
    compiled, plain = kernels["wrapped"]
    for a, b in product(NUMBERS, NUMBERS):
        with np.errstate(over="ignore"):
            assert compiled(a, b) == plain(np.int64(a), np.int64(b)), (a, b)


def test_all_values_are_read_before_any_is_assigned(kernels: Any) -> None:
    """Also where two names are the same array."""
    compiled, plain = kernels["swapped"]
    for i, j in product(range(3), range(3)):
        one, other = np.arange(3), np.arange(3)
        compiled(one, one, one, i, j, j, i)
        plain(other, other, other, i, j, j, i)
        assert one.tolist() == other.tolist(), (i, j)


def test_floats_lose_their_fraction_toward_zero(kernels: Any) -> None:
    compiled, plain = kernels["truncated"]
    for a in (-2.9, -0.5, -0.0, 0.5, 1e15 + 0.5, -1e15 - 0.5):
        assert compiled(a) == plain(a), a


def test_powers_and_quotients_are_not_contracted(kernels: Any) -> None:
    compiled, plain = kernels["powers"]
    for a, b in product((0.1, 1.5, 7.0), (-2.0, 0.5, 3.0)):
        assert compiled(a, b) == pytest.approx(plain(a, b), rel=1e-15)
