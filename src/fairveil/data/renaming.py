"""One-step renames: into a place where nothing may be, and in exchange for what is there. And flushing to the disk.

Linux and macOS do both in one step (`renameat2`, `renamex_np`) on most file systems. Elsewhere:

- `rename_new` looks first. A folder that appears in between is still safe, for a rename replaces empty folders only;
  a file is put there by a hard link, which never replaces anything.
- `exchange` of files replaces the old one in one step and does not keep it. Of folders it moves the old one to a place
  that is given, and then the new one in. If the run is killed in between, `placing.sweep` puts the old one back.
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
    """The system's rename with the choice to exchange or to refuse; gives 0 or -1. None where there is none."""
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
    """Rename in one step; False where the system or the file system cannot."""
    if system_rename is None:
        return False
    if system_rename(old, new, swap) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(new))


def rename_new(aside: Path, place: Path) -> None:
    """Rename into a place where nothing is; FileExistsError if there is something, which stays as it is."""
    if _renamed(aside, place, swap=False):
        return
    try:
        if not aside.is_dir():
            with contextlib.suppress(PermissionError):  # how a file system says that it knows no links
                os.link(aside, place, follow_symlinks=False)
                os.unlink(aside)
                return
        if os.path.lexists(place):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(place))
        os.rename(aside, place)
    except OSError as problem:
        if problem.errno in _TAKEN:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(place)) from None
        raise


def exchange(aside: Path, place: Path, spare: Path) -> Path | None:
    """Put `aside` in place of what is there. Gives where that is now: `aside` or `spare`, or None if it is gone."""
    if _renamed(aside, place, swap=True):
        return aside
    if not aside.is_dir():
        os.replace(aside, place)
        return None
    flush(spare.parent)  # it says what belongs here, should the next two steps be cut apart
    os.rename(place, spare)
    try:
        rename_new(aside, place)
    except BaseException:
        with contextlib.suppress(FileExistsError):  # another run was faster: what was there has been replaced
            rename_new(spare, place)
        raise
    return spare


def flush(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk before anything else happens."""
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
