"""The classifiers that have names, with their settings. From Python any scikit-learn classifier can be used.

>>> [classifier.words for classifier in CLASSIFIERS][:2], INDUCERS.names
(['decision tree', 'logistic regression'], ['tree', 'c4.5', 'part', 'naive-bayes'])
>>> fresh(CLASSIFIERS.get("forest").make(), seed=7).random_state
7

A tree appears three times, because the settings follow from what it learns from: rows (`CLASSIFIERS`), distinct rows
with weights (`weighted_tree`), or a projection, whose leaves must tell probabilities (`INDUCERS`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from fairveil.errors import BadInput, refuse, suggest
from fairveil.registry import Registry


@dataclass(frozen=True)
class Classifier:
    """A name, its words in a sentence, a class (module:name, imported when it is needed), and its settings."""

    name: str
    words: str
    home: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def make(self) -> Any:
        """Return an untrained classifier."""
        module, kind = self.home.split(":")
        return getattr(import_module(module), kind)(**self.settings)


CLASSIFIERS: Registry[Classifier] = Registry(
    "classifier",
    [
        Classifier("tree", "decision tree", "sklearn.tree:DecisionTreeClassifier", {"min_samples_leaf": 5}),
        Classifier("logistic", "logistic regression", "fairveil.learning.sparse:SparseLogistic", {"max_iter": 1000}),
        Classifier("forest", "random forest", "sklearn.ensemble:RandomForestClassifier",
                   {"n_estimators": 100, "min_samples_leaf": 2}),
        # a number counts as above or below the mean, which is 0 after standardizing
        Classifier("naive-bayes", "naive Bayes", "sklearn.naive_bayes:BernoulliNB"),
        Classifier("neighbours", "nearest neighbours", "sklearn.neighbors:KNeighborsClassifier", {"n_neighbors": 15}),
        Classifier("svm", "support vector machine", "sklearn.svm:LinearSVC"),
    ],
)  # fmt: skip
"""The classifiers that a plan or a command can name; they learn from rows in a `OneHot` encoding."""

INDUCERS: Registry[Classifier] = Registry(
    "inducer",
    [
        Classifier("tree", "pruned decision tree", "fairveil.learning.inducers:PrunedTree"),
        Classifier("c4.5", "C4.5", "fairveil.learning.inducers:C45"),
        Classifier("part", "rules (PART)", "fairveil.learning.part:PART"),
        Classifier("naive-bayes", "naive Bayes", "fairveil.learning.inducers:NaiveBayes"),
    ],
)
"""The classifiers that DMPD can name; they learn from `Blocks` and return probabilities that can be multiplied."""

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
    seeds = {name: seed for name, value in settings.items() if name.endswith("random_state") and value is None}
    blocks = {"blocks": tuple(shape)} if shape is not None and "blocks" in settings else {}
    return model.set_params(**seeds, **blocks)


def tree_input(model: Any, x: Any) -> np.ndarray | None:
    """Return numbers as scikit-learn's trees take them without checking, if the model is one and all are finite: their
    checks take longer than a small tree. A user's subclass may check in its own way."""
    from sklearn.tree import DecisionTreeClassifier

    is_tree = type(model) is DecisionTreeClassifier or getattr(model, "takes_unchecked", False)
    if not is_tree or not isinstance(x, np.ndarray):
        return None
    narrow = np.ascontiguousarray(x, dtype=np.float32)
    return narrow if np.isfinite(narrow).all() else None


def fit_quickly(model: Any, x: Any, classes: np.ndarray, weights: np.ndarray | None = None) -> Any:
    """Return the model, fitted without checks if it is a tree."""
    from sklearn import config_context

    narrow, weighed = tree_input(model, x), {} if weights is None else {"sample_weight": weights}
    if narrow is None:
        return model.fit(x, classes, **weighed)
    with config_context(skip_parameter_validation=True, assume_finite=True):
        return model.fit(narrow, classes, **weighed, check_input=False)


def fitted(model: Any, inputs: np.ndarray, target: np.ndarray, weights: np.ndarray | None = None) -> Any:
    """Return the trained model; a constant prediction if there is only one label.

    All steps of a pipeline that accept sample weights get them. A classifier without weights sees each row as often as
    its weight says.
    """
    if len(np.unique(target)) < 2:
        from sklearn.dummy import DummyClassifier

        return DummyClassifier().fit(inputs, target)
    if weights is None or tree_input(model, inputs) is not None:
        return fit_quickly(model, inputs, target, weights)
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
