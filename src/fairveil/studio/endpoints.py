"""The list of all endpoints: the server routes by it, and the front end's types are generated from it.

`does` names the function, as "module.function" of this package; it is loaded on first use, so that the server listens
before numba and other large packages are loaded. `{session}` and the like are parts of the path; `query` lists the
query parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from fairveil.studio import api


@dataclass(frozen=True)
class File:
    """A response that is a file, not JSON."""

    type: str


@dataclass(frozen=True)
class Endpoint:
    """One verb on one path: a one-line summary, what it takes and what it returns."""

    verb: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    does: str
    says: str
    answer: Any
    body: type | None = None
    query: Mapping[str, type] = field(default_factory=dict)
    upload: bool = False


S = "/api/sessions/{session}"
CANDIDATE: Mapping[str, type] = {"candidate": str}
WINDOW: Mapping[str, type] = {"offset": int, "limit": int}

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint("GET", "/api/welcome", "opening.welcome", "examples, earlier sessions, limits", api.Welcome),
    Endpoint("GET", "/api/catalog", "choices.catalog", "guards, methods, measures, hierarchies, roles", api.Catalog),
    # sessions
    Endpoint("POST", "/api/sessions", "opening.create", "a new session", api.Session, api.NewSession),
    Endpoint("GET", S, "opening.show", "the session", api.Session),
    Endpoint("GET", f"{S}/pulse", "searching.pulse", "its version and the progress of its runs", api.Pulse),
    Endpoint("DELETE", S, "opening.delete", "remove the session with all its files", api.Done),
    Endpoint("POST", f"{S}/undo", "deciding.undo", "take back the last change", api.Session),
    Endpoint("POST", f"{S}/redo", "deciding.redo", "do it again", api.Session),
    Endpoint("GET", f"{S}/history", "deciding.show_history", "all changes", api.HistoryView),
    Endpoint("POST", f"{S}/history", "deciding.go_to", "go to any step of the history", api.Session, api.GoTo),
    Endpoint("PUT", f"{S}/settings", "deciding.set_settings", "name, methods, measures, …", api.Session,
             api.SetSettings),
    # open
    Endpoint("POST", f"{S}/open", "opening.open_source", "open an example, a file or a plan", api.Session, api.Open),
    Endpoint("POST", f"{S}/plan", "opening.open_plan", "open the text of a plan", api.Session, api.OpenPlan),
    Endpoint("PUT", f"{S}/upload", "opening.upload", "the bytes of a file, streamed; then it is opened", api.Session,
             query={"name": str, "separator": str, "encoding": str, "decimal": str, "sheet": str}, upload=True),
    Endpoint("PUT", f"{S}/options", "opening.set_options", "read the file in another way", api.Session,
             api.SetOptions),
    Endpoint("GET", f"{S}/table", "looking.table", "facts of each column, suggested roles", api.TableFacts),
    Endpoint("GET", f"{S}/pairs", "looking.pairs", "how identifying each pair of columns is", api.Pairs),
    Endpoint("GET", f"{S}/rows", "looking.rows", "a window of the source", api.Rows, query=WINDOW),
    # describe
    Endpoint("PUT", f"{S}/roles", "deciding.set_roles", "roles of columns", api.Session, api.SetRoles),
    Endpoint("POST", f"{S}/roles/suggested", "deciding.take_suggested", "take the suggested role of every column "
             "that has none", api.Session),
    Endpoint("PUT", f"{S}/denied", "deciding.set_denied", "unfavourable values of the decision", api.Session,
             api.SetDenied),
    Endpoint("PUT", f"{S}/column", "deciding.set_column", "weight, level, pseudonym of a column", api.Session,
             api.SetColumn),
    Endpoint("POST", f"{S}/repair", "deciding.repair", "apply the repair of a problem", api.Session, api.ApplyRepair),
    Endpoint("GET", f"{S}/hierarchy", "hierarchy_editor.show", "the hierarchy of a column with counts",
             api.HierarchyView, query={"column": str}),
    Endpoint("POST", f"{S}/hierarchy/preview", "hierarchy_editor.preview", "a hierarchy that is not set yet",
             api.HierarchyView, api.SetHierarchy, {"column": str}),
    Endpoint("PUT", f"{S}/hierarchy", "hierarchy_editor.put", "set or take away a hierarchy", api.Session,
             api.SetHierarchy, {"column": str}),
    Endpoint("POST", f"{S}/hierarchy/suggest", "hierarchy_editor.suggest_one",
             "the hierarchy that fits a column, not set yet", api.HierarchyView, query={"column": str}),
    Endpoint("POST", f"{S}/hierarchy/learn", "hierarchy_editor.learn",
             "a hierarchy inferred from the data, not set yet", api.HierarchyView, query={"column": str}),
    Endpoint("POST", f"{S}/hierarchy/edit", "hierarchy_editor.edit", "one edit of the tree", api.Session, api.EditTree,
             {"column": str}),
    Endpoint("POST", f"{S}/hierarchy/import", "hierarchy_editor.take_csv", "a hierarchy from CSV", api.Session,
             api.ImportHierarchy, {"column": str}),
    Endpoint("GET", f"{S}/hierarchy/csv", "hierarchy_editor.give_csv", "the hierarchy as CSV", File("text/csv"),
             query={"column": str}),
    # promise
    Endpoint("PUT", f"{S}/guards", "deciding.set_guards", "the promises", api.Session, api.SetGuards),
    Endpoint("POST", f"{S}/feasibility", "promising.feasibility", "what guards say of the source as it is; nothing "
             "is set", api.FeasibilityAnswer, api.SetGuards),
    # search
    Endpoint("POST", f"{S}/runs", "searching.start", "start a run", api.RunHead, api.StartRun),
    Endpoint("GET", f"{S}/runs/{{run}}", "searching.show", "a run and its candidates from `since` on", api.RunView,
             query={"since": int}),
    Endpoint("POST", f"{S}/runs/{{run}}/cancel", "searching.cancel", "stop it; what it found stays", api.RunHead),
    Endpoint("POST", f"{S}/runs/{{run}}/again", "searching.again", "start the same run again", api.RunHead),
    Endpoint("PUT", f"{S}/runs/{{run}}", "searching.label", "name and note of a run", api.Session, api.SetLabel),
    Endpoint("DELETE", f"{S}/runs/{{run}}", "searching.delete", "remove a run; undo brings it back", api.Session),
    # explore
    Endpoint("GET", f"{S}/candidates", "exploring.candidates", "all candidates of all runs, column by column",
             api.CandidateColumns, query={"run": str}),
    Endpoint("POST", f"{S}/measures", "exploring.measure", "further measures of all candidates",
             api.JobView[api.Done], api.MeasureMore),
    Endpoint("POST", f"{S}/front", "exploring.front", "the Pareto frontier by measures", api.Front, api.AskFront),
    Endpoint("GET", f"{S}/runs/{{run}}/lattice", "exploring.lattice", "all generalizations of a run",
             api.LatticeView),
    Endpoint("GET", f"{S}/node", "exploring.node", "a node of the lattice: its verdicts and measures",
             api.Inspected, query={"run": str, "node": int}),
    Endpoint("PUT", f"{S}/clipboard", "deciding.set_clipboard", "candidates with notes", api.Session,
             api.SetClipboard),
    Endpoint("PUT", f"{S}/chosen", "deciding.choose", "the candidate to publish", api.Session, api.Choose),
    Endpoint("GET", f"{S}/compare", "exploring.compare", "two candidates, column by column", api.Compared,
             query={"one": str, "other": str}),
    # steer
    Endpoint("GET", f"{S}/walks", "steering.walks", "all walks", api.Walks),
    Endpoint("POST", f"{S}/walks", "steering.start", "a new walk and its first step", api.JobView[api.Walk],
             api.StartWalk),
    Endpoint("GET", f"{S}/walks/{{walk}}", "steering.show", "one walk", api.Walk),
    Endpoint("POST", f"{S}/walks/{{walk}}/step", "steering.step", "the next step", api.JobView[api.Walk],
             api.TakeStep),
    Endpoint("POST", f"{S}/walks/{{walk}}/back", "steering.back", "go back to an earlier step", api.Walk, api.GoBack),
    Endpoint("PUT", f"{S}/walks/{{walk}}", "steering.label", "name and note of a walk", api.Session, api.SetLabel),
    Endpoint("DELETE", f"{S}/walks/{{walk}}", "steering.delete", "remove a walk; undo brings it back", api.Session),
    # inspect
    Endpoint("GET", f"{S}/inspect", "inspecting.inspect", "what can be said of a candidate at once", api.Inspected,
             query=CANDIDATE),
    Endpoint("GET", f"{S}/inspect/rows", "inspecting.rows", "rows before and after", api.ChangedRows,
             query={**CANDIDATE, **WINDOW}),
    Endpoint("GET", f"{S}/inspect/distribution", "inspecting.distribution", "a column before and after",
             api.Distribution, query={**CANDIDATE, "column": str}),
    Endpoint("GET", f"{S}/inspect/contingency", "inspecting.contingency", "two columns before and after",
             api.Contingency, query={**CANDIDATE, "one": str, "other": str}),
    Endpoint("GET", f"{S}/inspect/risky", "inspecting.risky", "the records that are easiest to single out", api.Risky,
             query={**CANDIDATE, **WINDOW}),
    Endpoint("POST", f"{S}/inspect/report", "inspecting.report", "the internal report",
             api.JobView[api.ReportAnswer], api.AskReport),
    # release
    Endpoint("POST", f"{S}/release", "releasing.release", "publish", api.JobView[api.ReleaseAnswer],
             api.MakeRelease),
    Endpoint("GET", f"{S}/releases", "releasing.releases", "what was published from here", api.Releases),
    Endpoint("GET", f"{S}/releases/{{release}}/zip", "releasing.zipped", "a release as a zip",
             File("application/zip")),
    Endpoint("GET", f"{S}/releases/{{release}}/report", "releasing.report_page", "its report.html",
             File("text/html")),
    Endpoint("GET", f"{S}/plan", "releasing.plan", "the session as a plan", api.PlanText, query=CANDIDATE),
    Endpoint("GET", f"{S}/plan.toml", "releasing.plan_file", "the plan as a file", File("application/toml"),
             query=CANDIDATE),
    # jobs
    Endpoint("GET", f"{S}/jobs/{{job}}", "jobs.show", "the progress of a job, and its answer", api.JobView[Any]),
    Endpoint("POST", f"{S}/jobs/{{job}}/cancel", "jobs.cancel", "stop a job", api.JobView[Any]),
)  # fmt: skip
