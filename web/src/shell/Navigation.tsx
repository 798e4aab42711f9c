import { useEffect, useRef } from "react";
import type { Problem } from "../api/types";
import { href, useRoute } from "../router";
import { useStudio } from "../studio";
import { plural } from "../words";
import { PERSPECTIVES } from "./perspectives";

const PERSPECTIVE_OF: Record<Problem["where"], string> = {
  source: "open",
  roles: "describe",
  hierarchy: "describe",
  guards: "promise",
  methods: "search",
};

/** The perspectives in order; a dot marks those with problems. */
export function Navigation() {
  const { session } = useStudio();
  const { perspective } = useRoute();
  const currentLink = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    currentLink.current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [perspective]);
  return (
    <nav className="steps" aria-label="Perspectives">
      <ul>
        {PERSPECTIVES.filter((spec) => !spec.hidden).map((spec) => {
          const problems = session.problems.filter((problem) => PERSPECTIVE_OF[problem.where] === spec.id).length;
          const current = spec.id === perspective;
          return (
            <li key={spec.id}>
              <a
                ref={current ? currentLink : null}
                className="step"
                href={href(session.id, spec.id)}
                {...(current ? { "aria-current": "page" as const } : {})}>
                {spec.label}
                {problems > 0 && (
                  <span className="step-problem">
                    <span className="unseen">, {plural(problems, "problem")}</span>
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
