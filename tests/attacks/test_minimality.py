"""The minimality attack finds what enumeration finds, and what Wong et al. show by hand."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.attacks.minimality import minimality
from fairveil.choice.achievement import Aspirations
from fairveil.data.hierarchy import tree
from fairveil.data.schema import Schema
from fairveil.errors import BadInput, Infeasible

TWO = Schema(quasi=["q"], sensitive=["s"])


def test_generalizing_at_all_gives_everything_away():
    """After Wong et al., Table 2: had the two x not both been q1, nothing would have been generalized."""
    frame = pa.table({"q": ["q1"] * 2 + ["q2"] * 5, "s": ["x"] * 2 + ["y"] * 5})
    result = minimality(frame, TWO, guards=[fv.KAnonymity(2), fv.TCloseness(0.5)])
    assert result.exact
    assert result.worlds == 21
    assert result.levels == {"q": 1}
    assert result.highest_before == pytest.approx(5 / 7)
    assert result.highest_after == result.truth_after == 1.0
    assert result.bits == pytest.approx(np.log2(21))


def test_nothing_is_learnt_where_nothing_was_generalized():
    frame = pa.table({"q": ["q1"] * 2 + ["q2"] * 2, "s": ["x", "y"] * 2})
    result = minimality(frame, TWO, guards=[fv.DistinctDiversity(2)])
    assert (result.bits, result.ruled_out) == (0.0, 0.0)
    assert result.truth_after == result.truth_before


FRAME = pa.table(
    {
        "a": ["a1", "a1", "a1", "a2", "a2", "a3", "a3"],
        "b": ["b1", "b1", "b2", "b2", "b1", "b2", "b2"],
        "s": ["x", "x", "y", "y", "z", "x", "x"],
    }
)
SCHEMA = Schema(
    quasi=["a", "b"],
    sensitive=["s"],
    hierarchies={"a": tree({"*": {"a12": ["a1", "a2"], "a3": ["a3"]}}), "b": tree({"*": ["b1", "b2"]})},
)
GUARDS = (fv.KAnonymity(2), fv.DistinctDiversity(2))


def published_by(frame: pa.Table, wish: Aspirations) -> tuple[int, ...]:
    """What the publisher does, by the plain search."""
    candidates = fv.search(frame, SCHEMA, guards=GUARDS)
    points = np.column_stack([candidates.values(name) for name in wish.names])
    return tuple(map(int, candidates.nodes[wish.choose(points, candidates.values("k"))]))


@pytest.mark.parametrize("aspirations", [None, {"necd": 0.2, "nwp": 0.6}])
def test_it_is_bayes_over_all_worlds(aspirations):
    """Every permutation of the sensitive values, the publisher run on each: nothing of the attack's own code."""
    wish = Aspirations(aspirations or {"nwp": 1.0})
    released = published_by(FRAME, wish)
    levels = SCHEMA.bind(fv.Table.from_frame(FRAME))
    quasi = list(zip(FRAME["a"].to_pylist(), FRAME["b"].to_pylist(), strict=True))

    def classes(values) -> list:
        names = [levels[n].labels[lv][levels[n].codes[lv][levels[n].labels[0].index(v)]]
                 for row in quasi for n, lv, v in zip("ab", released, row, strict=True)]  # fmt: skip
        keys = list(zip(names[::2], names[1::2], strict=True))
        return sorted((key, sorted(v for k, v in zip(keys, values, strict=True) if k == key)) for key in set(keys))

    secret = FRAME["s"].to_pylist()
    consistent, possible = [], []
    for world in sorted(set(permutations(secret))):
        if classes(world) == classes(secret):
            possible.append(world)
            if published_by(FRAME.set_column(2, "s", [list(world)]), wish) == released:
                consistent.append(world)
    result = minimality(FRAME, SCHEMA, guards=GUARDS, aspirations=aspirations)
    assert tuple(result.levels.values()) == released
    assert result.worlds == len(possible)
    assert result.ruled_out == pytest.approx(1 - len(consistent) / len(possible))
    assert result.bits == pytest.approx(np.log2(len(possible) / len(consistent)))
    alike = [[j for j, other in enumerate(quasi) if other == row] for row in quasi]
    belief = [np.mean([[world[j] == secret[i] for j in alike[i]] for world in consistent]) for i in range(len(quasi))]
    assert result.truth_after == pytest.approx(np.mean(belief))


def test_unknown_aspirations_weigh_worlds():
    known = minimality(FRAME, SCHEMA, guards=GUARDS, aspirations={"necd": 0.2, "nwp": 0.6})
    unknown = minimality(FRAME, SCHEMA, guards=GUARDS, aspirations={"necd": 0.2, "nwp": 0.6}, known=False)
    assert unknown.levels == known.levels
    assert unknown.ruled_out <= known.ruled_out  # an attacker who knows less can rule out less


def test_a_sample_comes_close_to_all_worlds(monkeypatch):
    from fairveil.attacks import minimality as module

    frame = pa.table({"q": ["q1"] * 3 + ["q2"] * 5, "s": list("xxxyyyzx")})
    exact = minimality(frame, TWO, guards=[fv.TCloseness(0.35)])
    monkeypatch.setattr(module, "ENUMERATED", 0)
    sampled = minimality(frame, TWO, guards=[fv.TCloseness(0.35)], worlds=4000)
    assert exact.exact
    assert not sampled.exact
    assert 0 < exact.ruled_out < 1
    assert sampled.ruled_out == pytest.approx(exact.ruled_out, abs=0.05)
    assert sampled.truth_after == pytest.approx(exact.truth_after, abs=0.05)


@pytest.mark.parametrize(
    ("guards", "options", "message"),
    [
        ([fv.KAnonymity(2)], {}, "needs a guard on a sensitive column"),
        ([fv.KAnonymity(2, suppression=0.5), fv.DistinctDiversity(2)], {}, "without suppression"),
        ([fv.DistinctDiversity(2)], {"worlds": 0}, "worlds must be"),
        ([fv.DistinctDiversity(2)], {"aspirations": {"class-size": 2.0}, "known": False}, "range is infinite"),
    ],
)
def test_what_cannot_be_attacked_is_refused(guards, options, message):
    with pytest.raises(BadInput, match=message):
        minimality(FRAME, SCHEMA, guards=guards, **options)


def test_infeasible():
    with pytest.raises(Infeasible):
        minimality(FRAME, SCHEMA, guards=[fv.DistinctDiversity(5)])


def test_a_release_is_attacked():
    """The table of Wong et al. as `fv.attack` sees it: everything is given away, and called a danger."""
    frame = pa.table({"name": list("abcdefg"), "q": ["q1"] * 2 + ["q2"] * 5, "s": ["x"] * 2 + ["y"] * 5})
    schema = Schema(identifier=["name"], quasi=["q"], sensitive=["s"])
    release = fv.search(frame, schema, guards=[fv.KAnonymity(2), fv.TCloseness(0.5)]).best("loss")
    for original in (frame, frame.drop_columns(["name"])):
        [finding] = fv.attack(release, original=original, only=["minimality"])
        assert (finding.level, finding.best, finding.average) == ("danger", 1.0, 1.0)
        assert finding.baseline == pytest.approx((2 * 2 / 7 + 5 * 5 / 7) / 7)
        assert finding.affected == 3  # of 7 people, 59 % were believed rightly before
        assert "somebody's value is certain" in finding.verdict


def test_a_release_that_is_not_the_best_misleads_the_attacker():
    candidates = fv.search(FRAME, SCHEMA, guards=GUARDS)
    worst = candidates.release(int(np.argmax(candidates.values("nwp"))))
    [finding] = fv.attack(worst, original=FRAME, only=["minimality"])
    assert (finding.level, finding.average, finding.details["minimal"]) == ("ok", finding.baseline, False)
    [finding] = fv.attack(candidates.best("nwp"), original=FRAME, only=["minimality"])
    assert finding.details["minimal"]
    assert finding.average == pytest.approx(minimality(FRAME, SCHEMA, guards=GUARDS).truth_after)


@pytest.mark.parametrize(
    ("guards", "rows", "why"),
    [
        ([fv.KAnonymity(2)], 7, "needs a guard on a sensitive column"),
        ([fv.KAnonymity(2, suppression=0.5), fv.DistinctDiversity(2)], 7, "without suppression"),
        (GUARDS, 6, "exactly the people who are published"),
    ],
)
def test_releases_that_it_is_not_for(guards, rows, why):
    release = fv.search(FRAME, SCHEMA, guards=guards).best("loss")
    findings = fv.attack(release, original=FRAME.slice(0, rows), only=["minimality"])
    assert why in findings.skipped["minimality"]


def test_other_people_are_not_taken_for_those_published():
    """As many people, all of whom the recipe could publish, but with one value only: no guard could be kept."""
    release = fv.search(FRAME, SCHEMA, guards=GUARDS).best("loss")
    others = FRAME.set_column(2, "s", [["x"] * FRAME.num_rows])
    findings = fv.attack(release, original=others, only=["minimality"])
    assert "exactly the people" in findings.skipped["minimality"]


def test_large_tables_are_left_to_the_function(monkeypatch):
    from fairveil.attacks import minimality as module

    monkeypatch.setattr(module, "TRIED", 6)
    release = fv.search(FRAME, SCHEMA, guards=GUARDS).best("loss")
    assert "takes long" in fv.attack(release, original=FRAME, only=["minimality"]).skipped["minimality"]
