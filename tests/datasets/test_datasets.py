"""The bundled data sets hold what their papers say, and every hierarchy reads as a hierarchy should."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from math import prod

import numpy as np
import pyarrow as pa
import pytest

from fairveil import datasets
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.datasets import LOADERS, Dataset
from fairveil.errors import BadInput

REAL = ("adult", "german_credit", "compas")

ADULT_TABLE_3 = {
    "education": (16, 5),
    "marital-status": (7, 4),
    "native-country": (41, 5),
    "occupation": (14, 3),
    "race": (5, 3),
    "relationship": (6, 3),
    "sex": (2, 2),
    "workclass": (8, 5),
}
GERMAN_TABLE_4 = {
    "checking_status": (4, 3),
    "credit_history": (5, 3),
    "purpose": (11, 4),
    "savings_status": (5, 4),
    "employment": (5, 4),
    "marital_status": (4, 3),
    "sex": (2, 2),
    "existing_credits": (4, 3),
    "job": (4, 3),
    "foreign_worker": (2, 2),
}


@pytest.fixture(scope="module")
def loaded() -> dict[str, Dataset]:
    """Every data set, and the wide variant of the real ones as "<name>-all"."""
    wide = {f"{name}-all": LOADERS[name](columns="all") for name in REAL}
    return {name: load() for name, load in LOADERS.items()} | wide


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", [*LOADERS, *(f"{name}-all" for name in REAL)])


def shape(levels: dict[str, Levels]) -> dict[str, tuple[int, int]]:
    return {column: (bound.leaves, bound.height + 1) for column, bound in levels.items()}


def groups(data: Dataset, node: dict[str, int]) -> Counter[tuple[object, ...]]:
    """How many rows hold each combination of published values at these levels."""
    levels = data.schema.bind(data.table)
    published = [
        [levels[column].labels[level][code] for code in levels[column].codes[level][data.table.column(column).codes]]
        for column, level in node.items()
    ]
    return Counter(zip(*published, strict=True))


def smallest(data: Dataset, node: dict[str, int]) -> int:
    return min(groups(data, node).values())


def values(data: Dataset, column: str) -> list[object]:
    return data.table.column(column).to_arrow().to_pylist()


def test_the_schema_fits_the_table(loaded: dict[str, Dataset], name: str) -> None:
    data = loaded[name]
    data.schema.check(data.table)
    assert data.about.endswith(".")
    assert Schema.from_dict(data.schema.to_dict()) == data.schema


def test_every_value_has_a_leaf_also_in_the_test_part(loaded: dict[str, Dataset], name: str) -> None:
    data = loaded[name]
    for table in filter(None, (data.table, data.test)):
        for column, levels in data.schema.bind(table).items():
            assert len(levels.labels[-1]) == 1, column
            assert levels.notes == (), column
    if data.test is not None:
        assert data.test.names == data.table.names


def test_levels_only_merge_and_a_label_always_means_the_same_leaves(loaded: dict[str, Dataset], name: str) -> None:
    for column, levels in loaded[name].schema.bind(loaded[name].table).items():
        meaning: dict[object, frozenset[int]] = {}
        for level, labels in enumerate(levels.labels):
            for code, label in enumerate(labels):
                leaves = frozenset(np.flatnonzero(levels.codes[level] == code).tolist())
                assert meaning.setdefault(label, leaves) == leaves or label is None, (column, label)
            if level:
                assert len(labels) <= len(levels.labels[level - 1]), column


@pytest.mark.parametrize("real", REAL)
def test_each_bundled_level_is_coarser_than_the_one_below(loaded: dict[str, Dataset], real: str) -> None:
    for column, levels in loaded[f"{real}-all"].schema.bind(loaded[f"{real}-all"].table).items():
        sizes = [len(labels) for labels in levels.labels]
        assert sizes == sorted(set(sizes), reverse=True), (column, sizes)


def test_nothing_real_is_published_plain(loaded: dict[str, Dataset]) -> None:
    for real in REAL:
        assert loaded[real].schema.plain == loaded[f"{real}-all"].schema.plain == ()


def test_adult_is_table_3(loaded: dict[str, Dataset]) -> None:
    data = loaded["adult"]
    assert data.test is not None
    assert (data.table.rows, data.table.dropped) == (30_162, 2_399)
    assert (data.test.rows, data.test.dropped) == (15_060, 1_221)
    levels = data.schema.bind(data.table)
    assert shape(levels) == ADULT_TABLE_3
    assert prod(bound.height + 1 for bound in levels.values()) == 27_000
    assert data.table.names == [*ADULT_TABLE_3, "income"]
    assert Counter(values(data, "income")) == {"<=50K": 22_654, ">50K": 7_508}


def test_adult_with_all_columns(loaded: dict[str, Dataset]) -> None:
    data = loaded["adult-all"]
    assert data.table.rows == 30_162
    assert len(data.schema.quasi) == 14
    numeric = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
    assert {data.table.column(column).values.type for column in numeric} == {pa.int64()}
    levels = data.schema.bind(data.table)
    by_number, by_name = levels["education-num"], levels["education"]
    assert [len(labels) for labels in by_number.labels] == [len(labels) for labels in by_name.labels]
    assert levels["hours-per-week"].labels[2] == ("1-34", "35-40", "41-99")


def test_german_credit_is_table_4(loaded: dict[str, Dataset]) -> None:
    data = loaded["german_credit"]
    assert data.test is not None
    assert (data.table.rows, data.test.rows) == (666, 334)
    levels = data.schema.bind(data.table)
    assert shape(levels) == GERMAN_TABLE_4
    assert prod(bound.height + 1 for bound in levels.values()) == 62_208
    both = values(data, "class") + data.test.column("class").to_arrow().to_pylist()
    assert Counter(both) == {"good": 700, "bad": 300}


def test_german_credit_takes_personal_status_apart(loaded: dict[str, Dataset]) -> None:
    data = loaded["german_credit"]
    pairs = set(zip(values(data, "sex"), values(data, "marital_status"), strict=True))
    assert pairs == {("female", "div/dep/mar"), ("male", "single"), ("male", "mar/wid"), ("male", "div/sep")}
    assert "personal_status" not in loaded["german_credit-all"].table
    assert len(loaded["german_credit-all"].schema.quasi) == 21


def test_compas(loaded: dict[str, Dataset]) -> None:
    data = loaded["compas"]
    assert (data.table.rows, data.test) == (7_214, None)
    assert Counter(values(data, "two_year_recid")) == {0: 3_963, 1: 3_251}
    assert data.table.column("priors_count").values.type == pa.int64()
    heights = {column: levels.height + 1 for column, levels in data.schema.bind(data.table).items()}
    assert heights == {"sex": 2, "age": 4, "race": 4, "c_charge_degree": 2, "priors_count": 5}


def test_compas_age_level_2_is_the_age_category_of_the_data(loaded: dict[str, Dataset]) -> None:
    found = groups(loaded["compas-all"], {"age": 2, "age_cat": 0})
    assert set(found) == {("18-24", "Less than 25"), ("25-44", "25 - 45"), ("45-99", "Greater than 45")}


def test_compas_keeps_what_is_missing_as_a_value(loaded: dict[str, Dataset]) -> None:
    data = loaded["compas-all"]
    assert values(data, "jail_days").count(None) == 307
    assert None in data.schema.bind(data.table)["jail_days"].labels[1]


def test_an_unknown_choice_of_columns_is_refused() -> None:
    with pytest.raises(BadInput, match="no choice of columns 'al': did you mean 'all'"):
        datasets.adult(columns="al")  # type: ignore[arg-type]


def test_credit_decisions_example_2(loaded: dict[str, Dataset]) -> None:
    data = loaded["credit_decisions"]
    nodes = [(sex, race) for sex in range(2) for race in range(3)]
    assert [node for node in nodes if smallest(data, {"Sex": node[0], "Race": node[1]}) >= 3] == [
        (0, 2),
        (1, 1),
        (1, 2),
    ]
    assert groups(data, {"Hours": 1}) == {("[1-40)",): 7, ("[40-100]",): 3}


def test_credit_decisions_example_3(loaded: dict[str, Dataset]) -> None:
    data = loaded["credit_decisions"]
    rows = [dict(zip(data.table.names, row, strict=True)) for row in zip(*map_columns(data), strict=True)]
    medium = [row for row in rows if row["Salary"] == "Medium"]
    women = [row["Credit_approved"] for row in medium if row["Sex"] == "Female"]
    men = [row["Credit_approved"] for row in medium if row["Sex"] == "Male"]
    assert (women.count("No"), len(women), men.count("No"), len(men)) == (2, 3, 1, 3)


def map_columns(data: Dataset) -> list[list[object]]:
    return [values(data, column) for column in data.table.names]


@pytest.mark.parametrize(
    ("emp", "sal", "printed"),
    [
        (1, 0, (0.27, 0.07, 2)),
        (2, 0, (0.18, 0.09, 3)),
        (3, 0, (0.18, 0.15, 3)),
        (4, 0, (0.18, 0.30, 3)),
        (1, 1, (0.27, 0.27, 2)),
        (2, 1, (0.18, 0.29, 3)),
        (3, 1, (0.18, 0.36, 3)),
        (4, 1, (0.18, 0.50, 5)),
    ],
)
def test_employee_codes_table_2(
    loaded: dict[str, Dataset], emp: int, sal: int, printed: tuple[float, float, int]
) -> None:
    data = loaded["employee_codes"]
    node = {"emp": emp, "sal": sal}
    sizes = groups(data, node).values()
    levels = data.schema.bind(data.table)
    nwp = sum(
        data.schema.loss_weight(column) * levels[column].penalties[level][levels[column].codes[level]][codes].mean()
        for column, level in node.items()
        for codes in [data.table.column(column).codes]
    )
    assert ((max(sizes) - min(sizes)) / 11, nwp, min(sizes)) == pytest.approx(printed, abs=0.005)


def test_employee_codes_table_1(loaded: dict[str, Dataset]) -> None:
    assert groups(loaded["employee_codes"], {"emp": 1, "sal": 0}) == {
        ("8152*", "C1"): 3,
        ("8263*", "C2"): 2,
        ("8264*", "C2"): 2,
        ("8163*", "C3"): 5,
    }


def test_census_sample_says_what_the_paper_says_of_it(loaded: dict[str, Dataset]) -> None:
    data = loaded["census_sample"]
    assert (data.table.rows, len(data.table.names)) == (20, 15)
    assert Counter(values(data, "sex")) == {"Female": 6, "Male": 14}
    assert Counter(values(data, "income")) == {"<=50K.": 11, ">50K.": 9}
    places = Counter(zip(values(data, "workclass"), values(data, "native-country"), strict=True))
    assert min(places.values()) == places["Private", "Germany"] == 3
    known = Counter(zip(values(data, "marital-status"), values(data, "occupation"), strict=True))
    assert known["Married", "Other-service"] == 1
    assert (smallest(data, {"relationship": 0}), smallest(data, {"age": 1})) == (6, 7)


def test_fairlet_sample(loaded: dict[str, Dataset]) -> None:
    data = loaded["fairlet_sample"]
    assert map_columns(data) == [
        ["A", "B", "C", "D", "E", "F", "G"],
        [1, 2, 3, 11, 12, 13, 14],
        [1, 0, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 1],
    ]


def test_rollup_sample_tables_3_and_4(loaded: dict[str, Dataset]) -> None:
    data = loaded["rollup_sample"]
    assert groups(data, {"age": 1}) == {("[35,40)",): 5, ("[50,55)",): 3, ("[45,50)",): 2}
    assert groups(data, {"age": 2}) == {("[35,45)",): 5, ("[45,55)",): 5}
    assert groups(data, {"age": 3, "fnlwgt": 2}) == {
        ("[35,55)", "[0,100000)"): 3,
        ("[35,55)", "[100000,200000)"): 3,
        ("[35,55)", "[200000,300000)"): 4,
    }
    assert [row for row, income in enumerate(values(data, "classes"), 1) if income == "<=50K"] == [3, 4, 6, 8]


def test_importing_reads_no_data_and_nothing_heavy() -> None:
    heavy = ("pyarrow", "pandas", "polars", "duckdb", "sklearn", "scipy")
    code = f"import sys, fairveil.datasets; print([m for m in {heavy!r} if m in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
