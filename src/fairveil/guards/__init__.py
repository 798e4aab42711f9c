"""Guards: the promises a release must keep. This list is the registry that plans, command line and docs read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairveil.guards.anonymity import KAnonymity, KnownDecision
from fairveil.guards.closeness import TCloseness
from fairveil.guards.diversity import DistinctDiversity, EntropyDiversity, RecursiveDiversity
from fairveil.guards.guard import ClassGuard, Guard, SensitiveGuard, Verdict, guarded_columns
from fairveil.guards.population_guards import DeltaPresence, KMap, RiskLimit
from fairveil.guards.rules.alpha import AlphaProtection
from fairveil.guards.rules.redlining import NoRedlining, background_knowledge
from fairveil.guards.situation import SituationTesting
from fairveil.registry import Registry
from fairveil.shapes import part

GUARDS: Registry[type[Guard]] = Registry(
    "guard",
    [
        KAnonymity, KnownDecision, DistinctDiversity, EntropyDiversity, RecursiveDiversity, TCloseness, AlphaProtection,
        NoRedlining, SituationTesting, KMap, DeltaPresence, RiskLimit,
    ],
)  # fmt: skip
register = GUARDS.register

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
