"""The papers' small worked examples, value for value, so that their results can be checked by hand.

>>> from fairveil.datasets import fairlet_sample
>>> fairlet_sample().table.column("X").domain
[1, 2, 3, 11, 12, 13, 14]
"""

from __future__ import annotations

from collections.abc import Sequence

from fairveil.data.hierarchy import Hierarchy, from_rows, mask, tree
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.datasets.dataset import Dataset, data_file, trees


def credit_decisions() -> Dataset:
    """Ten biased credit decisions: Hajian et al., Table 1, with the hierarchies of their Fig. 1.

    The figure itself is not in the text, but its levels and some of its values are. Sex has levels S0, S1,
    Race R0 to R2, Hours H0 to H2. The text writes the lower hours "[1, 40]"; as 40 belongs to "[40-100]",
    they are "[1-40)" here. The names of the tops of Sex and Hours are ours.

    >>> credit_decisions().schema.bind(credit_decisions().table)["Race"].labels[1]
    ('Colored', 'White')
    """
    schema = Schema(
        identifier=["ID"],
        quasi=["Sex", "Race", "Hours"],
        sensitive=["Salary"],
        protected=["Sex", "Race"],
        decision="Credit_approved",
        denied="No",
        hierarchies={
            "Sex": tree({"Any-sex": ["Male", "Female"]}),
            "Race": tree({"Any-race": {"White": ["White"], "Colored": ["Asian-Pac", "Amer-Indian", "Black"]}}),
            "Hours": tree({"Any-hours": {"[1-40)": [35, 37], "[40-100]": [40, 50]}}),
        },
    )
    about = "Hajian et al.: Generalization-based Privacy Preservation and Discrimination Prevention, Table 1."
    return Dataset(_table("credit_decisions"), schema, None, about)


def employee_codes() -> Dataset:
    """Twelve employee codes and salary classes: Dewri et al., Table 1, with the weights of their Table 2.

    Codes lose up to four digits; the salary classes C1 and C2 may be merged. The paper stops there, while a
    hierarchy ends in a single value, so `sal` has a level 2 that the paper's eight generalizations never use.

    >>> employee_codes().schema.bind(employee_codes().table)["emp"].labels[3:]
    (('81***', '82***'), ('8****',))
    """
    schema = Schema(
        quasi=["emp", "sal"],
        hierarchies={"emp": mask(5, steps=(1, 2, 3, 4)), "sal": tree({"*": {"C12": ["C1", "C2"], "C3": ["C3"]}})},
        weights={"emp": 0.3, "sal": 0.7},
    )
    about = "Dewri, Ray, Ray, Whitley: k-Anonymization in the Presence of Publisher Preferences, Table 1."
    return Dataset(_table("employee_codes", text=["emp"]), schema, None, about)


def census_sample() -> Dataset:
    """Twenty records drawn from Adult: Matatov et al., Fig. 1, quasi-identifier as in their Section 4.2.

    Values are as printed there (the income ends in a full stop, "US"). Age has the two intervals found by the
    paper's discretization; the other quasi columns are published unchanged or not at all. The paper has no
    protected grounds: sex and race are our addition.

    >>> census_sample().schema.bind(census_sample().table)["age"].labels[1]
    ('(-inf-48]', '(48-inf)')
    """
    table = _table("census_sample")
    quasi = ["capital-gain", "age", "marital-status", "relationship"]
    ages = [(age, "(-inf-48]" if age <= 48 else "(48-inf)", "*") for age in table.column("age").domain]
    schema = Schema(
        quasi=quasi,
        protected=["sex", "race"],
        decision="income",
        denied="<=50K.",
        plain=[name for name in table.names if name not in (*quasi, "income")],
        hierarchies={"age": from_rows(ages)},
    )
    about = "Matatov, Rokach, Maimon: Privacy-preserving data mining: A feature set partitioning approach, Fig. 1."
    return Dataset(table, schema, None, about)


def fairlet_sample() -> Dataset:
    """Seven records with one feature: González-Zelaya et al., Fig. 1. PA 1 is favoured, label 0 is unfavourable.

    >>> fairlet_sample().schema.roles("PA")
    ('sensitive', 'protected')
    """
    schema = Schema(identifier=["id"], quasi=["X"], sensitive=["PA"], protected=["PA"], decision="label", denied=0)
    about = "González-Zelaya et al.: Fair and Private Data Preprocessing through Microaggregation, Fig. 1."
    return Dataset(_table("fairlet_sample"), schema, None, about)


def rollup_sample() -> Dataset:
    """Ten records drawn from Adult: Caruccio et al., Table 2.

    Of the taxonomies the text specifies age at levels 1 to 3 (Fig. 1 is not in it, Tables 3 and 4 are), that
    age has a level 4 (Example 5), and fnlwgt at level 2 (Table 4). The other bands of fnlwgt halve and double
    that one, as in Section 6.1; capital-gain has bands of the same kind; the remaining attributes have the
    hierarchies of `adult`. These are ours. With two levels of sex, "sex at level 1" in the paper's Example 5
    means that sex is left out.

    >>> rollup_sample().schema.bind(rollup_sample().table)["age"].labels[1:4]
    (('[35,40)', '[45,50)', '[50,55)'), ('[35,45)', '[45,55)'), ('[35,55)',))
    """
    table = _table("rollup_sample")
    quasi = [name for name in table.names if name != "classes"]
    banded = {
        "age": _bands(table.column("age").domain, 15, (5, 10, 20)),
        "fnlwgt": _bands(table.column("fnlwgt").domain, 0, (50_000, 100_000, 200_000)),
        "capital-gain": _bands(table.column("capital-gain").domain, 0, (2_500, 5_000, 10_000)),
    }
    schema = Schema(
        quasi=quasi,
        protected=["sex"],
        decision="classes",
        denied="<=50K",
        hierarchies={**trees("adult", [name for name in quasi if name not in banded]), **banded},
    )
    about = "Caruccio et al.: A decision-support framework for data anonymization, Table 2."
    return Dataset(table, schema, None, about)


def _table(name: str, text: Sequence[str] = ()) -> Table:
    """Return the bundled table of an example; the columns in `text` are read as text."""
    import pyarrow as pa
    from pyarrow import csv

    options = csv.ConvertOptions(column_types={column: pa.string() for column in text})
    return Table.from_frame(csv.read_csv(data_file(name, "csv"), convert_options=options))


def _bands(values: Sequence[int], start: int, widths: Sequence[int]) -> Hierarchy:
    """Return half-open bands, labelled as in the paper, and a top."""

    def band(value: int, width: int) -> str:
        low = start + (value - start) // width * width
        return f"[{low},{low + width})"

    return from_rows([(value, *(band(value, width) for width in widths), "*") for value in values])
