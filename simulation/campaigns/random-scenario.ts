import type { EndReason } from "../../domain/call/end-reason.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { withCallbacks } from "./random-callbacks.ts";
import { withPermission } from "./random-permission.ts";
import { withPolicies } from "./random-policies.ts";
import { withRetryPlan } from "./random-retry-plan.ts";
import {
  type CarrierFaults,
  NO_FAULTS,
  type ReceiverFaults,
  type Scenario,
  type ScenarioAction,
  type ScenarioContact,
} from "./scenario.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Share of campaigns (without a window) whose webhooks are delivered: the delivery loop polls four times a
 * second, which makes a run ten times as long.
 */
const DELIVERED = 0.02;

/**
 * Share of campaigns (with a window) whose two processes renew their leases every 15 s, also while
 * the window is closed.
 */
const SHORT_LEASE = 0.1;

/** Share of campaigns with a start time. */
const STARTS_BY_ITSELF = 0.1;

/** Share of campaigns whose number is moved between two connections. */
const TWO_CARRIERS = 0.3;

/** Share of campaigns whose user pauses them, changes what they say and from where, and resumes them. */
const OTHER_TEXTS = 0.15;

/** Share of campaigns that name the ends after which they call again. */
const FEWER_REASONS = 0.2;
const FEWER: readonly [readonly EndReason[], ...(readonly EndReason[])[]] = [
  [],
  ["busy"],
  ["no_answer", "not_placed"],
];

/** Share of campaigns in which many ask never to be called again; in the others few of those who talk do. */
const MANY_OPT_OUTS = 0.15;
const FEW_OPT_OUTS = 1 / 50;

/** Share of campaigns with few opt-outs beside which a second one runs. */
const SECOND_CAMPAIGNS = 0.05;

/** Share of the numbers listed by hand, or called beside the campaign, that are taken off the list later. */
const TAKEN_OFF = 0.4;
/** Campaigns whose assistants ask after a call what it brought home. */
const ANALYSED = 0.3;

/** Zones with daylight saving of every kind, and one without. */
const ZONES = [
  "Europe/Istanbul",
  "America/New_York",
  "Europe/Lisbon",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "Pacific/Apia",
] as const;

/** Days around which clocks change somewhere. */
const DAYS = [
  "2026-03-08",
  "2026-03-29",
  "2026-04-05",
  "2026-10-04",
  "2026-10-25",
  "2026-11-01",
  "2026-09-01",
] as const;

/** A small campaign with all of its faults drawn from the seed. */
export function randomScenario(seed: number): Scenario {
  const random = seededRandom(seed, "scenario");
  const faulty = random.chance(0.8);
  const calmAt = random.between(5, 40) * MINUTE;
  const contacts = contactsOf(random, random.chance(0.1) ? random.between(6, 20) : random.between(1, 5), 0);
  const scenario = {
    seed,
    startMillis: Date.parse(`${random.pick(DAYS)}T00:00:00Z`) + random.between(0, 24 * HOUR - 1),
    contacts,
    timezone: random.pick(ZONES),
    window: windowOf(random),
    maxConcurrentCalls: random.chance(0.5) ? random.between(1, 4) : null,
    maxRetries: random.between(1, 3),
    retryIntervalMins: random.between(1, 10),
    planConcurrentCalls: random.between(1, 8),
    planCallsPerSecond: random.pick([1, 2, 10, 50]),
    paidCalls: random.chance(0.2) ? random.between(1, 4) : 100,
    maxDurationSeconds: random.between(20, 120),
    faults: faulty ? faultsOf(random) : NO_FAULTS,
    actions: random.chance(0.6) ? actionsOf(random, contacts.length, calmAt) : [],
    crashes: Array.from(
      {
        length: random.weighted(
          [
            [0, 3],
            [1, 3],
            [2, 2],
            [3, 2],
          ],
          0,
        ),
      },
      () => random.between(1, 150),
    ),
    restartMillis: Array.from({ length: 3 }, () => random.pick([1, 200, 5_000, 40_000, 5 * MINUTE])),
    processes: random.chance(0.2) ? 2 : 1,
    calmAt,
  } as const;
  const isDelivered = scenario.window === null && random.chance(DELIVERED);
  const receiver = isDelivered ? receiverOf(random) : null;
  const isShort = scenario.window === null || random.chance(SHORT_LEASE);
  const leaseMillis = (isShort ? 1 : 10) * MINUTE;
  const startAtMillis = startAtOf(seed, scenario);
  const retryOn = retryOnOf(seed);
  const { optOuts, listens, calls } = optOutsOf(seed, scenario);
  const listed = [...scenario.actions, ...calls];
  const actions = [...listed, ...takenOffOf(seed, listed, scenario)].toSorted((a, b) => a.at - b.at);
  const analyses = analysesOf(seed, receiver !== null);
  const none = { secondFaults: null, retryPlan: null, callbacks: null, address: null };
  const drawn = { ...scenario, actions, optOuts, listens, analyses, ...none };
  const secondCampaign = secondCampaignOf(seed, drawn);
  const whole = { ...drawn, secondCampaign, receiver, leaseMillis, startAtMillis, retryOn };
  const called = withCallbacks(withRetryPlan(withOtherTexts(withSecondCarrier(whole))));
  return withPermission(withPolicies(called));
}

/** Drawn separately, as `startAtOf`. */
function retryOnOf(seed: number): Scenario["retryOn"] {
  const random = seededRandom(seed, "retried reasons");
  return random.chance(FEWER_REASONS) ? random.pick(FEWER) : null;
}

/**
 * Drawn separately, as `startAtOf`: one in fifty asks never to be called again; in some campaigns most do,
 * while their numbers are also called outside of it.
 */
function optOutsOf(
  seed: number,
  { contacts, calmAt }: Pick<Scenario, "contacts" | "calmAt">,
): Pick<Scenario, "optOuts" | "listens"> & { readonly calls: readonly ScenarioAction[] } {
  const random = seededRandom(seed, "opt-outs");
  const listens = random.chance(0.9);
  if (!random.chance(MANY_OPT_OUTS)) return { optOuts: FEW_OPT_OUTS, listens, calls: [] };
  const calls = Array.from({ length: random.between(1, 6) }, () => ({
    at: random.chance(0.8) ? random.between(0, 120_000) : random.between(0, calmAt - 1),
    kind: "call" as const,
    contact: random.between(0, contacts.length - 1),
  }));
  return { optOuts: random.pick([0.3, 0.8]), listens, calls };
}

/**
 * Drawn separately, as `startAtOf`: numbers that may be on the do-not-call list are taken off it, and mostly
 * called again.
 */
function takenOffOf(
  seed: number,
  actions: readonly ScenarioAction[],
  { calmAt }: Pick<Scenario, "calmAt">,
): readonly ScenarioAction[] {
  const random = seededRandom(seed, "taken off");
  return actions.flatMap((action): readonly ScenarioAction[] => {
    if ((action.kind !== "suppress" && action.kind !== "call") || !random.chance(TAKEN_OFF)) return [];
    const { contact } = action;
    const latest = random.chance(0.7) ? Math.min(calmAt, action.at + 120_000) : calmAt;
    const at = random.between(action.at, latest - 1);
    const calls = Array.from({ length: random.between(0, 2) }, () => random.between(at, calmAt - 1));
    return [
      { at, kind: "take off", contact },
      ...calls.map((at) => ({ at, kind: "call", contact }) as const),
    ];
  });
}

/** Drawn separately, as `startAtOf`: mostly of numbers of the first campaign, soon after its start. */
function secondCampaignOf(
  seed: number,
  { contacts, optOuts, calmAt }: Pick<Scenario, "contacts" | "optOuts" | "calmAt">,
): Scenario["secondCampaign"] {
  const random = seededRandom(seed, "second campaign");
  if (!random.chance(optOuts > FEW_OPT_OUTS ? 0.5 : SECOND_CAMPAIGNS)) return null;
  const same = contacts.slice(0, 5).filter(() => random.chance(0.7));
  const others = contactsOf(random, random.between(same.length === 0 ? 1 : 0, 2), 60);
  const at = random.chance(0.7) ? random.between(0, 120_000) : random.between(0, calmAt - 1);
  return { at: Math.min(at, calmAt - 1), contacts: [...others, ...same] };
}

/** Drawn separately, as `startAtOf`. Deliveries are polled for, so nobody waits hours for a model then. */
function analysesOf(seed: number, isDelivered: boolean): Scenario["analyses"] {
  const random = seededRandom(seed, "analyses");
  if (!random.chance(ANALYSED)) return null;
  const some = (most: number) => (random.chance(0.5) ? random.fraction() * most : 0);
  const drawn = { fails: some(0.6), silent: some(0.2), wrong: some(0.5) };
  const faults = { ...drawn, atOnce: random.chance(0.5) };
  return isDelivered ? { ...faults, fails: 0, silent: 0 } : faults;
}

/** Drawn separately, as `startAtOf`. */
function withSecondCarrier(scenario: Scenario): Scenario {
  const random = seededRandom(scenario.seed, "second carrier");
  if (!random.chance(TWO_CARRIERS)) return scenario;
  const { faults, calmAt, actions } = scenario;
  const some = (most: number) => (random.chance(0.5) ? random.fraction() * most : 0);
  const moves = Array.from({ length: random.between(1, 4) }, () => moveOf(random, calmAt));
  return {
    ...scenario,
    faults: faults === NO_FAULTS ? NO_FAULTS : { ...faults, throttled: some(0.4), neverDialled: some(1) },
    secondFaults: { ...faultsOf(random), throttled: some(0.6), neverDialled: some(1) },
    actions: [...actions, { at: 1, kind: "connection", second: true } as const, ...moves].toSorted(
      (a, b) => a.at - b.at,
    ),
  };
}

/** Drawn separately, as `startAtOf`. */
function withOtherTexts(scenario: Scenario): Scenario {
  const random = seededRandom(scenario.seed, "other texts");
  if (!random.chance(OTHER_TEXTS)) return scenario;
  const changes = Array.from({ length: random.between(1, 3) }, (_, round): ScenarioAction[] => {
    const at = random.between(0, random.chance(0.7) ? 90_000 : scenario.calmAt - 1);
    const changed = at + random.between(0, 3_000);
    return [
      { at, kind: "pause" },
      { at: changed, kind: "change texts", round },
      { at: changed + random.between(0, 20_000), kind: "resume" },
    ];
  });
  return { ...scenario, actions: [...scenario.actions, ...changes.flat()].toSorted((a, b) => a.at - b.at) };
}

function moveOf(random: SeededRandom, calmAt: number): ScenarioAction {
  const at = random.chance(0.6) ? random.between(0, 90_000) : random.between(0, calmAt - 1);
  const what = random.fraction();
  if (what < 0.6) return { at, kind: "connection", second: random.chance(0.5) };
  if (what > 0.85) return { at, kind: "second carrier replaced" };
  return { at, kind: "second carrier away", millis: random.pick([5_000, 60_000, 8 * MINUTE]) };
}

/** Drawn separately, so that the rest of every seed stays the same. */
function startAtOf(
  seed: number,
  { startMillis, calmAt }: Pick<Scenario, "startMillis" | "calmAt">,
): number | null {
  const random = seededRandom(seed, "start");
  return random.chance(STARTS_BY_ITSELF) ? startMillis + random.between(0, calmAt) : null;
}

function receiverOf(random: SeededRandom): ReceiverFaults {
  const some = () => (random.chance(0.5) ? random.fraction() * 0.4 : 0);
  return { unreachable: some(), refuses: some(), answerLost: some() };
}

function contactsOf(random: SeededRandom, count: number, from: number): ScenarioContact[] {
  const some = random.chance(0.3);
  return Array.from({ length: count }, (_, index) => ({
    phoneNumber: numberOf(from + (random.chance(0.1) && index > 0 ? index - 1 : index)),
    timezone: some && random.chance(0.4) ? random.pick(ZONES) : null,
  }));
}

function numberOf(index: number): PhoneNumber {
  return `+120255501${String(index).padStart(2, "0")}`;
}

function windowOf(random: SeededRandom): Scenario["window"] {
  if (random.chance(0.5)) return null;
  const start = random.between(0, 23);
  return { start, end: (start + random.between(1, 23)) % 24 };
}

function faultsOf(random: SeededRandom): CarrierFaults {
  const some = (most: number) => (random.chance(0.5) ? random.fraction() * most : 0);
  return {
    slowAccept: some(0.5),
    replyLost: some(0.4),
    requestLost: some(0.3),
    refusedConnection: some(0.4),
    callbackLost: some(0.4),
    callbackTwice: some(0.5),
    callbackLate: some(0.4),
    silent: some(0.4),
    hangUpUnknown: some(0.8),
    lookupUnavailable: some(0.8),
    throttled: 0,
    neverDialled: 0,
  };
}

function actionsOf(random: SeededRandom, contacts: number, calmAt: number): ScenarioAction[] {
  const when = () => (random.chance(0.5) ? random.between(0, 90_000) : random.between(0, calmAt - 1));
  return Array.from({ length: random.between(1, 5) }, () => actionOf(random, when(), contacts)).toSorted(
    (a, b) => a.at - b.at,
  );
}

type Kind = Exclude<
  ScenarioAction["kind"],
  | "call"
  | "take off"
  | "change plan"
  | "change texts"
  | "list"
  | "address away"
  | "connection"
  | "second carrier away"
  | "second carrier replaced"
  | "policy"
>;
const KINDS: readonly (readonly [Kind, number])[] = [
  ["pause", 5],
  ["resume", 5],
  ["cancel", 1],
  ["suppress", 3],
  ["skip", 2],
  ["add contacts", 2],
  ["change settings", 2],
  ["number", 2],
  ["assistant", 2],
  ["top up", 1],
  ["clock step", 2],
  ["carrier away", 3],
  ["kill", 3],
];

function actionOf(random: SeededRandom, at: number, contacts: number): ScenarioAction {
  const kind = random.weighted(KINDS, "pause");
  const contact = random.between(0, contacts - 1);
  switch (kind) {
    case "pause":
    case "resume":
    case "kill":
      return { at, kind };
    case "cancel":
      return { at, kind, hangUpActiveCalls: random.chance(0.5) };
    case "suppress":
    case "skip":
      return { at, kind, contact };
    case "add contacts":
      return { at, kind, contacts: contactsOf(random, random.between(1, 3), 40) };
    case "change settings":
      return { at, kind, maxConcurrentCalls: random.between(1, 5), maxRetries: random.between(1, 4) };
    case "number":
    case "assistant":
      return { at, kind, usable: random.chance(0.5) };
    case "top up":
      return { at, kind, calls: random.between(1, 5) };
    case "clock step":
      return { at, kind, millis: random.pick([-5 * MINUTE, 2 * HOUR, 30_000, -1_000]) };
    case "carrier away":
      return { at, kind, millis: random.pick([5_000, 60_000, 8 * MINUTE]) };
  }
}
