"""US postcodes by their first three digits, as HIPAA's Safe Harbor rule asks: 000 where at most 20,000 people live.

>>> zip3().bind(["02139", "02142", "03601", 2139]).labels
(('02139', '02142', '03601', 2139), ('021', '000'), ('*',))

The default list is that of the census of 2000, as in the guidance to the rule; `small` and `dated` replace it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from fairveil.data.hierarchy.hierarchy import TOP, LeveledHierarchy
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput, refuse
from fairveil.settings import setting

SMALL = ("036", "059", "063", "102", "203", "556", "692", "790", "821", "823", "830", "831", "878", "879", "884",
         "890", "893")  # fmt: skip
OTHERS = "000"
_ZIP = re.compile(r"(\d{1,5})(-\d{4})?", re.ASCII)


@dataclass(frozen=True, repr=False)
class Zip3(LeveledHierarchy):
    """The first three digits of US postcodes, `000` for those in `small`, then nothing."""

    kind: ClassVar[str] = "zip3"
    says: ClassVar[str] = "The first three digits of a US postcode; 000 where few people live."
    small: tuple[str, ...] = setting(SMALL, "the three digits of places with at most 20,000 people")
    dated: str = setting("Census 2000", "where and when this list comes from")

    def __post_init__(self) -> None:
        super().__post_init__()
        wrong = [digits for digits in self.small if not re.fullmatch(r"\d{3}", digits, re.ASCII)]
        refuse([f"small must list three digits each, not {digits!r}" for digits in wrong])

    @property
    def depth(self) -> int:
        return 1

    def path(self, value: Any) -> Sequence[str]:
        match = _ZIP.fullmatch(as_text(value).strip())
        if match is None:
            raise BadInput(f"{value!r} is not a US postcode such as 02139")
        digits = match[1].zfill(5)[:3]  # where they were read as numbers, leading zeros are gone
        return [OTHERS if digits in self.small else digits, TOP]

    def fits(self, level: int, label: Any) -> bool:
        text = str(label)
        return re.fullmatch(r"\d{3}", text, re.ASCII) is not None and text not in self.small


def zip3(small: Sequence[str] = SMALL, *, dated: str = "Census 2000") -> Zip3:
    """US postcodes by three digits, `000` for the `small` ones; `dated` says where that list comes from."""
    return Zip3(tuple(small), dated)
