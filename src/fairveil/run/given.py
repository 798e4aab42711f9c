"""What is given to the functions of the API, or BadInput with a sentence where it is something else.

>>> given_guards("k-anonymity")
Traceback (most recent call last):
    ...
fairveil.errors.BadInput: guards must be one or several of fv.guards, such as fv.KAnonymity(5), not a str
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairveil.data.schema import Schema
from fairveil.errors import BadInput
from fairveil.guards import Guard
from fairveil.methods.method import Method


def given_schema(schema: Any) -> Schema:
    """The schema itself."""
    if not isinstance(schema, Schema):
        raise BadInput(f"schema must be an fv.Schema, such as fv.Schema(quasi=[…]), not {_kind(schema)}")
    return schema


def given_data(data: Any) -> Any:
    """The data itself; what else it may be is found out when it is opened."""
    is_series = hasattr(data, "to_frame") and not hasattr(data, "columns")
    if data is None or isinstance(data, type) or is_series:
        raise BadInput(f"data must be a data frame or the path of a file, not {_kind(data)}")
    return data


def given_guards(guards: Any) -> tuple[Guard, ...]:
    """One guard or several, as a tuple."""
    return _parts(guards, Guard, "guards must be one or several of fv.guards, such as fv.KAnonymity(5)")


def given_methods(methods: Any) -> tuple[Method, ...]:
    """One method or several, as a tuple."""
    return _parts(methods, Method, "a method must be one of fv.methods, such as fv.Mondrian()")


def _parts(given: Any, kind: type, expected: str) -> tuple[Any, ...]:
    alone = isinstance(given, kind | str | dict | type) or not isinstance(given, Iterable)
    parts = (given,) if alone else tuple(given)
    for part in parts:
        if not isinstance(part, kind):
            raise BadInput(f"{expected}, not {_kind(part)}")
    return parts


def _kind(value: Any) -> str:
    """What a value is, without the value, which may be data."""
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}: add parentheses"
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
