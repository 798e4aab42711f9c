import { nameOf as candidateName } from "../../candidates/columns";
import { useCandidates } from "../../candidates/useCandidates";
import { Button, LinkButton, type Option, Section, Select } from "../../components";
import { href } from "../../router";
import { useAnswer, useStudio } from "../../studio";

/** The candidate to publish: the best by the chosen measure, one from the clipboard, or any from Explore. */
export function ChosenCandidate() {
  const { session, change, titleOf } = useStudio();
  const { chosen, choose, clipboard } = session.document;
  const runs = session.runs.map((run) => `${run.id}:${run.found}`).join();
  const front = useAnswer("POST /api/sessions/{session}/front", { body: { measures: [choose] } }, runs);
  const best = front.data?.ids[0];
  const { columns, positionOf } = useCandidates();
  const nameOf = (id: string): string => {
    const position = positionOf.get(id);
    return columns && position !== undefined ? candidateName(columns, position) : id;
  };
  const options: Option[] = [];
  const offer = (id: string | null | undefined, hint: string): void => {
    if (id && !options.some((option) => option.id === id)) options.push({ id, label: nameOf(id), hint });
  };
  offer(best, `The best by ${titleOf(choose)}`);
  for (const clip of clipboard) offer(clip.candidate, clip.note || "From the clipboard");
  offer(chosen, "Chosen");
  const select = (candidate: string): void => void change("PUT /api/sessions/{session}/chosen", { body: { candidate } });
  return (
    <Section
      title="Candidate"
      hint={chosen ? "This candidate will be published." : "Choose the candidate to publish."}
      aside={<LinkButton size="s" href={href(session.id, "explore")} label="Choose in Explore" />}>
      <div className="fields">
        <Select
          label="Candidate to publish"
          placeholder={front.loading ? "Loading…" : "Choose a candidate"}
          options={options}
          value={chosen}
          onChange={select}
          hint={options.find((option) => option.id === chosen)?.hint}
        />
      </div>
      {!chosen && best && (
        <div className="row">
          <Button variant="primary" icon="check" onPress={() => select(best)} label={`Choose the best by ${titleOf(choose)}`} />
        </div>
      )}
    </Section>
  );
}
