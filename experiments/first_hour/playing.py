"""The commands of the first hour, each in a process of its own, as a user types them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.first_hour.expert import expected, roles_in, unacceptable
from experiments.first_hour.files import File
from experiments.first_hour.judging import complaints, hidden
from fairveil.data.schema import SINGLE

STEPS = ("init", "explore", "release", "verify", "attack", "utility", "apply")
PATIENCE = 500
"""Seconds for one command."""


@dataclass
class Hour:
    """What happened: seconds by step, figures of the release, the roles that an
    expert would change, and what they would complain about."""

    name: str
    form: str
    rows: int = 0
    columns: int = 0
    roles: str = ""
    method: str = ""
    k: int = 0
    figures: dict[str, float] = field(default_factory=dict)
    suppressed: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    changes: list[str] = field(default_factory=list)
    hidden: float = 0.0
    faults: list[str] = field(default_factory=list)


def play(file: File, folder: Path, most: int | None = None) -> Hour | None:
    """The first hour with a file, in a folder; None where its data is not here."""
    folder.mkdir(parents=True, exist_ok=True)
    places = file.put(folder, most)
    if places is None:
        return None
    hour = Hour(file.name, file.form)
    source, new = map(str, places)
    plan, release = str(folder / "plan.toml"), str(folder / "release")
    commands = {
        "init": ["init", source, "--out", plan, "--overwrite"],
        "explore": ["explore", plan, "--json", "--top", "1"],
        "release": ["release", plan, "--out", release, "--overwrite"],
        "verify": ["verify", release],
        "attack": ["attack", release, "--original", source],
        "utility": ["utility", release, "--original", source],
        "apply": ["apply", release, new, "--out", str(folder / "new-published.csv"), "--overwrite"],
    }
    for step in STEPS:
        code, output = _run(commands[step], hour, step)
        (folder / f"{step}.txt").write_text(output)
        if code:
            said = output.strip().splitlines()[-1:] or ["nothing"]
            hour.faults.append(f"{step} ends with {code}: {said[0].replace(f'{folder.parent}/', '')}")
            return hour
        if step == "explore":
            _note_choice(hour, json.loads(output[output.index("{") :]))
            hour.figures["truthful"] = _truthful(plan, hour.method)
    _note_release(hour, folder)
    wanted = expected()[file.name]
    hour.changes, hour.hidden = unacceptable(wanted, roles_in(Path(plan))), hidden(folder)
    hour.faults += complaints(folder, Path(source), wanted)
    return hour


def _run(command: list[str], hour: Hour, step: str) -> tuple[int, str]:
    start = time.perf_counter()
    call = [sys.executable, "-m", "fairveil", *command]
    try:
        done = subprocess.run(call, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return 124, f"no answer in {PATIENCE} s"
    hour.seconds[step] = round(time.perf_counter() - start, 1)
    return done.returncode, done.stdout if step == "explore" and not done.returncode else done.stdout + done.stderr


def _note_choice(hour: Hour, explored: dict[str, Any]) -> None:
    best = explored["records"][0]
    hour.method = best["method"]
    hour.figures = {"entropy": float(best["entropy"])}


def _truthful(plan: str, method: str) -> float:
    """The share of cells that are true, of one candidate of the method that was chosen: of all it takes long."""
    call = ["explore", plan, "--json", "--most", "1", "--measures", "truthful"]
    done = subprocess.run([sys.executable, "-m", "fairveil", *call], capture_output=True, text=True, check=True)
    records = json.loads(done.stdout[done.stdout.index("{") :])["records"]
    return min(float(record["truthful"]) for record in records if record["method"] == method)


def _note_release(hour: Hour, folder: Path) -> None:
    evidence = json.loads((folder / "release" / "evidence.json").read_text())
    schema = json.loads((folder / "release" / "recipe.json").read_text())["schema"]
    counts = {
        role: len(schema[role]) for role in ("identifier", "drop", "quasi", "sensitive", "plain") if schema.get(role)
    }
    counts |= {role: 1 for role in SINGLE if schema.get(role)}
    hour.roles = ", ".join(f"{count} {role}" for role, count in counts.items())
    hour.k = next(guard["k"] for guard in evidence["guards"] if guard["kind"] == "k-anonymity")
    hour.rows, hour.suppressed = evidence["rows"]["source"], evidence["rows"]["suppressed"]
    both = schema.get("decision") in schema.get("sensitive", ())
    hour.columns = sum(counts.values()) - both
