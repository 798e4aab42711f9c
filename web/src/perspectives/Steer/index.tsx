import { useEffect, useMemo, useState } from "react";
import type { Walk, Walks } from "../../api/types";
import { useLoaded } from "../../api/useLoaded";
import { useJob } from "../../candidates/useJob";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { Progress } from "../../components/Progress";
import { Section } from "../../components/Section";
import { Select } from "../../components/Select";
import { complain } from "../../components/toasts";
import { go, href } from "../../router";
import { useStudio } from "../../studio/context";
import "../../styles/charts.css";
import { Path } from "./Path";
import { Plane } from "./Plane";
import { Solutions } from "./Solutions";
import { Wish } from "./Wish";

export type Point = Readonly<Record<string, number>>;

const NEW = "new";
const LEAD = "Say what you wish for. Each step looks for releases on the way there; go on from the one you like, or wish for something else.";

/** A walk along reference directions: wish, look at the solutions on the way, go on from one, turn, go back. */
export default function Steer() {
  const { session, catalog, ask } = useStudio();
  const walks = useLoaded<Walks>(`${session.id} ${session.version}`, (signal) => ask("GET /api/sessions/{session}/walks", {}, signal));
  const all = walks.data?.walks ?? [];
  const [asked, setAsked] = useState<string | null>(null);
  const [fresh, setFresh] = useState<Walk | null>(null);
  const known = fresh && !all.some((one) => one.id === fresh.id) ? [...all, fresh] : all.map((one) => (one.id === fresh?.id ? fresh : one));
  const walk = asked === NEW ? null : (known.find((one) => one.id === asked) ?? known.at(-1) ?? null);
  const [shownStep, setShownStep] = useState<number | null>(null);
  const [picked, setPicked] = useState<number | null>(null);
  const [names, setNames] = useState<readonly [string, string]>(["necd", "nwp"]);
  const objectives = walk?.objectives ?? names;
  const [wish, setWish] = useState<Point>({});
  const step = walk ? walk.steps[Math.min(shownStep ?? walk.steps.length - 1, walk.steps.length - 1)] : undefined;
  const at = walk && step ? walk.steps.indexOf(step) : 0;
  const last = !walk || at === walk.steps.length - 1;
  const aspirations = useMemo(() => aimed(objectives, last ? wish : {}, step?.aspirations), [objectives, wish, step, last]);

  const done = (next: Walk): void => {
    setFresh(next);
    setAsked(next.id);
    setShownStep(null);
    setPicked(null);
    setWish({});
    walks.reload();
  };
  const job = useJob<Walk>(done);
  useEffect(() => setPicked(null), [shownStep, walk?.id]);

  const start = (): void =>
    job.start(() => ask("POST /api/sessions/{session}/walks", { body: { aspirations: { ...aspirations }, points: 10 } }));
  const goOn = (choose: number): void =>
    job.start(() =>
      ask("POST /api/sessions/{session}/walks/{walk}/step", { path: { walk: walk?.id ?? "" }, body: { choose, aspirations: { ...aspirations } } }),
    );
  const back = (steps: number): void => {
    ask("POST /api/sessions/{session}/walks/{walk}/back", { path: { walk: walk?.id ?? "" }, body: { steps } }).then(done, complain);
  };
  const bounded = catalog.measures.filter((measure) => measure.cheap && measure.least !== null && measure.most !== null);
  const options = bounded.map((measure) => ({ id: measure.name, label: measure.name, hint: measure.meaning }));

  if (!session.document.guards.length) {
    return (
      <Page title="Steer" lead={LEAD}>
        <EmptyState title="Nothing is promised yet" text="Steering looks for releases that keep your promises. Make one first." action={<Button variant="primary" onPress={() => go(href(session.id, "promise"))}>Go to Promise</Button>} />
      </Page>
    );
  }
  return (
    <Page
      title="Steer"
      lead={LEAD}
      action={walk ? undefined : <Button variant="primary" icon="play" isDisabled={job.running} onPress={start}>Find solutions</Button>}
    >
      <div className="row">
        {known.length > 0 && (
          <Select
            label="Walk"
            options={[...known.map((one) => ({ id: one.id, label: one.name || one.id })), { id: NEW, label: "New walk" }]}
            value={walk?.id ?? NEW}
            onChange={(id) => {
              setAsked(id);
              setShownStep(null);
              setWish({});
            }}
          />
        )}
        {!walk && (
          <>
            <Select label="One measure" options={options} value={names[0]} onChange={(id) => setNames([id, names[1] === id ? names[0] : names[1]])} />
            <Select label="The other" options={options} value={names[1]} onChange={(id) => setNames([names[0] === id ? names[1] : names[0], id])} />
          </>
        )}
      </div>
      {walks.error && <Notice tone="bad">{walks.error}</Notice>}
      {job.error && <Notice tone="bad">{job.error}</Notice>}
      {walk?.stale && <Notice tone="warn">Data or promises have changed since: this walk can be looked at, not gone on with. Start a new one.</Notice>}
      {job.running && job.view && <Progress label={job.view.doing || "Looking for solutions"} share={job.view.share} />}
      <div className="steer-grid">
        <Section title="Wish" hint="Drag the mark, move it with the arrow keys, or use the sliders.">
          <Plane names={objectives} walk={walk} at={at} wish={aspirations} onWish={last && !job.running ? setWish : null} picked={picked} onPick={setPicked} />
          <Wish names={objectives} wish={aspirations} onWish={setWish} isDisabled={!last || job.running} />
        </Section>
        <div className="stack">
          {walk && step ? (
            <>
              <Solutions
                walk={walk} step={step} picked={picked} onPick={setPicked}
                canGoOn={last && !walk.stale && !job.running} onGoOn={goOn}
              />
              <Path walk={walk} at={at} onShow={setShownStep} onBack={back} isDisabled={job.running} />
            </>
          ) : (
            <Section title="Solutions">
              <p className="quiet">Set the mark to what you wish for and press “Find solutions”. Every step and choice is kept.</p>
            </Section>
          )}
        </div>
      </div>
    </Page>
  );
}

/** What is wished for now: what was just set, else what the step had, else a modest first wish. */
function aimed(names: readonly string[], wish: Point, before: Point | undefined): Point {
  return Object.fromEntries(names.map((name) => [name, wish[name] ?? before?.[name] ?? 0.2]));
}
