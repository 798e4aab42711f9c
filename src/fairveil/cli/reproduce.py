"""fairveil reproduce: the papers' experiments, our results beside theirs."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import fairveil
from fairveil.cli.options import REQUEST, Given, Json, argument, flag, opt, taking
from fairveil.cli.terminal import say, say_json, say_table, working
from fairveil.errors import BadInput, Cancelled, Paused, need, suggest

ALL = "all"
A_MINUTE = 60.0
REPRODUCED = Path("reproduced")


@taking("options", [REQUEST["seed"]], defaults=True)
def reproduce(
    name: Annotated[str | None, argument("[NAME]", "The experiment to run, or all.")] = None,
    *,
    out: Annotated[Path, opt("DIR", "Folder for plots and partial results.")] = REPRODUCED,
    full: Annotated[bool, flag("--full", "Run at the paper's full size, however long it takes.")] = False,
    options: Given,
    keep: Annotated[bool, flag("--keep", "Save the results in the checkout and update docs/results.")] = False,
    json: Json = False,
) -> int:
    """Repeat an experiment of the papers and compare the results with theirs.

    Without a NAME it lists the experiments. An interrupted run continues where it stopped.
    """
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
    results = []
    try:
        for each in known_experiments if name == ALL else (name,):
            sheets = _run(each, out / each, full, options.get("seed", 0), keep, display=not json)
            results.append({"name": each, "path": str(out / each), "sheets": sheets})
    except (KeyboardInterrupt, Cancelled):
        raise Paused(f"stopped: what was done is kept in {out}; the same command continues from there") from None
    if json:
        say_json(results if name == ALL else results[0])
    return 0


def _run(name: str, folder: Path, full: bool, seed: int, keep: bool, display: bool) -> list[dict[str, object]]:
    """Run an experiment; each sheet is shown, and saved on request, once finished."""
    frame, results = import_module("experiments.study"), import_module("experiments.results")
    title = import_module(experiments().EXPERIMENTS[name]).TITLE
    sheets = []
    with working(title, frames=True, every=A_MINUTE) as progress:
        study = frame.Study(folder, "full" if full else "quick", seed, progress)
        for sheet in frame.finished(name, study):
            sheets.append(sheet)
            if display:
                say(sheet.title)
                if sheet.rows:
                    say_table(sheet.columns, sheet.rows)
                for note in sheet.notes:
                    say(f"  {note}")
                sys.stdout.flush()
            if keep:
                results.keep(name, study, sheets, whole=False)
                results.keep_pictures(name, study, [sheet])
    if keep:
        results.keep(name, study, sheets, whole=True)
        import_module("experiments.pages").write()
        import_module("experiments.lines").write()
    if display:
        say(f"Plots and data are in {folder}")
    return [
        {"title": sheet.title, "rows": [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows],
         "notes": list(sheet.notes), "of": list(sheet.of), "ours": dict(sheet.ours), "holds": dict(sheet.holds),
         "seconds": sheet.seconds}
        for sheet in sheets
    ]  # fmt: skip


def experiments() -> Any:
    """The package of the experiments: a checkout of the project has it, the installed package does not."""
    for home in (Path(fairveil.__file__).resolve().parents[2], Path.cwd()):
        if (home / "experiments" / "__init__.py").is_file() and (home / "src" / "fairveil").is_dir():
            if str(home) not in sys.path:
                sys.path.append(str(home))
            return import_module("experiments")
    where = "run this command in a checkout of the project, which has them in its folder experiments/"
    raise BadInput(f"the experiments are not part of the installed package: {where}")
