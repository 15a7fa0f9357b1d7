import { describe, expect, it } from "vitest";
import { createKnownOptOuts } from "../../../application/conversation/known-opt-outs.ts";
import { createKnownCalls } from "../../../application/webhook/known-calls.ts";
import { endedEntry, SINGLE_CALL_OUTCOME } from "../../../application/webhook/webhook-body.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import { createSimulatedIds } from "../../../simulation/campaigns/simulated-ids.ts";
import { conversationWorld, SPEAKER } from "../../support/conversation/conversation-world.ts";

const SAID = { by: "words", messageIndex: 1 };

/** A call on which somebody said this, and its log until it ended; nothing has recorded an opt-out. */
async function callThatSaid(words: string) {
  const speaker = { ...SPEAKER, optOut: "listen", optOutDigit: "9" } as const;
  const world = await conversationWorld({ speakers: [speaker] });
  const line = await world.connect();
  await world.pass(2_000);
  if (words === "9") line.press(words);
  else line.say(words);
  await world.pass(10_000);
  line.close("hung_up");
  await world.pass(100);
  let asked = 0;
  const deps = {
    eventStore: {
      ...world.eventStore,
      read: (...given: Parameters<typeof world.eventStore.read>) => {
        asked += 1;
        return world.eventStore.read(...given);
      },
    },
    codec: world.codec,
    pinnedConversations: {
      read: async () => ({
        version: 1 as const,
        owner: "usr_1" as const,
        squadId: null,
        squadName: null,
        speakers: world.speakers,
      }),
    },
  };
  return { world, deps, reads: () => asked };
}

describe("an opt-out that nothing has recorded yet", () => {
  it.each([
    ["Never call me again.", SAID],
    ["9", { by: "keypad", messageIndex: 1 }],
    ["Who is this?", null],
  ])("is known from the feed, and from the log: %s", async (words, said) => {
    const { world, deps, reads } = await callThatSaid(words);
    const heard = createKnownOptOuts(deps);
    for (const event of world.events()) heard.hear(event);
    for (const event of world.events()) heard.hear(event);
    const known = await heard.of("call_1");
    expect([known, reads()]).toEqual([said === null ? null : expect.objectContaining(said), 0]);
    expect(await createKnownOptOuts(deps).of("call_1")).toEqual(known);
    expect(reads()).toBeGreaterThan(0);
  });

  it("is judged once for each event, however often it is asked for", async () => {
    const { world, deps } = await callThatSaid("Who is this?");
    let judged = 0;
    const read = async () => {
      const pinned = await deps.pinnedConversations.read();
      const speakers = pinned.speakers.map((speaker) => ({
        ...speaker,
        get optOut() {
          judged += 1;
          return "listen" as const;
        },
      }));
      return { ...pinned, speakers };
    };
    const known = createKnownOptOuts({ ...deps, pinnedConversations: { read } });
    for (const event of world.events()) known.hear(event);
    expect([await known.of("call_1"), judged > 0]).toEqual([null, true]);
    const before = judged;
    expect([await known.of("call_1"), judged]).toEqual([null, before]);
    const first = world.events().find((event) => event.type === "CallMessageAdded");
    if (first === undefined) throw new Error("nothing was said");
    const message = {
      ...first.data.message,
      role: "customer",
      content: "Never call me again.",
      index: 99,
    } as const;
    known.hear({ ...first, data: { ...first.data, message } });
    expect(await known.of("call_1")).toMatchObject({ by: "words", messageIndex: 99 });
  });

  it("stands in call.ended", async () => {
    const { world, deps } = await callThatSaid("Never call me again.");
    const ended: CallEvent = {
      type: "CallCompleted",
      data: {
        callId: "call_1",
        at: world.clock.now(),
        endReason: "assistant_ended",
        endedBy: "assistant",
        durationSeconds: 12,
        cost: 0,
        recordingStatus: "none",
        carrierRef: "ref",
        sequence: null,
      },
    };
    const known = createKnownCalls(deps);
    for (const event of [...world.events(), ended]) known.hear(event);
    const facts = await known.of("call_1");
    if (facts === null) throw new Error("no call");
    const ids = createSimulatedIds();
    const entry = endedEntry({ ids, publicUrl: () => "" }, facts, SINGLE_CALL_OUTCOME);
    const { data } = JSON.parse(entry?.body ?? "{}");
    expect(data.optedOut).toMatchObject(SAID);
    expect(data.messages[1].at).toBe(data.optedOut.at);
  });
});
