import type { Walk } from "../../api/types";
import type { Range } from "../../charts/range";
import { useStudio } from "../../studio";

const RISKS = new Set(["highest-risk", "average-risk"]);

/** The least and the greatest value of a measure on this page. The promised k bounds risks, which would else all be near 0. */
export function useEnds(walk: Walk | null): (name: string) => Range {
  const { session, measure } = useStudio();
  const k = Number(session.document.guards.find(({ kind }) => kind === "k-anonymity")?.k ?? 1);
  return (name) => {
    const [low, high] = [measure(name)?.minimum ?? 0, measure(name)?.maximum ?? 1];
    if (!RISKS.has(name)) return [low, high];
    const seen = walk?.steps.flatMap((step) => [step.start, step.aspirations, ...step.solutions.map(({ point }) => point)]) ?? [];
    return [low, Math.min(high, Math.max(1 / k, ...seen.map((point) => point[name] ?? 0)))];
  };
}
