"""The rejoin attack on a release in projections: join the columns again and look for small groups.

Anybody who has the projections can join them on what they share: the class, and columns that several of them have. The
attack looks at every join: pairs, all of them, and any in between. It never materializes one, because in a join the
counts of the sides multiply. The promise is that neither a projection nor a join shows a combination of quasi values,
shared values and class in fewer than k rows. Other figures say what the promise leaves open:

with the class      rows of one projection for an attacker who also knows the person's class
by a dependency     rows left in a join for an attacker who knows that some column of one projection determines a
                    column of another ("the degree gives the years of school"), and strikes out what contradicts it
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.attacks.attack import Finding, Level, attempt
from fairveil.data.table import Table
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput
from fairveil.messages import counted

if TYPE_CHECKING:
    from fairveil.attacks.scene import Scene
    from fairveil.guards.projections import Projections

_BLOCK = 1 << 22  # numbers in memory at a time


@dataclass(frozen=True)
class Dependency:
    """What the attacker knows: these columns determine that one, and how."""

    determinant: tuple[str, ...]
    dependent: str
    mapping: Mapping[tuple[str | None, ...], str | None]

    @classmethod
    def of(cls, table: Any, determinant: Sequence[str] | str, dependent: str) -> Dependency:
        """The dependency as a table shows it; raises BadInput if the table contradicts it."""
        source = Table.from_frame(table)
        names = (determinant,) if isinstance(determinant, str) else tuple(determinant)
        source.need([*names, dependent])
        mapping: dict[tuple[str | None, ...], str | None] = {}
        texts = [_texts(source, name) for name in (*names, dependent)]
        for *left, right in zip(*texts, strict=True):
            if mapping.setdefault(tuple(left), right) != right:
                raise BadInput(f"{', '.join(names)} does not determine {dependent!r}: {left} has two values of it")
        return cls(names, dependent, mapping)

    def __str__(self) -> str:
        return f"{', '.join(self.determinant)} → {self.dependent}"


@dataclass(frozen=True)
class Rejoin:
    """What the attack found. `pairs` are the smallest groups after joining two projections, by their numbers."""

    k: int
    alone: tuple[int, ...]
    pairs: Mapping[tuple[int, int], int]
    joined: int | None
    together: int | None
    with_class: int
    dependency: str | None = None
    by_dependency: int | None = None
    dependent_combinations: int = 0
    shares: bool = False

    @property
    def keys(self) -> str:
        """What projections are joined on, in words."""
        return "all that they share" if self.shares else "the class"

    @property
    def smallest(self) -> int:
        """The smallest group that projections show, alone or joined in any way."""
        return min((*self.alone, *([] if self.joined is None else [self.joined])), default=0)

    def __bool__(self) -> bool:
        """Whether the promise holds: nothing below k. The promise does not cover a known dependency."""
        return not self.alone or self.smallest >= self.k

    def sentences(self) -> list[str]:
        if not self.alone:
            return ["nothing is published, so there is nothing to join"]
        sentences = [
            f"alone, a projection shows a combination of quasi values in {counted(min(self.alone), 'row')} or more"
        ]
        if self.pairs:
            sentences.append(
                f"joined on {self.keys}, two projections show one in {counted(min(self.pairs.values()), 'row')} or more"
            )
        if len(self.alone) > 2 and self.joined is not None:
            sentences.append(f"joined in any way, they show one in {counted(self.joined, 'row')} or more")
        if self.together is not None:
            sentences.append(f"all joined, they show one in {counted(self.together, 'row')} or more")
        sentences.append(
            f"somebody who knows a person's class finds {counted(self.with_class, 'row')} or more in a projection"
        )
        if self.dependency and self.by_dependency is not None:
            sentences.append(
                f"somebody who knows that {self.dependency} finds {self.by_dependency:,} joined rows or more, "
                f"fewer than {self.k} for {counted(self.dependent_combinations, 'combination')}"
            )
        elif self.dependency:
            sentences.append(f"knowing that {self.dependency} rules out no joined row")
        return sentences

    def to_dict(self) -> dict[str, Any]:
        pairs = {f"{p + 1}-{r + 1}": rows for (p, r), rows in self.pairs.items()}
        fields = {"holds": bool(self), **vars(self), "alone": list(self.alone), "pairs": pairs}
        fields["combinations_below_k_by_dependency"] = fields.pop("dependent_combinations")
        del fields["shares"]
        return fields


def rejoin(parts: Projections, k: int, dependency: Dependency | None = None) -> Rejoin:
    """Attack projections, those of a release (`Projections.published`) or any others (`Projections.of`)."""
    facts = parts.facts
    pairs = {(p, r): parts.pair(p, r) for p, r in combinations(range(len(parts)), 2)}
    left, below = (None, 0) if dependency is None else _by_dependency(parts, k, dependency)
    together = parts.together(range(len(parts))) if len(parts) > 1 else None
    with_class = min((int(fact.minima[fact.minima > 0].min()) for fact in facts), default=0)
    return Rejoin(
        k, tuple(fact.smallest for fact in facts), pairs, parts.joined, together, with_class,
        None if dependency is None else str(dependency), left, below, parts.shared,
    )  # fmt: skip


def _by_dependency(parts: Projections, k: int, dependency: Dependency) -> tuple[int | None, int]:
    """The smallest group left in a join when contradicting rows are struck out, and how many are below k."""
    tables = parts.tables
    struck = [
        _struck_out(parts, p, r, k, dependency)
        for p, r in permutations(range(len(parts)), 2)
        if all(name in tables[p] for name in dependency.determinant) and dependency.dependent in tables[r]
    ]
    return min((smallest for smallest, _ in struck), default=None), sum(below for _, below in struck)


def _struck_out(parts: Projections, p: int, r: int, k: int, dependency: Dependency) -> tuple[int, int]:
    """Σ over x of count(t, x, key)·count(u, f(x), key) for all groups t of one side and u of the other.

    The key is what the two are joined on: the class, and the columns that both have.
    """
    keys_of_rows, size = parts.join_keys(p, r)
    texts = [_texts(parts.tables[p], name) for name in dependency.determinant]
    wanted = [dependency.mapping.get(key, "\0") for key in zip(*texts, strict=True)]
    given = _texts(parts.tables[r], dependency.dependent)
    numbers = {value: i for i, value in enumerate(dict.fromkeys([*wanted, *given]))}
    keys = [np.array([numbers[v] for v in values], dtype=np.int64) for values in (wanted, given)]
    groups = [parts.groups_of(side)[0] for side in (p, r)]
    sides = list(zip(groups, keys_of_rows, keys, strict=True))
    smallest, below = np.inf, 0
    for c in range(size):
        left, right = (_counts(side, c, len(numbers)) for side in sides)
        step = max(_BLOCK // max(len(right), 1), 1)
        for start in range(0, len(left), step):
            joined = left[start : start + step] @ right.T
            sizes = joined[joined > 0]
            smallest = min(smallest, sizes.min(initial=np.inf))
            below += int((sizes < k).sum())
    return (0 if np.isinf(smallest) else int(smallest)), below


def _counts(side: tuple[np.ndarray, np.ndarray, np.ndarray], c: int, keys: int) -> np.ndarray:
    """Rows with join key c per group and value of the dependent column, for groups that have any."""
    groups, own, key = side
    inside = own == c
    present, group = np.unique(groups[inside], return_inverse=True)
    counts = np.bincount(group * keys + key[inside], minlength=len(present) * keys)
    return counts.reshape(len(present), keys).astype(float)


def _texts(table: Table, name: str) -> list[str | None]:
    column = table.column(name)
    domain = [None if value is None else as_text(value) for value in column.domain]
    return [domain[code] for code in column.codes]


@attempt("projections", "rows", name="rejoin", cheap=True, title="tables joined again")
def rejoining(scene: Scene) -> Iterable[Finding]:
    """Joining the projections of a release on what they share and looking for combinations that few people have."""
    parts, k = scene.published.projections, scene.published.k
    rows = parts.tables[0].rows
    result = rejoin(parts, k)
    smallest = max(result.smallest, 1)
    level: Level = "danger" if not result or smallest == 1 else "warn" if result.with_class < k else "ok"
    yield Finding(
        "rejoin", level, _verdict(result), 1 / smallest,
        max(groups / rows for groups, _ in parts.groups_below(rows + 1)), 1 / rows, "guessing any record",
        max(few for _, few in parts.groups_below(k)), rows, details=result.to_dict(),
    )  # fmt: skip


def _verdict(result: Rejoin) -> str:
    smallest = counted(result.smallest, "row")
    if not result:
        alone = min(result.alone) < result.k
        where = "a projection alone shows" if alone else f"projections joined on {result.keys} show"
        return f"{where} a combination of quasi values in {smallest}, fewer than the {result.k} promised"
    verdict = f"alone or joined, the projections show a combination of quasi values in {smallest} or more"
    if result.with_class < result.k:
        verdict += f"; somebody who also knows a person's class finds {result.with_class:,}, which no guard covers"
    return verdict
