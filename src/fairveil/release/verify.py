"""Verify: read a release's files and recompute everything that can be computed from them.

Guards, measures, attacks, weaknesses, types, levels, counts and the report's bytes are computed by the code that made
them, from the files alone, and compared with the evidence. `checks.py` lists the entries of which only the form can be
checked. Whatever a folder contains, the result is a Verification, never a traceback, and reading never blocks.

>>> import tempfile
>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> release = fv.search(credit.table, credit.schema, guards=fv.KAnonymity(3)).best("loss")
>>> with tempfile.TemporaryDirectory() as folder:
...     saved = release.save(f"{folder}/out", accept=fv.attacks.ATTACKS.names)
...     bool(fv.verify(f"{folder}/out"))
True
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from fairveil import __version__, recipes
from fairveil.data.writers import ENDINGS
from fairveil.display import Displayable, DisplayTable
from fairveil.engines import PublishedTable, opened
from fairveil.errors import BadInput, Cancelled, UnknownPart
from fairveil.guards import Verdict
from fairveil.messages import counted
from fairveil.progress import Progress, Report
from fairveil.published.data_files import data_files, open_plain
from fairveil.published.folder import (
    EARLIER,
    EVIDENCE,
    IN_FILES,
    RECIPE,
    REPORT,
    LoadedRelease,
    json_text,
    load,
    load_evidence,
    load_json,
    loaded,
    seal,
    sha256,
    table_of,
    with_current_names,
)
from fairveil.published.published import Published
from fairveil.published.rewriting import differing_files
from fairveil.recipes.outcome import ONLY
from fairveil.release.checks import before_report, differences, form_problems, unaccepted
from fairveil.release.claims import claims, named_parts
from fairveil.release.signing import SIGNATURE, Signers, proves_nothing, signer_of

if TYPE_CHECKING:
    from fairveil.engines.native import EngineAdapter
    from fairveil.recipes.recipe import Recipe

ADDED: tuple[str, ...] = (SIGNATURE,)
"""Files that a release may contain beside those that the evidence seals."""
REDEFINED = ("uniqueness",)
"""Attacks whose figures meant something else in EARLIER versions: they are not compared."""


@dataclass(frozen=True, repr=False)
class Verification(Displayable):
    """The result of a verification: true if every file is as sealed and every promise holds; else `problems` says why.

    `signed`: somebody signed this evidence. `signer` is who it was, checked only if signers were given. `notes` say
    what could not be compared because another version wrote it, or because a column is not published. `unknown` names a
    part of another package, such as a guard, that is not installed here: the release cannot be verified without it.
    """

    path: Path
    problems: tuple[str, ...]
    verdicts: tuple[Verdict, ...] = ()
    rows: int = 0
    signed: bool = False
    signer: str = ""
    notes: tuple[str, ...] = ()
    unknown: str = ""

    @property
    def conclusion(self) -> str:
        """The result in one phrase."""
        if self.unknown and not self.problems:
            return "cannot be verified here"
        return "every promise holds" if self else "NOT as promised"

    def _headline(self) -> str:
        return f"{self.path}: {counted(self.rows, 'row')}, {self.conclusion}"

    def _tables(self) -> list[DisplayTable]:
        listed = [*self.problems, *([self.unknown] if self.unknown else [])]
        problems = [DisplayTable(["problem"], [[problem] for problem in listed])] if listed else []
        verdicts = [["✓" if v.holds else "✗", v.guard.kind, v.sentence] for v in self.verdicts]
        return [*problems, DisplayTable(["", "guard", "finding"], verdicts)]

    def __bool__(self) -> bool:
        return not self.problems and not self.unknown

    def to_dict(self) -> dict[str, Any]:
        return {
            "holds": bool(self),
            "rows": self.rows,
            "signed": self.signed,
            "signer": self.signer,
            "problems": list(self.problems),
            "notes": list(self.notes),
            "unknown": self.unknown,
            "guards": [verdict.to_dict() for verdict in self.verdicts],
        }


def verify(
    path: str | os.PathLike[str],
    *,
    signers: Signers | str | Path | None = None,
    revoked: str | Path | None = None,
    published: Any = None,
    table: str | None = None,
    register: Any = None,
    progress: Progress | Report | bool | None = None,
) -> Verification:
    """Check a release folder, and return a Verification that is false if anything is wrong. Raises BadInput if the path
    does not exist.

    `signers` is an OpenSSH file of allowed signers, or "file:identity": then the release must be signed by one of them,
    with a key that `revoked` does not list. `published` is the URL of the database, or a connection of Ibis or DuckDB
    to it, if the rows are in a table there; `table` is its name, if it differs from the one in the evidence. A URL in
    a release is never followed. `register` is the register of the population, a data frame or a file, if a promise was
    judged by one: a release does not contain it.
    """
    if not isinstance(path, str | os.PathLike):
        raise BadInput(
            f"verify checks the folder that a release was saved to, not a {type(path).__name__}: save it first"
        )
    folder, progress = Path(path), Progress.visible(progress)
    if revoked is not None and signers is None:
        raise BadInput("revoked keys are used only with signers: also name the allowed signers")
    allowed = None if signers is None else Signers.of(signers, revoked)
    if not os.path.lexists(folder):
        raise BadInput(f"the folder {folder} does not exist")
    database = None if published is None else opened(published)
    return progress.run(
        lambda: _Check(folder, progress, allowed, database=database, table=table, register=register).run()
    )


def verify_and_load(
    path: str | os.PathLike[str], *, published: Any = None, table: str | None = None, progress: Progress
) -> tuple[Verification, LoadedRelease]:
    """Check a release folder as `verify` does, and return what was read of it, too: its data is read once. What could
    not be read raises as `load` does."""
    if not os.path.lexists(path):
        raise BadInput(f"the folder {path} does not exist")
    check = _Check(Path(path), progress, None, database=None if published is None else opened(published), table=table)
    verification = check.run()
    return verification, check.loaded or load(path, progress, database=published, table=table)


@dataclass(frozen=True)
class Computed:
    """The claims and the report page computed from the rows of a release."""

    published: Published
    claims: Mapping[str, Any]
    page: str


def verify_written(folder: Path, progress: Progress, computed: Computed) -> Verification:
    """Check a folder that this run has just written: its results are compared with the evidence, not recomputed."""
    return _Check(folder, progress, None, computed).run()


class _Check:
    """One verification: each step adds the problems it finds, and a step that cannot continue ends it."""

    def __init__(
        self,
        folder: Path,
        progress: Progress,
        signers: Signers | None,
        computed: Computed | None = None,
        database: EngineAdapter | None = None,
        table: str | None = None,
        register: Any = None,
    ) -> None:
        self.folder, self.progress, self.signers, self.computed = folder, progress, signers, computed
        self.database, self.table, self.register = database, table, register
        self.result = Verification(folder, ())
        self.loaded: LoadedRelease | None = None

    def run(self) -> Verification:
        steps: list[tuple[str, Callable[[], None]]] = [
            ("the folder", self._read),
            ("the data", self._load),
            ("the promises", self._judge),
            ("the evidence", self._compute),
            ("the report", self._rebuild),
        ]
        for number, (what, step) in enumerate(steps):
            try:
                self.progress.tell(number / len(steps), f"checking {what}")
                step()
            except (Cancelled, KeyboardInterrupt):
                raise
            except UnknownPart as problem:
                self.result = replace(self.result, unknown=_in_one_line(problem.advice))
                break
            except BadInput as problem:
                self._wrong(str(problem))
                break
            except Exception as problem:
                # a folder may contain anything: an unforeseen exception is also a problem
                self._wrong(f"{what} cannot be checked: {type(problem).__name__}, {str(problem)[:200]}")
                break
        return self.result

    def _wrong(self, *problems: str) -> None:
        self.result = replace(self.result, problems=(*self.result.problems, *map(_in_one_line, problems)))

    def _read(self) -> None:
        """Check that the files are those of a release, regular files, and as sealed."""
        names = _plain_files(self.folder)
        self.evidence = load_evidence(self.folder)
        if SIGNATURE in names:
            self._check_signature()
        if self.signers is not None and not self.result.problems:
            signer, problems = signer_of(self.folder, self.signers)
            self.result = replace(self.result, signer=signer)
            self._wrong(*problems)
        if seal(self.evidence) != self.evidence.get("seal"):
            self._wrong("evidence.json was changed after it was sealed")
        sealed = self.evidence.get("files")
        if not isinstance(sealed, dict):
            raise BadInput("the evidence does not list the files")
        if list(sealed) != [*sorted({*sealed} - {REPORT}, key=PurePosixPath), *({REPORT} & {*sealed})]:
            self._wrong("the evidence lists the files in another order")
        with ThreadPoolExecutor(1, "fairveil-checksums") as thread:
            computed = {name: thread.submit(sha256, self.folder / name) for name in sealed if name in names}
            self._load_ahead()
            for name, checksum in sealed.items():
                self.progress.check(f"reading {name}")
                if name not in names:
                    self._wrong(f"{name} is missing")
                elif computed[name].result() != checksum:
                    self._wrong(f"{name} was changed: its SHA-256 is not the one in the evidence")
        allowed = (*sealed, EVIDENCE, *ADDED)
        self._wrong(*(f"{name} does not belong to the release" for name in sorted(names) if name not in allowed))
        self.recipe: Recipe = recipes.from_dict(load_json(self.folder / RECIPE))
        for name, content in ((EVIDENCE, self.evidence), (RECIPE, self.recipe.to_dict())):
            with open_plain(self.folder / name) as file:
                if file.read() != _rewritten(content):
                    self._wrong(f"{name} is not written as fairveil writes its content")
        if self.register is not None:
            self.recipe = self.recipe.judged_by(self.register)
        names_of_data = [] if table_of(self.evidence) is not None else self.recipe.table_names
        data = [str(file.relative_to(self.folder)) for n in names_of_data for file in data_files(self.folder, n)]
        expected = {RECIPE, REPORT, *data}
        if {name.rpartition(".")[2] for name in data} >= set(ENDINGS):
            self._wrong("the tables are not all in one format")
        self._wrong(*(f"the evidence does not seal {name}" for name in sorted(expected - set(sealed))))
        self._wrong(*(f"{name} does not belong to the release" for name in sorted(set(sealed) - expected)))

    def _load_ahead(self) -> None:
        """Read the data while the checksums are computed. If that fails, `_load` reads it again, and says why."""
        elsewhere = table_of(self.evidence) is not None or self.database is not None
        if self.computed is not None or elsewhere or self.register is not None:
            return
        try:
            recipe = recipes.from_dict(load_json(self.folder / RECIPE))
            self.loaded = loaded(self.folder, self.evidence, recipe, self.progress)
        except Cancelled:
            raise
        except Exception:
            self.loaded = None

    def _check_signature(self) -> None:
        """Check that a signature is a signature of this evidence, by anybody."""
        try:
            reason = proves_nothing(self.folder)
        except BadInput as problem:
            if self.signers is not None:
                raise
            self.result = replace(self.result, notes=(f"its signature could not be checked: {problem}",))
            return
        self.result = replace(self.result, signed=not reason)
        if reason:
            self._wrong(f"{SIGNATURE} is a signature file that proves nothing: {reason}")

    def _load(self) -> None:
        """Check that the data can be read in the types that the evidence names."""
        if not self.evidence.get("guards"):
            self._wrong("the evidence promises nothing")
        self.published: Published = self._published()
        self.result = replace(self.result, rows=self.published.rows)
        lacking = self.recipe.lacks(self.published.content)
        if lacking:
            raise BadInput("; ".join(lacking))
        self._wrong(*self.recipe.problems(self.published.content))
        if self.computed is None and table_of(self.evidence) is None and not self.result.problems:
            for name, content in self.published.content.items():
                problems, notes = differing_files(self.folder, name, content, self.progress)
                self._wrong(*problems)
                self.result = replace(self.result, notes=(*self.result.notes, *notes))

    def _published(self) -> Published:
        if self.computed is not None:
            return self.computed.published
        counted: Mapping[str, PublishedTable] = {}
        if table_of(self.evidence) is not None:
            from fairveil.published.located import counted_table

            table, problems = counted_table(self.evidence, self.recipe, self.database, self.table, self.progress)
            self._wrong(*problems)
            counted = {ONLY: table}
        elif self.database is not None:
            self._wrong(IN_FILES)
        if self.loaded is None:
            self.loaded = loaded(self.folder, self.evidence, self.recipe, self.progress, counted)
        return self.loaded.published

    def _judge(self) -> None:
        """Check that every promise holds, and that the rows are sorted by value."""
        verdicts = self.published.verdicts()
        self.result = replace(self.result, verdicts=verdicts)
        schema = self.published.schema
        if schema.person is not None and not schema.links:
            kinds = ", ".join(dict.fromkeys(verdict.guard.kind for verdict in verdicts if verdict.unit == "persons"))
            hidden = f"persons were counted by {schema.person!r}, whose column is not published; recomputed by records"
            note = _in_one_line(f"{kinds}: {hidden}" if kinds else hidden)
            self.result = replace(self.result, notes=(*self.result.notes, note))
        if schema.person is not None and self.published.persons is None:
            note = "its evidence counts no persons: the limit of what may be left out is a share of the records"
            self.result = replace(self.result, notes=(*self.result.notes, note))
        self._wrong(*(f"{v.guard.kind} does not hold: {v.sentence}" for v in verdicts if not v))
        rows = self.evidence.get("rows")
        claimed = rows.get("published") if isinstance(rows, Mapping) else None
        if claimed != self.published.rows:
            self._wrong(f"the evidence says {claimed} rows, the data has {self.published.rows}")
        if not self.published.keeps_order:
            for name, content in self.published.content.items():
                if not content.in_order():
                    self._wrong(f"{name}: the rows are not sorted by value: their order may reveal whose they are")

    def _compute(self) -> None:
        """Check that the evidence agrees with the files."""
        self._wrong(*form_problems(self.evidence, self.published))
        part = self.progress.part(0.6, 0.8)
        expected = (
            claims(self.published, part, **named_parts(self.evidence))
            if self.computed is None
            else self.computed.claims
        )
        evidence = with_current_names(self.evidence)
        if self.maker in EARLIER:
            expected, evidence = _comparable(expected), _comparable(evidence)
        if self.maker in EARLIER and not self.published.whole:  # they stated 0 for projections, which have no classes
            expected = {**expected, "measures": {**expected["measures"], "class-gini": 0.0}}
        for kind, problem in differences(expected, evidence, self.published):
            self._differs(kind, problem)
        if self.maker not in EARLIER and not self.result.problems:
            self._wrong(*unaccepted(evidence))

    def _rebuild(self) -> None:
        """Check that the report is the one that evidence, recipe and data give."""
        if self.result.problems:
            return  # the report would differ for the same reason
        from fairveil.reporting import public_report

        with open_plain(self.folder / REPORT) as file:
            report = file.read()
        computed = self.computed
        page = public_report(self.published, before_report(self.evidence)) if computed is None else computed.page
        if report != page.encode("utf-8"):
            self._differs("text", f"{REPORT} is not the report that the other files give")

    @property
    def maker(self) -> str:
        """The version that wrote the release."""
        return str(self.evidence.get("fairveil"))[:40]

    def _differs(self, kind: str, problem: str) -> None:
        """Record a difference as a problem, unless it is a text written by an earlier version."""
        if kind != "text" or self.maker == __version__:
            self._wrong(problem)
        elif self.maker in EARLIER:
            note = f"written by fairveil {self.maker}: its figures were compared, its sentences and report were not"
            self.result = replace(self.result, notes=tuple(dict.fromkeys((*self.result.notes, note))))
        else:
            words = f"in the words of fairveil {__version__}"
            self._wrong(f"{problem}, {words}: it was written by {self.maker}, verify it with that version")


def _comparable(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """The evidence without the attacks whose figures earlier versions defined differently."""
    return {**evidence, "attacks": [f for f in evidence.get("attacks", []) if f.get("attack") not in REDEFINED]}


def _in_one_line(problem: str) -> str:
    """The problem with unprintable characters escaped: names of files and columns may contain any."""
    printable = "".join(c if c.isprintable() else repr(c)[1:-1] for c in problem)
    return printable.encode("utf-8", "backslashreplace").decode()


def _plain_files(folder: Path) -> set[str]:
    """The names of the files in a folder and in its folders of parts. Raises BadInput if one is not a regular file, or
    the evidence or recipe is missing."""
    kinds = _kinds(folder)
    for inner in [name for name, kind in kinds.items() if kind == "folder" and "." not in name]:
        parts = _kinds(folder / inner)
        if parts:
            del kinds[inner]
        kinds |= {f"{inner}/{name}": kind for name, kind in parts.items()}
    odd = sorted(name for name, kind in kinds.items() if kind != "file")
    if odd:
        raise BadInput(f"{odd[0]} is not a regular file, so it does not belong to a release")
    for name in (EVIDENCE, RECIPE):
        if name not in kinds:
            raise BadInput(f"{folder} is not a release: {name} is missing")
    return set(kinds)


def _kinds(folder: Path) -> dict[str, str]:
    """The kind of each entry of a folder: "file", "folder", or empty for anything else."""
    try:
        with os.scandir(folder) as entries:
            return {
                entry.name: "file" if entry.is_file(follow_symlinks=False)
                else "folder" if entry.is_dir(follow_symlinks=False) else ""
                for entry in entries
            }  # fmt: skip
    except OSError as problem:
        raise BadInput(f"{folder} cannot be read as a folder: {problem.strerror}") from None


def _rewritten(content: Mapping[str, Any]) -> bytes:
    """The bytes of a JSON file; empty if the content is nested deeper than anything that fairveil writes."""
    try:
        return json_text(content).encode("utf-8", "surrogatepass")
    except (RecursionError, ValueError):
        return b""
