"""Published: what went out, from memory or from a release folder, its classes grouped once; and how guards judge it."""

from __future__ import annotations

from fairveil.published.folder import Publishing, load, published_of
from fairveil.published.judge import Judged, judge
from fairveil.published.published import Published

__all__ = ["Judged", "Published", "Publishing", "judge", "load", "published_of"]
