import { useEffect } from "react";
import { call } from "../../api/client";
import { useLoaded } from "../../api/useLoaded";
import { Choices, EmptyState, Loading, Section } from "../../components";
import { go, href } from "../../router";
import { Brand } from "../../shell/Brand";
import { ThemeButton } from "../../shell/ThemeButton";
import { DropFile } from "./DropFile";
import { Sessions } from "./Sessions";
import { useOpening } from "./useOpening";

let arrived = false;

/** The start: a file, an example, or an earlier session. */
export default function Welcome() {
  const { data, error, reload } = useLoaded("welcome", (signal) => call("GET /api/welcome", {}, signal));
  const opening = useOpening(data?.max_upload_bytes ?? Infinity);

  // a file named at the start is opened at once, but only once: this page must stay reachable
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
          <p className="quiet">Turn a file into a release that identifies nobody, discriminates against nobody, and stays useful.</p>
        </div>
        {!data && !error && <Loading label="Starting" />}
        {error && <EmptyState icon="warning" title="The studio cannot be reached" text={error} />}
        {data && (
          <div className="welcome-grid">
            <Section title="Open a file">
              <DropFile opening={opening} connections={data.connections} />
            </Section>
            <div className="stack">
              {data.sessions.length > 0 && (
                <Section title="Recent sessions">
                  <Sessions sessions={data.sessions} onChanged={reload} />
                </Section>
              )}
              <Section title="Try an example">
                <Choices
                  isDisabled={opening.busy !== null}
                  options={data.examples.map(({ name, title, says }) => ({ id: name, title, text: says }))}
                  onChoose={(name) => opening.example(name, data.examples.find((example) => example.name === name)?.title ?? name)}
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
