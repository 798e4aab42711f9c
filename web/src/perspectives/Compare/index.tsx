import { useLoaded } from "../../api/useLoaded";
import type { ColumnAfter, Compared } from "../../api/types";
import { useCandidates } from "../../candidates/useCandidates";
import { useSelection } from "../../candidates/selection";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Loading } from "../../components/Loading";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { Section } from "../../components/Section";
import { Select } from "../../components/Select";
import { go, href, useRoute } from "../../router";
import { useStudio } from "../../studio/context";
import { percent, plural } from "../../words";
import "../../styles/charts.css";
import { MeasureTable } from "./MeasureTable";

/** Two candidates, measure by measure and column by column. */
export default function Compare() {
  const { session, ask } = useStudio();
  const { rest } = useRoute();
  const { ids } = useSelection(session.id);
  const [one, other] = rest.length >= 2 ? rest : ids.slice(-2);
  const { data, error } = useLoaded<Compared>(one && other ? `${session.id} ${one} ${other}` : null, (signal) =>
    ask("GET /api/sessions/{session}/compare", { query: { one: one ?? "", other: other ?? "" } }, signal),
  );
  const back = <Button onPress={() => go(href(session.id, "explore"))}>Back to Explore</Button>;
  if (!one || !other) {
    return (
      <Page title="Compare" lead="Two candidates, column by column.">
        <EmptyState title="Which two?" text="Select two candidates in Explore (Shift and click), or tick two on the clipboard, and press Compare." action={back} />
      </Page>
    );
  }
  return (
    <Page title="Compare" lead="Two candidates, measure by measure and column by column. What is better stands in bold." action={back}>
      <Pick one={one} other={other} />
      {error && <Notice tone="bad">{error}</Notice>}
      {!data && !error && <Loading label="Comparing" />}
      {data && (
        <>
          <Section title="Measures">
            <MeasureTable compared={data} />
          </Section>
          <Section title="Columns" hint="Level, detail lost, and the values most records have.">
            <div className="scroll-x" tabIndex={0} role="region" aria-label="Columns of both candidates">
              <table className="figures">
                <thead>
                  <tr><th scope="col">Column</th><th scope="col">{data.one}</th><th scope="col">{data.other}</th></tr>
                </thead>
                <tbody>
                  {data.columns.map((column) => (
                    <tr key={column.name}>
                      <th scope="row">{column.name}<div className="quiet small">{column.roles.join(", ")}</div></th>
                      <td><After after={column.one} /></td>
                      <td><After after={column.other} /></td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </Section>
          <div className="row">
            {[data.one, data.other].map((id) => (
              <Button key={id} onPress={() => go(href(session.id, "inspect", id))}>Inspect {id}</Button>
            ))}
          </div>
        </>
      )}
    </Page>
  );
}

/** Which two: any that are on the clipboard, or selected. */
function Pick({ one, other }: { one: string; other: string }) {
  const { session } = useStudio();
  const { columns } = useCandidates();
  const { ids } = useSelection(session.id);
  const known = [...new Set([one, other, ...ids, ...session.document.clipboard.map((clip) => clip.candidate)])];
  const options = known.map((id) => {
    const position = columns?.id.indexOf(id) ?? -1;
    return { id, label: columns && position >= 0 ? `${columns.methods[columns.method[position] ?? 0]} ${id}` : id };
  });
  return (
    <div className="two">
      <Select label="One" options={options} value={one} onChange={(id) => go(href(session.id, "compare", id, other))} />
      <Select label="The other" options={options} value={other} onChange={(id) => go(href(session.id, "compare", one, id))} />
    </div>
  );
}

function After({ after }: { after: ColumnAfter }) {
  if (!after.published) return <span className="quiet">not published</span>;
  return (
    <>
      <div className="row-s">
        {after.level !== null && <span>level {after.level} of {after.height}</span>}
        {after.loss !== null && <span className="quiet">{percent(after.loss)} lost</span>}
        <span className="quiet">{plural(after.distinct, "value")}</span>
      </div>
      <div className="small">{after.examples.map(String).join(" · ")}</div>
    </>
  );
}
