"""What a process has used: memory at most, and CPU."""

from __future__ import annotations

import resource
from pathlib import Path


def peak() -> float:
    """In MB, of this process since it began. `ru_maxrss` alone would count what the process held that started it."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text(encoding="utf-8").split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def usage() -> dict[str, float]:
    """CPU seconds of all threads of this process, and GB of memory that it held at most."""
    spent = resource.getrusage(resource.RUSAGE_SELF)
    return {"cpu": spent.ru_utime + spent.ru_stime, "gb": peak() * 1024 * 1024 / 1e9}
