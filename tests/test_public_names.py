"""The public names: declared once, in the stub, with the types that a checker shows for `import fairveil as fv`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, assert_type

import fairveil as fv
from fairveil.frontier.frontier import Frontier
from fairveil.methods.method import Method
from fairveil.run.explore import search

STUB = Path(fv.__file__).with_suffix(".pyi")


def test_every_name_of_the_stub_is_there_and_is_what_the_stub_says() -> None:
    lines = [line.split() for line in STUB.read_text(encoding="utf-8").splitlines() if line.startswith("from ")]
    assert len(lines) == len(fv.__all__) - 1 > 40  # and __version__
    for _, home, _, name, _, public in lines:
        assert name == public  # only so a checker takes it for exported
        value = getattr(fv, public)
        module = import_module(home if home != "." else f".{name}", "fairveil")
        assert value is module if home == "." else value is getattr(module, name)
        assert public in dir(fv)
        assert isinstance(value, ModuleType) or value.__module__.startswith("fairveil.")


if TYPE_CHECKING:  # this is checked by mypy

    def _types(table: fv.Table, schema: fv.Schema, guard: fv.KAnonymity, methods: list[Method]) -> None:
        assert_type(fv.search(table, schema, guards=[guard]), Frontier)
        assert_type(fv.explore(table, schema, guards=guard, methods=methods), fv.Frontier)
        assert_type(fv.Incognito(), fv.Incognito)
        assert_type(fv.search(table, schema, guards=[guard]).best("loss"), fv.Release)
        fv.search(table, schema)  # type: ignore[call-arg]
        fv.no_such_name  # type: ignore[attr-defined]  # noqa: B018


def test_search_is_the_function_itself() -> None:
    assert fv.search is search
