"""The report as plain data, for machines."""

from __future__ import annotations

from typing import Any

from fairveil.reporting import words
from fairveil.reporting.context import Context
from fairveil.reporting.markup import plain, shown


def as_dict(c: Context) -> dict[str, Any]:
    """The evidence as it stands, and under "report" the sentences, columns and class sizes that the page shows."""
    return {
        **c.evidence,
        "report": {
            "problems": list(c.problems),
            "summary": {name: [plain(sentence) for sentence in say(c)] for name, _, say in words.SUMMARY},
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
                stem: {"groups": len(sizes), "smallest": int(sizes.min()), "largest": int(sizes.max())}
                for stem, sizes in c.class_sizes.items()
                if len(sizes)
            },
            "same_value": c.same_answer,
            "not_covered": [plain(sentence) for sentence in words.not_covered(c)],
        },
    }
