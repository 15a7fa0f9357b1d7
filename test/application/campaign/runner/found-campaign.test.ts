import { describe, expect, it } from "vitest";
import { assumePauseReason, findCampaign } from "../../../../application/campaign/runner/found-campaign.ts";
import type { CampaignEvent } from "../../../../domain/campaign/events.ts";
import { contact, creation, imported, paused, running } from "../../../domain/campaign/example-campaign.ts";
import { OWNER, PHONE_NUMBER } from "../../engine-world.ts";
import { runnerParts } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";

const ONE = [contact(1)];

async function found(...events: readonly CampaignEvent[]) {
  const parts = runnerParts();
  await parts.store(STREAM, ...events);
  return { ...parts, campaign: await findCampaign(parts.deps, "cmp_1") };
}

describe("a campaign that is looked up before it is run", () => {
  it("is there with its owner once it is created", async () => {
    const { campaign } = await found(...running(ONE), paused("manual"));
    expect(campaign).toMatchObject({ owner: OWNER, pauseReason: "manual", isImporting: false });
    expect(campaign.pins?.from).toBe(creation(1).from);
  });

  it("is not there yet while its contacts are imported", async () => {
    const { campaign } = await found(imported(ONE));
    const nothing = { owner: null, pins: null, settings: null, pauseReason: null };
    expect(campaign).toEqual({ ...nothing, isImporting: true });
  });

  it("is seen as it stands in the log, not as this process remembers it", async () => {
    const { store, deps } = await found(...running(ONE));
    await store(STREAM, paused("manual"));
    expect(await findCampaign(deps, "cmp_1")).toMatchObject({ pauseReason: "manual" });
  });
});

describe("what a campaign was paused for before it is run here", () => {
  const assumed = async (reason: Parameters<typeof paused>[0], connectionId: "conn_1" | null | undefined) => {
    const { stores, deps, campaign } = await found(...running(ONE), paused(reason));
    const number = { phoneNumber: "+15005550000", active: true } as const;
    if (connectionId !== undefined)
      stores.directory.setPhoneNumber(OWNER, PHONE_NUMBER, { ...number, connectionId });
    else stores.directory.setPhoneNumber(OWNER, PHONE_NUMBER, null);
    await assumePauseReason(deps, OWNER, campaign);
    return [deps.carrierHealth.away().map(({ key }) => key), deps.assistantHealth.allUnavailable()];
  };

  it.each([
    ["conn_1", "conn_1"],
    [null, "simulated"],
    [undefined, "simulated"],
  ] as const)("counts as away: the carrier that its number calls through (%s)", async (connectionId, key) => {
    expect(await assumed("carrier_unavailable", connectionId)).toEqual([[key], []]);
  });

  it("counts as away: the model of its assistant", async () => {
    const use = { owner: OWNER, connectionId: null, model: null };
    expect(await assumed("assistant_unavailable", null)).toEqual([[], [use]]);
  });

  it("is nothing of the kind where it has no credits", async () => {
    expect(await assumed("insufficient_credits", null)).toEqual([[], []]);
  });

  it("is nothing where there is no campaign", async () => {
    const { deps, campaign } = await found(imported(ONE));
    await assumePauseReason(deps, OWNER, { ...campaign, pauseReason: "carrier_unavailable" });
    expect(deps.carrierHealth.away()).toEqual([]);
  });
});
