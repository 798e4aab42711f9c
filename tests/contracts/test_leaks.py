"""No file of a release tells what is not published, whatever the method. What applies is chosen by traits."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.data.hierarchy import automatic
from fairveil.methods import METHODS, Method
from tests.contracts.people import contents, quick
from tests.known import ANY_DANGER

DETERMINISTIC = [method for method in METHODS if method.deterministic]
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "mondrian": [{"relaxed": True}, {"numeric": False}],
    "top-down-greedy": [{"numeric": False}],
    "mdav": [{"publish": "interval"}, {"publish": "median"}],
    "fair-mdav": [{"publish": "interval", "leftovers": "nearest"}],
    "dmpd": [{"recode": True}],
    "preferences": [{"groups": "nodes"}, {"granularity": {"income": 5_000_000}}],
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
    return request.param


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


def leaked(frame: pa.Table, release: Any, files: dict[str, str], given: str = "") -> list[tuple[str, Any, str]]:
    """Values of the source that a file holds although nobody published or gave them."""
    known = published_texts(release) + given
    return [
        (name, value, file)
        for name in frame.column_names
        for value in set(frame[name].to_pylist()) - {None}
        for text in spellings(value)
        for file, content in files.items()
        if text in content and text not in known and re.search(rf"(?<![\w.]){re.escape(text)}(?![\w.])", content)
    ]


def recipe_of(release: Any) -> dict[str, str]:
    return {"recipe.json": json.dumps(release.recipe.to_dict(), ensure_ascii=False, default=str)}


def saved(release: Any, folder: Path) -> dict[str, str]:
    release.save(folder, accept=ANY_DANGER)
    return {name: content.decode(errors="replace") for name, content in contents(folder).items()}


def frontier(frame: pa.Table, roles: fv.Schema, method: Method, guards: list[Any]) -> Any:
    usable = [guard for guard in guards if method.kind != "dmpd" or guard.on_projections]
    try:
        return fv.search(frame, roles, guards=usable, method=method)
    except fv.Infeasible:
        return []


def releases(frame: pa.Table, roles: fv.Schema, method: Method, guards: list[Any]) -> list[Any]:
    found = frontier(frame, roles, method, guards)
    return [found.release(position) for position in sorted({0, len(found) // 2, len(found) - 1})] if found else []


def usable(method: Method, roles: fv.Schema) -> Method:
    """The method without settings for columns that are not there."""
    from dataclasses import replace

    if isinstance(method, fv.Preferences) and set(method.granularity) - set(roles.quasi):
        return replace(method, granularity={})
    return method


@pytest.mark.parametrize("quasi", [("income", "town"), ("height", "cost"), ("town",)], ids="+".join)
def test_a_recipe_holds_no_value_that_is_not_published(method: Method, quasi: tuple[str, ...]) -> None:
    for seed, guards in enumerate(GUARDS.values()):
        frame, roles = people(seed), schema(*quasi)
        for release in releases(frame, roles, usable(method, roles), guards):
            assert release.holds
            assert leaked(frame, release, recipe_of(release)) == []


def test_no_file_holds_a_value_that_is_not_published(method: Method, tmp_path: Path) -> None:
    frame, roles = people(2, rows=60), schema("income", "town")
    for release in releases(frame, roles, usable(method, roles), GUARDS["k"])[:1]:
        assert leaked(frame, release, saved(release, tmp_path / "out")) == []
        assert fv.verify(tmp_path / "out")


def test_hierarchies_read_off_the_data_tell_no_more(method: Method) -> None:
    frame = people(3)
    rules = automatic(frame, ["income", "town"], beside=["credit"])
    roles = schema("income", "town", hierarchies=rules)
    for guards in GUARDS.values():
        for release in releases(frame, roles, usable(method, roles), guards):
            assert release.holds
            assert leaked(frame, release, recipe_of(release)) == []
            again = release.recipe.outcome(fv.Table.from_frame(frame), unknown="suppress")
            assert again.rows == frame.num_rows


def test_a_number_beside_missing_ones_is_not_told(method: Method) -> None:
    """Where all others in a group have no value, the group must not show the one that somebody has."""
    for seed in range(4):
        frame = people(seed, rows=60)
        income = [value if i % 12 == 0 else None for i, value in enumerate(frame["income"].to_pylist())]
        frame = frame.set_column(frame.column_names.index("income"), "income", pa.array(income))
        roles = schema("income")
        for release in releases(frame, roles, usable(method, roles), GUARDS["k"]):
            labels = {
                str(v) for t in release.published.tables.values() if "income" in t for v in t.column("income").domain
            }
            told = [v for v in income if v is not None for label in labels if str(v) in label and str(v) != label]
            assert told == []


def test_a_recipe_depends_on_published_rows_only(method: Method) -> None:
    """Change what suppressed rows hold: as long as the same is published, the recipe is the same."""
    compared = False
    for guards, quasi in ((guards, quasi) for guards in GUARDS.values() for quasi in (("income", "town"), ("town",))):
        frame, roles = people(7, rows=60), schema(*quasi)
        found = frontier(frame, roles, usable(method, roles), guards)
        for position in range(min(len(found), 2)):
            release = found.release(position)
            if release.source_rows is None or not release.suppressed:
                continue
            left_out = sorted(set(range(frame.num_rows)) - set(release.source_rows.tolist()))
            for cents in (0.01, 4.2):  # so little that a search finds the same again
                other = frame.to_pydict()
                for row in left_out:
                    other["income"][row] += cents
                    other["town"][row] += f"z{int(cents)}"
                again = frontier(pa.table(other, schema=frame.schema), roles, usable(method, roles), guards)
                twin = again.release(position) if len(again) > position else None
                if twin is not None and twin.table.to_arrow().equals(release.table.to_arrow()):
                    compared = True
                    assert recipe_of(twin) == recipe_of(release)
    if not compared:
        pytest.skip("it never suppresses, or other rows change what it publishes")


@pytest.mark.parametrize("dropped", [False, True], ids=["published", "dropped"])
def test_protected_values_of_records_that_are_left_out_show_nowhere(dropped: bool, tmp_path: Path) -> None:
    frame = people(4, rows=61)
    groups = np.array(["southern", "northern"] * 30 + ["southern"], dtype=object)
    groups[[0, 7, 9]] = "oddgroup-alpha", "oddgroup-beta", "oddgroup-gamma"
    frame = frame.append_column("origin", pa.array(groups.tolist()))
    roles = fv.Schema(
        quasi=["income"], protected=["origin"], decision="credit", denied="refused",
        drop=["height", "town", "cost", "sex", "illness", *(["origin"] if dropped else [])],
        plain=[] if dropped else ["origin"],
    )  # fmt: skip
    for size in (4, 5, 7):
        found = fv.search(frame, roles, guards=[fv.KAnonymity(4)], method=fv.FairMDAV(size=size))
        release = found.release(0)
        assert leaked(frame, release, saved(release, tmp_path / str(size))) == []
