"""The files: real rows in the forms in which people keep them, and a hospital's that is made up.

Every file comes in two parts: the larger one is published, the smaller one is new data for the recipe.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape
from zipfile import ZipFile

import pandas as pd

import fairveil
from experiments import not_bundled
from experiments.first_hour.hospital import stays
from experiments.first_hour.languages import clientes, malades, personal

BUNDLED = Path(fairveil.__file__).parent / "datasets" / "data"
NEW = 0.1
"""The share of the rows that come later."""

Write = Callable[[pd.DataFrame, Path], Path]


@dataclass(frozen=True)
class File:
    """A file to play with: what is special about it, its rows, and how it is written."""

    name: str
    form: str
    rows: Callable[[], pd.DataFrame | None]
    write: Write

    def put(self, folder: Path, most: int | None = None) -> tuple[Path, Path] | None:
        """The file and its new rows, in a folder; None where the data is not here."""
        rows = self.rows()
        if rows is None:
            return None
        rows = rows.sample(frac=1, random_state=0).reset_index(drop=True).head(most or len(rows))
        held = int(len(rows) * NEW)
        return self.write(rows[held:], folder / self.name), self.write(rows[:held], folder / f"{self.name}-new")


def real(name: str) -> Callable[[], pd.DataFrame | None]:
    """Rows of a real data set, as text."""

    def rows() -> pd.DataFrame | None:
        bundled = BUNDLED / f"{name}.csv.gz"
        place = bundled if bundled.exists() else not_bundled(f"{name}.csv.gz")
        return None if place is None else pd.read_csv(place, dtype=str, keep_default_na=False)

    return rows


def titanic() -> pd.DataFrame | None:
    """The passengers of the Titanic, with their names, as scikit-learn has them for its own tests."""
    import sklearn.datasets

    home = Path(sklearn.datasets.__file__).parent / "tests" / "data" / "openml" / "id_40945"
    found = sorted(home.glob("data-*.arff.gz"))
    if not found:
        return None
    lines = gzip.decompress(found[0].read_bytes()).decode().splitlines()
    names = [line.split()[1].strip("\"'") for line in lines if line.lower().startswith("@attribute")]
    data = [line for line in lines if line and line[0] not in "@%"]
    return pd.DataFrame(list(csv.reader(data)), columns=names)


def of_sklearn(name: str) -> Callable[[], pd.DataFrame | None]:
    """Rows of a data set that comes with scikit-learn."""

    def rows() -> pd.DataFrame | None:
        import sklearn.datasets

        settings = {"scaled": False} if name == "diabetes" else {}
        frame: pd.DataFrame = getattr(sklearn.datasets, f"load_{name}")(as_frame=True, **settings).frame
        return frame.map(lambda number: f"{number:g}").replace("nan", "")

    return rows


def german() -> pd.DataFrame | None:
    """German credit with some of its labels in German, umlauts included."""
    frame = real("german_credit")()
    if frame is None:
        return None
    words = {
        "own": "Eigentümer", "rent": "zur Miete", "for free": "mietfrei in Köln", "radio/tv": "Fernsehgerät",
        "furniture/equipment": "Möbel", "used car": "gebrauchtes Auto", "new car": "Neuwagen für Käufer",
    }  # fmt: skip
    return frame.replace(words)


def blanked() -> pd.DataFrame | None:
    """Credit approvals with their missing values written in three ways, as after a merge of files."""
    frame = real("crx")()
    if frame is None:
        return None
    signs = ["?", "NA", ""]
    return frame.apply(lambda column: [signs[i % 3] if value in ("?", "") else value for i, value in enumerate(column)])


def commas() -> pd.DataFrame | None:
    """Diabetes patients with decimal commas."""
    frame = of_sklearn("diabetes")()
    return None if frame is None else frame.map(lambda number: number.replace(".", ","))


def text(separator: str = ",", encoding: str = "utf-8", ending: str = ".csv") -> Write:
    """As text, packed if the ending says so."""

    def write(frame: pd.DataFrame, place: Path) -> Path:
        place = place.with_name(place.name + ending)
        out = io.StringIO()
        frame.to_csv(out, sep=separator, index=False, lineterminator="\r\n" if separator == ";" else "\n")
        content = out.getvalue().encode(encoding)
        place.write_bytes(gzip.compress(content, mtime=0) if ending.endswith(".gz") else content)
        return place

    return write


def typed(frame: pd.DataFrame) -> pd.DataFrame:
    """Columns of numbers as numbers."""

    def column(values: Any) -> Any:
        try:
            return pd.to_numeric(values.where(~values.isin(["", "?"])))
        except (ValueError, TypeError):
            return values.where(~values.isin(["", "?"]))

    return frame.apply(column)


def excel(frame: pd.DataFrame, place: Path) -> Path:
    place = place.with_name(place.name + ".xlsx")
    typed(frame).to_excel(place, index=False)
    return place


def opendocument(frame: pd.DataFrame, place: Path) -> Path:
    """The least that is a spreadsheet of LibreOffice: pandas would need another package to write one."""
    kind, space = "application/vnd.oasis.opendocument", "urn:oasis:names:tc:opendocument:xmlns"
    spaces = " ".join(f'xmlns:{name}="{space}:{name}:1.0"' for name in ("office", "table", "text"))

    def cell(value: Any) -> str:
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{escape(value)}</text:p></table:table-cell>'
        number = f'office:value-type="float" office:value="{value}"'
        return "<table:table-cell/>" if pd.isna(value) else f"<table:table-cell {number}/>"

    lines = [list(frame), *typed(frame).astype(object).to_numpy().tolist()]
    rows = "".join(f"<table:table-row>{''.join(map(cell, line))}</table:table-row>" for line in lines)
    body = f'<office:body><office:spreadsheet><table:table table:name="1">{rows}</table:table></office:spreadsheet>'
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    place = place.with_name(place.name + ".ods")
    with ZipFile(place, "w") as packed:
        packed.writestr("mimetype", f"{kind}.spreadsheet")
        packed.writestr(
            "META-INF/manifest.xml",
            f'{head}<manifest:manifest xmlns:manifest="{space}:manifest:1.0"><manifest:file-entry '
            f'manifest:full-path="/" manifest:media-type="{kind}.spreadsheet"/></manifest:manifest>',
        )
        content = f"<office:document-content {spaces}>{body}</office:body></office:document-content>"
        packed.writestr("content.xml", head + content)
    return place


def parquet(frame: pd.DataFrame, place: Path) -> Path:
    place = place.with_name(place.name + ".parquet")
    typed(frame).to_parquet(place, index=False)
    return place


def stata(frame: pd.DataFrame, place: Path) -> Path:
    place = place.with_name(place.name + ".dta")
    named = typed(frame).rename(columns=lambda name: name.replace("-", "_")[:32])
    named.to_stata(place, write_index=False)
    return place


def spss(frame: pd.DataFrame, place: Path) -> Path:
    import pyreadstat

    place = place.with_name(place.name + ".sav")
    named = typed(frame).rename(columns=lambda name: name.replace("-", "_"))
    labels = {"Wife_religion": {0: "other", 1: "Islam"}, "Contraceptive_method": {1: "none", 2: "long", 3: "short"}}
    pyreadstat.write_sav(named, str(place), variable_value_labels=labels)
    return place


FILES = (
    File("adult", "CSV, packed, `?` for missing", real("adult"), text(ending=".csv.gz")),
    File("german_credit", "CSV, `;`, Latin-1 with umlauts", german, text(";", "latin-1")),
    File("compas", "Excel", real("compas"), excel),
    File("titanic", "tabs, UTF-16, names and tickets", titanic, text("\t", "utf-16")),
    File("diabetes", "CSV, `;`, decimal comma", commas, text(";", "cp1252")),
    File("breast_cancer", "CSV, 31 columns of measurements", of_sklearn("breast_cancer"), text()),
    File("bank", "CSV, `;`, 45,211 rows", real("bank"), text(";")),
    File("wisconsin", "TSV, several rows per person", real("wisconsin"), text("\t", ending=".tsv")),
    File("crx", "CSV, missing values written in three ways", blanked, text()),
    File("heart", "CSV, codes as numbers", real("heart"), text()),
    File("vote", "Stata", real("vote"), stata),
    File("cmc", "SPSS with labels", real("cmc"), spss),
    File("nursery", "Parquet, all combinations of codes", real("nursery"), parquet),
    File("pima", "OpenDocument", real("pima"), opendocument),
    File("electricity", "CSV, 45,312 rows of numbers", real("electricity"), text()),
    File("hospital", "CSV, 50,000 rows: dates, ICD codes, free text", lambda: stays(50_000, 1), text(";", "cp1252")),
    File("hospital-stays", "CSV, several rows per patient", lambda: stays(50_000, 4), text(",", "utf-8")),
    File("personal", "CSV, `;`, employees in German", personal, text(";", "cp1252")),
    File("malades", "CSV, `;`, patients in French, up to three rows each", malades, text(";")),
    File("clientes", "CSV, customers in Spanish", clientes, text()),
)  # fmt: skip
