"""Settings of the process of a command, which is the command's own: `import fairveil` changes none of them."""

from __future__ import annotations

import gc
import os
import signal
import warnings
from typing import NoReturn

TERMINATED = 143
KEPT_BYTES = 1 << 28
"""Freed memory that the C library keeps for the next array."""
LARGE_BYTES = 1 << 30
"""From this size on, an array is given back to the system when it is freed."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # of mallopt, in malloc.h of the GNU C library


def prepare(lasting: bool = False) -> None:
    """Set what makes a command faster, and let SIGTERM remove half-written files. A process that is `lasting`, as the
    studio's, gives freed memory back."""
    gc.set_threshold(200_000, 20, 20)  # collecting garbage while modules load takes a tenth of a short command's time
    # a second thread of OpenBLAS waits by computing, and takes longer than the small matrices that it is for
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if not lasting:
        keep_freed_memory()
    signal.signal(signal.SIGTERM, _terminate)
    warnings.formatwarning = lambda message, *_, **__: f"{message}\n"


def keep_freed_memory() -> None:
    """Use freed memory for the next array. By default each large array is a mapping of its own, whose pages the system
    has to clear: a fifth of the CPU of a release of ten million rows. Does nothing where the C library has no such
    settings; the user's own are not changed."""
    import ctypes

    if any(name.startswith("MALLOC_") for name in os.environ) or "malloc" in os.environ.get("GLIBC_TUNABLES", ""):
        return
    try:
        mallopt = ctypes.CDLL(None).mallopt
        _ = ctypes.CDLL(None).gnu_get_libc_version  # others have a mallopt with other numbers
    except (AttributeError, OSError, TypeError):
        return
    mallopt(_MMAP_THRESHOLD, LARGE_BYTES)
    mallopt(_TRIM_THRESHOLD, KEPT_BYTES)
    mallopt(_ARENA_MAX, 1)  # else what one thread has freed is not used by another
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # Arrow's own allocator does not share it


def _terminate(*_: object) -> NoReturn:
    raise SystemExit(TERMINATED)  # as an exception, so that half-written files are removed
