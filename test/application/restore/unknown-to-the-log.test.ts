import { beforeEach, describe, expect, it } from "vitest";
import { callStream } from "../../../application/log/stream-names.ts";
import type { UnnamedCall } from "../../../application/ports/carrier.ts";
import { type EventStore, EventStoreError, type StreamName } from "../../../application/ports/event-store.ts";
import { unknownCalls } from "../../../application/restore/unknown-calls.ts";
import { unknownOwners } from "../../../application/restore/unknown-owners.ts";
import { unnamedCalls } from "../../../application/restore/unnamed-calls.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { created } from "../../domain/campaign/example-campaign.ts";
import { dialingBegan, ringing, singleRequest } from "../../projections/example-events.ts";
import { memoryLog } from "../../support/memory-log.ts";

const AT = "2026-09-01T10:00:00.000Z";
const NUMBERS = { from: "+15005550100", to: "+15005550006" } as const;
let { eventStore: store, codec, storeFor, store: append } = memoryLog();
beforeEach(() => {
  ({ eventStore: store, codec, storeFor, store: append } = memoryLog());
});

/** Into the log: requested, and what came then. */
const call = (callId: CallId, ...then: readonly CallEvent[]) =>
  append(callStream(callId), singleRequest(callId), ...then);
/** What reading this stream meets. */
const failing = (stream: StreamName, kind: "deleted" | "unavailable"): EventStore => ({
  ...store,
  read: async (name, options) => {
    if (name !== stream) return store.read(name, options);
    throw new EventStoreError(kind === "deleted" ? { kind, stream } : { kind, cause: "away" });
  },
});

describe("a carrier's call", () => {
  const ofCarrier = (callId: CallId) => ({ ...NUMBERS, callId, at: AT }) as const;
  const unknown = async (eventStore: EventStore, ...ids: readonly CallId[]) =>
    (await unknownCalls(eventStore, ids.map(ofCarrier))).map(({ callId }) => callId);

  it("is known by its dial in the log, not by its request alone", async () => {
    await call("call_1", dialingBegan("call_1", AT));
    await call("call_2");
    expect(await unknown(store, "call_1", "call_2", "call_3")).toEqual(["call_2", "call_3"]);
  });

  it("is looked for one by one, however many there are", async () => {
    const ids = Array.from({ length: 70 }, (_, n): CallId => `call_${n}`);
    for (const id of ids.slice(0, 69)) await call(id, dialingBegan(id, AT));
    expect(await unknown(store, ...ids)).toEqual(["call_69"]);
  });

  it("whose stream was deleted was known; while the log is away nobody knows", async () => {
    expect(await unknown(failing("call-call_1", "deleted"), "call_1")).toEqual([]);
    await expect(unknown(failing("call-call_1", "unavailable"), "call_1")).rejects.toThrow("unavailable");
  });
});

describe("a carrier's call without a name of ours", () => {
  const seconds = (n: number) => plusMillis(AT, n * 1_000);
  const nameless = (changes: Partial<UnnamedCall> = {}): UnnamedCall => ({
    ...NUMBERS,
    carrierRef: "ref",
    at: AT,
    ...changes,
  });
  const left = (calls: readonly UnnamedCall[], dialled: readonly CallId[] = ["call_1"], eventStore = store) =>
    unnamedCalls({ eventStore, codec }, calls, dialled);

  it("is explained by a dial to the same number from the same one about then", async () => {
    await call("call_1", dialingBegan("call_1", AT));
    expect(await left([nameless()])).toEqual([]);
    for (const other of [{ from: "+15005550999" }, { to: "+15005550999" }] as const)
      expect(await left([nameless(other)])).toHaveLength(1);
  });

  it.each([
    [-60, 0],
    [-61, 1],
    [600, 0],
    [601, 1],
  ])("that came %i s after the dial: %i are left", async (late, count) => {
    await call("call_1", dialingBegan("call_1", AT));
    expect(await left([nameless({ at: seconds(late) })])).toHaveLength(count);
  });

  it("is explained by the dial that it is bound to, whatever else differs, and by no dial bound to another", async () => {
    await call("call_1", dialingBegan("call_1", AT), ringing("call_1", AT, "ref"));
    expect(await left([nameless({ at: seconds(9_000), to: "+15005550999" })])).toEqual([]);
    expect(await left([nameless({ carrierRef: "other" })])).toHaveLength(1);
  });

  it("is explained by no dial twice", async () => {
    await call("call_1", dialingBegan("call_1", AT));
    await call("call_2", dialingBegan("call_2", AT));
    const three = ["a", "b", "c"].map((carrierRef) => nameless({ carrierRef }));
    expect(await left(three, ["call_1", "call_2"])).toEqual([three[2]]);
  });

  it("is explained by none that was not dialled, or is not in the log any more", async () => {
    await call("call_1");
    expect(await left([nameless()], ["call_1", "call_none"])).toHaveLength(1);
    expect(await left([nameless()], ["call_1"], failing("call-call_1", "deleted"))).toHaveLength(1);
    await expect(left([], ["call_1"], failing("call-call_1", "unavailable"))).rejects.toThrow("unavailable");
  });

  it("is looked for among all that were dialled, however many", async () => {
    const ids = Array.from({ length: 40 }, (_, n): CallId => `call_${n}`);
    for (const id of ids) await call(id, dialingBegan(id, AT));
    expect(
      await left(
        ids.map((carrierRef) => nameless({ carrierRef })),
        ids,
      ),
    ).toEqual([]);
  });
});

describe("owners whom the database does not know", () => {
  it("are counted with their campaigns and calls, up to the last of these", async () => {
    await storeFor("usr_2", "campaign-cmp_1", ...created([]));
    await storeFor("usr_2", "call-call_1", singleRequest("call_1", "usr_2"));
    await storeFor("usr_3", "call-call_2", singleRequest("call_2", "usr_3"));
    const position = await store.head();
    await call("call_3");
    const found = await unknownOwners(store, new Set<OwnerId>(["usr_1"]));
    expect(found).toEqual({ owners: 2, campaigns: 1, calls: 2, position });
    expect(await unknownOwners(store, new Set<OwnerId>(["usr_1", "usr_2", "usr_3"]))).toBeNull();
  });
});
