"""The papers' small worked examples, value for value, so that what they print can be checked by hand.

>>> from fairveil.datasets import fairlet_sample
>>> fairlet_sample().table.column("X").domain
[1, 2, 3, 11, 12, 13, 14]
"""

from __future__ import annotations

from collections.abc import Sequence

from fairveil.data.hierarchy import Hierarchy, from_rows, mask, tree
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.datasets.dataset import Dataset, trees

CREDIT_DECISIONS = """
ID Sex Race Hours Salary Credit_approved
1 Male White 40 High Yes
2 Male Asian-Pac 50 Medium Yes
3 Male Black 35 Medium No
4 Female Black 35 Medium No
5 Male White 37 Medium Yes
6 Female Amer-Indian 37 Medium Yes
7 Female White 35 Medium No
8 Male Black 35 High Yes
9 Female White 35 Low No
10 Male White 50 High Yes
"""

EMPLOYEE_CODES = """
emp sal
81521 C1
81522 C1
81523 C1
82635 C2
82636 C2
82647 C2
82648 C2
81634 C3
81631 C3
81632 C3
81639 C3
81630 C3
"""

CENSUS_SAMPLE = """
age workclass fnlwgt education education-num marital-status occupation relationship race sex \
capital-gain capital-loss hours-per-week native-country income
27 Local-gov 54826 Assoc-voc 10 Widowed Prof-specialty Not-in-family White Female 0 0 20 US <=50K.
47 Local-gov 181344 Some-college 10 Married Prof-specialty Husband Black Male 0 0 55 US >50K.
41 Local-gov 523910 Bachelors 13 Married Prof-specialty Husband Black Male 0 0 40 US <=50K.
42 Local-gov 254817 Some-college 10 Married Prof-specialty Not-in-family White Female 0 1340 40 US <=50K.
27 Private 213921 HS-grad 9 Divorced Other-service Not-in-family White Male 0 0 40 US <=50K.
46 Private 51618 HS-grad 9 Married Other-service Not-in-family White Female 0 0 40 US <=50K.
59 Private 159937 HS-grad 9 Married Sales Husband White Male 0 0 48 US >50K.
49 Private 343591 HS-grad 9 Divorced Prof-specialty Not-in-family Black Female 14344 0 40 US >50K.
53 Private 346253 HS-grad 9 Married Sales Husband White Male 0 0 35 US <=50K.
55 Private 198282 Bachelors 13 Married Sales Husband White Male 15024 0 60 Germany >50K.
40 Private 118853 Bachelors 13 Widowed Sales Unmarried White Male 0 0 60 Germany <=50K.
49 Private 77143 Bachelors 13 Married Sales Husband White Male 0 0 40 Germany >50K.
47 Private 253814 HS-grad 9 Divorced Prof-specialty Unmarried White Female 0 0 25 US <=50K.
21 Private 312956 HS-grad 9 Married Prof-specialty Not-in-family Black Male 0 0 40 US >50K.
43 Private 114580 Some-college 10 Married Prof-specialty Not-in-family White Female 0 0 40 US <=50K.
61 State-gov 267989 Bachelors 13 Married Prof-specialty Husband White Male 0 0 50 US >50K.
46 State-gov 102628 Masters 9 Widowed Prof-specialty Unmarried White Male 0 0 40 US <=50K.
28 State-gov 175325 HS-grad 9 Widowed Prof-specialty Unmarried White Male 0 0 40 US <=50K.
28 State-gov 149624 Bachelors 13 Divorced Prof-specialty Unmarried White Male 0 0 70 US >50K.
56 State-gov 149624 Bachelors 13 Divorced Other-service Unmarried White Male 0 0 25 US >50K.
"""

FAIRLET_SAMPLE = """
id X PA label
A 1 1 1
B 2 0 0
C 3 0 1
D 11 1 0
E 12 1 0
F 13 1 1
G 14 1 1
"""

ROLLUP_SAMPLE = """
age workclass fnlwgt education marital-status occupation relationship sex capital-gain classes
39 State-gov 77516 Bachelors Never-married Adm-clerical Not-in-family Male 2174 >50K
50 Self-emp-not-inc 83311 Bachelors Married-civ-spouse Exec-managerial Husband Male 0 >50K
38 Private 215646 HS-grad Divorced Handlers-cleaners Not-in-family Male 0 <=50K
53 Private 234721 11th Married-civ-spouse Handlers-cleaners Husband Male 0 <=50K
37 Private 159449 Bachelors Married-civ-spouse Prof-specialty Wife Female 0 >50K
37 Private 284582 Masters Married-civ-spouse Exec-managerial Wife Female 0 <=50K
49 Private 160187 9th Married-spouse-absent Other-service Not-in-family Female 0 >50K
52 Self-emp-not-inc 209642 HS-grad Married-civ-spouse Exec-managerial Husband Male 0 <=50K
38 Private 45781 Masters Never-married Prof-specialty Not-in-family Female 14084 >50K
49 Private 159449 Bachelors Married-civ-spouse Exec-managerial Husband Male 5178 >50K
"""


def credit_decisions() -> Dataset:
    """Ten biased credit decisions: Hajian et al., Table 1, with the hierarchies of their Fig. 1.

    The figure itself is not in the text; its levels and the values that the text names are. Sex has levels
    S0, S1, Race R0 to R2, Hours H0 to H2. The text writes the lower hours "[1, 40]"; as 40 goes to
    "[40-100]", they are "[1-40)" here. The names of the tops of Sex and Hours are ours.

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
    return Dataset(_table(CREDIT_DECISIONS), schema, None, about)


def employee_codes() -> Dataset:
    """Twelve employee codes and salary classes: Dewri et al., Table 1, with the weights of their Table 2.

    Codes lose up to four digits; the salary classes C1 and C2 may be merged. The paper stops there, while a
    hierarchy ends in a single value, so `sal` has a level 2 that the paper's eight generalizations never use.

    >>> employee_codes().schema.bind(employee_codes().table)["emp"].labels[3:]
    (('81***', '82***'), ('8****',))
    """
    schema = Schema(
        quasi=["emp", "sal"],
        hierarchies={
            "emp": mask(5, steps=(1, 2, 3, 4)),
            "sal": tree({"*": {"C12": ["C1", "C2"], "C3": ["C3"]}}),
        },
        weights={"emp": 0.3, "sal": 0.7},
    )
    about = "Dewri, Ray, Ray, Whitley: k-Anonymization in the Presence of Publisher Preferences, Table 1."
    return Dataset(_table(EMPLOYEE_CODES, text=["emp"]), schema, None, about)


def census_sample() -> Dataset:
    """Twenty records drawn from Adult: Matatov et al., Fig. 1, quasi-identifier as in their Section 4.2.

    Values are as printed there (the income ends in a full stop, "US"). Age has the two intervals found by the
    paper's discretization; the other quasi columns are published as they are or not at all. The paper
    protects nobody: sex and race as protected grounds are our addition.

    >>> census_sample().schema.bind(census_sample().table)["age"].labels[1]
    ('(-inf-48]', '(48-inf)')
    """
    table = _table(CENSUS_SAMPLE)
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
    return Dataset(_table(FAIRLET_SAMPLE), schema, None, about)


def rollup_sample() -> Dataset:
    """Ten records drawn from Adult: Caruccio et al., Table 2.

    Of the taxonomies the text fixes age at levels 1 to 3 (Fig. 1 is not in it, Tables 3 and 4 are), that age
    has a level 4 (Example 5), and fnlwgt at level 2 (Table 4). The other bands of fnlwgt halve and double
    that one, as Section 6.1 builds them; capital-gain is banded the same way; the remaining attributes
    take the hierarchies of `adult`. These are ours. With two levels of sex, "sex at level 1" in the paper's
    Example 5 is sex left out.

    >>> rollup_sample().schema.bind(rollup_sample().table)["age"].labels[1:4]
    (('[35,40)', '[45,50)', '[50,55)'), ('[35,45)', '[45,55)'), ('[35,55)',))
    """
    table = _table(ROLLUP_SAMPLE)
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


def _table(printed: str, text: Sequence[str] = ()) -> Table:
    """A table printed with blanks between the fields; columns of digits are numbers unless named in `text`."""
    import pyarrow as pa

    names, *rows = [line.split() for line in printed.strip().splitlines()]
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return Table.from_frame(
        pa.table(
            {
                name: [int(cell) for cell in cells] if name not in text and "".join(cells).isdigit() else cells
                for name, cells in columns.items()
            }
        )
    )


def _bands(values: Sequence[int], start: int, widths: Sequence[int]) -> Hierarchy:
    """Half-open bands, labelled as the paper prints them, and a top."""
    lows = [[start + (value - start) // width * width for width in widths] for value in values]
    return from_rows(
        [
            (value, *(f"[{low},{low + width})" for low, width in zip(low_by_width, widths, strict=True)), "*")
            for value, low_by_width in zip(values, lows, strict=True)
        ]
    )
