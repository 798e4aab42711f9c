"""Learnt intervals end on a grid of round numbers that no single person decides on, whatever the method."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.data.hierarchy import automatic
from fairveil.data.interval_edges import Calendar, Grid
from fairveil.methods import Method
from tests.contracts.test_leaks import named, releases, usable, variants

ROWS = 60


def numbers(kind: str, seed: int, rows: int = ROWS) -> pa.Array:
    rng = np.random.default_rng(seed)
    return {
        "integers": lambda: pa.array(rng.integers(1000, 9999, rows)),
        "ages": lambda: pa.array(rng.integers(18, 90, rows)),
        "cents": lambda: pa.array(np.round(rng.lognormal(10, 1, rows), 2)),
        "few-cents": lambda: pa.array(np.round(rng.uniform(1.0, 1.6, rows), 2)),
        "money": lambda: pa.array([Decimal(int(n)) / 100 for n in rng.integers(10, 10**8, rows)], pa.decimal128(12, 2)),
        "huge": lambda: pa.array(rng.integers(10**17, 9 * 10**18, rows)),
        "negative": lambda: pa.array(np.round(rng.normal(0, 5000, rows), 3)),
        "outlier": lambda: pa.array([*rng.integers(0, 400, rows - 1).tolist(), 98_765_432_101]),
        "gaps": lambda: pa.array([None if i % 9 == 4 else float(v) for i, v in enumerate(rng.normal(0, 1, rows))]),
    }[kind]()


KINDS = ("integers", "ages", "cents", "few-cents", "money", "huge", "negative", "outlier", "gaps")


def people(kind: str, seed: int, rows: int = ROWS) -> pa.Table:
    rng = np.random.default_rng(seed + 99)
    return pa.table(
        {
            "amount": numbers(kind, seed, rows),
            "sex": rng.choice(["female", "male"], rows),
            "illness": rng.choice(["influenza", "bronchitis"], rows),
            "credit": rng.choice(["granted", "refused"], rows, p=[0.6, 0.4]),
        }
    )


def schema(**more: Any) -> fv.Schema:
    return fv.Schema(
        quasi=["amount", "sex"], protected=["sex"], sensitive=["illness"], decision="credit", denied="refused", **more
    )


def published_numbers(frame: pa.Table, release: Any) -> list[Any]:
    """The source's numbers of the people who are published."""
    rows = range(frame.num_rows) if release.source_rows is None else release.source_rows.tolist()
    values = frame["amount"].to_pylist()
    return sorted(values[row] for row in rows if values[row] is not None)


def label_edges(release: Any) -> set[Fraction]:
    """The edges of the labels of intervals; "20-39" ends at 40. None where numbers are published as they are."""
    edges = set()
    for table in release.published.tables.values():
        if "amount" in table.names and pa.types.is_string(table.column("amount").values.type):
            for label in filter(None, table.column("amount").domain):
                text = str(label).removesuffix(" or missing")
                if inclusive := re.fullmatch(r"(\d+)-(\d+)", text):
                    edges |= {Fraction(inclusive[1]), Fraction(inclusive[2]) + 1}
                elif re.search(r"[<≥\[(]", text):
                    edges |= {Fraction(end) for end in re.findall(r"(?<![\d.e])-?\d[\d.]*(?:e[-+]?\d+)?", text)}
    return edges


def recipe_edges(spec: Any, name: str = "") -> Iterator[Any]:
    """The edges of the column in a recipe: cuts of a tree, sides of boxes, edges of bins, groups and hierarchies."""
    if isinstance(spec, dict):
        if spec.get("from_data"):
            yield from (edge for level in spec["levels"] for edge in level)
        if spec.get("column") == "amount":
            yield from (spec[end] for end in ("at", "from") if spec.get(end) is not None)
        if name == "amount":
            yield from spec.get("edges", ())
        if isinstance(sides := spec.get("sides"), dict):
            spans = [side for side in sides["amount"] if isinstance(side, list) and "through" not in side]
            yield from (end for span in spans for end in span[:2] if end is not None)
        for key, content in spec.items():
            yield from recipe_edges(content, "amount" if "amount" in (key, name) else key)
    elif isinstance(spec, list):
        for content in spec:
            yield from recipe_edges(content, name)


def step_of(values: list[Any]) -> Fraction:
    grid = Grid.of(sorted(set(values)))
    return grid.factor * Fraction(10) ** grid.power


@pytest.fixture(params=variants(), ids=named)
def method(request: pytest.FixtureRequest) -> Method:
    return usable(request.param, schema())


@pytest.mark.parametrize("learnt", [False, True], ids=["no-hierarchy", "automatic"])
def test_every_learnt_edge_is_a_point_of_the_grid_of_the_published(method: Method, learnt: bool) -> None:
    for seed, kind in enumerate(KINDS[learnt::2]):
        frame = people(kind, seed)
        roles = schema(hierarchies=automatic(frame, ["amount"]) if learnt else {})
        for release in releases(frame, roles, method, [fv.KAnonymity(4, suppression=0.1)]):
            assert release.holds
            step = step_of(published_numbers(frame, release))
            edges = label_edges(release) | {Fraction(str(edge)) for edge in recipe_edges(release.recipe.to_dict())}
            assert [float(edge) for edge in edges if edge % step] == [], (kind, step)
            again = release.recipe.outcome(fv.Table.from_frame(frame), unknown="suppress")
            assert again.rows == frame.num_rows


def test_no_outlier_decides_on_the_grid(method: Method) -> None:
    """Somebody who is published may hold any number farther out: edges are on the grid of the others."""
    for far in (10**4, 10**7, 10**12, -(10**9)):
        amounts = numbers("integers", 5).to_pylist()
        amounts[int(np.argmax(amounts) if far > 0 else np.argmin(amounts))] = far
        frame = people("integers", 5).set_column(0, "amount", pa.array(amounts))
        for release in releases(frame, schema(), method, [fv.KAnonymity(4)])[:1]:
            assert step_of(published_numbers(frame, release)) == 50
            assert [edge for edge in label_edges(release) if edge % 50] == []


def test_an_edge_is_no_nearer_to_one_person_than_a_random_point_of_the_grid(method: Method) -> None:
    """Between two neighbours the edge is where any grid point could be: beside or on one person's value by chance."""
    observed, expected = np.zeros(3), np.zeros(3)
    for seed in range(3):
        frame = people("integers", seed, 300)
        for release in releases(frame, schema(), method, [fv.KAnonymity(4)])[:1]:
            values = published_numbers(frame, release)
            assert step_of(values) == 50
            persons, cells = Counter(values), Counter(value // 50 for value in values)
            occupied = sorted(cells)
            told = {i: tells(i, persons, cells) for i in range(occupied[0], occupied[-1] + 2)}
            for edge in label_edges(release):
                position = bisect_right(occupied, edge // 50 - 1)
                if 0 < position < len(occupied):
                    gap = range(occupied[position - 1] + 1, occupied[position] + 1)
                    observed += told[int(edge // 50)]
                    expected += np.mean([told[index] for index in gap], axis=0)
    assert (observed <= expected + 3 * np.sqrt(expected) + 1).all(), (observed, expected)


def tells(index: int, persons: Counter[int], cells: Counter[int]) -> list[bool]:
    """Whether a grid point is beside the cell of one person, on one person's value, next to one person's value."""
    at = index * 50
    return [1 in (cells[index - 1], cells[index]), persons[at] == 1, 1 in (persons[at - 1], persons[at + 1])]


@pytest.mark.parametrize("span", [60, 900, 3000, 9000, 30_000])
def test_intervals_of_dates_end_with_calendar_units(span: int) -> None:
    rng = np.random.default_rng(span)
    days = [date(1940, 3, 1) + timedelta(int(n)) for n in rng.integers(0, span, ROWS)]
    frame = people("ages", 1).set_column(0, "amount", pa.array(days))
    for method in (fv.MDAV(publish="interval"), fv.FairMDAV(publish="interval", leftovers="nearest")):
        [release, *_] = releases(frame, schema(), method, [fv.KAnonymity(4)])
        calendar = Calendar.of(sorted(set(published_numbers(frame, release))))
        labels = [label for label in release.table.column("amount").domain if label and label[0] in "[<≥"]
        ends = sorted({date.fromisoformat(end) for label in labels for end in re.findall(r"\d{4}-\d\d-\d\d", label)})
        assert ends and [calendar.short(i, i) for i in calendar.indices(ends).tolist()] == ends
        again = release.recipe.outcome(fv.Table.from_frame(frame), unknown="suppress")
        assert again.rows == frame.num_rows
