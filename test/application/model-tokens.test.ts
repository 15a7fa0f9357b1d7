import { describe, expect, it } from "vitest";
import { CALLER, engineProcess, OWNER, pass, sharedStores, until } from "./engine-world.ts";
import { campaignRequest, SINGLE_CALL } from "./example-request.ts";

/** An owner whose plan allows 1,000 tokens a day, and what its models have used on each. */
function world(used: Readonly<Record<string, number>>, maxModelTokensPerDay: number | null = 1_000) {
  const stores = sharedStores();
  const plan = { maxConcurrentCalls: 10, maxCallsPerSecond: 10, maxModelTokensPerDay };
  stores.directory.setOwner(OWNER, { active: true, plan });
  const tokensOfDay = async (_owner: string, day: string) => used[day] ?? 0;
  return { stores, ...engineProcess(stores, { tokensOfDay }) };
}

describe("the tokens of a plan", () => {
  it("refuse a single call as missing credits do, from the first one that they are used up for", async () => {
    for (const [used, answer] of [[999, "stored"] as const, [1_000, "INSUFFICIENT_CREDITS"] as const]) {
      const { stores, useCases } = world({ "2026-09-01": used });
      const outcome = await until(stores, useCases.startOutboundCall(CALLER, SINGLE_CALL));
      expect(outcome.ok ? "stored" : outcome.refusal.code).toBe(answer);
    }
    const { stores, useCases } = world({ "2026-09-01": 1_000_000 }, null);
    expect((await until(stores, useCases.startOutboundCall(CALLER, SINGLE_CALL))).ok).toBe(true);
  });

  it("refuse the start of a campaign", async () => {
    const { stores, useCases } = world({ "2026-09-01": 2_000 });
    await until(stores, useCases.createCampaign(CALLER, campaignRequest(1)));
    const started = await until(stores, useCases.startCampaign(CALLER, "cmp_1"));
    expect(started.ok ? "started" : started.refusal.code).toBe("INSUFFICIENT_CREDITS");
  });

  it("pause a running campaign, which goes on by itself when there are tokens again", async () => {
    const used = { "2026-09-01": 0 };
    const { stores, useCases, placed } = world(used);
    await until(stores, useCases.createCampaign(CALLER, campaignRequest(3, { maxConcurrentCalls: 1 })));
    await until(stores, useCases.startCampaign(CALLER, "cmp_1"));
    await pass(stores, 1_000);
    expect(placed).toHaveLength(1);
    used["2026-09-01"] = 1_000;
    await pass(stores, 30_000);
    const types = () => stores.database.streams.get("campaign-cmp_1")?.events ?? [];
    expect(types().at(-1)).toMatchObject({
      type: "CampaignPaused",
      data: { reason: "insufficient_credits" },
    });
    used["2026-09-01"] = 0;
    await pass(stores, 10_000);
    expect(types().at(-1)).toMatchObject({ type: "CampaignResumed" });
  });
});
