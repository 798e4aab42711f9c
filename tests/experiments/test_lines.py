"""No part or claim of a paper is silent, and what is called reproduced is shown by something that exists."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path

import pytest

import fairveil as fv
from experiments import EXPERIMENTS, lines, papers

ROOT = Path(__file__).parents[2]


@cache
def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_everything_that_the_paper_numbers_has_a_line(name: str) -> None:
    paper = lines.read(name)
    assert set(paper.numbered) - {line.of for line in paper.lines} == set()


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_sheet_of_the_paper_has_a_line(name: str) -> None:
    """Parts of a table, as its deviations and marks, belong to the line of the table."""
    known = {line.of for line in lines.read(name).lines}
    for sheet in papers.read(name).printed:
        parts = {sheet.name, re.sub(r"( \([\w ]+\)|, .*)+$", "", sheet.name), *re.findall(r"Table \d", sheet.name)}
        several = [f"Table {number}" for number in re.findall(r"\d", sheet.name)] if "Tables" in sheet.name else []
        assert known & {*parts, *several}, sheet.name


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_what_shows_a_line_exists(name: str) -> None:
    printed = {sheet.name for sheet in papers.read(name).printed}
    for line in lines.read(name).lines:
        if line.shown == "results":
            assert line.of in printed, line.of
        elif line.shown in lines.WITHOUT:
            assert line.why, f"{line.of}: say why"
        else:
            file, _, test = line.shown.partition("::")
            assert re.search(rf"^def {test}\(", text_of(file), re.MULTILINE), line.shown


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_names_of_the_code_exist(name: str) -> None:
    for line in lines.read(name).lines:
        if line.here:
            file, _, kind = line.here.partition(":")
            assert re.search(rf"^ *(class|def) {kind}\b", text_of(f"src/fairveil/{file}"), re.MULTILINE), line.here


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_symbols_stand_for_settings_that_exist(name: str) -> None:
    for sign, _, here in lines.read(name).symbols:
        for kind, setting in re.findall(r"`(\w+)\((\w+)=…\)`", here):
            assert setting in inspect.signature(getattr(fv, kind)).parameters, (sign, here)


def test_the_page_is_what_is_made_of_the_lines() -> None:
    assert lines.PAGE.read_text(encoding="utf-8") == lines.page(), "docs/papers.md: run `make reproduce`"


THEIRS = {
    "incognito": {"0.3"},  # a record of 334, in points
    "fair-mdav": {"0.057", "0.842", "0.049", "0.846"},  # of the authors' results that are not taken over
    "decomposition": {"0.8", "0.05"},  # settings, and the level of a test
    "rollup": {"6.1"},  # a section
    "preferences": {"0.2"},  # a wish of the paper's
}
"""Fractions in readings and reasons that are neither printed numbers of the paper nor figures of ours."""


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_no_figure_of_ours_is_typed_into_a_reason(name: str) -> None:
    """Figures of ours are in the sheets, where a run writes them: a typed one would stay when they change."""
    paper = papers.read(name)
    printed = [number for sheet in paper.printed for number in sheet.numbers.values()]
    texts = [*paper.readings, *(text for sheet in paper.printed for text in (*sheet.reasons.values(), sheet.left_out))]
    for text in texts:
        for figure in re.findall(r"(?<![\w.,])\d+\.\d+", text):
            digits = len(figure.split(".")[1])
            known = {f"{number:.{digits}f}" for number in printed} | THEIRS[name] | setting_values(text)
            assert figure in known, f"{figure} in: {text}"


def setting_values(text: str) -> set[str]:
    """The values of settings that the text names: τ = 0.7, C = 1."""
    return set(re.findall(r"(?:τ|k|C|ε) (?:= )?(\d+\.\d+)(?: and \d+\.\d+)?", text)) | set(
        re.findall(r"τ \d+\.\d+ and (\d+\.\d+)", text)
    )
