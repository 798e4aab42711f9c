import type { VerdictFacts } from "../../api/types";
import { Icon } from "../../components/Icon";
import { stated } from "../../words";

/** Each promise with its verdict. */
export function Verdicts({ verdicts }: { verdicts: VerdictFacts[] }) {
  return (
    <ul className="verdicts" aria-label="Promises">
      {verdicts.map((verdict) => (
        <li key={JSON.stringify(verdict.guard)}>
          <span className={verdict.holds ? "mark-good" : "mark-bad"}>
            <Icon name={verdict.holds ? "check" : "cross"} />
            <span className="unseen">{verdict.holds ? "Kept: " : "Broken: "}</span>
          </span>
          <span>
            {verdict.promise}
            <span className="quiet small block">{stated(verdict.sentence)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
