"""Attackers who know each quasi column with a probability, and the risk that is expected of them.

The paper (section 6) asks for it: the quasi-identifier is then not fixed in advance, and the trade-off shows what a
column costs as a part of it. Attackers are drawn once, so that all partitionings are judged by the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from fairveil.guards.projections import ProjectionAnonymity, joined_level
from fairveil.methods.dmpd.partitioning import Partitioning, Subset
from fairveil.methods.dmpd.wrapper import Wrapper

DRAWN = 64


@dataclass
class Attackers:
    """Sets of columns that attackers know, each with its weight."""

    wrapper: Wrapper
    known: tuple[tuple[frozenset[int], float], ...]
    _facts: dict[Subset, ProjectionAnonymity] = field(default_factory=dict)

    @classmethod
    def drawn(cls, wrapper: Wrapper, probabilities: Mapping[str, float], rng: np.random.Generator) -> Attackers:
        """Return `DRAWN` attackers; one who knows everything if no column has a probability below 1."""
        names = wrapper.features.names
        chances = np.array([probabilities.get(name, 1.0) for name in names])
        draws = rng.random((DRAWN, len(names))) < chances if (chances < 1).any() else np.ones((1, len(names)), bool)
        sets, times = np.unique(draws, axis=0, return_counts=True)
        shares = (times / times.sum()).tolist()
        return cls(
            wrapper,
            tuple((frozenset(np.flatnonzero(row).tolist()), share) for row, share in zip(sets, shares, strict=True)),
        )

    def risk(self, partitioning: Partitioning) -> float:
        """Return the expected chance to pick out a person of the smallest group, over the attackers."""
        return sum(share / max(self._level(partitioning, known), 1) for known, share in self.known)

    def privacy(self, partitioning: Partitioning) -> float:
        """Return the reciprocal of the risk: the anonymity level if there is one attacker, who knows everything."""
        return 1.0 / self.risk(partitioning)

    def _level(self, partitioning: Partitioning, known: frozenset[int]) -> int:
        every_column = set(range(len(self.wrapper.features))) <= known
        if every_column or sum(map(len, partitioning.subsets)) + len(partitioning.filtered) > partitioning.features:
            return self.wrapper.level(partitioning)  # shared columns are seen in a join by anybody
        facts = [self._of(tuple(column for column in subset if column in known)) for subset in partitioning.subsets]
        alone = min((fact.smallest for fact in facts), default=self.wrapper.features.rows)
        return min(alone, joined_level(facts)) if len(facts) > 1 else alone

    def _of(self, subset: Subset) -> ProjectionAnonymity:
        if subset not in self._facts:
            self._facts[subset] = self.wrapper.treatment(subset).facts if subset else self.wrapper.features.facts(())
        return self._facts[subset]
