import { describe, expect, it } from "vitest";
import { callStream } from "../../../application/log/stream-names.ts";
import type { LookupResult } from "../../../application/ports/carrier.ts";
import type { CallCommand } from "../../../domain/call/decider.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  PHONE_NUMBER,
  pass,
  sharedStores,
  typesOf,
  until,
  type WorldOptions,
} from "../engine-world.ts";

const ORIGIN = { ...CALLER, causationId: null };

/**
 * A call that was answered just now; `asked` notes when the carrier was asked for it, in ms since the answer.
 */
async function answeredCall({ lookup }: { readonly lookup?: WorldOptions["lookup"] } = {}) {
  const stores = sharedStores();
  const asked: number[] = [];
  let answeredAt = 0;
  const process = engineProcess(stores, {
    lookup: async (call) => {
      asked.push(stores.clock.elapsed() - answeredAt);
      return lookup?.(call) ?? { kind: "unavailable", cause: "quiet" };
    },
  });
  const started = await until(
    stores,
    process.useCases.startOutboundCall(CALLER, {
      reservedCallId: null,
      phoneNumberId: PHONE_NUMBER,
      assistantId: ASSISTANT,
      squadId: null,
      to: "+12025550100",
      greetingMessage: null,
      specialInstructions: null,
      metadata: {},
    }),
  );
  if (!started.ok) throw new Error(started.refusal.code);
  const { callId } = started.value;
  const fact = {
    dedupeKey: "answer",
    callId,
    carrierRef: `ref-${callId}`,
    sequence: 1,
    occurredAt: stores.clock.now(),
  };
  await until(stores, process.sink({ ...fact, type: "answered", answeredBy: "human" }));
  answeredAt = stores.clock.elapsed();
  const tell = (...commands: readonly CallCommand[]) =>
    until(stores, process.aggregates.calls.handle(callStream(callId), commands, ORIGIN));
  const now = () => stores.clock.now();
  const spoken = (epoch = 1) => ({ epoch, at: now(), now: now() });
  return {
    stores,
    process,
    callId,
    asked,
    tell,
    begin: () => tell({ type: "BeginSession", kind: "relay", now: now() }),
    start: () => tell({ type: "StartConversation", ...spoken() }),
    close: () => tell({ type: "EndSession", cause: "session_lost", ...spoken() }),
    end: () =>
      process.aggregates.calls.query(
        callStream(callId),
        ({ status, endReason, endRequested }) => ({
          status,
          endReason,
          wish: endRequested?.reason ?? null,
        }),
        { fresh: true },
      ),
    types: () => typesOf(stores, `call-${callId}`),
  };
}

const found = (callId: CallId, status: "connected" | "in_progress"): LookupResult => ({
  kind: "found",
  carrierRef: `ref-${callId}`,
  status,
  endReason: null,
  endedAt: null,
  answeredAt: "2026-09-01T10:00:01.000Z",
  answeredBy: "human",
  endedBy: null,
  recordingRef: null,
});

/** What reads and writes of the in-memory stores may add. */
const SLACK = 200;

describe("an answer without a conversation", () => {
  it("is hung up after 10 s, and closed as assistant_error when the carrier does not confirm", async () => {
    const call = await answeredCall({ lookup: async ({ callId }) => found(callId, "connected") });
    await pass(call.stores, 10_000 - SLACK);
    expect([call.asked, call.process.hungUp]).toEqual([[], []]);
    await pass(call.stores, 2 * SLACK);
    expect(call.asked).toHaveLength(1);
    expect(call.process.hungUp).toEqual([call.callId]);
    expect(await call.end()).toMatchObject({ status: "connected", wish: "assistant_error" });
    await pass(call.stores, 36_000);
    expect(call.process.hungUp.length).toBeGreaterThan(5);
    expect(await call.end()).toMatchObject({ status: "failed", endReason: "assistant_error" });
  });

  it("is found by a process that starts later, too, which waits for it as long", async () => {
    const call = await answeredCall();
    call.process.stop();
    await pass(call.stores, 15_000);
    expect(await call.end()).toMatchObject({ wish: null });
    const next = engineProcess(call.stores, { processId: "next" });
    await pass(call.stores, 10_000 - SLACK);
    expect([next.hungUp, await call.end()]).toMatchObject([[], { wish: null }]);
    // At 15 s, to the millisecond, it would be asked again.
    await pass(call.stores, 5_000);
    expect(next.hungUp).toEqual([call.callId]);
  });

  it("goes on when the carrier tells of one that was not heard of", async () => {
    const call = await answeredCall({ lookup: async ({ callId }) => found(callId, "in_progress") });
    await pass(call.stores, 12_000);
    expect(await call.end()).toEqual({ status: "in_progress", endReason: null, wish: null });
    expect(call.process.hungUp).toEqual([]);
  });

  it("is not asked for when the conversation begins in time", async () => {
    const call = await answeredCall();
    await pass(call.stores, 5_000);
    await call.begin();
    await pass(call.stores, 4_000);
    await call.start();
    await pass(call.stores, 20_000);
    expect(call.asked).toEqual([]);
    expect(await call.end()).toMatchObject({ status: "in_progress", wish: null });
  });

  it("is hung up although a session is open that says nothing", async () => {
    const call = await answeredCall();
    await call.begin();
    await pass(call.stores, 11_000);
    expect(await call.end()).toMatchObject({ status: "connected", wish: "assistant_error" });
  });
});

describe("a session that closes in mid-call", () => {
  it("makes the carrier be asked after 5 s, and the call be hung up after 15 s", async () => {
    const call = await answeredCall();
    await call.begin();
    await call.start();
    await pass(call.stores, 20_000);
    await call.close();
    await pass(call.stores, 5_000 - SLACK);
    expect(call.asked).toEqual([]);
    await pass(call.stores, 2 * SLACK);
    expect(call.asked).toHaveLength(1);
    await pass(call.stores, 10_000 - 2 * SLACK);
    expect(await call.end()).toMatchObject({ wish: null });
    await pass(call.stores, 2 * SLACK);
    expect(await call.end()).toMatchObject({ status: "in_progress", wish: "assistant_error" });
    expect(call.process.hungUp).toEqual([call.callId]);
  });

  it("changes nothing when the next session opens in time", async () => {
    const call = await answeredCall();
    await call.begin();
    await call.start();
    await call.close();
    await pass(call.stores, 4_000);
    await call.begin();
    await pass(call.stores, 40_000);
    expect(call.asked).toEqual([]);
    expect(await call.end()).toMatchObject({ status: "in_progress", wish: null });
  });

  /** The process is away for 20 s, and its session was lost; another one starts. */
  async function restarted() {
    const call = await answeredCall();
    await call.begin();
    await call.start();
    await call.close();
    call.process.stop();
    await pass(call.stores, 20_000);
    const next = engineProcess(call.stores, { processId: "next" });
    return { ...call, next };
  }

  it("while nobody could be asked is waited for 15 s from when somebody can be", async () => {
    const { stores, next, callId, end } = await restarted();
    await pass(stores, 15_000 - SLACK);
    expect([next.hungUp, await end()]).toMatchObject([[], { wish: null }]);
    await pass(stores, 2 * SLACK);
    expect([next.hungUp, await end()]).toMatchObject([[callId], { wish: "assistant_error" }]);
  });

  it("is waited for until its carrier's time is over, when it was told where to open the next one", async () => {
    const { stores, next, callId, end } = await restarted();
    await pass(stores, 10_000);
    await until(stores, stores.admission.expectSession(callId, plusMillis(stores.clock.now(), 15_000)));
    await pass(stores, 15_000 - SLACK);
    expect([next.hungUp, await end()]).toMatchObject([[], { wish: null }]);
    await pass(stores, 5_000 + 2 * SLACK);
    expect(next.hungUp).toContain(callId);
  });

  it("is not asked for when the call ends with it", async () => {
    const call = await answeredCall();
    await call.begin();
    await call.start();
    const { stores, callId, process } = call;
    const ended = {
      dedupeKey: "end",
      callId,
      carrierRef: `ref-${callId}`,
      sequence: 2,
      occurredAt: stores.clock.now(),
      type: "ended",
      endReason: "customer_ended",
      endedBy: "customer",
      answeredAt: stores.clock.now(),
      answeredBy: "human",
      recordingExpected: false,
      carrierCode: null,
    } as const;
    await until(stores, process.sink(ended));
    await call.close();
    await pass(stores, 40_000);
    expect(call.asked).toEqual([]);
    expect(call.types().at(-1)).toBe("CallSessionEnded");
  });
});
