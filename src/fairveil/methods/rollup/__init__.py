"""Roll-up dependencies: discovery (exact, with exceptions, on frequent patterns), joins, rules as releases."""

from __future__ import annotations

from fairveil.methods.rollup.border import Discovered, discover, tradeoff
from fairveil.methods.rollup.joining import Joined, join_all
from fairveil.methods.rollup.method import RollUp
from fairveil.methods.rollup.patterns import Patterns, count_patterns
from fairveil.methods.rollup.rules import Rule

__all__ = [
    "Discovered",
    "Joined",
    "Patterns",
    "RollUp",
    "Rule",
    "count_patterns",
    "discover",
    "join_all",
    "tradeoff",
]
