import type { HierarchyNode, HierarchyView } from "../../../api/types";
import { Messages } from "../../../components";
import { count, plural } from "../../../words";

const SHOWN = 8;

/** The levels side by side, each with its first values and their number of rows. */
export function LevelsPreview({ view }: { view: HierarchyView }) {
  const levels: HierarchyNode[][] = Array.from({ length: view.height + 1 }, () => []);
  for (const node of view.nodes) levels[node.level]?.push(node);
  return (
    <div className="stack-s">
      <Messages tone="warn" texts={view.problems.slice(0, 3)} />
      <div className="levels" tabIndex={0} role="region" aria-label="Levels">
        {levels.map((nodes, level) => (
          <section key={level} className="level" aria-label={`Level ${level}`}>
            <h3 className="small">
              Level {level} <span className="quiet">{plural(view.labels_per_level[level] ?? nodes.length, "value")}</span>
            </h3>
            <ul>
              {nodes.slice(0, SHOWN).map((node) => (
                <li key={node.id}>
                  <bdi className="cut">{node.label}</bdi>
                  <span className="quiet numeric">{count(node.rows)}</span>
                </li>
              ))}
              {(view.labels_per_level[level] ?? 0) > SHOWN && <li className="quiet">…</li>}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}
