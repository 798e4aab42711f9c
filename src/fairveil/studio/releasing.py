"""Release: publish a candidate, show its verification, and export the session as a plan."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fairveil import shapes
from fairveil.attacks import dangers, refuse_unknown, tried
from fairveil.data.atomic import whole_files, write_text
from fairveil.errors import BadInput, Danger, Infeasible
from fairveil.progress import Progress
from fairveil.release.release import refuse_target
from fairveil.run.plan import Plan
from fairveil.studio.answers import Answer, FileAnswer
from fairveil.studio.candidate_store import need_candidate, release_of, split_id
from fairveil.studio.deciding import danger_title
from fairveil.studio.document import plan_of
from fairveil.studio.endpoints import endpoint
from fairveil.studio.history import now
from fairveil.studio.jobs import JobView, started
from fairveil.studio.looking import VerdictFacts
from fairveil.studio.refusals import unknown
from fairveil.studio.sessions import OpenSession
from fairveil.studio.steering import walk_plan

_ID = re.compile(r"x\d+")
_NOTE = shapes.record({
    "format": shapes.integer(1, 1), "path": shapes.text, "answer": shapes.record({"id": shapes.text}, more=True),
})  # fmt: skip


REFUSED = (
    "Nothing is written, because attacks on this release succeed. Repair each danger, or accept it, and publish again."
)


class DangerView(Answer):
    name: str
    title: str
    sentence: str
    accepted: bool


class ReleaseAnswer(Answer):
    """The result of a release job. `id` serves its files; `path` is where the folder is, if one was asked for; it was
    written `at` that time. `refused` is the reason why nothing was written, and `snapshot` the state of the source that
    it was made from, which is not published."""

    candidate: str
    at: str
    dangers: list[DangerView]
    verdicts: list[VerdictFacts]
    rows: dict[str, int]
    refused: str | None = None
    id: str | None = None
    path: str | None = None
    verified: bool = False
    problems: Sequence[str] = ()
    files: Sequence[str] = ()
    snapshot: str = ""


@endpoint("POST", "/release")
def release(
    session: OpenSession,
    candidate: str,
    path: str | None = None,
    accept: Sequence[str] = (),
    overwrite: bool = False,
    sign: str | None = None,
) -> JobView[ReleaseAnswer]:
    """Publish a candidate, and verify it from its files: into a folder of this machine at `path`, or, without one, to
    be downloaded as a zip. `accept` names dangers that are published knowingly."""
    need_candidate(session, candidate)
    accepted = sorted({*session.document["accept"], *accept})
    refuse_unknown(accepted)
    id, note = session.reserve("x", "releases", ".json")
    try:
        target = note.with_suffix("") if path is None else Path(path).expanduser()
        if not target.is_absolute():
            raise BadInput("give the full path of the folder, starting with / or ~")
        refuse_target(target, overwrite=overwrite)
    except BaseException:
        note.unlink(missing_ok=True)
        raise

    def work(progress: Progress) -> ReleaseAnswer:
        published = release_of(session, candidate).described(**session.document["report"])

        def answer(evidence: Mapping[str, Any], dangers: Mapping[str, str], **further: Any) -> ReleaseAnswer:
            views = [DangerView(name, danger_title(name), why, name in accepted) for name, why in dangers.items()]
            verdicts = [VerdictFacts.of(v.guard, published.schema, vars(v)) for v in published.verdicts]
            return ReleaseAnswer(candidate, now(), views, verdicts, dict(evidence["rows"]), **further)

        try:
            saved = published.save(
                target, format=session.document["format"], overwrite=overwrite, accept=accepted, sign=sign,
                progress=progress,
            )  # fmt: skip
        except Infeasible as problem:
            note.unlink(missing_ok=True)
            if isinstance(problem, Danger):
                return answer(problem.evidence, problem.dangers, refused=REFUSED)
            evidence = published.evidence()
            return answer(evidence, dangers(tried(evidence)), refused=str(problem))
        problems, files = list(saved.verification.problems), sorted(file.name for file in target.iterdir())
        if path is None:
            _zip(target, target.with_suffix(".zip"))
        written = answer(
            saved.evidence, saved.dangers, id=id, path=None if path is None else str(target), verified=not problems,
            problems=problems, files=files, snapshot=published.snapshot,
        )  # fmt: skip
        write_text(json.dumps({"format": 1, "path": str(target), "answer": asdict(written)}), note, private=True)
        return written

    return started(session, "release", work)


def _zip(folder: Path, target: Path) -> None:
    """Write the folder as an archive; the same release gives the same bytes, since it contains no date."""
    with (
        whole_files([target], private=True) as files,
        zipfile.ZipFile(files[target], "w", zipfile.ZIP_DEFLATED) as zipped,
    ):
        for file in sorted(folder.iterdir()):
            entry = zipfile.ZipInfo(f"release/{file.name}", (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            with zipped.open(entry, "w", force_zip64=True) as out, file.open("rb") as content:
                while piece := content.read(1 << 20):
                    out.write(piece)


@endpoint("GET", "/releases")
def releases(session: OpenSession) -> list[ReleaseAnswer]:
    """Return the session's releases, the latest first. Releases whose folder was moved or removed are omitted."""
    folder = session.folder / "releases"
    notes = [note for note in folder.glob("x*.json") if _ID.fullmatch(note.stem)]
    notes.sort(key=lambda note: -int(note.stem[1:]))
    written = [content for note in notes if (content := _note(note)) is not None]
    return [content["answer"] for content in written if (Path(content["path"]) / "report.html").is_file()]


def _note(note: Path) -> Mapping[str, Any] | None:
    """Return the note on a release; nothing while it is being written, or if the file is damaged."""
    try:
        content: Mapping[str, Any] = _NOTE(shapes.from_json(shapes.read_bytes(note, "release"), "the release"), "")
    except BadInput:
        return None
    return content


def _file(session: OpenSession, release: str, name: str) -> Path:
    """Return a file of a release, or its archive."""
    note = session.folder / "releases" / f"{release}.json"
    content = _note(note) if _ID.fullmatch(release) and note.is_file() else None
    file = note.with_suffix(name) if name == ".zip" else Path((content or {}).get("path", "")) / name
    if content is None or not file.is_file():
        raise unknown("release", release)
    return file


@endpoint("GET", "/releases/{release}/zip")
def zipped(session: OpenSession, release: str) -> FileAnswer:
    return FileAnswer(_file(session, release, ".zip"), "application/zip", "release.zip")


@endpoint("GET", "/releases/{release}/report")
def report_page(session: OpenSession, release: str) -> FileAnswer:
    return FileAnswer(_file(session, release, "report.html").read_bytes(), "text/html; charset=utf-8")


@endpoint("GET", "/plan?candidate")
def plan(session: OpenSession, candidate: str = "") -> str:
    """Return the session as the text of a plan; with a candidate, the plan that publishes it."""
    return _plan(session, candidate or session.document["chosen"]).to_toml()


@endpoint("GET", "/plan.toml?candidate")
def plan_file(session: OpenSession, candidate: str = "") -> FileAnswer:
    return FileAnswer(plan(session, candidate).encode(), "application/toml", "plan.toml")


def _plan(session: OpenSession, candidate: str | None) -> Plan:
    if not candidate:
        return plan_of(session, session.document)
    need_candidate(session, candidate)
    owner, called = split_id(candidate)
    if owner not in session.runs:
        return walk_plan(session, owner, called)
    document = {**session.document, **session.runs[owner].request, "measures": session.document["measures"]}
    return plan_of(session, document, candidate=called, walk=None)
