import type { Role, RoleFacts } from "../../api/types";

/** The roles after a click on one: it is removed, or added to those that it can be combined with. */
export function toggled(roles: readonly Role[], clicked: Role, facts: readonly RoleFacts[]): Role[] {
  if (roles.includes(clicked)) return roles.filter((role) => role !== clicked);
  const joins = facts.find(({ name }) => name === clicked)?.joins ?? [];
  return [...roles.filter((role) => joins.includes(role)), clicked];
}
