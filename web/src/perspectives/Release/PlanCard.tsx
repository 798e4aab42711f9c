import { LinkButton, Pending, Section } from "../../components";
import { useAnswer, useStudio } from "../../studio";

/** The session as a plan. */
export function PlanCard({ candidate }: { candidate: string }) {
  const { session, link } = useStudio();
  const plan = useAnswer("GET /api/sessions/{session}/plan", { query: { candidate } }, String(session.version));
  return (
    <Section
      title="Plan"
      hint="All settings of this session as a file. Open it in a new session to make the same release again."
      aside={
        <LinkButton
          size="s"
          icon="download"
          download="plan.toml"
          href={link("GET /api/sessions/{session}/plan.toml", { query: { candidate } })}
          label="Download the plan"
        />
      }>
      <Pending of={plan} label="Writing the plan" />
      {plan.data && (
        <pre className="plan-text" tabIndex={0} aria-label="The plan as text">
          {plan.data}
        </pre>
      )}
    </Section>
  );
}
