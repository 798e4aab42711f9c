import type { Feasibility } from "../../api/types";
import { Badge } from "../../components/Badge";
import { Meter } from "../../components/Meter";
import { count, percent, stated } from "../../words";

/** How many records break the promise now, whether it can be had at all, and which column is to blame. */
export function Verdict({ feasibility, error, waiting }: { feasibility: Feasibility | null; error: string | null; waiting: boolean }) {
  if (error) return <div className="verdict small">{stated(error)}</div>;
  if (!feasibility) return <div className="verdict quiet small">Judging…</div>;
  const { problem, holds, reachable, broken_rows: broken, rows, sentence, blame } = feasibility;
  const share = rows ? broken / rows : 0;
  return (
    <div className="verdict stack-s" aria-live="polite" aria-busy={waiting}>
      <div className="row-s">
        <h3>As the data is now</h3>
        <Badge tone={problem ? "warn" : holds ? "good" : reachable ? "info" : "bad"}>
          {problem ? "cannot be judged" : holds ? "holds already" : reachable ? "can be reached" : "out of reach"}
        </Badge>
      </div>
      {problem ? (
        <p className="small">{stated(problem)}</p>
      ) : (
        <>
          {!holds && (
            <p className="verdict-number numeric">
              {count(broken)} <span className="quiet small">of {count(rows)} records break it ({percent(share)})</span>
            </p>
          )}
          <p className="quiet small">{stated(sentence)}</p>
          {!holds && blame.length > 0 && <Blamed blame={blame} broken={broken} />}
        </>
      )}
    </div>
  );
}

function Blamed({ blame, broken }: { blame: Feasibility["blame"]; broken: number }) {
  return (
    <div className="stack-s">
      <p className="label">To blame: records that would be fine without it</p>
      <ul className="stack-s">
        {blame.slice(0, 5).map(({ column, broken_rows: left }) => (
          <li key={column} className="blame">
            <bdi className="cut">{column}</bdi>
            <Meter share={broken ? (broken - left) / broken : 0} label={`Fine without ${column}`} text={count(broken - left)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
