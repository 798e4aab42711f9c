import type { Compared, MeasurePair } from "../../api/types";
import { figure } from "../../words";

export function MeasureTable({ compared }: { compared: Compared }) {
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label="Measures of both candidates">
      <table className="figures">
        <thead>
          <tr>
            <th scope="col">Measure</th>
            <th scope="col" className="numeric">{compared.one}</th>
            <th scope="col" className="numeric">{compared.other}</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {compared.measures.map((pair) => {
            const better = winner(pair);
            return (
              <tr key={pair.name}>
                <th scope="row">{pair.name}</th>
                <td className="numeric"><Value value={pair.one} better={better === "one"} /></td>
                <td className="numeric"><Value value={pair.other} better={better === "other"} /></td>
                <td className="quiet">{pair.meaning}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Value({ value, better }: { value: number | null; better: boolean }) {
  if (!better) return figure(value);
  return <span className="better">{figure(value)}<span className="unseen"> (better)</span></span>;
}

/** Which of the two is better; neither where they read the same. */
function winner({ one, other, better }: MeasurePair): "one" | "other" | null {
  if (one === null || other === null || figure(one) === figure(other)) return null;
  return one < other === (better === "lower") ? "one" : "other";
}
