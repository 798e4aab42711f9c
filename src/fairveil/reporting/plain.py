"""The report as plain data, for machines."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairveil.markup import plain, shown
from fairveil.reporting import plain_words
from fairveil.reporting.context import ReportContext
from fairveil.reporting.sections.discrimination import rules_left
from fairveil.reporting.sections.internal import GONE, changes, guards_before
from fairveil.reporting.sections.singling_out import counted


def as_dict(c: ReportContext) -> dict[str, Any]:
    """The evidence unchanged, and under "report" the sentences, columns and class sizes that the page shows."""
    return {
        **c.evidence,
        "report": {
            "title": plain(plain_words.title(c)),
            "verdict": [plain(sentence) for sentence in plain_words.verdict(c)[1]],
            "problems": list(c.problems),
            "headline": {name: plain(sentence).strip() for name, sentence in plain_words.headline(c)},
            "summary": {name: [plain(sentence) for sentence in say(c)] for name, _, say in plain_words.SUMMARY},
            "columns": [
                {
                    "name": column.name,
                    "roles": list(column.roles),
                    "published": column.published,
                    "level": column.level,
                    "height": column.height,
                    "different_values": column.distinct,
                    "examples": [str(shown(value, 1000)) for value in column.examples],
                }
                for column in c.columns
            ],
            "groups": {
                stem: {
                    "groups": len(sizes),
                    "smallest": int(sizes.min()),
                    "largest": int(sizes.max()),
                    "histogram": _histogram(sizes),
                }
                for stem, sizes in c.class_sizes.items()
                if len(sizes)
            },
            "same_value": c.same_answer,
            "rules": [{**guard.to_dict(), "rules": strongest} for guard, strongest in rules_left(c)],
            "not_covered": [plain(sentence) for sentence in plain_words.not_covered(c)],
            **(_inside(c) if c.internal else {}),
        },
    }


def _histogram(sizes: np.ndarray) -> list[dict[str, int]]:
    edges, groups, rows = counted(sizes)
    return [
        {"from": low, "to": high - 1, "groups": int(count), "records": int(records)}
        for low, high, count, records in zip(edges[:-1], edges[1:], groups, rows, strict=True)
        if count
    ]


def _inside(c: ReportContext) -> dict[str, Any]:
    """What only the internal report has: records, and the guards' answers on the source."""
    return {
        "sample": [
            {
                name: {
                    "before": _plain(old),
                    "after": None if new is GONE else _plain(new),
                    "published": new is not GONE,
                }
                for name, (old, new) in record.items()
            }
            for record in changes(c)
        ],
        "guards_before": [
            {**answer.guard.to_dict(), "holds": answer.holds, "sentence": answer.sentence, "rules": answer.rules}
            for answer in guards_before(c)
        ],
    }


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
