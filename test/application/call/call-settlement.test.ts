import { expect, it } from "vitest";
import { type CallSettlementDeps, settleCalls } from "../../../application/call/reactions/call-settlement.ts";
import { callStream } from "../../../application/log/stream-names.ts";
import type { Settlement, Slot } from "../../../domain/admission/requests.ts";
import { callDecider } from "../../../domain/call/decider.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { callEnd, costOf, recordedRequest, ringing } from "../../projections/example-events.ts";

const AT = "2026-09-01T10:00:00.000Z";
const REQUEST = recordedRequest(0);

/** `began`: calls whose dial began. */
async function settledWith(began: readonly string[], ...events: readonly CallEvent[]) {
  const ensured: { slot: Slot; pricePerMinute: number }[] = [];
  const closings: (readonly Settlement[])[] = [];
  const admission = {
    ensure: async (slot: Slot, pricePerMinute: number) => void ensured.push({ slot, pricePerMinute }),
    close: async (settlements: readonly Settlement[]) => void closings.push(settlements),
  };
  const calls: CallSettlementDeps["calls"] = {
    query: async (stream, read) => {
      const dialBeganAt = began.some((callId) => stream === callStream(callId as CallId)) ? AT : null;
      return read({ ...callDecider.initialState(), dialBeganAt }, { revision: 1, position: "1" });
    },
  };
  await settleCalls(
    { admission, calls },
    events.map((event) => ({ ...REQUEST, event })),
  );
  return { ensured, closings };
}
const settled = (...events: readonly CallEvent[]) => settledWith([], ...events);

it("the calls that ended are closed together, each for what it cost", async () => {
  const completed = callEnd("call_1", AT, "customer_ended", 60);
  const failed = callEnd("call_2", AT, "no_answer", null);
  const { ensured, closings } = await settled(ringing("call_3", AT, "ref"), completed, failed);
  expect(closings).toEqual([
    [
      { callId: "call_1", cost: costOf(60), unused: false },
      { callId: "call_2", cost: 0, unused: false },
    ],
  ]);
  expect(ensured).toEqual([]);
});

it("a call that is requested has its slot, looked at 30 s after its turn, though its rows were lost", async () => {
  if (REQUEST.event.type !== "CallRequested") throw new Error(REQUEST.event.type);
  const { dialBy } = REQUEST.event.data;
  const { ensured, closings } = await settled(REQUEST.event, ringing("call_1", AT, "ref"));
  const slot = {
    callId: "call_1",
    owner: "usr_1",
    campaignId: null,
    phoneNumber: REQUEST.event.data.to,
    dialAt: AT,
    dialBy,
  };
  expect(ensured).toEqual([
    { slot: { ...slot, nextLookAt: plusMillis(AT, 30_000) }, pricePerMinute: 10_000 },
  ]);
  expect(closings).toEqual([]);
});

it("a call that ended without a dial is taken back as unused; canceled, refused and unknown ones were dialled", async () => {
  const ends = [
    "not_placed",
    "suppressed",
    "invalid_text",
    "busy",
    "invalid_number",
    "outcome_unknown",
  ] as const;
  const { closings } = await settledWith(
    ["call_rung"],
    ...ends.map((endReason) => callEnd(`call_${endReason}`, AT, endReason, null)),
    callEnd("call_rung", AT, "canceled", null),
    callEnd("call_waiting", AT, "canceled", null),
  );
  expect(closings.flat().flatMap(({ callId, unused }) => (unused ? [callId] : []))).toEqual([
    ...["call_not_placed", "call_suppressed", "call_invalid_text", "call_waiting"],
  ]);
});
