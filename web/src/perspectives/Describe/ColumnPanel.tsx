import type { ColumnFacts } from "../../api/types";
import { Histogram, LinkButton, Messages, Problems } from "../../components";
import { href } from "../../router";
import { useStudio } from "../../studio";
import { count, percent } from "../../words";
import { ColumnSettings } from "./ColumnSettings";
import { ColumnType } from "./ColumnType";
import { Denied } from "./Denied";
import { HierarchyPanel } from "./hierarchy/HierarchyPanel";
import { RoleChips } from "./RoleChips";

/** Everything about one column. */
export function ColumnPanel({ facts }: { facts: ColumnFacts }) {
  const { session } = useStudio();
  const roles = session.document.roles[facts.name] ?? [];
  const generalizable = roles.some((role) => ["quasi", "sensitive", "protected", "plain"].includes(role)) && !roles.includes("decision");
  const summary = [
    facts.type,
    ...(["nothing", "", facts.type].includes(facts.look) ? [] : [`looks like ${facts.look}`]),
    `${count(facts.distinct)} distinct`,
    facts.missing ? `${count(facts.missing)} missing` : "none missing",
    `${percent(facts.unique)} unique`,
  ].join(" · ");
  return (
    <div className="column-panel stack">
      <section className="card" aria-label={`Column ${facts.name}`}>
        <div className="back-to-list">
          <LinkButton size="s" variant="quiet" icon="left" href={href(session.id, "describe")} label="All columns" />
        </div>
        <div className="row spread">
          <div className="grow">
            <h2 className="wrap">
              <bdi>{facts.name}</bdi>
            </h2>
            <p className="quiet small numeric">{summary}</p>
          </div>
          <Histogram counts={facts.histogram.counts} label={`Distribution of ${facts.name}`} width={160} height={40} />
        </div>
        <Problems where={["roles", "hierarchy"]} column={facts.name} />
        <RoleChips column={facts.name} />
        <Messages
          texts={[
            facts.reason && `Suggested because: ${facts.reason}`,
            facts.safe_harbor && `HIPAA Safe Harbor identifier: ${facts.safe_harbor}`,
          ]}
        />
        {roles.includes("decision") && <Denied column={facts.name} />}
        <ColumnSettings facts={facts} roles={roles} />
        <ColumnType facts={facts} />
      </section>
      {generalizable && <HierarchyPanel facts={facts} />}
    </div>
  );
}
