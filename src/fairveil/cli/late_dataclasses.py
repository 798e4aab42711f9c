"""Dataclasses whose methods are compiled when they are first called.

`dataclass` writes and compiles up to six methods of each class, although a command uses a third of the classes, and of
most of these only `__init__`. Compiling all of them takes longer than anonymizing a small file. In the process of a
command, `postpone` lets the classes of fairveil, and those that inherit from them, begin with methods that are replaced
by those of `dataclass` when they are first called. What is called afterwards is what `dataclass` makes.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from operator import attrgetter
from typing import Any

PACKAGE = "fairveil."
SPECIAL = ("order", "unsafe_hash", "slots", "weakref_slot")
"""Flags whose classes are compiled at once."""
_at_once = dataclasses.dataclass


def postpone() -> None:
    """From now on, compile the methods of fairveil's dataclasses when they are first called."""
    standard: Any = dataclasses
    standard.dataclass = _late


def _late(cls: Any = None, /, **flags: bool) -> Any:
    """In place of `dataclasses.dataclass`."""
    return (lambda cls: _decorated(cls, flags)) if cls is None else _decorated(cls, flags)


def _decorated(cls: Any, flags: dict[str, bool]) -> Any:
    bases = [base for base in cls.__mro__[1:] if "__dataclass_fields__" in vars(base)]
    ours = any("_late_flags" in vars(base) for base in bases) or cls.__module__.startswith(PACKAGE)
    special = not flags.get("init", True) or any(flags.get(name) for name in SPECIAL)
    special = special or any("InitVar" in str(type_) for type_ in vars(cls).get("__annotations__", {}).values())
    if special or not ours or not all("_late_flags" in vars(base) for base in bases):
        return _at_once(cls, **flags)
    own, frozen = set(vars(cls)), flags.get("frozen", False)
    # an own hash is kept; Python itself sets it to None where a class has only an own __eq__
    hashed = "__hash__" in own and not (vars(cls)["__hash__"] is None and "__eq__" in own)
    _at_once(cls, init=False, repr=False, eq=False, kw_only=flags.get("kw_only", False))
    cls._late_flags = {**flags, "own_init": "__init__" in own}
    methods: dict[str, Any] = {"__init__": _first_call(cls, "__init__", _written_init)}
    if flags.get("repr", True):
        methods["__repr__"] = _first_call(cls, "__repr__", _compiled)
    if flags.get("eq", True):
        methods["__eq__"], methods["__hash__"] = _equality(cls)
        if hashed or not frozen:
            methods["__hash__"] = vars(cls)["__hash__"] if hashed else None
    for name, method in methods.items():
        if name not in own or name == "__hash__":
            setattr(cls, name, method)
    if frozen:
        cls.__setattr__, cls.__delattr__ = _refusing(cls)
    cls.__signature__ = _Signature()
    return cls


def _first_call(cls: Any, name: str, make: Callable[[Any, str], Any]) -> Callable[..., Any]:
    """A method that is replaced by what `make` returns when it is called."""

    def method(self: Any, *given: Any, **named: Any) -> Any:
        compiled = make(cls, name)
        setattr(cls, name, compiled)
        return compiled(self, *given, **named)

    return method


def _compiled(cls: Any, name: str) -> Any:
    """The method of this name that `dataclass` makes for a class with the same fields."""
    fields = dataclasses.fields(cls)
    content: dict[str, Any] = {field.name: field for field in fields}
    if hasattr(cls, "__post_init__"):
        content["__post_init__"] = cls.__post_init__
    content["__annotations__"] = {field.name: field.type for field in fields}
    content |= {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__name__}
    flags = {"frozen": cls._late_flags.get("frozen", False), "init": name == "__init__", "repr": name == "__repr__"}
    return vars(_at_once(type(cls.__name__, (), content), eq=False, **flags))[name]


def _written_init(cls: Any, name: str) -> Any:
    """`__init__` as `dataclass` writes it, without annotations."""
    values: dict[str, Any] = {"put": object.__setattr__, "absent": dataclasses.MISSING}
    positional, named, lines = [], [], []
    for field in dataclasses.fields(cls):
        value, factory = field.name, field.default_factory
        if factory is not dataclasses.MISSING:
            values[f"make_{value}"] = factory
            value = f"make_{value}() if {value} is absent else {value}" if field.init else f"make_{value}()"
        elif not field.init:
            continue  # its default is an attribute of the class
        lines.append(f"put(self, {field.name!r}, {value})" if cls.__setattr__ is not object.__setattr__
                     else f"self.{field.name} = {value}")  # fmt: skip
        if field.init:
            default = "" if factory is field.default else "=absent" if factory is not dataclasses.MISSING else None
            if default is None:
                values[f"usual_{field.name}"], default = field.default, f"=usual_{field.name}"
            (named if field.kw_only else positional).append(f"{field.name}{default}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join(["self", *positional, *(["*", *named] if named else [])])
    exec(f"def __init__({parameters}):\n " + "\n ".join(lines or ["pass"]), values)
    values[name].__qualname__ = f"{cls.__qualname__}.{name}"
    return values[name]


def _equality(cls: Any) -> tuple[Callable[..., Any], Callable[..., int]]:
    """`__eq__` and `__hash__` of the fields that are compared."""
    fields = dataclasses.fields(cls)
    compared = _values([field.name for field in fields if field.compare])
    hashed = _values([field.name for field in fields if (field.compare if field.hash is None else field.hash)])

    def equal(self: Any, other: Any) -> Any:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def number(self: Any) -> int:
        return hash(hashed(self))

    return equal, number


def _values(names: list[str]) -> Callable[[Any], Any]:
    """The values of these attributes as a tuple, also of one and of none."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda self: ()
    value = attrgetter(names[0])
    return lambda self: (value(self),)


def _refusing(cls: Any) -> tuple[Callable[..., None], Callable[..., None]]:
    """How a frozen class refuses to be changed, as `dataclass` writes it."""
    names = {field.name for field in dataclasses.fields(cls)}

    def assign(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return assign, delete


class _Signature:
    """The signature of a class, once somebody asks for it."""

    def __get__(self, instance: Any, owner: Any) -> inspect.Signature:
        home = next(base for base in owner.__mro__ if "__init__" in vars(base))
        own = "_late_flags" in vars(home) and not vars(home)["_late_flags"].get("own_init")
        whole = inspect.signature(_compiled(home, "__init__") if own else home.__init__)
        return whole.replace(parameters=list(whole.parameters.values())[1:])
