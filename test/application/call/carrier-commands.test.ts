import { beforeEach, describe, expect, it } from "vitest";
import { createCarrierEventSink } from "../../../application/call/carrier-events.ts";
import type { HandleOptions } from "../../../application/log/command-queue.ts";
import type { CarrierEvent } from "../../../application/ports/carrier.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import { initialCallState } from "../../../domain/call/state.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import { QUIET_CARRIER } from "../engine-world.ts";

const AT = "2026-09-01T10:00:00.000Z";
const callId: CallId = "call_1";
let clock: ReturnType<typeof movingClock>;
beforeEach(() => {
  clock = movingClock();
});

describe("what a carrier tells becomes a command", () => {
  const fact = { dedupeKey: "key", callId, carrierRef: "ref", sequence: 7, occurredAt: AT } as const;
  /** The command, and whether "already so" is believed. */
  async function commandOf(event: CarrierEvent) {
    const handled: [unknown, HandleOptions | undefined, unknown][] = [];
    const placeCall = async () => ({ kind: "accepted", carrierRef: "ref" }) as const;
    const sink = createCarrierEventSink({
      clock,
      logger: silentLogger,
      carriers: oneCarrier({ ...QUIET_CARRIER, placeCall }),
      calls: {
        isAtHand: () => true,
        query: async (_stream, read) =>
          read({ ...initialCallState(), owner: "usr_1" }, { revision: 0, position: "1" }),
        handle: async (_stream, [command], origin, options) => {
          handled.push([command, options, origin]);
          return { events: [], revision: 0, position: "1" };
        },
      },
    });
    await sink(event);
    return handled[0];
  }
  const stamped = { carrierRef: "ref", sequence: 7, occurredAt: AT, dedupeKey: "key" };

  it.each([
    [{ type: "accepted" }, { type: "RecordRinging" }, true],
    [{ type: "ringing" }, { type: "RecordRinging" }, true],
    [{ type: "answered", answeredBy: "machine" }, { type: "RecordAnswered", answeredBy: "machine" }, false],
    [{ type: "conversation_started" }, { type: "RecordConversationStarted" }, false],
    [
      { type: "machine_judged", answeredBy: "machine", greetingEnded: true },
      {
        type: "RecordMachineJudged",
        by: "carrier",
        policyApplied: null,
        answeredBy: "machine",
        greetingEnded: true,
      },
      false,
    ],
    [
      { type: "recording", status: "available", recordingRef: "rec" },
      { type: "RecordRecording", status: "available", recordingRef: "rec" },
      false,
    ],
  ] as const)("%j", async (body, command, lasting) => {
    const [made, options, origin] = (await commandOf({ ...fact, ...body })) ?? [];
    expect(made).toEqual({ ...command, ...stamped, now: clock.now() });
    expect(options).toEqual({ lasting });
    expect(origin).toEqual({
      owner: "usr_1",
      actor: "process:carrier-events",
      correlationId: callId,
      causationId: "key",
    });
  });

  it("with what a message says of its tool, and nothing of one that is of none", async () => {
    const said = { type: "message", role: "tool", assistantId: null, content: "asked" } as const;
    const tool = {
      toolId: "tool_1",
      toolName: "look_up",
      arguments: { order: 7 },
      result: null,
      isError: false,
    };
    const { role, assistantId, content } = said;
    const [plain] = (await commandOf({ ...fact, ...said })) ?? [];
    expect(plain).toMatchObject({ type: "AddMessage" });
    expect(plain).toHaveProperty("message", { role, assistantId, content });
    const [ofTool] = (await commandOf({ ...fact, ...said, ...tool })) ?? [];
    expect(ofTool).toHaveProperty("message", { role, assistantId, content, ...tool });
  });

  it("with the carrier's own code as the error of an end, where it has one", async () => {
    const end = {
      type: "ended",
      endReason: "busy",
      endedBy: null,
      answeredAt: null,
      answeredBy: null,
      recordingExpected: false,
    } as const;
    const [withCode] = (await commandOf({ ...fact, ...end, carrierCode: "486" })) ?? [];
    expect(withCode).toMatchObject({
      type: "RecordEnded",
      endReason: "busy",
      error: { code: "busy", message: "busy", carrierCode: "486" },
    });
    const [without] = (await commandOf({ ...fact, ...end, carrierCode: null })) ?? [];
    expect(without).toMatchObject({ error: null });
  });
});

it("a carrier event of an unknown stream is refused with the log's own failure while the log is away", async () => {
  const away = new EventStoreError({ kind: "unavailable", cause: "away" });
  const log = memoryLog({ clock, wrap: (store) => ({ ...store, read: () => Promise.reject(away) }) });
  const placeCall = async () => ({ kind: "accepted", carrierRef: "ref" }) as const;
  const carriers = oneCarrier({ ...QUIET_CARRIER, placeCall });
  const sink = createCarrierEventSink({ ...log, calls: log.aggregates.calls, carriers });
  const event = {
    dedupeKey: "k",
    callId,
    carrierRef: "ref",
    sequence: 1,
    occurredAt: AT,
    type: "ringing",
  } as const;
  await expect(sink(event)).rejects.toThrow("unavailable");
  await expect(sink(event)).rejects.toThrow("unavailable");
});
