"""Release: publish a candidate, show its verification, and export the session as a plan."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil import shapes
from fairveil.data.atomic import whole_files, write_text
from fairveil.errors import BadInput, Infeasible
from fairveil.progress import Progress
from fairveil.studio import api
from fairveil.studio.calls import Call, FileAnswer
from fairveil.studio.candidate_store import need_candidate, release_of, request_of, split_id
from fairveil.studio.document import now
from fairveil.studio.faults import unknown
from fairveil.studio.jobs import started
from fairveil.studio.requests import plan_of
from fairveil.studio.sessions import OpenSession
from fairveil.studio.views import number, plain

if TYPE_CHECKING:
    from fairveil.release.release import Release
    from fairveil.run.plan import Plan

_ID = re.compile(r"x\d+")
_NOTE = shapes.record({
    "format": shapes.whole(1, 1), "path": shapes.text, "answer": shapes.record({"id": shapes.text}, more=True),
})  # fmt: skip


def release(call: Call) -> api.JobView[api.ReleaseAnswer]:
    """Write the release, into a folder of this machine or of the session, and verify it from its files."""
    from fairveil.attacks import refuse_unknown
    from fairveil.release.release import refuse_target

    asked: api.MakeRelease = call.body
    session = call.session
    need_candidate(session, asked.candidate)
    accepted = sorted({*session.document["accept"], *asked.accept})
    refuse_unknown(accepted)
    with session.lock:
        id = f"x{session.next_number('x')}"
        note = session.folder_of("releases") / f"{id}.json"
        note.touch(mode=0o600)  # reserves the number
    try:
        path = _target(asked.path) if asked.path is not None else session.folder_of("releases") / id
        refuse_target(path, overwrite=asked.overwrite)
    except BaseException:
        note.unlink(missing_ok=True)
        raise

    def work(progress: Progress) -> api.ReleaseAnswer:
        answer = _published(session, asked, path, accepted, progress)
        if answer["refused"] is not None:
            note.unlink(missing_ok=True)
            return answer
        if asked.path is None:
            _zip(path, session.folder_of("releases") / f"{id}.zip")
        made: api.ReleaseAnswer = {**answer, "id": id, "path": None if asked.path is None else str(path)}
        write_text(json.dumps({"format": 1, "path": str(path), "answer": made}), note, private=True)
        return made

    return started(call, "release", work)


def _target(path: str) -> Path:
    place = Path(path).expanduser()
    if not place.is_absolute():
        raise BadInput("say the full path of the folder: begin with / or ~")
    return place


def _published(
    session: OpenSession, asked: api.MakeRelease, path: Path, accepted: Sequence[str], progress: Progress
) -> api.ReleaseAnswer:
    from fairveil.attacks import dangers
    from fairveil.release.release import UnacceptedDanger

    made = release_of(session, asked.candidate).described(**session.document["report"])

    def answer(evidence: Mapping[str, Any], refused: Infeasible | None) -> api.ReleaseAnswer:
        found = dangers(evidence)
        return {
            "id": None, "candidate": asked.candidate, "at": now(), "path": None, "verified": False, "problems": [],
            "refused": None if refused is None else str(refused), "files": [],
            "dangers": [{"name": name, "sentence": why, "accepted": name in accepted} for name, why in found.items()],
            "verdicts": _verdicts(made), "rows": dict(evidence["rows"]),
        }  # fmt: skip

    try:
        saved = made.save(
            path, format=session.document["format"], overwrite=asked.overwrite, accept=accepted, sign=asked.sign,
            progress=progress,
        )  # fmt: skip
    except UnacceptedDanger as problem:
        return answer(problem.evidence, problem)
    except Infeasible as problem:
        return answer(made.evidence(), problem)
    files = sorted(file.name for file in path.iterdir())
    problems = list(saved.verification.problems)
    return {**answer(saved.evidence, None), "verified": not problems, "problems": problems, "files": files}


def _verdicts(release: Release) -> list[api.VerdictFacts]:
    return [
        {
            "guard": plain(verdict.guard.to_dict()), "promise": verdict.guard.promise(), "holds": verdict.holds,
            "sentence": verdict.sentence, "worst": number(verdict.worst), "limit": number(verdict.limit),
        }
        for verdict in release.verdicts
    ]  # fmt: skip


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


def releases(call: Call) -> api.Releases:
    """Return the session's releases, the latest first. Releases whose folder was moved or removed are omitted."""
    folder = call.session.folder / "releases"
    notes = [note for note in folder.glob("x*.json") if _ID.fullmatch(note.stem)]
    notes.sort(key=lambda note: -int(note.stem[1:]))
    made = [content for note in notes if (content := _note(note)) is not None]
    return {"releases": [content["answer"] for content in made if (Path(content["path"]) / "report.html").is_file()]}


def _note(note: Path) -> Mapping[str, Any] | None:
    """Return the note on a release; nothing while it is being written, or if the file is damaged."""
    try:
        content: Mapping[str, Any] = _NOTE(shapes.from_json(shapes.read_bytes(note, "release"), "the release"), "")
    except BadInput:
        return None
    return content


def _place(call: Call) -> Path:
    """Return the path of a release of the session."""
    id = call.path["release"]
    note = call.session.folder / "releases" / f"{id}.json"
    content = _note(note) if _ID.fullmatch(id) and note.is_file() else None
    if content is None:
        raise unknown("release", id)
    return Path(content["path"])


def zipped(call: Call) -> FileAnswer:
    _place(call)
    archive = call.session.folder / "releases" / f"{call.path['release']}.zip"
    if not archive.is_file():
        raise unknown("release", call.path["release"])
    return FileAnswer(archive, "application/zip", "release.zip")


def report_page(call: Call) -> FileAnswer:
    page = _place(call) / "report.html"
    if not page.is_file():
        raise unknown("release", call.path["release"])
    return FileAnswer(page.read_bytes(), "text/html; charset=utf-8")


def plan(call: Call) -> api.PlanText:
    return {"text": _plan(call).to_toml(), "command": "fairveil release plan.toml --out release"}


def plan_file(call: Call) -> FileAnswer:
    return FileAnswer(_plan(call).to_toml().encode(), "application/toml", "plan.toml")


def _plan(call: Call) -> Plan:
    """Return the document as a plan; with a candidate, the plan that publishes it."""
    session = call.session
    candidate = call.query.get("candidate") or session.document["chosen"]
    if not candidate:
        return plan_of(session, session.document)
    need_candidate(session, candidate)
    owner, called = split_id(candidate)
    request = request_of(session, candidate)
    if owner in session.runs:
        document = {**session.document, **request, "measures": session.document["measures"]}
        return plan_of(session, document, candidate=called)
    from fairveil.studio.steering import walk_plan

    return walk_plan(session, owner, called)
