import { type Key, ToggleButton, ToggleButtonGroup } from "react-aria-components";
import type { Role } from "../../api/types";
import { useStudio } from "../../studio";
import { sentence } from "../../words";
import { toggled } from "./roles";

/** All roles, each set by one click. */
export function RoleChips({ column }: { column: string }) {
  const { session, catalog, change } = useStudio();
  const roles = session.document.roles[column] ?? [];
  const choose = (keys: Set<Key>): void => {
    const clicked = catalog.roles.find((role) => keys.has(role.name) !== roles.includes(role.name))?.name;
    if (clicked)
      void change("PUT /api/sessions/{session}/roles", { body: { roles: { [column]: toggled(roles, clicked, catalog.roles) } } });
  };
  const meanings = catalog.roles.filter((role) => roles.includes(role.name)).map((role) => `${sentence(role.says)}.`);
  return (
    <div className="stack-s">
      <ToggleButtonGroup
        className="chips"
        aria-label={`Roles of ${column}`}
        selectionMode="multiple"
        selectedKeys={roles}
        onSelectionChange={choose}>
        {catalog.roles.map((role) => (
          <ToggleButton key={role.name} id={role.name satisfies Role} className="chip">
            {role.title}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <p className="quiet small">{meanings.join(" ") || "Choose what this column reveals about a person."}</p>
    </div>
  );
}
