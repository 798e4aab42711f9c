"""How requests fail: a status, a code for programs, and one sentence for people. Never a traceback."""

from __future__ import annotations

from fairveil.errors import BadInput, Cancelled, Infeasible


class RequestRefused(Exception):
    """Raised to answer a request with this status."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.code, self.sentence = status, code, sentence


def unknown(what: str, name: str) -> RequestRefused:
    return RequestRefused(404, f"no-{what}", f"There is no {what} {name[:60]!r} here: it may have been removed.")


def fault_of(problem: BaseException) -> RequestRefused:
    """Return any exception as a response; of an unexpected one only the type, since its text may contain data."""
    if isinstance(problem, RequestRefused):
        return problem
    if isinstance(problem, BadInput):
        return RequestRefused(400, "bad-input", str(problem))
    if isinstance(problem, Infeasible):
        return RequestRefused(409, "infeasible", str(problem))
    if isinstance(problem, Cancelled):
        return RequestRefused(409, "cancelled", "It was cancelled.")
    if isinstance(problem, MemoryError):
        return RequestRefused(507, "memory", "There is not enough memory for that: try fewer columns or rows.")
    kind = type(problem).__name__
    return RequestRefused(
        500, "internal", f"Something in fairveil failed ({kind}): this is a bug in fairveil, not your mistake."
    )
