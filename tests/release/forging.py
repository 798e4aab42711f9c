"""A forger who knows the format: they edit a release folder, then make the report and every checksum fit again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairveil.published.folder import load, seal, sha256
from fairveil.release.checks import before_report
from fairveil.reporting import public_report

Path_ = tuple[Any, ...]


def evidence_of(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
    return content


def reseal(folder: Path, evidence: dict[str, Any], report: bool = True) -> None:
    """Checksums, the report and the seal as they would be if all of this were true."""
    files = {file.name for file in folder.iterdir() if file.is_file()} - {"evidence.json"}
    kept = [name for name in evidence.get("files", {}) if name in files]
    evidence["files"] = {name: sha256(folder / name) for name in [*kept, *sorted(files - set(kept))]}
    write(folder, evidence)
    if report:
        try:
            page = public_report(load(folder).published, before_report(evidence))
        except Exception:  # such evidence has no report; the old one stays
            return
        (folder / "report.html").write_text(page, encoding="utf-8", newline="\n")
        evidence["files"]["report.html"] = sha256(folder / "report.html")
        write(folder, evidence)


def write(folder: Path, evidence: dict[str, Any]) -> None:
    evidence["seal"] = seal(evidence)
    (folder / "evidence.json").write_text(json.dumps(evidence, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def leaves(content: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The place of everything that is no object and no list, and of empty ones."""
    inner = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    places = list(inner)
    if not places:
        yield path
    for key, value in places:
        yield from leaves(value, (*path, key))


def at(content: Any, path: Path_) -> Any:
    for key in path:
        content = content[key]
    return content


def put(content: Any, path: Path_, value: Any) -> None:
    at(content, path[:-1])[path[-1]] = value
