import { Button, Menu, MenuItem, MenuTrigger, Popover, Text } from "react-aria-components";
import type { Role } from "../../api/types";
import { Icon } from "../../components";
import { useStudio } from "../../studio";
import { toggled } from "./roles";

/** A menu of the roles of a column; some can be combined. */
export function RoleMenu({ column }: { column: string }) {
  const { session, catalog, change } = useStudio();
  const roles = session.document.roles[column] ?? [];
  const title = roles.map((role) => catalog.roles.find(({ name }) => name === role)?.title ?? role).join(" + ");
  const choose = (clicked: Role): void =>
    void change("PUT /api/sessions/{session}/roles", { body: { roles: { [column]: toggled(roles, clicked, catalog.roles) } } });
  return (
    <MenuTrigger>
      <Button className={`role-button role-${roles[0] ?? "none"}`} aria-label={`Role of ${column}: ${title || "No role"}`}>
        <span className="cut">{title || "No role"}</span>
        <Icon name="chevron" size={14} />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu
          className="listbox"
          selectionMode="multiple"
          selectedKeys={roles}
          items={catalog.roles}
          onAction={(key) => choose(key as Role)}
          shouldCloseOnSelect>
          {(role) => (
            <MenuItem id={role.name} textValue={role.title} className="option option-checked">
              <Text slot="label">{role.title}</Text>
              <Text slot="description" className="hint">
                {role.says}
              </Text>
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
