import { Meter, Section } from "../../components";
import type { PairProfile } from "../../api/types";
import { percent } from "../../words";

/** Pairs of columns that identify people, the worst first. Columns that do so `alone` are named, not paired. */
export function Identifying({ pairs, alone }: { pairs: PairProfile[]; alone: ReadonlySet<string> }) {
  const rest = pairs.filter(({ names }) => !names.some((name) => alone.has(name)));
  const others = alone.size ? ` ${[...alone].join(", ")} alone ${alone.size === 1 ? "identifies" : "identify"} almost everyone.` : "";
  if (!rest.length) return null;
  return (
    <Section title="Identifying pairs of columns" hint={`The share of records with a unique combination of both values.${others}`}>
      <ol className="pairs">
        {rest.slice(0, 12).map((pair) => (
          <li key={pair.names.join("\0")}>
            <span className="wrap">
              <bdi>{pair.names[0]}</bdi> <span className="quiet">and</span> <bdi>{pair.names[1]}</bdi>
            </span>
            <Meter
              share={pair.unique}
              label={`Unique in ${pair.names.join(" and ")}`}
              text={percent(pair.unique)}
              tone={pair.unique > 0.05 ? "bad" : "plain"}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}
