import { runScenario } from "./run-scenario.ts";
import { NO_FAULTS, type Scenario } from "./scenario.ts";
import type { RunOptions } from "./simulated-world.ts";

/** Makes a failing scenario as small as possible while it still fails; `tries` limits the runs. */
export async function shrink(scenario: Scenario, options: RunOptions, tries = 200): Promise<Scenario> {
  let smallest = scenario;
  let left = tries;
  let smaller = true;
  while (smaller && left > 0) {
    smaller = false;
    for (const candidate of smallerOnes(smallest)) {
      if (left === 0) break;
      left -= 1;
      const { violations } = await runScenario(candidate, options);
      if (violations.length === 0) continue;
      smallest = candidate;
      smaller = true;
      break;
    }
  }
  return smallest;
}

function* smallerOnes(scenario: Scenario): Generator<Scenario> {
  const { contacts, actions, crashes, faults } = scenario;
  if (scenario.receiver !== null) yield { ...scenario, receiver: null };
  if (scenario.secondCampaign !== null) yield { ...scenario, secondCampaign: null };
  if (scenario.callbacks !== null) yield { ...scenario, callbacks: null };
  if (scenario.processes === 2) yield { ...scenario, processes: 1 };
  if (scenario.secondFaults !== null)
    yield {
      ...scenario,
      secondFaults: null,
      actions: actions.filter(({ kind }) => kind !== "connection"),
    };
  if (faults !== NO_FAULTS) yield { ...scenario, faults: NO_FAULTS };
  for (let index = 0; index < crashes.length; index += 1)
    yield { ...scenario, crashes: crashes.toSpliced(index, 1) };
  for (let index = 0; index < actions.length; index += 1)
    yield { ...scenario, actions: actions.toSpliced(index, 1) };
  if (contacts.length > 1) {
    yield { ...scenario, contacts: contacts.slice(0, Math.ceil(contacts.length / 2)) };
    yield { ...scenario, contacts: contacts.slice(0, -1) };
  }
  for (const fault of Object.keys(faults)) {
    if (new Map(Object.entries(faults)).get(fault) !== 0)
      yield { ...scenario, faults: { ...faults, [fault]: 0 } };
  }
  if (scenario.retryPlan !== null)
    yield {
      ...scenario,
      retryPlan: null,
      actions: actions.filter(({ kind }) => kind !== "change plan"),
    };
  if (scenario.window !== null) yield { ...scenario, window: null };
  if (scenario.maxConcurrentCalls !== null) yield { ...scenario, maxConcurrentCalls: null };
}
