"""Extracts as offices keep them, drawn at random from extracts.toml: one line per column with its name, the roles that
an expert accepts, and how its values are drawn. Nobody in them exists.

>>> [round(float(value), 1) for value in draw("normal 50 10 1", 2, np.random.default_rng(1), {})]
[53.5, 58.2]

How values are drawn:
    serial 100                 100, 101, 102 …
    code A-##@~                a code of each row: # a digit, @ a letter, ~ a hexadecimal digit
    int 1 6                    integers of equal chance
    normal 50 10 1             normally distributed, with 1 decimal; skewed 100 0.8 2: of this median, long to the right
    pick a*3, b                one of the labels, the first three times as often
    list surnames              one of the list of this name
    date 2020-01-01 2021-12-31 %d.%m.%Y
    words 8                    so many words of a remark
    of city: Bonn=West         the label that belongs to the value of another column
    times height 0.01 0.1 2    a factor times another column, with noise, rounded
    plus birth 18 5 0          another column and so much, with noise, rounded
`each` before it draws once for each person, `some 0.3` leaves that share of the values empty.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from experiments.first_hour.expert import escaped

EXTRACTS = Path(__file__).with_name("extracts.toml")
LETTERS, HEX = "ABCDEFGHJKLMNPRSTUVWXYZ", "0123456789abcdef"


def described(path: Path = EXTRACTS) -> dict[str, Any]:
    """The extracts by name: their rows, rows of each person, and lines of columns."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    LISTS.update({name: words.split(", ") for name, words in content.pop("lists").items()})
    return content


LISTS: dict[str, list[str]] = {}


def columns_of(extract: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Name, acceptable roles and drawing of each column."""
    lines = [line.split(" | ") for line in extract["columns"].strip().splitlines()]
    return [(name.strip(), roles.strip(), drawing.strip()) for name, roles, drawing in lines]


def expected_of(extract: Mapping[str, Any]) -> dict[str, list[str]]:
    """Columns by acceptable roles, as in roles.toml."""
    wanted: dict[str, list[str]] = {}
    for name, roles, _ in columns_of(extract):
        wanted.setdefault(roles, []).append(escaped(name))
    return wanted


def written(extract: Mapping[str, Any], seed: int = 1) -> pd.DataFrame:
    """The extract as a frame of texts."""
    rng = np.random.default_rng(seed)
    rows, (fewest, most) = extract["rows"], extract.get("each", (1, 1))
    person = np.repeat(np.arange(rows), rng.integers(fewest, most + 1, rows))[:rows]
    drawn: dict[str, np.ndarray] = {}
    for name, _, drawing in columns_of(extract):
        once, drawing = drawing.startswith("each "), drawing.removeprefix("each ")
        share = 0.0
        if drawing.startswith("some "):
            _, number, drawing = drawing.split(" ", 2)
            share = float(number)
        values = draw(drawing, rows, rng, drawn)
        values = values[person] if once else values
        values[rng.random(rows) < share] = None
        drawn[name] = values
    return pd.DataFrame(drawn)


def draw(drawing: str, rows: int, rng: np.random.Generator, drawn: Mapping[str, np.ndarray]) -> np.ndarray:
    """The values of a column, given those of the columns before it."""
    how, _, rest = drawing.partition(" ")
    words = rest.split()
    if how == "serial":
        return np.arange(int(words[0]), int(words[0]) + rows).astype(object)
    if how == "code":
        signs = {"#": "0123456789", "@": LETTERS, "~": HEX}
        parts = [rng.choice(list(signs.get(sign, sign)), rows) for sign in rest]
        return np.array(["".join(letters) for letters in zip(*parts, strict=True)], dtype=object)
    if how == "int":
        return rng.integers(int(words[0]), int(words[1]) + 1, rows).astype(object)
    if how in ("normal", "skewed"):
        middle, spread = float(words[0]), float(words[1])
        numbers = rng.normal(middle, spread, rows) if how == "normal" else middle * np.exp(rng.normal(0, spread, rows))
        return _rounded(numbers, words[2:])
    if how == "pick":
        labels, weights = _weighted(rest)
        return rng.choice(np.array(labels, dtype=object), rows, p=weights)
    if how == "list":
        return rng.choice(np.array(LISTS[rest], dtype=object), rows)
    if how == "date":
        first, last = map(date.fromisoformat, words[:2])
        form = " ".join(words[2:]) or "%Y-%m-%d"
        days = rng.integers(0, (last - first).days + 1, rows)
        return np.array([f"{first + timedelta(int(day)):{form}}" for day in days], dtype=object)
    if how == "words":
        return np.array([" ".join(rng.choice(LISTS["remarks"], int(words[0]))) for _ in range(rows)], dtype=object)
    if how == "of":
        name, _, pairs = rest.partition(": ")
        belonging = dict(pair.split("=") for pair in pairs.split(", "))
        return np.array([belonging[str(value)] for value in drawn[name]], dtype=object)
    factor, noise = float(words[1]), float(words[2])
    numbers = np.array([np.nan if value is None else float(value) for value in drawn[words[0]]])
    return _rounded(numbers * factor if how == "times" else numbers + factor, words[3:], rng.normal(0, noise, rows))


def _rounded(numbers: np.ndarray, decimals: Sequence[str], noise: Any = 0.0) -> np.ndarray:
    places = int(decimals[0]) if decimals else 0
    rounded = [round(float(number), places) for number in numbers + noise]
    return np.array([int(number) if places == 0 else number for number in rounded], dtype=object)


def _weighted(rest: str) -> tuple[list[str], np.ndarray]:
    pairs = [label.partition("*") for label in rest.split(", ")]
    weights = np.array([float(weight or 1) for _, _, weight in pairs])
    return [label for label, _, _ in pairs], weights / weights.sum()
