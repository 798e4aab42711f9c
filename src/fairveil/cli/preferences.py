"""The dialogue of `fairveil explore --preferences`: a walk along reference directions (docs/preferences.md)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from fairveil.cli.terminal import say, working
from fairveil.errors import BadInput

if TYPE_CHECKING:
    from fairveil.frontier.reference_direction import ReferenceDirection
    from fairveil.progress import Progress, Report
    from fairveil.release.release import Release
    from fairveil.run.plan import Plan


def walk(plan: Plan, file: Path | None, out: Path | None) -> int:
    """Step, show and ask until something is published or the publisher quits; the session is kept."""
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
            say(f"The session is in {file}: it discloses more than a release, and only you can read it")
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
    from fairveil.progress import Progress

    if file is None or not file.exists():
        return plan.direction(progress)
    session = ReferenceDirection.load(file, plan.open(Progress.of(progress))[0], progress=progress)
    tasks = (session.task, plan.task(Progress.of(progress), session.method))
    started, planned = ((task.schema.to_dict(), [guard.to_dict() for guard in task.guards]) for task in tasks)
    if started != planned:
        raise BadInput(f"{file} was started with another schema or other guards than the plan's: name another file")
    session.order = plan.order
    return session


def _publish(chosen: Release, plan: Plan, out: Path | None, ask: Callable[[str], str]) -> None:
    """Write the release; if no path was given, ask until one can be written to."""
    from fairveil.cli.release import show
    from fairveil.errors import Danger
    from fairveil.release.release import refuse_target

    while out is None:
        answer = Path(ask("folder for the release").strip())
        try:
            refuse_target(answer)
            out = answer
        except BadInput as problem:
            say(str(problem))
    chosen = chosen.described(**plan.about.to_dict())
    accepted: list[str] = []
    try:
        saved = plan.save_release(chosen, out)
    except Danger as problem:
        for name, sentence in problem.dangers.items():
            question = f"danger, {sentence}; to publish it knowingly, type {name}"
            if name not in plan.accept and ask(question).strip() == name:
                accepted.append(name)
        saved = plan.save_release(chosen, out, accept=accepted)
    show(chosen, saved)


class _Bar:
    """A progress bar that appears with the first report and is cleared before any message or question."""

    def __init__(self) -> None:
        self.stack = ExitStack()
        self.progress: Progress | None = None

    def __call__(self, share: float, what: str) -> None:
        if self.progress is None:
            self.progress = self.stack.enter_context(working("searching"))
        self.progress(share, what)

    def close(self) -> None:
        self.stack.close()
        self.progress = None
