"""What is suppressed, and what "all solutions" means with suppression: against every set of suppressed classes."""

from __future__ import annotations

import numpy as np

import fairveil as fv
from fairveil.guards import Guard
from tests.randomly import Case, classes_at, drawn_case, drawn_guards, keeps, keeps_somehow, suppressed

MOST_CLASSES = 8


def found(case: Case, guards: list[Guard]) -> dict[tuple[int, ...], int]:
    """Every solution, and how many rows its release leaves out."""
    try:
        frontier = fv.search(case.table, case.schema, guards=guards)
    except fv.Infeasible:
        return {}
    nodes = [tuple(node) for node in frontier.nodes.tolist()]
    releases = [frontier.release(position) for position in range(len(frontier))]
    for loss, release in zip(frontier.values("loss"), releases, strict=True):
        assert release.holds and np.isclose(loss, release.measures["loss"])  # the summary left out the same rows
    return dict(zip(nodes, (release.suppressed for release in releases), strict=True))


def test_suppression_goes_on_until_nothing_changes_and_what_it_misses() -> None:
    missed: dict[str, int] = {}
    solutions = 0
    for seed in range(250):
        case, guards = drawn_case(seed), drawn_guards(seed)
        assert isinstance(guards[0], fv.KAnonymity)
        if max(len(classes_at(case, node)) for node in case.nodes()) > MOST_CLASSES or len(case.rows) < guards[0].k:
            continue
        answer = found(case, guards)
        expected = {node: gone for node in case.nodes() if (gone := suppressed(case, node, guards)) is not None}
        assert answer == expected
        solutions += len(answer)
        for node in case.nodes():
            if keeps_somehow(case, node, guards) and not keeps(case, node, guards):
                missed[guards[1].kind] = missed.get(guards[1].kind, 0) + 1
                assert not guards[1].alone
            assert not keeps(case, node, guards) or keeps_somehow(case, node, guards)
    assert solutions > 100
    assert set(missed) == {"t-closeness"}  # the note of the search says so


def test_the_search_says_what_all_means() -> None:
    case = drawn_case(3)
    compared = [fv.KAnonymity(2, suppression=0.3), fv.TCloseness(0.9)]
    [note] = fv.search(case.table, case.schema, guards=compared).notes
    assert "for t-closeness, leaving out others might do" in note
    for guards in ([compared[0]], [fv.KAnonymity(2), compared[1]]):
        assert not fv.search(case.table, case.schema, guards=guards).notes
