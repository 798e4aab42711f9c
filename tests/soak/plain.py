"""A release folder, checked by somebody who has pandas, the definitions of the promises, and not a line of fairveil.

`problems(folder, promise)` reads the files again and says in plain words what is not as it was promised. It is slow and
simple on purpose: rows are tuples, groups are dictionaries, and every definition is written out.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd

from tests.soak.persons import broken_by_persons, left_out_by_persons

Row = dict[str, Any]
CLOSE = 1e-9


@dataclass(frozen=True)
class Promise:
    """What was asked for, as plain data. `guards` are their settings with their `kind`."""

    quasi: list[str]
    sensitive: list[str] = field(default_factory=list)
    protected: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    decision: str | None = None
    denied: str | None = None
    gone: list[str] = field(default_factory=list)
    guards: list[dict[str, Any]] = field(default_factory=list)
    paths: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    secrets: list[Any] = field(default_factory=list)
    """Distinctive texts and numbers of the source. What is not published of them must be in no file."""
    persons: Mapping[str, Hashable] = field(default_factory=dict)
    """Who a record is about, by its number in the column `row`; empty where records are counted."""
    linked: bool = False
    """Whether the file shows which records are of one person."""
    apart: bool = True
    """Whether a person is left out with all records or with none."""
    every_column: bool = True
    """Whether every column with a role is published; a noisy table has only some."""

    @property
    def published(self) -> list[str]:
        names = [
            *self.quasi,
            *self.sensitive,
            *self.protected,
            *([self.decision] if self.decision else []),
            *self.plain,
        ]
        return [name for name in dict.fromkeys(names) if name not in self.gone]


def problems(folder: Path, promise: Promise) -> list[str]:
    tables = {file.stem: read(file) for file in sorted(folder.glob("*.csv")) + sorted(folder.glob("*.parquet"))}
    found = [*_files(folder, tables), *_columns(tables, promise), *_headline(folder, tables, promise)]
    if promise.persons:
        stated = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))["persons"]
        found += left_out_by_persons(tables["data"], promise.guards, promise.persons, promise.apart, stated)
    for guard in promise.guards:
        if promise.persons:
            found += broken_by_persons(
                tables["data"], guard, promise.quasi, promise.sensitive, promise.persons, promise.linked
            )
            continue
        found += _split(tables, guard, promise) if "data" not in tables else _whole(tables["data"], guard, promise)
    return found


def read(file: Path) -> list[Row]:
    """Every row as text by column; missing values are None, and so is empty text in a CSV."""
    if file.suffix == ".parquet":
        frame = pd.read_parquet(file)
    else:
        frame = pd.read_csv(file, dtype=str, keep_default_na=False, encoding="utf-8")
    names = [name[1:] if name.startswith("'") else name for name in map(str, frame.columns)]
    return [
        {name: _text(value) for name, value in zip(names, row, strict=True)}
        for row in frame.itertuples(index=False, name=None)
    ]


def _text(value: Any) -> str | None:
    return None if value == "" or pd.isna(value) else str(value)


def _files(folder: Path, tables: Mapping[str, list[Row]]) -> list[str]:
    evidence = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
    json.loads((folder / "recipe.json").read_text(encoding="utf-8"))
    stated, found = evidence["rows"]["published"], []
    for name, rows in tables.items():
        if len(rows) != stated:
            found.append(f"{name} has {len(rows)} rows, the evidence says {stated}")
        file = folder / f"{name}.csv"
        if file.exists() and len(pd.read_csv(file)) != stated:
            found.append(f"pandas reads {len(pd.read_csv(file))} rows of {file.name}, the evidence says {stated}")
    others = {file.name for file in folder.iterdir()} - {"evidence.json", "recipe.json", "report.html"}
    if others != {f"{name}.csv" for name in tables} and others != {f"{name}.parquet" for name in tables}:
        found.append(f"files that do not belong there: {sorted(others)}")
    return found


def _columns(tables: Mapping[str, list[Row]], promise: Promise) -> list[str]:
    seen = {name for rows in tables.values() for row in rows[:1] for name in row}
    wrong = [f"column {name!r} is published" for name in seen - set(promise.published)]
    if promise.every_column and tables.get("data"):
        wrong += [f"column {name!r} is not published" for name in set(promise.published) - seen]
    return wrong


def _headline(folder: Path, tables: Mapping[str, list[Row]], promise: Promise) -> list[str]:
    """Secrets that are not published stand in no file, however their digits are written."""
    shown = {form for rows in tables.values() for row in rows for value in row.values() for form in _forms(value)}
    texts = {
        file.name: file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if file.suffix in (".json", ".html", ".csv")
    }
    told = [
        f"{name} tells {form}, which is not published"
        for secret in promise.secrets
        if not shown & _forms(secret)
        for form in _forms(secret)
        for name, text in texts.items()
        if form in text
    ]
    return [*told[:2], f"and {len(told) - 2} more"] if len(told) > 3 else told


def _forms(value: Any) -> set[str]:
    """A value as text, and a number with fewer digits, too."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return {str(value)}
    return {str(value), f"{number:.12g}", f"{number:.15g}"}


def _whole(rows: list[Row], guard: Mapping[str, Any], promise: Promise) -> list[str]:
    """What is wrong with one guard on one table."""
    kind = guard["kind"]
    if not rows:
        return []
    if kind in ("alpha-protection", "no-redlining"):
        return _rules(rows, guard, promise)
    if kind == "situation-testing":
        return _situations(rows, guard, promise)
    classes = _grouped(rows, promise.quasi)
    if kind == "k-anonymity":
        smallest = min(map(len, classes.values()))
        return [] if smallest >= guard["k"] else [f"a class has {smallest} records, k is {guard['k']}"]
    found = []
    for name in guard.get("sensitive") or promise.sensitive:
        for group in classes.values():
            if not _keeps(kind, guard, name, group, rows, promise):
                found.append(f"{kind} on {name!r} is broken by {[row[name] for row in group]}")
                break
    return found


def _grouped(rows: Iterable[Row], names: Sequence[str]) -> dict[Hashable, list[Row]]:
    groups: dict[Hashable, list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(row.get(name) for name in names)].append(row)
    return groups


def _keeps(kind: str, guard: Mapping[str, Any], name: str, group: list[Row], rows: list[Row], promise: Promise) -> bool:
    if guard.get("missing", "ignore") == "ignore":
        group, rows = _known(group, name, rows), _known(rows, name, rows)
    if not group:
        return True
    counts = sorted(Counter(row[name] for row in group).values(), reverse=True)
    if kind == "distinct-diversity":
        return len(counts) >= guard["l"]
    if kind == "entropy-diversity":
        entropy = -sum(c / len(group) * math.log(c / len(group)) for c in counts)
        return math.exp(entropy) >= guard["l"] - CLOSE
    if kind == "recursive-diversity":
        return counts[0] < guard["c"] * sum(counts[guard["l"] - 1 :])
    assert kind == "t-closeness", kind
    return _distance(guard.get("distance", "equal"), name, group, rows, promise) <= guard["t"] + CLOSE


def _known(group: list[Row], name: str, rows: list[Row]) -> list[Row]:
    """The rows with a value, each value in one of its spellings: the first of those that occur."""
    spelling: dict[str, str] = {}
    for value in sorted({row[name] for row in rows if (row[name] or "").strip()}, key=_place):
        spelling.setdefault(value.strip().casefold(), value)
    return [{**row, name: spelling[row[name].strip().casefold()]} for row in group if (row[name] or "").strip()]


def _distance(distance: str, name: str, group: list[Row], rows: list[Row], promise: Promise) -> float:
    """The earth mover's distance of a group's values from those of all rows (Li, Li and Venkatasubramanian)."""
    inside, outside = Counter(row[name] for row in group), Counter(row[name] for row in rows)
    gap = {value: inside[value] / len(group) - outside[value] / len(rows) for value in outside}
    if distance == "equal":
        return sum(abs(difference) for difference in gap.values()) / 2
    if distance == "ordered":
        values, total, moved = sorted(gap, key=_place), 0.0, 0.0
        for value in values[:-1]:
            total += gap[value]
            moved += abs(total)
        return moved / max(len(values) - 1, 1)
    height = max(map(len, promise.paths[name].values())) - 1
    paths = {value: promise.paths[name].get(value, [value] * height + ["*"]) for value in gap}
    return sum(
        level / height * _moved(gap, paths, level, above)
        for level in range(1, height + 1)
        for above in {path[level] for path in paths.values()}
    )


def _moved(gap: Mapping[str, float], paths: Mapping[str, Sequence[str]], level: int, above: str) -> float:
    """What has to move between the children of one node: the smaller of their surplus and their deficit."""
    children: dict[str, float] = defaultdict(float)
    for value, path in paths.items():
        if path[level] == above:
            children[path[level - 1]] += gap[value]
    return min(sum(v for v in children.values() if v > 0), -sum(v for v in children.values() if v < 0))


def _place(value: str | None) -> tuple[int, float, str]:
    """Numbers and intervals by their first number, then other text, then what is missing."""
    if value is None:
        return (2, 0.0, "")
    try:
        return (0, float(value.split("-")[0] if not value.startswith("-") else value), value)
    except ValueError:
        return (1, 0.0, value)


def _rules(rows: list[Row], guard: Mapping[str, Any], promise: Promise) -> list[str]:
    """Every frequent rule A, B → denied over every set of published columns (Hajian et al., Definition 4)."""
    grounds = guard.get("grounds") or promise.protected
    grounds = [name for name in grounds if name not in promise.gone]
    names = [name for name in promise.published if name != promise.decision]
    if guard.get("contexts"):
        names = [name for name in names if name in (*grounds, *guard["contexts"])]
    support = guard["min_support"]
    least = max(support if isinstance(support, int) else math.ceil(support * len(rows) - CLOSE), 1)
    for size in range(1, min(guard.get("granularity") or len(names), len(names)) + 1):
        for chosen in combinations(names, size):
            inside = [name for name in chosen if name in grounds]
            around = [name for name in chosen if name not in grounds]
            if inside and (rule := _worst(rows, inside, around, least, guard, promise)):
                return [f"{guard['kind']}: {rule}"]
    return []


def _worst(
    rows: list[Row], inside: list[str], around: list[str], least: int, guard: Mapping[str, Any], promise: Promise
) -> str:
    for context, people in _grouped(rows, around).items():
        groups = {
            group: (sum(row[promise.decision or ""] == promise.denied for row in members), len(members))
            for group, members in _grouped(people, inside).items()
        }
        denied = sum(a for a, _ in groups.values())
        for group, (a1, n1) in groups.items():
            if a1 < least:
                continue
            if guard["measure"] == "clift":
                a2, n2 = min(groups.values(), key=lambda counts: counts[0] / counts[1])
            elif guard["measure"] == "elift":
                a2, n2 = denied, len(people)
            else:
                a2, n2 = denied - a1, len(people) - n1
            if n2 and _lift(guard["measure"], a1, n1, a2, n2) >= guard["alpha"] * (1 - CLOSE):
                return f"{dict(zip(inside, group))} in {dict(zip(around, context))}: {a1} of {n1} against {a2} of {n2}"  # type: ignore[call-overload]  # noqa: B905
    return ""


def _lift(measure: str, a1: int, n1: int, a2: int, n2: int) -> float:
    above, below = (a1 * (n2 - a2), a2 * (n1 - a1)) if measure == "olift" else (a1 * n2, a2 * n1)
    if below == 0:
        return math.inf if above else 1.0
    return above / below


def _situations(rows: list[Row], guard: Mapping[str, Any], promise: Promise) -> list[str]:
    """Denied people whose like are denied much more often inside than outside their protected group."""
    grounds = [name for name in promise.protected if name not in promise.gone]
    groups = [tuple(row[name] for name in grounds) for row in rows]
    denied = [row[promise.decision or ""] == promise.denied for row in rows]
    counted = 0
    for t, row in enumerate(rows):
        if not denied[t]:
            continue
        far = [sum(row[name] != other[name] for name in guard["legal"]) for other in rows]
        inside = [i for i in range(len(rows)) if i != t and groups[i] == groups[t]]
        outside = [i for i in range(len(rows)) if groups[i] != groups[t]]
        shares = [_share(side, far, denied, guard["k"]) for side in (inside, outside)]
        counted += None not in shares and shares[0] - shares[1] > guard["threshold"] + CLOSE  # type: ignore[operator]
    share = counted / len(rows)
    if share <= guard["limit"] + CLOSE:
        return []
    return [f"situation-testing: {share:.2%} of the records, at most {guard['limit']:.2%} are promised"]


def _share(side: list[int], far: list[int], denied: list[bool], k: int) -> float | None:
    if not side:
        return None
    limit = sorted(far[i] for i in side)[min(k, len(side)) - 1]
    near = [i for i in side if far[i] <= limit]
    return sum(denied[i] for i in near) / len(near)


def _split(tables: Mapping[str, list[Row]], guard: Mapping[str, Any], promise: Promise) -> list[str]:
    """k-anonymity and distinct ℓ-diversity on every join of the published tables."""
    counted = [_counted(rows) for rows in tables.values() if rows]
    found: list[str] = []
    for size in range(1, len(counted) + 1):
        for some in combinations(counted, size):
            joined = some[0]
            for table in some[1:]:
                joined = _join(joined, table)
            # who looks at one table knows the quasi columns; who joins also knows what was joined on
            shared = set() if size == 1 else _shared(some)
            found += _joined(joined, shared, guard, promise)
    return found


Counted = Counter[tuple[tuple[str, Any], ...]]


def _counted(rows: list[Row]) -> Counted:
    return Counter(tuple(sorted(row.items())) for row in rows)


def _shared(tables: Sequence[Counted]) -> set[str]:
    names = Counter(name for table in tables for name in dict(next(iter(table))))
    return {name for name, times in names.items() if times > 1}


def _join(one: Counted, other: Counted) -> Counted:
    """The natural join: rows that agree in every column that both tables have; counts multiply."""
    if not one or not other:
        return Counter()
    both = sorted(set(dict(next(iter(one)))) & set(dict(next(iter(other)))))
    by_key: dict[Hashable, list[tuple[dict[str, Any], int]]] = defaultdict(list)
    for row, count in other.items():
        by_key[tuple(dict(row)[name] for name in both)].append((dict(row), count))
    joined: Counted = Counter()
    for row, count in one.items():
        for match, times in by_key[tuple(dict(row)[name] for name in both)]:
            joined[tuple(sorted({**dict(row), **match}.items()))] += count * times
    return joined


def _joined(joined: Counted, shared: set[str], guard: Mapping[str, Any], promise: Promise) -> list[str]:
    if guard["kind"] == "k-anonymity":
        smallest = min(sum(group.values()) for group in _by(joined, {*promise.quasi, *shared}, []))
        return [] if smallest >= guard["k"] else [f"a joined class has {smallest} records, k is {guard['k']}"]
    found = []
    if guard["kind"] == "distinct-diversity":
        for name in guard.get("sensitive") or promise.sensitive:
            known = {*promise.quasi, *shared} - {promise.decision}
            if all(name in dict(row) for row in joined) and name not in known:
                values = [_spelt(group, guard) for group in _by(joined, known, [name])]
                fewest = min((len(shown) for shown in values if shown), default=math.inf)
                if fewest < guard["l"]:
                    found.append(f"a joined class shows {fewest} values of {name!r}, ℓ is {guard['l']}")
    return found


def _spelt(group: Counter[Any], guard: Mapping[str, Any]) -> set[Any]:
    """The values of a joined group that count."""
    values = {value for (value,) in group}
    if guard.get("missing", "ignore") == "value":
        return values
    return {value.strip().casefold() for value in values if (value or "").strip()}


def _by(joined: Counted, known: set[str], values: list[str]) -> list[Counter[Any]]:
    """The joined rows of each combination of what is known, counted by other values."""
    groups: dict[Hashable, Counter[Any]] = defaultdict(Counter)
    for packed, count in joined.items():
        row = dict(packed)
        key = tuple((name, row[name]) for name in sorted(known) if name in row)
        groups[key][tuple(row[name] for name in values)] += count
    return list(groups.values())
