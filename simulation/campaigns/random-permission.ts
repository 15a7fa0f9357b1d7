import type { Consent, Policy } from "../../domain/policy/policy.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import type { AddressFaults, Scenario, ScenarioAction, ScenarioContact } from "./scenario.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";

const WITH_PERMISSION = 0.25;
const WITH_ADDRESS = 0.6;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Holds last for days: nobody renews a lease each minute of them. */
const LEASE_MILLIS = 6 * 60 * MINUTE;
export const SIMULATED_ADDRESS = { url: "http://127.0.0.1:9/may-i-call", timeoutMs: 2_000 };

/**
 * Owners who ask for consent and young lists, and whose address is asked before each dial. Drawn separately
 * from all else, over the policies that there are; nobody waits for deliveries in these days.
 */
export function withPermission(scenario: Scenario): Scenario {
  const random = seededRandom(scenario.seed, "permission");
  if (!random.chance(WITH_PERMISSION) || scenario.receiver !== null) return scenario;
  const { contacts, calmAt, secondCampaign } = scenario;
  const agreed = (people: readonly ScenarioContact[]) =>
    people.map((person) => ({ ...person, ...consentOf(random, calmAt) }));
  const when = () => (random.chance(0.6) ? random.between(0, 120_000) : random.between(0, calmAt - 1));
  const at = () => Math.min(when(), calmAt - 1);
  const address = random.chance(WITH_ADDRESS) ? addressOf(random) : null;
  const hasPolicy = scenario.actions.some(({ kind }) => kind === "policy");
  const policies = hasPolicy
    ? []
    : Array.from({ length: random.between(1, 2) }, (_, index): ScenarioAction => {
        const first = index === 0 && random.chance(0.7);
        return { at: first ? 1 : at(), kind: "policy", policy: NOTHING };
      });
  const lists = Array.from({ length: random.between(1, 5) }, (_, index): ScenarioAction => {
    const isFirst = index === 0 && random.chance(0.8);
    return {
      at: isFirst ? 0 : at(),
      kind: "list",
      list: isFirst ? "registry" : random.pick(["registry", "regional", "litigators"]),
      active: isFirst || random.chance(0.8),
      days: isFirst || random.chance(0.7) ? random.pick([0, 1, 5, 29, 40]) : null,
      numbers: contacts.flatMap(({ phoneNumber }) => (random.chance(0.15) ? [phoneNumber] : [])),
    };
  });
  const absences = Array.from({ length: address === null ? 0 : random.between(0, 2) }, (): ScenarioAction => {
    return { at: at(), kind: "address away", millis: random.between(1, 30) * MINUTE };
  });
  const stricter = (action: ScenarioAction): ScenarioAction => {
    if (action.kind === "add contacts") return { ...action, contacts: agreed(action.contacts) };
    if (action.kind !== "policy") return action;
    return { ...action, policy: { ...action.policy, ...rulesOf(random, address !== null) } };
  };
  return {
    ...scenario,
    contacts: agreed(contacts),
    secondCampaign:
      secondCampaign === null ? null : { ...secondCampaign, contacts: agreed(secondCampaign.contacts) },
    leaseMillis: LEASE_MILLIS,
    address,
    // Ages are judged by the wall clock.
    actions: [...scenario.actions, ...policies, ...lists, ...absences]
      .filter(({ kind }) => kind !== "clock step")
      .map(stricter)
      .toSorted((a, b) => a.at - b.at),
  };
}

const NOTHING: Policy = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  exceptSingleCalls: false,
};

function rulesOf(random: SeededRandom, asks: boolean): Partial<Policy> {
  return {
    ...(random.chance(0.5) ? { requireConsent: true } : {}),
    ...(random.chance(0.4) ? { listMaxAgeDays: random.pick([1, 7, 30]) } : {}),
    ...(asks && random.chance(0.7) ? { eligibility: SIMULATED_ADDRESS } : {}),
  };
}

function consentOf(random: SeededRandom, calmAt: number): Pick<ScenarioContact, "consent"> {
  if (random.chance(0.25)) return {};
  const expiresAt = random.chance(0.2) ? random.between(MINUTE, 2 * calmAt) : null;
  return { consent: { expiresAt } };
}

function addressOf(random: SeededRandom): AddressFaults {
  const [refuses, untilLater, silent, lies] = [0.1, 0.2, 0.1, 0.1].map((most) =>
    random.chance(0.6) ? most * random.fraction() * 2 : 0,
  ) as [number, number, number, number];
  return { refuses, untilLater, silent, lies, ofCampaign: random.chance(0.3) };
}

/** The consent of a contact of the scenario, as it is given to the API. */
export function consentGiven(
  { startMillis }: Scenario,
  { consent }: ScenarioContact,
): { readonly consent?: Consent } {
  if (consent === undefined) return {};
  const { expiresAt } = consent;
  const ends = expiresAt === null ? {} : { expiresAt: instantFromMillis(startMillis + expiresAt) };
  return { consent: { source: "form", at: instantFromMillis(startMillis - DAY), ...ends } };
}
