import type { ReleaseAnswer } from "../../api/types";
import { Section } from "../../components/Section";
import { day } from "../../words";
import { Files } from "./Files";

/** What was published from this session before. */
export function Earlier({ releases }: { releases: ReleaseAnswer[] }) {
  return (
    <Section title="Published before" hint="The same person may be in all of them: what one hides, another may tell.">
      <ul className="stack-s" aria-label="Earlier releases">
        {releases.map((answer) => (
          <li key={answer.id} className="row spread">
            <span className="grow">
              {answer.candidate}
              <span className="quiet small block">{[day(answer.at), answer.path].filter(Boolean).join(" · ")}</span>
            </span>
            <Files answer={answer} size="s" />
          </li>
        ))}
      </ul>
    </Section>
  );
}
