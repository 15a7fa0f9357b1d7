import { describe, expect, it } from "vitest";
import type { DrillEvidence } from "../../simulation/drills/drill-evidence.ts";
import { judgeAnalysed, owedAnalyses, type ToldOutcome } from "../../simulation/drills/judge-analysed.ts";
import { judgeDrill } from "../../simulation/drills/judge-drill.ts";
import type { HistoryEvent } from "../../simulation/drills/shapes.ts";
import { delivery, exampleEvidence } from "./example-evidence.ts";

/** The judge's findings when this part of the evidence is changed. */
function judged(change: (evidence: DrillEvidence) => Partial<DrillEvidence>): string {
  const evidence = exampleEvidence();
  return judgeDrill({ ...evidence, ...change(evidence) }).join("\n");
}

function without(events: readonly HistoryEvent[], type: string): readonly HistoryEvent[] {
  return events.filter((event) => event.type !== type);
}

it("finds nothing where nobody contradicts anybody", () => {
  expect(judgeDrill(exampleEvidence())).toEqual([]);
});

describe("the judge of dials notices", () => {
  it("a carrier that was asked twice for one attempt", () => {
    expect(judged(({ journal }) => ({ journal: [...journal, ...journal] }))).toContain(
      "asked twice for call_1",
    );
  });

  it("a dial before its write-ahead", () => {
    expect(judged(({ events }) => ({ events: without(events, "CallDialingBegan") }))).toContain(
      "call_1 was dialled before its write-ahead",
    );
  });

  it("a dial that no attempt of the campaign allows", () => {
    expect(judged(({ events }) => ({ events: without(events, "ContactDialed") }))).toContain(
      "call_1 was dialled without an attempt",
    );
  });

  it("a ringing phone that the carrier never dialled", () => {
    expect(judged(() => ({ journal: [] }))).toContain("the carrier knows nothing of it");
  });

  it("an attempt that counts as not placed although the carrier had it", () => {
    expect(
      judged(({ calls }) => ({ calls: calls.map((call) => ({ ...call, endReason: "not_placed" })) })),
    ).toContain("ended not_placed, and the carrier had it");
  });

  it("nothing wrong in an attempt that the carrier refused and the service never heard of", () => {
    const refused = judged(({ calls, journal }) => ({
      calls: calls.map((call) => ({ ...call, endReason: "not_placed" })),
      journal: journal.map((dial) => ({ ...dial, carrierCallId: null })),
    }));
    expect(refused).not.toContain("ended not_placed, and the carrier had it");
  });

  it("a second attempt while the first was not over", () => {
    const second = { callId: "call_2", contactId: "ctc_1", attempt: 2 };
    const dialed = { stream: "campaign-cmp_1", revision: 5, type: "ContactDialed", data: second };
    expect(
      judged(({ events, journal }) => ({
        events: [
          ...events.map((event) =>
            event.type === "CallCompleted" ? { ...event, occurredAt: "9999" } : event,
          ),
          { ...dialed, position: "9", occurredAt: "" },
        ],
        journal: [...journal, ...journal.map((dial) => ({ ...dial, callId: "call_2" }))],
      })),
    ).toContain("call_2 was dialled while the attempt before was not over");
  });

  it("a contact who was rung more often than the budget allows", () => {
    expect(judged(({ campaign }) => ({ campaign: campaign && { ...campaign, maxRetries: -1 } }))).toContain(
      "ctc_1 was rung 1 times, and 0 are allowed",
    );
  });

  it.for([
    ["busy", true],
    ["assistant_error", false],
  ] as const)("a ring beyond the budget after %s: %s", ([endReason, noticed]) => {
    const again = ({ campaign, contacts, journal }: DrillEvidence) => ({
      campaign: campaign && { ...campaign, maxRetries: 0 },
      contacts: contacts.map((contact) => ({
        ...contact,
        attempts: [
          { attempt: 1, callId: "call_0", endReason },
          ...contact.attempts.map((attempt) => ({ ...attempt, attempt: 2 })),
        ],
      })),
      journal: [...journal.map((dial) => ({ ...dial, callId: "call_0" })), ...journal],
    });
    const problems = judged(again);
    expect(problems.includes("ctc_1 was rung 2 times, and 1 are allowed")).toBe(noticed);
  });
});

describe("the judge of deliveries notices", () => {
  it("an end that was never told", () => {
    expect(judged(({ received }) => ({ received: received.slice(0, 1) }))).toContain(
      "no call.ended came for call_1",
    );
  });

  it("an answer that was never told", () => {
    expect(judged(({ received }) => ({ received: received.slice(1) }))).toContain(
      "no call.started came for call_1",
    );
  });

  it("a webhook about a call that is none", () => {
    const stray = delivery("call.ended", { eventId: "e3", callId: "call_9", status: "failed" });
    expect(judged(({ received }) => ({ received: [...received, stray] }))).toContain("call_9 for nothing");
  });

  it("an end told before the beginning", () => {
    expect(judged(({ received }) => ({ received: received.toReversed() }))).toContain(
      "call.ended of call_1 came before its call.started",
    );
  });

  it("other words under the same event id", () => {
    const other = delivery("call.ended", { eventId: "e2", callId: "call_1", status: "failed" });
    expect(judged(({ received }) => ({ received: [...received, other] }))).toContain(
      "e2 came again with another body",
    );
  });

  it("an end told twice under two names", () => {
    const again = { eventId: "e3", callId: "call_1", status: "completed", endReason: "customer_ended" };
    expect(judged(({ received }) => ({ received: [...received, delivery("call.ended", again)] }))).toContain(
      "call_1 has two call.ended",
    );
  });

  it("a signature that a receiver refuses", () => {
    const data = { eventId: "e1", callId: "call_1", status: "connected" };
    expect(
      judged(({ received }) => ({
        received: [delivery("call.started", data, "whsec_wrong"), ...received.slice(1)],
      })),
    ).toContain("a receiver refuses e1");
  });

  it("an end told otherwise than the API tells it", () => {
    expect(
      judged(({ calls }) => ({ calls: calls.map((call) => ({ ...call, endReason: "assistant_ended" })) })),
    ).toContain("the webhook said completed/customer_ended");
  });
});

describe("the judge of the log notices", () => {
  it("an event that is missing in its stream", () => {
    expect(judged(({ events }) => ({ events: without(events, "CallRinging") }))).toContain(
      "call-call_1 has revision 3 where 2 belongs",
    );
  });

  it("a call that the API does not show", () => {
    expect(judged(() => ({ calls: [] }))).toContain("call_1 is in the log and not in the API");
  });

  it("a call that never ended", () => {
    expect(judged(({ events }) => ({ events: without(events, "CallCompleted") }))).toContain(
      "has 0 ends in the log",
    );
  });

  it("an attempt without an outcome", () => {
    expect(judged(({ events }) => ({ events: without(events, "ContactSucceeded") }))).toContain(
      "the attempt call_1 has 0 outcomes",
    );
  });

  it("counts that do not add up", () => {
    expect(
      judged(({ campaign }) => ({ campaign: campaign && { ...campaign, skippedContacts: 1 } })),
    ).toContain("all counts together: 2 instead of 1");
  });
});

describe("the judge of the account notices", () => {
  it("credits that vanished", () => {
    expect(judged(() => ({ balance: 99 }))).toContain("balance: 99 instead of 99.5");
  });

  it("a reservation and a slot that leaked", () => {
    expect(judged(() => ({ reserved: 1, activeCalls: 1 }))).toContain(
      "reserved: 1 instead of 0\nactive calls: 1",
    );
  });

  it("a call that was charged twice", () => {
    expect(judged(({ ledger }) => ({ ledger: [...ledger, ...ledger.slice(2)] }))).toContain(
      "charge for call_1 is in the ledger twice",
    );
  });
});

describe("the judge of analyses", () => {
  const happened = (type: string, data: HistoryEvent["data"], revision = 9): HistoryEvent => ({
    ...{ stream: "call-call_1", position: String(revision), revision, type, occurredAt: "" },
    data: { callId: "call_1", ...data },
  });
  const says = (content: string) => happened("CallMessageAdded", { message: { role: "customer", content } });
  const wish = happened("CallAnalysisRequested", { analysisId: "one", by: "engine" });
  const answer = happened("CallAnalysed", { analysisId: "one" });
  const over = happened("CallCompleted", {});
  const connected = happened("CallConnected", { answeredBy: "human" });
  const talked = [connected, says("Yes"), over];
  const ready: ToldOutcome = { id: "call_1", outcome: { status: "ready", pending: false } };
  const none: ToldOutcome = { id: "call_1", outcome: { status: "none", pending: false } };

  it("has nothing against one wish with one answer", () => {
    expect(owedAnalyses([...talked, wish, answer], [ready])).toEqual([]);
    expect(judgeAnalysed([...talked, wish, answer], [ready])).toEqual([]);
  });

  it.each([
    ["an answer", talked, none],
    ["the API, which is behind the log", [...talked, wish, answer], none],
    [
      "the answer to a further wish",
      [...talked, wish, answer],
      { ...ready, outcome: { status: "ready", pending: true } },
    ],
  ] as const)("waits for %s", (_what, events, told) => {
    expect(owedAnalyses(events, [told])).toEqual(["call_1"]);
  });

  it.each([
    ["no wish", talked, none, "0 wishes and 0 answers, 1 are due"],
    ["no answer", [...talked, wish], none, "1 wishes and 0 answers, 1 are due"],
    ["two wishes", [...talked, wish, wish, answer], ready, "2 wishes and 1 answers"],
    ["two answers", [...talked, wish, answer, answer], ready, "1 wishes and 2 answers"],
    [
      "an answer to another wish",
      [...talked, wish, happened("CallAnalysed", { analysisId: "two" })],
      ready,
      "another wish",
    ],
    [
      "a wish of a key",
      [...talked, happened("CallAnalysisRequested", { analysisId: "one", by: "key_1" }), answer],
      ready,
      "not the engine's",
    ],
    [
      "another status in the API",
      [...talked, wish, answer],
      none,
      "is none in the API, and ready in the log",
    ],
    [
      "an analysis of a call on which only keys were pressed",
      [connected, says("[keys: 1]"), over, wish, answer],
      ready,
      "0 are due",
    ],
    [
      "an analysis of what a machine said",
      [happened("CallConnected", { answeredBy: "machine" }), says("Hi"), over, wish, answer],
      ready,
      "0 are due",
    ],
    ["that nobody talked", [], none, "nobody talked"],
  ] as const)("notices %s", (_what, events, told, problem) => {
    expect(judgeAnalysed(events, [told]).join("\n")).toContain(problem);
  });
});
