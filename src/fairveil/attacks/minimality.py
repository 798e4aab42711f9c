"""The minimality attack (Wong et al. 2007) on full-domain releases, with and without publisher preferences.

The attacker knows everybody's quasi values, the published table, the guards, and that the publisher took the *best*
generalization that keeps them. A *world* assigns the published sensitive values to the people of each class. The
attacker rules out every world in which a better generalization would have kept the guards, since that one would then
have been published. The worlds that are left can give away more than the guards promise. Beliefs are about known
values: that somebody's is missing is nobody's secret, unless a guard counts it as a value. Dewri et al. (section 5)
expect preferences to hinder this, because the attacker does not know what "best" meant, and leave the question open.
Here it is measured.

Without preferences "best" is the least NWP. With them it is the least achievement value: for aspirations that the
attacker also knows, or for unknown ones; then every point of a grid is taken to be equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import chain, product
from math import factorial, log2, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil import measures
from fairveil.attacks.attack import Finding, Level, attempt, percent
from fairveil.counting.cells import Cells, Classes
from fairveil.counting.spellings import spellings
from fairveil.counting.tuples import group_of
from fairveil.engines import source_of
from fairveil.errors import BadInput, Infeasible
from fairveil.guards import Guard, guarded_columns
from fairveil.messages import counted, option
from fairveil.shapes import integer

if TYPE_CHECKING:
    from fairveil.attacks.scene import Scene
    from fairveil.choice.achievement import Aspirations
    from fairveil.counting.lattice import Node
    from fairveil.data.dialect import Missing
    from fairveil.data.schema import Schema
    from fairveil.data.table import Column
    from fairveil.methods.task import Task
    from fairveil.progress import Report

ENUMERATED = 20_000  # the maximum number of worlds to enumerate; of more, a sample is taken
GRID = 10  # values per objective in the grid of aspirations that an attacker who does not know them considers
TRIED = 5_000  # the maximum number of rows for `fv.attack`: the time per world grows with them
WORLDS = 200  # the number of worlds that `fv.attack` samples if there are too many to enumerate
TELLS, MUCH = 0.01, 0.1
"""What minimality adds to the belief in true values counts from TELLS on, and is a danger from MUCH on."""


@dataclass(frozen=True)
class Minimality:
    """What the attack finds out. Beliefs are shares from 0 to 1, averaged over people unless stated otherwise."""

    levels: dict[str, int]
    worlds: int
    exact: bool  # all worlds were enumerated, not sampled; in a sample with few worlds left, beliefs are rough
    bits: float  # what minimality gives away about who has which sensitive value
    ruled_out: float  # share of the worlds that cannot have led to this release
    truth_before: float  # belief in a person's true value from the release alone: its share in the class
    truth_after: float  # the same when worlds are ruled out
    highest_before: float  # the strongest belief in any value of any person
    highest_after: float  # the same when worlds are ruled out


def minimality(
    table: Any,
    schema: Schema,
    *,
    guards: Sequence[Guard],
    aspirations: Mapping[str, float] | None = None,
    known: bool = True,
    worlds: int = 1000,
    missing: Missing = "category",
    seed: int = 0,
    progress: Report | None = None,
) -> Minimality:
    """Attack the best full-domain release: the least NWP, or the best for `aspirations`, `known` or not."""
    from fairveil.choice.achievement import Aspirations
    from fairveil.methods.lattice_nodes import keep_guards, why_infeasible
    from fairveil.methods.task import Task

    task = Task.of(source_of(table, missing=missing), schema, guards, seed, progress)
    if why := _not_for(task.guards, schema):
        raise BadInput(why)
    if task.budget:
        raise BadInput("the minimality attack is for releases without suppression: leave it at 0")
    integer(1)(worlds, option("worlds"))
    nodes = task.lattice.anonymous(task.k)
    holds = keep_guards(task, nodes)
    if not holds.any():
        raise Infeasible(why_infeasible(task))
    wish = Aspirations({"nwp": 1.0} if aspirations is None else aspirations)
    ranks = _ranks(task, nodes, wish)
    published = int(np.flatnonzero(holds)[np.argmin(ranks[holds])])
    suspected = [ranks] if aspirations is None or known else [_ranks(task, nodes, guess) for guess in _grid(wish)]
    # under each suspected wish, the nodes that would have been preferred to the one published
    rivals = [_most_general(nodes[order < order[published]], task) for order in suspected]
    return _believe(task, nodes[published], rivals, worlds)


def _not_for(guards: Sequence[Guard], schema: Schema) -> str:
    """Why the attack does not apply to these guards; empty if it does."""
    if not any(guard.columns(schema) for guard in guards):
        return "the minimality attack needs a guard on a sensitive column, such as ℓ-diversity"
    if schema.person is not None:
        return "the minimality attack is for records, and persons were counted"
    looking = [guard.kind for guard in guards if guard.published]
    if looking:
        return f"the minimality attack is for guards of sensitive columns, and {looking[0]} uses others"
    return ""


def _ranks(task: Task, nodes: np.ndarray, wish: Aspirations) -> np.ndarray:
    """The rank of each node in the publisher's order: least ach, then largest k, then least deviation, then first."""
    from fairveil.choice.achievement import TIE
    from fairveil.counting.summary import summarize_nodes

    needs = {need for name in wish.names for need in measures.get(name).needs}
    summary = summarize_nodes(task.lattice, task.schema, nodes, 1, "full" in needs)
    points = np.column_stack([measures.get(name).of(summary) for name in wish.names])
    reached = (wish.achievement(points) / TIE).round() * TIE
    order = np.lexsort((wish.deviation(points).round(12), -summary.smallest, reached))
    ranks = np.empty(len(nodes), dtype=np.int64)
    ranks[order] = np.arange(len(nodes))
    return ranks


def _grid(wish: Aspirations) -> Iterator[Aspirations]:
    """Preference points evenly over the range of each objective."""
    from fairveil.choice.achievement import Aspirations

    ends = [measures.get(name).range for name in wish.names]
    for name, limits in zip(wish.names, ends, strict=True):
        if not np.isfinite(limits).all():
            raise BadInput(f"an attacker cannot guess aspirations for {name!r}, whose range is infinite")
    steps = (np.arange(GRID) + 0.5) / GRID
    for shares in product(steps, repeat=len(ends)):
        levels = [low + share * (high - low) for share, (low, high) in zip(shares, ends, strict=True)]
        yield Aspirations(dict(zip(wish.names, map(float, levels), strict=True)))


def _most_general(nodes: np.ndarray, task: Task) -> list[Node]:
    """Enough of these nodes to find out whether one keeps the guards: with monotone guards the most general ones."""
    every = [tuple(map(int, node)) for node in nodes]
    if not all(guard.monotone for guard in task.guards):
        return every
    return [
        node
        for i, node in enumerate(every)
        if not ((nodes >= nodes[i]).all(axis=1) & (nodes > nodes[i]).any(axis=1)).any()
    ]


def _believe(task: Task, node: np.ndarray, rivals: Sequence[Sequence[Node]], worlds: int) -> Minimality:
    """Go through worlds, weigh each by the share of suspected wishes under which it leads to the release."""
    table, columns = task.source_table, guarded_columns(task.guards, task.schema)
    counted_missing = {name for guard in task.guards for name in guard.counts_missing(task.schema)}
    spelt = {name: _one_spelling(table.column(name), name in counted_missing) for name in columns}
    secret, values = group_of(
        [(codes, len(table.column(name).values)) for name, (codes, _) in spelt.items()], table.rows
    )
    person, people = group_of([(table.column(n).codes, len(table.column(n).values)) for n in task.levels], table.rows)
    known_rows = np.any([known for _, known in spelt.values()], axis=0)  # rows with any sensitive value at all
    known_rows |= not known_rows.any()
    valued = np.zeros(values, dtype=bool)
    valued[secret[known_rows]] = True
    _, cell_of_row = Cells.numbered(table, list(task.cells.codes))
    members = task.lattice.classes(node).ids[cell_of_row]
    total = prod(arrangements(secret[members == c]) for c in range(int(members.max()) + 1))
    exact = total <= ENUMERATED
    every = all_worlds(secret, members) if exact else sampled_worlds(secret, members, worlds, task.seed)
    likelihood = _likelihood(task, columns, secret, rivals, cell_of_row)
    before, after, likelihoods = np.zeros((people, values)), np.zeros((people, values)), []
    for number, world in enumerate(every):
        if number % 50 == 0:
            task.report(number / (total if exact else worlds), "ruling out worlds")
        likelihoods.append(likelihood(world))
        np.add.at(before, (person, world), 1.0)
        if likelihoods[-1]:
            np.add.at(after, (person, world), likelihoods[-1])
    weights = np.array(likelihoods)
    survived = weights.sum() > 0
    prior = before / before.sum(axis=1, keepdims=True)
    posterior = after / after.sum(axis=1, keepdims=True) if survived else np.full_like(prior, np.nan)
    share = weights[weights > 0] / weights.sum() if survived else np.array([1 / len(weights)])
    bits = float((share * np.log2(share * len(weights))).sum()) if survived else log2(len(weights))
    return Minimality(
        levels=dict(zip(task.levels, map(int, node), strict=True)),
        worlds=len(weights),
        exact=exact,
        bits=max(bits, 0.0),
        ruled_out=float((weights == 0).mean()),
        truth_before=float(prior[person, secret][known_rows].mean()),
        truth_after=float(posterior[person, secret][known_rows].mean()),
        highest_before=float(prior[:, valued].max()),
        highest_after=float(posterior[:, valued].max()),
    )


def _one_spelling(column: Column, missing_counts: bool) -> tuple[np.ndarray, np.ndarray]:
    """The codes of a sensitive column's rows, one for all spellings of a value and one for missing ones, and which rows
    have a value."""
    same = None if missing_counts else spellings(column.values)
    if same is None:
        return column.codes, np.ones(len(column.codes), dtype=bool)
    return np.where(same < 0, np.argmax(same < 0), same)[column.codes], same[column.codes] >= 0


def _likelihood(
    task: Task, columns: Sequence[str], secret: np.ndarray, rivals: Sequence[Sequence[Node]], cell_of_row: np.ndarray
) -> Callable[[np.ndarray], float]:
    """A function of worlds: the share of suspected wishes under which one leads to the release, because no rival keeps
    the guards. The classes of each rival are computed once, for all worlds."""
    ids = {node: task.lattice.classes(node).ids[cell_of_row] for preferred in rivals for node in preferred}
    first = np.zeros(int(secret.max()) + 1, dtype=np.int64)
    first[secret] = np.arange(len(secret))
    codes_of_secret = {name: task.source_table.column(name).codes[first].astype(np.int64) for name in columns}
    ones, cells = np.ones(len(secret), dtype=np.int64), task.cells

    def likelihood(world: np.ndarray) -> float:
        codes = {name: of_secret[world] for name, of_secret in codes_of_secret.items()}

        @cache
        def keeps(node: Node) -> bool:
            rows = np.bincount(ids[node])
            classes = Classes(ids[node], ones, rows, codes, cells.sizes, cells.levels, cells.labels, cells.spelt)
            return all(guard.verdict(classes, task.schema) for guard in task.other_guards)

        return sum(not any(map(keeps, preferred)) for preferred in rivals) / len(rivals)

    return likelihood


def arrangements(values: np.ndarray) -> int:
    """The number of ways to assign these values to as many people."""
    counts = np.unique(values, return_counts=True)[1]
    return factorial(len(values)) // prod(factorial(int(count)) for count in counts)


def all_worlds(secret: np.ndarray, members: np.ndarray) -> Iterator[np.ndarray]:
    """Every assignment of values to people that leaves each class with its own values.

    >>> secret, members = np.array([0, 0, 1]), np.array([0, 0, 0])
    >>> [world.tolist() for world in all_worlds(secret, members)]
    [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    """
    people = np.argsort(members, kind="stable")
    choices = [_arranged(tuple(sorted(secret[members == c].tolist()))) for c in range(int(members.max()) + 1)]
    for chosen in product(*choices):
        world = np.empty_like(secret)
        world[people] = list(chain.from_iterable(chosen))
        yield world


def _arranged(values: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All different orders of sorted values, in ascending order."""
    return [
        (first, *rest)
        for i, first in enumerate(values)
        if i == 0 or first != values[i - 1]
        for rest in _arranged(values[:i] + values[i + 1 :])
    ] or [()]


def sampled_worlds(secret: np.ndarray, members: np.ndarray, worlds: int, seed: int) -> Iterator[np.ndarray]:
    """A sample of these assignments, each equally likely."""
    rng = np.random.default_rng(seed)
    by_class = np.argsort(members, kind="stable")
    for _ in range(worlds):
        world = np.empty_like(secret)
        world[np.lexsort((rng.random(len(secret)), members))] = secret[by_class]
        yield world


def unfit(scene: Scene) -> str:
    """Why this release cannot be attacked in this way; empty if it can."""
    original = scene.original
    assert original is not None
    recipe, schema, guards = scene.published.recipe, scene.published.schema, scene.published.guards
    if not recipe.minimizes or any(recipe.level_of(name) is None for name in schema.quasi):
        return "it is for full-domain releases"
    if why := _not_for(guards, schema):
        return why
    if any(guard.budget(original.rows) for guard in guards):
        return "it is for releases without suppression"
    if not original.rows == scene.published.table.rows == int(scene.members.sum()):
        return "it needs an original with exactly the people who are published"
    if original.rows > TRIED:
        return f"it takes long on more than {TRIED:,} rows to draw as many tables as it needs"
    return ""


@attempt("table", "rows", "sensitive", "original", "recoded", name="minimality", unfit=unfit)
def minimality_of(scene: Scene) -> Iterable[Finding]:
    """Ruling out sensitive values with which a release of less loss would have kept the guards."""
    schema, original = replace(scene.published.schema, identifier=(), drop=(), pseudonyms=()), scene.original
    assert original is not None
    table = original.select([name for name in original.names if name in schema.columns])
    result = minimality(table, schema, guards=scene.published.guards, worlds=WORLDS, seed=scene.seed)
    minimal = result.levels == {name: scene.published.recipe.level_of(name) for name in scene.published.schema.quasi}
    certain = result.exact and result.highest_before < 1 - 1e-9 <= result.highest_after
    gain = result.truth_after - result.truth_before
    level: Level = "ok"
    if minimal:
        level = "danger" if certain or gain > MUCH else "warn" if gain > TELLS or np.isnan(gain) else "ok"
    after = (result.highest_after, result.truth_after) if minimal else (result.highest_before, result.truth_before)
    affected = round(max(gain, 0.0) * table.rows) if minimal and np.isfinite(gain) else 0
    yield Finding(
        "minimality", level, _verdict(result, minimal, certain), *after, result.truth_before,
        "believing the shares in a class", affected, table.rows,
        details={**asdict(result), "minimal": minimal},
    )  # fmt: skip


def _verdict(result: Minimality, minimal: bool, certain: bool) -> str:
    if not minimal:
        return "an attacker who assumes that this is the release of least loss (nwp) is wrong, and learns nothing"
    verdict = (
        f"knowing that nothing of less loss (nwp) kept the guards rules out {percent(result.ruled_out)} of the "
        "possibilities"
    )
    if np.isnan(result.truth_after):
        return f"{verdict} in a sample of {counted(result.worlds, 'case')}, too few to say whose values that gives away"
    verdict += (
        f": the attacker's belief in people's true values is {percent(result.truth_after)} on average, and "
        f"{percent(result.truth_before)} without knowing it"
    )
    return f"{verdict}, and somebody's value is certain" if certain else verdict
