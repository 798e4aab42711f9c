"""Folders for what does not fit into memory: locked while their process lives, and removed by the next one if it was
killed. A lock is seen by all containers that share the folder of temporary files; a process number is not."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from fairveil.data.atomic import locked
from fairveil.errors import BadInput

SPILLS = "fairveil-spill-"
_NAME = re.compile(rf"{SPILLS}[a-z0-9_]+")
_LOCKS: dict[Path, int] = {}
"""The locks of this process's folders."""


def spill_folder() -> Path:
    """Create a folder that is locked while this process lives; delete those whose process was killed."""
    try:
        return _created(Path(tempfile.gettempdir()))
    except OSError as problem:
        reason = problem.strerror or "there is none"
        raise BadInput(f"no folder for temporary files: {reason}; set TMPDIR to one with space") from None


def _created(base: Path) -> Path:
    for left in base.glob(f"{SPILLS}*"):
        if _NAME.fullmatch(left.name):
            with suppress(OSError):  # it belongs to another user
                lock = locked(left)
                if lock is not None and lock >= 0:
                    _LOCKS[left] = lock
                    remove_spill(left)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=SPILLS, dir=base))
        if (lock := locked(folder)) is not None:  # else another process took it for one that was left
            _LOCKS[folder] = lock
            return folder


def remove_spill(folder: Path) -> None:
    """Delete a folder, and end its lock."""
    shutil.rmtree(folder, ignore_errors=True)
    if (lock := _LOCKS.pop(folder, -1)) >= 0:
        os.close(lock)
