import type { Scenario, ScenarioAction } from "./scenario.ts";
import { seededRandom } from "./seeded-random.ts";

const MINUTE = 60_000;

/** Share of campaigns whose assistant agrees callbacks, and of those in which many ask for one. */
const WITH_CALLBACKS = 0.3;
const MANY = 0.5;
const FEW = 1 / 50;

/**
 * Where many ask: shares of campaigns with several contacts of a number, with a pause past the time,
 * with a cancel.
 */
const SAME_NUMBERS = 0.5;
const PAUSES = 0.4;
const CANCELS = 0.15;

/** Drawn separately from all else of the scenario. */
export function withCallbacks(scenario: Scenario): Scenario {
  const random = seededRandom(scenario.seed, "callbacks");
  if (!random.chance(WITH_CALLBACKS)) return scenario;
  const limits = { maxDays: random.between(1, 14), maxPerContact: random.between(1, 3) };
  if (!random.chance(MANY)) return { ...scenario, callbacks: { ...limits, asked: FEW } };
  const callbacks = { ...limits, asked: random.pick([0.3, 0.8]) };
  const { contacts, calmAt } = scenario;
  const [first] = contacts;
  const isShared = random.chance(SAME_NUMBERS);
  const shared = contacts.map((contact) =>
    isShared && first !== undefined && random.chance(0.5)
      ? { ...contact, phoneNumber: first.phoneNumber }
      : contact,
  );
  const actions: ScenarioAction[] = [];
  if (random.chance(PAUSES)) {
    const at = random.between(MINUTE / 2, 3 * MINUTE);
    actions.push({ at, kind: "pause" }, { at: at + random.between(2, 10) * MINUTE, kind: "resume" });
  }
  if (random.chance(CANCELS))
    actions.push({
      at: random.between(MINUTE, calmAt - 1),
      kind: "cancel",
      hangUpActiveCalls: random.chance(0.5),
    });
  return {
    ...scenario,
    callbacks,
    contacts: shared,
    actions: [...scenario.actions, ...actions].toSorted((a, b) => a.at - b.at),
  };
}
