"""Decide: all small changes of the document, each with a sentence in the history."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from fairveil import guards as known_guards
from fairveil import measures as known_measures
from fairveil import methods as known_methods
from fairveil.attacks import ATTACKS, refuse_unknown
from fairveil.data.about import About
from fairveil.data.numeric import Meaning
from fairveil.data.schema import ROLES, SINGLE
from fairveil.engines import Order
from fairveil.errors import BadInput, refuse, suggest
from fairveil.settings import required, settings_of
from fairveil.shapes import name as a_name
from fairveil.shapes import record, text
from fairveil.studio.answers import Answer, Spec, cell, finite, plain
from fairveil.studio.candidate_store import need_candidate
from fairveil.studio.document import guards_of, methods_of, need_source, schema_of
from fairveil.studio.endpoints import endpoint
from fairveil.studio.history import History
from fairveil.studio.refusals import label_of, value_label
from fairveil.studio.sessions import OpenSession

ROLE_NAMES = {role: role for role in ROLES} | {"quasi": "quasi-identifier", "drop": "left out"}


class HistoryEntry(Answer):
    """One change as a sentence. `done` is false for those that were undone and can be redone; `by` is who made it, if
    a proxy said so."""

    sentence: str
    at: str
    done: bool
    by: str


@endpoint("POST", "/undo")
def undo(session: OpenSession) -> None:
    _travel(session, History.undo)


@endpoint("POST", "/redo")
def redo(session: OpenSession) -> None:
    _travel(session, History.redo)


@endpoint("GET", "/history")
def show_history(session: OpenSession) -> list[HistoryEntry]:
    """Return every change, the first one first."""
    with session.lock:
        changes, position = session.history.changes, session.history.position
        return [
            HistoryEntry(entry["sentence"], entry["at"], step < position, entry.get("by", ""))
            for step, entry in enumerate(changes)
        ]


@endpoint("POST", "/history")
def go_to(session: OpenSession, steps: int) -> None:
    """Undo or redo until this number of steps is in effect."""
    _travel(session, lambda history: history.go_to(steps))


def _travel(session: OpenSession, move: Callable[[History], object]) -> None:
    session.travel(move)
    for id, run in session.runs.items():  # do not wait for a run whose start was undone
        if id not in session.document["runs"] and run.job is not None:
            run.job.progress.cancel()


@endpoint("PUT", "/roles")
def set_roles(session: OpenSession, roles: Mapping[str, Sequence[str]]) -> None:
    """Set the roles of columns; those that are not named keep theirs. An empty list removes the role."""
    names = need_source(session).names
    refuse([suggest(column, names, "column") for column in roles if column not in names])
    refuse([suggest(role, ROLES, "role") for given in roles.values() for role in given if role not in ROLES])
    named = {column: " and ".join(ROLE_NAMES[role] for role in given) for column, given in roles.items()}
    words = [f"{column} to {given or 'no role'}" for column, given in named.items()]
    more = f" and {len(words) - 3} more columns" if len(words) > 4 else ""
    sentence = "Set " + ", ".join(words[:3] if more else words) + more
    change(session, sentence, lambda document: put_roles(document, roles))


def put_roles(document: dict[str, Any], roles: Mapping[str, Sequence[str]]) -> None:
    """Set the roles, and remove the settings that no longer apply."""
    for column, given in roles.items():
        for single in (role for role in SINGLE if role in given):  # the previous column loses the role
            for other, others in list(document["roles"].items()):
                if other != column and single in others:
                    document["roles"][other] = [role for role in others if role != single]
                    document["denied"] = [] if single == "decision" else document["denied"]
        if "decision" not in given and "decision" in document["roles"].get(column, ()):
            document["denied"] = []
        document["roles"][column] = list(given)
        if "quasi" not in given:
            document["weights"].pop(column, None)
        if not set(given) <= {"sensitive", "protected", "plain"} or not given:
            document["levels"].pop(column, None)
        if not {"identifier", "person"} & {*given}:
            document["pseudonyms"] = [name for name in document["pseudonyms"] if name != column]
    document["roles"] = {column: given for column, given in document["roles"].items() if given}


@endpoint("PUT", "/denied")
def set_denied(session: OpenSession, denied: Sequence[Any]) -> None:
    """Set the unfavourable values of the decision."""
    decision = schema_of(session.document).decision
    if decision is None:
        raise BadInput("no column is the decision: give one that role first")
    domain = need_source(session).domain(decision)
    values = [cell(domain.domain[domain.code_of(value)]) for value in denied]
    words = " and ".join(map(str, values)) or "nothing"
    change(session, f"Set the denied values of {decision} to {words}", lambda document: document.update(denied=values))


@endpoint("PUT", "/column")
def set_column(
    session: OpenSession,
    column: str,
    weight: float | None = None,
    level: int | None = None,
    pseudonym: bool | None = None,
    whole_numbers: Meaning | Literal["unsaid"] | None = None,
) -> None:
    """Set facts of one column; what is null stays. `level` 0, `weight` 0 and "unsaid" take the setting away."""
    names, roles = need_source(session).names, session.document["roles"].get(column, ())
    refuse([suggest(column, names, "column")] if column not in names else [])
    if weight and "quasi" not in roles:
        raise BadInput(f"column {column!r} has a weight but is not quasi")
    if pseudonym and not {"identifier", "person"} & {*roles}:
        raise BadInput(f"column {column!r} is not an identifier, so it cannot be pseudonymized")
    words = []
    if weight is not None:
        words.append(f"the weight of {column} to {weight:g}" if weight else f"{column} to the usual weight")
    if level is not None:
        words.append(f"{column} to level {level}" if level else f"{column} to no fixed level")
    if whole_numbers is not None:
        meant = {"code": "codes", "quantity": "quantities"}.get(whole_numbers, "whatever they look like")
        words.append(f"the numbers of {column} to be {meant}")
    if pseudonym is not None:
        words.append(f"{column} to be {'a pseudonym' if pseudonym else 'left out'}")

    def edit(document: dict[str, Any]) -> None:
        meaning = False if whole_numbers == "unsaid" else whole_numbers
        for section, value in (("weights", weight), ("levels", level), ("whole_numbers", meaning)):
            if value:
                document[section][column] = value
            elif value is not None:
                document[section].pop(column, None)
        if pseudonym is not None:
            rest = [name for name in document["pseudonyms"] if name != column]
            document["pseudonyms"] = [*rest, column] if pseudonym else rest

    change(session, "Set " + ", ".join(words), edit)


@endpoint("PUT", "/guards")
def set_guards(session: OpenSession, guards: Sequence[Any]) -> None:
    """Set the promises."""
    parts = guards_of(guards)
    sizes = [guard.kind for guard in parts if guard.by_size]
    if len(sizes) > 1:
        raise BadInput(f"{sizes[0]} is asked for twice: keep the larger k")
    specs = [plain(guard.to_dict()) for guard in parts]
    words = "; ".join(_words(spec) for spec in specs) or "nothing"
    change(session, f"Promised {words}", lambda document: document.update(guards=specs))


def _words(spec: Spec) -> str:
    """A promise in a few words, without settings that are as usual."""
    guard = known_guards.GUARDS.get(spec["kind"])
    own: type = guard
    usual = {setting.name: plain(setting.default) for setting in settings_of(own) if not setting.required}
    settings = [
        f"{label_of(key)} {', '.join(map(str, value)) if isinstance(value, list) else value_label(key, str(value))}"
        for key, value in spec.items()
        if key != "kind" and not isinstance(value, dict) and (key not in usual or value != usual[key])
    ]
    return f"{guard.title} ({', '.join(settings)})" if settings else guard.title


@endpoint("PUT", "/settings")
def set_settings(
    session: OpenSession,
    name: str | None = None,
    notes: str | None = None,
    methods: Sequence[Any] | None = None,
    measures: Sequence[str] | None = None,
    choose: str | None = None,
    seed: Annotated[int | None, required(min=0, max=(1 << 53) - 1)] = None,
    order: Order | None = None,
    format: Literal["csv", "parquet"] | None = None,
    accept: Sequence[str] | None = None,
    report: Mapping[str, str] | None = None,
) -> None:
    """Set whatever is not null."""
    for measure in (*(measures or ()), *([choose] if choose is not None else [])):
        known_measures.get(measure)
    refuse_unknown(accept or ())
    parts = vars(About())
    refuse([suggest(part, parts, "part of a report") for part in report or () if part not in parts])
    specs = None if methods is None else [finite(method.to_dict()) for method in methods_of(methods)]
    entries: dict[str, tuple[Any, str]] = {
        "name": (name, f"named the session {name}"),
        "notes": (notes, "changed the notes"),
        "methods": (specs, f"chose {', '.join(_method_titles(specs or ())) or 'no method'}"),
        "measures": (_distinct(measures), f"asked for {_titles(measures or ()) or 'no further measures'}"),
        "choose": (choose, f"chose by {_titles([choose] if choose else ())}"),
        "seed": (seed, f"set the seed to {seed}"),
        "order": (order, f"set the order to {order}"),
        "format": (format, f"set the format to {format}"),
        "accept": (_distinct(accept), f"accepted {', '.join(map(danger_title, accept or ())) or 'no danger'}"),
        "report": (report and About(**report).to_dict(), "changed what the report begins with"),
    }
    given = {entry: value for entry, (value, _) in entries.items() if value is not None}
    sentence = ", ".join(entries[entry][1] for entry in given)
    change(session, sentence[:1].upper() + sentence[1:], lambda document: document.update(given))


def danger_title(name: str) -> str:
    """What people read instead of the name of an attack or weakness."""
    return ATTACKS.get(name).title if name in ATTACKS.names else name.replace("-", " ")


def _titles(measures: Sequence[str]) -> str:
    return ", ".join(known_measures.get(name).title for name in measures)


def _method_titles(specs: Sequence[Spec]) -> list[str]:
    return [known_methods.METHODS.get(spec["kind"]).title for spec in specs]


def _distinct(names: Sequence[str] | None) -> list[str] | None:
    return None if names is None else list(dict.fromkeys(names))


@endpoint("PUT", "/clipboard")
def set_clipboard(session: OpenSession, clipboard: Sequence[Any]) -> None:
    """Set all clips, in order: objects with `candidate` and `note`."""
    shape = record({"candidate": a_name}, {"note": text})
    clips = [{"note": "", **shape(clip, "a clip")} for clip in clipboard]
    before = {clip["candidate"]: clip["note"] for clip in session.document["clipboard"]}
    after = {clip["candidate"]: clip["note"] for clip in clips}
    if len(after) < len(clips):
        raise BadInput("a candidate is on the clipboard twice")
    for candidate in after.keys() - before.keys():
        need_candidate(session, candidate)
    words = [
        *(f"put {clip} on the clipboard" for clip in after if clip not in before),
        *(f"took {clip} off the clipboard" for clip in before if clip not in after),
        *(f"changed the note of {clip}" for clip, note in after.items() if before.get(clip, note) != note),
    ]
    sentence = ", ".join(words[:3]) or "reordered the clipboard"
    change(session, sentence[:1].upper() + sentence[1:], lambda document: document.update(clipboard=clips))


@endpoint("PUT", "/chosen")
def choose(session: OpenSession, candidate: str | None = None) -> None:
    """Choose the candidate to publish, or none."""
    if candidate is not None:
        need_candidate(session, candidate)
    sentence = f"Chose candidate {candidate}" if candidate else "Chose no candidate"
    change(session, sentence, lambda document: document.update(chosen=candidate))


def change(session: OpenSession, sentence: str, edit: Callable[[dict[str, Any]], object]) -> None:
    """Change the document; raises if no schema can be built from the result."""

    def checked(document: dict[str, Any]) -> None:
        edit(document)
        schema_of(document)

    session.change(sentence, checked)
