"""Words that no page of the studio and no sentence of its server contains."""

from __future__ import annotations

import re

import fairveil as fv

PARTS = [*fv.guards.GUARDS, *fv.methods.METHODS, *fv.attacks.ATTACKS, *fv.measures.MEASURES]
NAMES = {getattr(part, "kind", "") or part.name: part.title for part in PARTS}
CODES = re.compile(
    "|".join([
        *(rf"(?<![\w-]){name}(?![\w-]| rule)" for name, title in NAMES.items() if "-" in name and title != name),
        r"\b[seco]lift\b", r"\bNAME\b", r"\.toml\b", r"(?<!\w)--\w+", r"\bmin_\w+", r"\bmax_\w+",
    ])
)  # fmt: skip
"""Names of parts that no reader would use, and words of the command line."""
