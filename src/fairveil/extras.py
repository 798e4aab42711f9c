"""Packages that only some parts need: the message where one is missing says which it is and how to install it."""

from __future__ import annotations

from importlib.util import find_spec

from fairveil.errors import BadInput

PACKAGES: dict[str, tuple[str, str]] = {
    "opendp": ("OpenDP", "dp"),
    "fastexcel": ("fastexcel", "files"),
    "pyreadstat": ("pyreadstat", "files"),
    "matplotlib": ("Matplotlib", "plots"),
    "pymoo": ("pymoo", "preferences"),
    "pyspark": ("PySpark", "spark"),
    "ibis": ("Ibis", "sql"),
    "psycopg": ("psycopg", "sql"),
    "starlette": ("Starlette", "studio"),
    "uvicorn": ("uvicorn", "studio"),
    "python_multipart": ("python-multipart", "studio"),
    "fairlearn": ("Fairlearn", "reproduce"),
    "sklego": ("scikit-lego", "reproduce"),
    "wittgenstein": ("wittgenstein", "reproduce"),
}
"""The name of each optional module's package, and the extra of fairveil that installs it."""


def is_installed(module: str) -> bool:
    """Whether a module can be imported; it is not imported."""
    return find_spec(module) is not None


def need(module: str, what: str, extra: str | None = None) -> None:
    """Raise BadInput, with the command that installs the package, unless the module that `what` needs is installed.

    The command names the module's own extra, or `extra` where `what` needs more than that one has.
    """
    if not is_installed(module):
        package, own = PACKAGES[module]
        raise BadInput(f"{what} needs {package}, which is not installed: pip install 'fairveil[{extra or own}]'")
