"""Keep pandas and SciPy's linear algebra unloaded in commands that do not need them.

pyarrow imports pandas when it makes its first array, and numba imports SciPy's linear algebra when it is loaded. Each
takes longer than anonymizing a small file, so both are hidden at that moment. Converting to pandas still works later:
pyarrow then looks again. numba needs BLAS only to multiply matrices, which none of our kernels does.
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
