// Written by `python -m fairveil.studio.contract`: change src/fairveil/studio/api.py instead.

export type Cell = string | number | boolean | null;

export type Spec = Record<string, unknown>;

export type Role = "identifier" | "quasi" | "sensitive" | "protected" | "decision" | "plain" | "drop";

export type State = "running" | "done" | "failed" | "cancelled" | "interrupted";

/** Every answer with a status from 400 on. `sentence` can be shown as it is. */
export interface Fault {
  code: string;
  sentence: string;
}

export interface Done {
  done: boolean;
}

/** What the first page needs. `opened` is the session of the file or plan that the command named. */
export interface Welcome {
  version: string;
  most_upload_bytes: number;
  opened: string | null;
  examples: Example[];
  sessions: SessionHead[];
}

export interface Example {
  name: string;
  title: string;
  says: string;
}

export interface SessionHead {
  id: string;
  name: string;
  source: string;
  rows: number | null;
  changed: string;
  runs: number;
}

/** Where the data is and how it is read. `dataset` is bundled, `upload` lies in the session's folder. */
export interface SourceSpec {
  dataset?: string;
  path?: string;
  upload?: string;
  title: string;
  options: ReadingOptions;
  rows?: number;
}

/** What is left out is found in the file. `text` are columns that stay text; `columns` those that are read. */
export interface ReadingOptions {
  separator?: string;
  encoding?: string;
  decimal?: string;
  sheet?: string;
  missing?: "category" | "drop";
  missing_values?: string[];
  text?: string[];
  columns?: string[];
}

export interface Clip {
  candidate: string;
  note: string;
}

export interface RunLabel {
  name: string;
  note: string;
}

/** `path`: the steps that are in effect, by number from 1. */
export interface WalkLabel {
  name: string;
  note: string;
  path: number[];
}

/** All that was decided; `undo` takes back any change of it. Roles, weights and the like are by column. */
export interface Document {
  name: string;
  notes: string;
  source: SourceSpec | null;
  roles: Record<string, ("identifier" | "quasi" | "sensitive" | "protected" | "decision" | "plain" | "drop")[]>;
  denied: (string | number | boolean | null)[];
  weights: Record<string, number>;
  levels: Record<string, number>;
  whole_numbers: Record<string, "code" | "quantity">;
  pseudonyms: string[];
  hierarchies: Record<string, Record<string, unknown>>;
  guards: Record<string, unknown>[];
  methods: Record<string, unknown>[];
  measures: string[];
  choose: string;
  seed: number;
  order: "sorted" | "keep";
  format: "csv" | "parquet";
  accept: string[];
  report: Record<string, string>;
  runs: Record<string, RunLabel>;
  walks: Record<string, WalkLabel>;
  clipboard: Clip[];
  chosen: string | null;
}

/** One change as a sentence. `done` is false for those that were undone and can be redone. */
export interface HistoryEntry {
  sentence: string;
  at: string;
  done: boolean;
}

/** Something that is wrong; `repair` is what one call of the repair endpoint would do. Where it `blocks`, no search
 * can start. */
export interface Problem {
  where: "source" | "roles" | "hierarchy" | "guards" | "methods";
  column: string | null;
  sentence: string;
  repair: Repair | null;
  blocks: boolean;
}

export interface Repair {
  id: string;
  label: string;
}

/** The whole state of the work. Every endpoint that changes the document answers with it. */
export interface Session {
  id: string;
  version: number;
  document: Document;
  history: HistoryEntry[];
  can_undo: boolean;
  can_redo: boolean;
  problems: Problem[];
  runs: RunHead[];
  rows: number | null;
  columns: string[];
}

/** Bars in order: what each stands for, and how many rows it has. `rest` are rows in no bar. */
export interface Histogram {
  labels: string[];
  counts: number[];
  rest: number;
}

/** A column of the source. `unique` is the share of rows alone with their value, `risk` distinct values over rows;
 * `suggested` roles come with a reason, `look` is what its values look like ("postcodes"), and `safe_harbor` which
 * identifier of HIPAA's Safe Harbor rule it seems to be, if any. `least` and `most` are of numbers and dates,
 * `shortest` and `longest` signs of text. `code` is why whole numbers look like codes, empty where they do not. */
export interface ColumnFacts {
  name: string;
  type: string;
  distinct: number;
  missing: number;
  unique: number;
  risk: number;
  commonest: string | number | boolean | null;
  commonest_share: number;
  least: string | number | boolean | null;
  most: string | number | boolean | null;
  shortest: number | null;
  longest: number | null;
  suggested: ("identifier" | "quasi" | "sensitive" | "protected" | "decision" | "plain" | "drop")[];
  reason: string;
  look: string;
  safe_harbor: string;
  code: string;
  histogram: Histogram;
}

/** `options` are those that were set, and what was found in the file where nothing was. */
export interface TableFacts {
  rows: number;
  dropped: number;
  columns: ColumnFacts[];
  options: ReadingOptions;
}

export interface Pair {
  names: string[];
  distinct: number;
  unique: number;
  risk: number;
}

/** Pairs of columns, the most identifying first. */
export interface Pairs {
  pairs: Pair[];
}

/** A window of the source. */
export interface Rows {
  offset: number;
  total: number;
  columns: string[];
  rows: ((string | number | boolean | null)[])[];
}

/** `id` is "level:label"; `rows` are those of the source below it; the top has no parent. `missing` is the leaf of
 * the rows without a value, which no hierarchy has to name. */
export interface HierarchyNode {
  id: string;
  label: string;
  level: number;
  parent: string | null;
  rows: number;
  leaves: number;
  missing: boolean;
}

/** The hierarchy of a column. `nodes` go from the top down; of very many leaves only the first are listed.
 * `editable`: it is a tree; any other kind becomes one by its first edit. `spec` is null where none is set. */
export interface HierarchyView {
  column: string;
  spec: Record<string, unknown> | null;
  kind: string;
  height: number;
  labels_per_level: number[];
  nodes: HierarchyNode[];
  listed_all: boolean;
  editable: boolean;
  problems: string[];
  notes: string[];
}

/** One setting of a part. `least` and `most` are ends of a slider where there are such; `options` the choices. */
export interface FieldFacts {
  name: string;
  type: "integer" | "number" | "boolean" | "text" | "names" | "numbers" | "choice" | "other";
  required: boolean;
  default: unknown;
  least: number | null;
  most: number | null;
  options: string[] | null;
  says: string;
}

/** A guard, method or kind of hierarchy that can be asked for; `needs` are the roles without which it is refused.
 * `false_values` is a word for why values that a method publishes may be false ("averages", "noise"). */
export interface PartFacts {
  kind: string;
  says: string;
  fields: FieldFacts[];
  leaves_open: string;
  needs: string[];
  false_values: string;
}

/** `cheap` measures come with every candidate; others are computed when asked for. */
export interface MeasureFacts {
  name: string;
  family: "loss" | "risk" | "fairness" | "utility";
  better: "lower" | "higher";
  least: number | null;
  most: number | null;
  meaning: string;
  cheap: boolean;
  needs_decision: boolean;
}

export interface RoleFacts {
  name: "identifier" | "quasi" | "sensitive" | "protected" | "decision" | "plain" | "drop";
  title: string;
  says: string;
  joins: ("identifier" | "quasi" | "sensitive" | "protected" | "decision" | "plain" | "drop")[];
}

/** Everything that can be chosen, from the registries. It does not change while the server runs. */
export interface Catalog {
  roles: RoleFacts[];
  guards: PartFacts[];
  methods: PartFacts[];
  hierarchies: PartFacts[];
  measures: MeasureFacts[];
  attacks: NamedSentence[];
}

export interface NamedSentence {
  name: string;
  sentence: string;
}

/** How many records would still break the guard if this column were left out. */
export interface Blame {
  column: string;
  broken_rows: number;
}

/** What a guard says of the source as it is. `reachable`: it holds once every quasi column is fully generalized.
 * `blame`: the columns whose removal helps most, first. `problem`: why it cannot be judged at all. */
export interface Feasibility {
  guard: Record<string, unknown>;
  promise: string;
  holds: boolean;
  worst: number | null;
  limit: number | null;
  broken_rows: number;
  rows: number;
  sentence: string;
  reachable: boolean;
  blame: Blame[];
  problem: string | null;
}

export interface FeasibilityAnswer {
  guards: Feasibility[];
  milliseconds: number;
}

/** A run of one or several methods. `remaining` seconds are an estimate, null while there is none. */
export interface RunHead {
  id: string;
  name: string;
  note: string;
  state: "running" | "done" | "failed" | "cancelled" | "interrupted";
  share: number;
  doing: string;
  started: string;
  seconds: number;
  remaining: number | null;
  found: number;
  methods: Record<string, unknown>[];
  guards: Record<string, unknown>[];
  measures: string[];
  stale: boolean;
  failed: string[];
  notes: string[];
  error: string | null;
}

/** A run and its candidates from `since` on. */
export interface RunView {
  run: RunHead;
  since: number;
  candidates: CandidateColumns;
}

/** Candidates column by column. `id` names one everywhere ("r1-2.15"); `run` and `method` are places in `runs` and
 * `methods`. `levels` has a list per quasi column, null where the method has no levels. Measures by name.
 * `false_values` has a word for each of `methods` ("averages", "noise"), empty where all that it publishes is true. */
export interface CandidateColumns {
  id: string[];
  run: number[];
  method: number[];
  runs: string[];
  methods: string[];
  false_values: string[];
  levels: Record<string, (number | null)[]>;
  heights: Record<string, number>;
  measures: Record<string, (number | null)[]>;
  total: number;
}

/** All generalizations of the quasi columns. Node number n has level `n // stride % (height + 1)` in each column.
 * 
 * `flags` are bytes in base64, one a node: 1 k-anonymous, 2 keeps the guards about rules (such as alpha-protection),
 * 4 keeps all guards, 8 minimal. `nodes` are the node numbers of the run's candidates `ids`, in the same order. */
export interface LatticeView {
  run: string;
  columns: string[];
  heights: number[];
  strides: number[];
  size: number;
  flags: string;
  nodes: number[];
  ids: string[];
  labels: string[];
  too_large: boolean;
}

/** The candidates that no other beats in these measures, and the best compromise among them. */
export interface Front {
  ids: string[];
  knee: string | null;
}

export interface ColumnAfter {
  level: number | null;
  height: number | null;
  loss: number | null;
  distinct: number;
  examples: (string | number | boolean | null)[];
  published: boolean;
}

export interface ColumnPair {
  name: string;
  roles: ("identifier" | "quasi" | "sensitive" | "protected" | "decision" | "plain" | "drop")[];
  one: ColumnAfter;
  other: ColumnAfter;
}

export interface MeasurePair {
  name: string;
  better: "lower" | "higher";
  meaning: string;
  one: number | null;
  other: number | null;
}

export interface Compared {
  one: string;
  other: string;
  columns: ColumnPair[];
  measures: MeasurePair[];
}

export interface VerdictFacts {
  guard: Record<string, unknown>;
  promise: string;
  holds: boolean;
  sentence: string;
  worst: number | null;
  limit: number | null;
}

/** What can be said of a candidate at once. Long figures come from the `report` job. */
export interface Inspected {
  candidate: string;
  method: string;
  settings: Record<string, unknown>;
  holds: boolean;
  verdicts: VerdictFacts[];
  rows: Record<string, number>;
  columns: InspectedColumn[];
  measures: Record<string, number | null>;
  before: Record<string, number | null>;
  class_sizes: ClassSizes[];
  notes: string[];
  private_notes: string[];
}

export interface InspectedColumn {
  level: number | null;
  height: number | null;
  loss: number | null;
  distinct: number;
  examples: (string | number | boolean | null)[];
  published: boolean;
  name: string;
  roles: ("identifier" | "quasi" | "sensitive" | "protected" | "decision" | "plain" | "drop")[];
}

/** Classes of `least` to `most` records: how many classes, and how many records are in them. */
export interface ClassSizes {
  least: number;
  most: number;
  classes: number;
  records: number;
}

/** `after` is null where the row is suppressed; a column that is not published has null in its place. */
export interface ChangedRow {
  row: number;
  before: (string | number | boolean | null)[];
  after: (string | number | boolean | null)[] | null;
  class_size: number | null;
}

export interface ChangedRows {
  offset: number;
  total: number;
  columns: string[];
  published: boolean[];
  rows: ChangedRow[];
}

/** A column before and after, each with its own labels. */
export interface Distribution {
  column: string;
  published: boolean;
  before: Histogram;
  after: Histogram;
}

/** Counts of two columns together, before and after: a row per label of the first. */
export interface Contingency {
  columns: string[];
  before: Counts;
  after: Counts | null;
}

export interface Counts {
  rows: string[];
  columns: string[];
  counts: number[][];
}

/** Records of the candidate in its smallest classes, before (in the source) and after. */
export interface Risky {
  offset: number;
  total: number;
  columns: string[];
  rows: RiskyRow[];
}

export interface RiskyRow {
  row: number;
  values: (string | number | boolean | null)[];
  class_before: number;
  class_after: number | null;
}

/** Long work in the background. `answer` is there when it is done; its type depends on what was asked. */
export interface JobView {
  id: string;
  what: string;
  state: "running" | "done" | "failed" | "cancelled" | "interrupted";
  share: number;
  doing: string;
  seconds: number;
  error: string | null;
  answer: unknown;
}

/** The answer of a report job: the internal report as plain data, the same figures as report.html has. */
export interface ReportAnswer {
  candidate: string;
  report: Record<string, unknown>;
}

/** `id` names it as a candidate, once it was picked. */
export interface Solution {
  id: string;
  point: Record<string, number>;
  k: number;
  groups: Record<string, number>;
  reached_from: number[];
}

/** `chosen` is the solution (from 0) of the step before that it went on from. */
export interface WalkStep {
  number: number;
  start: Record<string, number>;
  aspirations: Record<string, number>;
  points: number;
  chosen: number | null;
  solutions: Solution[];
}

/** A walk along reference directions: the path in effect. Undo, redo and `back` move along it. */
export interface Walk {
  id: string;
  name: string;
  note: string;
  method: Record<string, unknown>;
  objectives: string[];
  steps: WalkStep[];
  stale: boolean;
}

export interface Walks {
  walks: Walk[];
}

export interface Danger {
  name: string;
  sentence: string;
  accepted: boolean;
}

/** The answer of a release job. `id` serves its files; `path` is where the folder is, if one was asked for; it was
 * written `at` that time. `refused` is the reason why nothing was written. */
export interface ReleaseAnswer {
  id: string | null;
  candidate: string;
  at: string;
  path: string | null;
  refused: string | null;
  dangers: Danger[];
  verified: boolean;
  problems: string[];
  verdicts: VerdictFacts[];
  files: string[];
  rows: Record<string, number>;
}

/** What was published from a session, the last one first. */
export interface Releases {
  releases: ReleaseAnswer[];
}

/** The session as a plan.toml. `command` replays it. */
export interface PlanText {
  text: string;
  command: string;
}

/** An empty session, or one that opens something at once (see `Open`). */
export interface NewSession {
  name?: string;
  dataset?: string | null;
  path?: string | null;
  options?: Record<string, unknown>;
}

/** One of: bundled data by name, a file on this machine (data or plan.toml). Whatever was described before goes.
 * `options` are ReadingOptions. */
export interface Open {
  dataset?: string | null;
  path?: string | null;
  options?: Record<string, unknown>;
}

/** The text of a plan.toml. Its file is looked for on this machine, relative to `folder`. */
export interface OpenPlan {
  text: string;
  folder?: string;
}

/** How the file is read; it is read again. */
export interface SetOptions {
  options: Record<string, unknown>;
}

/** The roles of columns; those that are not named keep theirs. An empty list takes the role away. */
export interface SetRoles {
  roles: Record<string, string[]>;
}

/** SetDenied(denied: 'Sequence[Any]') */
export interface SetDenied {
  denied: unknown[];
}

/** Facts of one column; what is null stays. `level` 0, `weight` 0 and "unsaid" take the setting away. */
export interface SetColumn {
  column: string;
  weight?: number | null;
  level?: number | null;
  pseudonym?: boolean | null;
  whole_numbers?: "code" | "quantity" | "unsaid" | null;
}

/** A hierarchy as a plan spells it, or null to take it away. */
export interface SetHierarchy {
  spec?: Record<string, unknown> | null;
}

/** One edit of a tree. Nodes are "level:label".
 * 
 * move    `nodes` go below `to`, a node one level above them
 * rename  the only node of `nodes` is called `label`
 * group   `nodes`, all of one level, go below a new node `label` on the level above, which stands where their
 * parents stand
 * add     the same, and the new node stands below `to`, two levels above `nodes`
 * remove  `nodes` go; what is below them goes to `to`, a node of the same level. With `level`: this level goes
 * level   a level is added above `level`, every node named as below */
export interface EditTree {
  action: "move" | "rename" | "add" | "remove" | "group" | "level";
  nodes?: string[];
  to?: string | null;
  label?: string | null;
  level?: number | null;
}

/** A file with a line per leaf: value, level 1, …, top. */
export interface ImportHierarchy {
  text: string;
  separator?: string;
}

/** SetGuards(guards: 'Sequence[Any]') */
export interface SetGuards {
  guards: unknown[];
}

/** Whatever is not null is set. */
export interface SetSettings {
  name?: string | null;
  notes?: string | null;
  methods?: unknown[] | null;
  measures?: string[] | null;
  choose?: string | null;
  seed?: number | null;
  order?: "sorted" | "keep" | null;
  format?: "csv" | "parquet" | null;
  accept?: string[] | null;
  report?: Record<string, string> | null;
}

/** ApplyRepair(id: 'str') */
export interface ApplyRepair {
  id: string;
}

/** How many steps of the history shall be in effect. */
export interface GoTo {
  steps: number;
}

/** The document's methods and measures are used unless others are named. At most `most` candidates a method. */
export interface StartRun {
  name?: string;
  methods?: unknown[] | null;
  measures?: string[] | null;
  most?: number | null;
}

/** Name and note of a run or walk; what is null stays. */
export interface SetLabel {
  name?: string | null;
  note?: string | null;
}

/** Measures that take longer, for all candidates of these runs (all runs if none is named). */
export interface MeasureMore {
  measures: string[];
  runs?: string[];
}

/** AskFront(measures: 'Sequence[str]', runs: 'Sequence[str]' = ()) */
export interface AskFront {
  measures: string[];
  runs?: string[];
}

/** All clips, in order: objects with `candidate` and `note`. */
export interface SetClipboard {
  clipboard: unknown[];
}

/** Choose(candidate: 'str | None' = None) */
export interface Choose {
  candidate?: string | null;
}

/** The internal report of a candidate. `utility`: try models on it, which takes long. */
export interface AskReport {
  candidate: string;
  utility?: boolean;
}

/** `aspirations` by measure, such as {"necd": 0.1, "nwp": 0.2}; `start` is the worst point unless given. `method` is
 * a preferences method; among the levels of the hierarchies unless given, which is exact and quick. */
export interface StartWalk {
  name?: string;
  aspirations?: Record<string, number>;
  start?: Record<string, number> | null;
  points?: number;
  method?: Record<string, unknown> | null;
}

/** Go on from a solution of the last step (from 0), toward the same or other aspirations. */
export interface TakeStep {
  choose: number;
  aspirations?: Record<string, number> | null;
  points?: number | null;
}

/** How many steps of the walk stay. */
export interface GoBack {
  steps: number;
}

/** Publish a candidate: into a folder of this machine at `path`, or, without one, to be downloaded as a zip.
 * `accept` names dangers that are published knowingly. */
export interface MakeRelease {
  candidate: string;
  path?: string | null;
  accept?: string[];
  overwrite?: boolean;
  sign?: string | null;
}

/** What each endpoint takes and answers. */
export interface Endpoints {
  /** examples, earlier sessions, limits */
  "GET /api/welcome": { path: {  }; query: {  }; body: undefined; answer: Welcome };
  /** guards, methods, measures, hierarchies, roles */
  "GET /api/catalog": { path: {  }; query: {  }; body: undefined; answer: Catalog };
  /** a new session */
  "POST /api/sessions": { path: {  }; query: {  }; body: NewSession; answer: Session };
  /** the whole session */
  "GET /api/sessions/{session}": { path: { session: string }; query: {  }; body: undefined; answer: Session };
  /** remove the session with all its files */
  "DELETE /api/sessions/{session}": { path: { session: string }; query: {  }; body: undefined; answer: Done };
  /** take back the last change */
  "POST /api/sessions/{session}/undo": { path: { session: string }; query: {  }; body: undefined; answer: Session };
  /** do it again */
  "POST /api/sessions/{session}/redo": { path: { session: string }; query: {  }; body: undefined; answer: Session };
  /** go to any step of the history */
  "POST /api/sessions/{session}/history": { path: { session: string }; query: {  }; body: GoTo; answer: Session };
  /** name, methods, measures, … */
  "PUT /api/sessions/{session}/settings": { path: { session: string }; query: {  }; body: SetSettings; answer: Session };
  /** open an example, a file or a plan */
  "POST /api/sessions/{session}/open": { path: { session: string }; query: {  }; body: Open; answer: Session };
  /** open the text of a plan */
  "POST /api/sessions/{session}/plan": { path: { session: string }; query: {  }; body: OpenPlan; answer: Session };
  /** the bytes of a file, streamed; then it is opened */
  "PUT /api/sessions/{session}/upload": { path: { session: string }; query: { name?: string; separator?: string; encoding?: string; decimal?: string; sheet?: string }; body: Blob; answer: Session };
  /** read the file in another way */
  "PUT /api/sessions/{session}/options": { path: { session: string }; query: {  }; body: SetOptions; answer: Session };
  /** facts of each column, suggested roles */
  "GET /api/sessions/{session}/table": { path: { session: string }; query: {  }; body: undefined; answer: TableFacts };
  /** how identifying each pair of columns is */
  "GET /api/sessions/{session}/pairs": { path: { session: string }; query: {  }; body: undefined; answer: Pairs };
  /** a window of the source */
  "GET /api/sessions/{session}/rows": { path: { session: string }; query: { offset?: number; limit?: number }; body: undefined; answer: Rows };
  /** roles of columns */
  "PUT /api/sessions/{session}/roles": { path: { session: string }; query: {  }; body: SetRoles; answer: Session };
  /** take the suggested role of every column that has none */
  "POST /api/sessions/{session}/roles/suggested": { path: { session: string }; query: {  }; body: undefined; answer: Session };
  /** unfavourable values of the decision */
  "PUT /api/sessions/{session}/denied": { path: { session: string }; query: {  }; body: SetDenied; answer: Session };
  /** weight, level, pseudonym of a column */
  "PUT /api/sessions/{session}/column": { path: { session: string }; query: {  }; body: SetColumn; answer: Session };
  /** apply the repair of a problem */
  "POST /api/sessions/{session}/repair": { path: { session: string }; query: {  }; body: ApplyRepair; answer: Session };
  /** the hierarchy of a column with counts */
  "GET /api/sessions/{session}/hierarchy": { path: { session: string }; query: { column?: string }; body: undefined; answer: HierarchyView };
  /** a hierarchy that is not set yet */
  "POST /api/sessions/{session}/hierarchy/preview": { path: { session: string }; query: { column?: string }; body: SetHierarchy; answer: HierarchyView };
  /** set or take away a hierarchy */
  "PUT /api/sessions/{session}/hierarchy": { path: { session: string }; query: { column?: string }; body: SetHierarchy; answer: Session };
  /** the hierarchy that fits a column, not set yet */
  "POST /api/sessions/{session}/hierarchy/suggest": { path: { session: string }; query: { column?: string }; body: undefined; answer: HierarchyView };
  /** a hierarchy read off the data, not set yet */
  "POST /api/sessions/{session}/hierarchy/learn": { path: { session: string }; query: { column?: string }; body: undefined; answer: HierarchyView };
  /** one edit of the tree */
  "POST /api/sessions/{session}/hierarchy/edit": { path: { session: string }; query: { column?: string }; body: EditTree; answer: Session };
  /** a hierarchy from CSV */
  "POST /api/sessions/{session}/hierarchy/import": { path: { session: string }; query: { column?: string }; body: ImportHierarchy; answer: Session };
  /** the hierarchy as CSV */
  "GET /api/sessions/{session}/hierarchy/csv": { path: { session: string }; query: { column?: string }; body: undefined; answer: Blob };
  /** the promises */
  "PUT /api/sessions/{session}/guards": { path: { session: string }; query: {  }; body: SetGuards; answer: Session };
  /** what guards say of the source as it is; nothing is set */
  "POST /api/sessions/{session}/feasibility": { path: { session: string }; query: {  }; body: SetGuards; answer: FeasibilityAnswer };
  /** start a run */
  "POST /api/sessions/{session}/runs": { path: { session: string }; query: {  }; body: StartRun; answer: RunHead };
  /** a run and its candidates from `since` on */
  "GET /api/sessions/{session}/runs/{run}": { path: { session: string; run: string }; query: { since?: number }; body: undefined; answer: RunView };
  /** stop it; what it found stays */
  "POST /api/sessions/{session}/runs/{run}/cancel": { path: { session: string; run: string }; query: {  }; body: undefined; answer: RunHead };
  /** start the same run again */
  "POST /api/sessions/{session}/runs/{run}/again": { path: { session: string; run: string }; query: {  }; body: undefined; answer: RunHead };
  /** name and note of a run */
  "PUT /api/sessions/{session}/runs/{run}": { path: { session: string; run: string }; query: {  }; body: SetLabel; answer: Session };
  /** remove a run; undo brings it back */
  "DELETE /api/sessions/{session}/runs/{run}": { path: { session: string; run: string }; query: {  }; body: undefined; answer: Session };
  /** all candidates of all runs, column by column */
  "GET /api/sessions/{session}/candidates": { path: { session: string }; query: { run?: string }; body: undefined; answer: CandidateColumns };
  /** further measures of all candidates */
  "POST /api/sessions/{session}/measures": { path: { session: string }; query: {  }; body: MeasureMore; answer: JobView };
  /** the Pareto frontier by measures */
  "POST /api/sessions/{session}/front": { path: { session: string }; query: {  }; body: AskFront; answer: Front };
  /** all generalizations of a run */
  "GET /api/sessions/{session}/runs/{run}/lattice": { path: { session: string; run: string }; query: {  }; body: undefined; answer: LatticeView };
  /** a node of the lattice: its verdicts and measures */
  "GET /api/sessions/{session}/node": { path: { session: string }; query: { run?: string; node?: number }; body: undefined; answer: Inspected };
  /** candidates with notes */
  "PUT /api/sessions/{session}/clipboard": { path: { session: string }; query: {  }; body: SetClipboard; answer: Session };
  /** the candidate to publish */
  "PUT /api/sessions/{session}/chosen": { path: { session: string }; query: {  }; body: Choose; answer: Session };
  /** two candidates, column by column */
  "GET /api/sessions/{session}/compare": { path: { session: string }; query: { one?: string; other?: string }; body: undefined; answer: Compared };
  /** all walks */
  "GET /api/sessions/{session}/walks": { path: { session: string }; query: {  }; body: undefined; answer: Walks };
  /** a new walk and its first step; the job's answer is a Walk */
  "POST /api/sessions/{session}/walks": { path: { session: string }; query: {  }; body: StartWalk; answer: JobView };
  /** one walk */
  "GET /api/sessions/{session}/walks/{walk}": { path: { session: string; walk: string }; query: {  }; body: undefined; answer: Walk };
  /** the next step; the job's answer is a Walk */
  "POST /api/sessions/{session}/walks/{walk}/step": { path: { session: string; walk: string }; query: {  }; body: TakeStep; answer: JobView };
  /** go back to an earlier step */
  "POST /api/sessions/{session}/walks/{walk}/back": { path: { session: string; walk: string }; query: {  }; body: GoBack; answer: Walk };
  /** name and note of a walk */
  "PUT /api/sessions/{session}/walks/{walk}": { path: { session: string; walk: string }; query: {  }; body: SetLabel; answer: Session };
  /** remove a walk; undo brings it back */
  "DELETE /api/sessions/{session}/walks/{walk}": { path: { session: string; walk: string }; query: {  }; body: undefined; answer: Session };
  /** what can be said of a candidate at once */
  "GET /api/sessions/{session}/inspect": { path: { session: string }; query: { candidate?: string }; body: undefined; answer: Inspected };
  /** rows before and after */
  "GET /api/sessions/{session}/inspect/rows": { path: { session: string }; query: { candidate?: string; offset?: number; limit?: number }; body: undefined; answer: ChangedRows };
  /** a column before and after */
  "GET /api/sessions/{session}/inspect/distribution": { path: { session: string }; query: { candidate?: string; column?: string }; body: undefined; answer: Distribution };
  /** two columns before and after */
  "GET /api/sessions/{session}/inspect/contingency": { path: { session: string }; query: { candidate?: string; one?: string; other?: string }; body: undefined; answer: Contingency };
  /** the records that are easiest to single out */
  "GET /api/sessions/{session}/inspect/risky": { path: { session: string }; query: { candidate?: string; offset?: number; limit?: number }; body: undefined; answer: Risky };
  /** the internal report; the job's answer is a ReportAnswer */
  "POST /api/sessions/{session}/inspect/report": { path: { session: string }; query: {  }; body: AskReport; answer: JobView };
  /** publish; the job's answer is a ReleaseAnswer */
  "POST /api/sessions/{session}/release": { path: { session: string }; query: {  }; body: MakeRelease; answer: JobView };
  /** what was published from here */
  "GET /api/sessions/{session}/releases": { path: { session: string }; query: {  }; body: undefined; answer: Releases };
  /** a release as a zip */
  "GET /api/sessions/{session}/releases/{release}/zip": { path: { session: string; release: string }; query: {  }; body: undefined; answer: Blob };
  /** its report.html */
  "GET /api/sessions/{session}/releases/{release}/report": { path: { session: string; release: string }; query: {  }; body: undefined; answer: Blob };
  /** the session as a plan */
  "GET /api/sessions/{session}/plan": { path: { session: string }; query: { candidate?: string }; body: undefined; answer: PlanText };
  /** the plan as a file */
  "GET /api/sessions/{session}/plan.toml": { path: { session: string }; query: { candidate?: string }; body: undefined; answer: Blob };
  /** how far a job is, and its answer */
  "GET /api/sessions/{session}/jobs/{job}": { path: { session: string; job: string }; query: {  }; body: undefined; answer: JobView };
  /** stop a job */
  "POST /api/sessions/{session}/jobs/{job}/cancel": { path: { session: string; job: string }; query: {  }; body: undefined; answer: JobView };
}
