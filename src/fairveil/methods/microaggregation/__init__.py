"""Microaggregation: near records are put together and publish what they have in common.

points       records as the distances see them, exact
clusters     MDAV's groups and Fair-MDAV's fairlets
aggregate    what a group publishes, and what is lost
correction   labels, corrected fairlet by fairlet
recipe       the published groups, for new data
mdav, fair_mdav  the two methods; `resampling` is Fair-MDAV for scikit-learn users
"""

from fairveil.methods.microaggregation.fair_mdav import FairMDAV
from fairveil.methods.microaggregation.mdav import MDAV

__all__ = ["MDAV", "FairMDAV"]
