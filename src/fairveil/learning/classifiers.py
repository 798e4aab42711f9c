"""The classifiers that a plan or a command can name. From Python any scikit-learn classifier will do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fairveil.errors import BadInput, refuse, suggest


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

    return BernoulliNB()  # a number counts as above or below the mean, which standardizing puts at its threshold


def _neighbours() -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(15)


def _support_vectors() -> Any:
    from sklearn.svm import LinearSVC

    return LinearSVC()


CLASSIFIERS: dict[str, tuple[str, Callable[[], Any]]] = {
    "tree": ("decision tree", _tree),
    "logistic": ("logistic regression", _logistic),
    "forest": ("random forest", _forest),
    "naive-bayes": ("naive Bayes", _naive_bayes),
    "neighbours": ("nearest neighbours", _neighbours),
    "svm": ("support vector machine", _support_vectors),
}
"""Name -> what it is called in a sentence, and an untrained one."""

USUAL = ("tree", "logistic")


def problems_of(names: Sequence[str]) -> list[str]:
    """What is wrong with a choice of classifiers."""
    if not names:
        return ["name at least one classifier"]
    return [suggest(name, CLASSIFIERS, "classifier") for name in names if name not in CLASSIFIERS]


def by_name(names: Sequence[str] = USUAL) -> dict[str, Any]:
    """Untrained classifiers, by their names."""
    refuse(problems_of(names))
    return {name: CLASSIFIERS[name][1]() for name in names}


def spoken(name: str) -> str:
    """A classifier in a sentence."""
    return CLASSIFIERS[name][0] if name in CLASSIFIERS else name


def need_share(share: Any, what: str = "test") -> float:
    """A share of the rows to test on."""
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
        raise BadInput(f"{what} must be a share of the rows between 0 and 1, such as 0.3, not {share!r}")
    return float(share)
