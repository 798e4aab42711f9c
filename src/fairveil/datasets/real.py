"""The bundled real data: Adult, German Credit and COMPAS, with roles and hierarchies.

>>> from fairveil.datasets import adult
>>> census = adult()
>>> census.table.rows, census.test.rows, len(census.schema.quasi)
(30162, 15060, 8)

Each loader has a default selection of columns, all with a role that keeps the release safe, and `columns="all"`,
where every other attribute is quasi (or sensitive) as well. No attribute of a person has the role plain.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairveil.data.hierarchy import Hierarchy, intervals, suppress
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.datasets.dataset import Columns, Dataset, data_file, trees, wants_all

ADULT_QUASI = (
    "education", "marital-status", "native-country", "occupation", "race", "relationship", "sex", "workclass",
)  # fmt: skip
GERMAN_QUASI = (
    "checking_status", "credit_history", "purpose", "savings_status", "employment", "marital_status", "sex",
    "existing_credits", "job", "foreign_worker",
)  # fmt: skip
GERMAN_NUMBERS = ("existing_credits", "installment_commitment", "residence_since", "num_dependents")
COMPAS_QUASI = ("sex", "age", "race", "c_charge_degree", "priors_count")


def adult(columns: Columns = "default") -> Dataset:
    """Census Income: the complete records of the training file, and those of the test file.

    By default the eight categorical attributes of Hajian et al., Table 3 (a lattice of 27,000 nodes) and the
    income; with `columns="all"` also the six numeric ones, as quasi columns in intervals.

    >>> adult().schema.denied
    '<=50K'
    """
    wanted = None if wants_all(columns) else [*ADULT_QUASI, "income", "split"]
    table = Table.read(data_file("adult"), missing_values=("?",), columns=wanted)
    quasi = table.drop(["income", "split"]).names
    rules: dict[str, Hierarchy] = {
        "age": intervals([15, 95], widths=(5, 10, 20, 40)),
        "hours-per-week": intervals([1, 20, 35, 40, 41, 50, 60, 100], levels=[[1, 35, 41, 100]]),
        "capital-gain": intervals([0, 1, 5_000, 10_000, 100_000], levels=[[0, 1, 100_000]]),
        "capital-loss": intervals([0, 1, 1_500, 2_000, 5_000], levels=[[0, 1, 5_000]]),
        "fnlwgt": intervals([0, 1_600_000], widths=(50_000, 100_000, 200_000, 400_000)),
    }
    schema = Schema(
        quasi=quasi,
        protected=("race", "sex", "marital-status"),
        decision="income",
        denied="<=50K",
        hierarchies=_ordered("adult", quasi, rules),
    )
    split, table = table.column("split"), table.drop(["split"])
    sides = (table.take(np.flatnonzero(split.codes == split.code_of(side))) for side in ("train", "test"))
    train, test = (Table.from_frame(rows.to_arrow(), missing="drop") for rows in sides)
    about = "Adult (Census Income), extracted from the 1994 US census; UCI Machine Learning Repository, CC BY 4.0."
    return Dataset(train, schema, test, about)


def german_credit(columns: Columns = "default") -> Dataset:
    """German Credit: the first 666 records to publish, the last 334 to test.

    By default the ten attributes of Hajian et al., Table 4, and the class; with `columns="all"` every
    attribute. `personal_status` is split into `sex` and `marital_status`.

    >>> sorted(german_credit().table.column("marital_status").domain)
    ['div/dep/mar', 'div/sep', 'mar/wid', 'single']
    """
    table = _apart(Table.read(data_file("german_credit")))
    quasi = _default_first(table, GERMAN_QUASI, ["class"]) if wants_all(columns) else GERMAN_QUASI
    rules: dict[str, Hierarchy] = {
        "age": intervals([15, 95], widths=(5, 10, 20, 40)),
        "duration": intervals([1, 7, 13, 25, 37, 73], levels=[[1, 13, 37, 73]]),
        "credit_amount": intervals(
            [0, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000], levels=[[0, 2_000, 5_000, 20_000], [0, 5_000, 20_000]]
        ),
    }
    schema = Schema(
        quasi=quasi,
        protected=("sex", "marital_status", "foreign_worker"),
        decision="class",
        denied="bad",
        hierarchies=_ordered("german_credit", quasi, rules),
        whole_numbers={name: "quantity" for name in GERMAN_NUMBERS if name in quasi},
    )
    table = table.select([*quasi, "class"])
    train, test = (table.take(np.arange(table.rows)[side]).compact() for side in (slice(666), slice(666, None)))
    about = "Statlog (German Credit Data), credits of a German bank; UCI Machine Learning Repository, CC BY 4.0."
    return Dataset(train, schema, test, about)


def compas(columns: Columns = "default") -> Dataset:
    """COMPAS: defendants of Broward County, whether they reoffended within two years, and their risk score.

    The decision is `two_year_recid`, denied 1: a model that predicts 1 decides against the person.
    The score is sensitive. There is no test part. `columns="all"` adds every other attribute.

    >>> compas().schema.sensitive
    ('decile_score',)
    """
    table, everything = Table.read(data_file("compas")), wants_all(columns)
    sensitive = ("decile_score", "score_text", "is_recid") if everything else ("decile_score",)
    quasi = _default_first(table, COMPAS_QUASI, [*sensitive, "two_year_recid"]) if everything else COMPAS_QUASI
    count = intervals([0, 1, 3, 100], levels=[[0, 1, 100]])
    rules: dict[str, Hierarchy] = {
        # level 2 is the data's own age_cat, whose "25 - 45" ends at 44
        "age": intervals([18, 21, 25, 30, 35, 45, 55, 65, 100], levels=[[18, 25, 45, 100]]),
        "priors_count": intervals([0, 1, 2, 4, 7, 11, 16, 100], levels=[[0, 1, 4, 11, 100], [0, 1, 100]]),
        **dict.fromkeys(("juv_fel_count", "juv_misd_count", "juv_other_count"), count),
        "jail_days": intervals([1, 8, 31, 366], levels=[[1, 31]], open_ended=True),
        "days_b_screening_arrest": suppress(),
    }
    schema = Schema(
        quasi=quasi,
        sensitive=sensitive,
        protected=("sex", "race"),
        decision="two_year_recid",
        denied=1,
        hierarchies=_ordered("compas", quasi, rules),
    )
    about = (
        "COMPAS, records of Broward County, Florida, 2013-2014, as published by ProPublica in 2016; names, birth "
        "dates and case numbers removed."
    )
    return Dataset(table.select([*quasi, *sensitive, "two_year_recid"]), schema, None, about)


def _default_first(table: Table, default: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the quasi columns of a table, all but the `others`, beginning with the default selection."""
    return list(dict.fromkeys([*default, *table.drop(others).names]))


def _ordered(name: str, quasi: Sequence[str], rules: dict[str, Hierarchy]) -> dict[str, Hierarchy]:
    """Return the hierarchy of every quasi column: built here if it has rules, else read from its file."""
    files = trees(name, [column for column in quasi if column not in rules])
    return {column: rules[column] if column in rules else files[column] for column in quasi}


def _apart(table: Table) -> Table:
    """Split `personal_status` ("male single") into the columns `sex` and `marital_status`."""
    import pyarrow as pa

    frame = table.to_arrow()
    pairs = [status.split(" ", 1) for status in frame["personal_status"].to_pylist()]
    frame = frame.drop_columns(["personal_status"])
    for position, name in enumerate(("sex", "marital_status")):
        frame = frame.append_column(name, pa.array([pair[position] for pair in pairs]))
    return Table.from_frame(frame)
