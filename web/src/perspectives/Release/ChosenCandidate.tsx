import { useLoaded } from "../../api/useLoaded";
import { Button } from "../../components/Button";
import { LinkButton } from "../../components/LinkButton";
import { Section } from "../../components/Section";
import { type Option, Select } from "../../components/Select";
import { href } from "../../router";
import { useStudio } from "../../studio/context";

/** Which candidate is published: the best by the chosen measure, one from the clipboard, or any from Explore. */
export function ChosenCandidate() {
  const { session, ask, change } = useStudio();
  const { chosen, choose, clipboard } = session.document;
  const found = session.runs.map((run) => `${run.id}:${run.found}`).join();
  const front = useLoaded(`${choose} ${found}`, (signal) => ask("POST /api/sessions/{session}/front", { body: { measures: [choose] } }, signal));
  const best = front.data?.ids[0];
  const options: Option[] = [];
  const offer = (id: string | null | undefined, hint: string): void => {
    if (id && !options.some((option) => option.id === id)) options.push({ id, label: id, hint });
  };
  offer(best, `The best by ${choose}`);
  for (const clip of clipboard) offer(clip.candidate, clip.note || "From the clipboard");
  offer(chosen, "Chosen");
  const take = (candidate: string): void => void change("PUT /api/sessions/{session}/chosen", { body: { candidate } });
  return (
    <Section
      title="Candidate"
      hint={chosen ? "This one is published." : "Choose the one to publish."}
      aside={
        <LinkButton size="s" href={href(session.id, "explore")}>
          Choose in Explore
        </LinkButton>
      }
    >
      <div className="fields">
        <Select
          label="Candidate to publish"
          placeholder={front.loading ? "Looking…" : "Choose a candidate"}
          options={options}
          value={chosen}
          onChange={take}
          hint={options.find((option) => option.id === chosen)?.hint}
        />
      </div>
      {!chosen && best && (
        <div>
          <Button variant="primary" icon="check" onPress={() => take(best)}>
            {`Take the best by ${choose}`}
          </Button>
        </div>
      )}
    </Section>
  );
}
