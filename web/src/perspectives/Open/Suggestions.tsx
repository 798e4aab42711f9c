import { useEffect } from "react";
import type { ColumnSuggestion, Role, Suggestions as Answer } from "../../api/types";
import { Badge, Button, Messages, Meter, Progress, Section } from "../../components";
import { sourceKey, useJob, useStudio } from "../../studio";
import { percent, sentence } from "../../words";

/** Everything that is suggested for the columns, each before and after; accepted for all, or for one. */
export function Suggestions() {
  const { session, ask, change } = useStudio();
  const job = useJob<Answer>();
  const { start } = job;
  const key = `${sourceKey(session)} ${JSON.stringify([session.document.roles, session.document.hierarchies])}`;
  useEffect(() => start(() => ask("POST /api/sessions/{session}/suggestions", {})), [key]); // eslint-disable-line react-hooks/exhaustive-deps
  const found = job.answer;
  const accept = (columns: string[] | null): void => void change("POST /api/sessions/{session}/suggestions/accept", { body: { columns } });
  return (
    <Section
      title="Suggestions"
      hint="What each column reveals about a person (its role), how it is read, and how it can be generalized. Nothing is set until you accept it, and what you have set yourself stays."
      aside={
        found &&
        (found.open > 0 ? (
          <Button variant="primary" icon="check" onPress={() => accept(null)} label="Accept all suggestions" />
        ) : (
          <Badge tone="good">every column has a role</Badge>
        ))
      }>
      <Messages tone="bad" texts={[job.error]} />
      {!found && job.running && <Progress label="Looking at the columns" share={job.view?.share ?? 0} />}
      {found && found.open > 0 && (
        <Messages texts={[...found.understood.map((line) => `${sentence(line)}.`), ...found.questions.map(sentence)]} />
      )}
      {found && (
        <ul className="suggestions" aria-label="Columns before and after">
          {found.columns
            .toSorted((one, other) => Number(other.unsure) - Number(one.unsure))
            .map((column) => (
              <Suggestion key={column.name} column={column} onAccept={() => accept([column.name])} />
            ))}
        </ul>
      )}
    </Section>
  );
}

function Suggestion({ column, onAccept }: { column: ColumnSuggestion; onAccept: () => void }) {
  const { catalog } = useStudio();
  const titles = (roles: Role[]): string =>
    roles.map((role) => catalog.roles.find(({ name }) => name === role)?.title ?? role).join(" + ") || "no role";
  const isConverted = column.type !== column.read_as;
  const isOpen = !column.roles.length || column.generalized !== "" || isConverted;
  const values = (texts: string[]): string => texts.join(", ") + (texts.length ? ", …" : "");
  const path = column.path.join(" → ");
  const changes = [
    ["Role", titles(column.roles), titles(column.suggested)],
    [
      "Read as",
      `${column.type}: ${values(column.examples)}`,
      isConverted || values(column.examples) !== values(column.converted) ? `${column.read_as}: ${values(column.converted)}` : "",
    ],
    ["Hierarchy", column.hierarchy ? `${column.hierarchy}: ${path}` : "none", column.generalized && `${column.generalized}: ${path}`],
  ].filter(([, before, after]) => after !== "" || before !== "none") as [string, string, string][];
  return (
    <li>
      <div className="suggestion-head">
        <h3 className="wrap">
          <bdi>{column.name}</bdi>
        </h3>
        {column.unsure && <Badge tone="warn">please check</Badge>}
        {!column.roles.length && (
          <Meter share={column.certainty} label={`Certainty for ${column.name}`} text={`${percent(column.certainty)} sure`} />
        )}
        {isOpen ? (
          <Button size="s" onPress={onAccept} label="Accept" aria-label={`Accept the suggestion for ${column.name}`} />
        ) : (
          <Badge tone="good">set</Badge>
        )}
      </div>
      <dl className="before-after">
        {changes.map(([what, before, after]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd className="wrap">
              {after && after !== before ? (
                <>
                  <span className="quiet">
                    <span className="unseen">before: </span>
                    {before}
                  </span>{" "}
                  <span aria-hidden="true">→</span> <span className="unseen">after: </span>
                  <strong>{after}</strong>
                </>
              ) : (
                before
              )}
            </dd>
          </div>
        ))}
      </dl>
      {column.reason && <p className="quiet small">{sentence(column.reason)}.</p>}
    </li>
  );
}
