"""Helpers of kernels, compiled for the arguments of a test."""

from __future__ import annotations

import ctypes
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from fairveil.counting.kernels.compiling import Binding, Kernel, Kind
from fairveil.counting.kernels.sources import PACKAGE, kernel_files
from hatch_build import compile_c
from translator.program import Program
from translator.types import Array, Bundle, Function

NUMBERS = {"b1": bool, "i8": int, "f8": float}


def from_python(helper: FunctionType) -> Any:
    """Return a function that compiles a helper for the types of its arguments, and calls it."""

    def call(*arguments: Any) -> Any:
        return compiled(helper, tuple(map(type_of, arguments)))(*arguments)

    return call


@cache
def compiled(helper: FunctionType, kinds: tuple[Any, ...]) -> Kernel:
    program = Program(PACKAGE, kernel_files())
    function = program.modules[helper.__module__].names[helper.__name__]
    assert isinstance(function, Function)
    for kind in kinds:
        program.known(kind)
    program.entry("entry", function, kinds)
    returned = program.translate(function, kinds).returns
    with tempfile.TemporaryDirectory() as folder:
        code, library = Path(folder) / "helper.c", Path(folder) / "helper.so"
        code.write_text(program.text(""), encoding="utf-8")
        compile_c(code, library)
        entry = ctypes.CDLL(str(library)).entry
    kernel = Kernel(helper)
    returns = None if returned is None else kind_of(returned)
    kernel.bound = Binding.of([kind_of(kind) for kind in kinds], returns, entry)
    return kernel


def type_of(value: Any) -> Any:
    """The translator's type of a value."""
    if isinstance(value, np.ndarray):
        return Array(value.dtype.str[1:], value.ndim)
    if isinstance(value, tuple):
        name = type(value).__name__ if hasattr(value, "_fields") else ""
        names = getattr(value, "_fields", [f"f{i}" for i in range(len(value))])
        return Bundle("tuple", name, tuple((part, type_of(own)) for part, own in zip(names, value, strict=True)))
    return "b1" if isinstance(value, bool | np.bool_) else "i8" if isinstance(value, int | np.integer) else "f8"


def kind_of(kind: Any) -> Kind:
    """How a value of a type is passed."""
    if isinstance(kind, Array):
        return Kind(np.dtype(kind.dtype), kind.ndim)
    if isinstance(kind, Bundle):
        classes = (getattr(module, kind.name, None) for name, module in sys.modules.items() if "kernels" in name)
        build = next(found for found in classes if found)._make if kind.name else tuple
        return Kind(parts=tuple(kind_of(part) for _, part in kind.fields), build=build)
    return Kind(np.dtype(NUMBERS[kind]))
