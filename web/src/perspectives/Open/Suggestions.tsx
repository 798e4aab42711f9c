import type { ColumnFacts, Role } from "../../api/types";
import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Meter } from "../../components/Meter";
import { Section } from "../../components/Section";
import { useStudio } from "../../studio/context";
import { percent } from "../../words";

/** What each column seems to be, why, and how identifying it is alone. */
export function Suggestions({ columns }: { columns: ColumnFacts[] }) {
  const { session, catalog, change } = useStudio();
  const { roles } = session.document;
  const open = columns.filter((column) => column.suggested.length > 0 && !roles[column.name]?.length);
  const title = (role: Role): string => catalog.roles.find((each) => each.name === role)?.title ?? role;
  return (
    <Section
      title="What the columns seem to be"
      hint="Roles say what a column tells about a person. Accept what is suggested, then correct it under Describe."
      aside={
        open.length > 0 ? (
          <Button variant="primary" icon="check" onPress={() => void change("POST /api/sessions/{session}/roles/suggested", {})}>
            Accept all suggestions
          </Button>
        ) : (
          <Badge tone="good">every column has a role</Badge>
        )
      }
    >
      <ul className="suggestions">
        {columns.map((column) => {
          const given = roles[column.name] ?? [];
          const shown = given.length ? given : column.suggested;
          return (
            <li key={column.name}>
              <bdi className="suggestion-name cut">{column.name}</bdi>
              <span className="row-s">
                {shown.map((role) => (
                  <Badge key={role} tone={given.length ? "good" : "info"}>
                    {title(role)}
                    {given.length ? "" : "?"}
                  </Badge>
                ))}
              </span>
              <span className="quiet small suggestion-reason">
                {column.reason}
                {column.safe_harbor && <span className="block">HIPAA Safe Harbor: {column.safe_harbor}</span>}
              </span>
              <Meter share={column.unique} label={`People alone with their ${column.name}`} text={`${percent(column.unique)} alone`} tone={column.unique > 0.05 ? "bad" : "plain"} />
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
