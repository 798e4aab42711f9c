import type { ColumnFacts } from "../../api/types";
import { Histogram } from "../../components/Histogram";
import { LinkButton } from "../../components/LinkButton";
import { Problems } from "../../components/Problems";
import { href } from "../../router";
import { useStudio } from "../../studio/context";
import { count, percent } from "../../words";
import { ColumnSettings } from "./ColumnSettings";
import { Denied } from "./Denied";
import { HierarchyPanel } from "./hierarchy/HierarchyPanel";
import { ReadAsText } from "./ReadAsText";
import { RoleChips } from "./RoleChips";

/** Everything about one column. */
export function ColumnPanel({ facts }: { facts: ColumnFacts }) {
  const { session } = useStudio();
  const roles = session.document.roles[facts.name] ?? [];
  const coarser = roles.some((role) => ["quasi", "sensitive", "protected", "plain"].includes(role)) && !roles.includes("decision");
  const line = [
    facts.type,
    ...(["nothing", "", facts.type].includes(facts.look) ? [] : [`looks like ${facts.look}`]),
    `${count(facts.distinct)} distinct`,
    facts.missing ? `${count(facts.missing)} missing` : "none missing",
    `${percent(facts.unique)} of people alone with their value`,
  ].join(" · ");
  return (
    <div className="column-panel stack">
      <section className="card" aria-label={`Column ${facts.name}`}>
        <div className="back-to-list">
          <LinkButton size="s" variant="quiet" icon="left" href={href(session.id, "describe")}>
            All columns
          </LinkButton>
        </div>
        <div className="row spread">
          <div className="grow">
            <h2 className="cut">
              <bdi>{facts.name}</bdi>
            </h2>
            <p className="quiet small numeric">{line}</p>
          </div>
          <Histogram counts={facts.histogram.counts} label={`Distribution of ${facts.name}`} width={160} height={40} />
        </div>
        <Problems where={["roles", "hierarchy"]} column={facts.name} />
        <RoleChips column={facts.name} />
        {facts.reason && (
          <p className="quiet small">
            Suggested because: {facts.reason}
            {facts.safe_harbor && <span className="block">HIPAA Safe Harbor counts it among its identifiers: {facts.safe_harbor}</span>}
          </p>
        )}
        {roles.includes("decision") && <Denied column={facts.name} />}
        <ColumnSettings facts={facts} roles={roles} />
        <ReadAsText facts={facts} />
      </section>
      {coarser && <HierarchyPanel facts={facts} />}
    </div>
  );
}
