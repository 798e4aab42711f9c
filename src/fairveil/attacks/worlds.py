"""Worlds: the ways to assign the published sensitive values of each class to its people.

>>> secret, members = np.array([0, 0, 1]), np.array([0, 0, 0])
>>> [world.tolist() for world in all_worlds(secret, members)]
[[0, 0, 1], [0, 1, 0], [1, 0, 0]]

`secret` is the true value of every person, `members` the class that they are in.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from math import factorial, prod

import numpy as np


def arrangements(values: np.ndarray) -> int:
    """The number of ways to assign these values to as many people."""
    counts = np.unique(values, return_counts=True)[1]
    return factorial(len(values)) // prod(factorial(int(count)) for count in counts)


def all_worlds(secret: np.ndarray, members: np.ndarray) -> Iterator[np.ndarray]:
    """Every assignment of values to people that leaves each class with its own values."""
    places = [np.flatnonzero(members == c) for c in range(int(members.max()) + 1)]
    choices = [_arranged(tuple(sorted(secret[place].tolist()))) for place in places]
    for chosen in product(*choices):
        world = np.empty_like(secret)
        for place, values in zip(places, chosen, strict=True):
            world[place] = values
        yield world


def _arranged(values: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All different orders of some values, in ascending order."""
    if len(set(values)) == len(values):
        return list(permutations(values))
    orders = []
    for i, first in enumerate(values):
        if i == 0 or first != values[i - 1]:
            orders += [(first, *rest) for rest in _arranged(values[:i] + values[i + 1 :])]
    return orders


def sampled_worlds(secret: np.ndarray, members: np.ndarray, worlds: int, seed: int) -> Iterator[np.ndarray]:
    """A sample of these assignments, each equally likely."""
    rng = np.random.default_rng(seed)
    by_class = np.argsort(members, kind="stable")
    for _ in range(worlds):
        world = np.empty_like(secret)
        world[np.lexsort((rng.random(len(secret)), members))] = secret[by_class]
        yield world
