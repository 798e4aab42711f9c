"""The few technical terms that a report needs, each explained in the section where it first occurs."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Mapping

from fairveil.markup import Html, tag

TERMS: Mapping[str, tuple[str, str]] = {
    "k-anonymity": ("k-anonymity", "every combination of values by which people could be recognized is shared by at "
                    "least k records, so a record cannot be pinned to fewer than k people."),
    "ℓ-diversity": ("distinct-diversity|entropy-diversity|recursive-diversity|ℓ-diversity",
                    "people who look alike have several different sensitive values, so placing somebody in "
                    "a group does not give the value away."),
    "t-closeness": ("t-closeness", "in every group of people who look alike, sensitive values are distributed nearly "
                    "as among all; t says how far they may differ, from 0 (not at all) to 1."),
    "α-protection": ("alpha-protection|α-protection|α-protective", "no rule that could be learnt from the data denies "
                     "a protected group α times as often as others in the same situation."),
    "redlining": ("no-redlining|redlining", "discrimination by a stand-in: a postcode, say, that tells a group."),
    "situation testing": ("situation-testing|situation testing", "comparing how a person was decided upon with people "
                          "alike in every lawful respect who are not of the protected group."),
    "known decision": ("known-decision|known decision", "k-anonymity that also holds against somebody who knows what "
                       "was decided about a person."),
    "quasi-identifier": (r"quasi(?:-identifier| column)?s?", "a column that does not name a person, but that others "
                         "may know about a person, such as age or postcode. Several together can single somebody out."),
    "equivalence class": ("equivalence class(?:es)?|smallest class|class(?:es)? ", "all records that are alike in "
                          "every quasi-identifier; also called a group."),
    "generalization": ("generali[sz](?:ation|ed|es|e)s?|level [0-9]+ of", "publishing a coarser value, such as 30–39 "
                       "instead of 34. Levels say how coarse."),
    "suppression": ("suppress(?:ion|ed)", "leaving whole records out, because they would stand out."),
    "loss": ("(?:loss|Loss) of detail|loss: 0|Loss per column", "how much coarser the values are than before, from 0 % "
             "(as they were) to 100 % (nothing left)."),
    "entropy loss": ("entropy", "how much harder it is to guess the original value from the published one."),
    "discernibility": ("discernibility|(?<![a-z])dr(?![a-z])", "how many records each record can be confused with, "
                       "added up."),
    "microaggregation": ("mdav|microaggregat\\w+", "records are put into small groups of similar ones, and each is "
                         "published with the average of its group."),
    "projection": ("projections?", "a table with some of the columns, so that no table shows all of them together."),
    "differential privacy": ("differential(?:ly)? priva(?:te|cy)|ε", "random noise hides whether any one person is in "
                             "the data; a smaller ε hides better."),
    "linkage": ("linkage", "finding a person's record with what one knows from elsewhere."),
    "homogeneity": ("homogeneity", "all records that look alike share one sensitive value, so it is known of everybody "
                    "among them."),
    "hierarchy": ("hierarch(?:y|ies)", "for one column, the steps from a value as it is to a single value for all."),
}  # fmt: skip
"""Term -> the pattern that finds it, and its meaning."""
_TAGS = re.compile(r"<style.*?</style>|<[^>]*>", re.DOTALL)
_DATA = re.compile(r"<bdi>.*?</bdi>", re.DOTALL)


def spoken(section: Html, known: Collection[str] = ()) -> Iterator[str]:
    """The technical terms in the text of a section; values of the data are ignored."""
    text = html.unescape(_TAGS.sub(" ", _DATA.sub(" ", section)))
    for word, (pattern, _) in TERMS.items():
        if word not in known and re.search(rf"(?<![\w-])(?:{pattern})", text):
            yield word


def explained(section: Html, known: set[str]) -> Html | None:
    """An explanation of the terms in a section that are not in `known` yet; adds them to `known`."""
    fresh = list(spoken(section, known))
    known.update(fresh)
    if not fresh:
        return None
    entries = [tag("div", tag("dt", word), tag("dd", TERMS[word][1])) for word in fresh]
    return tag("dl", entries, class_="terms", aria_label="Words used here")
