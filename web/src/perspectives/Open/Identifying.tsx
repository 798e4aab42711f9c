import { Meter } from "../../components/Meter";
import { Section } from "../../components/Section";
import type { Pair } from "../../api/types";
import { percent } from "../../words";

/** Which two columns together single people out, the worst first; those that do it `alone` are named, not paired. */
export function Identifying({ pairs, alone }: { pairs: Pair[]; alone: ReadonlySet<string> }) {
  const rest = pairs.filter(({ names }) => !names.some((name) => alone.has(name)));
  const lone = alone.size ? ` ${[...alone].join(", ")} ${alone.size === 1 ? "identifies" : "identify"} nearly everybody already.` : "";
  if (!rest.length) return null;
  return (
    <Section title="Pairs that identify" hint={`Share of people who are the only one with their two values.${lone}`}>
      <ol className="pairs">
        {rest.slice(0, 12).map((pair) => (
          <li key={pair.names.join("\0")}>
            <span className="cut">
              <bdi>{pair.names[0]}</bdi> <span className="quiet">with</span> <bdi>{pair.names[1]}</bdi>
            </span>
            <Meter share={pair.unique} label={`Alone by ${pair.names.join(" with ")}`} text={percent(pair.unique)} tone={pair.unique > 0.05 ? "bad" : "plain"} />
          </li>
        ))}
      </ol>
    </Section>
  );
}
