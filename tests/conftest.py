"""For every test: hypothesis without deadlines (kernels compile on first use), the shared data folder, a browser, Spark
and PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, settings

from experiments import not_bundled
from tests import browser as chromium
from tests import real_parts

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")

os.environ.pop("COLUMNS", None)  # xdist tells its workers how wide its own terminal is
REQUIRED = os.environ.get("FAIRVEIL_REAL_PARTS") == "required"


@pytest.fixture
def shared_data() -> Path:
    """The folder with data that may not be bundled; what needs it is skipped where it is not there."""
    hierarchies = not_bundled("hierarchies")
    if hierarchies is None:
        pytest.skip("the data that may not be bundled is not here")
    return hierarchies.parent


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium, driven by Playwright."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent("Playwright is not installed")
    found = chromium.find()
    if found is None:
        absent("no Chromium found: `make .venv/browser.stamp` puts one here")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=found, args=chromium.FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A Spark session with two local cores."""
    try:
        with real_parts.spark_session() as session:
            yield session
    except real_parts.Absent as part:
        absent(str(part))


@pytest.fixture(scope="session")
def postgres() -> Iterator[real_parts.Postgres]:
    """A PostgreSQL server on the loopback address; its password is given by `postgres.password` alone."""
    try:
        with real_parts.postgres_server() as server:
            yield server
    except real_parts.Absent as part:
        absent(str(part))


@pytest.fixture(scope="session")
def mariadb() -> Iterator[real_parts.MariaDB]:
    """A MariaDB server on a socket; the variable MARIADB_PASSWORD has the password that its URL names."""
    try:
        with real_parts.mariadb_server() as server:
            os.environ["MARIADB_PASSWORD"] = server.password
            yield server
    except real_parts.Absent as part:
        pytest.skip(str(part))  # a package of Debian, which not every machine can have


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the slow parts first: `--dist worksteal` gives the first half to one worker, which alone starts them."""
    items.sort(key=lambda item: not _parts(item))


def _parts(item: pytest.Item) -> set[str]:
    """The slow parts that a test asks for, by a fixture or in the names of its parameters."""
    words = item.callspec.id.lower() if hasattr(item, "callspec") else ""
    return {
        part for part in ("spark", "postgres", "mariadb") if part in words or part in getattr(item, "fixturenames", ())
    }


def absent(what: str) -> NoReturn:
    """Skip what needs it, or fail where the environment says FAIRVEIL_REAL_PARTS=required, as `make test` does."""
    if REQUIRED:
        pytest.fail(what)
    pytest.skip(what)
