import { describe, expect, it } from "vitest";
import { createCarrierEventSink } from "../../../application/call/carrier-events.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import {
  type ConversationWorld,
  conversationWorld,
  until,
} from "../../support/conversation/conversation-world.ts";

const MESSAGE = { voicemailPolicy: "leave_message", voicemailMessage: "Please call us back." } as const;

/** The carrier tells its verdict to any process; the log has it. */
async function carrierJudges(world: ConversationWorld): Promise<void> {
  const now = world.clock.now();
  const sink = createCarrierEventSink({
    calls: world.aggregates.calls,
    clock: world.clock,
    logger: silentLogger,
    carriers: { dialledOn: async () => null },
  });
  const judged = { type: "machine_judged", answeredBy: "machine", greetingEnded: true } as const;
  const event = { callId: world.request.callId, carrierRef: "ref", sequence: 0, occurredAt: now };
  await until(world.clock, sink({ ...judged, ...event, dedupeKey: "verdict" }));
  await world.pass(15_000);
}

const verdictsOf = (world: ConversationWorld) =>
  world
    .events()
    .flatMap(({ type, data }) =>
      type === "CallMachineJudged" ? [[data.by, data.answeredBy, data.policyApplied]] : [],
    );

describe("a verdict of the carrier", () => {
  it("that comes while the greeting is said stops it, and the message is left", async () => {
    const world = await conversationWorld({ answeredBy: "unknown", call: MESSAGE });
    const line = await world.connect({ kind: "relay" });
    await world.pass(600);
    await carrierJudges(world);
    expect(line.said().at(-1)?.heard).toBe(MESSAGE.voicemailMessage);
    expect(world.wishes).toEqual([{ by: "system", reason: "voicemail_message_left" }]);
    expect(verdictsOf(world)).toEqual([["carrier", "machine", "leave_message"]]);
  });

  it("that comes after the customer's second turn is recorded, and no policy follows", async () => {
    const world = await conversationWorld({ answeredBy: "unknown", call: MESSAGE });
    const line = await world.connect({ kind: "relay" });
    for (const words of ["Hello?", "Who is it?"]) {
      await world.pass(3_000);
      line.say(words);
    }
    await world.pass(1_000);
    await carrierJudges(world);
    expect(verdictsOf(world)).toEqual([["carrier", "machine", null]]);
    expect(line.said().some(({ text }) => text === MESSAGE.voicemailMessage)).toBe(false);
    expect(world.wishes).toEqual([]);
  });
});

describe("a line that sounds like a machine", () => {
  it("is only listened to", async () => {
    const world = await conversationWorld({ answeredBy: "unknown", call: MESSAGE });
    const line = await world.connect();
    await world.pass(2_600);
    line.hearMachine(false);
    await world.pass(3_000);
    expect([verdictsOf(world), world.wishes]).toEqual([[], []]);
  });

  it("and whose greeting ends is one: the policy follows, and the log says by what", async () => {
    const world = await conversationWorld({ answeredBy: "unknown", call: MESSAGE });
    const line = await world.connect();
    await world.pass(2_600);
    line.hearMachine(false);
    line.hearMachine(true);
    await world.pass(15_000);
    expect(verdictsOf(world)).toEqual([["sound", "machine", "leave_message"]]);
    expect(line.said().at(-1)?.heard).toBe(MESSAGE.voicemailMessage);
    expect(world.wishes).toEqual([{ by: "system", reason: "voicemail_message_left" }]);
  });
});
