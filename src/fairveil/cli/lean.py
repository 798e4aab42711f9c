"""Keep packages unloaded in commands that do not need them.

Typer imports Pydantic to convert arguments, although most are texts and paths. pyarrow imports pandas when it makes its
first array, and scikit-learn when it is loaded. Together they take longer than anonymizing a small file, so pandas is
hidden at that moment. Converting to pandas still works later, because pyarrow then looks again. scikit-learn also
imports scipy.stats and others (`POSTPONED`), for a few functions that are seldom called: they are loaded when something
of them is used. importlib's LazyLoader cannot do that, because `from scipy.stats import rankdata` uses the module at
once. Only commands do this, in a process of their own: `import fairveil` changes nothing about other packages.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any, get_args, get_origin

from fairveil.cli.arguments import NotPlain, converted


def convert_plain_arguments() -> None:
    """Convert strings, paths and integers without Pydantic; Typer converts, or rejects, everything else."""
    from typer import core

    parameter: Any = getattr(core, "_TyperParameter", None)
    if not hasattr(parameter, "get_runtime_param"):
        return  # a version of Typer that does not need Pydantic
    typers_own = parameter.get_runtime_param

    class Conversion:
        """The conversion of any parameter, as Typer calls it."""

        @staticmethod
        def coerce(value: Any, param: Any, ctx: Any) -> Any:
            try:
                return _converted(value, param)
            except NotPlain:
                return typers_own(param).coerce(value, param=param, ctx=ctx)

    parameter.get_runtime_param = lambda self: Conversion


def _converted(value: Any, parameter: Any) -> Any:
    type_, info = parameter.type_descriptor.annotation, parameter.type_descriptor.parameter_info
    special = (
        not (info.file_okay and info.dir_okay)
        or info.exists
        or info.resolve_path
        or info.writable
        or info.allow_dash
        or info.path_type
    )
    if info.parser is not None or getattr(info, "click_type", None) is not None or special or info.max is not None:
        raise NotPlain(parameter.name)
    if not (parameter.multiple or parameter.nargs == -1):
        return None if value is None else converted(value, type_, info.min)
    if value is None:
        return ()
    if get_origin(type_) is not list or not isinstance(value, list | tuple):
        raise NotPlain(parameter.name)
    return [converted(item, get_args(type_)[0], info.min) for item in value]


def load_learners() -> None:
    """Load scikit-learn and pyarrow without pandas, which they only need for its frames; it can be loaded later."""
    load_arrays()
    if "sklearn" not in sys.modules:
        for name in POSTPONED:
            spec = find_spec(name.split(".")[0])
            if name not in sys.modules and spec is not None and spec.origin is not None:
                home = Path(spec.origin).parent.joinpath(*name.split(".")[1:])
                sys.modules[name] = _Postponed(name, home)
        with _hidden("pandas", "psutil", "rich"):
            import sklearn.base
            import sklearn.tree  # noqa: F401


POSTPONED: dict[str, tuple[str, ...]] = {
    "scipy.stats": ("rankdata", "gmean", "chi2", "spearmanr"),
    "scipy.integrate": ("trapezoid",),
    "scipy.interpolate": ("BSpline",),
    "scipy.spatial.transform": ("Rotation",),
}
"""What is loaded when it is used, and of each what others import by name when they are loaded."""


class _Postponed(ModuleType):
    """A module that is loaded when something of it is used; what others import by name when they are loaded, when it is
    called or asked for an attribute."""

    def __init__(self, name: str, home: Path) -> None:
        super().__init__(name)
        # what the import system and those who look through all modules ask for, which should not load it
        self.__file__, self.__path__ = str(home / "__init__.py"), [str(home)]

    def __getattr__(self, name: str) -> Any:
        return _Member(self, name) if name in POSTPONED[self.__name__] else getattr(self.loaded(), name)

    def loaded(self) -> ModuleType:
        with _loading:
            if sys.modules.get(self.__name__) is self:
                del sys.modules[self.__name__]
            return import_module(self.__name__)


class _Member:
    """A function or an object of a postponed module."""

    def __init__(self, home: _Postponed, name: str) -> None:
        self._home, self._name = home, name

    def __call__(self, *given: Any, **named: Any) -> Any:
        return getattr(self._home.loaded(), self._name)(*given, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(getattr(self._home.loaded(), self._name), name)


_loading = RLock()


def load_arrays() -> None:
    """Load pyarrow without pandas."""
    if "pandas" not in sys.modules:
        import pyarrow as pa

        with _hidden("pandas"):
            pa.array([0])


def load_less() -> None:
    """Load pyarrow without pandas, and without what it needs only to serialize functions."""
    with _hidden("cloudpickle"):
        load_arrays()
        import pyarrow.compute  # noqa: F401


@contextmanager
def _hidden(*modules: str) -> Iterator[None]:
    hidden = [name for name in modules if name not in sys.modules]

    class Hidden:
        """A finder that does not find these modules."""

        @staticmethod
        def find_spec(name: str, path: object = None, target: object = None) -> None:
            if name in hidden:
                raise ModuleNotFoundError(f"{name} is not needed here", name=name)

    sys.meta_path.insert(0, Hidden)
    try:
        yield
    finally:
        sys.meta_path.remove(Hidden)
