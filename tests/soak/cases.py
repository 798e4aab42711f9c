"""Random tables of people with every role, every kind of column and awkward values; guards and a method for each."""

from __future__ import annotations

import datetime
import decimal
import random
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

import fairveil as fv
from fairveil import methods
from fairveil.data.hierarchy import Hierarchy, Tree
from fairveil.guards import Guard
from tests.soak.plain import Promise

ODD = [
    "NA",
    "null",
    "nan",
    "a,b",
    'say "x"',
    " lead",
    "trail ",
    "line\nbreak",
    "é",
    "日本",
    "=1+1",
    "'quoted",
    "-",
    "1e5",
    "007",
]
LEAST_ROWS, MOST_ROWS = 6, 90


@dataclass(frozen=True)
class Case:
    """One thing to try: `frame` by `method` so that `guards` hold."""

    seed: int
    frame: pd.DataFrame
    schema: fv.Schema
    guards: list[Guard]
    method: methods.Method
    promise: Promise
    format: str

    def describe(self) -> str:
        guards = ", ".join(guard.kind for guard in self.guards)
        return f"seed {self.seed}: {self.method.kind} with {guards}, {len(self.frame)} rows, {self.format}"


@dataclass
class _Column:
    values: list[Any]
    hierarchy: Hierarchy | None = None
    secret: bool = False
    """Its values are distinctive, so that finding one in a file means that it was told."""


def case(seed: int) -> Case:
    rng = random.Random(seed)
    rows = rng.randint(LEAST_ROWS, MOST_ROWS)
    kind = rng.choice(list(QUICK))
    names = _names(rng)
    columns = {name: _quasi(rng, rows) for name in (names.pop() for _ in range(rng.randint(1, 4)))}
    roles: dict[str, Any] = {"quasi": list(columns)}
    if rng.random() < 0.7:
        roles["sensitive"] = [names.pop() for _ in range(rng.choice([1, 1, 2]))]
        columns |= {name: _sensitive(rng, rows) for name in roles["sensitive"]}
    if rng.random() < 0.5:
        roles["plain"] = [names.pop()]
        columns[roles["plain"][0]] = _Column(_some(rng, rows, rng.choice([["u", "v"], ["x", "y", "z"], [1, 2, 3]])))
    if rng.random() < 0.5 or kind in NEED_DECISION:
        roles |= {"decision": names.pop(), "denied": "no"}
        columns[roles["decision"]] = _Column(["no", "yes", *_some(rng, rows - 2, ["no", "yes"])])
        if rng.random() < 0.2:
            roles |= {"drop": ["race"], "protected": ["race"]}
            columns["race"] = _Column(_some(rng, rows, ["dark", "light"]))
        elif rng.random() < 0.8 or kind == "fair-mdav":
            roles["protected"] = [_protected(rng, rows, roles, columns, names)]
    columns["number"] = _Column([f"ID-{rng.randrange(10**9):09d}" for _ in range(rows)], secret=True)
    by_persons = seed % 5 == 2 and kind not in ("noisy-table", "dmpd")
    if by_persons:
        _repeat_people(rng, rows, columns, roles)
    else:
        roles["identifier"] = ["number"]
    _spoil(rng, columns, roles)
    hierarchies = {name: column.hierarchy for name, column in columns.items() if column.hierarchy}
    levels = {name: 1 for name in roles.get("sensitive", []) if name in hierarchies and rng.random() < 0.3}
    schema = fv.Schema(**roles, hierarchies=hierarchies, levels=levels)
    frame = pd.DataFrame({name: _series(column.values) for name, column in columns.items()})
    trees = [name for name, rule in hierarchies.items() if isinstance(rule, Tree) and name not in levels]
    guards = _guards_by_persons(rng, roles) if by_persons else _guards(rng, roles, trees, rows)
    return Case(
        seed, frame, schema, guards, _method(rng, kind, roles), _promise(kind, roles, columns, guards),
        rng.choice(["csv", "csv", "parquet"]),
    )  # fmt: skip


def _repeat_people(rng: random.Random, rows: int, columns: dict[str, _Column], roles: dict[str, Any]) -> None:
    """People with several records, who are often the same in all of them; `row` says which record is which."""
    numbers = columns["number"].values
    numbers[:] = rng.choices(numbers[: rows // 2], [rng.random() ** 3 for _ in range(rows // 2)], k=rows)
    for name in [*roles["quasi"], *roles.get("sensitive", [])]:
        if rng.random() < 0.6:
            same = dict(zip(numbers, columns[name].values, strict=True))
            columns[name].values = [same[number] for number in numbers]
    columns["row"] = _Column([f"R{row}" for row in range(rows)])
    roles |= {"person": "number", "plain": [*roles.get("plain", []), "row"]}
    if rng.random() < 0.3:
        roles["plain"].append("number")


def _guards_by_persons(rng: random.Random, roles: dict[str, Any]) -> list[Guard]:
    """Those whose definition by persons is in `persons.py`, now and then on key sets."""
    k, quasi = rng.randint(2, 4), roles["quasi"]
    keys: dict[str, Any] = rng.choice([
        {}, {}, {"subsets": 1}, {"keys": [[quasi[0]], {"columns": quasi[-2:], "k": k + 1}]},
    ])  # fmt: skip
    guards: list[Guard] = [fv.KAnonymity(k, suppression=rng.choice([0.0, 0.1, 0.3, 0.6]), **keys)]
    if roles.get("sensitive") and rng.random() < 0.7:
        guards.append(rng.choice([
            fv.DistinctDiversity(2), fv.DistinctDiversity(3), fv.EntropyDiversity(1.5), fv.RecursiveDiversity(3.0, 2),
            fv.TCloseness(0.3, distance="equal"), fv.TCloseness(0.5, distance="equal"),
        ]))  # fmt: skip
    return guards


QUICK: dict[str, dict[str, Any]] = {
    "incognito": {},
    "best-first": {"time_limit": 5.0},
    "preferences": {"evaluations": 300, "population": 20},
    "roll-up": {},
    "mondrian": {},
    "top-down-greedy": {},
    "local-suppression": {},
    "datafly": {},
    "mdav": {},
    "fair-mdav": {},
    "noisy-table": {"epsilon": 20.0},
    "dmpd": {"generations": 2, "population": 8, "folds": 2},
    "tds": {},
    "tdr": {},
}
"""Every method with settings that answer at once."""
NEED_DECISION = ("fair-mdav", "roll-up", "dmpd", "tds", "tdr")


def _method(rng: random.Random, kind: str, roles: dict[str, Any]) -> methods.Method:
    settings = dict(QUICK[kind])
    if kind == "mondrian":
        settings |= {"relaxed": rng.random() < 0.5, "numeric": rng.random() < 0.7}
    if kind == "top-down-greedy":
        settings |= {"numeric": rng.random() < 0.7}
    if kind in ("mdav", "fair-mdav"):
        settings |= {"distance": rng.choice(["euclidean", "gower"]), "integers": rng.random() < 0.5}
    if kind == "noisy-table":
        settings |= {"public": (*roles["quasi"], *([roles["decision"]] if roles.get("decision") else []))}
    if kind == "dmpd":
        settings |= rng.choice([{}, {"overlap": True}, {"recode": True}])
    return methods.from_dict({"kind": kind, **settings})


def _names(rng: random.Random) -> list[str]:
    plain = ["age", "zip", "job", "sex", "born", "town", "pay", "flag", "size", "kind", "item", "code"]
    odd = ["a;b", "två ord", "x,y", "=sum", "Größe", "50%", "a b", "q?"]
    names = plain if rng.random() < 0.7 else [*plain[:6], *odd]
    return rng.sample(names, len(names))


def _some(rng: random.Random, rows: int, values: list[Any]) -> list[Any]:
    weights = [rng.random() + 0.05 for _ in values]
    return rng.choices(values, weights, k=rows)


KINDS = ["tree", "tree", "interval", "mask", "date", "float", "int", "text", "odd", "bool", "decimal", "big"]


def _quasi(rng: random.Random, rows: int) -> _Column:
    kind = rng.choice(
        ["tree", "tree", "interval", "mask", "date", "float", "int", "text", "odd", "bool", "decimal", "big"]
    )
    if kind == "tree":
        leaves = [f"leaf{i}" for i in range(rng.randint(2, 6))]
        depth = rng.randint(0, 2)
        paths = [[leaf, *[f"l{d}n{i >> d}" for d in range(1, depth + 1)], "*"] for i, leaf in enumerate(leaves)]
        return _Column(_some(rng, rows, leaves), fv.hierarchy.from_rows(paths))
    if kind == "interval":
        return _Column(_some(rng, rows, list(range(20, 60))), fv.hierarchy.intervals([20, 60], widths=(5, 10, 20)))
    if kind == "mask":
        return _Column(_some(rng, rows, [f"{i:03d}" for i in rng.sample(range(1000), 8)]), fv.hierarchy.mask(3))
    if kind == "date":
        days = [datetime.date(1950, 1, 1) + datetime.timedelta(days=rng.randrange(20000)) for _ in range(10)]
        return _Column(_some(rng, rows, days), fv.hierarchy.dates())
    if kind == "float":
        return _Column([round(rng.lognormvariate(8, 1), 2) + 0.003 for _ in range(rows)], secret=True)
    if kind == "int":
        return _Column(_some(rng, rows, rng.sample(range(100), 12)))
    if kind == "big":
        start = rng.choice([2**53, 1234567890123, -(2**60)])
        return _Column(_some(rng, rows, [start + i for i in range(5)]))
    if kind == "decimal":
        return _Column(_some(rng, rows, [decimal.Decimal(i) / 8 for i in rng.sample(range(200), 6)]))
    if kind == "bool":
        return _Column(_some(rng, rows, [True, False]))
    return _Column(_some(rng, rows, rng.sample(ODD, 5) if kind == "odd" else ["Bern", "Rome", "Oslo", "Linz"]))


def _sensitive(rng: random.Random, rows: int) -> _Column:
    if rng.random() < 0.4:
        levels = fv.hierarchy.intervals([0, 200], widths=(10, 100)) if rng.random() < 0.5 else None
        return _Column(_some(rng, rows, rng.sample(range(200), rng.randint(2, 12))), levels)
    leaves = ["flu", "cold", "pox", "gout", "acne"][: rng.randint(2, 5)] + ["Flu "] * (rng.random() < 0.3)
    paths = [[leaf, f"group{i % 2}", "*"] for i, leaf in enumerate(leaves)]
    return _Column(_some(rng, rows, leaves), fv.hierarchy.from_rows(paths))


def _protected(
    rng: random.Random, rows: int, roles: dict[str, Any], columns: dict[str, _Column], names: list[str]
) -> str:
    role = rng.choice(["quasi", "quasi", "sensitive", "plain"])
    if roles.get(role) and rng.random() < 0.6:
        return str(roles[role][0])
    name = names.pop()
    columns[name] = _Column(_some(rng, rows, ["f", "m"]))
    roles[role] = [*roles.get(role, []), name]
    return name


def _spoil(rng: random.Random, columns: dict[str, _Column], roles: dict[str, Any]) -> None:
    """Missing values here and there; now and then a whole column of them, empty text, and repeated rows."""
    for name, column in columns.items():
        if name in (roles.get("decision"), "number", "row") or rng.random() > 0.25:
            continue
        share = rng.choice([0.05, 0.3, 1.0 if name in roles["quasi"] and rng.random() < 0.2 else 0.1])
        column.values = [None if rng.random() < share else value for value in column.values]
        if (
            name in roles["quasi"]
            and column.hierarchy is None
            and all(isinstance(v, str | None) for v in column.values)
        ):
            column.values = ["" if value is None and rng.random() < 0.5 else value for value in column.values]
    if rng.random() < 0.3:
        rows = len(columns["number"].values)
        again = [rng.randrange(rows) for _ in range(rows // 3)]
        for name, column in columns.items():
            if name not in ("number", "row"):
                column.values = column.values[: rows - len(again)] + [column.values[i] for i in again]


def _series(values: list[Any]) -> pd.Series:
    present = [value for value in values if value is not None]
    if present and all(isinstance(value, int) and not isinstance(value, bool) for value in present):
        return pd.Series(values, dtype="Int64")
    return pd.Series(values, dtype=float if present and isinstance(present[0], float) else object)


def _guards(rng: random.Random, roles: dict[str, Any], trees: list[str], rows: int) -> list[Guard]:
    """k-anonymity and up to one guard of each other family, with limits that are neither trivial nor hopeless."""
    suppression = rng.choice([0.0, 0.0, 0.1, 0.3, 0.6, 1.0])
    guards: list[Guard] = [fv.KAnonymity(rng.randint(2, max(2, min(6, rows // 3))), suppression=suppression)]
    if roles.get("sensitive") and rng.random() < 0.6:
        everywhere = set(roles["sensitive"]) <= set(trees)
        distances: list[Any] = ["equal", "ordered", "ordered", *(["hierarchical"] if everywhere else [])]
        chosen: Guard = rng.choice([
            fv.DistinctDiversity(2), fv.DistinctDiversity(3), fv.EntropyDiversity(rng.choice([1.2, 1.6, 2.0])),
            fv.RecursiveDiversity(rng.choice([1.0, 2.0, 4.0]), 2),
            fv.TCloseness(rng.choice([0.1, 0.25, 0.5]), distance=rng.choice(distances)),
        ])  # fmt: skip
        guards.append(replace(chosen, missing="value") if rng.random() < 0.3 else chosen)  # type: ignore[call-arg]
    if roles.get("drop") and rng.random() < 0.7:
        guards.append(
            fv.NoRedlining(rng.choice([1.2, 2.0]), min_support=2, knowledge=(f"{roles['quasi'][0]} -> race",))
        )
    elif roles.get("protected") and not roles.get("drop") and rng.random() < 0.7:
        support = rng.choice([1, 2, 0.05, 0.1])
        measure = rng.choice(["slift", "elift", "clift", "olift"])
        granularity = rng.choice([None, None, 1, 2])
        legal = [name for name in roles["quasi"] if name not in roles["protected"]]
        if legal and rng.random() < 0.3:
            guards.append(fv.SituationTesting(legal[0], k=rng.choice([1, 3, 8]), limit=rng.choice([0.0, 0.2, 0.9])))
        else:
            guards.append(fv.AlphaProtection(rng.choice([1.2, 2.0, 4.0]), measure, support, granularity))
    return guards


def _promise(kind: str, roles: dict[str, Any], columns: dict[str, _Column], guards: list[Guard]) -> Promise:
    trees = {name: columns[name].hierarchy for name in roles.get("sensitive", [])}
    paths = {name: {row[0]: row for row in tree.rows} for name, tree in trees.items() if isinstance(tree, Tree)}
    secrets = dict.fromkeys(
        value for column in columns.values() if column.secret for value in column.values if value not in (None, "")
    )
    return Promise(
        quasi=roles["quasi"],
        sensitive=roles.get("sensitive", []),
        protected=roles.get("protected", []),
        plain=roles.get("plain", []),
        decision=roles.get("decision"),
        denied=roles.get("denied"),
        gone=[*(["number"] if "number" not in roles.get("plain", []) else []), *roles.get("drop", [])],
        guards=[_settings(guard) for guard in guards],
        paths=paths,
        secrets=list(secrets),
        persons=dict(zip(columns["row"].values, columns["number"].values, strict=True)) if "row" in columns else {},
        linked="number" in roles.get("plain", []),
        apart=kind != "fair-mdav",
        every_column=kind != "noisy-table",
    )


def _settings(guard: Guard) -> dict[str, Any]:
    grounds = {"grounds": list(guard.indirect)} if isinstance(guard, fv.NoRedlining) else {}
    return {"kind": guard.kind, **{name: getattr(guard, name) for name in guard.__dataclass_fields__}, **grounds}
