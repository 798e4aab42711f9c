"""The data files of a release, compared with those that fairveil writes of the rows in them.

What readers skip could hide the source: other quotes, metadata, bytes between pages. So the rows that were read are
written again, by the code that writes releases, and every byte is compared on the way, without a second copy. A Parquet
file by another version of Arrow, or another compressor, has other bytes: its structure is compared
(`parquet_structure.py`).
"""

from __future__ import annotations

import io
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO, cast

from fairveil.data.release_csv import Sink, new_file, write_csv
from fairveil.data.writers import Format, piece_rows, write_pieces
from fairveil.engines import InMemoryTable, PublishedTable
from fairveil.engines.relation import arrow_schema
from fairveil.published.data_files import data_files, open_plain

if TYPE_CHECKING:
    from fairveil.progress import Progress


class _Comparison(io.RawIOBase):
    """A file that is not written but compared with what is written to it."""

    def __init__(self, path: Path) -> None:
        self.file, self.same = open_plain(path), True

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        written = bytes(data)  # type: ignore[call-overload]
        self.same = self.same and self.file.read(len(written)) == written
        return len(written)

    def close(self) -> None:
        if not self.closed:
            self.same = self.same and not self.file.read(1)
            self.file.close()
        super().close()


def differing_files(
    folder: Path, name: str, content: PublishedTable, progress: Progress
) -> tuple[list[str], list[str]]:
    """Compare the files of one table; return the problems, and notes on what was compared other than byte for byte."""
    files = data_files(folder, name)
    written: dict[Path, _Comparison] = {}

    def compare(path: Path) -> BinaryIO:
        return cast(BinaryIO, written.setdefault(path, _Comparison(path)))

    _write(content, folder, name, files, progress, compare)
    odd = [file.name for file in files if file not in written]
    if odd:
        return [f"{odd[0]} is not one of the parts that fairveil writes"], []
    differing = [file for file in files if not written[file].same]
    if files[0].suffix == ".csv" or not differing:
        return [f"{file.name} is not written as fairveil writes these rows" for file in differing], []
    return _compare_structure(folder, name, files, differing, content, progress)


def _compare_structure(
    folder: Path, name: str, files: list[Path], differing: list[Path], content: PublishedTable, progress: Progress
) -> tuple[list[str], list[str]]:
    from fairveil.published.parquet_structure import OtherStructure, refuse_other_structure

    problems, notes = [], []
    with TemporaryDirectory(prefix="fairveil-") as own:
        _write(content, Path(own), name, files, progress, new_file)
        for file in differing:
            try:
                notes.append(f"{file.name} was {refuse_other_structure(file, Path(own) / file.relative_to(folder))}")
            except OtherStructure as problem:
                problems.append(f"{file.name} is not written as fairveil writes these rows: it {problem}")
    return problems, list(dict.fromkeys(notes))


def _write(content: PublishedTable, folder: Path, name: str, files: list[Path], progress: Progress, sink: Sink) -> None:
    """Write a table in the format of its files."""
    if files[0].suffix == ".csv":
        assert isinstance(content, InMemoryTable), "CSV files are loaded"
        write_csv(content.distinct, folder / f"{name}.csv", progress, sink, content.counts)
        return
    format: Format = "parquet" if files[0].stem == name else "parts"
    with closing(content.pieces(piece_rows())) as pieces:
        write_pieces(pieces, content.rows, arrow_schema(content), folder, name, format, progress, sink)
