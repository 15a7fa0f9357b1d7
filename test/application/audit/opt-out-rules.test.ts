import { expect, it } from "vitest";
import type { AuditedEvent } from "../../../application/audit/broken-rule.ts";
import { judgeOptOuts, withOptOuts } from "../../../application/audit/opt-out-rules.ts";
import type { RecordedEvent } from "../../../application/ports/event-codec.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { createEventCodec } from "../../../infrastructure/log/codec.ts";
import { createMemorySubjectKeys } from "../../../simulation/memory/subject-keys.ts";
import { FAR_SIDE, REQUEST } from "../../domain/call/example-call.ts";
import { at } from "../../domain/campaign/example-campaign.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { recorded } from "./example-history.ts";
import { optedOut } from "./planted-violations.ts";

const requested = (callId: CallId, change: object = {}): DomainEvent => ({
  type: "CallRequested",
  data: { ...REQUEST, callId, ...change },
});
const began = (callId: CallId): DomainEvent => ({
  type: "CallDialingBegan",
  data: { callId, at: at(1), carrier: FAR_SIDE },
});
const revoked = (callId: CallId): DomainEvent => ({
  type: "CallOptOutRevoked",
  data: { callId, at: at(400), by: "key_1" },
});
const OTHER_OWNER: OwnerId = "usr_2";

function dialsFound(events: readonly AuditedEvent[]): readonly string[] {
  const found: string[] = [];
  judgeOptOuts(events, (rule, problem) => found.push(`${rule}: ${problem}`));
  return found.map((line) => line.split(" ")[1] ?? "");
}

const FIRST = [requested("call_1"), began("call_1"), optedOut("call_1")];

it.each<[string, readonly DomainEvent[], readonly string[]]>([
  ["a later dial of the number", [requested("call_2"), began("call_2")], ["call_2"]],
  [
    "every later dial",
    [requested("call_2"), began("call_2"), requested("call_3"), began("call_3")],
    ["call_2", "call_3"],
  ],
  ["no dial that never began", [requested("call_2")], []],
  ["no dial of another number", [requested("call_2", { to: "+12025550199" }), began("call_2")], []],
  ["no dial of another owner", [requested("call_2", { owner: OTHER_OWNER }), began("call_2")], []],
  ["no dial after it was revoked", [revoked("call_1"), requested("call_2"), began("call_2")], []],
  [
    "a dial after only one of two was revoked",
    [requested("call_2"), optedOut("call_2"), revoked("call_1"), requested("call_3"), began("call_3")],
    ["call_3"],
  ],
])("finds %s", (_what, then, found) => {
  expect(dialsFound(recorded([...FIRST, ...then]))).toEqual(found);
});

it("goes by the order of the log, not by times", () => {
  const before = [
    requested("call_1"),
    began("call_1"),
    requested("call_2"),
    began("call_2"),
    optedOut("call_1"),
  ];
  expect(dialsFound(recorded(before))).toEqual([]);
  const late: DomainEvent = {
    type: "CallDialingBegan",
    data: { callId: "call_2", at: at(-99), carrier: FAR_SIDE },
  };
  expect(dialsFound(recorded([...FIRST, requested("call_2"), late]))).toEqual(["call_2"]);
});

it("sees the opt-outs of all calls of the owner beside the campaign's own events", async () => {
  const keys = createMemorySubjectKeys({ drawMissing: true });
  const codec = createEventCodec(keys);
  const { eventStore, aggregates } = memoryLog({ codec, keys });
  const origin = (owner: OwnerId) => ({ owner, actor: "key_1", correlationId: "c", causationId: null });
  const live = async (callId: CallId, owner: OwnerId) => {
    const stream = `call-${callId}`;
    const request = { ...REQUEST, callId, owner };
    const said = { by: "words", messageIndex: null, saidAt: at(2), now: at(3) } as const;
    const commands = [
      { type: "StartCall", request },
      { type: "BeginDialing", now: request.at, suppressed: false, carrier: FAR_SIDE },
      {
        type: "RecordAnswered",
        answeredBy: "human",
        carrierRef: "ref",
        sequence: 1,
        dedupeKey: "1",
        occurredAt: request.at,
        now: request.at,
      },
      { type: "RecordOptedOut", ...said },
    ] as const;
    await aggregates.calls.handle(stream, commands, origin(owner));
  };
  await live("call_1", REQUEST.owner);
  await live("call_2", OTHER_OWNER);
  const own: RecordedEvent[] = [];
  const all = await withOptOuts({ eventStore, codec }, REQUEST.owner, own);
  expect(all.map(({ event, stream }) => [event.type, stream])).toEqual([
    ["CallRequested", "call-call_1"],
    ["CallOptedOut", "call-call_1"],
  ]);
  expect(await withOptOuts({ eventStore, codec }, REQUEST.owner, all)).toEqual(all);
});
