"""Values that everybody has in some record, where people have several: a first visit, a time of zero, a state in which
all begin. No class can hide who has one, as everybody has it, so ℓ-diversity, which counts one value of each person,
cannot hold. Who has others can still be hidden: t-closeness bounds how far their shares in a class are above or below
those of all.

>>> visits, people = np.array([0, 1, 0, 0, 2]), np.array([0, 0, 1, 2, 2])
>>> fewest_values_of(visits, people), closeness_of(visits, people)
(1, 0.6)
"""

from __future__ import annotations

import numpy as np

from fairveil.counting.cells import Classes
from fairveil.guards.diversity import fewest_values

MAX_DIVERSITY = 3
"""The largest ℓ that first plans ask for."""
FEW_LABELS = 12
"""Up to this number of values, those that everybody has are bounded by t-closeness."""
INDEX = 0.9
"""From this share of the people who have a second value, too, a column numbers the records of each, as visits do; if
as many have each value, it says what was tried on everybody, as the items of a test do."""
LEAST = 0.1
"""The smallest t that classes of a few people can keep."""


def fewest_values_of(codes: np.ndarray, people: np.ndarray) -> int:
    """The fewest values of a column of which everybody has one: the largest ℓ that any release can keep."""
    people = np.unique(people, return_inverse=True)[1]
    sizes = {"person": int(people.max(initial=0)) + 1, "column": int(codes.max(initial=0)) + 1}
    one, rows = np.ones(len(codes), dtype=np.int64), np.array([len(codes)])
    classes = Classes(
        np.zeros(len(codes), dtype=np.int64), one, rows, {"person": people, "column": codes.astype(np.int64)}, sizes, {}
    )
    return int(fewest_values(classes, "column", False, "person", MAX_DIVERSITY + 1)[0])


def shares_of(codes: np.ndarray, people: np.ndarray) -> np.ndarray:
    """The shares of persons with each value, the largest first."""
    pairs = np.unique(np.stack([codes, people]), axis=1)
    return np.sort(np.bincount(pairs[0]))[::-1] / len(np.unique(people))


def numbers_records(codes: np.ndarray, people: np.ndarray) -> bool:
    """Whether nearly everybody has two values: the first and the second visit."""
    shares = shares_of(codes, people)
    return bool(len(shares) > 1 and shares[1] >= INDEX)


def closeness_of(codes: np.ndarray, people: np.ndarray) -> float:
    """The t that leaves no class in which nobody has another value, and none in which everybody has the same other one;
    0 if few have one, or values are many."""
    shares = shares_of(codes, people)
    if not 1 < len(shares) <= FEW_LABELS:
        return 0.0
    t = round(0.9 * min(float(shares[1:].sum()), 1 - float(shares[1])), 2)
    return t if t >= LEAST else 0.0
