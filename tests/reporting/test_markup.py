"""Markup never lets text become anything but text; numbers and axes are what they should be."""

from __future__ import annotations

import doctest
import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fairveil import markup
from fairveil.markup import DataText, Html, join, listed, plain, shown, table, tag
from fairveil.reporting import numbers
from fairveil.reporting.sections.singling_out import bins
from tests.reporting.reading import read

CONTROLS = re.compile("[\x00-\x1f\x7f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@given(st.text(max_size=40), st.text(max_size=40))
def test_text_stays_text(words: str, more: str) -> None:
    html = tag("p", words, DataText(more), title=words + more)
    page = read(html)
    assert [name for name, _ in page.elements] == ["p", "bdi"]
    if not CONTROLS.search(words + more):
        assert "".join(page.words) == words + more
        assert page.elements[0][1]["title"] == words + more
    assert not CONTROLS.search(html)


@given(st.lists(st.lists(st.text(max_size=8), min_size=2, max_size=2), max_size=4))
def test_a_table_has_the_cells_it_was_given(rows: list[list[str]]) -> None:
    page = read(table("caption", ["a", "b"], rows))
    assert len(page.all("tr")) == len(rows) + 1
    assert len(page.all("td")) == len(rows)
    assert [element["scope"] for element in page.all("th")] == ["col", "col", *["row"] * len(rows)]


def test_only_html_is_left_as_it_is() -> None:
    assert join([Html("<b>"), "<b>", None, 3, ["x", DataText("<i>")]]) == "<b>&lt;b&gt;3x<bdi>&lt;i&gt;</bdi>"


def test_sentences() -> None:
    assert plain(listed([DataText("a"), "b", "c"])) == "a, b and c"
    assert plain(listed([])) == ""
    assert shown(None) == "(missing)"
    assert shown("") == "“”"
    assert shown("x" * 99, 10) == "x" * 9 + "…"
    assert [numbers.times(n, "record") for n in (0, 1, 2000)] == ["0 records", "1 record", "2,000 records"]


@given(st.floats(0, 1))
def test_a_share_never_reads_as_more_or_less_than_it_is(share: float) -> None:
    words = numbers.percent(share)
    assert (words == "0\u00a0%") == (100 * share == 0)
    assert (words == "100\u00a0%") == (100 * share == 100)


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_ticks_span_the_values(low: float, more: float) -> None:
    marks = numbers.ticks(low, low + more)
    slack = 1e-6 * (abs(low) + more) + 1e-9
    assert marks[0] <= low + slack
    assert marks[-1] >= low + more - slack
    assert 2 <= len(marks) <= 9
    assert marks == sorted(set(marks))


@given(st.floats(1e-7, 1), st.floats(1, 1e5))
def test_logarithmic_ticks_span_the_values(low: float, factor: float) -> None:
    marks = numbers.log_ticks(low, low * factor)
    assert marks[0] <= low * 1.001
    assert marks[-1] >= low * factor * 0.999


@given(st.lists(st.integers(1, 10**7), min_size=1, max_size=30))
def test_every_class_falls_into_a_bin(sizes: list[int]) -> None:
    edges = bins(np.array(sizes))
    assert edges[0] == min(sizes)
    assert max(sizes) < edges[-1]
    assert len(edges) <= 14
    assert np.histogram(sizes, bins=edges)[0].sum() == len(sizes)


def test_examples() -> None:
    for module in (markup, numbers):
        assert doctest.testmod(module).failed == 0


def test_wide_tables_name_every_cell_for_narrow_screens() -> None:
    wide = str(table("c", ["a", "<b>", ["x", DataText("y")], ""], [[1, 2, 3, 4]]))
    assert 'class="scroll stack short"' in wide
    assert 'data-label="&lt;b&gt;"' in wide and 'data-label="xy"' in wide and 'data-label=""' not in wide
    assert "data-label" not in table("c", ["a", "b", "c"], [[1, 2, 3]])
