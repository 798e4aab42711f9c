"""What a release publishes, from memory or from its folder, and how guards judge it."""

from __future__ import annotations

from fairveil.published.folder import Publishing, load, published_of
from fairveil.published.judge import Judged, judge
from fairveil.published.published import Published

__all__ = ["Judged", "Published", "Publishing", "judge", "load", "published_of"]
