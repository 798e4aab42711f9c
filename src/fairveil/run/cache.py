"""SearchCache: finished methods in a folder, one JSON file each, named after all that the result depends on.

A file holds the changes of the candidates, so that a recalled candidate publishes the same rows; for lattice nodes,
which may number many thousands, only the levels. It reveals facts about the source, so only its owner may read it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil import shapes
from fairveil.data.atomic import private_folder, write_text
from fairveil.engines.memory import fingerprint
from fairveil.errors import BadInput
from fairveil.frontier.search_result import SearchResult
from fairveil.methods.lattice_nodes import propose_nodes
from fairveil.methods.method import Method, Proposal, stacked
from fairveil.recipes.change import Change
from fairveil.settings import settings_of

if TYPE_CHECKING:
    from fairveil.counting.summary import Summary
    from fairveil.engines import Order
    from fairveil.frontier.frontier import Frontier
    from fairveil.measures import Measure
    from fairveil.methods.task import Task

FORMAT = 6
"""Format version of these files; older ones are ignored."""
INTERIM = ".interim.json"
"""How the file of a method ends that is still searching."""


class SearchCache:
    """Results of finished methods in one task."""

    def __init__(self, folder: Path, task: Task, *, alone: bool) -> None:
        self.folder, self.alone = folder, alone
        inputs = [task.schema.to_dict(), [guard.to_dict() for guard in task.guards], task.seed, alone]
        digest = hashlib.sha256(json.dumps(inputs, sort_keys=True, default=str).encode())
        digest.update(task.source.fingerprint().encode())
        if task.schema.population is not None and task.schema.population.register is not None:
            digest.update(fingerprint(task.schema.population.table.columns).encode())
        self.request = digest.hexdigest()
        private_folder(folder)

    def _path(self, method: Method, measures: Sequence[Measure], max_candidates: int | None) -> Path:
        names = [measure.name for measure in measures]
        # by the earlier names of settings, so that searches that earlier versions kept are recalled
        own: type = type(method)
        earlier = {setting.name: setting.formerly for setting in settings_of(own) if setting.formerly}
        settings = {earlier.get(name, name): value for name, value in method.to_dict().items()}
        inputs = json.dumps([self.request, settings, names, max_candidates], sort_keys=True, default=str)
        return self.folder / f"{method.kind}-{hashlib.sha256(inputs.encode()).hexdigest()[:16]}.json"

    def recall(
        self,
        task: Task,
        method: Method,
        measures: Sequence[Measure],
        max_candidates: int | None,
        order: Order,
        method_number: int,
        interim: bool = False,
    ) -> SearchResult | None:
        """The stored result of the method, or what it had found before it was stopped; None if there is none."""
        path = self._path(method, measures, max_candidates)
        try:
            content = _read(path.with_suffix(INTERIM) if interim else path, [measure.name for measure in measures])
            proposal = _proposal(task, method, content)
        except BadInput:  # not there, damaged, or of another version
            return None
        return SearchResult(
            task, proposal, order, method_number, np.array(content["index"], dtype=np.int64) + 1, content["total"],
            own_values=self.alone, interim=interim,
            measured={name: _column(column) for name, column in content["values"].items()},
        )  # fmt: skip

    def keep(self, method: Method, measures: Sequence[Measure], max_candidates: int | None, frontier: Frontier) -> None:
        """Write the candidates of the method to a file that only its owner can read; nothing is written if an
        engine holds the groups of the rows, which a file cannot restore."""
        proposal, index = frontier.proposal, frontier.index
        if proposal.nodes is None and any(change.staged for change in proposal.changes):
            return
        content = {
            "format": FORMAT, "method": method.to_dict(), "index": (frontier.result.numbers[index] - 1).tolist(),
            "total": frontier.total,
            "exhaustive": frontier.exhaustive, "notes": proposal.notes, "private": frontier.result.private_notes,
            "own": {name: _listed(column[index]) for name, column in proposal.values.items()},
            "nodes": None if proposal.nodes is None else frontier.nodes.tolist(),
            "changes": [] if proposal.nodes is not None else [proposal.changes[i].to_dict() for i in index.tolist()],
            "values": {measure.name: _listed(frontier.values(measure)) for measure in measures},
        }  # fmt: skip
        plain = json.loads(json.dumps(content, default=str))
        sealed = json.dumps({**plain, "seal": _seal(plain)})
        path = self._path(method, measures, max_candidates)
        if frontier.result.interim:
            write_text(sealed, path.with_suffix(INTERIM), private=True)
        else:
            write_text(sealed, path, private=True)
            path.with_suffix(INTERIM).unlink(missing_ok=True)


_NUMBERS = shapes.many(shapes.optional(shapes.number()))
_SHAPE = shapes.record({
    "format": shapes.integer(FORMAT, FORMAT), "method": shapes.record({}, more=True), "seal": shapes.text,
    "index": shapes.many(shapes.integer(0)), "total": shapes.integer(0), "exhaustive": shapes.flag,
    "notes": shapes.many(shapes.text), "private": shapes.many(shapes.text),
    "own": shapes.each(_NUMBERS), "values": shapes.each(_NUMBERS),
    "nodes": shapes.optional(shapes.many(shapes.many(shapes.integer(0)))),
    "changes": shapes.many(shapes.record({}, more=True)),
})  # fmt: skip


def _read(path: Path, measures: Sequence[str]) -> dict[str, Any]:
    """The stored content; raises BadInput if it is not intact."""
    content: dict[str, Any] = _SHAPE(shapes.from_json(shapes.read_bytes(path, "file"), path.name), path.name)
    if content["seal"] != _seal(content):
        raise BadInput(f"{path.name} was changed after it was written")
    candidates = content["changes"] if content["nodes"] is None else content["nodes"]
    lists = [content["index"], candidates, *content["own"].values(), *content["values"].values()]
    uneven = len({len(entries) for entries in lists}) > 1 or len({len(node) for node in content["nodes"] or ()}) > 1
    if uneven or set(measures) - set(content["values"]):
        raise BadInput(f"{path.name} does not have the same entries for every candidate")
    return content


def _seal(content: Mapping[str, Any]) -> str:
    stated = {key: value for key, value in content.items() if key != "seal"}
    return hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()


def _listed(column: np.ndarray) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in column]


def _proposal(task: Task, method: Method, content: dict[str, Any]) -> Proposal:
    """Stored candidates as the method proposed them."""
    notes, exhaustive, private = tuple(content["notes"]), bool(content["exhaustive"]), tuple(content["private"])
    if content["nodes"] is not None:
        nodes = np.array(content["nodes"], dtype=np.int64)
        if not len(nodes) or nodes.shape[1] != len(task.levels) or (nodes > task.lattice.tops).any():
            raise BadInput("these are not nodes of the lattice")
        return propose_nodes(task, method, nodes, exhaustive=exhaustive, notes=notes, private=private)
    changes = [Change.from_dict(spec, task.source.rows) for spec in content["changes"]]
    if not changes:
        raise BadInput("there are no candidates in it")

    def summary(full: bool) -> Summary:
        return stacked(task.judge(change).summary for change in changes)

    own = {name: _column(column) for name, column in content["own"].items()}
    return Proposal(method, changes, summary, exhaustive, notes, values=own, private=private)


def _column(values: Sequence[float | None]) -> np.ndarray:
    return np.array([np.nan if value is None else value for value in values], dtype=float)
