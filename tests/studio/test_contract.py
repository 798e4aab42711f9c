"""What the front end is told about the API is what the API does."""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from pathlib import Path

from fairveil.studio.calls import Call
from fairveil.studio.contract import typescript
from fairveil.studio.endpoints import ENDPOINTS

TYPES = Path(__file__).parents[2] / "web" / "src" / "api" / "types.ts"


def test_the_committed_types_are_those_of_the_api() -> None:
    assert TYPES.read_text(encoding="utf-8") == typescript(), "python -m fairveil.studio.contract web/src/api/types.ts"


def test_every_endpoint_has_its_function() -> None:
    for endpoint in ENDPOINTS:
        module, _, name = endpoint.does.partition(".")
        function = getattr(import_module(f"fairveil.studio.{module}"), name)
        assert list(signature(function).parameters) == ["call"], endpoint.does
        assert signature(function).parameters["call"].annotation in ("Call", Call)


def test_no_endpoint_is_there_twice() -> None:
    assert len({(endpoint.verb, endpoint.path) for endpoint in ENDPOINTS}) == len(ENDPOINTS)
