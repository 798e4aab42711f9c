"""The classifiers that have names, with their settings. From Python any scikit-learn classifier can be used.

>>> [classifier.words for classifier in CLASSIFIERS][:2], INDUCERS.names
(['decision tree', 'logistic regression'], ['tree', 'c4.5', 'naive-bayes'])
>>> fresh(CLASSIFIERS.get("forest").make(), seed=7).random_state
7

A tree appears three times, because the settings follow from what it learns from: rows (`CLASSIFIERS`), distinct rows
with weights (`weighted_tree`), or a projection, whose leaves must tell probabilities (`INDUCERS`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil.errors import BadInput, refuse, suggest
from fairveil.registry import Registry


@dataclass(frozen=True)
class Classifier:
    """A name, its words in a sentence, and a function that returns an untrained classifier."""

    name: str
    words: str
    make: Callable[[], Any]


def _tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(min_samples_leaf=5)


def _logistic() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000)


def _forest() -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(100, min_samples_leaf=2)


def _naive_bayes() -> Any:
    from sklearn.naive_bayes import BernoulliNB

    return BernoulliNB()  # a number counts as above or below the mean, which is 0 after standardizing


def _neighbours() -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(15)


def _support_vectors() -> Any:
    from sklearn.svm import LinearSVC

    return LinearSVC()


CLASSIFIERS: Registry[Classifier] = Registry(
    "classifier",
    [
        Classifier("tree", "decision tree", _tree),
        Classifier("logistic", "logistic regression", _logistic),
        Classifier("forest", "random forest", _forest),
        Classifier("naive-bayes", "naive Bayes", _naive_bayes),
        Classifier("neighbours", "nearest neighbours", _neighbours),
        Classifier("svm", "support vector machine", _support_vectors),
    ],
)
"""The classifiers that a plan or a command can name; they learn from rows in a `OneHot` encoding."""

USUAL = ("tree", "logistic")


def weighted_tree(seed: int) -> Any:
    """Return a tree for distinct rows with weights: the minimum leaf size is a share of all rows."""
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=seed, min_weight_fraction_leaf=1e-4)


def weighted_support_vectors(seed: int) -> Any:
    """Return a support vector machine for distinct rows with weights, which the scaler must use, too."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    # scaled columns have variance 1 when weighted, which gamma="scale" would measure without the weights
    return make_pipeline(StandardScaler(), SVC(gamma="auto", random_state=seed))


def _pruned_tree() -> Any:
    from fairveil.learning.inducers import PrunedTree

    return PrunedTree()


def _c45() -> Any:
    from fairveil.learning.c45 import C45

    return C45()


def _mixed_naive_bayes() -> Any:
    from fairveil.learning.inducers import NaiveBayes

    return NaiveBayes()


INDUCERS: Registry[Classifier] = Registry(
    "inducer",
    [
        Classifier("tree", "pruned decision tree", _pruned_tree),
        Classifier("c4.5", "C4.5", _c45),
        Classifier("naive-bayes", "naive Bayes", _mixed_naive_bayes),
    ],
)
"""The classifiers that DMPD can name; they learn from `Blocks` and return probabilities that can be multiplied."""


def problems_of(names: Sequence[str]) -> list[str]:
    """Return the problems of a choice of classifiers."""
    if not names:
        return ["name at least one classifier"]
    return [suggest(name, CLASSIFIERS.names, "classifier") for name in names if name not in CLASSIFIERS]


def by_name(names: Sequence[str] = USUAL) -> dict[str, Any]:
    """Return untrained classifiers by their names."""
    refuse(problems_of(names))
    return {name: CLASSIFIERS.get(name).make() for name in names}


def spoken(name: str) -> str:
    """Return the words for a classifier in a sentence."""
    return CLASSIFIERS.get(name).words if name in CLASSIFIERS else name


def inducer(choice: Any) -> Any:
    """Return the inducer behind a name, or the given scikit-learn classifier."""
    if isinstance(choice, str):
        return INDUCERS.get(choice).make()
    if isinstance(choice, type):
        raise BadInput(f"the inducer must be a classifier, not its class: write {choice.__name__}()")
    if not (hasattr(choice, "fit") and hasattr(choice, "predict_proba")):
        raise BadInput(f"the inducer {type(choice).__name__} cannot be used: it needs fit and predict_proba")
    return choice


def is_coded(classifier: Any) -> bool:
    """Whether a classifier takes codes rather than one-hot columns."""
    return bool(getattr(classifier, "coded", False))


def fresh(classifier: Any, seed: int, shape: Sequence[tuple[int, bool]] | None = None) -> Any:
    """Return an untrained copy. An open random state follows from the seed, `blocks` from the columns' shape."""
    from sklearn.base import clone

    model = clone(classifier)
    settings = model.get_params()
    fresh_settings: dict[str, Any] = {
        name: seed for name, value in settings.items() if name.endswith("random_state") and value is None
    }
    if shape is not None and "blocks" in settings:
        fresh_settings["blocks"] = tuple(shape)
    return model.set_params(**fresh_settings)


def fitted(model: Any, inputs: np.ndarray, target: np.ndarray, weights: np.ndarray | None = None) -> Any:
    """Return the trained model; a constant prediction if there is only one label.

    All steps of a pipeline that accept sample weights get them. A classifier without weights sees each row as often as
    its weight says.
    """
    if len(np.unique(target)) < 2:
        from sklearn.dummy import DummyClassifier

        return DummyClassifier().fit(inputs, target)
    if weights is None:
        return model.fit(inputs, target)
    from sklearn.utils.validation import has_fit_parameter

    steps = [(f"{name}__", step) for name, step in getattr(model, "steps", [])] or [("", model)]
    weighing = [prefix for prefix, step in steps if has_fit_parameter(step, "sample_weight")]
    if steps[-1][0] in weighing:
        return model.fit(inputs, target, **{f"{prefix}sample_weight": weights for prefix in weighing})
    times = weights.astype(int)
    if (times != weights).any():
        raise BadInput(f"{type(model).__name__} does not accept sample weights, and these weights are not integers")
    rows = np.repeat(np.arange(len(target)), times)
    return model.fit(inputs[rows], target[rows])
