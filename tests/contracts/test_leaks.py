"""No file of a release tells what is not published, whatever the method. What applies is chosen by traits."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.methods import METHODS, Method
from tests.contracts.people import contents, quick

DETERMINISTIC = [method for method in METHODS if method.deterministic]
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "mondrian": [{"relaxed": True}, {"numeric": False}],
    "top-down-greedy": [{"numeric": False}],
    "mdav": [{"publish": "interval"}, {"publish": "median"}],
    "fair-mdav": [{"publish": "interval", "leftovers": "nearest"}],
    "dmpd": [{"recode": True}],
    "preferences": [{"groups": "nodes"}, {"granularity": {"income": 5000}}],
}
"""More settings, where a method works in another way with them."""


def variants() -> list[Method]:
    from dataclasses import replace

    return [replace(quick(method), **more) for method in DETERMINISTIC for more in ({}, *SETTINGS.get(method.kind, []))]


def named(method: Method) -> str:
    more = [f"{k}={v}" for settings in SETTINGS.get(method.kind, []) for k, v in settings.items()]
    return method.kind + "".join(f",{text}" for text in more if text in _settings(method))


def _settings(method: Method) -> set[str]:
    return {f"{k}={v}" for k, v in method.to_dict().items()}


@pytest.fixture(params=variants(), ids=named)
def method(request: pytest.FixtureRequest) -> Method:
    return request.param  # type: ignore[no-any-return]


def people(seed: int, rows: int = 90) -> pa.Table:
    """Distinctive numbers and names, nobody like another; some far away from all others."""
    rng = np.random.default_rng(seed)
    income = np.round(rng.uniform(10_000, 90_000, rows), 2)
    income[:2] = 98_765_432.19, -7_654_321.98
    height = [None if i % 17 == 3 else int(h) for i, h in enumerate(rng.integers(1_000_000, 9_000_000, rows))]
    town = [f"town{n:05d}x" for n in rng.integers(0, 6, rows) * 7919]
    for i in range(2, rows, 9):
        town[i] = f"odd{seed}hamlet{i}q"
    cost = [Decimal(int(n)) / 100 for n in rng.integers(10**7, 10**9, rows)]
    return pa.table(
        {
            "income": income,
            "height": pa.array(height),
            "town": town,
            "cost": pa.array(cost, pa.decimal128(12, 2)),
            "sex": rng.choice(["female", "male"], rows),
            "illness": rng.choice(["influenza", "bronchitis"], rows),
            "credit": rng.choice(["granted", "refused"], rows),
        }
    )


def schema(*quasi: str, **settings: Any) -> fv.Schema:
    names = [name for name in ("income", "height", "town", "cost") if name not in quasi]
    return fv.Schema(
        quasi=[*quasi, "sex"], protected=["sex"], sensitive=["illness"], decision="credit", denied="refused",
        drop=names, **settings,
    )  # fmt: skip


GUARDS: dict[str, list[Any]] = {
    "k": [fv.KAnonymity(3, suppression=0.3)],
    "l": [fv.KAnonymity(2, suppression=0.4), fv.DistinctDiversity(2)],
}


def spellings(value: Any) -> set[str]:
    """How a value may be written; nothing that is too short to be told from chance."""
    texts = {str(value), repr(value)}
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        number = float(value)
        texts |= {f"{number:.12g}", f"{number:.10g}", f"{number:g}", repr(number), f"{number:.2f}", f"{number:.0f}"}
    return {text for text in texts if len(re.sub(r"\D", "", text)) >= 6 or len(text) >= 8}


def published_texts(release: Any) -> str:
    return "\n".join(
        str(value) for table in release.published.tables.values() for c in table.columns for value in c.domain
    )


def leaked(frame: pa.Table, release: Any, folder: Path, given: str = "") -> list[tuple[str, Any, str]]:
    """Values of the source that a file holds although nobody published or gave them."""
    release.save(folder)
    files = {name: content.decode(errors="replace") for name, content in contents(folder).items()}
    known = published_texts(release) + given
    return [
        (name, value, file)
        for name in frame.column_names
        for value in set(frame[name].to_pylist()) - {None}
        for text in spellings(value)
        for file, content in files.items()
        if text not in known and re.search(rf"(?<![\w.]){re.escape(text)}(?![\w.])", content)
    ]


def releases(frame: pa.Table, roles: fv.Schema, method: Method, guards: list[Any]) -> list[Any]:
    usable = [guard for guard in guards if method.kind != "dmpd" or guard.on_projections]
    try:
        found = fv.search(frame, roles, guards=usable, method=method)
    except fv.Infeasible:
        return []
    return [found.release(position) for position in sorted({0, len(found) // 2, len(found) - 1})]


def usable(method: Method, roles: fv.Schema) -> Method:
    """The method without settings for columns that are not there."""
    from dataclasses import replace

    widths = getattr(method, "granularity", {})
    return replace(method, granularity={}) if set(widths) - set(roles.quasi) else method


@pytest.mark.parametrize("guards", GUARDS)
@pytest.mark.parametrize("quasi", [("income", "town"), ("height", "cost"), ("income",), ("town",)], ids="+".join)
def test_files_hold_no_value_that_is_not_published(
    method: Method, quasi: tuple[str, ...], guards: str, tmp_path: Path
) -> None:
    for seed in range(2):
        frame, roles = people(seed), schema(*quasi)
        for number, release in enumerate(releases(frame, roles, usable(method, roles), GUARDS[guards])):
            assert release.holds
            assert leaked(frame, release, tmp_path / f"{seed}-{number}") == []
            assert fv.verify(tmp_path / f"{seed}-{number}")
