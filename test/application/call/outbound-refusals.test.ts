import { expect, it } from "vitest";
import type { Carrier } from "../../../application/ports/carrier.ts";
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
  const call = () =>
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
