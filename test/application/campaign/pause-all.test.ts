import { describe, expect, it } from "vitest";
import { pauseAllCampaigns } from "../../../application/campaign/pause-all.ts";
import { type Outcome, refused } from "../../../application/outcome.ts";
import { START } from "../../../application/ports/event-store.ts";
import type { PageRequest } from "../../../application/ports/queries/pages.ts";
import type { UncappedCampaign as CampaignRecord } from "../../../application/ports/queries.ts";
import type { CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { CALLER, OWNER } from "../engine-world.ts";
import { campaignRecord } from "./campaign-record.ts";

const FINE = { ok: true, value: null, position: "1" } as const;

type Options = {
  readonly head?: string;
  readonly behind?: boolean;
  readonly pause?: (id: CampaignId) => Promise<Outcome<null>>;
};

/** Campaigns on pages of one; `cmp_2` was paused by hand, `cmp_3` by itself. */
async function world({ head = "7", behind = false, pause = async () => FINE }: Options = {}) {
  const record = await campaignRecord();
  const rows: readonly CampaignRecord[] = [
    { ...record, id: "cmp_1", pauseReason: null },
    { ...record, id: "cmp_2", pauseReason: "manual" },
    { ...record, id: "cmp_3", pauseReason: "insufficient_credits" },
  ];
  const asked: unknown[] = [];
  const paused: CampaignId[] = [];
  const answer = pauseAllCampaigns(
    {
      eventStore: { head: async () => head },
      queries: {
        caughtUp: async (position, millis) => {
          asked.push([position, millis]);
          return behind ? "behind" : "all";
        },
        campaigns: async (owner: OwnerId, filter: object, { after }: PageRequest<CampaignId>) => {
          asked.push([owner, filter, after]);
          const place = after === null ? 0 : rows.findIndex(({ id }) => id === after) + 1;
          const next = place + 1 < rows.length ? (rows[place]?.id ?? null) : null;
          return { rows: rows.slice(place, place + 1), next };
        },
      },
      useCases: {
        pauseCampaign: (_caller, id) => {
          paused.push(id);
          return pause(id);
        },
      },
    },
    CALLER,
  );
  return { asked, paused, answer };
}

describe("a pause of all campaigns", () => {
  it("pauses what calls or may go on by itself, over all pages, and leaves alone what was paused by hand", async () => {
    const { asked, answer } = await world();
    expect(await answer).toEqual({ campaignIds: ["cmp_1", "cmp_3"], everything: true });
    const statuses = { statuses: ["RUNNING", "PAUSED"] };
    expect(asked).toEqual([
      ["7", 2_000],
      [OWNER, statuses, null],
      [OWNER, statuses, "cmp_1"],
      [OWNER, statuses, "cmp_2"],
    ]);
  });

  it("says that one may have been missed when the list is behind, and not of a log without events", async () => {
    expect(await (await world({ behind: true })).answer).toMatchObject({ everything: false });
    const empty = await world({ head: START, behind: true });
    expect(await empty.answer).toMatchObject({ everything: true });
  });

  it("does not name one that was over before it could be paused", async () => {
    const over = async (id: CampaignId) =>
      id === "cmp_1" ? refused("CAMPAIGN_INVALID_STATE", "The campaign is COMPLETED") : FINE;
    expect(await (await world({ pause: over })).answer).toEqual({ campaignIds: ["cmp_3"], everything: true });
  });

  it("pauses all others before it rejects for one", async () => {
    const { paused, answer } = await world({
      pause: async (id) => {
        if (id === "cmp_1") throw new Error("its process is gone");
        return FINE;
      },
    });
    await expect(answer).rejects.toThrow("its process is gone");
    expect(paused).toEqual(["cmp_1", "cmp_3"]);
  });
});
