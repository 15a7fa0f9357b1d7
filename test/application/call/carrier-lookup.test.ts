import { describe, expect, it } from "vitest";
import { lookupFacts } from "../../../application/call/watchdog/carrier-lookup.ts";
import type { LookupResult } from "../../../application/ports/carrier.ts";

const NOW = "2026-09-01T10:00:30.000Z";
const ANSWERED_AT = "2026-09-01T10:00:05.000Z";
const ENDED_AT = "2026-09-01T10:00:20.000Z";
const FOUND = {
  kind: "found",
  carrierRef: "ref",
  status: "ringing",
  endReason: null,
  endedAt: null,
  answeredAt: null,
  answeredBy: null,
  endedBy: null,
  recordingRef: null,
} as const;
const ACCEPTED = { type: "RecordAccepted", carrierRef: "ref", now: NOW };
const FACT = { carrierRef: "ref", sequence: null, now: NOW };

const facts = (changes: Partial<Extract<LookupResult, { kind: "found" }>>) =>
  lookupFacts({ ...FOUND, ...changes }, NOW);

describe("what the carrier's answer to our question tells", () => {
  it.each([{ kind: "absent" }, { kind: "ambiguous" }, { kind: "unavailable", cause: "away" }] as const)(
    "is nothing when it is $kind",
    (result) => expect(lookupFacts(result, NOW)).toEqual([]),
  );

  it("is that nobody was rung when it knows how", () => {
    const proof = "it refused the dial";
    expect(lookupFacts({ kind: "never_dialled", proof }, NOW)).toEqual([
      { type: "RecordNeverDialled", proof, now: NOW },
    ]);
  });

  it("is that it has the call while it rings", () => {
    expect(facts({})).toEqual([ACCEPTED]);
  });

  it("is the answer, at its time and by whom, when it is connected", () => {
    expect(facts({ status: "connected", answeredAt: ANSWERED_AT, answeredBy: "human" })).toEqual([
      ACCEPTED,
      { type: "RecordAnswered", answeredBy: "human", ...FACT, occurredAt: ANSWERED_AT },
    ]);
  });

  it("is an answer now, by nobody knows whom, when it does not say more", () => {
    expect(facts({ status: "connected" })).toEqual([
      ACCEPTED,
      { type: "RecordAnswered", answeredBy: "unknown", ...FACT, occurredAt: NOW },
    ]);
  });

  it("is the conversation as well when it is in progress", () => {
    expect(facts({ status: "in_progress", answeredAt: ANSWERED_AT, answeredBy: "human" }).at(-1)).toEqual({
      type: "RecordConversationStarted",
      ...FACT,
      occurredAt: NOW,
    });
  });
});

describe("an end that is found out", () => {
  const END = {
    type: "RecordEnded",
    endReason: "busy",
    endedBy: null,
    answeredAt: null,
    answeredBy: null,
    recordingExpected: false,
    error: null,
    ...FACT,
    occurredAt: ENDED_AT,
  };

  it("is told with its reason and at its time", () => {
    expect(facts({ status: "ended", endReason: "busy", endedAt: ENDED_AT })).toEqual([ACCEPTED, END]);
  });

  it("without a reason is a lost connection when somebody had answered, else a failure of the carrier", () => {
    const answered = { answeredAt: ANSWERED_AT, answeredBy: "human" } as const;
    expect(facts({ status: "ended", endedAt: ENDED_AT, ...answered })[1]).toEqual({
      ...END,
      ...answered,
      endReason: "connection_lost",
    });
    expect(facts({ status: "ended" })[1]).toEqual({ ...END, endReason: "carrier_error", occurredAt: NOW });
  });

  it("brings its recording along", () => {
    const [, end, recording] = facts({
      status: "ended",
      endReason: "busy",
      endedAt: ENDED_AT,
      recordingRef: "rec",
    });
    expect(end).toEqual({ ...END, recordingExpected: true });
    expect(recording).toEqual({
      type: "RecordRecording",
      status: "available",
      recordingRef: "rec",
      ...FACT,
      occurredAt: ENDED_AT,
    });
  });
});
