"""The API that the front end's types describe is the one that the server has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from inspect import signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

from fairveil.studio.contract import typescript
from fairveil.studio.endpoints import endpoints
from fairveil.studio.jobs import JobView
from tests.studio.client import User

TYPES = Path(__file__).parents[2] / "web" / "src" / "api" / "types.ts"


def test_the_committed_types_are_those_of_the_api() -> None:
    assert TYPES.read_text(encoding="utf-8") == typescript(), "python -m fairveil.studio.contract web/src/api/types.ts"


def test_the_parameters_of_every_endpoint_have_their_place() -> None:
    """Parts of the path and query parameters are parameters of the function; what is neither is in the body."""
    for endpoint in endpoints():
        names = set(signature(endpoint.function).parameters) - {"studio", "uploaded"}
        assert set(re.findall(r"{(\w+)}", endpoint.path)) | set(endpoint.query) <= names, endpoint
        assert endpoint.verb in ("PUT", "POST") or not endpoint.has_body, endpoint


def test_every_endpoint_is_declared_once() -> None:
    assert len({(endpoint.verb, endpoint.path) for endpoint in endpoints()}) == len(endpoints())


def test_the_answers_of_jobs_have_their_declared_types(credit: User, tmp_path: Path) -> None:
    guards = [{"kind": "k-anonymity", "k": 3}, {"kind": "alpha-protection", "alpha": 3.0, "min_support": 2}]
    candidate = credit.search("incognito", guards=guards)["candidates"]["id"][0]
    requests: dict[str, dict[str, Any]] = {
        "/inspect/report": {"candidate": candidate, "utility": True},
        "/walks": {"aspirations": {"necd": 0.2, "nwp": 0.2}, "points": 3},
        "/walks/w1/step": {"choose": 0},
        "/measures": {"measures": ["accuracy"]},
        "/release": {"candidate": candidate},
        "/opening": {"dataset": "credit_decisions"},
        "/promise-costs": {},
        "/repairs": {"candidate": candidate, "danger": "uniqueness"},
        "/inspect/key-sets": {"candidate": candidate, "size": 3},
        "/joins/fit": {"join": {"path": str(tmp_path / "towns.csv"), "on": ["town"]}},
    }
    declared = {
        endpoint.path.replace("/api/sessions/{session}", "").replace("{walk}", "w1"): endpoint.answer
        for endpoint in endpoints()
        if get_origin(endpoint.answer) is JobView and endpoint.has_body
    }
    assert declared.keys() == requests.keys()
    (tmp_path / "people.csv").write_text("age,town\n31,Rome\n40,Bari\n")
    (tmp_path / "towns.csv").write_text("town,region\nRome,Lazio\n")
    for path, body in requests.items():
        if path == "/joins/fit":
            credit.open(path=str(tmp_path / "people.csv"))
        job = credit.job(credit.call("POST", path, body))
        assert job["state"] == "done", job
        assert list(mismatches(job, declared[path], path)) == []


def mismatches(value: Any, hint: Any, where: str, given: Mapping[Any, Any] | None = None) -> Any:
    """Where a JSON value differs from its type. Keys beyond those of a type are allowed."""
    given = given or {}
    origin, arguments = get_origin(hint), get_args(hint)
    if isinstance(hint, TypeVar):
        yield from mismatches(value, given[hint], where)
    elif origin in (Union, UnionType):
        if all(list(mismatches(value, option, where, given)) for option in arguments):
            yield f"{where}: {value!r} is not {hint}"
    elif is_typeddict(origin or hint) or is_dataclass(origin or hint):
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
    elif origin in (list, tuple, Sequence, dict, Mapping) and not isinstance(value, list | dict):
        yield f"{where}: {value!r} is not {hint}"
    elif origin in (list, tuple, Sequence):
        for place, entry in enumerate(value):
            yield from mismatches(entry, arguments[0], f"{where}[{place}]", given)
    elif origin in (dict, Mapping):
        for name, entry in value.items():
            yield from mismatches(entry, arguments[1], f"{where}.{name}", given)
    elif origin is Literal:
        if value not in arguments:
            yield f"{where}: {value!r} is not one of {arguments}"
    elif hint is not Any and not isinstance(
        value, (int, float) if hint is float else NoneType if hint is None else hint
    ):
        yield f"{where}: {value!r} is not {hint.__name__}"


def test_no_endpoint_fails_while_nothing_is_open(user: User) -> None:
    """Those that need no argument: each answers, or says in a sentence what to do first."""
    asked = 0
    for endpoint in endpoints():
        if (
            "{session}" not in endpoint.path
            or "{" in endpoint.path.replace("{session}", "")
            or endpoint.verb == "DELETE"
        ):
            continue
        user.open()
        path = endpoint.path.replace("{session}", user.session)
        answer = user.http.request(endpoint.verb, path, **({} if endpoint.verb == "GET" else {"json": {}}))
        assert answer.status_code < 500, (endpoint.verb, endpoint.path, answer.text[:200])
        asked += 1
    assert asked > 30
