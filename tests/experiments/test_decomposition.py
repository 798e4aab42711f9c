"""The decomposition experiment: its paper's numbers are whole, its runs go on where they stopped."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from experiments import decomposition_runs as runs
from experiments import decomposition_search as searching
from experiments.decomposition import _cases, cost
from experiments.decomposition_evidence import fitting, origins, remaining
from experiments.decomposition_paper import SPREAD_1, TABLE_1, TABLES_3_TO_6
from experiments.decomposition_search import Line, expanded


def test_the_papers_tables_agree_with_each_other():
    """Table 1 prints the top 9 rows of Tables 3 to 6 again, but for Adult, C4.5, k = 200 and 500."""
    for data in ("adult", "german_credit"):
        for inducer in ("c4.5", "naive-bayes"):
            again = np.array(TABLE_1[data][1][inducer][2:])
            printed = np.array(TABLES_3_TO_6[data, "dmpd"][9][inducer])
            differs = np.flatnonzero(again != printed)
            assert differs.tolist() == ([2, 3] if (data, inducer) == ("adult", "c4.5") else [])


def test_expanding_keeps_the_rows_and_stays_in_the_domains():
    table, _ = runs.prepared("german_credit", True)
    bigger = expanded(table, 3, 0)
    assert bigger.rows == 3_000
    assert bigger.take(np.arange(1_000)).to_arrow().equals(table.to_arrow())
    assert all(column.codes.max() < len(column.values) for column in bigger.columns)


def test_a_later_run_goes_on_from_there(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(runs, "run", lambda case, *rest: asked.append(case) or [70.0] * 10)
    case = runs.Case("german_credit", 9, 10, "c4.5", "dmpd")
    for _ in range(2):
        assert runs.Runs(tmp_path / "kept.json", False, 0).of(case).shape == (5, 2)
    assert asked == [case]
    runs.Runs(tmp_path / "kept.json", False, 1).of(case)  # another seed starts anew
    assert len(asked) == 2


@pytest.mark.parametrize("method", ["baseline", "dmpd", "dmpd-seen", "dmpd+", "tds", "tdr"])
def test_every_method_is_judged_on_rows_it_has_not_seen(method, monkeypatch):
    monkeypatch.setattr(runs, "settings", lambda full: {"generations": 1, "population": 6, "folds": 2})
    table, quasi = runs.prepared("german_credit", True)
    few = table.take(np.arange(300)).compact()
    found = runs.run(runs.Case("german_credit", 5, 10, "naive-bayes", method), few, quasi[:5], False, 0)
    assert len(found) == 10
    assert 55 < np.mean(found) < 85


def test_the_full_form_covers_all_of_the_papers_cells():
    cases = {case for case in _cases(True) if case.data in runs.BUNDLED}
    assert len([case for case in cases if case.method == "tds"]) == 2 * 3 * 2 * 4


def test_every_figure_of_table_1_has_its_deviation():
    for data, (ks, figures) in TABLE_1.items():
        assert {len(figures[inducer]) for inducer in figures} == {2 + len(ks)}
        assert {len(SPREAD_1[data][inducer]) for inducer in figures} == {2 + len(ks)}


def test_printed_accuracies_tell_how_many_rows_were_tested():
    figures = [figure for inducer in TABLE_1["vote"][1].values() for figure in inducer]
    assert fitting(figures, 115) == 11  # 232 complete rows: halves of 116 less one
    assert fitting(figures, 216) <= 3  # 435 rows
    assert fitting([50.0, 33.33], 3) == 2
    assert fitting([50.0, 33.34], 3) == 1


def test_wisconsin_is_the_diagnostic_one_and_needs_no_file():
    rows = {row[1]: row for row in origins(["wisconsin"]).rows}
    assert rows["diagnostic, all rows"][2:5] == (569, 283, 10)


def test_rows_with_holes_and_classes_of_next_to_none_are_left_out():
    table = fv.Table.from_frame(pa.table({"a": [1, None, 3] * 10, "y": ["n"] * 15 + ["y"] * 14 + ["r"]}))
    held = runs.complete(table)
    assert held.rows == 20
    assert None not in held.column("a").domain
    assert sorted(runs.without_rare_classes(held, 2).column("y").domain) == ["n", "y"]


def test_adult_is_the_one_of_45222_complete_rows():
    assert runs.prepared("adult", True)[0].rows == 45_222


def test_intervals_that_have_seen_all_rows_are_those_of_all_rows():
    table, _ = runs.prepared("german_credit", True)
    made = runs.discretized(table)
    assert made.names == table.names
    for name, edges in runs.cuts_of(table, table.names[:-1]).items():
        assert len(made.column(name).domain) == len(edges) + 1
    assert not any(runs.is_number(column) for column in made.columns)


def test_what_stays_away_from_the_paper_is_gone_through(tmp_path):
    held = runs.Runs(tmp_path / "kept.json", False, 0)
    near, far = runs.Case("german_credit", 9, 10, "c4.5", "dmpd"), runs.Case("german_credit", 9, 50, "c4.5", "dmpd")
    for case in (near, far):
        for halves in range(5):
            for form in ("dmpd", "dmpd-seen"):
                held.results[runs.replace(case, method=form, halves=halves).key] = [70.0 + halves] * 10
    notes = " ".join(remaining(held, [(near, 71.0, 2.0), (far, 63.01, 16.49)]))
    assert "1 of 2 cells with dmpd, 1 with dmpd-seen, 1 with either" in notes
    assert "german_credit, c4.5, k=50: +6.99 (dmpd); over five halvings ours lies between 70.0 and 74.0" in notes
    assert "what 2 of ten halves give that say the rarer class throughout (30 %) beside others at 71.3: ±16.51" in notes


def test_the_same_partitionings_stay_valid_on_more_rows():
    table, ranked = runs.prepared("german_credit", True)
    schema = runs.schema_of(table, ranked[:5], {})
    method = fv.DMPD(inducer="naive-bayes", generations=1, population=6, folds=2, cuts=runs.cuts_of(table, ranked[:5]))
    met = searching.asked(method, table, schema, 0)
    assert met
    assert searching._same(method, expanded(table, 2, 0), schema, met, 0) > 0


def test_what_took_long_is_kept(tmp_path):
    for _ in range(2):
        kept = searching.Kept(tmp_path / "kept.json", [False, 0])
        assert kept.of("a", iter([1.5]).__next__) == 1.5
    assert searching.Kept(tmp_path / "kept.json", [True, 0]).values == {}


def test_a_straight_line_explains_itself():
    line = Line.through(np.array([1.0, 2, 3]), np.array([2.0, 4, 6]))
    assert line.explained == pytest.approx(1)
    assert line.at(np.array([5.0])) == pytest.approx([10])


def test_progress_counts_what_takes_long():
    quick = runs.Case("german_credit", 9, 10, "c4.5", "tds")
    assert cost(runs.replace(quick, method="dmpd"), True) > 20 * cost(quick, True)
