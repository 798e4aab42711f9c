"""Commands read files, not data frames: pandas stays unloaded, although pyarrow would load it where it is installed.

pyarrow looks for pandas once, at the first array it makes, and loading it takes longer than anonymizing a small file.
Here it looks while pandas is hidden. Whoever converts to pandas later still can: then pyarrow looks again.
"""

from __future__ import annotations

import sys


class _Hidden:
    """A finder that knows no pandas."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is not needed here", name=name)


def leave_pandas_out() -> None:
    if "pandas" in sys.modules:
        return
    import pyarrow as pa

    sys.meta_path.insert(0, _Hidden)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(_Hidden)
