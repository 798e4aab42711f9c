"""Which share of a population is unique, estimated from a sample of it.

Zayatz  (1991) the chance that somebody unique in the sample is so in the population, if its classes have the sizes of
        the sample's, by hypergeometric sampling
Pitman  (Hoshino 2001) Ewens-Pitman partitions with θ and α of maximum likelihood: Γ(θ+1)/Γ(θ+α)·N^(α-1)
SNB     (Chen and McNulty 1998) class sizes 1 + a negative binomial number with α and β, of which uniques and pairs of
        the sample are expected, in K classes (Shlosser's estimate): K·β^α/N

Dankar et al. (2012) compared them: Pitman is best where at most a tenth was sampled, else the smaller of Zayatz and
SNB. An estimator without a solution for a table is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp, isfinite, lgamma, log, nan
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.population_sizes import (
    by_register,
    groups_of_people,
    is_declared,
    population_columns,
    population_sizes,
    sampling_fraction,
)
from fairveil.display import Displayable
from fairveil.measures.measure import Measure
from fairveil.measures.population_risk import POPULATION

if TYPE_CHECKING:
    from fairveil.counting.cells import Classes
    from fairveil.data.schema import Schema

FEW = 0.1
"""Up to this sampling fraction, Dankar's rule takes Pitman's estimate."""
Equations = Callable[[np.ndarray], list[float]]
TITLES = {"zayatz": "Zayatz", "pitman": "Pitman", "snb": "SNB", "register": "the register"}


@dataclass(frozen=True, repr=False)
class Uniqueness(Displayable):
    """The share of the population that is unique, the estimator that was chosen, and what each one estimates."""

    share: float
    estimator: str
    estimates: Mapping[str, float]

    def _headline(self) -> str:
        return f"{self.share:.2%} of the population are unique (by {TITLES.get(self.estimator, 'no estimator')})"


def uniqueness_of(sizes: np.ndarray, fraction: float) -> Uniqueness:
    """The share of a population that is unique, from the class `sizes` of a sample of this `fraction`.

    >>> uniqueness_of(np.array([1, 1, 1, 2, 3]), 1.0).share
    0.375
    """
    size, classes = np.unique(np.asarray(sizes)[np.asarray(sizes) > 0], return_counts=True)
    if not len(size) or size[0] > 1:
        return Uniqueness(0.0, "zayatz", {"zayatz": 0.0})
    estimates = {
        name: min(max(value, 0.0), 1.0)
        for name, estimate in (("zayatz", zayatz), ("pitman", pitman), ("snb", snb))
        if isfinite(value := estimate(size, classes, fraction))
    }
    preferred = ["pitman"] if fraction <= FEW and "pitman" in estimates else ["zayatz", "snb"]
    estimator = min((name for name in preferred if name in estimates), key=lambda name: estimates[name])
    return Uniqueness(estimates[estimator], estimator, estimates)


def zayatz(size: np.ndarray, classes: np.ndarray, fraction: float) -> float:
    """Zayatz's estimate from the number of `classes` of each `size`."""
    n = int((size * classes).sum())
    population = max(round(n / fraction), n)
    once = np.array([_one_sampled(population, int(members), n) for members in size])
    return float(classes[0] * (classes[0] * once[0]) / (classes * once).sum() / n)


def _one_sampled(population: int, members: int, n: int) -> float:
    """The chance that exactly one of a class's members is in a sample of n (hypergeometric)."""
    others = n - 1, population - members - (n - 1)
    if others[1] < 0:
        return 0.0

    def choose(of: int, number: int) -> float:
        return lgamma(of + 1) - lgamma(number + 1) - lgamma(of - number + 1)

    return exp(log(members) + choose(population - members, n - 1) - choose(population, n))


def pitman(size: np.ndarray, classes: np.ndarray, fraction: float) -> float:
    """Pitman's estimate; NaN if the likelihood has no maximum inside the model."""
    theta, alpha = pitman_parameters(size, classes)
    population = float((size * classes).sum()) / fraction
    return exp(lgamma(theta + 1) - lgamma(theta + alpha) + (alpha - 1) * log(population)) if isfinite(theta) else nan


def pitman_parameters(size: np.ndarray, classes: np.ndarray) -> tuple[float, float]:
    """θ and α of maximum likelihood; NaN if there are none with 0 < α < 1 and θ > 0."""
    from scipy.special import digamma

    n, u = float((size * classes).sum()), float(classes.sum())

    def slopes(at: np.ndarray) -> list[float]:
        theta, alpha = float(np.exp(at[0])), float(_share(at[1]))
        first, last = digamma(theta / alpha + 1), digamma(theta / alpha + u)
        inverse = (last - first) / alpha  # Σ 1/(θ + iα) for i < u
        return [
            theta * (inverse - digamma(n + theta) + digamma(theta + 1)) / u,
            ((u - 1 - theta * inverse) / alpha - (classes * (digamma(size - alpha) - digamma(1 - alpha))).sum()) / u,
        ]

    solution = _solved(slopes, [(log(n / 10 + 1), 1.0), (log(n / 10 + 1), -1.0), (0.0, 0.0), (log(n + 1), 0.0)])
    return (nan, nan) if solution is None else (float(np.exp(solution[0])), float(_share(solution[1])))


def snb(size: np.ndarray, classes: np.ndarray, fraction: float) -> float:
    """The slide negative binomial estimate; NaN if no parameters give the uniques and pairs of the sample."""
    ones, twos = (float(classes[size == members].sum()) for members in (1, 2))
    if fraction >= 1 or not twos:
        return nan
    pi, rest = fraction, (1 - fraction) ** size
    shlosser = (size * pi**2 * (1 - pi**2) ** (size - 1) * classes).sum() / (
        rest * ((1 + pi) ** size - 1) * classes
    ).sum()
    absent = (rest * classes).sum() / (size * pi * (1 - pi) ** (size - 1) * classes).sum()
    groups = float(classes.sum() + ones * shlosser * absent**2)

    def excess(at: np.ndarray) -> list[float]:
        alpha, beta = float(np.exp(at[0])), float(_share(at[1]))
        unseen = (1 - pi) * (1 - beta)
        seen = 1 - unseen
        once = groups * pi * (beta / seen) ** alpha * (alpha * unseen / seen + 1)
        twice = groups * alpha * beta**alpha * pi**2 * (1 - beta) / (2 * seen ** (alpha + 2))
        return [once / ones - 1, twice * (2 - (1 - alpha) * unseen) / twos - 1]

    solution = _solved(excess, [(0.0, 0.0), (-1.0, -1.0), (1.0, 1.0), (-2.0, -3.0), (1.0, -3.0)])
    if solution is None:
        return nan
    alpha, beta = float(np.exp(solution[0])), float(_share(solution[1]))
    return float(groups * beta**alpha * pi / (size * classes).sum())


def _share(number: float) -> float:
    """A number between 0 and 1 for any number."""
    return float(1 / (1 + np.exp(-number)))


def _solved(equations: Equations, starts: list[tuple[float, float]]) -> np.ndarray | None:
    """The first root that is found from these starts."""
    from scipy.optimize import root

    def safe(at: np.ndarray) -> list[float]:
        try:
            return equations(at)
        except ArithmeticError:  # far from any solution
            return [nan, nan]

    for start in starts:
        with np.errstate(all="ignore"):
            answer = root(safe, start, tol=1e-13)
        if np.isfinite(answer.x).all() and np.abs(answer.fun).max() < 1e-9 and np.abs(answer.x).max() < 50:
            solution: np.ndarray = answer.x
            return solution
    return None


def population_uniqueness(classes: Classes, schema: Schema) -> Uniqueness:
    """The uniqueness of the population of these classes; with a register, the share of the published records whose
    class has nobody else in the population, counted."""
    classes = groups_of_people(classes, schema)
    if by_register(schema):
        alone = float((population_sizes(classes, schema) == 1).sum() / max(classes.rows.sum(), 1))
        return Uniqueness(alone, "register", {"register": alone})
    return uniqueness_of(classes.rows, sampling_fraction(classes, schema))


def _share_of_uniques(classes: Classes, schema: Schema) -> float:
    return population_uniqueness(classes, schema).share if is_declared(schema) and len(classes) else nan


MEASURES = (
    Measure("population-uniqueness", "risk", "lower", (0, 1),
            "share of the population that is unique, by Dankar's rule: Pitman's estimate if at most a tenth was "
            "sampled, else the smaller of Zayatz's and SNB's",
            needs=POPULATION, of_classes=_share_of_uniques, columns=population_columns),
)  # fmt: skip
