import { describe, expect, it } from "vitest";
import { DamagedStreamError } from "../../application/log/folded-stream.ts";
import { EventStoreError, type EventStoreFailure } from "../../application/ports/event-store.ts";
import { SubjectKeyError } from "../../application/ports/subject-keys.ts";
import { refusedByRule } from "../../application/refused-by-rule.ts";
import { isRefusedForGood, isRefusedPayload } from "../../application/refused-for-good.ts";
import { DomainError } from "../../domain/shared/errors.ts";

const STREAM = "call-call_1";
const failed = (failure: EventStoreFailure) => new EventStoreError(failure);

const REFUSED_PAYLOADS = [
  failed({ kind: "too_large", what: "append", bytes: 2, limit: 1 }),
  failed({ kind: "invalid_event", index: 0, reason: "is no JSON" }),
];
const STORED = {
  id: "8f14e45f-ceea-467f-a9d9-5b6f3c2d1e0a",
  type: "CallRequested",
  data: {},
  metadata: { owner: "usr_1", actor: "a", correlationId: "b", causationId: null, schemaVersion: 1 },
  stream: STREAM,
  revision: 7,
  position: "1",
  created: "2026-09-01T10:00:00.000Z",
} as const;
const FOR_GOOD = [
  ...REFUSED_PAYLOADS,
  failed({ kind: "deleted", stream: STREAM }),
  new DomainError("call.over", "It is over"),
  new DamagedStreamError(STORED, "no callId"),
  new SubjectKeyError("no key"),
  new RangeError("no progress"),
];
const TRANSIENT = [
  failed({ kind: "unavailable", cause: "away" }),
  failed({ kind: "conflict", stream: STREAM, expected: 0, actual: 1 }),
  failed({ kind: "not_found", stream: STREAM }),
  new Error("connection reset"),
  "thrown text",
];

describe("a failure that no retry can mend", () => {
  it("is a broken rule, damage, a missing key, a stuck calculation, a deleted stream or a refused event", () => {
    expect(FOR_GOOD.map(isRefusedForGood)).toEqual(FOR_GOOD.map(() => true));
    expect(TRANSIENT.map(isRefusedForGood)).toEqual(TRANSIENT.map(() => false));
  });

  it("lies in the event itself only when the log refuses its size or its form", () => {
    const payloads = [...FOR_GOOD, ...TRANSIENT].filter(isRefusedPayload);
    expect(payloads).toEqual(REFUSED_PAYLOADS);
  });

  it("names the place of the damage", () => {
    const damaged = new DamagedStreamError(STORED, "no callId");
    expect([damaged.name, damaged.message]).toEqual([
      "DamagedStreamError",
      "call-call_1@7 CallRequested: no callId",
    ]);
  });
});

describe("a refusal by a domain rule", () => {
  it("is answered with its code, and with the status where the rule names one", () => {
    const refused = new DomainError("campaign.invalid-state", "It is over", { status: "CANCELLED" });
    expect(refusedByRule(refused)).toEqual({
      ok: false,
      refusal: {
        code: "CAMPAIGN_INVALID_STATE",
        message: "It is over",
        details: [],
        currentStatus: "CANCELLED",
      },
    });
    const missing = refusedByRule(
      new DomainError("squad.not-found", "No such squad", { status: "no status" }),
    );
    expect(missing.refusal).toStrictEqual({ code: "SQUAD_NOT_FOUND", message: "No such squad", details: [] });
  });

  it("that no request can cause is a bug of ours and thrown on", () => {
    const bug = new DomainError("call.over", "It is over");
    expect(() => refusedByRule(bug)).toThrow(bug);
  });
});
