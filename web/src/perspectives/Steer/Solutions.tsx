import type { Walk, WalkStep } from "../../api/types";
import { pick } from "../../candidates/selection";
import { Button } from "../../components/Button";
import { Section } from "../../components/Section";
import { tell } from "../../components/toasts";
import { go, href } from "../../router";
import { useStudio } from "../../studio/context";
import { figure } from "../../words";

interface Props {
  walk: Walk;
  step: WalkStep;
  picked: number | null;
  onPick: (solution: number) => void;
  canGoOn: boolean;
  onGoOn: (solution: number) => void;
}

/** What was found along the direction: go on from one, look at it, keep it, or publish it. */
export function Solutions({ walk, step, picked, onPick, canGoOn, onGoOn }: Props) {
  const { session, change } = useStudio();
  const chosen = picked === null ? null : (step.solutions[picked] ?? null);
  const clips = session.document.clipboard;
  const keep = async (id: string): Promise<void> => {
    const body = { clipboard: [...clips.filter((clip) => clip.candidate !== id), { candidate: id, note: "found by steering" }] };
    if (await change("PUT /api/sessions/{session}/clipboard", { body })) tell(`${id} is on the clipboard.`);
  };
  const release = async (id: string): Promise<void> => {
    if (await change("PUT /api/sessions/{session}/chosen", { body: { candidate: id } })) go(href(session.id, "release"));
  };
  return (
    <Section title="Solutions" hint={`Step ${walk.steps.indexOf(step) + 1}: the different best releases for ${step.points} points on the way.`}>
      <div className="scroll-x" tabIndex={0} role="region" aria-label="Solutions of this step">
        <table className="figures">
          <thead>
            <tr>
              <th scope="col">Solution</th>
              {walk.objectives.map((name) => <th key={name} scope="col" className="numeric">{name}</th>)}
              <th scope="col" className="numeric">k</th>
            </tr>
          </thead>
          <tbody>
            {step.solutions.map((solution, i) => (
              <tr key={i}>
                <th scope="row">
                  <Button size="s" variant={i === picked ? "secondary" : "quiet"} aria-pressed={i === picked} onPress={() => onPick(i)}>
                    Solution {i + 1}
                  </Button>
                </th>
                {walk.objectives.map((name) => {
                  const met = (solution.point[name] ?? 0) <= (step.aspirations[name] ?? 0);
                  return (
                    <td key={name} className="numeric">
                      {figure(solution.point[name])}{met && <span className="better" title="wish met"> ✓<span className="unseen">wish met</span></span>}
                    </td>
                  );
                })}
                <td className="numeric">{solution.k}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {chosen ? (
        <>
          <p className="quiet small">Groups per column: {Object.entries(chosen.groups).map(([name, n]) => `${name} ${n}`).join(" · ")}</p>
          <div className="row-s">
            <Button variant="primary" size="s" isDisabled={!canGoOn} onPress={() => onGoOn(picked ?? 0)}>Go on from here</Button>
            <Button size="s" onPress={() => { pick(chosen.id); go(href(session.id, "inspect", chosen.id)); }}>Inspect</Button>
            <Button size="s" onPress={() => void keep(chosen.id)}>Keep on clipboard</Button>
            <Button size="s" onPress={() => void release(chosen.id)}>Release this</Button>
          </div>
        </>
      ) : (
        <p className="quiet small">Choose a solution to go on from it, look at it, or publish it. Move the wish first to turn.</p>
      )}
    </Section>
  );
}
