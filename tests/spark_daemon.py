"""The daemon that forks Spark's Python workers, with fairveil imported: else each worker would import it again."""

from __future__ import annotations

from pyspark import daemon

from fairveil.methods import mondrian
from fairveil.methods.blocks import block_search
from fairveil.methods.microaggregation import fair_mdav

IMPORTED = (block_search, mondrian, fair_mdav)

if __name__ == "__main__":
    daemon.manager()
