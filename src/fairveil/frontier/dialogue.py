"""A reference direction as a plain-text dialogue, for any interface that can show a line and ask for one.

It contains no algorithm: it shows the session's solutions, and turns each answer into the session's next step.

publish 1             publish solution 1 of the list
go 2                  take the next step from solution 2
go 2 necd=0.1 nwp=0.3 the same, toward other aspirations
save walk.json        keep the session in a file
quit                  stop without publishing
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fairveil.errors import BadInput, suggest

if TYPE_CHECKING:
    from fairveil.frontier.reference_direction import ReferenceDirection, Step
    from fairveil.release.release import Release

QUESTION = "publish N, go N [measure=value …], save FILE or quit"
COMMANDS = {"publish": "the number of a solution", "go": "the number of a solution", "save": "a file name", "quit": ""}
"""What each command needs."""


def render(step: Step) -> str:
    """Return the solutions of a step as a small table, numbered from 1, the objectives beside the aspirations."""
    wishes = step.aspirations
    lines = [["", *wishes, "k", "groups per column"], ["wish", *(f"{wish:.4g}" for wish in wishes.values()), "", ""]]
    for number, solution in enumerate(step.solutions, start=1):
        values = [f"{solution.point[name]:.4f}{'' if solution.point[name] > wishes[name] else ' ✓'}" for name in wishes]
        groups = " ".join(f"{column}:{count}" for column, count in solution.groups.items())
        lines.append([str(number), *values, str(solution.k), groups])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def converse(session: ReferenceDirection, ask: Callable[[str], str], tell: Callable[[str], object]) -> Release | None:
    """Step, show and ask until a solution is published (returns its release) or the publisher quits (returns None).

    `ask` takes the question and returns the answer, `tell` shows text. An invalid answer is explained and asked again.
    """
    if not session.steps:
        session.step()
    tell(render(session.steps[-1]))
    while True:
        words = ask(QUESTION).split()
        try:
            command = words[0].lower() if words else ""
            if command not in COMMANDS:
                raise BadInput(suggest(command, COMMANDS, "command"))
            if command == "quit":
                return None
            if len(words) < 2:
                raise BadInput(f"{words[0]!r} needs {COMMANDS[command]}")
            if command == "save":
                tell(f"saved to {session.save(words[1])}")
                continue
            choice = _index(words[1], len(session.steps[-1].solutions))
            if command == "publish":
                return session.release(choice)
            wishes = dict(session.aspirations.levels) | dict(_wish(word) for word in words[2:])
            tell(render(session.step(choice, aspirations=wishes)))
        except BadInput as problem:
            tell(str(problem))


def _index(text: str, solutions: int) -> int:
    """Return the index of the solution, from 0; users count from 1."""
    if not text.isdecimal() or len(text) > 18:
        raise BadInput(f"{text!r} is not the number of a solution")
    if not 1 <= int(text) <= solutions:
        raise BadInput(f"no solution {text}: the last step has 1 to {solutions}")
    return int(text) - 1


def _wish(word: str) -> tuple[str, float]:
    name, _, value = word.partition("=")
    try:
        return name, float(value)
    except ValueError:
        raise BadInput(f"{word!r} is not an aspiration such as nwp=0.2") from None
