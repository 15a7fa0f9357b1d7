import { beforeEach, describe, expect, it } from "vitest";
import { createCallDialing } from "../../../application/call/call-dialing.ts";
import { createCarrierHealth } from "../../../application/call/health/carrier-health.ts";
import type { Carrier, PlaceCall, PlaceCallResult } from "../../../application/ports/carrier.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { REQUEST } from "../../domain/call/example-call.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import {
  engineProcess,
  OWNER,
  openEvents,
  QUIET_CARRIER,
  type Stores,
  sharedStores,
  until,
} from "../engine-world.ts";

let stores: Stores;
let told: unknown[];
let asked: PlaceCall[];
beforeEach(() => {
  stores = sharedStores();
  told = [];
  asked = [];
});

const log =
  (level: string) =>
  (...line: unknown[]) =>
    void told.push([level, ...line]);
const logger = {
  ...silentLogger,
  debug: log("debug"),
  info: log("info"),
  warn: log("warn"),
  error: log("error"),
};

/** Dials once through such a carrier; answers what stands in the log of the call. */
async function dialled(
  answer: () => Promise<PlaceCallResult>,
  changes: Partial<Carrier> = {},
  request: Partial<typeof REQUEST> = {},
) {
  const { clock } = stores;
  const carrierHealth = createCarrierHealth();
  const dialing = createCallDialing({
    calls: engineProcess(stores, { works: false }).aggregates.calls,
    carrierHealth,
    pinnedConversations: { read: async () => null },
    clock,
    logger,
    admission: stores.admission,
    policies: stores.policies,
    lists: stores.lists,
    carriers: oneCarrier({
      ...QUIET_CARRIER,
      ...changes,
      placeCall: (call) => {
        asked.push(call);
        return answer();
      },
    }),
  });
  const now = clock.now();
  const call = { ...REQUEST, ...request, dialAt: now, dialBy: plusMillis(now, 15_000), at: now };
  const origin = { owner: OWNER, actor: "test", correlationId: "c", causationId: null };
  const begun = await until(stores, dialing.begin(call, origin, { expectNew: true, suppressed: false }));
  await until(stores, begun?.handedOver ?? Promise.resolve());
  await until(stores, dialing.allHandedOver());
  return { events: openEvents(stores, "call-call_1"), carrierHealth };
}

describe("the reply to a dial", () => {
  it.each<[PlaceCallResult, unknown, object]>([
    [
      { kind: "accepted", carrierRef: "ref" },
      ["debug", { callId: "call_1" }, "call handed over"],
      { type: "CallRinging", data: { carrierRef: "ref" } },
    ],
    [
      { kind: "rejected", endReason: "busy", carrierCode: "486", message: "Busy", noAnswerAtAll: false },
      ["info", { callId: "call_1", endReason: "busy" }, "call rejected"],
      {
        type: "CallFailed",
        data: { endReason: "busy", error: { code: "busy", message: "Busy", carrierCode: "486" } },
      },
    ],
    [
      { kind: "throttled", retryAfterMillis: 1_000 },
      [
        "info",
        { callId: "call_1", kind: "throttled", retryAfterMillis: 1_000 },
        "the carrier has too much to do",
      ],
      {
        type: "CallFailed",
        data: {
          endReason: "not_placed",
          error: { code: "not_placed", message: "The carrier has too much to do", carrierCode: null },
        },
      },
    ],
    [
      { kind: "unknown", cause: "timeout", noAnswerAtAll: true },
      ["warn", { callId: "call_1", cause: "timeout" }, "outcome of the dial unknown"],
      { type: "CallDialOutcomeUnknown", data: { cause: "timeout" } },
    ],
  ])("is recorded and named: $kind", async (result, line, event) => {
    const { events } = await dialled(async () => result);
    expect(events.at(-1)).toMatchObject({ ...event, metadata: { actor: "process:call-dialing" } });
    expect(told).toEqual([line]);
  });

  it("that never comes is left to the watchdog, and named", async () => {
    const error = new Error("broken");
    const { events } = await dialled(() => Promise.reject(error));
    expect(events.at(-1)?.type).toBe("CallDialingBegan");
    expect(told).toEqual([
      ["error", { callId: "call_1", error }, "hand-over not recorded; the watchdog looks the call up"],
    ]);
  });
});

describe("a dial", () => {
  const accepted = async () => ({ kind: "accepted", carrierRef: "ref" }) as const;

  it("is asked for with everything that the carrier needs", async () => {
    await dialled(accepted);
    expect(asked).toEqual([
      {
        callId: "call_1",
        owner: "usr_1",
        assistantName: "Ada",
        from: "+15005550100",
        to: "+14155550101",
        ringTimeoutSeconds: 45,
        maxDurationSeconds: 600,
        voicemailPolicy: "hang_up",
        recorded: true,
        dialBy: plusMillis(REQUEST.at, 15_000),
      },
    ]);
  });

  it.each([
    ["conn_1", "asterisk", "conn_1"],
    ["conn_1", "phone", null],
    ["conn_default_asterisk", "asterisk", null],
    [null, "simulated", null],
  ] as const)("through %s of an %s is recorded as %s", async (connectionId, kind, recorded) => {
    const request = connectionId === null ? {} : { connectionId };
    const { events } = await dialled(accepted, { kind }, request);
    const began = events.find(({ type }) => type === "CallDialingBegan");
    expect(began?.data["carrier"]).toEqual({ kind, connectionId: recorded, instance: "here" });
  });

  it("to a far side that cannot be told is not made; five of them in a row count as a carrier that is away", async () => {
    const error = new Error("away");
    const { events, carrierHealth } = await dialled(accepted, { instance: () => Promise.reject(error) });
    expect(asked).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(["CallRequested", "CallFailed"]);
    expect(told).toEqual([
      ["error", { connection: "simulated", error }, "a carrier failed to tell its far side"],
    ]);
    expect(carrierHealth.unavailable("simulated")).toBe(false);
    const routeKey = { key: "simulated", owner: OWNER, connectionId: null };
    for (let dial = 0; dial < 4; dial += 1) carrierHealth.sawNobody(routeKey);
    expect(carrierHealth.unavailable("simulated")).toBe(true);
  });
});
