"""fairveil reproduce: the papers' experiments, ours beside theirs.

Without a NAME the experiments are listed.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

import fairveil
from fairveil.cli.options import Json
from fairveil.errors import BadInput, Cancelled, Paused, suggest
from fairveil.extras import need

ALL = "all"
A_MINUTE = 60.0


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="An experiment, or all; none lists them.")
    ] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for plots and what is done so far.")] = Path(
        "reproduced"
    ),
    full: Annotated[bool, typer.Option("--full", help="At the paper's full size, however long it takes.")] = False,
    seed: Annotated[int, typer.Option(help="Start of every random choice.")] = 0,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the results in the checkout and write the pages of docs/results.")
    ] = False,
    json: Json = False,
) -> int:
    """Run an experiment of the papers, ours beside theirs.

    Without a NAME the experiments are listed. A run that was stopped goes on where it was.
    """
    from fairveil.cli.terminal import say, say_json

    known_experiments = experiments().EXPERIMENTS
    if name is None:
        titles = {key: import_module(module).TITLE for key, module in known_experiments.items()}
        if json:
            say_json(titles)
        else:
            for key, title in titles.items():
                say(f"{key:20} {title}")
        return 0
    if name not in (*known_experiments, ALL):
        raise BadInput(suggest(name, (*known_experiments, ALL), "experiment"))
    for module in ("matplotlib", "pymoo"):
        need(module, "reproduce", "reproduce")
    answers = []
    try:
        for each in known_experiments if name == ALL else (name,):
            sheets = _run(each, out / each, full, seed, keep, shown=not json)
            answers.append({"name": each, "path": str(out / each), "sheets": sheets})
    except (KeyboardInterrupt, Cancelled):
        raise Paused(f"stopped: what was done is kept in {out}; the same command goes on from there") from None
    if json:
        say_json(answers if name == ALL else answers[0])
    return 0


def _run(name: str, folder: Path, full: bool, seed: int, keep: bool, shown: bool) -> list[dict[str, object]]:
    """Run an experiment; each sheet is shown, and saved on request, once finished."""
    from fairveil.cli.terminal import say, working

    frame, results = import_module("experiments.study"), import_module("experiments.results")
    title = import_module(experiments().EXPERIMENTS[name]).TITLE
    sheets = []
    with working(title, frames=True, every=A_MINUTE) as progress:
        study = frame.Study(folder, "full" if full else "quick", seed, progress)
        for sheet in frame.finished(name, study):
            sheets.append(sheet)
            if shown:
                _show(sheet)
            if keep:
                results.keep(name, study, sheets, whole=False)
                results.keep_pictures(name, study, [sheet])
    if keep:
        results.keep(name, study, sheets, whole=True)
        import_module("experiments.pages").write()
    if shown:
        say(f"Plots and data are in {folder}")
    return [_as_dict(sheet) for sheet in sheets]


def experiments() -> Any:
    """The package of the experiments: a checkout of the project has it, the installed package does not."""
    for home in (Path(fairveil.__file__).resolve().parents[2], Path.cwd()):
        if (home / "experiments" / "__init__.py").is_file() and (home / "src" / "fairveil").is_dir():
            if str(home) not in sys.path:
                sys.path.append(str(home))
            return import_module("experiments")
    raise BadInput(
        "the experiments are not part of the installed package: run this command in a checkout of the project, which "
        "has them in its folder experiments/"
    )


def _as_dict(sheet: Any) -> dict[str, object]:
    rows = [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]
    return {
        "title": sheet.title, "rows": rows, "notes": list(sheet.notes), "of": list(sheet.of), "ours": dict(sheet.ours),
        "holds": dict(sheet.holds), "seconds": sheet.seconds,
    }  # fmt: skip


def _show(sheet: Any) -> None:
    from fairveil.cli.terminal import say, say_table

    say(sheet.title)
    if sheet.rows:
        say_table(sheet.columns, sheet.rows)
    for note in sheet.notes:
        say(f"  {note}")
    sys.stdout.flush()
