import type { ReleaseAnswer } from "../../api/types";
import { LinkButton } from "../../components/LinkButton";
import { useStudio } from "../../studio/context";

/** What can be had of a release: the zip, unless it went into a folder, and its report. */
export function Files({ answer, size }: { answer: ReleaseAnswer; size?: "s" }) {
  const { link } = useStudio();
  const path = { release: answer.id ?? "" };
  const small = size ? { size } : {};
  return (
    <div className="row-s">
      {!answer.path && (
        <LinkButton {...small} icon="download" variant={size ? "secondary" : "primary"} download href={link("GET /api/sessions/{session}/releases/{release}/zip", { path })}>
          Download the zip
        </LinkButton>
      )}
      <LinkButton {...small} icon="file" target="_blank" href={link("GET /api/sessions/{session}/releases/{release}/report", { path })}>
        Open the report
      </LinkButton>
    </div>
  );
}
