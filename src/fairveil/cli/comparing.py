"""What `fairveil explore` does: all methods of a plan on one frontier, shown as a table, as data, drawn or in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from fairveil import measures as known
from fairveil.cli.terminal import number, say, say_json, say_table, share, working
from fairveil.errors import BadInput
from fairveil.methods.base import Method
from fairveil.run.explore import Comparison
from fairveil.run.plan import Plan

TRAINED = 30
"""Candidates of each method that are compared where a measure trains classifiers, unless told otherwise."""
ENDINGS = (".png", ".svg", ".pdf")


@dataclass(frozen=True)
class Request:
    """The options of the command. `shown` is how many a table shows unless `top` says."""

    pareto: Sequence[str]
    measures: Sequence[str]
    top: int | None
    form: Literal["table", "csv", "json"]
    shown: int
    compare: str | None = None
    explain: bool = False
    plot: Path | None = None
    most: int | None = None
    keep: Path | None = None

    def names(self, plan: Plan) -> list[str]:
        """The measures to show, each once: what the plan chooses by, then the frontier's, the plan's, further ones."""
        return list(dict.fromkeys([plan.choose, *self.pareto, *plan.measures, *self.measures]))

    @property
    def pair(self) -> tuple[int, int] | None:
        if self.compare is None:
            return None
        parts = [part.strip() for part in self.compare.split(",")]
        if len(parts) != 2 or not all(part.isdigit() for part in parts) or parts[0] == parts[1]:
            raise BadInput(f"--compare takes two different candidates, such as 3,17, not {self.compare!r}")
        return int(parts[0]), int(parts[1])

    def drawn(self, names: Sequence[str]) -> list[str]:
        """The measures of the plot: those of --pareto, else the first two."""
        if self.plot is not None and self.plot.suffix not in ENDINGS:
            raise BadInput(f"--plot {self.plot}: the name must end in {', '.join(ENDINGS)}")
        chosen = list(self.pareto) or list(names[:2])
        if self.plot is not None and len(chosen) not in (2, 3):
            raise BadInput("--plot draws two or three measures: name them with --pareto, such as --pareto loss,k")
        return chosen


def run(plan: Plan, path: Path, asked: Request) -> int:
    """Explore, and answer in the form asked for."""
    names = asked.names(plan)
    wanted = [known.get(name) for name in names]
    trains = any(measure.trains for measure in wanted)
    pair, drawn = asked.pair, asked.drawn(names)
    most = asked.most or (TRAINED if trains else None)
    with working("reading the data", frames=trains) as progress:
        found = plan.explore(names, most=most, keep=asked.keep, progress=progress)
        ranked = _ranked(found, plan.choose, asked.pareto)
        if pair is not None:
            ranked = np.array([found.position_of(number) for number in pair])
        shown = ranked[: asked.top or (asked.shown if asked.form == "table" else len(ranked))]
        records = _records(found, shown, names)
        baseline = found.baseline(names)
        if asked.explain:
            _explain(found, shown, records, asked.pareto or names)
        columns = _differences(found, *ranked) if pair is not None else []
        if asked.plot is not None:
            from fairveil.frontier.plots import plot

            title = f"{len(found):,} candidates of {len(found.parts)} methods"
            plot(found, drawn, asked.plot, title=title, groups=_labels(found), baseline=baseline)
    if asked.form == "json":
        say_json({
            "candidates": found.total, "compared": len(found), "shown": len(records), "chosen_by": plan.choose,
            "exhaustive": found.exhaustive, "notes": list(found.notes), "baseline": baseline, "records": records,
            **({"columns": columns} if pair is not None else {}),
        })  # fmt: skip
    elif asked.form == "csv":
        _print_csv(records, names)
    else:
        _print_table(found, records, names, columns, len(ranked), plan.choose, baseline)
        if asked.plot is not None:
            say(f"The plot is in {asked.plot}")
        say(f"Publish one: fairveil release {path} --out DIR --candidate N")
    return 0


def _ranked(found: Comparison, choose: str, beaten_in: Sequence[str]) -> np.ndarray:
    """Positions, best first, what has no value last; only those that no other beats."""
    from fairveil.choice.pareto import pareto

    kept = np.flatnonzero(pareto(found.points(beaten_in))) if beaten_in else np.arange(len(found))
    return kept[np.argsort(known.get(choose).loses(found.values(choose)[kept]), kind="stable")]


def _labels(found: Comparison) -> list[str]:
    """The method of each candidate; methods of one kind are told apart by the settings in which they differ."""
    methods = [part.proposal.method for part in found.parts]
    names = [_label(method, [other for other in methods if other.kind == method.kind]) for method in methods]
    return [names[part] for part in found.owner]


def _label(method: Method, alike: Sequence[Method]) -> str:
    differing = [
        f"{name}={value}" for name, value in vars(method).items() if any(vars(o)[name] != value for o in alike)
    ]
    return f"{method.kind} ({', '.join(differing)})" if differing else method.kind


def _records(found: Comparison, shown: np.ndarray, names: Sequence[str]) -> list[dict[str, Any]]:
    labels, values = _labels(found), {name: found.values(name) for name in names}
    made = []
    for position in map(int, shown):
        levels = getattr(found.recipe(position), "levels", None)  # of recipes that generalize whole domains
        made.append({
            "candidate": int(found.number[position]),
            "method": labels[position],
            "levels": dict(levels) if isinstance(levels, Mapping) else {},
            **{name: float(column[position]) for name, column in values.items()},
        })  # fmt: skip
    return made


def _explain(found: Comparison, shown: np.ndarray, records: list[dict[str, Any]], names: Sequence[str]) -> None:
    """Add to each record what it keeps and loses, and what beats it."""
    from fairveil.frontier.explain import keeps_and_loses, why_dominated

    for position, record in zip(map(int, shown), records, strict=True):
        record["keeps"], record["loses"] = keeps_and_loses(found, position)
        record["beaten"] = why_dominated(found, position, names, found.number)


def _differences(found: Comparison, one: int, other: int) -> list[dict[str, Any]]:
    from fairveil.frontier.explain import compare

    return [difference.to_dict() for difference in compare(found, int(one), int(other))]


def _print_table(
    found: Comparison, records: list[dict[str, Any]], names: Sequence[str], columns: list[dict[str, Any]],
    total: int, choose: str, baseline: Mapping[str, float],
) -> None:  # fmt: skip
    with_levels = any(record["levels"] for record in records)
    known_levels = " · ".join(found.parts[0].task.levels)
    few = f" of {len(found):,} compared" if total < len(found) else ""
    few += f" ({found.total:,} were found)" if len(found) < found.total else ""
    say(f"{total:,} candidates{few}, best {choose} first" + (f"; levels are {known_levels}" if with_levels else ""))
    say_table(
        ["candidate", "method", *(["levels"] if with_levels else []), *names],
        [
            [r["candidate"], r["method"], *([_levels(r)] if with_levels else []), *(float(r[name]) for name in names)]
            for r in records
        ]
        + [_source(names, baseline, with_levels)] * bool(baseline),
    )
    if columns:
        _print_columns(columns, records)
    for record in records:
        if "keeps" in record:
            say(f"candidate {record['candidate']} ({record['method']}): {record['keeps']}; {record['loses']}")
            say(f"  {record['beaten']}")
    for note in dict.fromkeys(found.notes):
        say(f"note: {note}")
    if len(records) < total and not columns:
        say(f"{total - len(records):,} more: --top N, --pareto, or --csv for all")


def _source(names: Sequence[str], baseline: Mapping[str, float], with_levels: bool) -> list[Any]:
    """The last line of the table: the source by the same measures."""
    gap = ["–"] if with_levels else []
    return ["–", "the source itself", *gap, *(baseline.get(name, float("nan")) for name in names)]


def _print_columns(columns: list[dict[str, Any]], records: list[dict[str, Any]]) -> None:
    one, other = (record["candidate"] for record in records[:2])
    keeper = {"one": f"candidate {one}", "other": f"candidate {other}", "both alike": "both alike"}
    say_table(
        ["column", f"values in {one}", f"in {other}", f"lost in {one}", f"in {other}", "keeps more"],
        [
            [c["column"], c["one"]["values"], c["other"]["values"], _share(c["one"]["lost"]),
             _share(c["other"]["lost"]), keeper[c["keeps_more"]]]
            for c in columns
        ],
    )  # fmt: skip


def _share(value: float) -> str:
    return share(value) if np.isfinite(value) else number(value)


def _levels(record: dict[str, Any]) -> str:
    return " ".join(str(level) for level in record["levels"].values()) or "–"


def _print_csv(records: list[dict[str, Any]], names: list[str]) -> None:
    import csv
    import sys

    columns = list(dict.fromkeys(column for record in records for column in record["levels"]))
    words = [name for name in ("keeps", "loses", "beaten") if records and name in records[0]]
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["candidate", "method", *(f"level of {column}" for column in columns), *names, *words])
    for record in records:
        levels = [record["levels"].get(column, "") for column in columns]
        measured = [repr(record[name]) for name in names]
        writer.writerow([record["candidate"], record["method"], *levels, *measured, *(record[word] for word in words)])
