"""fairveil: publish personal data that is private, fair and useful, and decide between the three.

>>> import fairveil as fv
>>> adult = fv.datasets.adult()
>>> frontier = fv.search(adult.table, adult.schema, guards=[fv.KAnonymity(50)])
>>> release = frontier.best("loss")
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.2.0"

# name -> module it lives in; loaded when first used, so that `import fairveil` stays quick
_HOMES = {
    "Table": "data.table",
    "Schema": "data.schema",
    "KAnonymity": "guards",
    "KnownDecision": "guards",
    "DistinctDiversity": "guards",
    "EntropyDiversity": "guards",
    "RecursiveDiversity": "guards",
    "TCloseness": "guards",
    "AlphaProtection": "guards",
    "NoRedlining": "guards",
    "SituationTesting": "guards",
    "background_knowledge": "guards",
    "Incognito": "methods",
    "BestFirst": "methods",
    "DMPD": "methods",
    "TDS": "methods",
    "TDR": "methods",
    "DMPDClassifier": "methods.dmpd.classifier",
    "Projections": "guards.projections",
    "RollUp": "methods",
    "Mondrian": "methods",
    "TopDownGreedy": "methods",
    "Datafly": "methods",
    "NoisyTable": "methods",
    "MDAV": "methods",
    "FairMDAV": "methods",
    "Preferences": "methods",
    "ReferenceDirection": "frontier.reference_direction",
    "Frontier": "frontier.frontier",
    "Release": "release.release",
    "search": "run.search",
    "explore": "run.explore",
    "utility": "evaluation.utility",
    "verify": "release.verify",
    "attack": "attacks",
    "report": "run.report",
    "report_dict": "run.report",
    "check": "run.check",
    "profile": "run.profile",
    "Plan": "run.plan",
    "Progress": "progress",
    "BadInput": "errors",
    "Infeasible": "errors",
    "Cancelled": "errors",
    "Danger": "errors",
}
_MODULES = {
    "attacks": "attacks",
    "datasets": "datasets",
    "guards": "guards",
    "hierarchy": "data.hierarchy",
    "measures": "measures",
    "methods": "methods",
}

__all__ = ["__version__", *_HOMES, *_MODULES]  # noqa: PLE0604 - both hold names only


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        globals()[name] = getattr(import_module(f"fairveil.{_HOMES[name]}"), name)
        return globals()[name]
    if name in _MODULES:
        return import_module(f"fairveil.{_MODULES[name]}")
    raise AttributeError(f"module 'fairveil' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
