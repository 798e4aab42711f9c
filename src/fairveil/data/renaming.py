"""Atomic renames that fail if the target exists, or exchange with it; and flushing to disk.

Linux and macOS do both in one step (`renameat2`, `renamex_np`) on most file systems. Elsewhere:

- `rename_new` first checks that the target does not exist. A folder that appears in between is still safe, because a
  rename replaces empty folders only; a file is created by a hard link, which never replaces anything.
- `exchange` replaces a file in one step and does not keep the old one. It moves an old folder to a spare path, and then
  the new one into place. If the run is killed in between, `atomic.sweep` restores the old one.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

_AT_HERE = -100
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EXDEV)
_TAKEN = (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR, errno.EISDIR)


def _system_rename() -> Callable[[Path, Path, bool], int] | None:
    """The system call that renames with exchange or without replacing, and returns 0 or -1; None if there is none."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            mac = library.renamex_np
            return lambda old, new, swap: int(mac(os.fsencode(old), os.fsencode(new), 2 if swap else 4))
        linux = library.renameat2
    except (OSError, AttributeError, TypeError):
        return None
    return lambda old, new, swap: int(linux(_AT_HERE, os.fsencode(old), _AT_HERE, os.fsencode(new), 2 if swap else 1))


system_rename = _system_rename()


def _renamed(old: Path, new: Path, swap: bool) -> bool:
    """Rename in one step; return False if the system or the file system does not support it."""
    if system_rename is None:
        return False
    if system_rename(old, new, swap) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(new))


def rename_new(aside: Path, target: Path) -> None:
    """Rename to a new name; raises FileExistsError, and changes nothing, if it exists."""
    if _renamed(aside, target, swap=False):
        return
    try:
        if not aside.is_dir():
            with contextlib.suppress(PermissionError):  # the file system does not support hard links
                os.link(aside, target, follow_symlinks=False)
                os.unlink(aside)
                return
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
        os.rename(aside, target)
    except OSError as problem:
        if problem.errno in _TAKEN:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        raise


def exchange(aside: Path, target: Path, spare: Path) -> Path | None:
    """Replace `target` by `aside`. Return the new path of the old one, `aside` or `spare`, or None if it is deleted."""
    if _renamed(aside, target, swap=True):
        return aside
    if not aside.is_dir():
        os.replace(aside, target)
        return None
    flush(spare.parent)  # it names the target, in case the run is killed between the next two steps
    os.rename(target, spare)
    try:
        rename_new(aside, target)
    except BaseException:
        with contextlib.suppress(FileExistsError):  # another run was faster, and has replaced it
            rename_new(spare, target)
        raise
    return spare


def flush(path: Path) -> None:
    """Flush a file, or the entries of a folder, to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as problem:
        if problem.errno not in (*_UNSUPPORTED, errno.EBADF):  # some file systems cannot flush folders
            raise
    finally:
        os.close(handle)


def flush_all(folder: Path) -> None:
    """Flush every file below a folder, and the folders themselves."""
    for inside, _, names in os.walk(folder, topdown=False):
        for name in names:
            flush(Path(inside, name))
        flush(Path(inside))
