import { beforeEach, describe, expect, it } from "vitest";
import { type AssistantHealth, createAssistantHealth } from "../../../application/call/assistant-health.ts";
import { runAssistantProbe } from "../../../application/call/assistant-probe.ts";
import { callStream } from "../../../application/log/stream-names.ts";
import type { EndReason } from "../../../domain/call/end-reason.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  PHONE_NUMBER,
  pass,
  sharedStores,
  until,
} from "../engine-world.ts";

function ended(endReason: EndReason, durationSeconds: number | null = 3): CallEvent {
  return {
    type: "CallFailed",
    data: {
      callId: "call_1",
      at: "2026-09-01T10:00:00.000Z",
      endReason,
      endedBy: null,
      durationSeconds,
      cost: 0,
      recordingStatus: "none",
      carrierRef: null,
      sequence: null,
      error: null,
    },
  };
}

let health: AssistantHealth;
let changes: (readonly [owner: string, unavailable: boolean])[];
beforeEach(() => {
  health = createAssistantHealth();
  changes = [];
  health.onChange((owner) => changes.push([owner, health.unavailable(owner)]));
});
const fail = (times: number, owner = OWNER) => {
  for (let time = 0; time < times; time += 1) health.hear(owner, ended("assistant_error"));
};

describe("the assistants of an owner", () => {
  it("are unavailable after five answered calls in a row that ended so, and nobody else's are", () => {
    fail(4);
    expect(health.unavailable(OWNER)).toBe(false);
    fail(1);
    expect([health.unavailable(OWNER), health.unavailable("usr_2")]).toEqual([true, false]);
    expect(changes).toEqual([[OWNER, true]]);
  });
  it("are counted anew after another end of an answered call, not after one that nobody answered", () => {
    fail(4);
    health.hear(OWNER, ended("no_answer", null));
    health.hear(OWNER, ended("customer_ended"));
    fail(4);
    expect(health.unavailable(OWNER)).toBe(false);
    health.hear(OWNER, ended("busy", null));
    fail(1);
    expect(health.unavailable(OWNER)).toBe(true);
  });
  it("stay unavailable until they are found well", () => {
    health.assumeUnavailable(OWNER);
    health.hear(OWNER, ended("customer_ended"));
    expect(health.unavailableOwners()).toEqual([OWNER]);
    health.sawWell(OWNER);
    expect(changes).toEqual([
      [OWNER, true],
      [OWNER, false],
    ]);
  });
});

describe("the probe", () => {
  it("asks for the unavailable each 10 s until they are well", async () => {
    const stores = sharedStores();
    const stop = new AbortController();
    const asked: string[] = [];
    const assistantCheck = {
      check: async (owner: string) => {
        asked.push(owner);
        return asked.length === 3;
      },
    };
    const probing = runAssistantProbe(
      { assistantHealth: health, assistantCheck, clock: stores.clock },
      stop.signal,
    );
    await pass(stores, 30_000);
    expect(asked).toEqual([]);
    health.assumeUnavailable(OWNER);
    await pass(stores, 29_000);
    expect([asked.length, health.unavailable(OWNER)]).toEqual([2, true]);
    await pass(stores, 2_000);
    expect([asked.length, health.unavailable(OWNER)]).toEqual([3, false]);
    await pass(stores, 60_000);
    expect(asked).toHaveLength(3);
    stop.abort();
    await until(stores, probing);
  });
  it("tries them again after a minute where nobody can be asked", async () => {
    const stores = sharedStores();
    const stop = new AbortController();
    const probing = runAssistantProbe({ assistantHealth: health, clock: stores.clock }, stop.signal);
    await pass(stores, 1_000);
    health.assumeUnavailable(OWNER);
    await pass(stores, 59_000);
    expect(health.unavailable(OWNER)).toBe(true);
    await pass(stores, 2_000);
    expect(health.unavailable(OWNER)).toBe(false);
    stop.abort();
    await until(stores, probing);
  });
  it("ends while it is answered", async () => {
    const stores = sharedStores();
    const stop = new AbortController();
    const assistantCheck = { check: () => new Promise<boolean>(() => undefined) };
    const probing = runAssistantProbe(
      { assistantHealth: health, assistantCheck, clock: stores.clock },
      stop.signal,
    );
    health.assumeUnavailable(OWNER);
    await pass(stores, 11_000);
    stop.abort();
    await until(stores, probing);
  });
});

describe("while an owner's assistants are unavailable", () => {
  it("its single calls are refused, until they are found well", async () => {
    const stores = sharedStores();
    let isWell = false;
    const process = engineProcess(stores, { assistantCheck: { check: async () => isWell } });
    const start = () =>
      until(
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
    const failing = async () => {
      const started = await start();
      if (!started.ok) throw new Error(started.refusal.code);
      const { callId } = started.value;
      const now = stores.clock.now();
      const stream = callStream(callId);
      const origin = { ...CALLER, causationId: null };
      await until(
        stores,
        process.aggregates.calls.handle(
          stream,
          [
            { type: "BeginSession", kind: "relay", now },
            { type: "RequestEnd", by: "assistant", reason: "assistant_error", now },
            {
              type: "RecordEnded",
              endReason: "customer_ended",
              endedBy: "customer",
              answeredAt: now,
              answeredBy: null,
              recordingExpected: false,
              error: null,
              carrierRef: `ref-${callId}`,
              sequence: null,
              occurredAt: now,
              now,
            },
          ],
          origin,
        ),
      );
      await pass(stores, 1_000);
    };
    for (let call = 0; call < 5; call += 1) await failing();
    expect(await start()).toMatchObject({ ok: false, refusal: { code: "ASSISTANT_UNAVAILABLE" } });
    isWell = true;
    await pass(stores, 11_000);
    expect(await start()).toMatchObject({ ok: true });
  });
});
