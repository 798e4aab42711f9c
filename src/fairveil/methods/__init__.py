"""Methods: searches that propose recipes. This list is the registry that plans, command line and docs read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairveil.errors import BadInput, suggest
from fairveil.methods.base import Method, Proposal
from fairveil.methods.best_first import BestFirst
from fairveil.methods.datafly import Datafly
from fairveil.methods.dmpd import DMPD
from fairveil.methods.incognito import Incognito
from fairveil.methods.microaggregation import MDAV, FairMDAV
from fairveil.methods.mondrian import Mondrian
from fairveil.methods.noisy_table import NoisyTable
from fairveil.methods.preferences import Preferences
from fairveil.methods.rollup import RollUp
from fairveil.methods.tdr import TDR
from fairveil.methods.tds import TDS
from fairveil.methods.top_down_greedy import TopDownGreedy

METHODS: tuple[type[Method], ...] = (
    Incognito,
    BestFirst,
    Preferences,
    RollUp,
    Mondrian,
    TopDownGreedy,
    Datafly,
    MDAV,
    FairMDAV,
    NoisyTable,
    DMPD,
    TDS,
    TDR,
)

__all__ = ["METHODS", "Method", "Proposal", "from_dict", *(method.__name__ for method in METHODS)]  # noqa: PLE0604


def from_dict(spec: Mapping[str, Any]) -> Method:
    """The method that a plan spells out."""
    kinds = {method.kind: method for method in METHODS}
    if spec.get("kind") not in kinds:
        raise BadInput(suggest(spec.get("kind"), kinds, "method"))
    return kinds[spec["kind"]].from_dict({key: value for key, value in spec.items() if key != "kind"})
