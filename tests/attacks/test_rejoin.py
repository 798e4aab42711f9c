"""The rejoin attack finds what joining row by row finds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.attacks.rejoin import Dependency, rejoin
from fairveil.guards.projections import Projections
from fairveil.recipes.decomposition import Decomposition
from fairveil.release.release import publish


@st.composite
def people(draw):
    rows = draw(st.integers(2, 25))
    column = st.lists(st.integers(0, 2), min_size=rows, max_size=rows)
    a, b, c = (draw(column) for _ in range(3))
    y = draw(st.lists(st.sampled_from("np"), min_size=rows, max_size=rows))
    return pd.DataFrame({"a": a, "x": [f"x{i}" for i in b], "d": [f"d{i % 2}" for i in b], "b": c, "y": y})


@settings(max_examples=50, deadline=None)
@given(people(), st.sampled_from([["a", "b"], ["a", "b", "x"], ["a", "x", "d", "b"]]))
def test_a_known_dependency_strikes_out_what_contradicts_it(frame, quasi):
    first, second = frame[["a", "x", "y"]], frame[["b", "d", "y"]]
    known = Dependency.of(frame, "x", "d")
    result = rejoin(Projections.of([first, second], quasi=quasi, decision="y"), 3, known)
    joined = first.merge(second, on="y")
    by = [name for name in joined if name in quasi or name == "y"]
    assert result.together == result.pairs[0, 1] == joined.groupby(by).size().min()
    says = dict(zip(frame["x"], frame["d"], strict=True))
    left = joined[joined["x"].map(says) == joined["d"]].groupby(by).size()
    assert result.by_dependency == left.min()
    assert result.dependent_combinations == (left < 3).sum()


def test_three_projections_together():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.integers(0, 3, 60) for name in "abc"} | {"y": rng.choice(["n", "p"], 60)})
    parts = [frame[[name, "y"]] for name in "abc"]
    result = rejoin(Projections.of(parts, quasi=list("abc"), decision="y"), 2)
    joined = parts[0].merge(parts[1], on="y").merge(parts[2], on="y")
    assert result.together == joined.groupby(["a", "b", "c", "y"]).size().min()
    assert result.with_class == min(part.groupby(list(part)).size().min() for part in parts)
    assert result and result.to_dict()["holds"]


@settings(max_examples=60, deadline=None)
@given(people(), st.sets(st.sampled_from(["a", "b"])))
def test_projections_that_share_columns_are_joined_on_them(frame, quasi):
    """Every join of the three, row by row; also where a dependency is known."""
    parts = [frame[["a", "x", "y"]], frame[["a", "b", "d", "y"]], frame[["b", "x", "y"]]]
    result = rejoin(Projections.of(parts, quasi=sorted(quasi), decision="y"), 3, Dependency.of(frame, "x", "d"))
    sizes = {}
    for some in ((0, 1), (0, 2), (1, 2), (0, 1, 2)):
        joined, shared = parts[some[0]], {"y"}
        for p in some[1:]:
            common = [name for name in parts[p] if name in joined]
            joined, shared = joined.merge(parts[p], on=common), shared | set(common)
        sizes[some] = int(joined.groupby([name for name in joined if name in quasi or name in shared]).size().min())
    assert result.pairs == {pair: sizes[pair] for pair in ((0, 1), (0, 2), (1, 2))}
    assert (result.joined, result.together) == (min(sizes.values()), sizes[0, 1, 2])
    assert result.smallest == min(*result.alone, *sizes.values())
    says = dict(zip(frame["x"], frame["d"], strict=True))
    struck = []
    for p in (0, 2):
        common = [name for name in parts[1] if name in parts[p]]
        joined = parts[p].merge(parts[1], on=common)
        by = [name for name in joined if name in quasi or name in common]
        struck.append(int(joined[joined["x"].map(says) == joined["d"]].groupby(by).size().min()))
    assert result.by_dependency == min(struck)


def test_every_release_of_dmpd_withstands_it():
    german = fv.datasets.german_credit()
    method = fv.DMPD(generations=2, population=8, folds=2, inducer="naive-bayes")
    candidates = fv.search(german.table, german.schema, guards=[fv.KAnonymity(8)], method=method)
    for position in range(len(candidates)):
        parts = Projections.published(list(candidates.release(position).published.tables.values()), german.schema)
        attack = rejoin(parts, 8, Dependency.of(german.table, "marital_status", "sex"))
        assert attack, attack.sentences()
        finding = fv.attack(candidates.release(position)).of("rejoin")
        assert finding.level != "danger"
        assert finding.best == 1 / attack.smallest
        assert finding.details["with_class"] == attack.with_class


def test_a_folder_is_attacked_like_the_release(tmp_path):
    german = fv.datasets.german_credit()
    recipe = Decomposition(german.schema, (("sex", "savings_status"), ("job",), ("employment", "sex")))
    release = publish(german.table, german.schema, [fv.KAnonymity(2)], recipe)
    for format in ("csv", "parquet"):
        folder = release.save(tmp_path / format, format=format).path
        assert fv.attack(folder, original=german.table).to_dict() == fv.attack(release).to_dict()
        assert set(fv.attack(folder).skipped.values()) == {"the columns are published in several tables"}
        assert fv.verify(folder)


def test_a_promise_that_the_projections_do_not_keep_is_a_danger():
    frame = pd.DataFrame({"a": list("uuvv"), "b": list("stst"), "y": list("nnpp")})
    schema = fv.Schema(quasi=["a", "b"], decision="y")
    table = fv.Table.from_frame(frame)
    for subsets, k, level in (((("a",), ("b",)), 2, "warn"), ((("a", "b"),), 2, "danger"), ((("a",),), 2, "ok")):
        release = publish(table, schema, [fv.KAnonymity(k)], Decomposition(schema, subsets))
        [finding] = fv.attack(release)
        assert (finding.level, bool(release.holds)) == (level, level != "danger")
        assert finding.affected == (4 if level == "danger" else 0)


def test_pairs_without_a_common_column_are_judged_from_their_facts():
    """Against joining row by row; two of the three share a column."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({name: rng.integers(0, 3, 40) for name in "abc"} | {"y": rng.choice(["n", "p"], 40)})
    parts = [frame[["a", "y"]], frame[["b", "y"]], frame[["a", "c", "y"]]]
    split = Projections.of(parts, quasi=list("abc"), decision="y")
    for p, r in ((0, 1), (0, 2), (1, 2)):
        shared = [name for name in parts[p] if name in parts[r]]
        joined = parts[p].merge(parts[r], on=shared)
        assert split.pair(p, r) == joined.groupby(list(joined)).size().min()


def test_an_unsafe_split_is_found_out():
    frame = pd.DataFrame({"a": list("uvww"), "b": list("ssst"), "y": list("nnpp")})
    result = rejoin(Projections.of([frame[["a", "y"]], frame[["b", "y"]]], quasi=["a", "b"], decision="y"), 2)
    assert not result
    assert result.smallest == 1


def test_a_release_of_nothing_is_not_attacked(tmp_path):
    frame = pd.DataFrame({"a": list("uuvv"), "y": list("nnpp")})
    schema = fv.Schema(quasi=["a"], decision="y")
    release = publish(fv.Table.from_frame(frame), schema, [fv.KAnonymity(2)], Decomposition(schema, ()))
    for publishing in (release, release.save(tmp_path / "out").path):
        findings = fv.attack(publishing)
        assert findings == []
        assert findings.skipped["rejoin"] == "nothing is published"


def test_nothing_published_and_dependencies_that_are_none():
    assert rejoin(Projections((), ("a",), "y"), 2).sentences() == ["nothing is published, so there is nothing to join"]
    with pytest.raises(fv.BadInput, match="does not determine 'b'"):
        Dependency.of(pd.DataFrame({"a": [1, 1], "b": [1, 2]}), "a", "b")
