"""Microaggregation: similar records form a group and publish the same values.

clusters         MDAV's groups and Fair-MDAV's fairlets
aggregate        what a group publishes, and what is lost
correction       labels, corrected fairlet by fairlet
mdav, fair_mdav  the two methods; `resampling` is Fair-MDAV for scikit-learn users

Distances are in `recipes/record_space.py`, the recipe in `recipes/microaggregated.py`.
"""

from fairveil.methods.microaggregation.fair_mdav import FairMDAV
from fairveil.methods.microaggregation.mdav import MDAV

__all__ = ["MDAV", "FairMDAV"]
