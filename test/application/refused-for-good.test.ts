import { describe, expect, it } from "vitest";
import type { CreateCampaignRequest } from "../../application/campaign/create-campaign.ts";
import {
  type EventStore,
  EventStoreError,
  type EventStoreFailure,
  type StreamName,
} from "../../application/ports/event-store.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import { contact, creation } from "../domain/campaign/example-campaign.ts";
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
} from "./engine-world.ts";
import { campaignRequest, exampleContacts } from "./example-request.ts";

const TOO_LARGE: EventStoreFailure = {
  kind: "too_large",
  what: "append",
  bytes: 2_000_000,
  limit: 1_048_576,
};
const ORIGIN = { owner: OWNER, actor: "key_1", correlationId: "req", causationId: null };

function requestOf(
  reservedCampaignId: CampaignId,
  count: number,
  texts: Partial<CreateCampaignRequest> = {},
  customData: JsonObject = {},
): CreateCampaignRequest {
  return campaignRequest(count, {
    reservedCampaignId,
    contacts: exampleContacts(count, customData),
    ...texts,
  });
}

/** The first call whose stream is written: nothing is ever taken of it. */
function refusesFirstCall(failure: EventStoreFailure) {
  const refused = { stream: "", appends: 0 };
  const wrapStore = (store: EventStore): EventStore => ({
    ...store,
    append: async (stream, expected, events) => {
      if (stream.startsWith("call-") && refused.stream === "") refused.stream = stream;
      if (stream !== refused.stream) return store.append(stream, expected, events);
      refused.appends += 1;
      throw new EventStoreError(failure);
    },
  });
  return { refused, wrapStore };
}

/** From when it is named on, the stream is gone. */
function losesStreams(lost: Set<StreamName>, onAsked: () => void = () => undefined) {
  return (store: EventStore): EventStore => ({
    ...store,
    read: async (stream, options) => {
      if (!lost.has(stream)) return store.read(stream, options);
      onAsked();
      throw new EventStoreError({ kind: "deleted", stream });
    },
  });
}

async function within<T>(stores: Stores, millis: number, work: Promise<T>): Promise<T | "too late"> {
  return until(stores, Promise.race([work, stores.clock.sleep(millis).then(() => "too late" as const)]));
}

function dataOf(stores: Stores, stream: string, type: string): readonly JsonObject[] {
  return openEvents(stores, stream)
    .filter((event) => event.type === type)
    .map(({ data }) => data);
}

function parkedOf(engine: Pick<ReturnType<typeof engineProcess>, "processors">, loop: string) {
  return engine.processors().find(({ name }) => name === loop)?.parked;
}

describe("a call that the log never takes", () => {
  it("ends its attempt within seconds, and holds nobody else up", async () => {
    const stores = sharedStores();
    const { refused, wrapStore } = refusesFirstCall(TOO_LARGE);
    const engine = engineProcess(stores, { wrapStore });
    const { useCases } = engine;
    await until(stores, useCases.createCampaign(CALLER, requestOf("cmp_1", 3)));
    await until(stores, useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 5_000);
    expect(engine.placed).toHaveLength(2);
    expect(refused.appends).toBeLessThanOrEqual(2);
    const [outcome, ...others] = dataOf(stores, "campaign-cmp_1", "ContactAttemptFailed");
    expect(outcome).toMatchObject({ endReason: "invalid_text", retryAt: null });
    expect(others).toEqual([]);
    const { liveCalls } = await stores.admission.account(OWNER);
    expect(liveCalls).toBe(2);
    expect(parkedOf(engine, "campaign-runner")).toBe(1);
  });

  it("lets pause, cancel and the end of that call answer", async () => {
    const stores = sharedStores();
    const { refused, wrapStore } = refusesFirstCall(TOO_LARGE);
    const { useCases } = engineProcess(stores, { wrapStore });
    await until(stores, useCases.createCampaign(CALLER, requestOf("cmp_1", 3)));
    await until(stores, useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 200);
    expect(await within(stores, 5_000, useCases.pauseCampaign(CALLER, "cmp_1"))).toMatchObject({ ok: true });
    const hangUp = { hangUpActiveCalls: true };
    const cancelled = within(stores, 5_000, useCases.cancelCampaign(CALLER, "cmp_1", hangUp));
    expect(await cancelled).toMatchObject({ ok: true });
    const callId = `call_${refused.stream.slice("call-call_".length)}` as const;
    const ended = await within(stores, 5_000, useCases.endCall(CALLER, callId));
    expect(ended).toMatchObject({ ok: false, refusal: { code: "CALL_NOT_FOUND" } });
  });

  it("is stored without what the log refuses when it takes that", async () => {
    const stores = sharedStores();
    const wrapStore = (store: EventStore): EventStore => ({
      ...store,
      append: async (stream, expected, events) => {
        const isLarge = events.some(({ data }) => Object.keys(data["customData"] ?? {}).length > 0);
        if (stream.startsWith("call-") && isLarge) throw new EventStoreError(TOO_LARGE);
        return store.append(stream, expected, events);
      },
    });
    const { useCases, placed } = engineProcess(stores, { wrapStore });
    await until(stores, useCases.createCampaign(CALLER, requestOf("cmp_1", 1, {}, { a: "x" })));
    await until(stores, useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 5_000);
    const call = [...stores.database.streams.keys()].find((stream) => stream.startsWith("call-")) ?? "";
    expect(typesOf(stores, call)).toEqual(["CallRequested", "CallFailed"]);
    expect(dataOf(stores, call, "CallFailed")).toMatchObject([{ endReason: "invalid_text", cost: 0 }]);
    expect(placed).toEqual([]);
    expect(typesOf(stores, "campaign-cmp_1").at(-1)).toBe("CampaignCompleted");
  });

  it("keeps no slot of a single call", async () => {
    const stores = sharedStores();
    const { wrapStore } = refusesFirstCall(TOO_LARGE);
    const { useCases } = engineProcess(stores, { wrapStore });
    const request = { phoneNumberId: PHONE_NUMBER, assistantId: ASSISTANT, to: "+12025550001" } as const;
    const single = { ...request, squadId: null, greetingMessage: null, specialInstructions: null };
    const starting = useCases.startOutboundCall(CALLER, { ...single, reservedCallId: null, metadata: {} });
    await expect(until(stores, starting)).rejects.toThrow("too_large");
    expect((await stores.admission.account(OWNER)).liveCalls).toBe(0);
  });
});

describe("texts that are too long", () => {
  const BOMB = { specialInstructions: "{{a}}".repeat(6_553) };
  const VALUE = { a: "x".repeat(16_000) };

  it("reject the contact when it is imported or added, by the greeting in effect", async () => {
    const stores = sharedStores();
    const { useCases } = engineProcess(stores);
    const bomb = requestOf("cmp_1", 2, BOMB, VALUE);
    const [first, ...rest] = [...bomb.contacts];
    if (first === undefined) throw new Error("no contact");
    const contacts = [{ ...first, customData: {} }, ...rest];
    const created = await until(stores, useCases.createCampaign(CALLER, { ...bomb, contacts }));
    const reported = {
      count: 1,
      items: [{ index: 1, phoneNumber: "+12025550001", reason: "text_too_long" }],
    };
    expect(created).toMatchObject({ ok: true, value: { totalContacts: 1, rejectedContacts: reported } });
    const greeted = [
      { ...first, customData: {}, name: "n".repeat(4_091) },
      { ...first, customData: {}, index: 1, name: "n".repeat(4_090) },
    ];
    const adding = { contacts: greeted, refusedRows: [], skipDuplicates: false, reservedImportId: null };
    const added = await until(stores, useCases.addContacts(CALLER, "cmp_1", adding));
    expect(added).toMatchObject({ ok: true, value: { added: 1, rejectedContacts: { count: 1 } } });
    const screened = await until(stores, useCases.screenImport(CALLER, { ...bomb, contacts: greeted }));
    expect(screened).toMatchObject({ accepted: 1, rejected: { items: [{ reason: "text_too_long" }] } });
    const again = await until(stores, useCases.createCampaign(CALLER, { ...bomb, contacts }));
    expect(again).toMatchObject({ ok: true, value: { rejectedContacts: reported } });
  });

  it("end the call of an older campaign before it is dialled", async () => {
    const stores = sharedStores();
    const engine = engineProcess(stores);
    await createOlder(stores, engine, "cmp_2", BOMB.specialInstructions, VALUE);
    await until(stores, engine.useCases.startCampaign(CALLER, "cmp_2"));
    await pass(stores, 3_000);
    const call = [...stores.database.streams.keys()].find((stream) => stream.startsWith("call-")) ?? "";
    const message = "specialInstructions is longer than 32768 bytes when it is filled";
    expect(dataOf(stores, call, "CallRequested")).toMatchObject([
      { greetingMessage: "", specialInstructions: null },
    ]);
    expect(dataOf(stores, call, "CallFailed")).toMatchObject([
      { endReason: "invalid_text", cost: 0, error: { code: "invalid_text", message } },
    ]);
    expect(engine.placed).toEqual([]);
    expect(typesOf(stores, "campaign-cmp_2").at(-1)).toBe("CampaignCompleted");
  });
});

/** As the release before wrote it: nobody had measured the texts. */
async function createOlder(
  stores: Stores,
  { aggregates }: ReturnType<typeof engineProcess>,
  campaignId: CampaignId,
  specialInstructions: string,
  customData: JsonObject,
): Promise<void> {
  const now = stores.clock.now();
  const ids = { campaignId, importId: "imp_2" } as const;
  const contacts = [contact(1, { customData })];
  const pins = { phoneNumberId: PHONE_NUMBER, specialInstructions, at: now };
  const campaign = { ...creation(1), ...ids, ...pins, owner: OWNER };
  const commands = [
    { type: "ImportContacts", ...ids, firstIndex: 0, contacts, now },
    { type: "CreateCampaign", campaign },
  ] as const;
  await until(stores, aggregates.campaigns.handle(`campaign-${campaignId}`, commands, ORIGIN));
}

describe("a stream that is gone", () => {
  it("of a call ends its attempt as unknown when the campaign is taken over, and the others go on", async () => {
    const stores = sharedStores();
    const first = engineProcess(stores);
    await until(stores, first.useCases.createCampaign(CALLER, requestOf("cmp_1", 2)));
    await until(stores, first.useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 2_000);
    first.stop();
    const [lost] = first.placed;
    const next = engineProcess(stores, { wrapStore: losesStreams(new Set([`call-${lost}`])) });
    await pass(stores, 20_000);
    expect(dataOf(stores, "campaign-cmp_1", "ContactAttemptFailed")).toMatchObject([
      { callId: lost, endReason: "outcome_unknown", retryAt: null },
    ]);
    expect(await within(stores, 5_000, next.useCases.pauseCampaign(CALLER, "cmp_1"))).toMatchObject({
      ok: true,
    });
  });

  it("of a campaign is found out once, and keeps no other one from being taken over", async () => {
    const stores = sharedStores();
    const first = engineProcess(stores);
    for (const id of ["cmp_1", "cmp_2"] as const) {
      await until(stores, first.useCases.createCampaign(CALLER, requestOf(id, 1)));
    }
    await until(stores, stores.leases.acquire("campaign:cmp_1", "one", 1));
    first.stop();
    await until(stores, stores.leases.acquire("campaign:cmp_2", "one", 2));
    let asked = 0;
    const onAsked = () => {
      asked += 1;
    };
    const next = engineProcess(stores, { wrapStore: losesStreams(new Set(["campaign-cmp_1"]), onAsked) });
    await pass(stores, 120_000);
    expect(asked).toBe(1);
    // Nothing is left to do for the second: its lease was given back.
    expect(await stores.leases.holder("campaign:cmp_2")).toBeNull();
    expect(parkedOf(next, "campaign-runner")).toBe(1);
  });

  it("of a campaign for one process alone is run by another that can read it, and takes commands there", async () => {
    const stores = sharedStores();
    const first = engineProcess(stores);
    await until(stores, first.useCases.createCampaign(CALLER, requestOf("cmp_1", 1)));
    await until(stores, first.useCases.startCampaign(CALLER, "cmp_1"));
    first.stop();
    const wrapStore = losesStreams(new Set(["campaign-cmp_1"]));
    const old = engineProcess(stores, { processId: "old", wrapStore });
    await pass(stores, 60_000);
    expect(parkedOf(old, "campaign-runner")).toBe(1);
    const newer = engineProcess(stores, { processId: "newer" });
    await pass(stores, 5_000);
    expect(await stores.leases.holder("campaign:cmp_1")).toBe("newer");
    const paused = within(stores, 5_000, newer.useCases.pauseCampaign(CALLER, "cmp_1"));
    expect(await paused).toMatchObject({ ok: true });
  });

  it("of a call lets the watchdog end the others, and frees its slot when it is over in any case", async () => {
    const stores = sharedStores();
    const lost = new Set<StreamName>();
    const engine = engineProcess(stores, { wrapStore: losesStreams(lost) });
    const request = { phoneNumberId: PHONE_NUMBER, assistantId: ASSISTANT, squadId: null, metadata: {} };
    const single = { ...request, greetingMessage: null, specialInstructions: null, reservedCallId: null };
    for (const to of ["+12025550001", "+12025550002"] as const) {
      await until(stores, engine.useCases.startOutboundCall(CALLER, { ...single, to }));
    }
    const [unreadable, other] = engine.placed;
    lost.add(`call-${unreadable}`);
    // The carrier says nothing more: ringing ends after 75 s, and is asked about for ten minutes.
    await pass(stores, 15 * 60_000);
    expect(typesOf(stores, `call-${other}`).at(-1)).toBe("CallFailed");
    expect((await stores.admission.account(OWNER)).liveCalls).toBe(1);
    await pass(stores, 3 * 3_600_000);
    expect((await stores.admission.account(OWNER)).liveCalls).toBe(0);
    expect(parkedOf(engine, "call-watchdog")).toBe(1);
  });
});

describe("a call of a running campaign that is given up", () => {
  const OVER_MILLIS = 3 * 3_600_000 + 5 * 60_000;
  const running = async (
    wrapStore: (store: EventStore) => EventStore,
    other: { readonly processId?: string } = {},
  ) => {
    const stores = sharedStores();
    const engine = engineProcess(stores, { wrapStore, ...other });
    await until(stores, engine.useCases.createCampaign(CALLER, requestOf("cmp_1", 1)));
    await until(stores, engine.useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 2_000);
    return { stores, engine, callId: engine.placed[0] };
  };
  const expectUnknown = async (stores: Stores, callId: string | undefined) => {
    expect(dataOf(stores, "campaign-cmp_1", "ContactAttemptFailed")).toMatchObject([
      { callId, endReason: "outcome_unknown", retryAt: null },
    ]);
    expect(typesOf(stores, "campaign-cmp_1").at(-1)).toBe("CampaignCompleted");
    expect((await stores.admission.account(OWNER)).liveCalls).toBe(0);
  };

  it("because its stream is gone ends its attempt as unknown, and the campaign completes", async () => {
    const lost = new Set<StreamName>();
    const { stores, engine, callId } = await running(losesStreams(lost));
    lost.add(`call-${callId}`);
    await pass(stores, OVER_MILLIS);
    await expectUnknown(stores, callId);
    expect(parkedOf(engine, "call-watchdog")).toBe(1);
  });

  it("because the log takes no end of it does so, too", async () => {
    let refuses = false;
    const { stores, callId } = await running((store) => ({
      ...store,
      append: async (stream, expected, events) => {
        if (refuses && stream.startsWith("call-")) throw new EventStoreError(TOO_LARGE);
        return store.append(stream, expected, events);
      },
    }));
    refuses = true;
    await pass(stores, OVER_MILLIS);
    await expectUnknown(stores, callId);
  });

  it("by a process that does not run the campaign is told to the one that does", async () => {
    const lost = new Set<StreamName>();
    const wrapStore = losesStreams(lost);
    const { stores, engine, callId } = await running(wrapStore);
    engineProcess(stores, { wrapStore, processId: "two" });
    // The first process runs the campaign on, and looks at no call any more.
    engine.stopDialing();
    lost.add(`call-${callId}`);
    await pass(stores, OVER_MILLIS);
    await expectUnknown(stores, callId);
    expect(parkedOf(engine, "call-watchdog")).toBe(0);
  });
});

describe("an end that waits to be told", () => {
  it("is dropped when the log does not know its call, or has lost it, and holds no other up", async () => {
    const stores = sharedStores();
    const lost = new Set<StreamName>(["call-call_lost"]);
    const engine = engineProcess(stores, { wrapStore: losesStreams(lost) });
    const due = stores.clock.now();
    for (const callId of ["call_unknown", "call_lost"] as const) {
      stores.outbox.pendingEnds.set(callId, { callId, owner: OWNER, due });
    }
    await pass(stores, 20_000);
    expect([...stores.outbox.pendingEnds.keys()]).toEqual([]);
    expect(parkedOf(engine, "webhook-due-ends")).toBe(2);
  });
});

describe("a call that the log takes nothing more of", () => {
  const refusing = async () => {
    const stores = sharedStores();
    let refuses = false;
    const wrapStore = (store: EventStore): EventStore => ({
      ...store,
      append: async (stream, expected, events) => {
        if (refuses && stream.startsWith("call-")) throw new EventStoreError(TOO_LARGE);
        return store.append(stream, expected, events);
      },
    });
    const engine = engineProcess(stores, { wrapStore });
    await until(stores, engine.useCases.createCampaign(CALLER, requestOf("cmp_1", 2)));
    await until(stores, engine.useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 2_000);
    refuses = true;
    const calls = engine.placed.map((call) => `call_${call.slice("call_".length)}` as const);
    return { stores, engine, calls };
  };

  it("takes what the carrier tells as told: it is not asked for again", async () => {
    const { stores, engine, calls } = await refusing();
    const [callId = "call_0"] = calls;
    const told = engine.sink({
      type: "answered",
      answeredBy: "human",
      callId,
      carrierRef: `ref-${callId}`,
      sequence: 1,
      dedupeKey: "1",
      occurredAt: stores.clock.now(),
    });
    await expect(until(stores, told)).resolves.toBeUndefined();
  });

  it("answers who ends it, and who cancels its campaign", async () => {
    const { stores, engine, calls } = await refusing();
    const [callId = "call_0"] = calls;
    const ended = await within(stores, 5_000, engine.useCases.endCall(CALLER, callId));
    expect(ended).toMatchObject({ ok: true, value: { callId, status: "ringing", alreadyEnded: false } });
    const hangUp = { hangUpActiveCalls: true };
    const cancelled = within(stores, 5_000, engine.useCases.cancelCampaign(CALLER, "cmp_1", hangUp));
    expect(await cancelled).toMatchObject({ ok: true });
  });
});
