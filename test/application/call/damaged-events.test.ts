import { describe, expect, it } from "vitest";
import { createDamagedEvents } from "../../../application/call/reactions/damaged-events.ts";
import type { EventToAppend } from "../../../application/ports/event-store.ts";
import type { OptOuts } from "../../../application/ports/opt-outs.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  PHONE_NUMBER,
  pass,
  type Stores,
  sharedStores,
  until,
} from "../engine-world.ts";

const NUMBER: PhoneNumber = "+12025550123";

type Process = ReturnType<typeof engineProcess>;

async function callOf(stores: Stores, { useCases }: Process): Promise<CallId> {
  const answer = await until(
    stores,
    useCases.startOutboundCall(CALLER, {
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
  if (!answer.ok) throw new Error(answer.refusal.code);
  await pass(stores, 1_000);
  return answer.value.callId;
}

function damaged(stores: Stores, type: string, data: JsonObject = { nonsense: true }): EventToAppend {
  const metadata = { correlationId: "c", causationId: null, actor: "test", owner: OWNER, schemaVersion: 1 };
  return { id: stores.ids.uuid(), type, data, metadata };
}

const listed = async ({ directory }: Stores) => (await directory.suppressed(OWNER, [NUMBER])).has(NUMBER);

async function parkedTypes({ checkpoints }: Stores) {
  return (await checkpoints.parked()).map(({ processor, type }) => `${processor} ${type}`);
}

/** The next event of the call is one that nobody can read. */
async function callWithDamaged(type: string, stores = sharedStores()) {
  const process = engineProcess(stores);
  const stream = `call-${await callOf(stores, process)}`;
  const last = stores.database.streams.get(stream)?.events.at(-1)?.revision ?? -1;
  await process.log.eventStore.append(stream, last, [damaged(stores, type)]);
  await pass(stores, 2_000);
  return { stores, process };
}

async function withoutListener(): Promise<Stores> {
  const stores = sharedStores();
  const version = await stores.directory.assistantVersion(OWNER, ASSISTANT, 1);
  if (version === null) throw new Error("no assistant");
  stores.directory.publish(OWNER, { ...version, optOut: "off" });
  return stores;
}

describe("an event of a call that the feed cannot read", () => {
  it.each(["CallMessageAdded", "CallDigitsReceived", "CallToolBegan", "CallMachineJudged", "CallOptedOut"])(
    "has its call's number refused, as somebody may have asked in it: %s",
    async (type) => {
      const { stores, process } = await callWithDamaged(type);
      expect([await listed(stores), await parkedTypes(stores)]).toEqual([true, [`feed ${type}`]]);
      const again = callOf(stores, process);
      await expect(again).rejects.toThrow("RECIPIENT_SUPPRESSED");
    },
  );

  it.each(["CallRinging", "CallCompleted", "CallContentErased"])(
    "refuses nobody when nothing can be said in it: %s",
    async (type) => {
      const { stores } = await callWithDamaged(type);
      expect([await listed(stores), await parkedTypes(stores)]).toEqual([false, [`feed ${type}`]]);
    },
  );

  it("refuses nobody where no assistant listens", async () => {
    const { stores } = await callWithDamaged("CallMessageAdded", await withoutListener());
    expect([await listed(stores), await parkedTypes(stores)]).toEqual([false, ["feed CallMessageAdded"]]);
  });

  it("has its number refused by whoever starts later, before it has passed the event", async () => {
    const stores = sharedStores();
    const process = engineProcess(stores);
    const stream = `call-${await callOf(stores, process)}`;
    process.stop();
    const last = stores.database.streams.get(stream)?.events.at(-1)?.revision ?? -1;
    await process.log.eventStore.append(stream, last, [damaged(stores, "CallMessageAdded")]);
    await pass(stores, 2_000);
    expect(await listed(stores)).toBe(false);
    engineProcess(stores, { processId: "two" });
    await pass(stores, 2_000);
    expect(await listed(stores)).toBe(true);
  });

  it("has the number refused that stands in a beginning that cannot be read itself", async () => {
    const stores = sharedStores();
    const process = engineProcess(stores);
    const began = damaged(stores, "CallRequested", { to: NUMBER });
    await process.log.eventStore.append("call-call_newer", "no_stream", [began]);
    await pass(stores, 2_000);
    expect(await listed(stores)).toBe(true);
    expect(stores.doNotCall.optOuts.get("call_newer")).toMatchObject({
      owner: OWNER,
      phoneNumber: NUMBER,
      by: null,
    });
  });

  it("does not stop the log when no number stands there, or nobody began the call", async () => {
    const stores = sharedStores();
    const process = engineProcess(stores);
    const { eventStore } = process.log;
    await eventStore.append("call-call_newer", "no_stream", [damaged(stores, "CallRequested")]);
    await eventStore.append("call-call_lost", "no_stream", [damaged(stores, "CallMessageAdded")]);
    await callOf(stores, process);
    expect(await parkedTypes(stores)).toEqual(["feed CallRequested", "feed CallMessageAdded"]);
    expect(stores.doNotCall.optOuts.size).toBe(0);
  });
});

describe("words of a call whose pinned conversation is lost", () => {
  it("have its number refused: nobody can tell what they asked for", async () => {
    const stores = sharedStores();
    const lost = {
      ...stores,
      pinnedConversations: { ...stores.pinnedConversations, read: async () => null },
    };
    const process = engineProcess(lost);
    const callId = await callOf(lost, process);
    const told = (sequence: number) => ({
      callId,
      carrierRef: `ref-${callId}`,
      sequence,
      occurredAt: stores.clock.now(),
      dedupeKey: `${sequence}`,
    });
    const said = { role: "customer", assistantId: null, content: "Hello?" } as const;
    await until(stores, process.sink({ ...told(1), type: "answered", answeredBy: "human" }));
    await pass(stores, 1_000);
    expect(await listed(stores)).toBe(false);
    await until(stores, process.sink({ ...told(2), type: "message", ...said }));
    await pass(stores, 1_000);
    expect(await listed(stores)).toBe(true);
    expect(await parkedTypes(stores)).toEqual([]);
  });
});

describe("a number that cannot be refused", () => {
  const away = new Error("the database is away");
  const broken = new TypeError("nobody can list it");

  async function parkedAfter(failure: Error) {
    const { stores, process } = await callWithDamaged("CallRinging");
    const stored = stores.database.events.at(-1);
    if (stored === undefined) throw new Error("no event");
    const parked: string[] = [];
    const refuse: OptOuts["refuse"] = () => Promise.reject(failure);
    const take = createDamagedEvents({
      ...stores,
      ...process.log,
      logger: silentLogger,
      optOuts: { refuse },
      checkpoints: { park: async (_processor, { type }) => void parked.push(type) },
      isTransient: (error) => error === away,
    });
    return { parked, work: take({ ...stored, type: "CallMessageAdded" }, "nonsense") };
  }

  it("for a while keeps its event from being passed", async () => {
    const { parked, work } = await parkedAfter(away);
    await expect(work).rejects.toThrow(away);
    expect(parked).toEqual([]);
  });

  it("for good does not keep the others waiting: its event is parked", async () => {
    const { parked, work } = await parkedAfter(broken);
    await work;
    expect(parked).toEqual(["CallMessageAdded"]);
  });
});
