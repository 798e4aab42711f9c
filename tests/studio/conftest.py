from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.studio.client import User


@pytest.fixture
def user(tmp_path: Path) -> Iterator[User]:
    opened = User(tmp_path / "state")
    yield opened
    opened.close()


@pytest.fixture
def credit(user: User) -> User:
    """A session with the ten credit decisions."""
    user.open(dataset="credit_decisions")
    return user
