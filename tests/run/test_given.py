"""Whatever is given to a function of the API that it cannot take is refused in a sentence, and never by an attribute
that it lacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairveil as fv

PEOPLE = pd.DataFrame({"age": [30, 30, 41, 41], "sex": list("fffm"), "ill": list("xyxy")})
SCHEMA = fv.Schema(quasi=["age"], sensitive=["ill"], drop=["sex"])
K = fv.KAnonymity(2)
DATA: dict[str, Callable[[Any], Any]] = {
    "search": lambda data: fv.search(data, SCHEMA, guards=K),
    "explore": lambda data: fv.explore(data, SCHEMA, guards=K, methods=[fv.Mondrian()]),
    "check": lambda data: fv.check(data, SCHEMA),
    "init": fv.init,
    "profile": fv.profile,
    "population_risk": lambda data: fv.population_risk(data, SCHEMA),
    "key_risks": lambda data: fv.key_risks(data, SCHEMA),
}
SCHEMAS: dict[str, Callable[[Any], Any]] = {
    "search": lambda schema: fv.search(PEOPLE, schema, guards=K),
    "check": lambda schema: fv.check(PEOPLE, schema, K),
    "population_risk": lambda schema: fv.population_risk(PEOPLE, schema),
    "key_risks": lambda schema: fv.key_risks(PEOPLE, schema),
}
GUARDS: dict[str, Callable[[Any], Any]] = {
    "search": lambda guards: fv.search(PEOPLE, SCHEMA, guards=guards),
    "check": lambda guards: fv.check(PEOPLE, SCHEMA, guards),
    "Anonymizer": lambda guards: fv.sklearn.Anonymizer(k=2, guards=guards).fit(PEOPLE),
}
METHODS: dict[str, Callable[[Any], Any]] = {
    "explore": lambda method: fv.explore(PEOPLE, SCHEMA, guards=K, methods=method),
    "search": lambda method: fv.search(PEOPLE, SCHEMA, guards=K, method=method),
    "Anonymizer": lambda method: fv.sklearn.Anonymizer(k=2, method=method).fit(PEOPLE),
}
RELEASES: dict[str, Callable[[Any], Any]] = {
    "attack": fv.attack,
    "report": fv.report,
    "report_dict": fv.report_dict,
    "verify": fv.verify,
    "utility": lambda release: fv.utility(release, PEOPLE),
    "earlier": lambda release: fv.search(PEOPLE, SCHEMA, guards=K, earlier=[release]),
}


@pytest.mark.parametrize("data", [None, 5, [1], {"age": [1]}, np.zeros((2, 2)), PEOPLE["age"], pd.DataFrame, SCHEMA])
@pytest.mark.parametrize("function", DATA)
def test_data(function: str, data: Any) -> None:
    with pytest.raises(fv.BadInput, match=r"data frame|not a"):
        DATA[function](data)


@pytest.mark.parametrize("schema", [["age"], {"quasi": ["age"]}, "age", fv.Schema, PEOPLE])
@pytest.mark.parametrize("function", SCHEMAS)
def test_schemas(function: str, schema: Any) -> None:
    with pytest.raises(fv.BadInput, match=r"schema must be an fv\.Schema"):
        SCHEMAS[function](schema)


@pytest.mark.parametrize("guards", ["k-anonymity", ["k-anonymity"], fv.KAnonymity, [fv.KAnonymity], 5, None, {"k": 2}])
@pytest.mark.parametrize("function", GUARDS)
def test_guards(function: str, guards: Any) -> None:
    with pytest.raises(fv.BadInput, match=r"guards must be one or several of fv\.guards"):
        GUARDS[function](guards)


@pytest.mark.parametrize("method", ["mondrian", ["mondrian"], fv.Mondrian, 5])
@pytest.mark.parametrize("function", METHODS)
def test_methods(function: str, method: Any) -> None:
    with pytest.raises(fv.BadInput, match=r"a method must be one of fv\.methods"):
        METHODS[function](method)


@pytest.mark.parametrize("release", [None, 5, PEOPLE, SCHEMA, K, b"folder"])
@pytest.mark.parametrize("function", RELEASES)
def test_releases(function: str, release: Any) -> None:
    with pytest.raises(fv.BadInput, match=r"release"):
        RELEASES[function](release)
