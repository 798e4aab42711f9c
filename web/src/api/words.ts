import type { Document, JobView, RoleFacts, Rows } from "./types";

/** Names for what the generated types spell out. */
export type Cell = Rows["rows"][number][number];
export type Role = RoleFacts["name"];
export type Spec = Document["guards"][number];
export type State = JobView["state"];
