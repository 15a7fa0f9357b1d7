import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import { inTurns } from "./in-turns.ts";
import { judge } from "./judge.ts";
import type { Scenario } from "./scenario.ts";
import { createWorld, type RunOptions } from "./simulated-world.ts";

const DAY_MILLIS = 24 * 3_600_000;
const UNFINISHED_MILLIS = 4 * DAY_MILLIS;
/** Each retry of a plan, and each callback, may wait for another day. */
const UNFINISHED_MILLIS_WITH_WAITS = 14 * DAY_MILLIS;
/** Each attempt may wait for the next month; of each of those who share a number. */
const UNFINISHED_MILLIS_WITH_POLICIES = 150 * DAY_MILLIS;
const UNFINISHED_STEPS = 60_000;
/** The delivery loop polls four times a second, also in the hours before a seventh attempt. */
const UNFINISHED_STEPS_WITH_RECEIVER = 1_000_000;

export type RunResult = {
  readonly violations: readonly string[];
  /** Places at which a process could have died. */
  readonly places: number;
  /** All events in the log at the end, in order. */
  readonly events: readonly RecordedEvent[];
  readonly deaths: number;
  /** Named crash points that the code reached, in a traced run. */
  readonly points: ReadonlySet<string>;
  readonly trace: readonly string[];
  /** Moments at which something happened. */
  readonly steps: number;
  /** Virtual milliseconds. */
  readonly elapsed: number;
};

/** Runs one scenario to its end and judges it. The same scenario gives the same result, byte for byte. */
export async function runScenario(scenario: Scenario, options: RunOptions = {}): Promise<RunResult> {
  const world = createWorld(scenario, options);
  const { shared, observer } = world;
  world.begin();
  let steps = 0;
  const mostSteps = scenario.receiver === null ? UNFINISHED_STEPS : UNFINISHED_STEPS_WITH_RECEIVER;
  const isLong = scenario.retryPlan !== null || scenario.callbacks !== null;
  const hasPolicy = scenario.address !== null || scenario.actions.some(({ kind }) => kind === "policy");
  const longest = hasPolicy
    ? UNFINISHED_MILLIS_WITH_POLICIES * mostOfOneNumber(scenario)
    : isLong
      ? UNFINISHED_MILLIS_WITH_WAITS
      : UNFINISHED_MILLIS;
  const unfinished = await inTurns((): string | null | undefined => {
    observer.look();
    if (world.isOver()) return null;
    steps += 1;
    const late = shared.clock.elapsed() > scenario.calmAt + longest;
    if (late || steps > mostSteps) return `not finished: ${observer.standing()}`;
    return shared.clock.advance() ? undefined : `nothing left to wait for: ${observer.standing()}`;
  });
  world.end();
  const violations = [
    ...world.problems,
    ...(unfinished === null ? judge(shared, scenario, observer, world.deaths()) : [unfinished]),
  ];
  return {
    violations,
    places: world.places(),
    events: observer.events.map(({ recorded }) => recorded),
    deaths: world.deaths(),
    points: world.points,
    trace: world.trace,
    steps,
    elapsed: shared.clock.elapsed(),
  };
}

/** How many contacts of the campaigns have one number. */
function mostOfOneNumber({ contacts, secondCampaign, actions }: Scenario): number {
  const added = actions.flatMap((action) => (action.kind === "add contacts" ? action.contacts : []));
  const all = [...contacts, ...(secondCampaign?.contacts ?? []), ...added];
  const byNumber = Map.groupBy(all, ({ phoneNumber }) => phoneNumber);
  return Math.max(...[...byNumber.values()].map(({ length }) => length));
}
