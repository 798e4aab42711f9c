"""The types of kernels, and how they are written in C."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from typing import Any

C_TYPES = {
    "b1": "uint8_t", "u1": "uint8_t", "i2": "int16_t", "u2": "uint16_t", "i4": "int32_t", "u4": "uint32_t",
    "i8": "int64_t", "u8": "uint64_t", "f8": "double",
}  # fmt: skip
DTYPES = {
    "bool_": "b1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4", "int64": "i8",
    "uint64": "u8", "float64": "f8",
}  # fmt: skip
SCALARS = {"int": "i8", "float": "f8", "bool": "b1"}


@dataclass(frozen=True)
class Array:
    dtype: str
    ndim: int

    def __str__(self) -> str:
        return f"A_{self.dtype}_{self.ndim}"


@dataclass(frozen=True)
class Bundle:
    """A tuple, a named one, or a list (`fields` has the type of its elements)."""

    kind: str
    name: str
    fields: tuple[tuple[str, Any], ...]

    def __str__(self) -> str:
        return self.name or self.kind + "".join(f"_{kind}" for _, kind in self.fields)

    def type_of(self, name: str) -> Any:
        return dict(self.fields).get(name)


@dataclass(frozen=True)
class Constant:
    kind: str
    value: float

    @property
    def code(self) -> str:
        if self.kind == "f8":
            return {math.inf: "INFINITY", -math.inf: "(-INFINITY)"}.get(self.value, repr(float(self.value)))
        suffix = "UINT64_C" if self.kind == "u8" else "INT64_C"
        return f"{suffix}({int(self.value)})"


@dataclass(frozen=True)
class Function:
    module: str
    node: ast.FunctionDef
    role: str  # kernel, helper or inlined

    def __hash__(self) -> int:
        return id(self.node)


class Untyped(Exception):
    """The type of a variable is not known yet."""


def pair(*kinds: Any) -> Bundle:
    return Bundle("tuple", "", tuple((f"f{i}", kind) for i, kind in enumerate(kinds)))


def c_type(kind: Any) -> str:
    return "void" if kind is None else C_TYPES[kind] if isinstance(kind, str) else str(kind)


def holds_arrays(kind: Any) -> bool:
    return isinstance(kind, Array) or (
        isinstance(kind, Bundle) and (kind.kind == "list" or any(holds_arrays(part) for _, part in kind.fields))
    )


def common(one: str, other: str) -> str:
    """The type of arithmetic with two numbers."""
    if "f8" in (one, other):
        return "f8"
    if one[0] == other[0] == "u":
        return "u8"
    if "u8" in (one, other):
        raise TypeError("uint64 and a signed integer: cast one of them")
    return "i8"


def joined(one: Any, other: Any) -> Any:
    """The type of a variable that is assigned values of two types."""
    if one is None or one == other:
        return other
    if isinstance(one, str) and isinstance(other, str):
        return common(one, other)
    if isinstance(one, Bundle) and isinstance(other, Bundle) and one.kind == other.kind == "tuple" and not one.name:
        parts = zip(one.fields, other.fields, strict=True)
        return pair(*(joined(mine, theirs) for (_, mine), (_, theirs) in parts))
    raise TypeError(f"a variable is {one} and {other}")


def cast(code: str, kind: Any, wanted: Any) -> str:
    if kind == wanted:
        return code
    if isinstance(kind, str) and isinstance(wanted, str):
        return f"(({code}) != 0)" if wanted == "b1" else f"(({c_type(wanted)})({code}))"
    if isinstance(kind, Bundle) and isinstance(wanted, Bundle) and len(kind.fields) == len(wanted.fields):
        parts = zip(kind.fields, wanted.fields, strict=True)
        return literal(wanted, [cast(f"({code}).{name}", mine, theirs) for (name, mine), (_, theirs) in parts])
    raise TypeError(f"{kind} is not {wanted}")


def literal(kind: Bundle, codes: list[str]) -> str:
    return f"(({kind}){{{', '.join(codes)}}})"
