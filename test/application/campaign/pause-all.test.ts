import { expect, it } from "vitest";
import { type PauseAllDeps, pauseAllCampaigns } from "../../../application/campaign/pause-all.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import type { CampaignRecord } from "../../../application/ports/queries/campaign-records.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import { createEventCodec } from "../../../infrastructure/log/codec.ts";
import {
  type CampaignRow,
  campaignRecord,
  projectCampaign,
} from "../../../projections/campaigns/campaign-row.ts";
import { createMemoryEventStore } from "../../support/memory/event-store.ts";
import { CALLER, engineProcess, type Stores, sharedStores, until } from "../engine-world.ts";
import { campaignRequest } from "../example-request.ts";

const IDS = ["cmp_1", "cmp_2", "cmp_3"] as const;

/** Three running campaigns, listed as the log has them. */
async function threeRunning() {
  const stores = sharedStores();
  const { useCases, stop } = engineProcess(stores);
  for (const reservedCampaignId of IDS) {
    await until(stores, useCases.createCampaign(CALLER, campaignRequest(2, { reservedCampaignId })));
    await until(stores, useCases.startCampaign(CALLER, reservedCampaignId));
  }
  const rows = IDS.flatMap((id) => recordOf(stores, id));
  const deps: PauseAllDeps = {
    queries: { caughtUp: async () => "all", campaigns: async () => ({ rows, next: null }) },
    eventStore: createMemoryEventStore(stores.clock, stores.database),
    useCases,
  };
  return { stores, deps, stop };
}

function recordOf({ database }: Stores, id: CampaignId): readonly CampaignRecord[] {
  const codec = createEventCodec();
  let row: CampaignRow | undefined;
  for (const stored of database.streams.get(`campaign-${id}`)?.events ?? []) {
    const decoded = codec.decode(stored);
    if (decoded.kind === "event") row = projectCampaign(row, decoded.recorded);
  }
  return row === undefined ? [] : [campaignRecord(row)];
}

const paused = (stores: Stores) =>
  IDS.filter((id) => {
    const last = stores.database.streams.get(`campaign-${id}`)?.events;
    return last?.some(({ type }) => type === "CampaignPaused");
  });

it("pauses what the list knows, and says so, when the list is behind the log", async () => {
  const { stores, deps, stop } = await threeRunning();
  const behind = { ...deps, queries: { ...deps.queries, caughtUp: async () => "behind" as const } };
  const answer = await until(stores, pauseAllCampaigns(behind, CALLER));
  expect(answer).toEqual({ campaignIds: [...IDS], everything: false });
  expect(paused(stores)).toEqual(IDS);
  stop();
});

it("pauses all others before it rejects for one that cannot be paused", async () => {
  const { stores, deps, stop } = await threeRunning();
  const { pauseCampaign } = deps.useCases;
  const away = new EventStoreError({ kind: "unavailable", cause: "nobody answered" });
  const useCases: PauseAllDeps["useCases"] = {
    pauseCampaign: (caller, id) => (id === "cmp_1" ? Promise.reject(away) : pauseCampaign(caller, id)),
  };
  await expect(until(stores, pauseAllCampaigns({ ...deps, useCases }, CALLER))).rejects.toBe(away);
  expect(paused(stores)).toEqual(["cmp_2", "cmp_3"]);
  stop();
});
