import { expect, it } from "vitest";
import { recordedEvents } from "../../../application/log/recorded-events.ts";
import type { ExpectedRecording, NewRecording } from "../../../application/ports/recordings.ts";
import { recordingsReaction } from "../../../application/recordings/recordings-reaction.ts";
import type { CallCompleted, CallEvent, CallRecordingAvailable } from "../../../domain/call/events.ts";
import { at, began, connected, FAR_SIDE, REQUEST } from "../../domain/call/example-call.ts";
import { memoryLog } from "../../support/memory-log.ts";

const { owner } = REQUEST;
const BY_CARRIER = { carrierRef: "carrier-1", sequence: 4 };

function completed(callId: `call_${string}`, recordingStatus: "pending" | "none"): CallCompleted {
  const how = { endReason: "customer_ended", endedBy: "customer", durationSeconds: 30, cost: 5_000 } as const;
  return { type: "CallCompleted", data: { callId, at: at(40), recordingStatus, ...how, ...BY_CARRIER } };
}

function told(callId: `call_${string}`, recordingRef: string | null): CallRecordingAvailable {
  const status = recordingRef === null ? "failed" : "available";
  return {
    type: "CallRecordingAvailable",
    data: { callId, at: at(60), status, recordingRef, ...BY_CARRIER },
  };
}

/** The reaction to a log of one owner's calls, with the list of work in memory. */
function world() {
  const log = memoryLog();
  const expected: (readonly ExpectedRecording[])[] = [];
  const added: (readonly NewRecording[])[] = [];
  const reaction = recordingsReaction({
    calls: log.aggregates.calls,
    recordings: {
      expect: async (given) => void expected.push(given),
      add: async (given) => void added.push(given),
    },
  });
  /** What it reads of a call that ended so. */
  const ending = async (callId: `call_${string}`, ...ends: readonly CallEvent[]) => {
    const dialled: CallEvent = {
      type: "CallDialingBegan",
      data: { ...began.data, callId, carrier: FAR_SIDE },
    };
    const request: CallEvent = { type: "CallRequested", data: { ...REQUEST, callId } };
    await log.storeFor(owner, `call-${callId}`, request, dialled, ...ends);
    const all = await Array.fromAsync(recordedEvents(log, `call-${callId}`));
    return all.slice(2);
  };
  return { log, reaction, expected, added, ending };
}

it("puts on the list what a carrier told of, and what is to come with the time of its first look", async () => {
  const { reaction, expected, added, ending } = world();
  expect(reaction).toMatchObject({ name: "recordings", types: ["CallCompleted", "CallRecordingAvailable"] });
  await reaction.handle([
    ...(await ending("call_to-come", completed("call_to-come", "pending"))),
    ...(await ending("call_unrecorded", completed("call_unrecorded", "none"))),
    ...(await ending("call_failed", told("call_failed", null))),
    ...(await ending("call_told", told("call_told", "rec-1"))),
  ]);
  const of = { owner, carrier: FAR_SIDE };
  expect(expected).toMatchObject([[{ ...of, callId: "call_to-come", lookAt: at(40 + 120) }]]);
  expect(expected[0]).toHaveLength(1);
  expect(added).toMatchObject([[{ ...of, callId: "call_told", recordingRef: "rec-1" }]]);
  expect(added[0]).toHaveLength(1);
});

it("puts every recording of a long page on the list, each once and in order", async () => {
  const { reaction, added, ending } = world();
  const ids = Array.from({ length: 40 }, (_, call) => `call_${call}` as const);
  const events = await Promise.all(ids.map((callId) => ending(callId, told(callId, callId))));
  await reaction.handle(events.flat());
  expect(added.flat().map(({ recordingRef }) => recordingRef)).toEqual(ids);
});

it("leaves a call aside of which nobody knows whose it is", async () => {
  const { log, reaction, expected, added } = world();
  await log.storeFor(owner, "call-call_1", connected, told("call_1", "rec-1"));
  await reaction.handle(await Array.fromAsync(recordedEvents(log, "call-call_1")));
  expect([expected, added]).toEqual([[[]], [[]]]);
});
