import { useState } from "react";
import type { Counts } from "../../api/types";
import { Bar, BarList } from "../../charts/BarList";
import { Button, FigureTable, Histogram, Pending, Section, Select } from "../../components";
import { useAnswer } from "../../studio";
import { count, plural } from "../../words";

const NONE = "–";

const MANY = 8;

/** Every column before and after, small; then one of them in detail, or two together. */
export function Columns({ candidate, names }: { candidate: string; names: readonly string[] }) {
  const [all, setAll] = useState(false);
  const listed = all ? names : names.slice(0, MANY);
  return (
    <div className="stack">
      <Section title="Every column before and after" hint="In each, the source is on the left and the release on the right.">
        <ul className="column-pairs" aria-label="Every column before and after">
          {listed.map((name) => (
            <Pair key={name} candidate={candidate} column={name} />
          ))}
        </ul>
        {listed.length < names.length && <Button size="s" onPress={() => setAll(true)} label={`Show all ${names.length} columns`} />}
      </Section>
      <Detail candidate={candidate} names={names} />
    </div>
  );
}

/** A column as two small histograms. */
function Pair({ candidate, column }: { candidate: string; column: string }) {
  const { data } = useAnswer("GET /api/sessions/{session}/inspect/distribution", { query: { candidate, column } });
  return (
    <li className="column-pair">
      <span className="wrap small">{column}</span>
      {data && (
        <div className="column-pair-bars">
          <figure>
            <Histogram counts={data.before.counts} label={`${column} before`} width={110} height={36} />
            <figcaption className="quiet small">{plural(data.before.distinct, "value")}</figcaption>
          </figure>
          {data.after ? (
            <figure>
              <Histogram counts={data.after.counts} label={`${column} after`} width={110} height={36} />
              <figcaption className="quiet small">{plural(data.after.distinct, "value")}</figcaption>
            </figure>
          ) : (
            <span className="quiet small">not published</span>
          )}
        </div>
      )}
    </li>
  );
}

/** The values of a column before and after, alone or together with another column. */
function Detail({ candidate, names }: { candidate: string; names: readonly string[] }) {
  const [column, setColumn] = useState(names[0] ?? "");
  const [other, setOther] = useState(NONE);
  const single = useAnswer("GET /api/sessions/{session}/inspect/distribution", { query: { candidate, column } });
  const pair = other === NONE ? null : { query: { candidate, one: column, other } };
  const both = useAnswer("GET /api/sessions/{session}/inspect/contingency", pair);
  const options = names.map((id) => ({ id, label: id }));
  return (
    <Section title="One column in detail">
      <div className="row">
        <Select label="Column" options={options} value={column} onChange={setColumn} />
        <Select
          label="Combined with"
          options={[{ id: NONE, label: "none" }, ...options.filter(({ id }) => id !== column)]}
          value={other}
          onChange={setOther}
        />
      </div>
      <Pending of={other === NONE ? single : both} label="Counting" />
      {single.data && other === NONE && (
        <div className="two">
          <div className="stack-s">
            <h3>Before</h3>
            <BarList label={`${column} before`} histogram={single.data.before} tone="before" />
          </div>
          <div className="stack-s">
            <h3>After</h3>
            {single.data.after ? (
              <BarList label={`${column} after`} histogram={single.data.after} tone="after" />
            ) : (
              <p className="quiet">This column is not published.</p>
            )}
          </div>
        </div>
      )}
      {both.data && other !== NONE && (
        <div className="two">
          <Crossed title="Before" counts={both.data.before} />
          {both.data.after ? (
            <Crossed title="After" counts={both.data.after} />
          ) : (
            <p className="quiet">These columns are not published together.</p>
          )}
        </div>
      )}
    </Section>
  );
}

function Crossed({ title, counts }: { title: string; counts: Counts }) {
  const max = Math.max(1, ...counts.counts.flat());
  const cell = (n: number) => (
    <>
      {count(n)}
      <Bar share={n / max} />
    </>
  );
  return (
    <FigureTable
      label={`Counts ${title.toLowerCase()}`}
      heads={[title, ...counts.columns.map((name) => ({ label: <bdi>{name}</bdi>, numeric: true }))]}
      rows={counts.rows.map((name, i) => [<bdi key={name}>{name}</bdi>, ...(counts.counts[i] ?? []).map(cell)])}
    />
  );
}
