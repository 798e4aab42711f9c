"""Keyed pseudonyms for identifiers: equal values get equal pseudonyms, which only the owner of the key can link.

HMAC-SHA-256 with a key from the environment variable FAIRVEIL_KEY; the key is never written anywhere.
"""

from __future__ import annotations

import hashlib
import hmac
import os

from fairveil.data.arrow import texts
from fairveil.data.table import Column
from fairveil.errors import BadInput

KEY_VARIABLE = "FAIRVEIL_KEY"
MIN_KEY = 16


def pseudonymize(column: Column) -> Column:
    """The column with each value replaced by its pseudonym; missing stays missing. The values keep the order of
    the originals, until `published_table` sorts them."""
    key = key_for(column.name)
    names = [None if value is None else _pseudonym(key, column.name, value) for value in column.domain]
    return Column(column.name, column.codes, texts(names))


def key_for(name: str) -> bytes:
    """The secret key; raises BadInput if it is missing or too short."""
    key = os.environ.get(KEY_VARIABLE, "").encode()
    if len(key) < MIN_KEY:
        raise BadInput(
            f"pseudonyms for {name!r} need a secret key of at least {MIN_KEY} characters in the "
            f"environment variable {KEY_VARIABLE}"
        )
    return key


def _pseudonym(key: bytes, column: str, value: object) -> str:
    return hmac.new(key, f"{column}\0{value}".encode(), hashlib.sha256).hexdigest()[:32]
