"""Writing files and folders atomically. fairveil writes everything through this module.

Content is written to a workshop beside its target: a private folder with a random name, `.fairveil-….part`, locked
while the run lives. When complete, it is flushed to disk and renamed into place in one step (`renaming`). So a reader
sees the old or the new content, never a mix; a target that appears meanwhile is never deleted; and nobody else can
plant or read anything before.

A killed run leaves its workshop, and the next run that writes into the same folder removes it. It is recognized by its
name, its owner, its content, and its lock, which ends with the run. A workshop that is still locked is not touched.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from fairveil.data.renaming import exchange, flush, flush_all, rename_new
from fairveil.errors import BadInput

try:
    import fcntl
except ImportError:  # without locks, the workshop of a killed run has to be removed by hand
    fcntl = None  # type: ignore[assignment]

TARGET, NEW, OLD = "target", "new", "old"
"""The contents of a workshop: the name of the target, the new content, and the old content."""
TRIES = 100
_NAME = re.compile(r"\.fairveil-[0-9a-f]{16}\.part")
_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def whole_folder(
    path: Path, *, replaces: Callable[[Path], bool] | None = None, last: Callable[[], None] = lambda: None
) -> Iterator[Path]:
    """Yield an empty folder, and rename it to `path` when it is filled. `replaces` says whether an existing one may be
    replaced; by default nothing is. Then `last` is called; if it fails, everything is restored."""
    with _sentences(path), _Workshop(path) as workshop:
        os.mkdir(workshop.new, 0o777)
        yield workshop.new
        _commit_all({workshop: workshop.new}, replaces, last)


@contextmanager
def whole_files(
    paths: Sequence[Path], *, overwrite: bool = True, private: bool = False
) -> Iterator[Mapping[Path, Path]]:
    """Yield empty files, one for each path, and rename them when they are filled: all, or none if something fails.

    `private`: only the owner may read them, from the start.
    """
    with ExitStack() as stack:
        stack.enter_context(_sentences(*paths))
        workshops = {path: stack.enter_context(_Workshop(path)) for path in paths}
        asides = {}
        for path, workshop in workshops.items():
            os.mkdir(workshop.new, 0o700)
            asides[path] = workshop.new / f"file{path.suffix}"  # some writers choose the format by the extension
            os.close(os.open(asides[path], _FRESH, 0o600 if private else 0o666))
        yield asides
        _commit_all({workshops[path]: asides[path] for path in paths}, _is_plain_file if overwrite else None)


def _commit_all(
    contents: Mapping[_Workshop, Path], replaces: Callable[[Path], bool] | None, last: Callable[[], None] = lambda: None
) -> None:
    """Rename all contents into place, then call `last`; if something fails, everything is restored."""
    for workshop in contents:
        flush_all(workshop.new)
    done: list[Callable[[], object]] = []
    try:
        for workshop, content in contents.items():
            done.append(workshop.commit(content, replaces))
        last()
    except BaseException:
        for undo in reversed(done):
            undo()
        raise


def write_text(text: str, path: Path, *, overwrite: bool = True, private: bool = False) -> None:
    """Write a text file atomically."""
    with whole_files([path], overwrite=overwrite, private=private) as asides:
        asides[path].write_text(text, encoding="utf-8", newline="\n")


def private_folder(path: Path) -> None:
    """Create a folder that only its owner may read; an existing one is not changed."""
    with _sentences(path):
        os.makedirs(path, mode=0o700, exist_ok=True)


def refuse_link(path: Path) -> None:
    """Raise BadInput for a symbolic link: whether to write through it or over it is ambiguous."""
    if path.is_symlink():
        raise BadInput(f"{path} is a symbolic link: name its target, or remove it")


def refuse_parent(path: Path) -> None:
    """Raise BadInput for a path in a folder that cannot be written to."""
    parent = next(folder for folder in path.absolute().parents if folder.exists())
    if not parent.is_dir():
        raise BadInput(f"{path} cannot be written: {parent} is not a folder")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise BadInput(f"{path} cannot be written: no permission to write in {parent}")


class _Workshop:
    """The private folder in which one file or folder is written."""

    def __init__(self, path: Path) -> None:
        self.path = path if path.name not in ("", "..") else path.resolve()
        self.created: list[Path] = []
        self.lock = -1

    def __enter__(self) -> _Workshop:
        refuse_link(self.path)
        try:
            self._make_parents()
            parent = self.path.parent.resolve()
            sweep(parent)
            for _ in range(TRIES):
                self.home = parent / f".fairveil-{secrets.token_hex(8)}.part"
                os.mkdir(self.home, 0o700)
                if (lock := locked(self.home)) is not None:
                    self.lock = lock
                    break
            self.new, self.old = self.home / NEW, self.home / OLD
            self.target = parent / self.path.name
            handle = os.open(self.home / TARGET, _FRESH, 0o600)
            try:
                os.write(handle, os.fsencode(self.path.name))
                os.fsync(handle)
            finally:
                os.close(handle)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            _clear(self.home)
        if self.lock >= 0:
            os.close(self.lock)
        for folder in reversed(self.created):
            with suppress(OSError):  # it is not empty any more
                os.rmdir(folder)

    home = Path(os.devnull)

    def _make_parents(self) -> None:
        missing = [folder for folder in self.path.absolute().parents if not folder.exists()]
        for folder in reversed(missing):
            with suppress(FileExistsError):
                os.mkdir(folder)
                self.created.append(folder)
                flush(folder.parent)

    def commit(self, aside: Path, replaces: Callable[[Path], bool] | None) -> Callable[[], object]:
        """Rename the complete content into place, and return a function that undoes it."""
        for _ in range(TRIES):
            try:
                rename_new(aside, self.target)
                undo: Callable[[], object] = partial(rename_new, self.target, aside)
            except FileExistsError:
                if replaces is not None and not os.path.lexists(self.target):
                    continue  # it was deleted meanwhile
                if replaces is None or not replaces(self.target):
                    raise BadInput(
                        f"{self.path} appeared while it was being written: it is not changed, and nothing was written"
                    ) from None
                try:
                    before = exchange(aside, self.target, self.old)
                except FileNotFoundError:
                    continue
                except FileExistsError:  # without atomic exchange: another run was faster, and ours is the latest
                    with suppress(FileNotFoundError):  # it was restored
                        shutil.rmtree(self.old)
                    continue
                if before is None:
                    undo = bool  # the old content is deleted
                else:
                    undo = partial(exchange, before, self.target, aside if before == self.old else self.old)
                    if not replaces(before):  # it was changed in the last moment
                        undo()
                        continue
            flush(self.target.parent)
            return undo
        raise BadInput(f"{self.path} cannot be written: another program keeps replacing it")


def locked(folder: Path) -> int | None:
    """Lock a folder until the handle that is returned is closed, or this process ends. None if another run has locked
    or removed it; -1 where there are no locks, so that nobody can tell whether a run lives."""
    if fcntl is None:
        return -1
    with suppress(FileNotFoundError):
        handle = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_same(handle, folder):
                return handle
        except BlockingIOError:
            pass
        except OSError:
            os.close(handle)
            return -1
        os.close(handle)
    return None


def sweep(parent: Path) -> None:
    """Remove the workshops of killed runs from a folder, and nothing else."""
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name):
                with suppress(OSError):  # it belongs to another user, or another run was faster
                    _sweep(parent / entry.name)


def _sweep(home: Path) -> None:
    status = os.lstat(home)
    if fcntl is None or not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        return
    lock = locked(home)
    if lock is None or lock < 0:  # the run lives, or may live
        return
    try:
        names = set(os.listdir(home))
        if names - {TARGET, NEW, OLD} or (names and TARGET not in names):
            return
        if OLD in names:  # killed between the two steps of an exchange: restore the old content
            target = home.parent / os.fsdecode((home / TARGET).read_bytes())
            with suppress(FileExistsError):
                rename_new(home / OLD, target)
                flush(home.parent)
        _clear(home)
    finally:
        os.close(lock)


def _clear(home: Path) -> None:
    """Remove a workshop; the file that identifies it comes last."""
    if home == _Workshop.home:
        return
    for name in (NEW, OLD):
        with suppress(FileNotFoundError):
            shutil.rmtree(home / name)
    with suppress(FileNotFoundError):
        os.unlink(home / TARGET)
    os.rmdir(home)


def _is_same(handle: int, path: Path) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(handle), os.lstat(path))
    return False


def _is_plain_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


@contextmanager
def _sentences(*paths: Path) -> Iterator[None]:
    """Raise errors of the system as a BadInput of one sentence."""
    try:
        yield
    except OSError as problem:
        reason = problem.strerror or str(problem).split("\n", maxsplit=1)[0]
        raise BadInput(f"{', '.join(map(str, paths))} cannot be written: {reason}") from None
