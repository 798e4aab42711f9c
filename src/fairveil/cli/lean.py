"""Commands read files and count: two heavy libraries that others would load by the way stay unloaded.

pyarrow looks for pandas once, at the first array it makes, and numba for SciPy's linear algebra, when it is loaded;
each takes longer than anonymizing a small file. Here they look while those are hidden. Whoever converts to pandas later
still can: then pyarrow looks again. Without BLAS numba multiplies matrices by itself; no kernel of ours does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


def leave_out_what_is_not_needed() -> None:
    if "pandas" not in sys.modules:
        import pyarrow as pa

        with _hidden("pandas"):
            pa.array([0])
    if "scipy.linalg" not in sys.modules:
        with _hidden("scipy.linalg"):
            import numba.np.arraymath  # noqa: F401


@contextmanager
def _hidden(module: str) -> Iterator[None]:
    class Hidden:
        """A finder that does not know the module."""

        @staticmethod
        def find_spec(name: str, path: object = None, target: object = None) -> None:
            if name == module:
                raise ModuleNotFoundError(f"{module} is not needed here", name=name)

    sys.meta_path.insert(0, Hidden)
    try:
        yield
    finally:
        sys.meta_path.remove(Hidden)
