"""Destinations of published rows: files of the release folder, or a table of the database that holds the source
(`table_destination.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from fairveil.data.writers import Format
from fairveil.engines import Source
from fairveil.guards import Guard
from fairveil.progress import Progress
from fairveil.published.data_files import load_content
from fairveil.published.published_table import PublishedTable
from fairveil.recipes.recipe import Recipe


class Destination(Protocol):
    """What published rows are written to."""

    @property
    def entries(self) -> Mapping[str, Any]:
        """The entries of the evidence about this destination."""
        ...

    def write(
        self, contents: Mapping[str, PublishedTable], folder: Path, progress: Progress
    ) -> dict[str, PublishedTable]:
        """Write the tables, and return them as read back."""
        ...

    def commit(self) -> None:
        """Make the written rows visible to others, after the folder was renamed into place."""
        ...


@dataclass(frozen=True)
class FolderDestination:
    """Files in the release folder."""

    format: Format
    recipe: Recipe
    guards: tuple[Guard, ...]
    entries: Mapping[str, Any] = field(default_factory=dict)

    def write(
        self, contents: Mapping[str, PublishedTable], folder: Path, progress: Progress
    ) -> dict[str, PublishedTable]:
        written = {}
        for name, content in contents.items():
            content.write(folder, name, self.format, progress)
            written[name] = load_content(folder, name, content.types, self.recipe, self.guards, content.rows, progress)
        return written

    def commit(self) -> None:
        """Do nothing: files are renamed with their folder."""


@contextmanager
def destination_of(
    source: Source,
    recipe: Recipe,
    guards: tuple[Guard, ...],
    path: Path,
    format: Format,
    table: str | None,
    *,
    overwrite: bool,
) -> Iterator[Destination]:
    """The folder, or the `table` if there is one."""
    if table is None:
        yield FolderDestination(format, recipe, guards)
        return
    from fairveil.release.table_destination import new_table

    with new_table(source, recipe, path, table, overwrite=overwrite) as destination:
        yield destination
