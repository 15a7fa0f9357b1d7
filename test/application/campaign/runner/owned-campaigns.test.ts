import { describe, expect, it } from "vitest";
import { at, created, imported } from "../../../domain/campaign/example-campaign.ts";
import { DAY_MILLIS, GONE, ONE, ownedBy, WAITING } from "./owned-world.ts";
import { STREAM } from "./runner-world.ts";

describe("a campaign that a process takes", () => {
  it("runs there, once, under its lease", async () => {
    const { owned, holder } = await ownedBy(WAITING);
    const campaign = await owned.adopt("cmp_1");
    expect(campaign).not.toBeNull();
    expect([await owned.adopt("cmp_1"), owned.get("cmp_1"), owned.all()]).toEqual([
      campaign,
      campaign,
      [campaign],
    ]);
    expect(await holder()).toBe("one");
    campaign?.stop();
  });

  it("but another one holds does not, and nothing is said of it", async () => {
    const { owned, said, taken } = await ownedBy(WAITING);
    await taken();
    expect([await owned.adopt("cmp_1"), owned.all(), said]).toEqual([null, [], []]);
  });

  it("and does not exist is not searched for any more", async () => {
    const { owned, holder, isLeft } = await ownedBy([]);
    expect([await owned.adopt("cmp_1"), await holder(), await isLeft()]).toEqual([null, null, false]);
  });

  it("while it is imported is found again by whoever looks next: it may start by itself", async () => {
    const { owned, isLeft } = await ownedBy([imported(ONE)]);
    expect([await owned.adopt("cmp_1"), await isLeft()]).toEqual([null, true]);
  });

  it("is free as soon as it needs nobody, and runs anew when it is wanted", async () => {
    const { owned, holder, isLeft, passed } = await ownedBy(created(ONE));
    const first = await owned.adopt("cmp_1");
    await passed(1);
    expect([owned.all(), await holder(), await isLeft()]).toEqual([[], null, false]);
    expect(await owned.adopt("cmp_1")).not.toBe(first);
  });

  it("says so when its lease cannot be given back", async () => {
    const { owned, said, leasesFailAt, passed } = await ownedBy(created(ONE));
    await owned.adopt("cmp_1");
    leasesFailAt("release");
    await passed(1);
    const why = { campaignId: "cmp_1", error: new TypeError("away") };
    expect([owned.all(), said]).toEqual([[], [["warn", "lease not released; it lapses", why]]]);
  });
});

describe("the leases of a process", () => {
  it("are renewed, and the campaigns go on", async () => {
    const { owned, holder, passed, said, asked } = await ownedBy(WAITING);
    await owned.renew();
    expect(asked.renewals).toBe(0);
    const campaign = await owned.adopt("cmp_1");
    await passed(9_999);
    await owned.renew();
    await passed(9_999);
    expect([await holder(), owned.get("cmp_1"), said]).toEqual(["one", campaign, []]);
    expect(asked.renewals).toBe(1);
    campaign?.stop();
  });

  it("that another one has taken are lost: nothing goes on here", async () => {
    const { owned, said, taken } = await ownedBy(WAITING);
    const campaign = await owned.adopt("cmp_1");
    await taken();
    await owned.renew();
    expect([await campaign?.finished, owned.all()]).toEqual(["stopped", []]);
    await expect.poll(() => said.length).toBe(1);
    expect(said).toEqual([["warn", "campaign lost to another process", { campaignId: "cmp_1" }]]);
  });

  it("that nobody has any more are taken again, and the campaign is taken over afresh", async () => {
    const { owned, said, holder, passed } = await ownedBy(WAITING);
    const campaign = await owned.adopt("cmp_1");
    await passed(10_001);
    await owned.renew();
    await passed(1);
    expect(await holder()).toBe("one");
    expect(owned.all()).toHaveLength(1);
    expect(owned.get("cmp_1")).not.toBe(campaign);
    expect(said).toEqual([]); // there was no other process
    owned.get("cmp_1")?.stop();
  });

  it("that are lost and cannot be taken again are told", async () => {
    const { owned, said, taken, leasesFailAt, passed } = await ownedBy(WAITING);
    await owned.adopt("cmp_1");
    await taken();
    leasesFailAt("acquire");
    await owned.renew();
    await passed(1);
    const why = { campaignId: "cmp_1", error: new TypeError("away") };
    expect([owned.all(), said.at(-1)]).toEqual([[], ["error", "campaign not taken up again", why]]);
  });

  it("that are found lost at a command stop the campaign as well", async () => {
    const { owned, said, taken } = await ownedBy(WAITING);
    const campaign = await owned.adopt("cmp_1");
    await taken();
    expect(await owned.whileHeld("cmp_1", async () => "done")).toBeNull();
    expect([await campaign?.finished, owned.all(), said.length]).toEqual(["stopped", [], 1]);
  });

  it("are left to whoever looks for them when the process stops", async () => {
    const { owned, asked, isLeft } = await ownedBy(WAITING);
    await owned.abandonAll();
    expect(asked.renewals).toBe(0);
    const campaign = await owned.adopt("cmp_1");
    await owned.abandonAll();
    expect([await campaign?.finished, owned.all(), await isLeft()]).toEqual(["stopped", [], true]);
  });

  it("are announced for a campaign that is about to be created", async () => {
    const { owned, isLeft } = await ownedBy([]);
    await owned.announce("cmp_1");
    expect(await isLeft()).toBe(true);
  });
});

describe("work on a campaign", () => {
  it("is done where it runs, and it goes on there", async () => {
    const { owned, holder } = await ownedBy(WAITING);
    const campaign = await owned.adopt("cmp_1");
    expect(await owned.whileHeld("cmp_1", async (one) => one)).toBe(campaign);
    expect([owned.get("cmp_1"), await holder()]).toEqual([campaign, "one"]);
    campaign?.stop();
  });

  it("lets it run on when it turns out to have needed nobody before", async () => {
    const { owned, store, passed } = await ownedBy(created(ONE));
    const work = owned.whileHeld("cmp_1", async (campaign) => {
      await campaign.finished;
      await store(STREAM, {
        type: "CampaignSettingsChanged",
        data: { campaignId: "cmp_1", at: at(1), changes: { startAt: at(1_000_000) } },
      });
    });
    await passed(1);
    await work;
    await passed(1);
    expect(owned.all().map((campaign) => campaign.isOver())).toEqual([false]);
    owned.get("cmp_1")?.stop();
  });

  it("of a process that keeps none leaves it to others afterwards, also when it failed", async () => {
    const { owned, isLeft } = await ownedBy(WAITING, false);
    expect(await owned.whileHeld("cmp_1", async () => "done")).toBe("done");
    expect([owned.all(), await isLeft()]).toEqual([[], true]);
    await expect(owned.whileHeld("cmp_1", () => Promise.reject(new TypeError("no")))).rejects.toThrow("no");
    expect([owned.all(), await isLeft()]).toEqual([[], true]);
  });
});

describe("a campaign that a process cannot read", () => {
  it("is left to others at once, and not tried again here for a day", async () => {
    const { owned, failure, isLeft, passed, stores } = await ownedBy(WAITING);
    expect(owned.isUnreadable("cmp_1")).toBe(false);
    failure.error = GONE;
    await expect(owned.adopt("cmp_1")).rejects.toThrow(GONE.message);
    const until = stores.clock.elapsed() + DAY_MILLIS;
    expect([await isLeft(), owned.isUnreadable("cmp_1")]).toEqual([true, true]);
    await passed(until - stores.clock.elapsed() - 1);
    expect(owned.isUnreadable("cmp_1")).toBe(true);
    await passed(1);
    expect(owned.isUnreadable("cmp_1")).toBe(false);
  });

  it("is readable again as soon as a command could be carried out on it", async () => {
    const { owned, failure, passed } = await ownedBy(WAITING);
    failure.error = GONE;
    await expect(owned.adopt("cmp_1")).rejects.toThrow(GONE.message);
    failure.error = null;
    await passed(2);
    await owned.whileHeld("cmp_1", async () => "done");
    expect(owned.isUnreadable("cmp_1")).toBe(false);
    owned.get("cmp_1")?.stop();
  });

  it("only because the log is away is tried again, under its lease", async () => {
    const { owned, failure, holder } = await ownedBy(WAITING);
    failure.error = new TypeError("away");
    await expect(owned.adopt("cmp_1")).rejects.toThrow("away");
    expect([owned.isUnreadable("cmp_1"), await holder()]).toEqual([false, "one"]);
  });
});
