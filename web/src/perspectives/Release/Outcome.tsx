import type { ReleaseAnswer } from "../../api/types";
import { Badge } from "../../components/Badge";
import { Notice } from "../../components/Notice";
import { Section } from "../../components/Section";
import { day } from "../../words";
import { Files } from "./Files";
import { Verdicts } from "./Verdicts";

/** What was written last, and what reading it again said. */
export function Outcome({ answer }: { answer: ReleaseAnswer }) {
  return (
    <Section
      title="Published"
      hint={`${answer.candidate}, ${day(answer.at)}. ${answer.path ? `It is in ${answer.path}` : "Ready to be downloaded."}`}
      aside={<Badge tone={answer.verified ? "good" : "bad"}>{answer.verified ? "verified" : "not verified"}</Badge>}
    >
      {answer.problems.map((problem) => (
        <Notice key={problem} tone="bad">
          {problem}
        </Notice>
      ))}
      <Notice tone={answer.verified ? "good" : "bad"}>
        {answer.verified
          ? "The files were read again from where they lie: every promise holds."
          : "The files do not keep what they promise. Do not give them away."}
      </Notice>
      <Verdicts verdicts={answer.verdicts} />
      <p className="quiet small">{answer.files.join(", ")}</p>
      <Files answer={answer} />
      {answer.path && (
        <p className="small">
          Check it again at any time: <code>{`fairveil verify ${/^[\w./~-]+$/.test(answer.path) ? answer.path : `'${answer.path.replaceAll("'", "'\\''")}'`}`}</code>
        </p>
      )}
    </Section>
  );
}
