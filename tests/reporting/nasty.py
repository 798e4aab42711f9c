"""Values that try to break out, and a release full of them, as names and as values."""

from __future__ import annotations

from itertools import cycle, islice

import pyarrow as pa

import fairveil as fv

VALUES = [
    "<script>alert(1)</script>",
    '=HYPERLINK("http://evil.example","click")',
    '" onmouseover="alert(1)',
    "' onfocus='alert(1)",
    "</style><img src=x onerror=alert(1)>",
    "</title></svg><iframe src=//evil.example>",
    "<!--",
    "]]>",
    "&lt;b&gt;",
    "javascript:alert(1)",
    "שלום \u202e olleh",
    "🙂👩‍👩‍👧",
    "\x00\x1b[31m",
    "line\nbreak",
    "w" * 300,
    "",
    None,
]
NAMES = [
    "<script>alert('name')</script>",
    "=cmd|'/c calc'!A0",
    '"><svg onload=alert(2)>',
    "اسم العمود",
    "🙂",
    "+" + "x" * 120,
    "-id</title>",
]


def release() -> fv.Release:
    """Every nasty thing in every place: quasi, sensitive, plain and identifier, label of a hierarchy, note."""
    rows = 12 * len(VALUES)
    columns = {name: list(islice(cycle(VALUES), shift, rows + shift)) for shift, name in enumerate(NAMES)}
    columns[NAMES[6]] = [None if value is None else f"{value}{row}" for row, value in enumerate(columns[NAMES[6]])]
    columns[NAMES[2]] = list(islice(cycle(["<b>low</b>", "<b>high</b>"]), rows))
    lines = [["<b>low</b>", "<i>any & all</i>", "*"], ["<b>high</b>", "<i>any & all</i>", "*"]]
    schema = fv.Schema(
        quasi=NAMES[:3],
        sensitive=[NAMES[3]],
        decision=NAMES[4],
        plain=[NAMES[5]],
        identifier=[NAMES[6]],
        hierarchies={NAMES[2]: fv.hierarchy.from_rows(lines)},
    )
    candidates = fv.search(
        pa.table(columns), schema, guards=[fv.KAnonymity(4, suppression=0.5), fv.DistinctDiversity(1 + 1)]
    )
    return candidates.best("loss")
