"""The dialogue of `fairveil explore --preferences`: a walk along reference directions (docs/preferences.md)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from fairveil.errors import BadInput

if TYPE_CHECKING:
    from fairveil.frontier.reference_direction import ReferenceDirection
    from fairveil.progress import Progress, Report
    from fairveil.release.release import Release
    from fairveil.run.plan import Plan

PLACE = "folder for the release"


def walk(plan: Plan, file: Path | None, out: Path | None) -> int:
    """Step, show and ask until something is published or the publisher quits; the session is kept."""
    from fairveil.cli.terminal import say
    from fairveil.frontier.dialogue import converse
    from fairveil.release.release import refuse_target

    if out is not None:
        refuse_target(out)
    bar = _Bar()

    def tell(text: str) -> None:
        bar.close()
        for line in text.splitlines():
            say(line)
        if file is not None:
            session.save(file)

    def ask(question: str) -> str:
        bar.close()
        print(question, end=": ", file=sys.stderr, flush=True)
        return input()

    with bar.stack:
        session = _session(plan, file, bar)
        if file is not None:
            session.save(file)  # an unwritable path is refused before the search
            say(f"The session is in {file}: it tells more than a release, and only you can read it")
        try:
            chosen = converse(session, ask, tell)
            if chosen is not None:
                _publish(chosen, plan, out, ask)
                return 0
        except EOFError:  # end of input
            pass
    say("Nothing is published" + (f"; go on with --session {file}" if file is not None else ""))
    return 0


def _session(plan: Plan, file: Path | None, progress: Report) -> ReferenceDirection:
    """The session of a file if it exists, else a new one for the plan."""
    from fairveil.frontier.reference_direction import ReferenceDirection
    from fairveil.methods import Preferences

    table, schema = plan.data
    method = next((search for search in plan.methods if isinstance(search, Preferences)), None)
    if file is None or not file.exists():
        return ReferenceDirection(
            table,
            schema,
            guards=plan.guards,
            method=method,
            missing=plan.source.dialect.missing,
            seed=plan.seed,
            progress=progress,
        )
    session = ReferenceDirection.load(file, table, progress=progress)
    started = (session.task.schema.to_dict(), [guard.to_dict() for guard in session.task.guards])
    if started != (schema.to_dict(), [guard.to_dict() for guard in plan.guards]):
        raise BadInput(f"{file} was started with another schema or other guards than the plan's: name another file")
    return session


def _publish(chosen: Release, plan: Plan, out: Path | None, ask: Callable[[str], str]) -> None:
    """Write the release; if no path was given, ask until one can be written to."""
    from fairveil.attacks import dangers
    from fairveil.cli.release import show
    from fairveil.cli.terminal import say
    from fairveil.release.release import UnacceptedDanger, refuse_target

    while out is None:
        place = Path(ask(PLACE).strip())
        try:
            refuse_target(place)
            out = place
        except BadInput as problem:
            say(str(problem))
    accepted = list(plan.accept)
    try:
        saved = chosen.save(out, format=plan.format, accept=accepted)
    except UnacceptedDanger as problem:
        for name, sentence in dangers(problem.evidence).items():
            question = f"danger, {sentence}; to publish it knowingly, type {name}"
            if name not in accepted and ask(question).strip() == name:
                accepted.append(name)
        saved = chosen.save(out, format=plan.format, accept=accepted)
    show(chosen, saved)


class _Bar:
    """A progress bar that appears with the first report and is cleared before any message or question."""

    def __init__(self) -> None:
        self.stack = ExitStack()
        self.shown: Progress | None = None
        self.open = False

    def __call__(self, share: float, what: str) -> None:
        from fairveil.cli.terminal import working

        if not self.open:
            self.shown, self.open = self.stack.enter_context(working("searching")), True
        if self.shown is not None:
            self.shown(share, what)

    def close(self) -> None:
        self.stack.close()
        self.open = False
