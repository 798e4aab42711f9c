"""How likely somebody is singled out, before and after, and how many records look alike."""

from __future__ import annotations

import itertools
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.summary import EXPOSED_BELOW
from fairveil.markup import Html, join, shown, table, tag
from fairveil.measures.key_risk import HEAD, MAX_SETS, key_set_risks
from fairveil.reporting.charts import ChartBar, bars, figure, histogram, legend, swatch
from fairveil.reporting.numbers import count, percent, short, times

if TYPE_CHECKING:
    from fairveil.reporting.context import GroupSizes, ReportContext

SHOWN = 12
"""How many sets of columns are drawn."""
RISKS = {
    "highest-risk": "highest chance to pick out a person",
    "average-risk": "average chance to pick out a person",
    "at-risk": f"records with fewer than {EXPOSED_BELOW - 1} look-alikes",
    "uniqueness": "unique records",
}


def risk(c: ReportContext) -> Html | None:
    names = [name for name in RISKS if name in c.measures]
    if not names or c.recipe.invents:  # no record belongs to a person
        return None
    before, words = c.before, {name: c.by_unit(said) for name, said in RISKS.items()}
    figures = {"before": (before, "c2"), "after": (c.measures, "c1")} if before else {"after": (c.measures, "c1")}
    rows = [
        [words[name], *(percent(shares[name]) if name in shares else "–" for shares, _ in figures.values())]
        for name in names
    ]
    groups = [
        (words[name], [ChartBar(shares[name], percent(shares[name]), color)
                       for shares, color in figures.values() if name in shares])
        for name in names
    ]  # fmt: skip
    chart = bars(
        "Re-identification risk" + (" before and after" if before else ""),
        groups,
        axis="share or chance, in percent",
        maximum=1.0,
    )
    keys = [(swatch("c2"), "before (upper bar)"), (swatch("c1"), "after (lower bar)")] if before else []
    caption = [
        "The attacker is assumed to know that the person is in the data, and all of the person's values in the quasi "
        "columns. ",
        f"Numbers before are those of the same {c.by_unit('record')}s as they were, rounded to a tenth of a percent."
        if before
        else "",
    ]
    return join([
        tag("div", figure(join([legend(keys) if keys else None, chart]), caption),
            table("The same in numbers", ["risk", *figures], rows, range(1, 1 + len(figures))), class_="charts"),
        same_answers(c),
    ])  # fmt: skip


def key_sets(c: ReportContext) -> Html | None:
    """The risk of the sets of up to three quasi columns, the riskiest first, where a promise is about key sets."""
    classes, quasi = c.published.classes, c.schema.quasi
    if classes is None or not len(classes) or c.recipe.invents:
        return None
    if not c.internal and not any(guard.across for guard, _ in c.guards):
        return None
    size = next(m for m in (3, 2, 1) if m == 1 or sum(comb(len(quasi), n) for n in range(1, m + 1)) <= MAX_SETS)
    risks = key_set_risks(classes, quasi, size, person=c.published.visible.person)
    groups = [
        (" + ".join(risk.columns), [ChartBar(1 / risk.smallest, f"1 in {risk.smallest:,}")]) for risk in risks[:SHOWN]
    ]
    chart = bars("Highest chance to pick out a person by some columns", groups, axis="highest chance, in percent")
    caption = (
        f"What attackers can do who know only some columns of a person: the {min(SHOWN, len(risks))} riskiest of "
        f"{times(len(risks), 'set')} of up to {times(size, 'quasi column')}, by their smallest group."
    )
    numbers = table("The same in numbers", list(HEAD), risks.lines(SHOWN), range(1, len(HEAD)))
    return tag("div", figure(chart, [caption]), numbers, class_="charts")


def same_answers(c: ReportContext) -> Html | None:
    """Homogeneity: what a class gives away although nobody in it is singled out."""
    if not c.same_answer:
        return None
    whole = max(c.rows["published"], 1)
    rows = [[shown(name, 40), count(n), percent(n / whole)] for name, n in c.same_answer.items()]
    return table(
        "Records in groups of look-alikes that all share one value: anybody who finds the group knows that value",
        ["column", "records", "share"], rows, [1, 2],
    )  # fmt: skip


def classes(c: ReportContext) -> Html | None:
    several = len(c.class_sizes) > 1
    charts = [_sizes(c, stem if several else "", of) for stem, of in c.class_sizes.items()]
    return tag("div", charts, class_="charts") if charts else None


def counted(sizes: np.ndarray, records: np.ndarray) -> tuple[list[int], np.ndarray, np.ndarray]:
    """Edges of group sizes, and how many groups and records lie between each two; sizes may be numbers of persons."""
    edges = bins(sizes)
    return edges, np.histogram(sizes, bins=edges)[0], np.histogram(sizes, bins=edges, weights=records)[0]


def _sizes(c: ReportContext, stem: str, of: GroupSizes) -> Html:
    sizes, unit, (edges, groups, rows) = of.sizes, of.unit, counted(of.sizes, of.records)
    where = f" ({stem})" if stem else ""
    by = "of their group" if unit == "record" else f"of their group, in {unit}s"
    alike = "records that look alike" if unit == "record" else f"{unit}s with records that look alike"
    chart = histogram(
        f"Published records by the size {by}{where}", edges, rows.tolist(), across=f"{alike} (size of the group)",
        up="published records",
    )  # fmt: skip
    smallest = count(sizes.min()) if unit == "record" else times(int(sizes.min()), unit)
    caption = (
        f"{times(int(of.records.sum()), 'record')} in {times(len(sizes), 'group')} of records that look alike in the "
        f"quasi columns{where}: the smallest has {smallest}, the largest {count(sizes.max())}, the middle one "
        f"{count(np.median(sizes))}."
    )
    if c.published.smallest is not None and unit == "record":
        fewest = times(c.published.smallest, "person")
        caption += (
            " Records are counted here, because the files do not say who they are about: when the release was made, "
            f"the smallest group had {fewest}."
        )
    lines = [
        [_span(low, high), count(number), count(records)]
        for low, high, number, records in zip(edges[:-1], edges[1:], groups, rows, strict=True)
        if number
    ]
    numbers = table(f"The same in numbers{where}", ["group of", "groups", "records"], lines, [1, 2])
    return join([figure(chart, [caption]), numbers])


def bins(sizes: np.ndarray) -> list[int]:
    """Edges from the smallest class on, each twice the one before (or more, so that there are at most twelve)."""
    low, high = int(sizes.min()), int(sizes.max())
    factor = next(factor for factor in itertools.count(2) if low * factor**12 > high)
    edges = [low]
    while edges[-1] <= high:
        edges.append(edges[-1] * factor)
    return edges


def _span(low: int, high: int) -> str:
    if high - low == 1:
        return count(low)
    return f"{short(low)} to {short(high - 1)}" if low >= 1e6 else f"{low:,}–{high - 1:,}"
