"""Algorithm 1: join compatible rules until no new one appears.

Rules can be joined if every two of them are compatible, and joining only makes classes smaller. So every joined rule
that passes is found by adding one extracted rule at a time to a rule that passes. No candidate is missed, and none is
tested twice, because equal joins are recognized. (The paper joins the last round's rules with each
other, which gives the same rules with more pairs.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fairveil.methods.rollup.rule import compatible_with

Passing = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class JoinedRules:
    """Rules that pass, the `extracted` first ones and those joined from them, and the work it took."""

    nodes: np.ndarray
    extracted: int
    tested: int
    rounds: int
    complete: bool


def join_all(base: np.ndarray, tops: np.ndarray, passing: Passing, max_tests: int = 20_000) -> JoinedRules:
    """Return all joins of compatible rules that pass (`passing` answers for an array of nodes), and the rules
    themselves.

    `passing` must never be true below a node for which it is false. The search stops after about `max_tests` tests.
    """
    base = np.unique(np.asarray(base, dtype=np.int64).reshape(-1, len(tops)), axis=0)
    good = base[passing(base)] if len(base) else base
    seen = {row.tobytes() for row in base}
    passed, fresh, rounds, tested = [good], good, 0, len(base)
    while len(fresh) and tested < max_tests:
        rounds += 1
        joined: list[np.ndarray] = []
        for node in fresh:
            mates = good[compatible_with(node, good, tops)]
            for row in np.minimum(mates, node):
                if (key := row.tobytes()) not in seen:
                    seen.add(key)
                    joined.append(row)
            if tested + len(joined) >= max_tests:
                break
        tested += len(joined)
        candidates = np.array(joined, dtype=np.int64).reshape(-1, len(tops))
        fresh = candidates[passing(candidates)] if len(candidates) else candidates
        passed.append(fresh)
    return JoinedRules(np.concatenate(passed), len(good), tested, rounds, not len(fresh))
