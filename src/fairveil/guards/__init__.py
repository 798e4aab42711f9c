"""Guards: the promises a release must keep. This list is the registry that plans, command line and docs read.

A guard's module is loaded when the guard is first used: a plan names two or three.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairveil.guards.guard import ClassGuard, Guard, SensitiveGuard, Verdict, guarded_columns
from fairveil.registry import Registry, postponed
from fairveil.shapes import part

if TYPE_CHECKING:
    from fairveil.guards.anonymity import KAnonymity, KnownDecision
    from fairveil.guards.closeness import TCloseness
    from fairveil.guards.diversity import DistinctDiversity, EntropyDiversity, RecursiveDiversity
    from fairveil.guards.population_guards import DeltaPresence, KMap, RiskLimit
    from fairveil.guards.rules.alpha import AlphaProtection
    from fairveil.guards.rules.redlining import NoRedlining, background_knowledge
    from fairveil.guards.situation import SituationTesting

_HOMES = {
    "k-anonymity": "anonymity.KAnonymity",
    "known-decision": "anonymity.KnownDecision",
    "distinct-diversity": "diversity.DistinctDiversity",
    "entropy-diversity": "diversity.EntropyDiversity",
    "recursive-diversity": "diversity.RecursiveDiversity",
    "t-closeness": "closeness.TCloseness",
    "alpha-protection": "rules.alpha.AlphaProtection",
    "no-redlining": "rules.redlining.NoRedlining",
    "situation-testing": "situation.SituationTesting",
    "k-map": "population_guards.KMap",
    "delta-presence": "population_guards.DeltaPresence",
    "risk-limit": "population_guards.RiskLimit",
}

GUARDS: Registry[type[Guard]] = Registry(
    "guard", homes={kind: f"fairveil.guards.{home}" for kind, home in _HOMES.items()}
)
"""Every guard, by its kind."""
register = GUARDS.register
__getattr__ = postponed(__name__, [*_HOMES.values(), "rules.redlining.background_knowledge"])

__all__ = [
    "GUARDS", "AlphaProtection", "ClassGuard", "DeltaPresence", "DistinctDiversity", "EntropyDiversity", "Guard",
    "KAnonymity", "KMap", "KnownDecision", "NoRedlining", "RecursiveDiversity", "RiskLimit", "SensitiveGuard",
    "SituationTesting", "TCloseness", "Verdict",
    "background_knowledge", "from_dict", "guarded_columns", "register",
]  # fmt: skip


def from_dict(spec: Mapping[str, Any]) -> Guard:
    """Return the guard that `to_dict` wrote or that a plan describes."""
    guard: Guard = part(GUARDS, spec)
    return guard
