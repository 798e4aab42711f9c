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
    expected = [[0, 0, 0, 0], [(5 - mean) / scale, 0, 1, 0]]
    np.testing.assert_allclose(OneHot.of(KNOWN, ["n", "c"]).matrix(STRANGE), expected)


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


def test_labels_of_several_columns_are_numbered_alike() -> None:
    one, other = (Table.from_frame(pa.table({"y": y})) for y in ([2, 1, 2], ["3", "1", "1"]))
    labels, (first, second) = labels_of(one.column("y"), other.column("y"))
    assert labels[first].tolist() == texts(one, "y").tolist() == ["2", "1", "2"]
    assert labels[second].tolist() == ["3", "1", "1"]
