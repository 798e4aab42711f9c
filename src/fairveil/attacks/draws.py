"""What an attacker believes about the values behind generalized ones, and how the release's minimality changes it.

The scope of a column says which less general release the guards have ruled out:

column  every value is at the same level (full-domain): the column one level lower
value   values at different levels, none above another (a cut through the hierarchy): one value split into its children
class   values above others (local recoding): one class split, so that a child's k records leave it
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from fairveil.attacks.scene import Scene
from fairveil.counting.cells import Classes, group_of
from fairveil.data.hierarchy import Levels
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput
from fairveil.published.judge import publishable

Scope = Literal["column", "value", "class"]
MOST_DRAWS = 400
LEAST_DRAWS = 40
MOST_CHILDREN = 500_000  # of all cells together
_WORK = 1_500_000  # numbers drawn per column, about a second


@dataclass(frozen=True)
class Belief:
    """One generalized column: for each published value (label) its children, and how likely each is a priori."""

    name: str
    scope: Scope
    levels: Levels
    label_of_class: np.ndarray
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
    believed, skipped = [], {}
    wider = [guard.kind for guard in scene.guards if not guard.per_class]
    for name in scene.schema.quasi:
        try:
            if wider:
                raise BadInput(f"{wider[0]} looks at more than single classes, which is not tried")
            levels, weights = _bound(scene, name)
            belief = _believe(scene, name, levels, weights)
        except BadInput as problem:
            skipped[name] = str(problem)
            continue
        if belief is not None:
            believed.append(belief)
    return believed, skipped


def _bound(scene: Scene, name: str) -> tuple[Levels, np.ndarray]:
    """The hierarchy with the leaves that the attacker knows, and how common each is."""
    rule = scene.schema.hierarchy(name)
    if scene.original is not None:
        column = scene.original.column(name)
        levels = rule.bind(column.domain, name)
        return levels, np.bincount(column.codes, minlength=levels.leaves).astype(float)
    levels, problems = rule.try_bind(())
    if problems or not levels.leaves:
        raise BadInput("its hierarchy does not list the leaves, and no original is given")
    return levels, np.ones(levels.leaves)


def _believe(scene: Scene, name: str, levels: Levels, weights: np.ndarray) -> Belief | None:
    places = _places(scene, name, levels)
    if all(level == 0 for level, _ in places):
        return None
    split = [_children(levels, weights, *place) for place in places]
    width = max(len(children) for _, children, _ in split)
    if width * len(guarded_cells(scene).ids) > MOST_CHILDREN:
        raise BadInput(f"a value has up to {width:,} children, too many to draw tables")
    children = np.full((len(places), width), -1, dtype=np.int64)
    shares = np.zeros((len(places), width))
    for label, (_, codes, share) in enumerate(split):
        children[label, : len(codes)], shares[label, : len(codes)] = codes, share
    label_of_class = np.zeros(len(scene.classes), dtype=np.int64)
    label_of_class[scene.classes.ids] = scene.classes.codes[name]
    child_level = np.array([level for level, _, _ in split])
    belief = Belief(name, _scope(levels, places), levels, label_of_class, child_level, children, shares)
    if belief.scope == "class" and any(not guard.by_size for guard in scene.guards):
        raise BadInput("classes are split one by one, which is tried for k-anonymity alone")
    return belief if belief.splittable.any() else None


def _places(scene: Scene, name: str, levels: Levels) -> list[tuple[int, int]]:
    """Level and code of every published value."""
    texts = [{_text(label): code for code, label in enumerate(names)} for names in levels.labels]
    fixed = scene.recipe.level_of(name)
    order = range(levels.height + 1) if fixed is None else [fixed]
    places = []
    for value in scene.content.domain(name).domain:
        level = next((level for level in order if _text(value) in texts[level]), None)
        if level is None:
            raise BadInput("its published values are not in its hierarchy")
        places.append((level, texts[level][_text(value)]))
    return places


def _children(levels: Levels, weights: np.ndarray, level: int, code: int) -> tuple[int, np.ndarray, np.ndarray]:
    """The first level below at which a value has several children, their codes and their shares."""
    under = np.flatnonzero(levels.codes[level] == code)
    while level:
        level -= 1
        codes, place = np.unique(levels.codes[level][under], return_inverse=True)
        if len(codes) > 1:
            common = np.bincount(place, weights=weights[under])
            return level, codes, common / common.sum() if common.sum() else np.full(len(codes), 1 / len(codes))
    return 0, levels.codes[0][under[:1]], np.ones(min(len(under), 1))


def _scope(levels: Levels, places: list[tuple[int, int]]) -> Scope:
    if len({level for level, _ in places}) == 1:
        return "column"
    covered = np.zeros(levels.leaves, dtype=np.int64)
    for level, code in places:
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
    several = np.flatnonzero((belief.shares > 0).sum(axis=1) > 1)
    groups = [several] if belief.scope == "column" else [several[i : i + 1] for i in range(len(several))]
    cells = guarded_cells(scene)
    draws = _draws(len(cells.ids) * belief.shares.shape[1] * len(groups))
    before = np.zeros((len(scene.classes), belief.shares.shape[1]), dtype=np.int64)
    after, bits, at_least = before.copy(), 0.0, False
    for labels in groups:
        chosen = np.isin(belief.label_of_class, labels)
        drawn, broke = [], []
        for number in range(draws):
            counts, classes = _split(cells, belief, chosen, rng)
            drawn.append(counts[chosen])
            broke.append(not holds(scene, classes, scene.suppressed))
            if number + 1 == LEAST_DRAWS and all(broke):
                break  # every drawn table is like that: minimality says nothing
        every, left = np.stack(drawn), np.array(broke)
        before[chosen] = after[chosen] = typical(every)
        if left.any() and not left.all():
            after[chosen] = typical(every[left])
        bits -= float(np.log2(max(left.sum(), 1) / len(left)))
        at_least |= not left.any()
    return Guess(before, after, abs(bits), at_least)


def guarded_cells(scene: Scene) -> Classes:
    """The published classes with no more cells than the guards distinguish."""
    classes = scene.classes
    names = list(dict.fromkeys(name for guard in scene.guards for name in guard.columns(scene.schema)))
    columns = [(classes.ids, len(classes)), *((classes.codes[name], classes.sizes[name]) for name in names)]
    cell, total = group_of(columns, len(classes.ids))
    first = np.zeros(total, dtype=np.int64)
    first[cell[::-1]] = np.arange(len(cell) - 1, -1, -1)
    counts = np.bincount(cell, weights=classes.counts, minlength=total).astype(np.int64)
    codes = {name: classes.codes[name][first] for name in names}
    return Classes(classes.ids[first], counts, classes.rows, codes, classes.sizes, classes.levels)


def typical(drawn: np.ndarray) -> np.ndarray:
    """For each class, the drawn composition (draw, class, child) nearest to the median of all."""
    far = np.abs(drawn - np.median(drawn, axis=0)).sum(axis=2)
    nearest: np.ndarray = drawn[far.argmin(axis=0), np.arange(drawn.shape[1])]
    return nearest


def _draws(work: int) -> int:
    return int(np.clip(_WORK // max(work, 1), LEAST_DRAWS, MOST_DRAWS))


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
    counts, place = drawn[cell, child], classes.ids[cell] * width + child
    per_class = np.bincount(place, weights=counts, minlength=len(classes) * width).astype(np.int64)
    fresh = np.cumsum(per_class > 0) - 1  # number the places that hold records
    codes = {name: column[cell] for name, column in classes.codes.items()}
    split = Classes(fresh[place], counts, per_class[per_class > 0], codes, classes.sizes, classes.levels)
    return per_class.reshape(-1, width), split


def holds(scene: Scene, classes: Classes, suppressed: int) -> bool:
    """Whether the guards could have published these classes, leaving out what breaks them as far as they may."""
    source = int(classes.rows.sum()) + suppressed
    budget = max((guard.budget(source) for guard in scene.guards), default=0)
    left = publishable(classes, scene.schema, scene.guards, max(budget - suppressed, 0))
    return left is not None and all(guard.verdict(left.classes, scene.schema) for guard in scene.guards)


def _class_by_class(scene: Scene, belief: Belief, rng: np.random.Generator) -> Guess:
    """Local recoding: no k records of one child may leave a class, unless fewer than k (but some) stay behind."""
    shares, rows, k = belief.shares[belief.label_of_class], scene.classes.rows, scene.k
    drawn = rng.multinomial(rows, shares, size=(_draws(shares.size), len(rows)))
    rest = rows[:, None] - drawn
    minimal = ~((drawn >= k) & ((rest == 0) | (rest >= k))).any(axis=2)
    before = typical(drawn)
    after, bits, at_least = before.copy(), 0.0, False
    for number in np.flatnonzero(belief.splittable):
        left = minimal[:, number]
        bits -= float(np.log2(max(left.sum(), 1) / len(left)))
        at_least |= not left.any()
        if left.any():
            after[number] = typical(drawn[left, number][:, None])[0]
    return Guess(before, after, abs(bits), at_least)


def _text(value: object) -> str | None:
    return None if value is None else as_text(value)
