"""Publishing by preference: free grouping of each column's values, steered by aspirations (Dewri et al. 2011)."""

from __future__ import annotations

from fairveil.methods.preferences.preferences import Explorer, Preferences

__all__ = ["Explorer", "Preferences"]
