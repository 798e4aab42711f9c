"""The API that the front end's types describe is the one that the server has."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from fairveil.studio.calls import Call
from fairveil.studio.contract import typescript
from fairveil.studio.endpoints import ENDPOINTS, Endpoint, File
from tests.studio.client import User

TYPES = Path(__file__).parents[2] / "web" / "src" / "api" / "types.ts"


def test_the_committed_types_are_those_of_the_api() -> None:
    assert TYPES.read_text(encoding="utf-8") == typescript(), "python -m fairveil.studio.contract web/src/api/types.ts"


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: f"{endpoint.verb} {endpoint.path}")
def test_every_endpoint_has_its_function_and_returns_what_it_declares(endpoint: Endpoint) -> None:
    name, _, function_name = endpoint.does.partition(".")
    module = import_module(f"fairveil.studio.{name}")
    function = getattr(module, function_name)
    assert list(signature(function).parameters) == ["call"], endpoint.does
    assert signature(function).parameters["call"].annotation in ("Call", Call)
    if not isinstance(endpoint.answer, File):
        assert eval(function.__annotations__["return"], vars(module)) == endpoint.answer


def test_every_endpoint_is_declared_once() -> None:
    assert len({(endpoint.verb, endpoint.path) for endpoint in ENDPOINTS}) == len(ENDPOINTS)


def test_the_answers_of_jobs_have_their_declared_types(credit: User) -> None:
    guards = [{"kind": "k-anonymity", "k": 3}, {"kind": "alpha-protection", "alpha": 3.0, "min_support": 2}]
    candidate = credit.search("incognito", guards=guards)["candidates"]["id"][0]
    requests: dict[str, dict[str, Any]] = {
        "/inspect/report": {"candidate": candidate, "utility": True},
        "/walks": {"aspirations": {"necd": 0.2, "nwp": 0.2}, "points": 3},
        "/walks/w1/step": {"choose": 0},
        "/measures": {"measures": ["accuracy"]},
        "/release": {"candidate": candidate},
    }
    declared = {
        endpoint.path.replace("/api/sessions/{session}", "").replace("{walk}", "w1"): endpoint.answer
        for endpoint in ENDPOINTS
        if is_typeddict(get_origin(endpoint.answer)) and endpoint.body is not None
    }
    assert declared.keys() == requests.keys()
    for path, body in requests.items():
        job = credit.job(credit.call("POST", path, body))
        assert job["state"] == "done", job
        assert list(mismatches(job, declared[path], path)) == []


def mismatches(value: Any, hint: Any, where: str, given: Mapping[Any, Any] | None = None) -> Any:
    """Where a JSON value differs from its type. Keys beyond those of a TypedDict are allowed."""
    given = given or {}
    origin, arguments = get_origin(hint), get_args(hint)
    if isinstance(hint, TypeVar):
        yield from mismatches(value, given[hint], where)
    elif origin in (Union, UnionType):
        if all(list(mismatches(value, option, where, given)) for option in arguments):
            yield f"{where}: {value!r} is not {hint}"
    elif is_typeddict(origin or hint):
        shape = origin or hint
        parameters = dict(zip(getattr(shape, "__parameters__", ()), arguments, strict=True))
        for name, inner in get_type_hints(shape, include_extras=True).items():
            optional = get_origin(inner) is NotRequired
            if name in value:
                yield from mismatches(
                    value[name], get_args(inner)[0] if optional else inner, f"{where}.{name}", parameters
                )
            elif not optional:
                yield f"{where}.{name} is missing"
    elif origin is list:
        for place, entry in enumerate(value):
            yield from mismatches(entry, arguments[0], f"{where}[{place}]", given)
    elif origin is dict:
        for name, entry in value.items():
            yield from mismatches(entry, arguments[1], f"{where}.{name}", given)
    elif origin is Literal:
        if value not in arguments:
            yield f"{where}: {value!r} is not one of {arguments}"
    elif hint is not Any and not isinstance(
        value, (int, float) if hint is float else NoneType if hint is None else hint
    ):
        yield f"{where}: {value!r} is not {hint.__name__}"
