"""Key sets: a guard on what different attackers know, each of them some of the quasi columns.

>>> import fairveil as fv
>>> schema = fv.Schema(quasi=["age", "sex", "zip"])
>>> guard = fv.KAnonymity(5, keys=[["age", "sex"], {"columns": ["zip"], "k": 20}])
>>> [(columns, alone.k) for columns, alone in guard.key_sets(schema)]
[(('zip',), 20), (('age', 'sex'), 5)]
>>> [(columns, alone.k) for columns, alone in fv.KAnonymity(5, subsets={2: 10}).key_sets(schema)]
[(('age', 'sex'), 10), (('age', 'zip'), 10), (('sex', 'zip'), 10), (('age', 'sex', 'zip'), 5)]

A guard on key sets delegates to the same guard without them, on the classes by the columns of each set. The guard's
bound is that of the sets without their own; if all have one, it is that of all quasi columns together. A class keeps
the guard if it does in every set. That depends on the other classes that agree with it there, so classes are
suppressed until none breaks it.

k on a key set is monotone in the lattice, with suppression, too: where two sets of records keep it, they do together,
so there is one largest set to publish, and it only grows when classes merge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from fairveil.counting.lattice import Lattice, Node, Walker
from fairveil.counting.tuples import KEY_BITS, bits_for
from fairveil.counting.up_sets import is_small, monotone_nodes
from fairveil.errors import refuse, suggest
from fairveil.guards.guard import ClassGuard, Guard, Verdict, about, guarded_columns
from fairveil.messages import counted, option, verb
from fairveil.settings import setting, settings_of
from fairveil.shapes import Shape, column_name, is_integer, shape, wrong

if TYPE_CHECKING:
    from fairveil.counting.cells import Classes
    from fairveil.data.schema import Schema

KEY_SET = "a list of columns, a text such as age+sex or age+sex:20, or a section with columns and their own bound"
SUBSETS = "a number of columns, or a section such as {2 = 40, 3 = 20}: the bound of the sets of each number of columns"
_ANY_KEYS: Shape = shape("a list of key sets", lambda value: isinstance(value, str | list | tuple | Mapping))
_ANY_SUBSETS: Shape = shape(
    SUBSETS, lambda value: value is None or is_integer(value) or isinstance(value, str | list | tuple | Mapping)
)
MAX_SETS = 10_000
"""Maximum number of key sets of a guard."""
MAX_COPIED = 1 << 16
"""Cells, counted once for each key set, that are judged together."""


@dataclass(frozen=True)
class KeyedGuard(ClassGuard):
    """A class guard that may be asked for on sets of the quasi columns instead of all of them together."""

    _: KW_ONLY
    keys: Sequence[Any] = setting(
        (), "the sets of quasi columns that attackers know, such as age+sex, instead of all of them together; with a "
        "bound of their own, such as age+sex:20, besides all of them", shape=_ANY_KEYS
    )  # fmt: skip
    subsets: int | Mapping[Any, float] | None = setting(
        None, "all sets of this many quasi columns are key sets; with a bound for each number of columns, such as 2:40",
        shape=_ANY_SUBSETS,
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        where = f"{self.kind}: {option('keys')}"
        keys = (self.keys,) if isinstance(self.keys, str | Mapping) else self.keys
        object.__setattr__(self, "keys", tuple(self._key(entry, where) for entry in keys))
        object.__setattr__(self, "subsets", self._sizes())

    def _key(self, entry: Any, where: str) -> Any:
        """A key set as it is stored: the names of its columns, or a section with these and their bound."""
        bound: Any = None
        if isinstance(entry, Mapping):
            refuse([f"{where}: {suggest(key, ('columns', self.bound), 'key of a key set:')}"
                    for key in entry if key not in ("columns", self.bound)])  # fmt: skip
            names, bound = entry.get("columns", ()), entry.get(self.bound)
        elif isinstance(entry, str):
            names, colon, number = entry.rpartition(":")
            names, bound = (names, _number(number)) if colon and _number(number) is not None else (entry, None)
        else:
            names = entry
        if isinstance(names, str):
            names = [name.strip() for name in names.split("+")]
        if isinstance(names, list | tuple):  # names in pandas may be integers or tuples
            names = [name if isinstance(name, bool | str) or not isinstance(name, np.integer | int | tuple)
                     else column_name(name) for name in names]  # fmt: skip
        if not isinstance(names, list | tuple) or not names or not all(isinstance(n, str) and n for n in names):
            raise wrong(where, KEY_SET, entry)
        names = tuple(dict.fromkeys(names))
        return names if bound is None else {"columns": names, self.bound: self._checked(bound)}

    def _sizes(self) -> Any:
        """The sizes of the subsets as they are stored: one number of columns, or a bound for each."""
        given = self.subsets
        if isinstance(given, str):
            given = (given,)
        if isinstance(given, list | tuple):  # as texts: 2, or 2:40 and 3:20
            pairs = [str(text).partition(":") for text in given]
            single = len(pairs) == 1 and not pairs[0][1]
            given = _number(pairs[0][0]) or "" if single else {size: bound for size, _, bound in pairs} or None
        where = f"{self.kind}: {option('subsets')}"
        if isinstance(given, Mapping):
            sizes = {_number(size): self._checked(_number(bound)) for size, bound in given.items()}
            if not sizes or not all(is_integer(size) and size >= 1 for size in sizes):
                raise wrong(where, SUBSETS, self.subsets)
            return dict(sorted(sizes.items()))
        if given is not None and not (is_integer(given) and given >= 1):
            raise wrong(where, SUBSETS, self.subsets)
        return given

    def _checked(self, bound: Any) -> Any:
        own: type = type(self)
        declared = next(s for s in settings_of(own) if s.name == self.bound)
        return declared.check(bound, f"{self.kind}: {option(self.bound)} of a key set")

    def to_dict(self) -> dict[str, Any]:
        spec = super().to_dict()
        if self.keys:
            spec["keys"] = [{**key, "columns": list(key["columns"])} if isinstance(key, Mapping) else list(key)
                            for key in self.keys]  # fmt: skip
        if isinstance(self.subsets, Mapping):
            spec["subsets"] = {str(size): bound for size, bound in self.subsets.items()}
        return spec

    @property
    def across(self) -> bool:  # type: ignore[override]
        return bool(self.declared)

    @property
    def published(self) -> bool:  # type: ignore[override]
        return self.across

    @cached_property
    def declared(self) -> list[tuple[tuple[str, ...] | int, float | None]]:
        """The key sets as they are asked for, by names or by the number of columns, each with its own bound, if any."""
        named = [(k["columns"], k[self.bound]) if isinstance(k, Mapping) else (k, None) for k in self.keys]
        sizes = {self.subsets: None} if isinstance(self.subsets, int) else self.subsets or {}
        return [*named, *sizes.items()]

    @property
    def own_bounds(self) -> list[float]:
        """The bounds that key sets have for themselves."""
        return [bound for _, bound in self.declared if bound is not None]

    @property
    def on_all(self) -> bool:
        """Whether the guard's own bound is about all quasi columns together, not about key sets without their own."""
        return len(self.own_bounds) == len(self.declared)

    @cached_property
    def _of_quasi(self) -> dict[tuple[str, ...], list[tuple[tuple[str, ...], Self]]]:
        return {}

    def key_sets(self, schema: Schema) -> list[tuple[tuple[str, ...], Self]]:
        """The key sets, each with the guard that must hold on the classes by its columns; none, unless asked for.

        Left out are those that others imply: more columns with a bound as strict. The fewest columns come first.
        """
        quasi = tuple(schema.quasi)
        if quasi not in self._of_quasi:
            stricter, own = max if self.higher_is_better else min, getattr(self, self.bound)
            bounds: dict[tuple[str, ...], float] = {quasi: own} if self.across and self.on_all else {}
            for asked, bound in self.declared:
                for names in combinations(quasi, asked) if isinstance(asked, int) else [asked]:
                    columns = tuple(name for name in quasi if name in names)
                    needed = own if bound is None else bound
                    bounds[columns] = stricter(bounds.get(columns, needed), needed)
            larger = [(set(columns), bound) for columns, bound in bounds.items()]
            self._of_quasi[quasi] = [
                (columns, self._alone(bound))
                for columns, bound in sorted(bounds.items(), key=lambda entry: len(entry[0]))
                if not any(others > set(columns) and stricter(strict, bound) == strict for others, strict in larger)
            ]
        return self._of_quasi[quasi]

    def _alone(self, bound: float) -> Self:
        """The same guard without key sets, with another bound."""
        settings: dict[str, Any] = {"keys": (), "subsets": None, self.bound: bound}
        return replace(self, **settings)

    def check_schema(self, schema: Schema) -> list[str]:
        problems, columns = super().check_schema(schema), len(schema.quasi)
        sizes = [asked for asked, _ in self.declared if isinstance(asked, int)]
        named = dict.fromkeys(name for asked, _ in self.declared if not isinstance(asked, int) for name in asked)
        problems += [f"{self.kind}: {suggest(name, schema.quasi, 'quasi column')}"
                     for name in named if name not in schema.quasi]  # fmt: skip
        problems += [f"{self.kind}: {option('subsets')} asks for sets of {counted(size, 'column')}, and only {columns} "
                     f"{verb(columns, 'is', 'are')} quasi" for size in sizes if size > columns]  # fmt: skip
        if (total := sum(comb(columns, size) for size in sizes)) > MAX_SETS:
            problems.append(f"{self.kind}: {option('subsets')} asks for {total:,} sets, and at most {MAX_SETS:,} are "
                            "judged: ask for fewer columns at a time")  # fmt: skip
        return problems

    def simplest(self, schema: Schema) -> Guard:
        sets = self.key_sets(schema)
        return sets[0][1] if [columns for columns, _ in sets] == [tuple(schema.quasi)] else self

    def promise_about(self, schema: Schema) -> str:
        if not self.across:
            return super().promise_about(schema)
        words: dict[float, list[str]] = {}
        everything = [(tuple(schema.quasi), getattr(self, self.bound))] if self.on_all else []
        for asked, bound in [*self.declared, *everything]:
            known = f"any {asked} of {', '.join(schema.quasi)}" if isinstance(asked, int) else ", ".join(asked)
            words.setdefault(getattr(self, self.bound) if bound is None else bound, []).append(known)
        unit = self.unit(schema)
        promises = [f"{'; '.join(sets)}: {self._alone(bound).promise_by(unit)}" for bound, sets in words.items()]
        return about(self.subjects(schema), " ".join(promises))

    def passing(self, classes: Classes, schema: Schema) -> np.ndarray:
        if not self.across:
            return super().passing(classes, schema)
        if not schema.links:
            return self.passing_sets(classes, schema)
        passing = np.ones(len(classes), dtype=bool)
        for columns, guard in self.key_sets(schema):  # what a person's records link differs from set to set
            coarser, of_class = classes.by(columns)
            passing &= guard.passing(coarser, schema)[of_class]
        return passing

    def passing_sets(self, classes: Classes, schema: Schema) -> np.ndarray:
        """Which classes keep the guard in every key set: the classes by many sets are judged together, as if there were
        a copy of the records for each."""
        by_bound: dict[float, tuple[KeyedGuard, list[tuple[str, ...]]]] = {}
        for columns, guard in self.key_sets(schema):
            by_bound.setdefault(getattr(guard, self.bound), (guard, []))[1].append(columns)
        passing = np.ones(len(classes), dtype=bool)
        most = max(MAX_COPIED // max(len(classes.ids), 1), 1)
        for guard, sets in by_bound.values():
            needed = guarded_columns((guard,), schema)
            for start in range(0, len(sets), most):
                copies, of_class = classes.by_each(sets[start : start + most], needed)
                passing &= guard.passing(copies, schema)[of_class].all(axis=0)
        return passing

    def compiled(self, classes: Classes, schema: Schema, values: np.ndarray | None = None) -> np.ndarray | None:
        """Which classes have, in every key set, at least as many rows as its bound, or as many different `values` of
        cells, unless they have none (-1 is none); None if the values of a key set do not fit into a 64-bit key."""
        from fairveil.guards.key_set_kernels import few_by_sets, small_by_sets

        names, members, starts, least = self._layout(schema)
        bits = np.array([bits_for(classes.sizes[name]) for name in names], dtype=np.int64)
        if np.add.reduceat(bits[members], starts[:-1]).max() > KEY_BITS:
            return None
        first = classes.first_cells()
        codes = np.array([classes.codes[name][first] for name in names], dtype=np.int64)
        if values is None:
            return ~np.asarray(small_by_sets(codes, bits, members, starts, least, classes.rows))
        order = np.argsort(values, kind="stable")
        order = order[np.searchsorted(values[order], 0) :]
        return ~np.asarray(few_by_sets(codes, bits, members, starts, least, classes.ids[order], values[order]))

    def _layout(self, schema: Schema) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
        """The key sets in the layout of the kernels: the columns, those of each set, where it starts, and its bound."""
        if (quasi := tuple(schema.quasi)) not in self._layouts:
            sets = self.key_sets(schema)
            names = [name for name in quasi if any(name in columns for columns, _ in sets)]
            members = [names.index(name) for columns, _ in sets for name in columns]
            starts, least = [0, *(len(columns) for columns, _ in sets)], [guard.limit for _, guard in sets]
            self._layouts[quasi] = names, np.array(members), np.cumsum(starts), np.array(least, dtype=np.int64)
        return self._layouts[quasi]

    @cached_property
    def _layouts(self) -> dict[tuple[str, ...], tuple[list[str], np.ndarray, np.ndarray, np.ndarray]]:
        return {}

    def breaking(self, classes: Classes, schema: Schema) -> np.ndarray:
        if not self.across:
            return super().breaking(classes, schema)
        if not schema.links:
            return ~self.passing_sets(classes, schema)[classes.ids]
        breaking = np.zeros(len(classes.ids), dtype=bool)
        for columns, guard in self.key_sets(schema):
            breaking |= guard.breaking(classes.by(columns)[0], schema)
        return breaking

    def verdict(self, classes: Classes, schema: Schema) -> Verdict:
        if not self.across:
            return super().verdict(classes, schema)
        if not len(classes):
            return self.nothing_published()
        breaking, sets = np.zeros(len(classes), dtype=bool), self.key_sets(schema)
        weakest: tuple[float, tuple[str, ...], KeyedGuard, Verdict, int] | None = None
        for columns, guard in sets:
            coarser, of_class = classes.by(columns)
            verdict = guard.verdict(coarser, schema)
            breaking |= ~guard.passing(coarser, schema)[of_class]
            margin = verdict.worst / verdict.limit if self.higher_is_better else verdict.limit - verdict.worst
            if weakest is None or margin < weakest[0]:
                weakest = margin, columns, guard, verdict, int(np.argmax(of_class == verdict.worst_class))
        assert weakest is not None
        _, columns, guard, verdict, at = weakest
        of_all = f", the weakest of {counted(len(sets), 'key set')}" if len(sets) > 1 else ""
        described = f"by {' and '.join(columns)}{of_all}, {guard.worst_words(verdict.worst, schema)}"
        return self.stated(classes, schema, verdict.worst, verdict.limit, at, described, breaking)

    def filter_nodes(self, lattice: Lattice, schema: Schema, nodes: np.ndarray) -> np.ndarray | None:
        if not self.across:
            return super().filter_nodes(lattice, schema, nodes)
        keeps = np.ones(len(nodes), dtype=bool)
        for columns, guard in self.key_sets(schema):
            keeps[keeps] = guard.on_part(lattice, schema, columns, nodes[keeps])
        return keeps

    def on_part(self, lattice: Lattice, schema: Schema, columns: Sequence[str], nodes: np.ndarray) -> np.ndarray:
        """Which nodes keep the guard, with nothing suppressed, on the classes by these columns only."""
        part, places = lattice.part(columns)
        projected, of_node = np.unique(nodes[:, places], axis=0, return_inverse=True)
        walker = Walker(part, guarded_columns((self,), schema), projected.min(axis=0, initial=0))

        def keeps(node: Node) -> bool:
            part.progress.check()
            return bool(self.passing(walker.classes(node), schema).all())

        kept = np.zeros(len(projected), dtype=bool)
        order = walker.packing.sort(projected)[::-1] if walker.packing else np.arange(len(projected))[::-1]
        if self.monotone_on(lattice.cells, schema, suppressing=False) and is_small(part.tops, projected):
            kept[order] = monotone_nodes(projected[order], part.tops, keeps)
        else:
            kept[order] = [keeps(tuple(node)) for node in projected[order].tolist()]
        return kept[of_node.reshape(-1)]


def _number(text: Any) -> Any:
    """The number that a text is, an integer if it is one; None if it is none. Other values stay as they are."""
    if not isinstance(text, str):
        return text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return None
