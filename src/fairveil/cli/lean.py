"""Keep packages unloaded in commands that do not need them.

pyarrow imports pandas when it makes its first array; Numba imports SciPy, PyYAML and cffi when it is loaded. Together
they take longer than anonymizing a small file, so they are hidden at that moment. Converting to pandas still works
later, because pyarrow then looks again. Numba needs SciPy only to multiply matrices, PyYAML only to read a
.numba_config.yaml, and cffi only to call C functions from kernels; none of our kernels does.
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
    if "numba" not in sys.modules:
        with _hidden("scipy", "yaml", "cffi"):
            import numba.np.arraymath  # noqa: F401


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
