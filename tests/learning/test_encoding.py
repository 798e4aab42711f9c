"""The three encodings, each as it says, with what is missing or was never seen."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from fairveil.data.table import Table
from fairveil.learning.encoding import Blocks, Compact, OneHot, labels_of, texts

KNOWN = Table.from_frame(pa.table({"n": [1, 3, None, 3], "c": ["a", "b", "a", None]}))
STRANGE = Table.from_frame(pa.table({"n": [None, 5], "c": ["z", "b"]}))
NAN = float("nan")


def test_one_hot() -> None:
    mean, scale = np.mean([1, 3, 3]), np.std([1, 3, 3])
    expected = np.array([[0, 0, 0, 0], [(5 - mean) / scale, 0, 1, 0]])
    np.testing.assert_allclose(OneHot.of(KNOWN, ["n", "c"]).matrix(STRANGE), expected)


def test_a_hidden_cell_is_a_category_or_in_none() -> None:
    """A number beside "*" is published as text, and is the same category as the number."""
    published = Table.from_frame(pa.table({"c": ["1", "*", "2", None]}))
    asked = Table.from_frame(pa.table({"c": [2, 1]}))
    assert OneHot.of(published, ["c"]).matrix(published).tolist() == [
        [0, 1, 0, 0],
        [1, 0, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0, 1],
    ]
    missing = OneHot.of(published, ["c"], hidden="missing")
    assert missing.matrix(published).tolist() == [[1, 0], [0, 0], [0, 1], [0, 0]]
    assert missing.matrix(asked).tolist() == [[0, 1], [1, 0]]
    many = Table.from_frame(pa.table({"c": [*(f"{i:03}" for i in range(300)), *["*"] * 100]}))
    target = np.arange(400) % 4 // 3
    shares = OneHot.of(many, ["c"], target, hidden="missing")
    for matrix in (shares.matrix(many), shares.training(many)):
        np.testing.assert_allclose(matrix[300:], np.tile([0.75, 0.25], (100, 1)))


def test_compact() -> None:
    encoding = Compact.of(KNOWN, ["n", "c"])
    assert encoding.matrix(KNOWN).tolist() == [[1, 0, 0], [3, 1, 0], [-1, 0, 0], [3, 0, 1]]
    assert encoding.matrix(STRANGE).tolist() == [[-1, 0, 0], [5, 1, 0]]
    many = Table.from_frame(pa.table({"c": [f"{i:03}" for i in range(70)]}))
    assert Compact.of(many, ["c"]).matrix(many).ravel().tolist() == list(range(70))
    assert Compact.of(KNOWN, []).matrix(KNOWN).shape == (4, 1)


def test_blocks() -> None:
    encoding = Blocks.of(KNOWN, ["n", "c"])
    assert encoding.shape == ((2, False), (3, True))
    assert encoding.matrix(STRANGE).tolist() == [[3, 1, 0, 0, 0], [5, 0, 0, 1, 0]]
    coded = Blocks.of(KNOWN, ["n", "c"], coded=True).matrix(STRANGE)
    np.testing.assert_array_equal(coded, [[NAN, NAN], [5, 1]])
    hidden = Table.from_frame(pa.table({"c": ["a", "*", None, "b"]}))
    assert Blocks.of(hidden, ["c"], coded=True).shape == ((2, True),)
    np.testing.assert_array_equal(Blocks.of(hidden, ["c"], coded=True).matrix(hidden).ravel(), [0, NAN, NAN, 1])


def test_labels_of_several_columns_are_numbered_alike() -> None:
    one, other = (Table.from_frame(pa.table({"y": y})) for y in ([2, 1, 2], ["3", "1", "1"]))
    labels, (first, second) = labels_of(one.column("y"), other.column("y"))
    assert labels[first].tolist() == texts(one, "y").tolist() == ["2", "1", "2"]
    assert labels[second].tolist() == ["3", "1", "1"]


def test_a_column_of_many_categories_is_encoded_by_the_target() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 1000, 5000)
    target = (codes % 3 == 0).astype(np.int64)
    many = Table.from_frame(pa.table({"c": [f"c{code}" for code in codes], "n": codes}))
    encoding = OneHot.of(many, ["c", "n"], target)
    assert encoding.width("c") == 2 and encoding.matrix(many).shape == (5000, 3)
    shares = encoding.matrix(many)[:, 1]
    assert shares[target == 1].mean() > shares[target == 0].mean() + 0.2
    unknown = encoding.matrix(Table.from_frame(pa.table({"c": ["never seen"], "n": [0]})))
    np.testing.assert_allclose(unknown[0, :2], [1 - target.mean(), target.mean()])


def test_a_category_of_one_row_does_not_tell_that_row_its_class() -> None:
    """What the training rows are encoded by comes from other rows: else any classifier would just read it off."""
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    target = rng.integers(0, 2, 2000)
    unique = Table.from_frame(pa.table({"c": [f"c{i}" for i in range(2000)]}))
    encoding = OneHot.of(unique, ["c"], target)
    learnt = DecisionTreeClassifier(min_samples_leaf=50).fit(encoding.training(unique), target)
    assert learnt.score(encoding.training(unique), target) < 0.62
