"""DMPD: the columns split into projections; the parts of the search in files of their own."""

from __future__ import annotations

from fairveil.methods.dmpd.dmpd import DMPD, Partitionings

__all__ = ["DMPD", "Partitionings"]
