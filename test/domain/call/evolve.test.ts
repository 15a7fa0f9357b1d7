import { describe, expect, it } from "vitest";
import { callDecider } from "../../../domain/call/decider.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import { fold } from "../../../domain/shared/decider.ts";
import {
  at,
  began,
  completed,
  connected,
  endWanted,
  REF,
  REQUEST,
  requested,
  ringing,
  talking,
  unknownOutcome,
} from "./example-call.ts";

const state = (...events: CallEvent[]) => fold(callDecider, callDecider.initialState(), events);

describe("the folded state of a call", () => {
  it("is what its events told", () =>
    expect(
      state(requested, began, unknownOutcome, ringing, connected, talking, endWanted, completed),
    ).toMatchObject({
      status: "completed",
      callId: "call_1",
      owner: "usr_1",
      attempt: 1,
      dialAt: REQUEST.dialAt,
      dialBy: REQUEST.dialBy,
      dialBeganAt: at(1),
      outcomeUnknownAt: at(3),
      carrierRef: REF,
      ringingAt: at(2),
      connectedAt: at(10),
      answeredBy: "human",
      endRequested: { at: at(20), by: "api", reason: "api" },
      endedAt: at(40),
      endReason: "customer_ended",
      durationSeconds: 30,
      cost: 5_000,
      recordingStatus: "pending",
      lastAt: at(40),
    }));
  it("keeps the first name that the carrier gave it", () => {
    const renamed: CallEvent = {
      ...connected,
      data: { ...connected.data, carrierRef: "other", sequence: 9 },
    } as CallEvent;
    expect(state(requested, began, ringing, renamed, talking)).toMatchObject({ carrierRef: REF });
  });
  it("remembers its latest time, whatever the order of its events", () =>
    expect(state(requested, connected, ringing).lastAt).toBe(at(10)));
});
