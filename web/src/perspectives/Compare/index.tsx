import type { Compared, MeasureFacts, ReportedColumn } from "../../api/types";
import { CandidateSelect } from "../../candidates/CandidateSelect";
import { useSelection } from "../../candidates/selection";
import { EmptyPage, FigureTable, LinkButton, Page, Pending, Section } from "../../components";
import { go, href, useRoute } from "../../router";
import { useAnswer, useStudio } from "../../studio";
import { figure, percent, plural } from "../../words";

/** Two candidates, measure by measure and column by column. */
export default function Compare() {
  const { session } = useStudio();
  const { rest } = useRoute();
  const { ids } = useSelection(session.id);
  const [left, right] = rest.length >= 2 ? rest : ids.slice(-2);
  const compared = useAnswer("GET /api/sessions/{session}/compare", left && right ? { query: { one: left, other: right } } : null);
  if (!left || !right)
    return (
      <EmptyPage
        page="Compare"
        lead="Two candidates, measure by measure and column by column."
        title="Select two candidates"
        text="Select two candidates in Explore (Shift and click), or tick two on the clipboard, and press Compare."
        action={["Back to Explore", href(session.id, "explore")]}
      />
    );
  return (
    <Page
      title="Compare"
      lead="Two candidates, measure by measure and column by column. The better value is bold."
      action={<LinkButton href={href(session.id, "explore")} label="Back to Explore" />}>
      <div className="two">
        <CandidateSelect label="First" value={left} others={[right]} onChange={(id) => go(href(session.id, "compare", id, right))} />
        <CandidateSelect label="Second" value={right} others={[left]} onChange={(id) => go(href(session.id, "compare", left, id))} />
      </div>
      <Pending of={compared} label="Comparing" />
      {compared.data && <Tables compared={compared.data} ids={[left, right]} />}
    </Page>
  );
}

function Tables({ compared, ids }: { compared: Compared; ids: readonly string[] }) {
  const { session, catalog, measure, titleOf } = useStudio();
  const roleTitle = (name: string): string => catalog.roles.find((role) => role.name === name)?.title ?? name;
  const measures = Object.entries(compared.measures);
  return (
    <>
      <Section title="Measures">
        <FigureTable
          label="Measures of both candidates"
          heads={["Measure", ...ids.map((label) => ({ label, numeric: true })), "Meaning"]}
          rows={measures.map(([name, pair]) => {
            const [one, other] = values(pair, measure(name));
            const meaning = <span className="quiet">{measure(name)?.meaning}</span>;
            return [titleOf(name), one, other, meaning];
          })}
        />
      </Section>
      <Section title="Columns" hint="The level, the information lost, and the most frequent values.">
        <FigureTable
          label="Columns of both candidates"
          heads={["Column", ...ids]}
          rows={compared.columns.map(([one, other]) => [
            <>
              {one.name}
              <div className="quiet small">{one.roles.map(roleTitle).join(", ")}</div>
            </>,
            <After key="one" after={one} />,
            <After key="other" after={other} />,
          ])}
        />
      </Section>
      <div className="row">
        {ids.map((id) => (
          <LinkButton key={id} href={href(session.id, "inspect", id)} label={`Inspect ${id}`} />
        ))}
      </div>
    </>
  );
}

/** Both values of a measure, the better one marked; neither where they look the same. */
function values([one, other]: [number | null, number | null], measure: MeasureFacts | undefined) {
  const differ = one !== null && other !== null && figure(one) !== figure(other);
  const winner = !differ ? null : one < other === (measure?.better === "lower") ? 0 : 1;
  return [one, other].map((value, i) =>
    i === winner ? (
      <span key="better" className="better">
        {figure(value)}
        <span className="unseen"> (better)</span>
      </span>
    ) : (
      figure(value)
    ),
  );
}

function After({ after }: { after: ReportedColumn }) {
  if (!after.distinct) return <span className="quiet">not published</span>;
  return (
    <>
      <div className="row-s">
        {after.level !== null && <span>{`level ${after.level} of ${after.height}`}</span>}
        {after.loss !== null && <span className="quiet">{percent(after.loss)} lost</span>}
        <span className="quiet">{plural(after.distinct, "value")}</span>
      </div>
      <div className="small">{after.examples.map(String).join(" · ")}</div>
    </>
  );
}
