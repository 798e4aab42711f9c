import { useEffect } from "react";
import { call } from "../../api/client";
import { useLoaded } from "../../api/useLoaded";
import { EmptyState } from "../../components/EmptyState";
import { Loading } from "../../components/Loading";
import { Section } from "../../components/Section";
import { go, href } from "../../router";
import { Brand } from "../../shell/Brand";
import { ThemeButton } from "../../shell/ThemeButton";
import { DropFile } from "./DropFile";
import { Examples } from "./Examples";
import { Sessions } from "./Sessions";
import { useOpening } from "./useOpening";

let arrived = false;

/** Where everything starts: a file, an example, or what was left off. */
export default function Welcome() {
  const { data, error, reload } = useLoaded("welcome", (signal) => call("GET /api/welcome", {}, signal));
  const opening = useOpening(data?.most_upload_bytes ?? Infinity);

  // what the command line named is shown at once, but only once: the way back here must stay open
  useEffect(() => {
    if (!data || arrived) return;
    arrived = true;
    if (data.opened) go(href(data.opened, "open"));
  }, [data]);

  return (
    <>
      <header className="top">
        <Brand />
        <div className="top-tools">
          <ThemeButton />
        </div>
      </header>
      <main className="page welcome">
        <div className="hero">
          <h1>Publish data about people. Keep the people out of it.</h1>
          <p className="quiet">
            From a file to a release that singles nobody out, discriminates against nobody, and is still worth reading.
          </p>
        </div>
        {!data && !error && <Loading label="Starting" />}
        {error && <EmptyState icon="warning" title="The studio cannot be reached" text={error} />}
        {data && (
          <div className="welcome-grid">
            <Section title="Open a file">
              <DropFile opening={opening} />
            </Section>
            <div className="stack">
              {data.sessions.length > 0 && (
                <Section title="Go on with">
                  <Sessions sessions={data.sessions} onChanged={reload} />
                </Section>
              )}
              <Section title="Try an example">
                <Examples
                  examples={data.examples}
                  isDisabled={opening.busy !== null}
                  onOpen={(example) => opening.example(example.name, example.title)}
                />
              </Section>
            </div>
            <p className="quiet small welcome-foot">fairveil {data.version}. Everything stays on this machine.</p>
          </div>
        )}
      </main>
    </>
  );
}
