import { useState } from "react";
import type { Contingency, Counts, Distribution } from "../../api/types";
import { useLoaded } from "../../api/useLoaded";
import { BarList } from "../../charts/BarList";
import { Loading } from "../../components/Loading";
import { Notice } from "../../components/Notice";
import { Section } from "../../components/Section";
import { Select } from "../../components/Select";
import { useStudio } from "../../studio/context";
import { count } from "../../words";

const NONE = "–";

/** A column's values before and after, alone or together with another column's. */
export function Columns({ candidate, names }: { candidate: string; names: readonly string[] }) {
  const { session, ask } = useStudio();
  const [column, setColumn] = useState(names[0] ?? "");
  const [other, setOther] = useState(NONE);
  const one = useLoaded<Distribution>(`${session.id} ${candidate} ${column}`, (signal) =>
    ask("GET /api/sessions/{session}/inspect/distribution", { query: { candidate, column } }, signal),
  );
  const both = useLoaded<Contingency>(other === NONE ? null : `${session.id} ${candidate} ${column} ${other}`, (signal) =>
    ask("GET /api/sessions/{session}/inspect/contingency", { query: { candidate, one: column, other } }, signal),
  );
  const options = names.map((id) => ({ id, label: id }));
  const error = one.error ?? both.error;
  return (
    <Section title="Columns before and after">
      <div className="row">
        <Select label="Column" options={options} value={column} onChange={setColumn} />
        <Select label="Together with" options={[{ id: NONE, label: "none" }, ...options.filter(({ id }) => id !== column)]} value={other} onChange={setOther} />
      </div>
      {error && <Notice tone="bad">{error}</Notice>}
      {!one.data && !error && <Loading label="Counting" />}
      {one.data && other === NONE && (
        <div className="two">
          <div className="stack-s">
            <h3>Before</h3>
            <BarList label={`${column} before`} histogram={one.data.before} tone="before" />
          </div>
          <div className="stack-s">
            <h3>After</h3>
            {one.data.published ? (
              <BarList label={`${column} after`} histogram={one.data.after} tone="after" />
            ) : (
              <p className="quiet">This column is not published.</p>
            )}
          </div>
        </div>
      )}
      {both.data && other !== NONE && (
        <div className="two">
          <Crossed title="Before" counts={both.data.before} />
          {both.data.after ? <Crossed title="After" counts={both.data.after} /> : <p className="quiet">They are not published together.</p>}
        </div>
      )}
    </Section>
  );
}

function Crossed({ title, counts }: { title: string; counts: Counts }) {
  const most = Math.max(1, ...counts.counts.flat());
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label={`Counts ${title.toLowerCase()}`}>
      <table className="figures">
        <caption className="unseen">{title}</caption>
        <thead>
          <tr><th scope="col">{title}</th>{counts.columns.map((name) => <th key={name} scope="col" className="numeric"><bdi>{name}</bdi></th>)}</tr>
        </thead>
        <tbody>
          {counts.rows.map((name, i) => (
            <tr key={name}>
              <th scope="row"><bdi>{name}</bdi></th>
              {(counts.counts[i] ?? []).map((n, j) => (
                <td key={j} className="numeric">
                  {count(n)}
                  <span className="bar-track" aria-hidden="true" style={{ display: "block", height: 4 }}>
                    <span className="bar-fill" style={{ display: "block", width: `${(n / most) * 100}%` }} />
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
