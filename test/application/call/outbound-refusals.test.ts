import { describe, expect, it } from "vitest";
import type { SingleCallRequest } from "../../../application/call/single-call.ts";
import type { Carrier } from "../../../application/ports/carrier.ts";
import { creditsToUnits } from "../../../domain/shared/credits.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  PHONE_NUMBER,
  QUIET_CARRIER,
  type Stores,
  sharedStores,
  until,
  type WorldOptions,
} from "../engine-world.ts";

const TO = "+12025550100";
const CREDITS = "Not enough credits for one minute of a call";
const CARRIER_AWAY = { kind: "unknown", cause: "no answer", noAnswerAtAll: true } as const;
const NO_LINE = "The connection takes no further call at the moment";

function world(options: WorldOptions = {}) {
  const stores = sharedStores(options);
  const one = engineProcess(stores, { ...options, works: false });
  const call = (more: Pick<SingleCallRequest, "timezone" | "consent"> = {}) =>
    until(
      stores,
      one.useCases.startOutboundCall(CALLER, {
        reservedCallId: null,
        phoneNumberId: PHONE_NUMBER,
        assistantId: ASSISTANT,
        squadId: null,
        to: TO,
        greetingMessage: null,
        specialInstructions: null,
        metadata: {},
        ...more,
      }),
    );
  return { stores, call };
}

type Call = ReturnType<typeof world>["call"];
async function refusalOf(call: Call) {
  const outcome = await call();
  return outcome.ok ? "made" : [outcome.refusal.code, outcome.refusal.message];
}

const CARRIER: Carrier = {
  ...QUIET_CARRIER,
  placeCall: async () => ({ kind: "accepted", carrierRef: "ref" }),
};

/** One way that every call goes, with limits of its own; null: the number calls through nothing. */
function carriersWith(turn: { readonly maxConcurrentCalls: number } | null) {
  const carriers = oneCarrier(CARRIER);
  const route: typeof carriers.route = async (...routeKey) => {
    const found = await carriers.route(...routeKey);
    return turn === null || found === null ? null : { ...found, turn: { ...found.turn, ...turn } };
  };
  return { ...carriers, route };
}

it.each<[string, string, WorldOptions, (stores: Stores) => void]>([
  [
    "RECIPIENT_SUPPRESSED",
    "The number is on the do-not-call list",
    {},
    ({ directory }) => directory.suppress(OWNER, TO),
  ],
  ["INSUFFICIENT_CREDITS", CREDITS, { credits: 0 }, () => undefined],
  [
    "CONCURRENCY_LIMIT_REACHED",
    "The plan's limit of concurrent calls is reached",
    { planConcurrentCalls: 0 },
    () => undefined,
  ],
  [
    "CONCURRENCY_LIMIT_REACHED",
    "The service holds no further conversation at the moment",
    {},
    ({ admission }) => admission.setCapacity({ text: 0, audio: 0 }),
  ],
  [
    "CONCURRENCY_LIMIT_REACHED",
    NO_LINE,
    { carriers: carriersWith({ maxConcurrentCalls: 0 }) },
    () => undefined,
  ],
  [
    "CONNECTION_REQUIRED",
    "The number calls through nothing: give it a connectionId",
    { carriers: carriersWith(null) },
    () => undefined,
  ],
  [
    "CARRIER_UNAVAILABLE",
    "Nobody can be called at the moment: No events come from Asterisk",
    { carriers: oneCarrier({ ...CARRIER, refuses: async () => "No events come from Asterisk" }) },
    () => undefined,
  ],
])("a call is refused as %s: %s", async (code, message, options, prepare) => {
  const { stores, call } = world(options);
  prepare(stores);
  expect(await refusalOf(call)).toEqual([code, message]);
  expect(stores.database.events).toEqual([]);
});

it("a call is refused when the plan's tokens of language models are used up", async () => {
  const { stores, call } = world({ tokensOfDay: async (_owner, day) => (day === "2026-09-01" ? 500 : 0) });
  const plan = { maxConcurrentCalls: 10, maxCallsPerSecond: 10, maxModelTokensPerDay: 500 };
  stores.directory.setOwner(OWNER, { active: true, plan });
  expect(await refusalOf(call)).toEqual([
    "INSUFFICIENT_CREDITS",
    "The plan's tokens of language models for this day are used up",
  ]);
});

it("a carrier that is away is told only after credits and concurrency; one minute and one free slot are enough", async () => {
  const { stores, call } = world({ credits: 6, planConcurrentCalls: 6, placeCall: async () => CARRIER_AWAY });
  for (let dial = 0; dial < 5; dial += 1) await call();
  expect(await refusalOf(call)).toEqual(["CARRIER_UNAVAILABLE", "The carrier does not answer at the moment"]);
  const plan = (maxConcurrentCalls: number) =>
    stores.directory.setOwner(OWNER, { active: true, plan: { maxConcurrentCalls, maxCallsPerSecond: 10 } });
  plan(5);
  expect(await refusalOf(call)).toEqual([
    "CONCURRENCY_LIMIT_REACHED",
    "The plan's limit of concurrent calls is reached",
  ]);
  await stores.admission.topUp(OWNER, -1, "less");
  expect(await refusalOf(call)).toEqual(["INSUFFICIENT_CREDITS", CREDITS]);
});

describe("the owner's policy", () => {
  /** Somebody else's call to the number is under way, and takes a slot and a minute. */
  const inACall = async ({ policies, admission }: Stores): Promise<void> => {
    const rules = { callableHours: null, attemptsPerNumber: null, exceptSingleCalls: false };
    await policies.store(OWNER, 3, { ...rules, oneCallAtATime: true });
    const candidates = [{ callId: "call_live", phoneNumber: TO, windowClosesAt: null }] as const;
    const unlimited = { maxConcurrentCalls: null, maxCallsPerSecond: null, connection: null };
    const price = creditsToUnits(1);
    await admission.admit({
      owner: OWNER,
      campaignId: null,
      candidates,
      pricePerMinute: price,
      ...unlimited,
    });
  };
  const refusedForTokens = async () => 500;

  it.each<[string, WorldOptions]>([
    ["credits", { credits: 1 }],
    ["the plan's concurrency", { planConcurrentCalls: 1 }],
    ["tokens of language models", { tokensOfDay: refusedForTokens }],
    ["a number that calls through nothing", { carriers: carriersWith(null) }],
    ["a connection that is full", { carriers: carriersWith({ maxConcurrentCalls: 0 }) }],
  ])("refuses a call before %s", async (_what, options) => {
    const { stores, call } = world(options);
    await inACall(stores);
    const maxModelTokensPerDay = 500;
    const { planConcurrentCalls: maxConcurrentCalls = 10 } = options;
    const plan = { maxConcurrentCalls, maxCallsPerSecond: 10, maxModelTokensPerDay };
    stores.directory.setOwner(OWNER, { active: true, plan });
    const outcome = await call();
    expect(outcome).toEqual({
      ok: false,
      refusal: {
        code: "POLICY_REFUSED",
        message: "The policy (version 3) does not allow it; see details",
        details: [{ path: ["oneCallAtATime"], message: "The number is in a call", until: null }],
      },
    });
    expect(stores.database.events).toEqual([]);
  });

  it("says the local time and when it is allowed again, in plain words", async () => {
    const { stores, call } = world();
    const hours = { start: 9, end: 12 };
    const rules = { callableHours: hours, attemptsPerNumber: { day: 1 }, exceptSingleCalls: false };
    await stores.policies.store(OWNER, 3, { ...rules, oneCallAtATime: false });
    const asked = { timezone: "Europe/Istanbul" };
    expect((await call(asked)).ok).toBe(false);
    await stores.policies.store(OWNER, 4, { ...rules, callableHours: null, oneCallAtATime: false });
    expect((await call(asked)).ok).toBe(true);
    await stores.policies.store(OWNER, 5, { ...rules, oneCallAtATime: false });
    const outcome = await call(asked);
    expect(outcome.ok ? [] : outcome.refusal.details.map(({ message }) => message)).toEqual([
      "At most 1 dial a day: 1 so far; allowed from 2026-09-01T21:00Z on",
      "People are called 09:00–12:00, and it is 13:00 on 2026-09-01 (UTC+03:00) where this one may be; allowed from 2026-09-02T06:00Z on",
    ]);
  });

  it("refuses a call after the do-not-call list", async () => {
    const { stores, call } = world();
    await inACall(stores);
    stores.directory.suppress(OWNER, TO);
    expect(await refusalOf(call)).toEqual(["RECIPIENT_SUPPRESSED", "The number is on the do-not-call list"]);
  });

  it("asks for a consent that counts; one of the future is none, whatever the policy says", async () => {
    const { stores, call } = world();
    const rules = { callableHours: null, attemptsPerNumber: null, exceptSingleCalls: false };
    await stores.policies.store(OWNER, 3, { ...rules, oneCallAtATime: false, requireConsent: true });
    const consent = { source: "Web form", at: stores.clock.now(), reference: "crm/4711" } as const;
    const ahead = { ...consent, at: plusMillis(consent.at, 61_000) };
    expect(await refusalOf(() => call())).toMatchObject(["POLICY_REFUSED", expect.any(String)]);
    expect(await call({ consent: ahead })).toMatchObject({
      refusal: { code: "VALIDATION_ERROR", details: [{ path: ["consent", "at"] }] },
    });
    expect(stores.database.events).toEqual([]);
    expect((await call({ consent })).ok).toBe(true);
    expect(stores.database.events[0]?.data).toMatchObject({
      consent: { source: null, at: consent.at },
      evidence: { checks: [{ rule: "consent", value: consent.at, limit: null }] },
    });
  });

  it("is the evidence of a call that it allows", async () => {
    const { stores, call } = world();
    await inACall(stores);
    await stores.admission.close([{ callId: "call_live", cost: 0 }]);
    expect((await call()).ok).toBe(true);
    const [requested] = stores.database.events;
    expect(requested?.data["evidence"]).toMatchObject({
      policyVersion: 3,
      checks: [{ rule: "oneCallAtATime", value: 0, limit: 1 }],
      zones: null,
    });
  });
});
