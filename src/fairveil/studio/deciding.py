"""Decide: all small changes of the document, each with a sentence in the history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fairveil import measures
from fairveil.attacks import refuse_unknown
from fairveil.data.integer_meaning import why_a_code
from fairveil.data.schema import ROLES
from fairveil.errors import BadInput, refuse, suggest
from fairveil.plural import counted
from fairveil.published.about import About
from fairveil.shapes import name as a_name
from fairveil.shapes import record, text
from fairveil.studio import api
from fairveil.studio.calls import Call
from fairveil.studio.document import History
from fairveil.studio.problems import repaired
from fairveil.studio.requests import guards_of, methods_of, need_source, schema_of
from fairveil.studio.views import cell, plain, session_view

ROLE_NAMES = {
    "identifier": "identifier", "quasi": "quasi-identifier", "sensitive": "sensitive", "protected": "protected",
    "decision": "decision", "plain": "plain", "drop": "left out",
}  # fmt: skip


def undo(call: Call) -> api.Session:
    return _travelled(call, History.undo)


def redo(call: Call) -> api.Session:
    return _travelled(call, History.redo)


def show_history(call: Call) -> api.HistoryView:
    with call.session.lock:
        history = call.session.history
        return {
            "changes": [
                {"sentence": change["sentence"], "at": change["at"], "done": place < history.position}
                for place, change in enumerate(history.changes)
            ]
        }


def go_to(call: Call) -> api.Session:
    asked: api.GoTo = call.body
    return _travelled(call, lambda history: history.go_to(asked.steps))


def _travelled(call: Call, move: Callable[[History], object]) -> api.Session:
    session = call.session
    session.travel(move)
    for id, run in session.runs.items():  # do not wait for a run whose start was undone
        if id not in session.document["runs"] and run.job is not None:
            run.job.progress.cancel()
    return session_view(session)


def set_roles(call: Call) -> api.Session:
    asked: api.SetRoles = call.body
    names = need_source(call.session).names
    roles = {column: [given] if isinstance(given, str) else list(given) for column, given in asked.roles.items()}
    refuse([suggest(column, names, "column") for column in roles if column not in names])
    refuse([suggest(role, ROLES, "role") for given in roles.values() for role in given if role not in ROLES])
    sentences = [
        f"{column} to {' and '.join(ROLE_NAMES[role] for role in given)}" if given else f"{column} to no role"
        for column, given in roles.items()
    ]
    more = f" and {len(sentences) - 3} more columns" if len(sentences) > 4 else ""
    sentence = "Set " + ", ".join(sentences[:3] if more else sentences) + more
    _change(call, sentence, lambda document: _put_roles(document, roles))
    return session_view(call.session)


def _put_roles(document: dict[str, Any], roles: Mapping[str, list[str]]) -> None:
    """Set the roles, and remove the settings that no longer apply."""
    for column, given in roles.items():
        if "decision" in given:  # only one column is the decision: the previous one loses the role
            for other, others in list(document["roles"].items()):
                if other != column and "decision" in others:
                    document["roles"][other] = [role for role in others if role != "decision"]
                    document["denied"] = []
        elif "decision" in document["roles"].get(column, ()):
            document["denied"] = []
        document["roles"][column] = list(given)
        if "quasi" not in given:
            document["weights"].pop(column, None)
        if not set(given) <= {"sensitive", "protected", "plain"} or not given:
            document["levels"].pop(column, None)
        if "identifier" not in given:
            document["pseudonyms"] = [name for name in document["pseudonyms"] if name != column]
    document["roles"] = {column: given for column, given in document["roles"].items() if given}


def take_suggested(call: Call) -> api.Session:
    from fairveil.studio.looking import suggested_roles

    session = call.session
    roles = {
        column: list(given)
        for column, given in suggested_roles(session).items()
        if not session.document["roles"].get(column)
    }
    if any("decision" in given for given in session.document["roles"].values()):
        roles = {column: given if "decision" not in given else ["quasi"] for column, given in roles.items()}
    decisions = [column for column, given in roles.items() if "decision" in given]
    roles |= {column: ["quasi"] for column in decisions[:-1]}  # only one is kept; the last one is usually the outcome
    source = need_source(session)
    codes = [column for column in roles if why_a_code(source.domain(column), source.rows)]

    def edit(document: dict[str, Any]) -> None:
        _put_roles(document, roles)
        unsaid = [column for column in codes if "quasi" in roles[column] and column not in document["whole_numbers"]]
        document["whole_numbers"] |= dict.fromkeys(unsaid, "code")

    named = "role" if len(roles) == 1 else "roles"
    _change(call, f"Took the suggested {named} of {counted(len(roles), 'column')}", edit)
    return session_view(session)


def set_denied(call: Call) -> api.Session:
    asked: api.SetDenied = call.body
    schema = schema_of(call.session.document)
    if schema.decision is None:
        raise BadInput("no column is the decision: give one that role first")
    domain = need_source(call.session).domain(schema.decision)
    values = [cell(domain.domain[domain.code_of(value)]) for value in asked.denied]
    words = " and ".join(map(str, values)) or "nothing"
    _change(call, f"Said that {words} of {schema.decision} is denied", lambda document: document.update(denied=values))
    return session_view(call.session)


def set_column(call: Call) -> api.Session:
    asked: api.SetColumn = call.body
    column, names = asked.column, need_source(call.session).names
    refuse([suggest(column, names, "column")] if column not in names else [])
    words = []
    if asked.weight is not None:
        words.append(f"the weight of {column} to {asked.weight:g}" if asked.weight else f"{column} to the usual weight")
    if asked.level is not None:
        words.append(f"{column} to level {asked.level}" if asked.level else f"{column} to no fixed level")
    if asked.whole_numbers is not None:
        meant = {"code": "codes", "quantity": "quantities"}.get(asked.whole_numbers, "whatever they look like")
        words.append(f"the numbers of {column} to be {meant}")
    if asked.pseudonym is not None:
        words.append(f"{column} to be {'a pseudonym' if asked.pseudonym else 'left out'}")

    def edit(document: dict[str, Any]) -> None:
        for section, value in (("weights", asked.weight), ("levels", asked.level)):
            if value:
                document[section][column] = value
            elif value is not None:
                document[section].pop(column, None)
        if asked.whole_numbers is not None:
            document["whole_numbers"].pop(column, None)
            document["whole_numbers"] |= {column: asked.whole_numbers} if asked.whole_numbers != "unsaid" else {}
        if asked.pseudonym is not None:
            rest = [name for name in document["pseudonyms"] if name != column]
            document["pseudonyms"] = [*rest, column] if asked.pseudonym else rest

    if asked.weight and "quasi" not in call.session.document["roles"].get(column, ()):
        raise BadInput(f"column {column!r} has a weight but is not quasi")
    if asked.pseudonym and "identifier" not in call.session.document["roles"].get(column, ()):
        raise BadInput(f"column {column!r} is no identifier, so it gets no pseudonyms")
    _change(call, "Set " + ", ".join(words), edit)
    return session_view(call.session)


def set_guards(call: Call) -> api.Session:
    asked: api.SetGuards = call.body
    guards = guards_of(asked.guards)
    sizes = [guard.kind for guard in guards if guard.by_size]
    if len(sizes) > 1:
        raise BadInput(f"{sizes[0]} is asked for twice: keep the larger k")
    specs = [plain(guard.to_dict()) for guard in guards]
    words = "; ".join(_words(spec) for spec in specs) or "nothing"
    _change(call, f"Promised {words}", lambda document: document.update(guards=specs))
    return session_view(call.session)


def _words(spec: Mapping[str, Any]) -> str:
    settings = ", ".join(
        f"{key} {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for key, value in spec.items()
        if key != "kind" and not isinstance(value, dict)
    )
    return f"{spec['kind']} ({settings})" if settings else str(spec["kind"])


def set_settings(call: Call) -> api.Session:
    asked: api.SetSettings = call.body
    given = {name: value for name, value in vars(asked).items() if value is not None}
    if "methods" in given:
        given["methods"] = [_finite(method.to_dict()) for method in methods_of(given["methods"])]
    for name in (*given.get("measures", ()), *([given["choose"]] if "choose" in given else [])):
        measures.get(name)
    refuse_unknown(given.get("accept", ()))
    if "report" in given:
        parts = vars(About())
        refuse([suggest(name, parts, "part of a report") for name in given["report"] if name not in parts])
        given["report"] = About(**given["report"]).to_dict()
    if not 0 <= given.get("seed", 0) < 1 << 53:
        raise BadInput("the seed must be an integer of at least 0")
    for name in ("measures", "accept"):
        if name in given:
            given[name] = list(dict.fromkeys(given[name]))
    sentence = ", ".join(_setting_words(name, value) for name, value in given.items())
    _change(call, sentence[:1].upper() + sentence[1:], lambda document: document.update(given))
    return session_view(call.session)


def _setting_words(name: str, value: Any) -> str:
    words: dict[str, Callable[[], str]] = {
        "name": lambda: f"named the session {value}",
        "notes": lambda: "changed the notes",
        "methods": lambda: f"chose {', '.join(spec['kind'] for spec in value) or 'no method'}",
        "measures": lambda: f"asked for {', '.join(value) or 'no further measures'}",
        "choose": lambda: f"chose by {value}",
        "report": lambda: "changed what the report begins with",
        "accept": lambda: f"accepted {', '.join(value) or 'no danger'}",
    }
    return words[name]() if name in words else f"set the {name} to {value}"


def _finite(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in plain(dict(spec)).items() if value is not None}


def repair(call: Call) -> api.Session:
    asked: api.ApplyRepair = call.body
    repaired(call.session, asked.id)
    return session_view(call.session)


def set_clipboard(call: Call) -> api.Session:
    from fairveil.studio.candidate_store import need_candidate

    asked: api.SetClipboard = call.body
    shape = record({"candidate": a_name}, {"note": text})
    clips = [{"note": "", **shape(clip, "a clip")} for clip in asked.clipboard]
    before = {clip["candidate"]: clip["note"] for clip in call.session.document["clipboard"]}
    after = {clip["candidate"]: clip["note"] for clip in clips}
    if len(after) < len(clips):
        raise BadInput("a candidate is on the clipboard twice")
    for candidate in after.keys() - before.keys():
        need_candidate(call.session, candidate)
    words = [
        *(f"put {candidate} on the clipboard" for candidate in after if candidate not in before),
        *(f"took {candidate} off the clipboard" for candidate in before if candidate not in after),
        *(f"changed the note of {candidate}" for candidate in after if before.get(candidate, after[candidate])
          != after[candidate]),
    ]  # fmt: skip
    sentence = ", ".join(words[:3]) or "put the clipboard in another order"
    _change(call, sentence[:1].upper() + sentence[1:], lambda document: document.update(clipboard=clips))
    return session_view(call.session)


def choose(call: Call) -> api.Session:
    from fairveil.studio.candidate_store import need_candidate

    asked: api.Choose = call.body
    if asked.candidate is not None:
        need_candidate(call.session, asked.candidate)
    sentence = f"Chose candidate {asked.candidate}" if asked.candidate else "Chose no candidate"
    _change(call, sentence, lambda document: document.update(chosen=asked.candidate))
    return session_view(call.session)


def _change(call: Call, sentence: str, edit: Callable[[dict[str, Any]], object]) -> None:
    """Change the document; raises if no schema can be built from the result."""

    def checked(document: dict[str, Any]) -> None:
        edit(document)
        schema_of(document)

    call.session.change(sentence, checked)
