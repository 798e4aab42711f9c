"""The numbers behind every sentence, computed from a published table with pandas. Nothing here uses fairveil."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import pandas as pd


def share(value: float) -> str:
    """A share as attacks write it."""
    if 0 < value < 0.001:
        return "less than 0.1 %"
    if 0.999 < value < 1:
        return "more than 99.9 %"
    return f"{100 * value:.1f}".removesuffix(".0") + " %"


def of_report(value: float) -> str:
    """A share as the report writes it."""
    hundred = 100 * value
    if hundred in (0, 100):
        return f"{hundred:.0f} %"
    if hundred < 0.01:
        return "under 0.01 %"
    if hundred >= 99.95:
        return "over 99.9 %"
    return f"{hundred:.2f} %" if hundred < 1 else f"{hundred:.1f} %"


def many(number: int, one: str, more: str | None = None) -> str:
    return f"{number:,} {one}" if number == 1 else f"{number:,} {more or one + 's'}"


def classes(table: pd.DataFrame, quasi: Sequence[str]) -> list[pd.DataFrame]:
    return [rows for _, rows in table.groupby(list(quasi), dropna=False, sort=False)]


def with_value(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """The rows with a value in a column, in one spelling."""
    spelt = table[column].map(lambda v: v.strip().casefold() if isinstance(v, str) else v).replace("", None)
    return table.assign(**{column: spelt})[spelt.notna()]


def counts(values: pd.Series) -> list[int]:
    """How often each value occurs, the most frequent first; a missing one is a value."""
    return sorted(values.value_counts(dropna=False).tolist(), reverse=True)


def frequency(values: pd.Series) -> dict[object, float]:
    return {("-" if pd.isna(v) else v): n / len(values) for v, n in values.value_counts(dropna=False).items()}


def reidentification(table: pd.DataFrame, quasi: Sequence[str]) -> str:
    sizes = [len(c) for c in classes(table, quasi)]
    alone = sizes.count(1)
    said = (
        f"somebody who knows that a person is in the data picks the right record in at most "
        f"{share(1 / min(sizes))} of the "
        f"cases, {share(len(sizes) / len(table))} on average"
    )
    if alone:
        said += "; 1 record is alone in its class" if alone == 1 else f"; {alone:,} records are alone in their class"
    return said


def homogeneity(table: pd.DataFrame, quasi: Sequence[str], column: str) -> str:
    table = with_value(table, column)
    usual = frequency(table[column])
    if len(usual) == 1:
        return f"all who have a value of {column} have the same one, in every class"
    pure = caught = in_pure = in_caught = 0
    best = 0.0
    for rows in classes(table, quasi):
        there = frequency(rows[column])
        top = max(there.values())
        best = max(best, top)
        # of equally frequent values any would do for the share, but the one compared with is the first
        telling = top >= 0.9 and any(s == top and s > usual[v] + 1e-9 for v, s in there.items())
        caught, in_caught = caught + telling, in_caught + telling * len(rows)
        if telling and top == 1:
            pure, in_pure = pure + 1, in_pure + len(rows)
    known = "it is known with 90 % certainty or more"
    if pure:
        return (
            f"{many(pure, 'class', 'classes')} with {many(in_pure, 'record')} ({share(in_pure / len(table))}) "
            f"{'gives' if pure == 1 else 'give'} away {column} for certain, because all in a class have the same; for "
            f"{many(in_caught, 'record')} ({share(in_caught / len(table))}) {known}"
        )
    if caught:
        caught_share = share(in_caught / len(table))
        return f"no class gives away {column} for certain, but for {many(in_caught, 'record')} ({caught_share}) {known}"
    return f"no class gives away {column}: the best guess is right in {share(best)} of the cases at most"


def strikes(values: pd.Series) -> int:
    """The fewest values to rule out until one of the rest has nine in ten; by trying all sets of values."""
    often = counts(values)
    for number in range(len(often)):
        for gone in combinations(range(len(often)), number):
            left = [n for i, n in enumerate(often) if i not in gone]
            if max(left) >= 0.9 * sum(left) - 1e-9:
                return number
    raise AssertionError


def background(table: pd.DataFrame, quasi: Sequence[str], column: str) -> str:
    table = with_value(table, column)
    usual = strikes(table[column])
    needed = [(strikes(rows[column]), len(rows)) for rows in classes(table, quasi)]
    least = min(n for n, _ in needed)
    easy = sum(rows for n, rows in needed if n <= 1 and n < usual)
    said = "need not rule out any value" if least == 0 else "must rule out " + many(least, "value")
    said = f"an attacker {said} to be (nearly) certain of somebody's {column}"
    said += f"; in the whole table they must rule out {usual}"
    return said + (f"; one fact is enough for {easy:,} of {many(len(table), 'record')}" if easy else "")


def skewness(table: pd.DataFrame, quasi: Sequence[str], column: str) -> str:
    table = with_value(table, column)
    usual = frequency(table[column])
    gaps, rise = [], (-1.0, 0.0, 0.0)
    for rows in classes(table, quasi):
        there = frequency(rows[column])
        gaps.append((sum(abs(there.get(v, 0) - s) for v, s in usual.items()) / 2, len(rows)))
        rise = max([rise, *((s - usual[v], usual[v], s) for v, s in there.items())], key=lambda r: round(r[0], 12))
    worst, mean = max(g for g, _ in gaps), sum(g * n for g, n in gaps) / len(table)
    far = sum(n for g, n in gaps if g > 0.4 + 1e-12)
    said = (
        f"the class farthest from the whole table is {worst:.2f} away in {column}, {mean:.2f} on average; the "
        f"likelihood "
        f"of one value rises from {share(rise[1])} to {share(rise[2])}"
    )
    return said + (
        f"; {many(far, 'record')} {'is' if far == 1 else 'are'} in classes more than 0.4 away" if far else ""
    )


def uniqueness(table: pd.DataFrame, quasi: Sequence[str], plain: Sequence[str], k: int) -> str:
    """Plain columns, and of the others those by which more than one in twenty is alone; all have at least two values in
    three records, so none numbers people."""
    together = [len(c) for c in classes(table, [*quasi, *plain])]
    single, small = together.count(1), sum(n for n in together if n < k)
    sizes = {name: counts(table[name]) for name in [*plain, *table.columns] if name not in quasi}
    looked_at = [name for name in sizes if name in plain or sizes[name].count(1) > 0.05 * len(table)]
    few = {name: sum(n for n in sizes[name] if n < k) / len(table) for name in looked_at}
    worst = max(looked_at, key=lambda name: few[name])
    said = (
        f"{many(small, 'record')} of {len(table):,} ({share(small / len(table))}) "
        f"{'is' if small == 1 else 'are'} among fewer than {k} by "
        f"the quasi columns and plain columns together, {single:,} of them unique"
    )
    if few[worst]:
        alone = share(sizes[worst].count(1) / len(table))
        said += f"; {share(few[worst])} are so by {worst!r} alone, which is published untouched, {alone} unique"
    return said


def similarity(table: pd.DataFrame, quasi: Sequence[str], column: str, group: Mapping[str, str]) -> tuple[int, float]:
    """Records in diverse classes of which nine in ten are of one group, more than in the whole; the largest share."""
    table = with_value(table, column)
    usual = frequency(table[column].map(group))
    affected, most = 0, 0.0
    for rows in classes(table, quasi):
        if max(frequency(rows[column]).values()) >= 0.9:
            continue
        there = frequency(rows[column].map(group))
        top = max(there.values())
        most = max(most, top)
        if top >= 0.9 and any(s == top and s > usual[v] + 1e-9 for v, s in there.items()):
            affected += len(rows)
    return affected, most
