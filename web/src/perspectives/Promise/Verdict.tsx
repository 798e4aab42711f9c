import type { Feasibility } from "../../api/types";
import { Badge, Meter } from "../../components";
import { count, percent, sentence } from "../../words";

/** How many records of the source violate the promise, whether it is achievable, and which columns are the cause. */
export function Verdict({ feasibility, error, waiting }: { feasibility: Feasibility | null; error: string | null; waiting: boolean }) {
  if (error) return <div className="verdict small">{sentence(error)}</div>;
  if (!feasibility) return <div className="verdict quiet small">Checking…</div>;
  const { problem, holds, reachable, broken_rows: broken, rows, sentence: text, blame } = feasibility;
  const share = rows ? broken / rows : 0;
  return (
    <div className="verdict stack-s" aria-live="polite" aria-busy={waiting}>
      <div className="row-s">
        <h3>On the source</h3>
        <Badge tone={problem ? "warn" : holds ? "good" : reachable ? "info" : "bad"}>
          {problem ? "cannot be checked" : holds ? "holds already" : reachable ? "achievable" : "not achievable"}
        </Badge>
      </div>
      {problem ? (
        <p className="small">{sentence(problem)}</p>
      ) : (
        <>
          {!holds && (
            <p className="verdict-number numeric">
              {count(broken)}{" "}
              <span className="quiet small">
                of {count(rows)} records violate it ({percent(share)})
              </span>
            </p>
          )}
          <p className="quiet small">{text}</p>
          {!holds && blame.length > 0 && <Causes blame={blame} broken={broken} />}
        </>
      )}
    </div>
  );
}

function Causes({ blame, broken }: { blame: Feasibility["blame"]; broken: number }) {
  return (
    <div className="stack-s">
      <p className="label">Records that would comply without this column</p>
      <ul className="stack-s">
        {blame.slice(0, 5).map(({ column, broken_rows: left }) => (
          <li key={column} className="blame">
            <bdi className="wrap">{column}</bdi>
            <Meter share={broken ? (broken - left) / broken : 0} label={`Comply without ${column}`} text={count(broken - left)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
