"""Roll-up dependencies: discovery (exact, with exceptions, on frequent patterns), joins, rules as releases."""

from __future__ import annotations

from fairveil.methods.rollup.border import discover, tradeoff
from fairveil.methods.rollup.conditional import ConditionalRule, conditional_rules
from fairveil.methods.rollup.patterns import Patterns, count_patterns
from fairveil.methods.rollup.roll_up import RollUp
from fairveil.methods.rollup.rule import Rule, join_all

__all__ = [
    "ConditionalRule", "Patterns", "RollUp", "Rule", "conditional_rules", "count_patterns", "discover", "join_all",
    "tradeoff",
]  # fmt: skip
