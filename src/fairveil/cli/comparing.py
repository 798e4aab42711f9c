"""The work of `fairveil explore`: all methods of a plan on one frontier, as a table, data, a plot or sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from fairveil import measures as known_measures
from fairveil.cli.terminal import number, say, say_csv, say_json, say_table, share, warn, working
from fairveil.errors import BadInput
from fairveil.extras import need
from fairveil.frontier.frontier import Frontier
from fairveil.plural import counted, verb
from fairveil.run.plan import Plan

TRAINED = 30
"""Default number of candidates compared per method if a measure trains classifiers."""
ENDINGS = (".png", ".svg", ".pdf")


@dataclass(frozen=True)
class ExploreOptions:
    """The options of the command. `shown` is the default of `top` for a table."""

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
    def pair(self) -> tuple[str, str] | None:
        if self.compare is None:
            return None
        pair = [candidate.strip() for candidate in self.compare.split(",")]
        are_numbers = all(digits.isdigit() for candidate in pair for digits in candidate.split("."))
        if len(pair) != 2 or not are_numbers or pair[0] == pair[1]:
            raise BadInput(f"--compare takes two different candidates, such as 3,17 or 1.3,2.17, not {self.compare!r}")
        return pair[0], pair[1]

    def drawn(self, names: Sequence[str]) -> list[str]:
        """The measures of the plot: those of --pareto, else the first two."""
        if self.plot is not None:
            need("matplotlib", "--plot")
        if self.plot is not None and self.plot.suffix not in ENDINGS:
            raise BadInput(f"--plot {self.plot}: the name must end in {', '.join(ENDINGS)}")
        chosen = list(self.pareto) or list(names[:2])
        if self.plot is not None and len(chosen) not in (2, 3):
            raise BadInput("--plot draws two or three measures: name them with --pareto, such as --pareto loss,k")
        return chosen


def run(plan: Plan, path: Path, request: ExploreOptions) -> int:
    """Explore, and print in the requested form."""
    names = request.names(plan)
    trains = any(known_measures.get(name).trains for name in names)
    pair, drawn = request.pair, request.drawn(names)
    most = request.most or (TRAINED if trains else None)
    with working("reading the data", frames=trains) as progress:
        comparison = plan.explore(names, most=most, keep=request.keep, progress=progress)
        ranked = _ranked(comparison, plan.choose, request.pareto)
        if pair is not None:
            ranked = np.array([comparison.position_of(candidate) for candidate in pair])
        positions = ranked[: request.top or (request.shown if request.form == "table" else len(ranked))]
        records = comparison.records(names, positions)
        baseline = comparison.baseline(names)
        if request.explain:
            _explain(comparison, positions, records, request.pareto or names)
        columns = _differences(comparison, *ranked) if pair is not None else []
        if request.plot is not None:
            from fairveil.frontier.plots import plot

            title = f"{counted(len(comparison), 'candidate')} of {counted(len(comparison.results), 'method')}"
            plot(
                comparison,
                drawn,
                request.plot,
                title=title,
                groups=[
                    _called(comparison.label(i), comparison.method(i).false_values) for i in range(len(comparison))
                ],
                baseline=baseline,
            )
    if request.form == "json":
        say_json({
            "candidates": comparison.total, "compared": len(comparison), "shown": len(records),
            "chosen_by": plan.choose, "exhaustive": comparison.exhaustive, "notes": list(comparison.notes),
            "baseline": baseline, "records": records,
            **({"columns": columns} if pair is not None else {}),
        })  # fmt: skip
    elif request.form == "csv":
        _print_csv(records, names)
    else:
        _print_table(comparison, records, names, columns, len(ranked), plan.choose, baseline)
        say(f"Publish one: fairveil release {path} --out DIR --candidate N")
    for what, place in (("plot", request.plot), ("kept search", request.keep)):
        if place is not None:
            told = f"The {what} is in {place}: it tells more than a release, and only you can read it"
            (say if request.form == "table" else warn)(told)
    return 0


def _ranked(comparison: Frontier, choose: str, beaten_in: Sequence[str]) -> np.ndarray:
    """Positions, best first, those without a value last; only non-dominated ones."""
    from fairveil.choice.pareto import pareto

    positions = np.flatnonzero(pareto(comparison.points(beaten_in))) if beaten_in else np.arange(len(comparison))
    return positions[np.argsort(known_measures.get(choose).loses(comparison.values(choose)[positions]), kind="stable")]


def _explain(comparison: Frontier, positions: np.ndarray, records: list[dict[str, Any]], names: Sequence[str]) -> None:
    """Add what each record keeps and loses, and what dominates it."""
    from fairveil.frontier.explain import keeps_and_loses, why_dominated

    for position, record in zip(map(int, positions), records, strict=True):
        record["keeps"], record["loses"] = keeps_and_loses(comparison, position)
        record["beaten"] = why_dominated(comparison, position, names)


def _differences(comparison: Frontier, first: int, second: int) -> list[dict[str, Any]]:
    from fairveil.frontier.explain import compare

    return [difference.to_dict() for difference in compare(comparison, int(first), int(second))]


def _print_table(
    comparison: Frontier, records: list[dict[str, Any]], names: Sequence[str], columns: list[dict[str, Any]],
    total: int, choose: str, baseline: Mapping[str, float],
) -> None:  # fmt: skip
    with_levels = any(record["levels"] for record in records)
    known_levels = " · ".join(comparison.results[0].task.levels)
    of_all = f" of {len(comparison):,} compared" if total < len(comparison) else ""
    of_all += (
        f" ({comparison.total:,} {verb(comparison.total, 'was', 'were')} found)"
        if len(comparison) < comparison.total
        else ""
    )
    say(
        f"{counted(total, 'candidate')}{of_all}, best {choose} first"
        + (f"; levels are {known_levels}" if with_levels else "")
    )
    say_table(
        ["candidate", "method", *(["levels"] if with_levels else []), *names],
        [
            [r["candidate"], _method(r), *([_levels(r)] if with_levels else []), *(float(r[name]) for name in names)]
            for r in records
        ]
        + [_source(names, baseline, with_levels)] * bool(baseline),
    )
    if columns:
        _print_columns(columns, records)
    for record in records:
        if "keeps" in record:
            say(f"candidate {record['candidate']} ({_method(record)}): {record['keeps']}; {record['loses']}")
            say(f"  {record['beaten']}")
    for note in dict.fromkeys((*comparison.notes, *_compares_badly(records, names))):
        say(f"note: {note}")
    if len(records) < total and not columns:
        say(f"{total - len(records):,} more: --top N, --pareto, or --csv for all")


def _method(record: Mapping[str, Any]) -> str:
    """The method, with a note if its published values may be false."""
    return _called(record["method"], record["false_values"])


def _called(method: str, false_values: str) -> str:
    return f"{method}, {false_values}" if false_values else method


def _compares_badly(records: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[str]:
    """A warning if loss would compare false values with coarse ones."""
    false = {record["method"]: record["false_values"] for record in records if record["false_values"]}
    if "loss" not in names or not false or len(false) == len({record["method"] for record in records}):
        return []
    listed = ", ".join(f"{method} ({word})" for method, word in false.items())
    return [f"some values of {listed} are false, which loss does not charge: compare by entropy, error or truthful"]


def _source(names: Sequence[str], baseline: Mapping[str, float], with_levels: bool) -> list[Any]:
    """The last line of the table: the source by the same measures."""
    gap = ["–"] if with_levels else []
    return ["–", "the source itself", *gap, *(baseline.get(name, float("nan")) for name in names)]


def _print_columns(columns: list[dict[str, Any]], records: list[dict[str, Any]]) -> None:
    first, second = (record["candidate"] for record in records[:2])
    keeper = {"one": f"candidate {first}", "other": f"candidate {second}", "both alike": "both alike"}
    say_table(
        ["column", f"values in {first}", f"in {second}", f"lost in {first}", f"in {second}", "keeps more"],
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
    columns = list(dict.fromkeys(column for record in records for column in record["levels"]))
    words = [name for name in ("keeps", "loses", "beaten") if records and name in records[0]]
    rows = [["candidate", "method", "false values", *(f"level of {column}" for column in columns), *names, *words]]
    for record in records:
        levels = [record["levels"].get(column, "") for column in columns]
        measured = [repr(record[name]) for name in names]
        told = [record[name] for name in ("candidate", "method", "false_values")]
        rows.append([*told, *levels, *measured, *(record[word] for word in words)])
    say_csv(rows)
