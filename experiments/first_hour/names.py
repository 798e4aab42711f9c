"""Roles by name alone: about 2,400 names of columns in names.txt, with the roles that an expert accepts and values that
they may have. Each file is drawn at random, and what is suggested for its columns is compared with the roles there.

>>> entry("Gm d BIRTHDATE")
Entry(name='BIRTHDATE', wanted='quasi, may be protected', values='d')
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import fairveil as fv
from experiments.first_hour.expert import accepts
from experiments.first_hour.extracts import LISTS, described, draw

NAMES = Path(__file__).with_name("names.txt")
ROWS = 600
ROLES = {"X": "left out", "Q": "quasi", "S": "sensitive", "P": "plain", "D": "decision", "G": "quasi",
         "B": "sensitive or quasi"}  # fmt: skip
DRAWN = {
    "b": "int 0 1", "yn": "pick Yes, No*2", "y": "int 1940 2004", "a": "int 18 90", "s": "serial 1001",
    "d": "date 2018-01-01 2022-12-31", "D": "date 2018-01-01 2022-12-31 %Y-%m-%d 10:%d:00", "c": "code @@####@",
    "c7": "code 1######", "c16": "code 4###############", "t": "words 9", "k": "skewed 20000 0.8 0",
    "$": "skewed 120 0.8 2", "z": "code 1####", "lat": "normal 45 1 5", "tel": "code 555-###-####",
    "ip": "code 1##.2#.1#.#", "u": "code ~~~~~~~~-~~~~-~~~~-~~~~-~~~~~~~~~~~~", "h": "code 1#:3#",
    "icd": "pick I10*5, E11.9*4, J45.0, M54.5*2, F32.1, K21.0, N39.0",
    "p": "pick Dover*3, Leeds*5, Bonn, Springfield*2, Lakewood, Milton, Salem*2",
}  # fmt: skip
"""Values by their sign, as extracts.py draws them."""


@dataclass(frozen=True)
class Entry:
    """A name, the roles that are acceptable in the words of roles.toml, and the sign of its values."""

    name: str
    wanted: str
    values: str


def entry(text: str) -> Entry:
    """An entry of names.txt."""
    roles, values, name = text.split(" ", 2)
    main = " or ".join(dict.fromkeys(ROLES[role] for role in roles if role != "m"))
    ground = ", may be protected" if "m" in roles else ", protected" if {*roles} & {"G", "B"} else ""
    return Entry(name, main + ground, values)


def listed(path: Path = NAMES) -> Iterator[tuple[str, list[Entry]]]:
    """The files of names.txt and their columns."""
    for part in re.split(r"^\[", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("]\n")
        yield head, [entry(text.strip()) for text in body.replace("\n", " ").split(";") if text.strip()]


def values_of(sign: str, rng: np.random.Generator, rows: int = ROWS) -> np.ndarray:
    """Values that a column of this sign may have."""
    if sign == "n":
        first, last = (rng.choice(LISTS[name], rows) for name in ("first_names", "surnames"))
        return np.array([f"{one} {other}" for one, other in zip(first, last, strict=True)], dtype=object)
    if sign == "e":
        return np.array([f"{local}@example.org" for local in draw("code @@@@@@", rows, rng, {})], dtype=object)
    if sign.startswith("w:"):
        labels = [label.replace("_", " ") for label in sign[2:].split("/")]
        weights = 1 / np.arange(1, len(labels) + 1)
        return rng.choice(np.array(labels, dtype=object), rows, p=weights / weights.sum())
    if match := re.fullmatch(r"i(\d+)", sign):
        high = int(match[1])
        low = 1 if 3 <= high <= 7 else 0
        return draw(f"int {low} {high}" if high < 90 else f"normal {high / 2} {high / 7}", rows, rng, {})
    if match := re.fullmatch(r"f:(-?[\d.]+)", sign):
        return draw(f"normal {match[1]} {abs(float(match[1])) / 4 + 0.3} 2", rows, rng, {})
    if match := re.fullmatch(r"W(\d+)", sign):
        return draw(f"skewed {match[1]} 0.6 4", rows, rng, {})
    return draw(DRAWN[sign], rows, rng, {})


def unacceptable_names(seed: int = 1) -> tuple[int, list[str]]:
    """How many columns names.txt has, and the roles that an expert would change."""
    described()  # reads the lists
    columns, changes = 0, []
    for head, entries in listed():
        rng = np.random.default_rng(seed)
        drawn = pd.DataFrame({one.name: values_of(one.values, rng) for one in entries})
        profile = fv.profile(drawn, pairs=False, progress=False)
        for one in entries:
            roles = profile.column(one.name).roles
            columns += 1
            if not accepts(one.wanted, {*roles}):
                changes.append(f"{head}: {one.name} is {' and '.join(roles)}, not {one.wanted}")
    return columns, changes
