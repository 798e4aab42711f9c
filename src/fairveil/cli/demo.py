"""fairveil demo: from bundled census data to a verified release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fairveil.cli.options import Json, opt
from fairveil.cli.terminal import say, say_json, working
from fairveil.messages import counted

if TYPE_CHECKING:
    from fairveil.release.release import Release

K, SUPPRESSION = 10, 0.02
NOTE = "made by `fairveil demo`"


def demo(out: Annotated[Path, opt("DIR", "Folder for the release.")] = Path("release-demo"), json: Json = False) -> int:
    """Anonymize bundled census data and verify the result.

    Prints what was promised, what it cost, and where the release is. An earlier demo release is replaced.
    """
    import dataclasses

    from fairveil import KAnonymity, datasets
    from fairveil.cli.release import show
    from fairveil.published.folder import is_release, load_json
    from fairveil.release.release import refuse_target
    from fairveil.run.explore import search

    # only what an earlier demo wrote may be replaced
    replace = is_release(out) and NOTE in load_json(out / "evidence.json").get("notes", [])
    refuse_target(out, overwrite=replace)
    with working("reading the census data") as progress:
        adult = datasets.adult()
        frontier = search(adult.table, adult.schema, guards=[KAnonymity(K, SUPPRESSION)], progress=progress)
        best = frontier.best("loss")
        release: Release = dataclasses.replace(best, notes=(*best.notes, NOTE))
        saved = release.save(out, overwrite=replace, accept=[], progress=progress)
    verified = saved.verification
    if json:
        say_json({"path": str(out), "candidates": len(frontier), "verified": bool(verified), **saved.evidence})
        return 0 if verified else 1
    quasi = counted(len(adult.schema.quasi), "column")
    say(f"{adult.about} {counted(adult.table.rows, 'record')}, {quasi} that an attacker may know.")
    every = frontier.task.lattice.size
    say(f"{len(frontier):,} of {every:,} generalizations keep the promise. This one loses the least information:")
    say()
    show(release, saved)
    say()
    if verified:
        say("Verified from the files alone: all files and all promises match the evidence.")
    for problem in verified.problems:
        say(f"✗ {problem}")
    say(f"Next: fairveil verify {out} · fairveil check {out}/data.csv --quasi sex,race --k 50 · docs/cli.md")
    return 0 if verified else 1
