"""Memory that a process has held at most."""

from __future__ import annotations

import resource
from pathlib import Path


def peak() -> float:
    """In MB, of this process since it began. `ru_maxrss` alone would count what the process held that started it."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text(encoding="utf-8").split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
