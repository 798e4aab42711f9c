import { useEffect, useState } from "react";
import type { Walk } from "../../api/types";
import type { Range } from "../../charts/range";
import { Button, EmptyPage, Messages, Notice, Page, Progress, Section, Select, showError } from "../../components";
import { href } from "../../router";
import { useAnswer, useJob, useStudio } from "../../studio";
import { useEnds } from "./ends";
import { Goal } from "./Goal";
import { Path } from "./Path";
import { Plane } from "./Plane";
import { Solutions } from "./Solutions";

export type Point = Readonly<Record<string, number>>;

const NEW = "new";
const LEAD = "Set a goal. Each step finds releases on the way to it; continue from the one you like, or change the goal.";

/** A walk along reference directions: set a goal, look at the solutions, continue from one, turn, go back. */
export default function Steer() {
  const { session, catalog, ask, measure, refresh } = useStudio();
  const walks = useAnswer("GET /api/sessions/{session}/walks", {}, String(session.version));
  const all = walks.data ?? [];
  const [asked, setAsked] = useState<string | null>(null);
  const [newest, setNewest] = useState<Walk | null>(null);
  const known = newest ? [...new Map([...all, newest].map((entry) => [entry.id, entry])).values()] : all;
  const walk = asked === NEW ? null : (known.find(({ id }) => id === asked) ?? known.at(-1) ?? null);
  const [shownStep, setShownStep] = useState<number | null>(null);
  const [picked, setPicked] = useState<number | null>(null);
  const [names, setNames] = useState<readonly string[]>(["loss", "highest-risk"]);
  const objectives = walk?.objectives ?? names;
  const [goal, setGoal] = useState<Point>({});
  const step = walk ? walk.steps[Math.min(shownStep ?? walk.steps.length - 1, walk.steps.length - 1)] : undefined;
  const at = walk && step ? walk.steps.indexOf(step) : 0;
  const isLast = !walk || at === walk.steps.length - 1;
  const ends = useEnds(walk);
  const aspirations = goalOf(objectives, isLast ? goal : {}, step?.aspirations, ends);

  const show = (next: Walk): void => {
    setNewest(next);
    setAsked(next.id);
    setShownStep(null);
    setPicked(null);
    setGoal({});
    refresh().catch(showError); // a step is a change of the session
    walks.reload();
  };
  const job = useJob<Walk>(show);
  useEffect(() => setPicked(null), [shownStep, walk?.id]);

  /** The worst point of the page. */
  const worst = (): Record<string, number> =>
    Object.fromEntries(objectives.map((name) => [name, ends(name)[measure(name)?.better === "higher" ? 0 : 1]]));
  const start = (): void =>
    job.start(() => ask("POST /api/sessions/{session}/walks", { body: { aspirations, start: worst(), points: 10 } }));
  const proceed = (choose: number): void =>
    job.start(() =>
      ask("POST /api/sessions/{session}/walks/{walk}/step", { path: { walk: walk?.id ?? "" }, body: { choose, aspirations } }),
    );
  const back = (steps: number): void => {
    ask("POST /api/sessions/{session}/walks/{walk}/back", { path: { walk: walk?.id ?? "" }, body: { steps } }).then(show, showError);
  };
  const bounded = catalog.measures.filter(({ cheap, minimum, maximum }) => cheap && minimum !== null && maximum !== null);
  const options = bounded.map(({ name, title, meaning }) => ({ id: name, label: title, hint: meaning }));

  if (!session.document.guards.length) {
    return (
      <EmptyPage
        page="Steer"
        lead={LEAD}
        title="No promises yet"
        text="Steering finds releases that keep your promises. Add one first."
        action={["Go to Promise", href(session.id, "promise")]}
      />
    );
  }
  return (
    <Page
      title="Steer"
      lead={LEAD}
      action={walk ? undefined : <Button variant="primary" icon="play" isDisabled={job.running} onPress={start} label="Find solutions" />}>
      <div className="row">
        {known.length > 0 && (
          <Select
            label="Walk"
            options={[...known.map(({ id, name }) => ({ id, label: name || id })), { id: NEW, label: "New walk" }]}
            value={walk?.id ?? NEW}
            onChange={(id) => {
              setAsked(id);
              setShownStep(null);
              setGoal({});
            }}
          />
        )}
        {!walk &&
          names.map((name, i) => (
            <Select
              key={i}
              label={i ? "Second measure" : "First measure"}
              options={options}
              value={name}
              onChange={(id) => setNames(names.map((other, j) => (j === i ? id : other === id ? name : other)))}
            />
          ))}
      </div>
      <Messages tone="bad" texts={[walks.error, job.error]} />
      {walk?.stale && (
        <Notice tone="warn">The data or the promises have changed, so this walk cannot be continued. Start a new one.</Notice>
      )}
      {job.running && job.view && <Progress label={job.view.doing || "Finding solutions"} share={job.view.share} />}
      <div className="steer-grid">
        <Section title="Goal" hint="Drag the star, move it with the arrow keys, or use the sliders.">
          <Plane
            names={objectives}
            walk={walk}
            at={at}
            goal={aspirations}
            onGoal={isLast && !job.running ? setGoal : null}
            picked={picked}
            onPick={setPicked}
            ends={ends}
          />
          <Goal names={objectives} ends={ends} goal={aspirations} onGoal={setGoal} isDisabled={!isLast || job.running} />
        </Section>
        <div className="stack">
          {walk && step ? (
            <>
              <Solutions
                walk={walk}
                step={step}
                picked={picked}
                onPick={setPicked}
                canContinue={isLast && !walk.stale && !job.running}
                onContinue={proceed}
              />
              <Path walk={walk} at={at} onShow={setShownStep} onBack={back} isDisabled={job.running} />
            </>
          ) : (
            <Section title="Solutions">
              <p className="quiet">Move the star to your goal and press “Find solutions”. Every step is kept.</p>
            </Section>
          )}
        </div>
      </div>
    </Page>
  );
}

/** The current goal: as just set, as it was in the step, or a modest default. */
function goalOf(names: readonly string[], set: Point, before: Point | undefined, ends: (name: string) => Range): Record<string, number> {
  const modest = ([low, high]: Range): number => Number((low + 0.2 * (high - low)).toPrecision(3));
  return Object.fromEntries(names.map((name) => [name, set[name] ?? before?.[name] ?? modest(ends(name))]));
}
