"""The report in a real browser: nothing overflows a phone, nothing complains, nothing is asked of the network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from tests.reporting import nasty


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    adult = fv.datasets.adult()
    candidates = fv.search(adult.table, adult.schema, guards=[fv.KAnonymity(50, suppression=0.01)])
    folder = tmp_path_factory.mktemp("browser")
    paths = {
        "adult": tried(candidates.best("loss"), 0.3).save(folder / "adult").path / "report.html",
        "nasty": nasty.release().save(folder / "nasty").path / "report.html",
        "internal": folder / "internal.html",
    }
    paths["internal"].write_text(fv.report(tried(nasty.release(), 0.6), internal=True), encoding="utf-8")
    return paths


def tried(release: fv.Release, test: float) -> fv.Release:
    """With the section on what models make of it."""
    assert release.original is not None
    return replace(release, utility=fv.utility(release, release.original, test, queries=20, resamples=5))


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("which", ["adult", "nasty", "internal"])
def test_it_fits_and_is_quiet(browser: Any, reports: dict[str, Path], which: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    messages: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda problem: messages.append(str(problem)))
    page.on("dialog", lambda dialog: messages.append(dialog.message))
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.on("request", lambda request: asked.append(request.url))
    page.goto(reports[which].as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.body.scrollWidth") <= width
    wide = page.evaluate(
        """() => [...document.querySelectorAll('figure, p, li, h1, h2, dl, pre')]
            .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"""
    )
    assert wide == []
    hidden = page.evaluate(
        """() => [...document.querySelectorAll('.stack')]
            .filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.ariaLabel)"""
    )
    assert hidden == [] or width > 640  # on a phone nothing of a wide table has to be scrolled to
    outside = page.evaluate(
        """() => [...document.querySelectorAll('figure svg text')].filter(e => {
            const box = e.getBoundingClientRect(), frame = e.ownerSVGElement.getBoundingClientRect();
            return box.left < frame.left - 2 || box.right > frame.right + 2 || box.bottom > frame.bottom + 2;
        }).map(e => e.textContent)"""
    )
    assert outside == []
    assert page.evaluate("document.scripts.length") == 0
    assert messages == []
    assert asked == [reports[which].as_uri()]
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(browser: Any, reports: dict[str, Path], scheme: str) -> None:
    """Contrast of at least 4.5 to 1 between text and what is behind it (WCAG 2.1, AA)."""
    page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme=scheme)
    page.goto(reports["adult"].as_uri())
    contrast = page.evaluate(
        """() => {
            const rgb = text => (text.match(/[\\d.]+/g) || []).map(Number);
            const light = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c =>
                c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            const behind = e => {
                for (; e; e = e.parentElement) {
                    const c = rgb(getComputedStyle(e).backgroundColor);
                    if (c.length === 3 || c[3] > 0) return c;
                }
                return [255, 255, 255];
            };
            const ratios = [];
            for (const e of document.querySelectorAll('p, dt, dd, th, td, caption, figcaption, a, .yes, svg text')) {
                const style = getComputedStyle(e);
                const one = light(rgb(e.closest('svg') ? style.fill : style.color)), other = light(behind(e));
                ratios.push((Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05));
            }
            return Math.min(...ratios);
        }"""
    )
    assert contrast >= 4.5
    page.close()


def test_it_prints(browser: Any, reports: dict[str, Path], tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(reports["adult"].as_uri())
    printed = page.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True, print_background=True)
    page.close()
    assert printed.startswith(b"%PDF")
    pages = printed.count(b"/Type /Page\n") or printed.count(b"/Type /Page ") or printed.count(b"/Type /Page/")
    assert 1 <= pages <= 12
