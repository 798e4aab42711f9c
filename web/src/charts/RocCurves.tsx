import type { Model } from "../api/types";
import { Section } from "../components";
import { percent, sentence } from "../words";
import { usePalette } from "./palette";

const [SIZE, LEFT, BOTTOM, EDGE] = [220, 34, 30, 20];
const DASHES = ["", "5 3", "2 2"];
const LINES = ["trained on the source", "trained on the release, recoded records", "trained on the release, original records"];

/** Which line a model has: the source, or the release with recoded or original test records. */
function lineOf(model: Model): number {
  return model.trained === "original" ? 0 : model.tested === "recoded" ? 1 : 2;
}

/** The ROC curves of each classifier side by side. */
export function RocCurves({ models }: { models: readonly Model[] }) {
  const palette = usePalette();
  const drawn = models.filter((model) => model.roc.length > 1);
  if (!drawn.length) return null;
  const x = (value: number): number => LEFT + value * (SIZE - LEFT - EDGE);
  const y = (value: number): number => SIZE - BOTTOM - value * (SIZE - BOTTOM - EDGE);
  const colour = (line: number): string => palette.groups[line] ?? palette.text;
  return (
    <Section
      title="ROC curves"
      hint="True positives against false positives. The nearer a curve is to the upper left corner, the better; the diagonal is guessing.">
      <ul className="legend" aria-label="Lines">
        {LINES.map((name, line) => (
          <li key={name}>
            <svg width={28} height={10} aria-hidden="true">
              <path d="M1 5h26" stroke={colour(line)} strokeWidth={2} strokeDasharray={DASHES[line]} />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <div className="rocs">
        {[...Map.groupBy(drawn, ({ classifier }) => classifier)].map(([classifier, own]) => (
          <figure key={classifier} className="roc">
            <figcaption>{sentence(classifier)}</figcaption>
            <svg
              viewBox={`0 0 ${SIZE} ${SIZE}`}
              role="img"
              aria-label={`ROC curves of ${classifier}: ${own.map((model) => `${LINES[lineOf(model)]}, area ${percent(model.scores.auc?.value ?? 0)}`).join("; ")}`}>
              <path d={`M${x(0)} ${y(1)}V${y(0)}H${x(1)}`} fill="none" stroke={palette.muted} />
              <path d={`M${x(0)} ${y(0)}L${x(1)} ${y(1)}`} stroke={palette.line} strokeDasharray="3 3" />
              {[0, 0.5, 1].map((value) => (
                <g key={value} fontSize={10} fill={palette.muted}>
                  <text x={x(value)} y={SIZE - BOTTOM + 13} textAnchor="middle">
                    {percent(value)}
                  </text>
                  <text x={LEFT - 4} y={y(value) + 3} textAnchor="end">
                    {percent(value)}
                  </text>
                </g>
              ))}
              <text x={x(0.5)} y={SIZE - 4} textAnchor="middle" fontSize={10} fill={palette.muted}>
                false positives
              </text>
              {own.map((model) => (
                <polyline
                  key={lineOf(model)}
                  points={model.roc.map(([u, v]) => `${x(u)},${y(v)}`).join(" ")}
                  fill="none"
                  stroke={colour(lineOf(model))}
                  strokeWidth={2}
                  strokeDasharray={DASHES[lineOf(model)]}
                />
              ))}
            </svg>
          </figure>
        ))}
      </div>
    </Section>
  );
}
