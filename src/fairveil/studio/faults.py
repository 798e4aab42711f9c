"""How requests fail: a status, a code for programs, and one sentence for people. Never a traceback."""

from __future__ import annotations

from fairveil.errors import BadInput, Cancelled, Infeasible


class Refused(Exception):
    """A request that is answered with this status."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.code, self.sentence = status, code, sentence


def unknown(what: str, name: str) -> Refused:
    return Refused(404, f"no-{what}", f"There is no {what} {name[:60]!r} here: it may have been removed.")


def fault_of(problem: BaseException) -> Refused:
    """Any exception as an answer; of one that nobody expected only its kind is told, since its text may hold data."""
    if isinstance(problem, Refused):
        return problem
    if isinstance(problem, BadInput):
        return Refused(400, "bad-input", str(problem))
    if isinstance(problem, Infeasible):
        return Refused(409, "infeasible", str(problem))
    if isinstance(problem, Cancelled):
        return Refused(409, "cancelled", "It was cancelled.")
    if isinstance(problem, MemoryError):
        return Refused(507, "memory", "There is not enough memory for that: try fewer columns or rows.")
    kind = type(problem).__name__
    return Refused(500, "internal", f"Something in fairveil failed ({kind}): this is a fault of ours, not yours.")
