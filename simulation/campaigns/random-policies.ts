import type { AttemptsPerNumber, Policy } from "../../domain/policy/policy.ts";
import type { CallWindow } from "../../domain/shared/call-window.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Scenario, ScenarioAction, ScenarioContact } from "./scenario.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";

/** Share of campaigns whose owner has a policy, and of those beside which a second one runs. */
const WITH_POLICIES = 0.3;
const TWO_CAMPAIGNS = 0.7;
const MINUTE = 60_000;
/** Holds last for days: nobody renews a lease each minute of them. */
const LEASE_MILLIS = 6 * 60 * MINUTE;

/** By the last two digits of a number: one zone, several, very many, none. */
const COUNTRIES: readonly (readonly [prefix: string, weight: number])[] = [
  ["+9053212345", 4],
  ["+614123456", 2],
  ["+346123456", 2],
  ["+120255501", 3],
  ["+800123456", 1],
];

/** Drawn separately from all else. Deliveries are polled for, so nobody waits for days then. */
export function withPolicies(scenario: Scenario): Scenario {
  const random = seededRandom(scenario.seed, "policies");
  if (!random.chance(WITH_POLICIES) || scenario.receiver !== null) return scenario;
  const prefixes = Array.from({ length: 3 }, () => random.weighted(COUNTRIES, "+9053212345"));
  const moved = (contacts: readonly ScenarioContact[]) =>
    contacts.map((contact) => ({ ...contact, phoneNumber: numberIn(prefixes, contact.phoneNumber) }));
  const { contacts, calmAt, secondCampaign } = scenario;
  const when = () => (random.chance(0.6) ? random.between(0, 120_000) : random.between(0, calmAt - 1));
  const changes = Array.from({ length: random.between(1, 3) }, (_, index): ScenarioAction => {
    const at = index === 0 && random.chance(0.7) ? 1 : when();
    return { at: Math.min(at, calmAt - 1), kind: "policy", policy: policyOf(random) };
  });
  const calls = Array.from({ length: random.between(0, 4) }, (): ScenarioAction => {
    return {
      at: Math.min(when(), calmAt - 1),
      kind: "call",
      contact: random.between(0, contacts.length - 1),
    };
  });
  const others = random.chance(TWO_CAMPAIGNS)
    ? { at: Math.min(when(), calmAt - 1), contacts: contacts.slice(0, 4) }
    : null;
  const second = secondCampaign ?? others;
  return {
    ...scenario,
    contacts: moved(contacts),
    secondCampaign: second === null ? null : { ...second, contacts: moved(second.contacts) },
    leaseMillis: LEASE_MILLIS,
    // Caps are judged by the wall clock: a date that comes twice would be two.
    actions: [...scenario.actions, ...changes, ...calls]
      .filter(({ kind }) => kind !== "clock step")
      .map((action) =>
        action.kind === "add contacts" ? { ...action, contacts: moved(action.contacts) } : action,
      )
      .toSorted((a, b) => a.at - b.at),
  };
}

function numberIn(prefixes: readonly string[], phoneNumber: PhoneNumber): PhoneNumber {
  const digits = phoneNumber.slice(-2);
  return `+${(prefixes[Number(digits) % prefixes.length] ?? "").slice(1)}${digits}`;
}

function policyOf(random: SeededRandom): Policy {
  return {
    callableHours: random.chance(0.5) ? hoursOf(random) : null,
    attemptsPerNumber: random.chance(0.7) ? capsOf(random) : null,
    oneCallAtATime: random.chance(0.8),
    exceptSingleCalls: random.chance(0.2),
  };
}

function hoursOf(random: SeededRandom): CallWindow {
  const start = random.between(0, 23);
  return { start, end: (start + random.between(2, 22)) % 24 };
}

function capsOf(random: SeededRandom): AttemptsPerNumber {
  const caps = random.pick(["day", "week", "both", "month"] as const);
  if (caps === "month") return { month: random.between(2, 5) };
  return {
    ...(caps === "week" ? {} : { day: random.between(1, 2) }),
    ...(caps === "day" ? {} : { week: random.between(2, 4) }),
  };
}
