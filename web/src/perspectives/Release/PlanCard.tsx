import { useLoaded } from "../../api/useLoaded";
import { LinkButton } from "../../components/LinkButton";
import { Notice } from "../../components/Notice";
import { Section } from "../../components/Section";
import { useStudio } from "../../studio/context";

/** Everything that was decided, as a plan that the command line replays. */
export function PlanCard({ candidate }: { candidate: string }) {
  const { session, ask, link } = useStudio();
  const plan = useLoaded(`${session.version} ${candidate}`, (signal) => ask("GET /api/sessions/{session}/plan", { query: { candidate } }, signal));
  return (
    <Section
      title="Plan"
      hint="What was decided here, as a file. The command line makes the same release of it."
      aside={
        <LinkButton size="s" icon="download" download="plan.toml" href={link("GET /api/sessions/{session}/plan.toml", { query: { candidate } })}>
          Download the plan
        </LinkButton>
      }
    >
      {plan.error && <Notice tone="warn">{plan.error}</Notice>}
      {plan.data && (
        <>
          <p className="small">
            <code>{plan.data.command}</code>
          </p>
          <pre className="plan-text" tabIndex={0} aria-label="plan.toml">
            {plan.data.text}
          </pre>
        </>
      )}
    </Section>
  );
}
