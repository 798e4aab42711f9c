"""The technical terms that a report needs (`glossary.toml`), each explained in the section where it first occurs."""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

from fairveil.markup import Html, tag

_TAGS = re.compile(r"<style.*?</style>|<[^>]*>", re.DOTALL)
_DATA = re.compile(r"<bdi>.*?</bdi>", re.DOTALL)


@cache
def terms() -> Mapping[str, Mapping[str, str]]:
    """Each term with the pattern that finds it and its meaning."""
    return tomllib.loads(Path(__file__).with_name("glossary.toml").read_text(encoding="utf-8"))


def spoken(section: Html, known: Collection[str] = ()) -> Iterator[str]:
    """The technical terms in the text of a section; values of the data are ignored."""
    text = html.unescape(_TAGS.sub(" ", _DATA.sub(" ", section)))
    for word, term in terms().items():
        if word not in known and re.search(rf"(?<![\w-])(?:{term['pattern']})", text):
            yield word


def explained(section: Html, known: set[str]) -> Html | None:
    """An explanation of the terms in a section that are not in `known` yet; adds them to `known`."""
    fresh = list(spoken(section, known))
    known.update(fresh)
    if not fresh:
        return None
    entries = [tag("div", tag("dt", word), tag("dd", terms()[word]["meaning"])) for word in fresh]
    return tag("dl", entries, class_="terms", aria_label="Words used here")
