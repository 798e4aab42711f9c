import type { Role, RoleFacts } from "../../api/types";

/** The roles after one was clicked: it goes if it was there; else it stays with those it may be joined with. */
export function toggled(roles: readonly Role[], clicked: Role, facts: readonly RoleFacts[]): Role[] {
  if (roles.includes(clicked)) return roles.filter((role) => role !== clicked);
  const joins = facts.find((each) => each.name === clicked)?.joins ?? [];
  return [...roles.filter((role) => joins.includes(role)), clicked];
}
