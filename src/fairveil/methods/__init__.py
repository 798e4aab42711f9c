"""Methods: searches that propose recipes. This list is the registry that plans, command line and docs read.

A method's module is loaded when the method is first used: together they are most of fairveil.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from fairveil.errors import BadInput, suggest
from fairveil.methods.base import Method, Proposal

HOMES: dict[str, str] = {
    "incognito": "incognito.Incognito",
    "best-first": "best_first.BestFirst",
    "preferences": "preferences.Preferences",
    "roll-up": "rollup.RollUp",
    "mondrian": "mondrian.Mondrian",
    "top-down-greedy": "top_down_greedy.TopDownGreedy",
    "datafly": "datafly.Datafly",
    "mdav": "microaggregation.MDAV",
    "fair-mdav": "microaggregation.FairMDAV",
    "noisy-table": "noisy_table.NoisyTable",
    "dmpd": "dmpd.DMPD",
    "tds": "tds.TDS",
    "tdr": "tdr.TDR",
}
"""Kind -> module and class in this package."""

METHODS: tuple[type[Method], ...]
"""Every method there is; asking for it loads them all."""

__all__ = ["HOMES", "METHODS", "Method", "Proposal", "from_dict"]


def from_dict(spec: Mapping[str, Any]) -> Method:
    """The method that a plan spells out."""
    if spec.get("kind") not in HOMES:
        raise BadInput(suggest(spec.get("kind"), HOMES, "method"))
    return _load(spec["kind"]).from_dict({key: value for key, value in spec.items() if key != "kind"})


def _load(kind: str) -> type[Method]:
    module, name = HOMES[kind].rsplit(".", 1)
    made: type[Method] = getattr(import_module(f"fairveil.methods.{module}"), name)
    return made


def __getattr__(name: str) -> Any:
    if name == "METHODS":
        return tuple(map(_load, HOMES))
    for kind, home in HOMES.items():
        if home.endswith(f".{name}"):
            return _load(kind)
    raise AttributeError(f"module 'fairveil.methods' has no attribute {name!r}")
