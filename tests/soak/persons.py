"""People with several records: every guard from its definition by persons, with plain sets.

The published file has a column `row` that says which record of the source a row is, so that the persons of a class are
known here although their column may not be published.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

Row = Mapping[str, Any]
Values = dict[Hashable, set[str]]
CLOSE = 1e-9
BOUNDS = {
    "k-anonymity": "k", "distinct-diversity": "l", "entropy-diversity": "l", "recursive-diversity": "l",
    "t-closeness": "t",
}  # fmt: skip


def broken_by_persons(
    rows: Sequence[Row],
    guard: Mapping[str, Any],
    quasi: Sequence[str],
    sensitive: Sequence[str],
    persons: Mapping[str, Hashable],
    linked: bool,
) -> list[str]:
    """What is wrong with one guard; `linked`: the file shows which records are of one person."""
    return [sentence for sentence, _ in breaking(rows, guard, quasi, sensitive, persons, linked)][:1]


def breaking(
    rows: Sequence[Row], guard: Mapping[str, Any], quasi: Sequence[str], sensitive: Sequence[str],
    persons: Mapping[str, Hashable], linked: bool,
) -> Iterator[tuple[str, list[Row]]]:  # fmt: skip
    """Each class that breaks a guard, and how."""
    kind = guard["kind"]
    for columns, bound in _key_sets(guard, quasi):
        for group in groups(rows, columns, persons, linked):
            if kind == "k-anonymity":
                people = {persons[row["row"]] for row in group}
                if len(people) < bound:
                    yield f"a class by {columns} has {len(people)} persons, k is {bound}", group
                continue
            for name in guard.get("sensitive") or sensitive:
                here, whole = (_values(some, name, persons) for some in (group, rows))
                if here and not _keeps(kind, guard, bound, here, whole):
                    yield f"{kind} on {name!r} is broken by the class {sorted(map(sorted, here.values()))}", group


def left_out_by_persons(
    rows: Sequence[Row], guards: Sequence[Mapping[str, Any]], persons: Mapping[str, Hashable], apart: bool,
    stated: Mapping[str, int],
) -> list[str]:  # fmt: skip
    """What is wrong with who is left out: more persons than allowed, persons with some of their records, or other
    numbers than those that are `stated`."""
    published = {row["row"] for row in rows}
    shown, gone = ({persons[row] for row in persons if (row in published) == inside} for inside in (True, False))
    counted = {"source": len({*persons.values()}), "suppressed": len(gone), "published": len(shown)}
    found = [] if counted == dict(stated) else [f"the evidence says {dict(stated)}, it is {counted}"]
    if apart and shown & gone:
        found.append(f"{len(shown & gone)} persons are left out with some of their records only")
    share = max((guard.get("suppression", 0) for guard in guards), default=0)
    if apart and len(gone) > share * counted["source"] + CLOSE:
        found.append(f"{len(gone)} of {counted['source']} persons are left out, the limit is {share}")
    return found


def _key_sets(guard: Mapping[str, Any], quasi: Sequence[str]) -> Iterator[tuple[Sequence[str], float]]:
    own = guard[BOUNDS[guard["kind"]]]
    sets = [key if isinstance(key, Mapping) else {"columns": key} for key in guard.get("keys") or ()]
    sets += [{"columns": some} for some in combinations(quasi, guard.get("subsets") or 0) if some]
    if all(BOUNDS[guard["kind"]] in key for key in sets):  # the bound of the guard is then for all columns together
        sets.append({"columns": quasi})
    for key in sets:
        yield list(key["columns"]), key.get(BOUNDS[guard["kind"]], own)


def groups(
    rows: Iterable[Row], columns: Sequence[str], persons: Mapping[str, Hashable], linked: bool
) -> Iterator[list[Row]]:
    classes, records = defaultdict(list), defaultdict(list)
    for row in rows:
        classes[tuple(row[name] for name in columns)].append(row)
        records[persons[row["row"]]].append(row)
    yield from classes.values()
    if linked:
        sets: dict[frozenset[tuple[Any, ...]], list[Row]] = defaultdict(list)
        for some in records.values():
            sets[frozenset(tuple(row[name] for name in columns) for row in some)] += some
        yield from sets.values()


def _values(rows: Iterable[Row], name: str, persons: Mapping[str, Hashable]) -> Values:
    """The known values of each person who has any; spellings that differ in case or outer blanks are one."""
    having: Values = defaultdict(set)
    for row in rows:
        if (row[name] or "").strip():
            having[persons[row["row"]]].add(row[name].strip().casefold())
    return having


def _keeps(kind: str, guard: Mapping[str, Any], bound: float, here: Values, whole: Values) -> bool:
    counts = Counter(value for values in here.values() for value in values)
    ordered, people = sorted(counts.values(), reverse=True), len(here)
    if kind == "distinct-diversity":
        return _fewest(list(here.values())) >= bound
    if kind == "entropy-diversity":
        shares = [count / counts.total() for count in ordered]
        effective = math.exp(-sum(share * math.log(share) for share in shares))
        return min(effective, people / ordered[0] if counts.total() > people else effective) >= bound - CLOSE
    if kind == "recursive-diversity":
        return ordered[0] < guard["c"] * min(sum(ordered[int(bound) - 1 :]), people - ordered[0])
    assert kind == "t-closeness" and guard["distance"] == "equal", kind
    overall = Counter(value for values in whole.values() for value in values)
    gaps = [counts[value] / people - count / len(whole) for value, count in overall.items()]
    return max(sum(gap for gap in gaps if gap > 0), -min(gaps)) <= bound + CLOSE


def _fewest(sets: Sequence[set[str]]) -> int:
    """The fewest values of which everybody has one."""
    values = sorted(set().union(*sets))
    sizes = range(1, len(values) + 1)
    return next(size for size in sizes for some in combinations(values, size) if all(s & {*some} for s in sets))
