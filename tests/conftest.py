"""Settings for every test: hypothesis without deadlines (kernels compile on first use), the shared data folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")

SHARED = Path(__file__).parent.parent.parent / "shared" / "data"


@pytest.fixture
def shared_data() -> Path:
    """The folder with data that may not be bundled; what needs it is skipped where it is not there."""
    if not SHARED.is_dir():
        pytest.skip("the data that may not be bundled is not here")
    return SHARED
