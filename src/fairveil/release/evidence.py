"""Evidence: all that a release claims, as plain data. The attacks in it look only at what is published, so
nobody learns anything new from them."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
import pyarrow as pa

import fairveil
from fairveil.attacks import weaknesses
from fairveil.data.table import Table
from fairveil.progress import Progress
from fairveil.recipes.base import ONLY
from fairveil.release.disclosure import UNPUBLISHED, public, withheld
from fairveil.release.release import Release


def evidence(release: Release, progress: Progress) -> dict[str, Any]:
    """Everything but the checksums that saving adds."""
    published, outcome = release.published, release.outcome
    utility, why_not = (None, "") if release.utility is None else (public(release), withheld(release))
    note = [f"{UNPUBLISHED}: {why_not}"] if why_not else []
    types = {name: _types(table) for name, table in published.tables.items()}
    return {
        "format": 1,
        "fairveil": fairveil.__version__,
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "pyarrow": pa.__version__},
        "seed": release.seed,
        "order": release.order,
        "rows": {
            "source": outcome.rows + release.dropped,
            "dropped_for_missing_values": release.dropped,
            "suppressed": release.suppressed,
            "published": published.rows,
        },
        "holds": release.holds,
        "guards": [verdict.to_dict() for verdict in release.verdicts],
        "measures": {name: _published(name, value) for name, value in release.measures.items()},
        "loss_per_column": {
            name: _rounded(float((lost + release.suppressed) / outcome.rows))
            for name, lost in zip(release.schema.quasi, release.summary.loss[0], strict=True)
        },
        **({"facts": dict(outcome.facts)} if outcome.facts else {}),
        "types": types.get(ONLY, types),
        "attacks": [finding.to_dict() for finding in release.findings(progress)],
        "weaknesses": weaknesses(published),
        **({"utility": utility} if utility else {}),
        "notes": [*release.notes, *note],
        "levels": {name: list(level) for name, level in outcome.levels.items()},
        "risk_before": release.risk_before,
        **({"alternatives": release.alternatives.to_dict()} if release.alternatives and release.show_choice else {}),
        **({"claims": dict(release.recipe.claimed())} if release.recipe.claimed() else {}),
    }


def _types(table: Table) -> dict[str, str]:
    return {column.name: str(column.values.type) for column in table.columns}


def _published(name: str, value: float) -> float:
    """Entropy looks below the published values: in a small source, all its digits would give away the counts there."""
    return round(value, 3) if name == "entropy" else _rounded(value)


def _rounded(value: float) -> float:
    """Twelve digits: enough, and the same on every machine."""
    return float(f"{value:.12g}")
