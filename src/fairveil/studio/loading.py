"""Loading: imports the modules that requests need, once and in one thread.

Requests run in threads, and circular imports fail if two threads import at the same time.
"""

from __future__ import annotations

import threading
from importlib import import_module

from fairveil.studio.endpoints import ENDPOINTS

NEEDED = (
    "fairveil.run.plan", "fairveil.run.profile", "fairveil.run.explore", "fairveil.run.report",
    "fairveil.run.feasibility", "fairveil.run.lattice_map", "fairveil.run.hierarchies",
)  # fmt: skip
"""The modules that the endpoints load on first use; these import all others."""

_lock = threading.Lock()
_loaded = threading.Event()


def load() -> None:
    """Import everything, or wait for the thread that does."""
    if _loaded.is_set():
        return
    with _lock:
        homes = dict.fromkeys(endpoint.does.partition(".")[0] for endpoint in ENDPOINTS)
        for name in (*NEEDED, *(f"fairveil.studio.{home}" for home in homes)):
            import_module(name)
        _loaded.set()
