import { beforeEach, describe, expect, it } from "vitest";
import type { EventStore } from "../../../application/ports/event-store.ts";
import type { CampaignWithStatistics } from "../../../application/ports/queries.ts";
import type { CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { createCampaignMoments } from "../../../projections/history/campaign-moments.ts";
import { campaignAt } from "../../../projections/history/time-travel.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { randomHistory } from "../random-history.ts";

type Moment = {
  readonly id: CampaignId;
  readonly owner: OwnerId;
  readonly revision: number;
  readonly said: unknown;
};

/** Who is held depends on the policy and on other calls, which no event of the campaign tells. */
function withoutHeld({ campaign, statistics: { held: _held, ...statistics } }: CampaignWithStatistics) {
  return { campaign, statistics };
}

describe("moments of campaigns", () => {
  const { codec, eventStore, storeFor } = memoryLog();
  const moments: Moment[] = [];
  /** Events that were read. */
  let read = 0;
  const counting: EventStore = {
    ...eventStore,
    read: async (stream, options) => {
      const events = await eventStore.read(stream, options);
      read += events.length;
      return events;
    },
  };

  beforeEach(async () => {
    if (moments.length === 0) await fill();
    read = 0;
  });

  it("say what time travel says of the time of that event, whatever has happened since", async () => {
    const asked = createCampaignMoments({ eventStore, codec });
    expect(moments.length).toBeGreaterThan(300);
    for (const { id, revision, said } of moments) expect(await asked.rightAfter(id, revision)).toEqual(said);
  });

  it("say the same when an earlier moment is asked after a later one", async () => {
    const asked = createCampaignMoments({ eventStore, codec });
    for (const { id, revision, said } of moments.toReversed().slice(0, 100))
      expect(await asked.rightAfter(id, revision)).toEqual(said);
  });

  it("read on from the moment before, not from the beginning", async () => {
    const asked = createCampaignMoments({ eventStore: counting, codec });
    const longest = moments.filter(({ id }) => id === moments.at(-1)?.id);
    const last = longest.at(-1)?.revision ?? 0;
    await asked.rightAfter(longest[0]?.id ?? "cmp_none", last);
    read = 0;
    await asked.rightAfter(longest[0]?.id ?? "cmp_none", last);
    expect(read).toBe(0);
  });

  it("are null before the campaign was created, and for one that the log does not know", async () => {
    const asked = createCampaignMoments({ eventStore, codec });
    expect(await asked.rightAfter(moments[0]?.id ?? "cmp_none", -1)).toBeNull();
    expect(await asked.rightAfter("cmp_none", 3)).toBeNull();
  });

  async function fill(): Promise<void> {
    const places: Omit<Moment, "said">[] = [];
    const deleted = new Set<string>();
    const times: { readonly at: Parameters<typeof campaignAt>[3] }[] = [];
    for (const { stream, owner, event } of randomHistory(11, 900, "steady")) {
      const { revision } = await storeFor(owner, stream, event);
      if (!stream.startsWith("campaign-") || !("campaignId" in event.data) || event.data.campaignId === null)
        continue;
      if (event.type === "CampaignDeleted") deleted.add(event.data.campaignId);
      places.push({ id: event.data.campaignId, owner, revision });
      times.push({ at: event.data.at });
    }
    for (const [index, { id, owner, revision }] of places.entries()) {
      if (deleted.has(id)) continue; // nothing is told of it
      const { at } = times[index] ?? { at: "2026-09-01T10:00:00.000Z" };
      const said = await campaignAt({ eventStore, codec }, owner, id, at);
      moments.push({ id, owner, revision, said: said && withoutHeld(said) });
    }
  }
});
