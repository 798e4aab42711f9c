"""How to verify the release, and the notes that came up while it was made."""

from __future__ import annotations

from fairveil.markup import Html, join, shown, table, tag
from fairveil.reporting.context import ReportContext


def notes(c: ReportContext) -> Html | None:
    every_note = [*c.evidence.get("notes", []), *(c.inside.notes if c.inside is not None else ())]
    return tag("ul", [tag("li", shown(note, 400)) for note in every_note]) if every_note else None


def proof(c: ReportContext) -> Html:
    files = [(name, digest) for name, digest in c.evidence.get("files", {}).items() if name != "report.html"]
    versions = {"fairveil": c.evidence.get("fairveil", ""), **c.evidence.get("versions", {})}
    software = ", ".join(f"{name} {version}" for name, version in versions.items())
    sums = table("SHA-256 checksums", ["file", "checksum"], [[name, tag("code", sha)] for name, sha in files])
    again = (
        "This reads the data again, re-checks every promise on it, compares every published value with the recipe, and "
        "compares all checksums. From Python: ",
        tag("code", 'fairveil.verify("FOLDER")'),
        ". The checksums alone can be compared with ",
        tag("code", "sha256sum"),
        "; that of this report is in ",
        tag("code", "evidence.json"),
        ".",
    )
    word = (
        "What the report says about the source itself (how many records it had, its risk, what was lost, how models "
        "and statistics fare) cannot be checked: you have to trust those who made the release."
    )
    by = f"Made by {software}, seed {c.evidence.get('seed', 0)}."
    return join([
        tag("p", "No promise has to be taken on trust. With fairveil installed, and FOLDER the folder of this report:"),
        tag("pre", tag("code", "fairveil verify FOLDER")),
        tag("p", again),
        tag("p", word),
        sums if files else None,
        tag("p", by, " The same source, plan and versions give the same files, byte for byte.", class_="soft"),
    ])  # fmt: skip
