"""What an attacker believes about the values behind generalized ones, and how the release's minimality changes it.

The scope of a column says which less general release the guards have ruled out:

column  every value is at the same level (full-domain): the column one level lower
value   values at different levels, none above another (a cut through the hierarchy): one value split into its children
class   values above others (local recoding): one class split, so that a child's k records leave it
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from fairveil.counting.population_sizes import by_register
from fairveil.counting.tuples import first_rows
from fairveil.data.hierarchy import Levels
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput
from fairveil.guards import guarded_columns
from fairveil.published.judge import publishable

if TYPE_CHECKING:
    from fairveil.attacks.scene import Scene
    from fairveil.counting.cells import Classes

Scope = Literal["column", "value", "class"]
Drawn = tuple[np.ndarray, np.ndarray, np.ndarray]  # classes; draw, class, child: records; draws that are minimal
MAX_DRAWS = 400
MIN_DRAWS = 40
MAX_CHILDREN = 500_000  # of all cells together
_WORK = 1_500_000  # numbers drawn per column, about a second


@dataclass(frozen=True)
class Belief:
    """One generalized column: for each published value (label) its children, and how likely each is a priori."""

    name: str
    scope: Scope
    levels: Levels
    label_of_class: NDArray[np.int64]
    child_level: np.ndarray  # per label, the level that its children are at
    children: np.ndarray  # per label and place, the child's code at that level; -1 where there are fewer
    shares: np.ndarray  # per label and place, how likely a record is there

    @property
    def splittable(self) -> np.ndarray:
        """Which classes have a value with more than one possible child."""
        several: np.ndarray = (self.shares > 0).sum(axis=1) > 1
        return several[self.label_of_class]


def beliefs(scene: Scene) -> tuple[list[Belief], dict[str, str]]:
    """The generalized columns, and why others were left out."""
    believed: list[Belief] = []
    skipped: dict[str, str] = {}
    schema = scene.published.schema
    counted = by_register(schema)  # of published labels, which drawn classes do not have
    wider = [guard.kind for guard in scene.published.guards if not guard.per_class or (guard.published and counted)]
    if wider:
        why = f"{wider[0]} depends on more than single classes, which this attack does not cover"
        return [], dict.fromkeys(schema.quasi, why)
    for name in schema.quasi:
        try:
            belief = _believe(scene, name, *_bound(scene, name))
        except BadInput as problem:
            skipped[name] = str(problem)
        else:
            believed += [] if belief is None else [belief]
    return believed, skipped


def _bound(scene: Scene, name: str) -> tuple[Levels, np.ndarray]:
    """The hierarchy with the leaves that the attacker knows, and how common each is."""
    rule = scene.published.schema.hierarchy(name)
    if scene.original is not None:
        column = scene.original.column(name)
        levels = rule.bind(column.domain, name)
        return levels, np.pad(column.rows_of_values, (0, levels.leaves - len(column.values))).astype(float)
    levels, problems = rule.try_bind(())
    if problems or not levels.leaves:
        raise BadInput("its hierarchy does not list the leaves, and no original is given")
    return levels, np.ones(levels.leaves)


def _believe(scene: Scene, name: str, levels: Levels, weights: np.ndarray) -> Belief | None:
    positions = _positions(scene, name, levels)
    if all(level == 0 for level, _ in positions):
        return None
    split = [_children(levels, weights, *position) for position in positions]
    width = max(len(children) for _, children, _ in split)
    if width * len(guarded_cells(scene).ids) > MAX_CHILDREN:
        raise BadInput(f"a value has up to {width:,} children, too many to draw tables")
    children = np.full((len(positions), width), -1, dtype=np.int64)
    shares = np.zeros((len(positions), width))
    for label, (_, codes, share) in enumerate(split):
        children[label, : len(codes)], shares[label, : len(codes)] = codes, share
    label_of_class = np.zeros(len(scene.classes), dtype=np.int64)
    label_of_class[scene.classes.ids] = scene.classes.codes[name]
    child_level = np.array([level for level, _, _ in split])
    belief = Belief(name, _scope(levels, positions), levels, label_of_class, child_level, children, shares)
    if belief.scope == "class" and any(not guard.by_size for guard in scene.published.guards):
        raise BadInput("classes are split one by one, which is tried for k-anonymity alone")
    return belief if belief.splittable.any() else None


def _positions(scene: Scene, name: str, levels: Levels) -> list[tuple[int, int]]:
    """Level and code of every published value."""
    texts = [{_text(label): code for code, label in enumerate(names)} for names in levels.labels]
    fixed = scene.published.recipe.level_of(name)
    order = range(levels.height + 1) if fixed is None else [fixed]
    positions = []
    for value in scene.content.domain(name).domain:
        level = next((level for level in order if _text(value) in texts[level]), None)
        if level is None:
            raise BadInput("its published values are not in its hierarchy")
        positions.append((level, texts[level][_text(value)]))
    return positions


def _children(levels: Levels, weights: np.ndarray, level: int, code: int) -> tuple[int, np.ndarray, np.ndarray]:
    """The first level below at which a value has several children, their codes and their shares."""
    under = np.flatnonzero(levels.codes[level] == code)
    while level:
        level -= 1
        codes, inverse = np.unique(levels.codes[level][under], return_inverse=True)
        if len(codes) > 1:
            common = np.bincount(inverse, weights=weights[under])
            return level, codes, common / common.sum() if common.sum() else np.full(len(codes), 1 / len(codes))
    return 0, levels.codes[0][under[:1]], np.ones(min(len(under), 1))


def _scope(levels: Levels, positions: list[tuple[int, int]]) -> Scope:
    if len({level for level, _ in positions}) == 1:
        return "column"
    covered = np.zeros(levels.leaves, dtype=np.int64)
    for level, code in positions:
        covered += levels.codes[level] == code
    return "value" if covered.max(initial=0) <= 1 else "class"


@dataclass(frozen=True)
class Guess:
    """How many records of each class are under each child: `before` and `after` knowing that the release is minimal.

    `bits` is how much that knowledge says: -log2 of the share of drawn tables that it leaves. `at_least` if it leaves
    none of them: then it says more than that many draws can show.
    """

    before: np.ndarray
    after: np.ndarray
    bits: float
    at_least: bool


def guess(scene: Scene, belief: Belief, rng: np.random.Generator) -> Guess:
    """Draw tables from the belief, keep those that make the release minimal, and take the typical one of each."""
    if belief.scope == "class":
        return _class_by_class(scene, belief, rng)
    before = np.zeros((len(scene.classes), belief.shares.shape[1]), dtype=np.int64)
    after, bits, at_least = before.copy(), 0.0, False
    for classes, drawn, left in _by_value(scene, belief, rng):
        before[classes] = after[classes] = typical(drawn)
        if left.any() and not left.all():
            after[classes] = typical(drawn[left])
        bits -= float(np.log2(max(left.sum(), 1) / len(left)))
        at_least |= not left.any()
    return Guess(before, after, abs(bits), at_least)


def _by_value(scene: Scene, belief: Belief, rng: np.random.Generator) -> Iterator[Drawn]:
    """Split all values of the column at once, or one after the other."""
    several = np.flatnonzero((belief.shares > 0).sum(axis=1) > 1)
    groups = [several] if belief.scope == "column" else [several[i : i + 1] for i in range(len(several))]
    cells = guarded_cells(scene)
    draws = _draws(len(cells.ids) * belief.shares.shape[1] * len(groups))
    for labels in groups:
        chosen = np.isin(belief.label_of_class, labels)
        drawn, broke = [], []
        for number in range(draws):
            counts, classes = _split(cells, belief, chosen, rng)
            drawn.append(counts[chosen])
            broke.append(not holds(scene, classes, scene.published.suppressed_units))
            if number + 1 == MIN_DRAWS and all(broke):
                break  # every drawn table is like that: minimality says nothing
        yield chosen, np.stack(drawn), np.array(broke)


def _class_by_class(scene: Scene, belief: Belief, rng: np.random.Generator) -> Guess:
    """Local recoding: no k records of one child may leave a class, unless fewer than k (but some) stay behind."""
    shares, rows, k = belief.shares[belief.label_of_class], scene.classes.rows, scene.published.k
    drawn = rng.multinomial(rows, shares, size=(_draws(shares.size), len(rows)))
    rest = rows[:, None] - drawn
    minimal = ~((drawn >= k) & ((rest == 0) | (rest >= k))).any(axis=2)
    left, tables = minimal.sum(axis=0), len(drawn)
    before = typical(drawn)
    after = before.copy()
    for number in np.flatnonzero(belief.splittable & (left > 0) & (left < tables)).tolist():
        after[number] = typical(drawn[minimal[:, number], number, None])[0]
    split = left[belief.splittable]
    bits = float(-np.log2(np.maximum(split, 1) / tables).sum())
    return Guess(before, after, abs(bits), bool((split == 0).any()))


def guarded_cells(scene: Scene) -> Classes:
    """The published classes with no more cells than the guards distinguish."""
    classes = scene.classes
    guards = scene.published.guards
    names = guarded_columns(guards, scene.published.visible)
    if any(guard.across for guard in guards):  # classes by some of the columns are judged, too
        names = list(dict.fromkeys([*names, *scene.published.schema.quasi]))
    columns = [(classes.ids, len(classes)), *((classes.codes[name], classes.sizes[name]) for name in names)]
    cell, first = first_rows(columns, len(classes.ids))
    counts = np.bincount(cell, weights=classes.counts, minlength=len(first)).astype(np.int64)
    return replace(classes, ids=classes.ids[first], counts=counts, codes={n: classes.codes[n][first] for n in names})


def typical(drawn: np.ndarray) -> np.ndarray:
    """For each class, the drawn composition (draw, class, child) nearest to the median of all."""
    middle = [(len(drawn) - 1) // 2, len(drawn) // 2]
    median = np.partition(drawn, middle, axis=0)[middle].sum(axis=0) / 2
    far = np.abs(drawn - median).sum(axis=2)
    nearest: np.ndarray = drawn[far.argmin(axis=0), np.arange(drawn.shape[1])]
    return nearest


def _draws(work: int) -> int:
    return int(np.clip(_WORK // max(work, 1), MIN_DRAWS, MAX_DRAWS))


def _split(
    classes: Classes, belief: Belief, chosen: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, Classes]:
    """One drawn table with the chosen classes split into children: records per class and child, and its classes."""
    width = belief.shares.shape[1]
    inside = chosen[classes.ids]
    drawn = np.zeros((len(classes.ids), width), dtype=np.int64)
    drawn[:, 0] = classes.counts
    label = belief.label_of_class[classes.ids[inside]]
    drawn[inside] = rng.multinomial(classes.counts[inside], belief.shares[label])
    cell, child = np.nonzero(drawn)
    counts, target = drawn[cell, child], classes.ids[cell] * width + child
    per_class = np.bincount(target, weights=counts, minlength=len(classes) * width).astype(np.int64)
    fresh = np.cumsum(per_class > 0) - 1  # number the places that hold records
    codes, sizes = {name: column[cell] for name, column in classes.codes.items()}, classes.sizes
    if belief.name in codes:  # a key set is judged on the values that the column has in the drawn table
        codes[belief.name] = belief.label_of_class[classes.ids[cell]] * width + child
        sizes = {**sizes, belief.name: len(belief.shares) * width}
    split = replace(classes, ids=fresh[target], counts=counts, rows=per_class[per_class > 0], codes=codes, sizes=sizes)
    return per_class.reshape(-1, width), split


def holds(scene: Scene, classes: Classes, suppressed: int) -> bool:
    """Whether the guards could have published these classes, leaving out what breaks them as far as they may: besides
    those `suppressed`, which are persons where everybody can count them."""
    guards, schema = scene.published.guards, scene.published.visible
    if schema.person not in classes.codes:
        schema = replace(schema, person=None)
    units = classes.units(np.ones(len(classes.ids), dtype=bool), schema.person)
    budget = max((guard.budget(units + suppressed) for guard in guards), default=0)
    left = publishable(classes, schema, guards, max(budget - suppressed, 0))
    return left is not None and all(guard.verdict(left.classes, schema) for guard in guards)


def _text(value: object) -> str | None:
    return None if value is None else as_text(value)
