"""How a running compiled search is told to stop."""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import intrinsic

NEVER = np.zeros(1, dtype=np.uint8)
"""For searches that nobody can stop. It is shared, so it must never be set."""


@intrinsic
def stopped(typing_context, stop):
    """Return whether another thread has set the one element of `stop`.

    The compiler would read a plain `stop[0]` once and keep it in a register for the whole loop; an atomic load is
    repeated.
    """

    def load(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        flag = builder.load_atomic(data, "monotonic", 1)
        return builder.icmp_unsigned("!=", flag, flag.type(0))

    return types.boolean(stop), load
