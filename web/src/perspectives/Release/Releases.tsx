import type { ReleaseAnswer } from "../../api/types";
import { Badge, LinkButton, Messages, Notice, Section } from "../../components";
import { useStudio } from "../../studio";
import { day } from "../../words";
import { Verdicts } from "./Summary";

/** The last release and the verification of its files. */
export function Outcome({ answer }: { answer: ReleaseAnswer }) {
  return (
    <Section
      title="Published"
      hint={`${answer.candidate}, ${day(answer.at)}. ${answer.path ? `It was written to ${answer.path}` : "Ready for download."}`}
      aside={<Badge tone={answer.verified ? "good" : "bad"}>{answer.verified ? "verified" : "not verified"}</Badge>}>
      <Messages tone="bad" texts={answer.problems} />
      <Notice tone={answer.verified ? "good" : "bad"}>
        {answer.verified
          ? "The written files were read again: every promise holds."
          : "The written files do not keep the promises. Do not share them."}
      </Notice>
      <Verdicts verdicts={answer.verdicts} />
      <p className="quiet small">{answer.files.join(", ")}</p>
      {answer.snapshot && <p className="quiet small wrap">{`Made from ${answer.snapshot}. No file of the release says this.`}</p>}
      <Files answer={answer} />
    </Section>
  );
}

/** Earlier releases of this session. */
export function Earlier({ releases }: { releases: ReleaseAnswer[] }) {
  return (
    <Section title="Earlier releases" hint="They may contain the same people: what one release hides, another may disclose.">
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

/** Links to the zip of a release, unless it was written to a folder, and to its report. */
function Files({ answer, size = "m" }: { answer: ReleaseAnswer; size?: "m" | "s" }) {
  const { link } = useStudio();
  const path = { release: answer.id ?? "" };
  const [zip, report] = (["zip", "report"] as const).map((file) =>
    link(`GET /api/sessions/{session}/releases/{release}/${file}`, { path }),
  );
  return (
    <div className="row-s">
      {!answer.path && <LinkButton size={size} icon="download" variant="primary" download href={zip ?? ""} label="Download the zip" />}
      <LinkButton size={size} icon="file" target="_blank" href={report ?? ""} label="Open the report" />
    </div>
  );
}
