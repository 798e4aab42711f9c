"""One studio for all journeys, and desks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import absent
from tests.studio.browser.desk import AXE, Desk
from tests.studio.browser.process import STATIC, Studio


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    if not STATIC.exists() or not AXE.exists():
        absent("the front end is not built: `npm ci && npm run build` in web/")
    started = Studio(tmp_path_factory.mktemp("studio"))
    yield started
    started.stop()


@pytest.fixture
def own_studio(studio: Studio, tmp_path: Path) -> Iterator[Studio]:
    """One that may be stopped."""
    started = Studio(tmp_path / "state")
    yield started
    started.stop()


@pytest.fixture
def sit(browser: Any) -> Iterator[Callable[..., Desk]]:
    """Sit down at a studio. In the end no console may have complained."""
    desks: list[Desk] = []

    def sit_down(studio: Studio, **options: Any) -> Desk:
        desks.append(Desk(studio, browser, **options))
        return desks[-1].enter()

    yield sit_down
    for desk in desks:
        desk.leave()


@pytest.fixture
def desk(studio: Studio, sit: Callable[..., Desk]) -> Desk:
    return sit(studio)
