import { beforeEach, describe, expect, it } from "vitest";
import { phoneTelephony, withPhoneLine } from "../../../application/phone/phone-telephony.ts";
import type {
  Carrier,
  HangUpResult,
  LookupResult,
  PlaceCallResult,
} from "../../../application/ports/carrier.ts";
import type { PhoneCall, PhoneRows } from "../../../application/ports/phone-rows.ts";
import { PHONE_LINE } from "../../../domain/call/carrier-identity.ts";
import { askedAbout, dialRequest } from "../../simulation/carrier/carrier-harness.ts";
import { type MovingClock, movingClock } from "../../support/moving-clock.ts";

const ABSENT: LookupResult = { kind: "absent" };
const AWAY: LookupResult = { kind: "unavailable", cause: "away" };

/** A carrier that writes down what it is asked, and answers as a test says. */
function askedCarrier(name: string, asked: string[]) {
  const answers: { hangUp: HangUpResult; lookup: LookupResult } = { hangUp: "done", lookup: ABSENT };
  const accepted: PlaceCallResult = { kind: "accepted", carrierRef: name };
  const carrier: Carrier = {
    kind: "simulated",
    can: {
      dialOnceForMillis: 1,
      answersMachineVerdict: false,
      records: false,
      resumes: false,
      callsPerSecond: null,
    },
    instance: async () => name,
    recording: async () => ({ kind: "absent" }),
    deleteRecording: async () => "done",
    callsSince: async () => ({ kind: "no_witness" }),
    available: async () => true,
    refuses: async () => null,
    placeCall: async () => {
      asked.push(`${name} dials`);
      return accepted;
    },
    hangUp: async () => {
      asked.push(`${name} hangs up`);
      return answers.hangUp;
    },
    lookup: async () => {
      asked.push(`${name} looks`);
      return answers.lookup;
    },
  };
  return { carrier, answers };
}

describe("phones beside a carrier", () => {
  let asked: string[];
  let trunk: ReturnType<typeof askedCarrier>;
  let phones: ReturnType<typeof askedCarrier>;
  let both: Carrier;
  beforeEach(() => {
    asked = [];
    trunk = askedCarrier("trunk", asked);
    phones = askedCarrier("phones", asked);
    both = withPhoneLine(trunk.carrier, phones.carrier);
  });
  const call = (carrierRef: string | null) => ({ ...askedAbout("call_1"), carrierRef });

  it("ring for the phone line alone: every number is dialled by the carrier, and no call by both", async () => {
    await both.placeCall(dialRequest(PHONE_LINE), 1);
    await both.placeCall(dialRequest("+15005550006"), 1);
    expect(asked).toEqual(["phones dials", "trunk dials"]);
  });

  it.each([
    ["phone_1", ["phones"]],
    ["CA1", ["trunk"]],
    [null, ["phones", "trunk"]],
  ] as const)("a call that is known as %s is hung up there", async (ref, at) => {
    expect(await both.hangUp(call(ref))).toBe("done");
    expect(asked).toEqual(at.map((name) => `${name} hangs up`));
  });

  it.each([
    ["done", "already_ended", "done"],
    ["already_ended", "done", "done"],
    ["already_ended", "already_ended", "already_ended"],
    ["unknown", "already_ended", "unknown"],
    ["already_ended", "unknown", "unknown"],
  ] as const)(
    "a call that nobody has named is ended only when neither has it: %s and %s are %s",
    async (one, other, whole) => {
      phones.answers.hangUp = one;
      trunk.answers.hangUp = other;
      expect(await both.hangUp(call(null))).toBe(whole);
    },
  );

  it.each([
    ["phone_1", ABSENT, ["phones"], "absent"],
    ["CA1", AWAY, ["trunk"], "absent"],
    [null, ABSENT, ["phones", "trunk"], "absent"],
    [null, AWAY, ["phones"], "unavailable"],
  ] as const)(
    "a call known as %s is looked for where it can be; phones that say %o do not prove it absent",
    async (ref, atPhones, at, found) => {
      phones.answers.lookup = atPhones;
      expect((await both.lookup(call(ref))).kind).toBe(found);
      expect(asked).toEqual(at.map((name) => `${name} looks`));
    },
  );
});

const NOW = new Date("2026-09-01T10:00:00.000Z");
const RINGS: PhoneCall = {
  callId: "call_1",
  owner: "usr_1",
  from: "+15005550100",
  assistantName: "Ada",
  rungOut: false,
  lost: false,
  ringUntil: new Date("2026-09-01T10:00:45.000Z"),
  phoneId: null,
  answeredAt: null,
  endedAt: null,
  endReason: null,
  endedBy: null,
};
const TALKS: PhoneCall = { ...RINGS, phoneId: "mine", answeredAt: NOW };
const LATER = new Date("2026-09-01T10:05:00.000Z");

describe("the phone line as a carrier", () => {
  let clock: MovingClock;
  let rung: string[];
  let hungUp: string[];
  beforeEach(() => {
    clock = movingClock();
    rung = [];
    hungUp = [];
  });
  const away = async () => Promise.reject(new Error("the database is away"));
  function lineOver(rows: Partial<PhoneRows>): Carrier {
    const missing = () => Promise.reject(new Error("not in this test"));
    const none: PhoneRows = {
      open: missing,
      renew: missing,
      close: missing,
      place: missing,
      find: missing,
      ringingOf: missing,
      answer: missing,
      takeUp: missing,
      end: missing,
    };
    return phoneTelephony({
      rows: { ...none, ...rows },
      clock,
      ring: ({ callId }) => void rung.push(callId),
      hungUp: ({ callId }) => void hungUp.push(callId),
    });
  }
  const place = (line: Carrier, sendBy = 5_000) =>
    line.placeCall(dialRequest(PHONE_LINE, { callId: "call_1", ringTimeoutSeconds: 33 }), sendBy);

  it("rings for as long as it is asked to", async () => {
    const placed: unknown[] = [];
    const line = lineOver({
      place: async ({ callId, ringSeconds }) => {
        placed.push([callId, ringSeconds]);
        return "ringing";
      },
    });
    expect(await place(line)).toEqual({ kind: "accepted", carrierRef: "phone_1" });
    expect([placed, rung]).toEqual([[["call_1", 33]], ["call_1"]]);
  });

  it("accepts a call that it has already, and rings no second time", async () => {
    expect(await place(lineOver({ place: async () => "known" }))).toEqual({
      kind: "accepted",
      carrierRef: "phone_1",
    });
    expect(rung).toEqual([]);
  });

  it("rings nobody after the time for it, up to its last millisecond", async () => {
    const line = lineOver({ place: async () => "ringing" });
    clock.advance(5_000);
    expect(await place(line)).toMatchObject({ kind: "accepted" });
    clock.advance(1);
    expect(await place(line)).toMatchObject({ kind: "unknown", noAnswerAtAll: false });
    expect(rung).toEqual(["call_1"]);
  });

  it("says that nobody can be reached, which counts against no carrier, while no phone is open", async () => {
    expect(await place(lineOver({ place: async () => "no_phone" }))).toMatchObject({
      kind: "rejected",
      endReason: "unreachable",
      noAnswerAtAll: false,
    });
    expect(rung).toEqual([]);
  });

  it("does not know, and proves nothing, while its database is away", async () => {
    const line = lineOver({ place: away, end: away, find: away });
    expect(await place(line)).toMatchObject({ kind: "unknown", noAnswerAtAll: false });
    expect(await line.hangUp(askedAbout("call_1"))).toBe("unknown");
    expect(await line.lookup(askedAbout("call_1"))).toMatchObject({ kind: "unavailable" });
    expect([rung, hungUp]).toEqual([[], []]);
  });

  it("hangs up once, and tells its phones", async () => {
    const ends: unknown[] = [];
    const line = lineOver({
      end: async (...given) => {
        ends.push(given);
        return ends.length === 1 ? { ...TALKS, endedAt: LATER } : null;
      },
    });
    expect(await line.hangUp(askedAbout("call_1"))).toBe("done");
    expect(await line.hangUp(askedAbout("call_1"))).toBe("already_ended");
    expect([ends[0], hungUp]).toEqual([["call_1", "api_ended", "api"], ["call_1"]]);
  });

  it.each([
    [
      "rings",
      RINGS,
      { status: "ringing", endReason: null, endedAt: null, answeredAt: null, answeredBy: null },
    ],
    [
      "talks",
      TALKS,
      {
        status: "connected",
        endReason: null,
        endedAt: null,
        answeredAt: NOW.toISOString(),
        answeredBy: "human",
      },
    ],
    [
      "rang out, though nobody has written that",
      { ...RINGS, rungOut: true },
      { status: "ended", endReason: "no_answer", endedAt: "2026-09-01T10:00:45.000Z", answeredAt: null },
    ],
    [
      "has lost its phone, though nobody has written that",
      { ...TALKS, lost: true },
      { status: "ended", endReason: "connection_lost", endedAt: null, answeredBy: "human" },
    ],
    [
      "was declined",
      { ...RINGS, endedAt: LATER, endReason: "declined", endedBy: "customer" },
      { status: "ended", endReason: "declined", endedBy: "customer", endedAt: LATER.toISOString() },
    ],
  ] as const)("finds a call that %s", async (_, found, told) => {
    const line = lineOver({ find: async () => found });
    expect(await line.lookup(askedAbout("call_1"))).toMatchObject({
      kind: "found",
      carrierRef: "phone_1",
      recordingRef: null,
      ...told,
    });
  });

  it("proves that a call of which it has no row was never rung", async () => {
    expect(await lineOver({ find: async () => null }).lookup(askedAbout("call_1"))).toEqual(ABSENT);
  });
});
