"""Dataclasses and pyarrow's functions whose parts are made late are what they would be at once."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import KW_ONLY, FrozenInstanceError, InitVar, field
from inspect import signature
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from fairveil.cli import late_dataclasses

AT_ONCE = dataclasses.dataclass


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setattr(late_dataclasses, "PACKAGE", __name__)
    monkeypatch.setattr(dataclasses, "dataclass", AT_ONCE)  # puts it back afterwards
    late_dataclasses.postpone()
    yield dataclasses.dataclass


def classes(dataclass: Any) -> SimpleNamespace:
    """The same classes by either decorator."""

    @dataclass(frozen=True)
    class Part:
        """With all kinds of fields."""

        shared: ClassVar[int] = 3
        name: str
        values: list[int] = field(default_factory=list)
        note: str = field(default="", compare=False, repr=False)
        fixed: int = field(default=7, init=False)
        own: dict[str, int] = field(default_factory=dict, init=False)
        _: KW_ONLY
        last: int = 1

        def __post_init__(self) -> None:
            object.__setattr__(self, "name", self.name.upper())

    @dataclass(frozen=True)
    class Larger(Part):
        """Inherits."""

        more: float = 0.5

    class Undecorated(Part):
        """Has no fields of its own."""

    @dataclass
    class Open:
        """Can be changed, so it has no hash."""

        x: int = 0

    @dataclass(frozen=True, eq=False, repr=False)
    class Same:
        """Is compared by identity."""

        x: int = 0

    @dataclass(frozen=True)
    class OwnMethods:
        """Keeps what it defines."""

        x: int

        def __init__(self) -> None:
            object.__setattr__(self, "x", 1)

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 5

        def __repr__(self) -> str:
            return "mine"

    @dataclass(frozen=True)
    class Nothing:
        """Has no field."""

    @dataclass
    class Given:
        """Has a parameter that is not a field."""

        y: InitVar[int]
        x: int = 0

        def __post_init__(self, y: int) -> None:
            self.x = y

    return SimpleNamespace(**{name: kind for name, kind in locals().items() if name != "dataclass"})


def observed(kind: Any, *given: Any, **named: Any) -> dict[str, Any]:
    """What can be seen of two equal instances, or the error."""
    try:
        one, other = kind(*given, **named), kind(*given, **named)
    except TypeError as problem:
        return {"refused": str(problem).split(".")[-1]}
    seen: dict[str, Any] = {
        "values": dict(vars(one)), "repr": "" if "at 0x" in repr(one) else repr(one),
        "equal": one == other, "other": one == 3, "unhashable": kind.__hash__ is None,
        "fields": [f.name for f in dataclasses.fields(kind)], "matched": kind.__match_args__,
        "signature": str(signature(kind)), "again": vars(dataclasses.replace(one)) if kind.__name__ == "Open" else None,
    }  # fmt: skip
    for change in (lambda: setattr(one, "x", 5), lambda: setattr(one, "name", ""), lambda: delattr(one, "x")):
        try:
            change()
            seen.setdefault("changes", []).append("allowed")
        except (FrozenInstanceError, AttributeError) as problem:
            seen.setdefault("changes", []).append((type(problem), str(problem)))
    return seen


CASES: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Part", ("a",), {}), ("Part", ("a", [1]), {"note": "n", "last": 2}), ("Part", (), {}),
    ("Part", ("a", [], "", 1), {}), ("Larger", ("a",), {"more": 2.0}), ("Larger", ("a", [], "n", 3.0), {}),
    ("Undecorated", ("a",), {}), ("Open", (), {}),
    ("Open", (4,), {}), ("Same", (), {}), ("OwnMethods", (), {}), ("Nothing", (), {}), ("Given", (4,), {}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "named"), CASES)
def test_late_classes_are_what_dataclass_makes(late: Any, name: str, given: Any, named: Any) -> None:
    ours, usual = getattr(classes(late), name), getattr(classes(AT_ONCE), name)
    assert observed(ours, *given, **named) == observed(usual, *given, **named)


def test_hashes_follow_from_what_is_compared(late: Any) -> None:
    Same, Nothing, kinds = classes(late).Same, classes(late).Nothing, classes(late)

    @late(frozen=True)
    class Pair:
        """Two values."""

        x: int
        note: str = field(default="", compare=False)

    assert hash(Pair(1, "a")) == hash(Pair(1, "b")) == hash((1,)) and Pair(1, "a") == Pair(1, "b") != Pair(2)
    assert Same() != Same() and hash(Nothing()) == hash(()) and hash(kinds.OwnMethods()) == 5


FUNCTIONS = """
from fairveil.cli import late_functions
late_functions.load()
import pyarrow as pa
import pyarrow.compute as pc
assert "if_else" not in vars(pc)
assert pc.if_else([True, False], 1, 2).to_pylist() == [1, 2] and "if_else" in vars(pc)
assert pc.and_([True], [False]).to_pylist() == [False] and pc.utf8_zfill(["1"], 3).to_pylist() == ["001"]
assert pc.index_in(pa.array(["b"]), value_set=pa.array(["a", "b"])).to_pylist() == [1]
assert pa.array([3, 1, 3]).unique().to_pylist() == [3, 1] and pa.array(["1"]).cast(pa.int64()).to_pylist() == [1]
assert "if_else" in pc.list_functions() and len(pc.list_functions()) > 200
values = pa.array([3, 1, 2])
results = [pc.sort_indices(values), pc.rank(values, sort_keys="descending"), pc.equal(values, 3), pc.min_max(values)]
for name in ("no_such_function", "hash_sum"):
    assert not hasattr(pc, name), name
del __import__("sys").modules["pyarrow.compute"]
import importlib
usual = importlib.import_module("pyarrow.compute")
again = [usual.sort_indices(values), usual.rank(values, sort_keys="descending"), usual.equal(values, 3)]
assert results == [*again, usual.min_max(values)]
for wrong in (lambda: pc.equal(values), lambda: pc.rank(values, no_such_option=1)):
    try:
        wrong()
    except TypeError:
        continue
    raise AssertionError
"""


def test_functions_of_pyarrow_are_made_when_they_are_used() -> None:
    done = subprocess.run([sys.executable, "-c", FUNCTIONS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
