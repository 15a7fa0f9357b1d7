import { beforeEach, describe, expect, it } from "vitest";
import { createCarrierEventSink } from "../../../application/call/carrier-events.ts";
import type { CarrierEvent } from "../../../application/ports/carrier.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  PHONE_NUMBER,
  QUIET_CARRIER,
  type Stores,
  sharedStores,
  typesOf,
  until,
} from "../engine-world.ts";

const CALL: CallId = "call_1";
const STREAM = `call-${CALL}`;

let stores: Stores;
let one: ReturnType<typeof engineProcess>;
let told: unknown[][];
let failure: Error | null;
let unreadable: Error | null;
beforeEach(() => {
  stores = sharedStores();
  one = engineProcess(stores, { works: false });
  told = [];
  failure = null;
  unreadable = null;
});

/** Another process, to which the carrier tells its events. */
function sink() {
  const { aggregates } = engineProcess(stores, {
    processId: "other",
    works: false,
    wrapStore: (store) => ({
      ...store,
      read: async (...asked) => {
        if (unreadable !== null) throw unreadable;
        return store.read(...asked);
      },
      append: async (...asked) => {
        if (failure !== null) throw failure;
        return store.append(...asked);
      },
    }),
  });
  const logger = {
    ...silentLogger,
    warn: (...line: unknown[]) => void told.push(["warn", ...line]),
    error: (...line: unknown[]) => void told.push(["error", ...line]),
  };
  const tell = createCarrierEventSink({
    calls: aggregates.calls,
    clock: stores.clock,
    logger,
    carriers: oneCarrier(QUIET_CARRIER_THAT_DIALS_NOBODY),
  });
  return (event: CarrierEvent) => until(stores, tell(event));
}
const QUIET_CARRIER_THAT_DIALS_NOBODY = {
  ...QUIET_CARRIER,
  placeCall: () => Promise.reject(new Error("nobody asked for it")),
};

const start = () =>
  until(
    stores,
    one.useCases.startOutboundCall(CALLER, {
      reservedCallId: CALL,
      phoneNumberId: PHONE_NUMBER,
      assistantId: ASSISTANT,
      squadId: null,
      to: "+12025550100",
      greetingMessage: null,
      specialInstructions: null,
      metadata: {},
    }),
  );
const answered = (sequence: number): CarrierEvent => ({
  dedupeKey: `${CALL}/${sequence}`,
  callId: CALL,
  carrierRef: `ref-${CALL}`,
  sequence,
  occurredAt: stores.clock.now(),
  type: "answered",
  answeredBy: "human",
});

describe("an event that the carrier tells", () => {
  it("of an unknown call is named, and stored once the call is there", async () => {
    const tell = sink();
    await tell(answered(1));
    expect(told).toEqual([["warn", { callId: CALL, type: "answered" }, "carrier event of an unknown call"]]);
    await start();
    await tell(answered(2));
    expect(typesOf(stores, STREAM)).toContain("CallConnected");
  });

  it("is told again when the log failed, and is not lost then", async () => {
    await start();
    const tell = sink();
    failure = new TypeError("broken");
    await expect(tell(answered(1))).rejects.toThrow("broken");
    failure = null;
    await tell(answered(1));
    expect(typesOf(stores, STREAM)).toContain("CallConnected");
  });

  it("is given up, and named, when the log refuses it for good", async () => {
    await start();
    const tell = sink();
    failure = new EventStoreError({ kind: "too_large", what: "event", bytes: 2, limit: 1 });
    await tell(answered(1));
    expect(told).toMatchObject([
      ["error", { callId: CALL, type: "answered", error: failure }, "carrier event refused for good"],
    ]);
    expect(typesOf(stores, STREAM)).not.toContain("CallConnected");
  });

  it("of a line that is up though the call is over is named, with the carrier's own name of the line", async () => {
    await start();
    const tell = sink();
    await tell({
      ...answered(1),
      type: "ended",
      endReason: "busy",
      endedBy: null,
      answeredAt: null,
      answeredBy: null,
      recordingExpected: false,
      carrierCode: null,
    });
    expect(told).toEqual([]);
    await tell({ ...answered(2), carrierRef: "another" });
    expect(told).toMatchObject([
      [
        "warn",
        { callId: CALL, carrierRef: "another", type: "answered" },
        "line of a call that is over; the carrier is asked to hang up",
      ],
    ]);
  });
});

describe("two events of a call that are told at once", () => {
  const both = (tell: ReturnType<typeof sink>) =>
    Promise.allSettled([tell(answered(1)), tell(answered(2))]).then((told) =>
      told.map(({ status }) => status),
    );

  it("both fail when the call cannot be read, so that the carrier tells both again", async () => {
    await start();
    const tell = sink();
    unreadable = new TypeError("broken");
    expect(await both(tell)).toEqual(["rejected", "rejected"]);
    unreadable = null;
    await tell(answered(1));
    expect(typesOf(stores, STREAM)).toContain("CallConnected");
  });

  it("are both named when nobody knows the call", async () => {
    expect(await both(sink())).toEqual(["fulfilled", "fulfilled"]);
    expect(told).toHaveLength(2);
  });
});
