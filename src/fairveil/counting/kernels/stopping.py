"""How a running compiled search learns that it should stop."""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import intrinsic

NEVER = np.zeros(1, dtype=np.uint8)
"""For searches that nobody can stop. All of them share it, so nobody may set it."""


@intrinsic
def stopped(typing_context, stop):
    """Whether another thread has set the one element of `stop`.

    A plain `stop[0]` is read once and then held in a register for the whole loop; an atomic load is made every time.
    """

    def load(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        flag = builder.load_atomic(data, "monotonic", 1)
        return builder.icmp_unsigned("!=", flag, flag.type(0))

    return types.boolean(stop), load
