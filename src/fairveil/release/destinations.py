"""Where the rows of a release go: into files of its folder, or into a table of the database that holds the source
(`into_table.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from fairveil.data.writers import Format
from fairveil.engines import Source
from fairveil.progress import Progress
from fairveil.published.published_table import PublishedTable
from fairveil.recipes.recipe import Recipe


class Destination(Protocol):
    """Where published rows go."""

    @property
    def told(self) -> Mapping[str, Any]:
        """What the evidence says about it."""
        ...

    def write(
        self, contents: Mapping[str, PublishedTable], folder: Path, progress: Progress
    ) -> dict[str, PublishedTable]:
        """Write them. The answer is what has been written, to be looked at."""
        ...

    def commit(self) -> None:
        """The folder is in its place: what is not there for others yet shall be so now."""
        ...


@dataclass(frozen=True)
class FolderDestination:
    """Files in the folder of the release."""

    format: Format
    told: Mapping[str, Any] = field(default_factory=dict)

    def write(
        self, contents: Mapping[str, PublishedTable], folder: Path, progress: Progress
    ) -> dict[str, PublishedTable]:
        return {name: content.write(folder, name, self.format, progress) for name, content in contents.items()}

    def commit(self) -> None:
        """Files have moved with their folder."""


@contextmanager
def place_of(
    source: Source, recipe: Recipe, path: Path, format: Format, table: str | None, *, overwrite: bool
) -> Iterator[Destination]:
    """Files, unless a table is named."""
    if table is None:
        yield FolderDestination(format)
        return
    from fairveil.release.table_destination import new_table

    with new_table(source, recipe, path, table, overwrite=overwrite) as tabled:
        yield tabled
