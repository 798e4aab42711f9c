"""RollUp (Caruccio et al.): generalization rules from roll-up dependencies, joined, as candidate releases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairveil.counting.summary import summarize_nodes
from fairveil.errors import BadInput, Infeasible
from fairveil.messages import counted, option
from fairveil.methods.lattice_nodes import keep_guards, propose_nodes, why_infeasible
from fairveil.methods.left_out import published_alone
from fairveil.methods.method import Method, Picture, Proposal
from fairveil.methods.rollup.border import discover, in_words, need_decision, tradeoff
from fairveil.methods.rollup.patterns import count_patterns
from fairveil.methods.rollup.rule import Offer, join_all
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.methods.task import Task

LATE = "the time was up"


@dataclass(frozen=True)
class RollUp(Method):
    """Generalizations that preserve what predicts the decision: rules `X_Φ → decision`, and joins of compatible ones.

    By default the rules are the complete trade-off of k against exceptions. With `exceptions`, they are all rules with
    at most this share of exceptions among the pairs with different decisions (0: rules that hold exactly). With
    `coverage`, they are the paper's: rules that hold on the most frequent distance patterns covering this share of the
    pairs of rows.
    """

    kind: ClassVar[str] = "roll-up"
    title: ClassVar[str] = "rules that predict, rolled up"
    picture: ClassVar[Picture] = "columns"
    says: ClassVar[str] = "Generalizes columns along rules that still predict the decision."
    needs: ClassVar[tuple[str, ...]] = ("quasi", "decision")
    exceptions: float | None = setting(None, "share of the pairs of records that may contradict a rule", min=0, below=1)
    coverage: float | None = setting(None, "share of the pairs of records that rules are derived from", above=0, max=1)
    join: bool = setting(True, "also join compatible rules")
    max_rules: int = setting(20_000, "maximum number of joined rules that are tested", min=1, formerly="most")
    time_limit: float = setting(60.0, "seconds after which the best solution so far is taken", above=0, infinite=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.exceptions is not None and self.coverage is not None:
            raise BadInput(f"roll-up: set {option('exceptions')} or {option('coverage')}, not both")

    @property
    def needs_rows(self) -> bool:
        return self.coverage is not None

    @property
    def reaches_top(self) -> bool:
        """The rule that names no column is the end of the trade-off; with other settings it is not asked for."""
        return self.exceptions is None and self.coverage is None

    def search(self, task: Task) -> Proposal:
        need_decision(task)
        alone, _ = published_alone(task)

        def offer(nodes: Callable[[], np.ndarray]) -> None:
            task.offer(lambda: self._interim(task, alone, nodes()))

        rules, notes = self._rules(alone, offer)
        offer(lambda: rules)
        if not self.join:
            nodes = rules[passing(alone, rules)]
        else:
            joined = join_all(rules, alone.lattice.tops, partial(passing, alone), self.max_rules, offer)
            nodes = joined.nodes
            notes.append(
                f"rules extracted: {len(rules):,}; of these keep k: {joined.extracted:,}; found by joining: "
                f"{len(nodes) - joined.extracted:,}; tested, none of them twice: {joined.tested:,}"
            )
            if not joined.complete:
                notes.append(f"joining stopped after {counted(joined.tested, 'test')}, so more rules may exist")
        nodes = nodes[keep_guards(task, nodes, up_set=False)]
        top = task.lattice.tops[None, :]
        if not len(nodes) and self.reaches_top and keep_guards(task, top)[0]:
            nodes = top
            notes.append("no rule that names a column keeps the guards: every quasi column is at its top")
        if not len(nodes):
            late = [note for note in notes if note.startswith(LATE)]
            raise Infeasible("; ".join([_why(task, rules), *late]))
        return propose_nodes(task, self, nodes, exhaustive=False, private=notes)

    def _interim(self, task: Task, alone: Task, nodes: np.ndarray) -> Proposal | None:
        """Return the rules found so far that keep the guards; None if none does."""
        nodes = nodes[(nodes < task.lattice.tops).any(axis=1)]
        nodes = nodes[passing(alone, nodes)] if len(nodes) else nodes
        nodes = nodes[keep_guards(task, nodes, up_set=False)] if len(nodes) else nodes
        return propose_nodes(task, self, nodes, exhaustive=False) if len(nodes) else None

    def _rules(self, task: Task, offer: Offer | None = None) -> tuple[np.ndarray, list[str]]:
        """Return the extracted rules as nodes, without the one that names no column, and notes about them."""
        if self.coverage is not None:
            task.report(0.0, "counting the patterns of all pairs")
            patterns = count_patterns(task).covering(self.coverage)
            nodes = patterns.rules(task.lattice.tops)
            notes = [
                f"rules hold on the {len(patterns.pairs):,} most frequent patterns, "
                f"{counted(int(patterns.pairs.sum()), 'pair')} of rows"
            ]
        else:
            if self.exceptions is None:
                discovered = tradeoff(task, self.time_limit, offer=offer)
                notes = ["candidates start from the trade-off of k against exceptions"]
            else:
                k = 1 if task.budget else task.k
                discovered = discover(task, self.exceptions, k=k, time_limit=self.time_limit, offer=offer)
                notes = [f"rules have at most {self.exceptions:.3%} exceptions among pairs with different decisions"]
            nodes = discovered.nodes
            if not discovered.exhaustive:
                parts = "; ".join(in_words(part) for part in discovered.unseen)
                notes.append(f"{LATE}: {1 - discovered.seen:.1%} of the lattice was not searched, namely {parts}")
        return nodes[(nodes < task.lattice.tops).any(axis=1)], notes


def _why(task: Task, rules: np.ndarray) -> str:
    if not keep_guards(task, task.lattice.tops[None, :])[0]:
        return why_infeasible(task)
    if not len(rules):
        return "no roll-up rule holds: allow more exceptions, or cover a smaller share of the pairs"
    kinds = " and ".join(guard.kind for guard in task.guards)
    best = max(int(task.lattice.classes(node).rows.min()) for node in rules)
    return f"none of the {len(rules):,} roll-up rules keeps {kinds}; the largest anonymity level is k={best}"


def passing(task: Task, nodes: np.ndarray) -> np.ndarray:
    """Return which nodes are k-anonymous within the suppression budget."""
    floors = task.lattice.floors(task.k, task.budget_rows)
    able = np.asarray((nodes >= floors).all(axis=1))
    if able.any():
        try:
            summary = summarize_nodes(task.lattice, task.schema, nodes[able], task.k, False, floors)
            lost = summary.rows - summary.kept
        except OverflowError:  # too many columns for the compiled summary
            sizes = (task.lattice.classes(node).rows for node in nodes[able])
            lost = np.array([rows[rows < task.k].sum() for rows in sizes])
        able[able] = lost <= task.budget_rows
    return able
