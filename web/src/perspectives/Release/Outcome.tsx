import type { ReleaseAnswer } from "../../api/types";
import { Badge } from "../../components/Badge";
import { LinkButton } from "../../components/LinkButton";
import { Notice } from "../../components/Notice";
import { Section } from "../../components/Section";
import { useStudio } from "../../studio/context";
import { Verdicts } from "./Verdicts";

/** What was written, and what reading it again says. */
export function Outcome({ answer }: { answer: ReleaseAnswer }) {
  const { link } = useStudio();
  if (answer.refused || !answer.id) return null;
  const path = { release: answer.id };
  return (
    <Section
      title="Published"
      hint={answer.path ? `In ${answer.path}` : "Ready to be downloaded."}
      aside={<Badge tone={answer.verified ? "good" : "bad"}>{answer.verified ? "verified" : "not verified"}</Badge>}
    >
      {answer.problems.map((problem) => (
        <Notice key={problem} tone="bad">
          {problem}
        </Notice>
      ))}
      <Notice tone={answer.verified ? "good" : "bad"}>
        {answer.verified
          ? "The files were read again from where they lie: every promise holds, and nothing was changed since."
          : "The files do not keep what they promise. Do not give them away."}
      </Notice>
      <Verdicts verdicts={answer.verdicts} />
      <p className="quiet small">{answer.files.join(", ")}</p>
      <div className="row">
        <LinkButton icon="download" variant={answer.path ? "secondary" : "primary"} download href={link("GET /api/sessions/{session}/releases/{release}/zip", { path })}>
          Download the zip
        </LinkButton>
        <LinkButton icon="file" target="_blank" href={link("GET /api/sessions/{session}/releases/{release}/report", { path })}>
          Open the report
        </LinkButton>
      </div>
    </Section>
  );
}
