"""pyarrow's functions, each made when it is first used, without its description.

When `pyarrow.compute` is loaded, it writes the signature and the documentation of all its functions, some 250, of which
a command uses ten. `load` loads it with one function; its own code makes any other when it is asked for.
"""

from __future__ import annotations

import sys
from typing import Any

REWRITTEN = {"and_": "and", "or_": "or"}
"""Functions whose names in Arrow are words of Python."""
NEEDED = ("utf8_zero_fill",)
"""Functions that the module itself uses while it is loaded."""


def load() -> None:
    """Load `pyarrow.compute` with few functions; as usual in a version of pyarrow that does not allow it."""
    if "pyarrow.compute" in sys.modules:
        return
    import pyarrow._compute as library

    complete = library.function_registry
    library.function_registry = _FewFunctions
    try:
        import pyarrow.compute as module
    except (AttributeError, KeyError, ImportError):
        sys.modules.pop("pyarrow.compute", None)
        return
    finally:
        library.function_registry = complete
    functions: Any = module
    functions.function_registry = complete
    if not (hasattr(module, "_make_generic_wrapper") and hasattr(module, "_get_options_class")):
        del sys.modules["pyarrow.compute"]
        return

    def function(name: str) -> Any:
        try:
            listed = complete().get_function(REWRITTEN.get(name, name))
        except KeyError:
            listed = None
        if (
            listed is None
            or listed.kind == "hash_aggregate"
            or (listed.kind == "scalar_aggregate" and not listed.arity)
        ):
            raise AttributeError(f"module 'pyarrow.compute' has no attribute {name!r}")
        options = functions._get_options_class(listed)
        setattr(module, name, functions._make_generic_wrapper(name, listed, options, arity=listed.arity))
        return getattr(module, name)

    functions.__getattr__ = function


class _FewFunctions:
    """A registry of functions that lists those that are needed to load the module."""

    def list_functions(self) -> list[str]:
        return list(NEEDED)

    def get_function(self, name: str) -> Any:
        import pyarrow._compute as library

        return library.get_function(name)
