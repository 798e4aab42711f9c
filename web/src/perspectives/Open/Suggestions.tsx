import type { ColumnFacts, Role } from "../../api/types";
import { Badge, Button, Meter, Section } from "../../components";
import { useStudio } from "../../studio";
import { percent } from "../../words";

/** The suggested role of each column with the reason, and how identifying the column is. */
export function Suggestions({ columns }: { columns: ColumnFacts[] }) {
  const { session, catalog, change } = useStudio();
  const { roles } = session.document;
  const open = columns.filter((column) => column.suggested.length > 0 && !roles[column.name]?.length);
  const title = (role: Role): string => catalog.roles.find(({ name }) => name === role)?.title ?? role;
  return (
    <Section
      title="Suggested roles"
      hint="A role states what a column reveals about a person. Accept the suggestions, then correct them under Describe."
      aside={
        open.length > 0 ? (
          <Button
            variant="primary"
            icon="check"
            onPress={() => void change("POST /api/sessions/{session}/roles/suggested", {})}
            label="Accept all suggestions"
          />
        ) : (
          <Badge tone="good">every column has a role</Badge>
        )
      }>
      <ul className="suggestions">
        {columns
          .toSorted((one, other) => Number(other.unsure) - Number(one.unsure))
          .map((column) => {
            const given = roles[column.name] ?? [];
            const shown = given.length ? given : column.suggested;
            return (
              <li key={column.name}>
                <bdi className="suggestion-name wrap">{column.name}</bdi>
                <span className="row-s">
                  {shown.map((role) => (
                    <Badge key={role} tone={given.length ? "good" : "info"}>
                      {title(role)}
                      {given.length ? "" : "?"}
                    </Badge>
                  ))}
                </span>
                <span className="quiet small suggestion-reason">
                  {column.unsure && <Badge tone="warn">please check</Badge>} {column.reason}
                  {column.safe_harbor && <span className="block">HIPAA Safe Harbor: {column.safe_harbor}</span>}
                </span>
                <Meter
                  share={column.unique}
                  label={`Unique values of ${column.name}`}
                  text={`${percent(column.unique)} unique`}
                  tone={column.unique > 0.05 ? "bad" : "plain"}
                />
              </li>
            );
          })}
      </ul>
    </Section>
  );
}
