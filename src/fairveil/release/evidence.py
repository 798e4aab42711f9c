"""The evidence of a release: all its claims, as plain data.

Most of it follows from the published files (`claims.py`), and `verify` computes it again. `from_source` names the
figures that do not: they are computed from the original values of the published people and rounded (`figures.py`).
"""

from __future__ import annotations

import math
import platform
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

import fairveil
from fairveil.counting.rounding import coarse_share
from fairveil.measures import MEASURES
from fairveil.release.claims import claims, lost, measured, summary_of
from fairveil.release.disclosure import UNPUBLISHED, public, withheld
from fairveil.release.figures import public_facts, with_source
from fairveil.release.source_dangers import stated_by_persons

if TYPE_CHECKING:
    from fairveil.progress import Progress
    from fairveil.published.published import Published
    from fairveil.release.release import Release


def evidence(release: Release, published: Published, progress: Progress) -> dict[str, Any]:
    """Return the evidence without checksums and accepted dangers, which `save` adds."""
    return evidence_of(release, published, claims(published, progress))


def evidence_of(release: Release, published: Published, stated: Mapping[str, Any]) -> dict[str, Any]:
    """The same from claims that are already computed; `published` is in memory or read from the written files."""
    utility, why_not = (None, "") if release.utility is None else (public(release), withheld(release))
    note = [f"{UNPUBLISHED}: {why_not}"] if why_not else []
    facts, by_persons = release.judged.change.facts, stated_by_persons(release.findings_by_persons)
    whole, rows = with_source(summary_of(published), release), rounding_rows(published)
    sketch = release.alternatives.to_dict() if release.show_choice and release.alternatives is not None else None
    return {
        **stated,
        "fairveil": fairveil.__version__,
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "pyarrow": pa.__version__},
        "seed": release.seed,
        **({"about": release.about.to_dict()} if release.about.to_dict() else {}),
        "rows": {
            "source": published.rows + release.suppressed + release.dropped,
            "dropped_for_missing_values": release.dropped,
            "suppressed": release.suppressed,
            "published": published.rows,
        },
        **({"persons": asdict(release.persons)} if release.persons is not None else {}),
        "measures": _completed(stated["measures"], measured(whole), rows, up=_risks()),
        "loss_per_column": _completed(stated["loss_per_column"], lost(whole, published), rows),
        "from_source": from_source(stated, measured(whole), published),
        **({"by_persons": by_persons} if by_persons else {}),
        **({"facts": public_facts(facts, published.rows)} if facts else {}),
        **({"utility": utility} if utility else {}),
        "accepted": [],
        "notes": [*release.notes, *note],
        **({"alternatives": sketch} if sketch else {}),
    }


def rounding_rows(published: Published) -> float:
    """The number of people whose values are behind figures of the source: rows of a noisy table are not people."""
    return math.inf if published.recipe.invents else published.rows


def from_source(stated: Mapping[str, Any], names: Mapping[str, Any], published: Published) -> list[str]:
    """The figures that cannot be computed from the files, of a release with measures of these names."""
    unknown = [name for name in published.schema.quasi if name not in stated["loss_per_column"]]
    return [
        *(f"measures.{name}" for name in names if name not in stated["measures"]),
        *(f"loss_per_column.{name}" for name in unknown),
    ]


def _completed(
    exact: Mapping[str, float], known: Mapping[str, float], rows: float, up: Collection[str] = ()
) -> dict[str, float]:
    """The exact figures, and where the files do not give one, the rounded figure; those named in `up` rounded up."""
    return {
        name: exact[name] if name in exact else coarse_share(value, rows, up=name in up)
        for name, value in known.items()
    }


def _risks() -> frozenset[str]:
    """The measures of risk, the higher the worse."""
    return frozenset(m.name for m in MEASURES if m.family == "risk" and m.better == "lower" and m.range[1] == 1)
