"""Downcoding (Cohen, "Attacks on Deidentification's Defenses", USENIX Security 2022): undoing generalization.

A downcoding of a release Y of the data X is a table Z, strictly more specific than Y, that X still fits into. A minimal
release helps to find one: that nothing less general kept the guards rules out every X for which something would have.
Cohen proves that each minimal, hierarchical release of some data distributions can be downcoded by somebody who knows
the distribution. How far that goes for a given table is measured here by experiment.

Per generalized column, the attacker wants to know how many records of each class are under each child of the published
value; records of a class are alike, so that is all there is to know. At first they believe that a record falls under a
child as often as people in general do (by the original's frequencies where it is given, else all leaves are equally
likely). They draw tables from that belief, keep those for which the less general release would indeed have broken a
guard (see `draws.py`), and guess the typical one. A record is recovered where guess and truth agree: in a class of 5
guessed 4 + 1 that is 3 + 2, four are. A class guessed exactly is a downcoding in Cohen's sense. The baseline is the
same guess without the knowledge that the release is minimal. The guards treat all children alike, so minimality alone,
without a belief about frequencies, can say how a class is split, never which child has more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.attacks.attack import Finding, Level, attempt, percent
from fairveil.attacks.scene import Scene, outcome_of, publishable_columns
from fairveil.counting.cells import Cells, class_columns, classes_of
from fairveil.counting.tuples import distinct_tuples
from fairveil.errors import BadInput
from fairveil.guards import guarded_columns
from fairveil.messages import counted

if TYPE_CHECKING:
    from fairveil.attacks.draws import Belief, Guess

TELLS = 0.01
"""What minimality adds to the recovered share of hidden values counts from TELLS on, and is a danger from MUCH on."""
MUCH = 0.1
WITHOUT = "guessing without knowing that the release is minimal"


def _unfit(scene: Scene) -> str:
    """Why no column can be tried."""
    from fairveil.attacks.draws import beliefs

    believed, skipped = beliefs(scene)
    return "" if believed else "; ".join(dict.fromkeys(skipped.values())) or "no column was generalized"


@attempt("table", "hierarchies", unfit=_unfit, title="generalization undone")
def downcoding(scene: Scene) -> Iterable[Finding]:
    """Undoing generalization by knowing that nothing less general kept the guards."""
    from fairveil.attacks.draws import beliefs, guess

    believed, skipped = beliefs(scene)
    if not believed:
        return
    rng = np.random.default_rng(scene.seed)
    guesses = [guess(scene, belief, rng) for belief in believed]
    bits = sum(guessed.bits for guessed in guesses)
    columns: dict[str, dict[str, Any]] = {
        belief.name: {"bits": guessed.bits, "at_least": guessed.at_least, "scope": belief.scope}
        for belief, guessed in zip(believed, guesses, strict=True)
    }
    details: dict[str, Any] = {"columns": columns, "bits": bits, "not_tried": skipped}
    if scene.recodes and scene.original is not None and scene.people.rows == scene.original.rows:
        yield _measured(scene, believed, guesses, details)
        return
    level: Level = "warn" if bits >= 1 else "ok"
    hidden = sum(int(scene.classes.rows[belief.splittable].sum()) for belief in believed)
    verdict = (
        f"that nothing less general kept the guards gives away {bits:.2f} bits about "
        f"{counted(hidden, 'hidden value')}; only the original shows how many of them can be recovered"
    )
    nan = float("nan")
    yield Finding("downcoding", level, verdict, nan, nan, nan, WITHOUT, 0, hidden, details=details)


def _measured(scene: Scene, believed: list[Belief], guesses: list[Guess], details: dict[str, Any]) -> Finding:
    """How many hidden values are recovered, with and without minimality, and how many classes exactly."""
    members = _members(scene, [belief.name for belief in believed])
    right = right_before = values = exact = 0
    best = 0.0
    for belief, guessed in zip(believed, guesses, strict=True):
        truth = _truth(belief, *members)
        asked = belief.splittable & (truth.sum(axis=1) == scene.classes.rows)
        rows = int(scene.classes.rows[asked].sum())
        after, before = (int(np.minimum(counts, truth)[asked].sum()) for counts in (guessed.after, guessed.before))
        exact_after, exact_before = (
            int(scene.classes.rows[asked & (counts == truth).all(axis=1)].sum())
            for counts in (guessed.after, guessed.before)
        )
        exact += exact_after - exact_before
        right, right_before, values = right + after, right_before + before, values + rows
        best = max(best, after / max(rows, 1))
        details["columns"][belief.name] |= {
            "recovered": after / max(rows, 1), "without": before / max(rows, 1),
            "exact": exact_after, "exact_without": exact_before,
        }  # fmt: skip
    lower = _could_be_lower(scene)
    details |= {"minimal": None if lower is None else not lower, "hidden_values": values}
    share, without = right / max(values, 1), right_before / max(values, 1)
    level: Level = "danger" if share - without > MUCH else "warn" if share - without > TELLS else "ok"
    verdict = (
        f"knowing that nothing less general kept the guards, an attacker recovers {percent(share)} of "
        f"{counted(values, 'hidden value')} one level deeper, {percent(without)} without knowing it"
    )
    if lower:
        verdict += f"; here that is wrong, because {lower[0]!r} could have been less general"
    return Finding("downcoding", level, verdict, best, share, without, WITHOUT, max(exact, 0), values, details=details)


def _members(scene: Scene, names: Sequence[str]) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
    """The distinct original values of published people of a class in these columns, as codes, their class, and how many
    people have them."""
    assert scene.original is not None
    mine, published, total = scene.matched(scene.published.schema.quasi)
    nowhere = len(scene.classes)
    class_of = np.full(total, nowhere, dtype=np.min_scalar_type(nowhere))
    class_of[published] = scene.published.class_of_row
    classes = class_of[mine]
    classes[~scene.members] = nowhere
    columns = [scene.original.column(name) for name in names]
    coded = [(classes, nowhere + 1), *((column.codes, len(column.values)) for column in columns)]
    (cell_class, *values), counts = distinct_tuples(coded, len(classes))
    somewhere = cell_class < nowhere
    codes = {name: of_cell[somewhere] for name, of_cell in zip(names, values, strict=True)}
    return codes, cell_class[somewhere], counts[somewhere]


def _truth(
    belief: Belief, original: Mapping[str, np.ndarray], classes: np.ndarray, counts: np.ndarray
) -> np.ndarray:  # fmt: skip
    """The records of each class under each child of its value."""
    label = belief.label_of_class[classes]
    child = belief.levels.codes[belief.child_level[label], original[belief.name]]
    match = belief.children[label] == child[:, None]
    counted = np.zeros(belief.children[belief.label_of_class].shape, dtype=np.int64)
    np.add.at(counted, classes, match * counts[:, None])
    return counted


def _could_be_lower(scene: Scene) -> list[str] | None:
    """The columns that the guards allowed one level lower; None where the original does not show it."""
    from fairveil.attacks.draws import holds

    published, recipe, schema = scene.published, scene.published.recipe, scene.published.schema
    assert scene.original is not None
    fixed = all(recipe.level_of(name) is not None for name in schema.quasi)
    if not fixed or scene.original.rows != published.rows + published.suppressed:
        return None
    columns = guarded_columns(published.guards, schema)
    cells = Cells.of(scene.original, class_columns(schema, publishable_columns(schema, scene.original), columns))
    distinct, lower = cells.table(), []
    for name in schema.quasi:
        lowered = recipe.lowered(name)
        with suppress(BadInput):
            if lowered is not None:
                outcome = outcome_of(lowered, distinct)
                counts = cells.counts if outcome.source_rows is None else cells.counts[outcome.source_rows]
                classes, _ = classes_of(outcome.table, schema, counts, columns)
                lower += [name] if holds(scene, classes, suppressed=0) else []
    return lower
