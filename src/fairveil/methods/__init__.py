"""Methods: searches that propose recipes. This list is the registry that plans, command line and docs read.

A method's module is loaded when the method is first used: together they are most of fairveil.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairveil.methods.method import Method, Proposal
from fairveil.registry import Registry, postponed
from fairveil.shapes import part

_HOMES = {
    "incognito": "incognito.Incognito",
    "best-first": "best_first.BestFirst",
    "preferences": "preferences.Preferences",
    "roll-up": "rollup.RollUp",
    "mondrian": "mondrian.Mondrian",
    "top-down-greedy": "top_down_greedy.TopDownGreedy",
    "local-suppression": "local_suppression.LocalSuppression",
    "datafly": "datafly.Datafly",
    "mdav": "microaggregation.MDAV",
    "fair-mdav": "microaggregation.FairMDAV",
    "noisy-table": "noisy_table.NoisyTable",
    "dmpd": "dmpd.DMPD",
    "tds": "tds.TDS",
    "tdr": "tdr.TDR",
}
METHODS: Registry[type[Method]] = Registry(
    "method", homes={kind: f"fairveil.methods.{home}" for kind, home in _HOMES.items()}
)
"""Every method, by its kind."""
register = METHODS.register
__getattr__ = postponed(__name__, _HOMES.values())

__all__ = ["METHODS", "Method", "Proposal", "from_dict", "register"]


def from_dict(spec: Mapping[str, Any]) -> Method:
    """Return the method that a plan describes."""
    method: Method = part(METHODS, spec)
    return method
