import { describe, expect, it } from "vitest";
import { createOptOutReaction } from "../../../application/call/reactions/opt-outs.ts";
import type { CarrierEvent } from "../../../application/ports/carrier.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { CrashPoints } from "../../../simulation/crash-points/crash-points.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  openEvents,
  PHONE_NUMBER,
  pass,
  type Stores,
  sharedStores,
  typesOf,
  until,
  type WorldOptions,
} from "../engine-world.ts";

const NUMBER: PhoneNumber = "+12025550123";
const OTHER: PhoneNumber = "+12025550124";
const ASKS = "Please never call me again.";

type Process = ReturnType<typeof engineProcess>;

async function callOf(stores: Stores, process: Process, to = NUMBER): Promise<CallId> {
  const answer = await until(
    stores,
    process.useCases.startOutboundCall(CALLER, {
      reservedCallId: null,
      phoneNumberId: PHONE_NUMBER,
      assistantId: ASSISTANT,
      squadId: null,
      to,
      greetingMessage: null,
      specialInstructions: null,
      metadata: {},
    }),
  );
  if (!answer.ok) throw new Error(answer.refusal.code);
  return answer.value.callId;
}

/** The carrier tells of an answered call, and of what the customer says. */
function line(stores: Stores, process: Process, callId: CallId) {
  let sequence = 0;
  const told = () => {
    sequence += 1;
    const occurredAt = stores.clock.now();
    return { callId, carrierRef: `ref-${callId}`, sequence, occurredAt, dedupeKey: `${callId}-${sequence}` };
  };
  const tell = (event: CarrierEvent) => until(stores, process.sink(event));
  return {
    answer: async () => {
      await tell({ ...told(), type: "answered", answeredBy: "human" });
      await tell({ ...told(), type: "conversation_started" });
    },
    say: (content: string) =>
      tell({ ...told(), type: "message", role: "customer", assistantId: null, content }),
    end: () => {
      const answer = { answeredAt: null, answeredBy: null, recordingExpected: false, carrierCode: null };
      return tell({
        ...told(),
        ...answer,
        type: "ended",
        endReason: "customer_ended",
        endedBy: "customer",
      });
    },
  };
}

async function answeredCall(stores: Stores, process: Process, to = NUMBER) {
  const callId = await callOf(stores, process, to);
  const spoken = line(stores, process, callId);
  await spoken.answer();
  return { callId, ...spoken };
}

const optOutsIn = (stores: Stores) => openEvents(stores).filter(({ type }) => type === "CallOptedOut");
const listed = async (stores: Stores, number = NUMBER) =>
  (await stores.directory.suppressed(OWNER, [number])).has(number);

function world(options: WorldOptions = {}) {
  const stores = sharedStores();
  return { stores, process: engineProcess(stores, options) };
}

describe("who asks never to be called again", () => {
  it("is on the list within two seconds, and the call says so once", async () => {
    const { stores, process } = world();
    const { callId, say, end } = await answeredCall(stores, process);
    await say("Hello?");
    await pass(stores, 2_000);
    expect(await listed(stores)).toBe(false);
    const saidAt = stores.clock.now();
    await say(ASKS);
    await say("Never call me again, I said.");
    await pass(stores, 2_000);
    expect(await listed(stores)).toBe(true);
    await end();
    await pass(stores, 30_000);
    const [event, ...others] = optOutsIn(stores);
    expect(others).toEqual([]);
    expect(event?.stream).toBe(`call-${callId}`);
    expect(event?.data).toMatchObject({ by: "words", saidAt });
    expect(event?.metadata).toMatchObject({ owner: OWNER, actor: "process:opt-outs" });
    expect(await answeredAgain(stores, process)).toMatchObject({
      ok: false,
      refusal: { code: "RECIPIENT_SUPPRESSED" },
    });
  });

  it("is not listed twice, nor again after the number was taken off", async () => {
    const { stores, process } = world();
    const { callId, say } = await answeredCall(stores, process);
    await say(ASKS);
    await pass(stores, 2_000);
    const command = { type: "RevokeOptOut", by: "key_1", now: stores.clock.now() } as const;
    const origin = { ...CALLER, causationId: null };
    await until(stores, process.aggregates.calls.handle(`call-${callId}`, [command], origin));
    stores.directory.unsuppress(OWNER, NUMBER);
    await say(ASKS);
    await pass(stores, 5_000);
    expect([await listed(stores), optOutsIn(stores).length]).toEqual([false, 1]);
    expect(stores.doNotCall.optOuts.get(callId)).toMatchObject({ revoked: true });
  });

  it("is heard by the process that starts after the one that did not get to it", async () => {
    const { stores, process } = world();
    const { say } = await answeredCall(stores, process);
    await pass(stores, 1_000);
    process.stop();
    await say(ASKS);
    await pass(stores, 5_000);
    expect([await listed(stores), optOutsIn(stores).length]).toEqual([false, 0]);
    engineProcess(stores, { processId: "two" });
    await pass(stores, 5_000);
    expect([await listed(stores), optOutsIn(stores).length]).toEqual([true, 1]);
  });

  it("is listed from the log where the rows were lost with a database, unless it was revoked", async () => {
    const { stores, process } = world();
    const [kept, revoked] = [await answeredCall(stores, process), await answeredCall(stores, process, OTHER)];
    await kept.say(ASKS);
    await revoked.say(ASKS);
    await pass(stores, 3_000);
    const command = { type: "RevokeOptOut", by: "key_1", now: stores.clock.now() } as const;
    const origin = { ...CALLER, causationId: null };
    await until(stores, process.aggregates.calls.handle(`call-${revoked.callId}`, [command], origin));
    process.stop();
    stores.doNotCall.optOuts.clear();
    for (const number of [NUMBER, OTHER]) stores.directory.unsuppress(OWNER, number);
    await stores.checkpoints.save("opt-outs", { position: "0", eventId: null });
    engineProcess(stores, { processId: "two" });
    await pass(stores, 5_000);
    expect([await listed(stores), await listed(stores, OTHER)]).toEqual([true, false]);
    expect(optOutsIn(stores)).toHaveLength(2);
  });

  it("is not heard where the assistant does not listen", async () => {
    const stores = sharedStores();
    const version = await stores.directory.assistantVersion(OWNER, ASSISTANT, 1);
    if (version === null) throw new Error("no assistant");
    stores.directory.publish(OWNER, { ...version, optOut: "off" });
    const process = engineProcess(stores);
    const { say } = await answeredCall(stores, process);
    await say(ASKS);
    await pass(stores, 5_000);
    expect([await listed(stores), optOutsIn(stores)]).toEqual([false, []]);
  });
});

async function answeredAgain(stores: Stores, process: Process) {
  return until(
    stores,
    process.useCases.startOutboundCall(CALLER, {
      reservedCallId: null,
      phoneNumberId: PHONE_NUMBER,
      assistantId: ASSISTANT,
      squadId: null,
      to: NUMBER,
      greetingMessage: null,
      specialInstructions: null,
      metadata: {},
    }),
  );
}

describe("the event of an opt-out", () => {
  it("comes after every dial of the number that had its slot before, and other opt-outs do not wait for it", async () => {
    const { stores, process } = world();
    const one = await answeredCall(stores, process);
    const two = await answeredCall(stores, process, OTHER);
    const now = stores.clock.now();
    const [callId, dialBy] = ["call_slow", instantFromMillis(stores.clock.nowMillis() + 8_000)] as const;
    const slot = {
      callId,
      owner: OWNER,
      campaignId: null,
      phoneNumber: NUMBER,
      dialAt: now,
      dialBy,
    } as const;
    await stores.admission.ensure({ ...slot, nextLookAt: dialBy }, 0);
    await one.say(ASKS);
    await two.say(ASKS);
    await pass(stores, 2_000);
    expect(await listed(stores)).toBe(true);
    expect(optOutsIn(stores).map(({ stream }) => stream)).toEqual([`call-${two.callId}`]);
    await pass(stores, 10_000);
    expect(typesOf(stores, `call-${one.callId}`)).not.toContain("CallOptedOut");
    await pass(stores, 2_000);
    expect(optOutsIn(stores).map(({ stream }) => stream)).toEqual([
      `call-${two.callId}`,
      `call-${one.callId}`,
    ]);
  });

  it("does not wait for a slot that was given back", async () => {
    const { stores, process } = world();
    const { say, callId } = await answeredCall(stores, process);
    const [now, dialBy] = [stores.clock.now(), instantFromMillis(stores.clock.nowMillis() + 60_000)];
    const slot = { owner: OWNER, campaignId: null, phoneNumber: NUMBER, dialAt: now, dialBy } as const;
    await stores.admission.ensure({ ...slot, callId: "call_given", nextLookAt: dialBy }, 0);
    await say(ASKS);
    await pass(stores, 2_000);
    expect(optOutsIn(stores)).toEqual([]);
    await stores.admission.close([{ callId: "call_given", cost: 0 }]);
    await pass(stores, 1_000);
    expect(optOutsIn(stores).map(({ stream }) => stream)).toEqual([`call-${callId}`]);
  });
});

describe("a process that dies", () => {
  it.each([
    "optOuts.list.before",
    "optOuts.list.after",
    "eventStore.append.CallOptedOut.before",
    "eventStore.append.CallOptedOut.after",
    "optOuts.recorded.before",
    "checkpoints.save.before",
  ])(
    "at %s leaves nothing undone: the next one lists the number, and the call says so once",
    async (point) => {
      const stores = sharedStores();
      const armed = { dies: false };
      const dead = Promise.withResolvers<never>().promise;
      const crashPoints: CrashPoints = {
        reached: (name) => {
          if (!armed.dies || name !== point) return undefined;
          process.stop();
          return dead;
        },
      };
      const process: Process = engineProcess(stores, { crashPoints });
      const { say, callId } = await answeredCall(stores, process);
      await pass(stores, 1_000);
      armed.dies = true;
      await say(ASKS);
      await pass(stores, 5_000);
      process.stop();
      engineProcess(stores, { processId: "two" });
      await pass(stores, 10_000);
      expect(await listed(stores)).toBe(true);
      expect(optOutsIn(stores).map(({ stream }) => stream)).toEqual([`call-${callId}`]);
      expect(stores.doNotCall.optOuts.get(callId)).toMatchObject({ recorded: true, revoked: false });
    },
  );
});

describe("an opt-out that cannot be listed", () => {
  const away = new Error("the database is away");
  const broken = new TypeError("nobody can list it");

  async function heardWith(failure: Error, pinned: "kept" | "lost" = "kept", refusals: Error[] = []) {
    const stores = sharedStores();
    const process = engineProcess(stores);
    const { say, callId } = await answeredCall(stores, process);
    await pass(stores, 1_000);
    process.stop();
    await say("Please never call");
    await say(ASKS);
    const failures = [failure];
    const done: string[] = [];
    const asked: string[] = [];
    const { optOuts } = process;
    const handle = createOptOutReaction({
      ...stores,
      ...process.log,
      ...(pinned === "lost" && {
        pinnedConversations: {
          read: async (hash: string) => {
            asked.push(hash);
            return null;
          },
        },
      }),
      calls: process.aggregates.calls,
      isTransient: (error) => error === away,
      onListed: () => undefined,
      optOuts: {
        ...optOuts,
        list: async (heard) => {
          const problem = failures.shift();
          if (problem !== undefined) throw problem;
          done.push(`list ${heard.callId}`);
        },
        refuse: async (call) => {
          const problem = refusals.shift();
          if (problem !== undefined) throw problem;
          done.push(`refuse ${call.phoneNumber}`);
        },
      },
    });
    const page = await process.log.eventStore.read(`call-${callId}`);
    const events = (await process.log.codec.decode(page)).flatMap((decoded) =>
      decoded.kind === "event" ? [decoded.recorded] : [],
    );
    return { events, handle, done, callId, asked };
  }

  it("for a while is listed when the same events come again", async () => {
    const { events, handle, done, callId } = await heardWith(away);
    await expect(handle(events)).rejects.toThrow(away);
    expect(done).toEqual([]);
    await handle(events);
    await handle(events);
    expect(done).toEqual([`list ${callId}`]);
  });

  it("for good has its number refused, and fails, so that its event is parked", async () => {
    const { events, handle, done } = await heardWith(broken);
    await expect(handle(events)).rejects.toThrow(broken);
    expect(done).toEqual([`refuse ${NUMBER}`]);
  });

  it("is heard by whoever did not see the call's beginning", async () => {
    const { events, handle, done, callId } = await heardWith(away);
    await expect(handle(events.slice(-1))).rejects.toThrow(away);
    await handle(events.slice(-1));
    expect(done).toEqual([`list ${callId}`]);
  });

  it("because what was pinned is lost has its number refused once, and asks for it once", async () => {
    const { events, handle, done, asked } = await heardWith(away, "lost");
    await handle(events);
    await handle(events);
    expect([done, asked.length]).toEqual([[`refuse ${NUMBER}`], 1]);
  });

  it("is refused by the next try where the refusal itself fails for a while", async () => {
    const { events, handle, done } = await heardWith(away, "lost", [away]);
    await expect(handle(events)).rejects.toThrow(away);
    await handle(events);
    expect(done).toEqual([`refuse ${NUMBER}`]);
  });
});
