"""fairveil report: what a release promises, costs and leaves open, created from its folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from fairveil.cli.options import Json, Overwrite, PublishedAt, PublishedIn, ReleaseFolder, opt
from fairveil.cli.terminal import say, say_json, working
from fairveil.errors import BadInput
from fairveil.messages import option


def report(
    folder: ReleaseFolder,
    out: Annotated[Path | None, opt("FILE", "Where to write the page: an .html file.")] = None,
    overwrite: Overwrite = False,
    published: PublishedAt = None,
    table: PublishedIn = None,
    json: Json = False,
) -> int:
    """Report on a release, as a page or as data.

    The release is verified first; if something is wrong with it, the report starts with that.
    The page is one HTML file that opens offline (docs/report.md); without --out it is DIR.html, beside the folder.
    """
    from fairveil.data.atomic import write_text
    from fairveil.run.report import report as report_on
    from fairveil.run.report import report_dict

    if json:
        if out is not None:
            raise BadInput("--out or --json, not both")
        with working(f"reading {folder.name}") as progress:
            content = report_dict(folder, published=published, table=table, progress=progress)
        say_json(content)
        return 0
    home = folder.resolve()
    target = out or home.with_name(f"{home.name}.html")
    refuse_page(target, home, overwrite=overwrite)
    with working(f"reading {folder.name}") as progress:
        page = report_on(folder, published=published, table=table, progress=progress)
    write_text(page, target, overwrite=overwrite)
    say(f"The report is in {target}")
    return 0


def refuse_page(target: Path, folder: Path, *, overwrite: bool, kinds: Sequence[str] = (".html",)) -> None:
    """Refuse an invalid target of the page before any work."""
    from fairveil.data.atomic import refuse_link

    if target.suffix not in kinds:
        raise BadInput(f"{target} must be an {' or '.join(kinds)} file")
    if target.resolve().is_relative_to(folder):
        raise BadInput(f"{target} is inside the release folder, but is not part of a release: choose another location")
    refuse_link(target)
    if target.exists() and not (overwrite and target.is_file()):
        hint = f", or give {option('overwrite', True)}" if target.is_file() else ""
        raise BadInput(f"{target} already exists: choose another name{hint}")
