import { describe, expect, it } from "vitest";
import { campaignStream, policyStream } from "../../../application/log/stream-names.ts";
import { type EventStore, EventStoreError } from "../../../application/ports/event-store.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import { acceptRestored } from "../../../application/restore/accept-restored.ts";
import type { CallOfTheCarrier } from "../../../domain/call/carrier-identity.ts";
import type { CampaignSettings } from "../../../domain/campaign/settings.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { contact, creation, FINE } from "../../domain/campaign/example-campaign.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { OWNER, type Stores, sharedStores, typesOf } from "../engine-world.ts";

const ORIGIN = { owner: OWNER, actor: "key_1", correlationId: "req", causationId: null };

function depsOf(stores: Stores, wrap?: (store: EventStore) => EventStore, logger?: Logger) {
  const log = memoryLog({ ...stores, ...(wrap && { wrap }) });
  return {
    ...log,
    ...(logger && { logger }),
    campaigns: log.aggregates.campaigns,
    policies: stores.policies,
  };
}

async function running(stores: Stores, campaignId: CampaignId, count: number): Promise<void> {
  await pending(stores, campaignId, count);
  const start = { type: "StartCampaign", world: FINE, now: stores.clock.now() } as const;
  await depsOf(stores).campaigns.handle(campaignStream(campaignId), [start], ORIGIN);
}

async function pending(
  stores: Stores,
  campaignId: CampaignId,
  count: number,
  settings: Partial<CampaignSettings> = {},
): Promise<void> {
  const now = stores.clock.now();
  const importId = `imp_${campaignId}` as const;
  const contacts = Array.from({ length: count }, (_, index) => contact(index + 1));
  const campaign = { ...creation(count, settings), campaignId, importId, owner: OWNER };
  await depsOf(stores).campaigns.handle(
    campaignStream(campaignId),
    [
      { type: "ImportContacts", campaignId, importId, firstIndex: 0, contacts, now },
      { type: "CreateCampaign", campaign },
    ],
    ORIGIN,
  );
}

/** The carrier has called these contacts, and the log does not know it. */
function callsTo(stores: Stores, ...contacts: readonly number[]): readonly CallOfTheCarrier[] {
  const { from } = creation(1);
  return contacts.map((number) => {
    const to = contact(number).phoneNumber;
    return { callId: `call_${number}`, from, to, at: stores.clock.now() };
  });
}

describe("a restored log that is accepted", () => {
  it("has its own policies in force, not later ones that only the database remembers", async () => {
    const stores = sharedStores();
    const off = {
      callableHours: null,
      attemptsPerNumber: null,
      oneCallAtATime: false,
      exceptSingleCalls: false,
    };
    const strict = { ...off, oneCallAtATime: true };
    const { aggregates } = memoryLog(stores);
    for (const policy of [off, strict]) {
      const change = { policy, owner: OWNER, expectedVersion: null, now: stores.clock.now() };
      await aggregates.policies.handle(policyStream(OWNER), [{ type: "ChangePolicy", ...change }], ORIGIN);
    }
    await stores.policies.store(OWNER, 5, off);
    await stores.policies.store("usr_unknown_to_the_log", 1, strict);
    await acceptRestored(depsOf(stores), []);
    expect(stores.policies.now(OWNER)).toEqual({ version: 2, policy: strict });
    expect(stores.policies.now("usr_unknown_to_the_log")).toBeNull();
  });

  it("completes a campaign that has nobody left to call, and pauses another", async () => {
    const stores = sharedStores();
    await running(stores, "cmp_1", 1);
    await running(stores, "cmp_2", 2);
    await acceptRestored(depsOf(stores), callsTo(stores, 1));
    expect(typesOf(stores, "campaign-cmp_1").slice(3)).toEqual([
      "CampaignPaused",
      "ContactSkipped",
      "CampaignCompleted",
    ]);
    expect(typesOf(stores, "campaign-cmp_2").slice(3)).toEqual(["CampaignPaused", "ContactSkipped"]);
  });

  it("takes the time to start by itself off a campaign that has not started, and leaves another as it is", async () => {
    const stores = sharedStores();
    await pending(stores, "cmp_1", 1, { startAt: stores.clock.now() });
    await pending(stores, "cmp_2", 1);
    await acceptRestored(depsOf(stores), []);
    expect(stores.database.streams.get("campaign-cmp_1")?.events.slice(2)).toMatchObject([
      { type: "CampaignSettingsChanged", data: { changes: { startAt: null } } },
    ]);
    expect(typesOf(stores, "campaign-cmp_2").slice(2)).toEqual([]);
  });

  it("tells how many campaigns it paused and how many contacts it ended by how many calls, and leaves alone what is over", async () => {
    const stores = sharedStores();
    await running(stores, "cmp_1", 3);
    await running(stores, "cmp_2", 1);
    await running(stores, "cmp_3", 1);
    await pending(stores, "cmp_4", 1);
    const { campaigns } = depsOf(stores);
    const now = stores.clock.now();
    await campaigns.handle(
      "campaign-cmp_2",
      [{ type: "CancelCampaign", hangUpActiveCalls: false, now }],
      ORIGIN,
    );
    await campaigns.handle("campaign-cmp_3", [{ type: "PauseCampaign", now }], ORIGIN);
    const told: unknown[] = [];
    const logger: Logger = {
      ...silentLogger,
      warn: (...line) => told.push(line),
      error: (...line) => told.push(line),
    };
    await acceptRestored(depsOf(stores, undefined, logger), callsTo(stores, 1, 2));
    const done = { campaignsPaused: 1, contactsEnded: 2 + 1 + 1, calls: 2 };
    expect(told).toEqual([[done, "the restored state is accepted"]]);
    expect(typesOf(stores, "campaign-cmp_2").at(-1)).toBe("CampaignCancelled");
    const events = stores.database.streams.get("campaign-cmp_1")?.events;
    expect(events?.at(-1)?.metadata).toMatchObject({
      owner: OWNER,
      actor: "process:restore-guard",
      correlationId: "cmp_1",
    });
  });

  it("reads no campaign again that is over", async () => {
    const stores = sharedStores();
    await running(stores, "cmp_1", 1);
    await running(stores, "cmp_2", 1);
    await acceptRestored(depsOf(stores), callsTo(stores, 1));
    await running(stores, "cmp_3", 1);
    const cancel = { type: "CancelCampaign", hangUpActiveCalls: false, now: stores.clock.now() } as const;
    await depsOf(stores).campaigns.handle("campaign-cmp_3", [cancel], ORIGIN);
    await running(stores, "cmp_4", 1);
    const read = new Set<string>();
    const watched = (store: EventStore): EventStore => ({
      ...store,
      read: (stream, options) => {
        read.add(stream);
        return store.read(stream, options);
      },
    });
    await acceptRestored(depsOf(stores, watched), []);
    expect([...read]).toEqual(["campaign-cmp_4"]);
  });

  it("pauses a campaign of which another process knows more", async () => {
    const stores = sharedStores();
    await pending(stores, "cmp_1", 1);
    const deps = depsOf(stores);
    await deps.campaigns.query("campaign-cmp_1", () => null);
    const start = { type: "StartCampaign", world: FINE, now: stores.clock.now() } as const;
    await depsOf(stores).campaigns.handle("campaign-cmp_1", [start], ORIGIN);
    await acceptRestored(deps, []);
    expect(typesOf(stores, "campaign-cmp_1").at(-1)).toBe("CampaignPaused");
  });

  it("goes on beside a campaign whose stream is gone", async () => {
    const stores = sharedStores();
    await running(stores, "cmp_1", 1);
    await running(stores, "cmp_2", 1);
    const gone = (store: EventStore): EventStore => ({
      ...store,
      read: async (stream, options) => {
        if (stream === "campaign-cmp_1") throw new EventStoreError({ kind: "deleted", stream });
        return store.read(stream, options);
      },
    });
    await acceptRestored(depsOf(stores, gone), []);
    expect(typesOf(stores, "campaign-cmp_2").at(-1)).toBe("CampaignPaused");
  });

  it("is not accepted while the log is away", async () => {
    const stores = sharedStores();
    await running(stores, "cmp_1", 1);
    const away = (store: EventStore): EventStore => ({
      ...store,
      read: async () => {
        throw new EventStoreError({ kind: "unavailable", cause: "away" });
      },
    });
    await expect(acceptRestored(depsOf(stores, away), [])).rejects.toThrow("unavailable");
  });
});
