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
from fairveil.errors import BadInput, suggest


def reproduce(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="An experiment; none lists them.")] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for plots and what is done so far.")] = Path(
        "reproduced"
    ),
    full: Annotated[bool, typer.Option("--full", help="At the paper's full size, however long it takes.")] = False,
    seed: Annotated[int, typer.Option(help="Start of every random choice.")] = 0,
    json: Json = False,
) -> int:
    """Run an experiment of the papers, ours beside theirs.

    Without a NAME the experiments are listed.
    """
    from importlib import import_module

    from fairveil.cli.terminal import say, say_json, working

    known_experiments = experiments().EXPERIMENTS
    if name is None:
        titles = {key: import_module(module).TITLE for key, module in known_experiments.items()}
        if json:
            say_json(titles)
        else:
            for key, title in titles.items():
                say(f"{key:20} {title}")
            if not titles:
                say("no experiment is registered")
        return 0
    if name not in known_experiments:
        raise BadInput(suggest(name, known_experiments, "experiment"))
    experiment = import_module(known_experiments[name])
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    with working(experiment.TITLE, frames=True) as progress:
        sheets = experiment.run(folder, full=full, seed=seed, progress=progress)
    if json:
        say_json({"name": name, "path": str(folder), "sheets": [_as_dict(sheet) for sheet in sheets]})
        return 0
    for sheet in sheets:
        _show(sheet)
    say(f"Plots and data are in {folder}")
    return 0


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
    return {"title": sheet.title, "rows": rows, "notes": list(sheet.notes)}


def _show(sheet: Any) -> None:
    from fairveil.cli.terminal import say, say_table

    say_table(sheet.columns, sheet.rows, title=sheet.title)
    for note in sheet.notes:
        say(f"  {note}")
