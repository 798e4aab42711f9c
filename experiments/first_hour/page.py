"""The table of the first hour, as a page of the docs."""

from __future__ import annotations

import platform
from collections.abc import Sequence

from experiments.first_hour.playing import STEPS, Hour

HEAD = """# The first hour

*Explanation*

What a data steward sees who has never used fairveil: for each file `fairveil init` writes a plan, and `explore`,
`release`, `verify`, `attack`, `utility` and `apply` run with it, each in a process of its own. No plan is edited.
This page is written by `python -m experiments.first_hour`; no figure on it is by hand.

The files hold real rows in the forms in which people keep them: UTF-8, UTF-16, Latin-1 and cp1252; commas,
semicolons and tabs; Excel, OpenDocument, Parquet, Stata, SPSS, packed files; decimal commas; missing values written in
several ways. The two hospital files and those in German, French and Spanish are made up, because real ones with names,
birth dates and doctors' notes cannot be had. A tenth of the rows is kept back as new data for `apply`.

"""
MEANING = """
`acceptable roles` are those that an expert wrote down for the file (`experiments/first_hour/roles.toml`), `hidden` is
the share of the published cells that show nothing, rows that are left out included. `accepted` means: no column that
names people is published, every sensitive column is guarded, at most half of the cells are hidden, and no
value looks like an e-mail address, a phone number or a sentence; every class has k rows (counted with pandas); no more
rows are left out than the plan allows; every label covers the true value of its row; and no column stands at its top
where one level lower would still keep k, ℓ and t. `entropy` is the share of the bits in the quasi
columns that the release [hides](measures.md), `truthful` the share of cells whose label covers the true value.
Where people have several rows, a column says who each row is about, and k counts people.
"""


def page(hours: Sequence[Hour]) -> str:
    """The whole page."""
    return f"{HEAD}## The releases\n\n{_releases(hours)}\n{MEANING}\n{_roles(hours)}## Seconds\n\n{_seconds(hours)}\n"


def _roles(hours: Sequence[Hour]) -> str:
    """What an expert would change."""
    columns, changes = sum(hour.columns for hour in hours), sum(len(hour.changes) for hour in hours)
    lines = [f"- {hour.name}: {change}" for hour in hours for change in hour.changes]
    fine = columns - changes
    share = f"Of {columns} suggested roles, {fine} are acceptable ({fine / max(columns, 1):.1%})."
    return "## What an expert would change\n\n" + "\n".join([share, "", *lines]).rstrip() + "\n\n"


def verdict(hour: Hour) -> str:
    faults = list(hour.faults)
    if hour.figures.get("truthful", 1.0) < 1.0:
        faults.append("publishes false values")
    return "; ".join(faults) or "accepted"


def _releases(hours: Sequence[Hour]) -> str:
    head = [
        "file",
        "form",
        "rows",
        "columns",
        "suggested roles",
        "k",
        "method",
        "acceptable roles",
        "hidden",
        "entropy",
        "truthful",
        "left out",
        "verdict",
    ]
    rows = [
        [
            hour.name, hour.form, f"{hour.rows:,}", str(hour.columns), hour.roles, str(hour.k), hour.method,
            f"{hour.columns - len(hour.changes)} of {hour.columns}", f"{hour.hidden:.0%}",
            f"{hour.figures.get('entropy', float('nan')):.3f}", f"{hour.figures.get('truthful', float('nan')):.3f}",
            f"{hour.suppressed:,}", verdict(hour),
        ]
        for hour in hours
    ]  # fmt: skip
    return _table(head, rows)


def _seconds(hours: Sequence[Hour]) -> str:
    measured = f"Each with the start of Python, on {platform.machine()} with two cores, other work beside it.\n\n"
    rows = [
        [
            hour.name,
            *(f"{hour.seconds[step]:.1f}" if step in hour.seconds else "–" for step in STEPS),
            f"{sum(hour.seconds.values()):.1f}",
        ]
        for hour in hours
    ]
    return measured + _table(["file", *STEPS, "all"], rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
