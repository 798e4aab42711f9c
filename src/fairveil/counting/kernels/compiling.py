"""How kernels are compiled, called and stopped.

Kernels are plain Python. `translator/` translates them into C when fairveil is built, and the C compiler makes one
library of all of them. What Python calls (`kernel`) is looked up there; what kernels call (`helper`) is part of it.
Calls release the GIL. Every `kernel` has the plain function as its `py_func`.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from typing import Annotated, Any, NamedTuple

import numpy as np

from fairveil.counting.kernels.sources import LIBRARY, fingerprint
from fairveil.errors import BadInput

NEVER = np.zeros(1, dtype=np.uint8)
"""For searches that nobody can stop. It is shared, so it must never be set."""

Bools = Annotated[np.ndarray, np.bool_, 1]
Bools2 = Annotated[np.ndarray, np.bool_, 2]
UInt8s = Annotated[np.ndarray, np.uint8, 1]
UInt8s2 = Annotated[np.ndarray, np.uint8, 2]
Int16s2 = Annotated[np.ndarray, np.int16, 2]
UInt16s2 = Annotated[np.ndarray, np.uint16, 2]
Int32s = Annotated[np.ndarray, np.int32, 1]
Int32s2 = Annotated[np.ndarray, np.int32, 2]
UInt32s = Annotated[np.ndarray, np.uint32, 1]
UInt32s2 = Annotated[np.ndarray, np.uint32, 2]
Int64s = Annotated[np.ndarray, np.int64, 1]
Int64s2 = Annotated[np.ndarray, np.int64, 2]
Int64s3 = Annotated[np.ndarray, np.int64, 3]
UInt64s = Annotated[np.ndarray, np.uint64, 1]
UInt64s2 = Annotated[np.ndarray, np.uint64, 2]
Float64s = Annotated[np.ndarray, np.float64, 1]
Float64s2 = Annotated[np.ndarray, np.float64, 2]
Float64s3 = Annotated[np.ndarray, np.float64, 3]
Float64s4 = Annotated[np.ndarray, np.float64, 4]


def _data_offset() -> int:
    """Where an array object has the address of its data: to ask the array takes long. 0 if unknown."""
    probe = np.arange(3)
    words = range(8, probe.__sizeof__() - probe.nbytes, 8) if sys.implementation.name == "cpython" else ()
    address = probe.__array_interface__["data"][0]
    return next((at for at in words if ctypes.c_size_t.from_address(id(probe) + at).value == address), 0)


_OFFSET = _data_offset()


def address_of(array: np.ndarray) -> int:
    if _OFFSET:
        return ctypes.c_size_t.from_address(id(array) + _OFFSET).value
    address: int = array.__array_interface__["data"][0]
    return address


@dataclass(frozen=True)
class Kind:
    """The type of a parameter or a result, and how it is laid out in 64-bit slots."""

    dtype: np.dtype[Any] | None = None
    ndim: int = 0
    parts: tuple[Kind, ...] = ()
    build: Any = None  # makes a tuple of its parts

    @classmethod
    def of(cls, hint: Any) -> Kind:
        if hint in (int, float, bool):
            return cls(np.dtype(hint))
        if typing.get_origin(hint) is Annotated:
            dtype, ndim = hint.__metadata__
            return cls(np.dtype(dtype), ndim)
        if typing.get_origin(hint) is tuple:
            return cls(parts=tuple(map(cls.of, typing.get_args(hint))), build=tuple)
        hints = typing.get_type_hints(hint, include_extras=True)
        return cls(parts=tuple(map(cls.of, hints.values())), build=hint._make)

    @cached_property
    def layout(self) -> str:
        """As `struct` writes it: an array is its address and its lengths."""
        if self.dtype is None:
            return "".join(part.layout for part in self.parts)
        return "d" if self.number is float and not self.ndim else "q" * (self.ndim + 1)

    @cached_property
    def number(self) -> Any:
        """What makes a Python number of an element: float, int or bool."""
        return type(np.zeros((), dtype=self.dtype).item())

    def put(self, value: Any, slots: list[Any], arrays: dict[int, np.ndarray]) -> None:
        """Append a value to the slots. Arrays must have this very type: kernels may write to them."""
        if self.ndim:
            if value.dtype != self.dtype or value.ndim != self.ndim or not value.flags.c_contiguous:
                raise TypeError(f"must be a C-contiguous array of {self.dtype} with {self.ndim} dimensions")
            address = address_of(value)
            arrays[address] = value
            slots.append(address)
            slots.extend(value.shape)
        elif self.dtype is None:
            for part, own in zip(self.parts, value, strict=True):
                part.put(own, slots, arrays)
        else:
            slots.append(self.number(value))

    def take(self, slots: Iterator[Any], arrays: dict[int, np.ndarray]) -> Any:
        """Return a value from the slots: an array that was given is the same object, any other is copied."""
        if self.ndim:
            address, shape = next(slots), tuple(islice(slots, self.ndim))
            given = arrays.get(address)
            if given is not None and given.shape == shape and given.dtype == self.dtype:
                return given
            copied = np.empty(shape, dtype=self.dtype)
            ctypes.memmove(address_of(copied), address, copied.nbytes)
            return copied
        if self.dtype is None:
            return self.build([part.take(slots, arrays) for part in self.parts])
        return self.number(next(slots))


class Kernel:
    """A compiled function, called from Python with values of the types in its annotations."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__

    def __call__(self, *arguments: Any) -> Any:
        return self._call(arguments, [], {})

    def given(self, *first: Any) -> Callable[..., Any]:
        """Return the kernel with its first arguments: for many calls with the same arrays."""
        slots: list[Any] = []
        arrays: dict[int, np.ndarray] = {}
        self._put(first, slots, arrays)
        return lambda *others: self._call(others, slots.copy(), arrays.copy(), len(first))

    def _put(self, arguments: Sequence[Any], slots: list[Any], arrays: dict[int, np.ndarray], start: int = 0) -> None:
        position, parameters = start, self.bound.parameters
        try:
            for value in arguments:
                parameters[position].put(value, slots, arrays)
                position += 1
        except TypeError as problem:
            name = list(self.py_func.__annotations__)[position]
            raise TypeError(f"{self.__name__}: {name} {problem}") from None

    def _call(self, arguments: Sequence[Any], slots: list[Any], arrays: dict[int, np.ndarray], start: int = 0) -> Any:
        self._put(arguments, slots, arrays, start)
        bound = self.bound
        results = bound.room()
        failure = bound.compiled(bound.layout.pack(*slots), results)
        blocks, *values = bound.result_layout.unpack(results)
        try:
            if failure:
                raise MemoryError(f"the arrays of {self.__name__} need more memory than there is")
            return None if bound.returns is None else bound.returns.take(iter(values), arrays)
        finally:
            if blocks:
                library().fairveil_release(blocks)

    @cached_property
    def bound(self) -> Binding:
        hints = typing.get_type_hints(self.py_func, include_extras=True)
        result = hints.pop("return")
        compiled = getattr(library(), f"{self.__module__.replace('.', '_')}_{self.__name__}{suffix()}")
        parameters = [Kind.of(hint) for hint in hints.values()]
        return Binding.of(parameters, None if result is type(None) else Kind.of(result), compiled)


class Binding(NamedTuple):
    """A function of the library: the types of its parameters and of its result, with their layouts."""

    parameters: list[Kind]
    layout: struct.Struct
    returns: Kind | None
    result_layout: struct.Struct  # first the memory to release
    room: Any  # for the result
    compiled: Any

    @classmethod
    def of(cls, parameters: list[Kind], returns: Kind | None, compiled: Any) -> Binding:
        layout = struct.Struct("".join(kind.layout for kind in parameters))
        result_layout = struct.Struct("q" + (returns.layout if returns else ""))
        return cls(parameters, layout, returns, result_layout, ctypes.c_char * result_layout.size, compiled)


def kernel(function: Callable[..., Any]) -> Any:
    """A function that Python calls; its parameters and its result have types."""
    return Kernel(function)


def helper(function: Callable[..., Any]) -> Any:
    """A function that kernels call with any types; from Python, it is interpreted."""
    return function


def inlined(function: Callable[..., Any]) -> Any:
    """A helper that is inlined at every call: for the few lines inside the innermost loops."""
    return function


def stopped(stop: UInt8s) -> bool:
    """Whether another thread has set the one element of `stop`. Compiled code reads it at every call."""
    return bool(stop[0])


@cache
def library() -> Any:
    """Load the compiled kernels; BadInput if they are missing, or compiled from other sources."""
    repair = "run `python hatch_build.py kernels` in a checkout, or install fairveil again"
    if not LIBRARY.is_file():
        raise BadInput(f"the compiled kernels are missing ({LIBRARY}): {repair}")
    loaded = ctypes.CDLL(str(LIBRARY))
    if (ctypes.c_char * 64).in_dll(loaded, "fairveil_sources").value.decode() != fingerprint():
        raise BadInput(f"the compiled kernels are older than their sources ({LIBRARY}): {repair}")
    loaded.fairveil_release.argtypes = [ctypes.c_void_p]
    return loaded


@cache
def suffix() -> str:
    """What the names of the kernels end with that suit this processor: the library may have each twice."""
    return "_avx2" if library().fairveil_avx2() else ""
