import type { Policy } from "../../domain/policy/policy.ts";
import { NO_FAULTS, type Scenario } from "./scenario.ts";

const MINUTE = 60_000;

const PLAIN: Scenario = {
  seed: 1,
  startMillis: Date.parse("2026-10-25T00:30:00.000Z"),
  startAtMillis: null,
  contacts: [
    { phoneNumber: "+12025550100", timezone: null },
    { phoneNumber: "+12025550101", timezone: null },
  ],
  secondCampaign: null,
  timezone: "Europe/Lisbon",
  window: null,
  maxConcurrentCalls: null,
  maxRetries: 1,
  retryIntervalMins: 1,
  retryOn: null,
  retryPlan: null,
  planConcurrentCalls: 4,
  planCallsPerSecond: 10,
  paidCalls: 100,
  maxDurationSeconds: 60,
  listens: true,
  optOuts: 0,
  callbacks: null,
  analyses: null,
  address: null,
  faults: NO_FAULTS,
  secondFaults: null,
  actions: [],
  crashes: [],
  restartMillis: [200],
  processes: 1,
  leaseMillis: MINUTE,
  calmAt: 20 * MINUTE,
  receiver: null,
};

const NOTHING_BUT_ONE_CALL: Policy = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: true,
  exceptSingleCalls: false,
};

/** Small campaigns with different risks: every place at which a process can die is tried in them. */
export const REFERENCE_SCENARIOS = {
  "two calls and their retries": PLAIN,
  "replies of the carrier are lost": {
    ...PLAIN,
    faults: { ...NO_FAULTS, replyLost: 0.7, callbackLost: 0.3, lookupUnavailable: 0.3 },
  },
  "moved to a second connection": {
    ...PLAIN,
    seed: 4,
    faults: { ...NO_FAULTS, replyLost: 0.5 },
    secondFaults: { ...NO_FAULTS, throttled: 0.5 },
    actions: [{ at: 1, kind: "connection", second: true }],
  },
  "people who ask never to be called again": {
    ...PLAIN,
    seed: 5,
    contacts: PLAIN.contacts.slice(0, 1),
    optOuts: 1,
    actions: [
      { at: 1, kind: "call", contact: 0 },
      { at: 21_000, kind: "take off", contact: 0 },
    ],
    secondCampaign: { at: 22_000, contacts: PLAIN.contacts.slice(0, 1) },
  },
  "people who ask to be called again": {
    ...PLAIN,
    seed: 7,
    contacts: [
      { phoneNumber: "+12025550100", timezone: null },
      { phoneNumber: "+12025550100", timezone: null },
    ],
    callbacks: { maxDays: 14, maxPerContact: 1, asked: 1 },
  },
  "a policy over two campaigns, changed meanwhile": {
    ...PLAIN,
    seed: 9,
    contacts: [{ phoneNumber: "+905321234500", timezone: null }],
    maxRetries: 0,
    secondCampaign: { at: 5_000, contacts: [{ phoneNumber: "+905321234500", timezone: null }] },
    actions: [
      { at: 1, kind: "policy", policy: { ...NOTHING_BUT_ONE_CALL, attemptsPerNumber: { day: 1 } } },
      { at: 90_000, kind: "policy", policy: NOTHING_BUT_ONE_CALL },
    ],
  },
  "a policy that closes while calls wait for their turn": {
    ...PLAIN,
    seed: 10,
    contacts: Array.from({ length: 2 }, (_, index) => ({
      phoneNumber: `+90532123450${index}` as const,
      timezone: null,
    })),
    maxRetries: 0,
    planCallsPerSecond: 1,
    restartMillis: [6_000],
    actions: [
      { at: 500, kind: "policy", policy: { ...NOTHING_BUT_ONE_CALL, callableHours: { start: 4, end: 20 } } },
    ],
    calmAt: 60 * MINUTE,
  },
  "calls that are analysed": {
    ...PLAIN,
    seed: 6,
    analyses: { fails: 0.3, silent: 0.1, wrong: 0.3, atOnce: false },
  },
  "calls that are analysed at once": {
    ...PLAIN,
    seed: 8,
    contacts: PLAIN.contacts.slice(0, 1),
    callbacks: { maxDays: 14, maxPerContact: 1, asked: 1 },
    analyses: { fails: 0, silent: 0, wrong: 0.2, atOnce: true },
  },
  "a carrier that begins anew": {
    ...PLAIN,
    contacts: PLAIN.contacts.slice(0, 1),
    maxRetries: 0,
    secondFaults: { ...NO_FAULTS, replyLost: 1, callbackLost: 1 },
    actions: [
      { at: 1, kind: "connection", second: true },
      { at: 3_000, kind: "second carrier replaced" },
    ],
  },
  "paused, resumed, cancelled with a hang-up": {
    ...PLAIN,
    actions: [
      { at: 2_000, kind: "pause" },
      { at: 40_000, kind: "resume" },
      { at: 62_000, kind: "cancel", hangUpActiveCalls: true },
    ],
  },
  "window, credits and a cap of one": {
    ...PLAIN,
    window: { start: 1, end: 2 },
    maxConcurrentCalls: 1,
    paidCalls: 1,
    actions: [{ at: 30_000, kind: "top up", calls: 50 }],
  },
  "started by itself": {
    ...PLAIN,
    startAtMillis: PLAIN.startMillis + 20_000,
    contacts: PLAIN.contacts.slice(0, 1),
    maxRetries: 0,
  },
  "one call and its webhooks": {
    ...PLAIN,
    contacts: PLAIN.contacts.slice(0, 1),
    maxRetries: 0,
    receiver: { unreachable: 0.2, refuses: 0.2, answerLost: 0.2 },
  },
} satisfies Readonly<Record<string, Scenario>>;
