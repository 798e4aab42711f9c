"""The two ways a request can fail: it is not understood, or it cannot be met; and packages that only some parts need.

>>> suggest("Sexx", ["Sex", "Race"])
"no 'Sexx': did you mean 'Sex'?"
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from fairveil.messages import literal

PACKAGES: dict[str, tuple[str, str]] = {
    "deltalake": ("deltalake", "delta"),
    "opendp": ("OpenDP", "dp"),
    "fastexcel": ("fastexcel", "files"),
    "pyreadstat": ("pyreadstat", "files"),
    "pyiceberg": ("PyIceberg", "iceberg"),
    "matplotlib": ("Matplotlib", "plots"),
    "pymoo": ("pymoo", "preferences"),
    "pyspark": ("PySpark", "spark"),
    "ibis": ("Ibis", "sql"),
    "psycopg": ("psycopg", "sql"),
    "pymysql": ("PyMySQL", "sql"),
    "sqlglot": ("SQLGlot", "sql"),
    "starlette": ("Starlette", "studio"),
    "uvicorn": ("uvicorn", "studio"),
    "python_multipart": ("python-multipart", "studio"),
    "fairlearn": ("Fairlearn", "reproduce"),
    "sklego": ("scikit-lego", "reproduce"),
    "wittgenstein": ("wittgenstein", "reproduce"),
}
"""The name of each optional module's package, and the extra of fairveil that installs it."""


class BadInput(ValueError):
    """Something given is wrong; the message is one sentence that names it and says what to do.

    `problems` has a sentence for each, if there are several.
    """

    def __init__(self, sentence: str = "", problems: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.problems = tuple(problems) or (sentence,)


class Unpublishable(BadInput):
    """The values of a column are of a type that cannot be published: the column can only be dropped."""


class UnreadableColumns(BadInput):
    """A role may not read some columns of a table: those in `hidden`, of all `names`."""

    def __init__(self, sentence: str, names: Sequence[str] = (), hidden: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.names, self.hidden = list(names), list(hidden)


class UnknownPart(BadInput):
    """No installed package provides the guard, measure, method, attack or hierarchy of this name."""

    def __init__(self, sentence: str, what: str = "part", name: object = "") -> None:
        super().__init__(sentence)
        self.what, self.name = what, name

    @property
    def advice(self) -> str:
        """One sentence for the reader of a file that somebody else's installation wrote."""
        return f"{self.what} {short(str(self.name))!r} is unknown here: install the package that provides it"


class BrokenPackage(UserWarning):
    """An installed package that provides parts could not be loaded."""


class Infeasible(ValueError):
    """Everything given is fine, but no release can keep the promises; the message says how close one gets."""


class Danger(Infeasible):
    """Raised if an attack on a release is a danger that was not accepted, and nothing is written. `dangers` has the
    sentence of each danger by name, also of accepted ones; `evidence` would have been written."""

    def __init__(self, sentence: str, dangers: Mapping[str, str], evidence: Mapping[str, Any]) -> None:
        super().__init__(sentence)
        self.dangers, self.evidence = dangers, evidence


class Cancelled(RuntimeError):
    """The progress callback asked to stop."""


class Paused(Cancelled):
    """Work was stopped that can go on later; the text says what is kept and how to go on."""


def short(name: str) -> str:
    """A name for a sentence: files may hold names without end."""
    return name[:60]


def nearest(name: str, options: Iterable[str]) -> str | None:
    """The option that is spelled most like `name`, if one is similar."""
    lowered = {option.lower(): option for option in options}
    close = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=0.6)
    return lowered[close[0]] if close else None


def suggest(name: object, options: Iterable[object], what: str = "") -> str:
    """One phrase that says `name` is unknown, with the nearest of `options` or all of them."""
    names = [str(option) for option in options]
    text = short(name if isinstance(name, str) else literal(name))
    label = f"no {what} {text!r}" if what else f"no {text!r}"
    if close := nearest(text, names):
        return f"{label}: did you mean {close!r}?"
    if not names:
        return f"{label}: there are none"
    listed = ", ".join(repr(option) for option in names[:12]) + (", …" if len(names) > 12 else "")
    return f"{label}: there are {listed}"


def refuse(problems: list[str]) -> None:
    """Raise one BadInput that names every problem at once; nothing happens when there is none."""
    if len(problems) == 1:
        raise BadInput(problems[0])
    if problems:
        raise BadInput(f"{len(problems)} problems: " + "; ".join(problems), problems)


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
