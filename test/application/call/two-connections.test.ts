import { describe, expect, it } from "vitest";
import type { Carrier, CarrierCall, PlaceCall, PlaceCallResult } from "../../../application/ports/carrier.ts";
import type { Carriers } from "../../../application/ports/carriers.ts";
import type { CarrierIdentity } from "../../../domain/call/carrier-identity.ts";
import type { ConnectionId } from "../../../domain/shared/ids.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  openEvents,
  PHONE_NUMBER,
  pass,
  QUIET_CARRIER,
  type Stores,
  sharedStores,
  typesOf,
  until,
} from "../engine-world.ts";

const MINUTE = 60_000;
const SECOND: ConnectionId = "conn_2";
const UNREACHED: PlaceCallResult = {
  kind: "rejected",
  endReason: "not_placed",
  carrierCode: null,
  message: "refused",
  noAnswerAtAll: true,
};

/** A carrier that takes every call, and keeps what it was asked. */
function carrierNamed(instance: string, changes: Partial<Carrier> = {}) {
  const placed: PlaceCall[] = [];
  const asked: CarrierCall[] = [];
  const carrier: Carrier = {
    ...QUIET_CARRIER,
    instance: async () => instance,
    placeCall: async (call) => {
      placed.push(call);
      return { kind: "accepted", carrierRef: `${instance}-${placed.length}` };
    },
    hangUp: async (call) => {
      asked.push(call);
      return "done";
    },
    ...changes,
  };
  return { carrier, placed, asked };
}

/** `second` null: the connection is not configured (any more). */
function carriersOf(own: Carrier, second: Carrier | null): Carriers {
  const behind = (connectionId: ConnectionId | null) => (connectionId === null ? own : second);
  const routeKeyOf: Carriers["routeKeyOf"] = (owner, connectionId) => ({
    key: connectionId ?? "simulated",
    owner,
    connectionId,
  });
  return {
    routeKeyOf,
    route: async (owner, connectionId) => {
      const carrier = behind(connectionId);
      const routeKey = routeKeyOf(owner, connectionId);
      const turn = {
        key: routeKey.key,
        kind: "simulated" as const,
        audio: false,
        callsPerSecond: null,
        maxConcurrentCalls: null,
      };
      return carrier === null ? null : { ...routeKey, carrier, turn };
    },
    dialledOn: async (_owner, identity) => behind(identity?.connectionId ?? null),
    every: async () => [],
  };
}

const REQUEST = {
  phoneNumberId: PHONE_NUMBER,
  assistantId: ASSISTANT,
  squadId: null,
  to: "+12025550100",
  greetingMessage: null,
  specialInstructions: null,
  metadata: {},
} as const;

const through = (stores: Stores, connectionId: ConnectionId | null) =>
  stores.directory.setPhoneNumber(OWNER, PHONE_NUMBER, {
    phoneNumber: "+15005550000",
    active: true,
    connectionId,
  });

let calls = 0;
function callNow(stores: Stores, { useCases }: ReturnType<typeof engineProcess>) {
  calls += 1;
  const reservedCallId = `call_${calls}` as const;
  return until(stores, useCases.startOutboundCall(CALLER, { ...REQUEST, reservedCallId }));
}
const lastStream = () => `call-call_${calls}`;

function dialledOn(stores: Stores): CarrierIdentity | undefined {
  const began = openEvents(stores, lastStream()).find(({ type }) => type === "CallDialingBegan");
  return began?.data["carrier"] as CarrierIdentity | undefined;
}

describe("a call through a connection", () => {
  it("stores its far side, and is hung up there alone, also when the number was moved meanwhile", async () => {
    const stores = sharedStores();
    const [own, second] = [carrierNamed("own"), carrierNamed("there")];
    const process = engineProcess(stores, { carriers: carriersOf(own.carrier, second.carrier) });
    through(stores, SECOND);
    await callNow(stores, process);
    expect(dialledOn(stores)).toEqual({ kind: "simulated", connectionId: SECOND, instance: "there" });
    through(stores, null);
    await until(stores, process.useCases.endCall(CALLER, `call_${calls}`));
    expect([own.placed.length, own.asked.length]).toEqual([0, 0]);
    expect(second.asked.map(({ instance }) => instance)).toEqual(["there"]);
  });

  it("is not dialled while nobody knows which far side it would reach, and after five the connection is away", async () => {
    const stores = sharedStores();
    const second = carrierNamed("there", { instance: async () => null });
    const process = engineProcess(stores, {
      carriers: carriersOf(carrierNamed("own").carrier, second.carrier),
    });
    through(stores, SECOND);
    const statuses = [];
    for (let dial = 0; dial < 5; dial += 1) statuses.push(await callNow(stores, process));
    expect(statuses).toEqual(Array.from({ length: 5 }, () => expect.objectContaining({ ok: true })));
    expect(typesOf(stores, lastStream())).toEqual(["CallRequested", "CallFailed"]);
    expect(openEvents(stores, lastStream()).at(-1)?.data).toMatchObject({ endReason: "not_placed" });
    expect(second.placed).toEqual([]);
    expect(await callNow(stores, process)).toMatchObject({ refusal: { code: "CARRIER_UNAVAILABLE" } });
    through(stores, null);
    expect(await callNow(stores, process)).toMatchObject({ ok: true });
  });

  it("is refused where nothing is configured", async () => {
    const stores = sharedStores();
    const process = engineProcess(stores, { carriers: carriersOf(carrierNamed("own").carrier, null) });
    through(stores, SECOND);
    expect(await callNow(stores, process)).toMatchObject({ refusal: { code: "CONNECTION_REQUIRED" } });
  });

  it("whose connection is gone stays open while it is asked about, and is never taken for one that was not placed", async () => {
    const stores = sharedStores();
    const unknown: PlaceCallResult = { kind: "unknown", cause: "lost", noAnswerAtAll: false };
    const second = carrierNamed("there", { placeCall: async () => unknown });
    const carriers = carriersOf(
      carrierNamed("own", { lookup: async () => ({ kind: "absent" }) }).carrier,
      null,
    );
    through(stores, SECOND);
    const first = engineProcess(stores, { carriers: carriersOf(QUIET_OWN, second.carrier), works: false });
    await callNow(stores, first);
    first.stop();
    engineProcess(stores, { carriers, processId: "two" });
    await pass(stores, 9 * 60_000);
    expect(typesOf(stores, lastStream()).at(-1)).toBe("CallDialOutcomeUnknown");
    await pass(stores, 2 * 60_000);
    expect(openEvents(stores, lastStream()).at(-1)?.data).toMatchObject({ endReason: "outcome_unknown" });
  });
});

const QUIET_OWN = carrierNamed("own").carrier;

describe("back-pressure of a carrier", () => {
  it("ends the call as not placed, and slows down its connection until a dial that began later is taken", async () => {
    const stores = sharedStores();
    const told: unknown[] = [];
    const admission = {
      ...stores.admission,
      slowDown: async (key: string, millis: number) => void told.push(["slow", key, millis]),
      tookDial: async (key: string) => void told.push(["took", key]),
    };
    const answers: PlaceCallResult[] = [{ kind: "throttled", retryAfterMillis: 2_000 }];
    const second = carrierNamed("there", {
      placeCall: async () => answers.shift() ?? { kind: "accepted", carrierRef: "taken" },
    });
    const process = engineProcess(
      { ...stores, admission },
      { carriers: carriersOf(QUIET_OWN, second.carrier) },
    );
    through(stores, SECOND);
    await callNow(stores, process);
    expect(openEvents(stores, lastStream()).at(-1)?.data).toMatchObject({ endReason: "not_placed" });
    expect(process.connections()).toEqual({ [SECOND]: "slowed" });
    await callNow(stores, process);
    await callNow(stores, process);
    expect(told).toEqual([
      ["slow", SECOND, 2_000],
      ["took", SECOND],
      ["took", SECOND],
    ]);
    expect(process.connections()).toEqual({});
  });

  it("is over with a dial that the carrier refuses by a code of its own, and not with one that never left", async () => {
    const stores = sharedStores();
    const refused = { ...UNREACHED, noAnswerAtAll: false };
    const answers: PlaceCallResult[] = [
      { kind: "throttled", retryAfterMillis: 1_000 },
      refused,
      { ...refused, endReason: "invalid_number", carrierCode: "21211" },
    ];
    const own = carrierNamed("own", { placeCall: async () => answers.shift() ?? UNREACHED });
    const process = engineProcess(stores, { carriers: carriersOf(own.carrier, null) });
    await callNow(stores, process);
    await callNow(stores, process);
    expect(process.connections()).toEqual({ simulated: "slowed" });
    await callNow(stores, process);
    expect(process.connections()).toEqual({});
  });

  it("is no silence: five in a row leave the connection available, five refused connections do not", async () => {
    const stores = sharedStores();
    let answer: PlaceCallResult = { kind: "throttled", retryAfterMillis: 1_000 };
    const own = carrierNamed("own", { placeCall: async () => answer });
    const process = engineProcess(stores, { carriers: carriersOf(own.carrier, null) });
    // Each is dialled when the pause that the one before it was answered is over.
    for (let dial = 0; dial < 5; dial += 1) await callNow(stores, process);
    await pass(stores, MINUTE);
    expect(process.connections()).toEqual({ simulated: "slowed" });
    answer = UNREACHED;
    for (let dial = 0; dial < 5; dial += 1) await callNow(stores, process);
    expect(process.connections()).toEqual({ simulated: "unavailable" });
  });
});

describe("a look-up that proves that nobody was rung", () => {
  it("ends the call as not placed, without an unknown outcome", async () => {
    const stores = sharedStores();
    const own = carrierNamed("own", {
      placeCall: async () => ({ kind: "unknown", cause: "lost", noAnswerAtAll: false }),
      lookup: async () => ({ kind: "never_dialled", proof: "no note, and up since before the dial" }),
    });
    const process = engineProcess(stores, { carriers: carriersOf(own.carrier, null) });
    await callNow(stores, process);
    await pass(stores, 21_000);
    expect(openEvents(stores, lastStream()).at(-1)?.data).toMatchObject({
      endReason: "not_placed",
      error: { message: "no note, and up since before the dial" },
    });
  });
});
