import { beforeEach, describe, expect, it } from "vitest";
import {
  type AssistantHealth,
  createAssistantHealth,
} from "../../../application/call/health/assistant-health.ts";
import { runAssistantProbe } from "../../../application/call/health/assistant-probe.ts";
import { callStream } from "../../../application/log/stream-names.ts";
import type { ModelUse } from "../../../application/ports/assistant-check.ts";
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

const USE: ModelUse = { owner: OWNER, connectionId: null, model: null };
const OTHERS: readonly ModelUse[] = [
  { ...USE, owner: "usr_2" },
  { ...USE, connectionId: "conn_1" },
  { ...USE, model: "other" },
];

let health: AssistantHealth;
let changes: (readonly [owner: string, unavailable: boolean])[];
beforeEach(() => {
  health = createAssistantHealth();
  changes = [];
  health.onChange((owner) => changes.push([owner, health.unavailable(USE)]));
});
const end = (times: number, failed: boolean) => {
  for (let time = 0; time < times; time += 1) health.sawEnd(USE, failed);
};

describe("the assistants of a model", () => {
  it("are unavailable after five answered calls in a row that ended so, and no others", () => {
    end(4, true);
    expect(health.unavailable(USE)).toBe(false);
    end(1, true);
    expect([health.unavailable(USE), ...OTHERS.map(health.unavailable)]).toEqual([true, false, false, false]);
    expect(changes).toEqual([[OWNER, true]]);
  });
  it("are counted anew after a call that went well", () => {
    end(4, true);
    end(1, false);
    end(4, true);
    expect(health.unavailable(USE)).toBe(false);
  });
  it("stay unavailable until they are found well", () => {
    health.assumeUnavailable(USE);
    end(1, false);
    expect(health.allUnavailable()).toEqual([USE]);
    health.sawWell(USE);
    expect(changes).toEqual([
      [OWNER, true],
      [OWNER, false],
    ]);
  });
  it("are not told of to whom no longer listens", () => {
    let heard = 0;
    const end = health.onChange(() => {
      heard += 1;
    });
    health.assumeUnavailable(USE);
    end();
    health.sawWell(USE);
    expect(heard).toBe(1);
  });
  it("have relapsed when they were found well and failed again, until a call goes well", () => {
    end(5, true);
    health.sawWell(USE);
    end(5, true);
    expect(health.relapses(USE)).toBe(1);
    health.sawWell(USE);
    end(1, false);
    expect([health.relapses(USE), health.anyFailed(OWNER)]).toEqual([0, false]);
  });
});

describe("the probe", () => {
  it("asks for the unavailable each 10 s until they are well", async () => {
    const stores = sharedStores();
    const stop = new AbortController();
    const asked: ModelUse[] = [];
    const assistantCheck = {
      check: async (use: ModelUse) => {
        asked.push(use);
        return asked.length === 3;
      },
    };
    const probing = runAssistantProbe(
      { assistantHealth: health, assistantCheck, clock: stores.clock },
      stop.signal,
    );
    await pass(stores, 30_000);
    expect(asked).toEqual([]);
    health.assumeUnavailable(USE);
    await pass(stores, 29_000);
    expect([asked.length, health.unavailable(USE)]).toEqual([2, true]);
    await pass(stores, 2_000);
    expect([asked.length, health.unavailable(USE)]).toEqual([3, false]);
    await pass(stores, 60_000);
    expect(asked).toHaveLength(3);
    stop.abort();
    await until(stores, probing);
  });
  it("asks half as often each time that they are found well and fail again at once", async () => {
    const stores = sharedStores();
    const stop = new AbortController();
    const asked: number[] = [];
    const assistantCheck = {
      check: async () => {
        asked.push(stores.clock.monotonicMillis());
        return true;
      },
    };
    const begun = stores.clock.monotonicMillis();
    health.onChange(() => health.assumeUnavailable(USE));
    health.assumeUnavailable(USE);
    const probing = runAssistantProbe(
      { assistantHealth: health, assistantCheck, clock: stores.clock },
      stop.signal,
    );
    await pass(stores, 200_000);
    expect(asked.map((at) => Math.round((at - begun) / 10_000))).toEqual([1, 2, 4, 8, 16]);
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
    health.assumeUnavailable(USE);
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
