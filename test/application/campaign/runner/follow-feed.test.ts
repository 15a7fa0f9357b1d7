import { describe, expect, it } from "vitest";
import type { CampaignSettings } from "../../../../domain/campaign/settings.ts";
import type { DomainEvent } from "../../../../domain/events.ts";
import {
  at,
  campaignId,
  contact,
  creation,
  dialed,
  imported,
  running,
  started,
} from "../../../domain/campaign/example-campaign.ts";
import { callEnd } from "../../../projections/example-events.ts";
import { follower, recorded, telling } from "./feed-world.ts";
import { STREAM } from "./runner-world.ts";

describe("a runner that follows the feed", () => {
  it("begins at the head, and says so before anything is taken over", async () => {
    const { store, log, asked, seen, follows } = follower([]);
    await store(STREAM, ...running([contact(1)]));
    const head = await log.head();
    await follows();
    expect([asked, seen.following]).toEqual([[[0, head, "campaign-runner"]], 1]);
  });

  it("goes on a second after a failure, behind what it has taken, and says how far it is", async () => {
    const turn = { events: [[], []], fails: true };
    const { asked, said, took, follows } = follower([turn, turn]);
    await follows(1_500);
    expect(asked.map(([millis, after]) => [millis, after])).toEqual([
      [0, await follower([]).log.head()],
      [1_000, "1.1"],
    ]);
    expect(took.map(({ position }) => position)).toEqual(["1.0", "1.1", "2.0", "2.1"]);
    expect(said).toMatchObject([
      ["error", "campaign runner lost the feed; follows it again", { error: new Error("cut off") }],
      ["error", "campaign runner lost the feed; follows it again", {}],
    ]);
  });
});

describe("the end of a call", () => {
  it.each([
    ["customer_ended", 30, 12_345],
    ["busy", null, 0],
  ] as const)("that is %s is told to its campaign as it was", async (endReason, durationSeconds, cost) => {
    const { owned, ends, said, follows } = follower(
      telling(
        callEnd("call_other", at(8), endReason, durationSeconds),
        callEnd("call_1", at(9), endReason, durationSeconds),
      ),
    );
    owned.callOwners.set("call_1", { campaignId, contactId: "ctc_1" });
    await follows();
    const end = { callId: "call_1", contactId: "ctc_1", endReason, durationSeconds, cost, endedAt: at(9) };
    expect([ends, said]).toEqual([[{ ...end, causationId: "evt-1" }], []]);
  });

  it("of a campaign that was lost is nobody's here", async () => {
    const { owned, said, follows } = follower(telling(callEnd("call_1", at(9), "busy", null)), null);
    owned.callOwners.set("call_1", { campaignId, contactId: "ctc_1" });
    await follows();
    expect(said).toEqual([]);
  });
});

describe("a dial that another process wrote down", () => {
  it("lets the campaign look afresh, one of its own does not", async () => {
    const foreign = follower(telling(dialed(1)));
    await foreign.follows();
    expect(foreign.told).toEqual(["lookAfresh"]);
    const own = follower(telling(dialed(1)));
    own.owned.callOwners.set("call_1", { campaignId, contactId: "ctc_1" });
    await own.follows();
    expect(own.told).toEqual([]);
  });

  it("for a campaign that runs elsewhere is none of its business", async () => {
    const { said, follows } = follower(telling(dialed(1)), null);
    await follows();
    expect(said).toEqual([]);
  });
});

describe("contacts that were added", () => {
  const data = {
    campaignId,
    importId: "imp_2",
    added: 1,
    rejected: { count: 0, items: [] },
    at: at(3),
  } as const;
  const added: DomainEvent = { type: "ContactsAdded", data };
  const both = [imported([contact(2)], "imp_2"), added];

  it("elsewhere are read before the campaign is woken", async () => {
    const { store, deps, told, follows } = follower([{ events: [[recorded(added, 4)]] }]);
    await store(STREAM, ...running([contact(1)]));
    const pending = () => deps.aggregates.campaigns.query(STREAM, ({ counts }) => counts.pending);
    expect(await pending()).toBe(1);
    await store(STREAM, ...both);
    await follows();
    expect([await pending(), told]).toEqual([2, ["wake"]]);
  });

  it("here are known already: nothing is read", async () => {
    const { store, deps, told, reads, follows } = follower([{ events: [[recorded(added, 4)]] }]);
    await store(STREAM, ...running([contact(1)]), ...both);
    await deps.aggregates.campaigns.query(STREAM, () => null);
    reads.reads = 0;
    await follows();
    expect([reads.reads, told]).toEqual([0, ["wake"]]);
  });

  it("to a campaign that runs elsewhere are not read", async () => {
    const { store, reads, follows } = follower([{ events: [[recorded(added, 4)]] }], null);
    await store(STREAM, ...running([contact(1)]), ...both);
    await follows();
    expect(reads.reads).toBe(0);
  });

  it("wake the campaign also when they cannot be read yet", async () => {
    const failing = { fail: true };
    const { told, said, follows } = follower([{ events: [[recorded(added, 4)]] }], false, failing);
    await follows();
    expect(said).toMatchObject([
      ["warn", "added contacts not read yet", { campaignId, error: new TypeError("away") }],
    ]);
    expect(told).toEqual(["wake"]);
  });
});

describe("a campaign that somebody has to run from now on", () => {
  const resumed: DomainEvent = { type: "CampaignResumed", data: { campaignId, at: at(1), by: "api" } };
  const created = (settings: Partial<CampaignSettings>): DomainEvent => ({
    type: "CampaignCreated",
    data: creation(1, settings),
  });
  const changed = (changes: Partial<CampaignSettings>): DomainEvent => ({
    type: "CampaignSettingsChanged",
    data: { campaignId, at: at(1), changes },
  });

  it.each([
    ["was started", started],
    ["was resumed", resumed],
    ["has a time to start by itself now", changed({ startAt: at(60) })],
  ])("is searched for when it %s, unless it runs here", async (_, event) => {
    const elsewhere = follower(telling(event), null);
    const over = follower(telling(event), true);
    const here = follower(telling(event), false);
    for (const each of [elsewhere, over, here]) await each.follows();
    expect([elsewhere, over, here].map(({ seen }) => seen.searches)).toEqual([1, 1, 0]);
    expect([elsewhere, over, here].flatMap(({ said }) => said)).toEqual([]);
  });

  it.each([
    ["created to start by itself", created({ startAt: at(60) }), 1],
    ["created without a time", created({}), 0],
    ["created with none", created({ startAt: null }), 0],
    ["given another name", changed({ name: "Other" }), 0],
    ["relieved of its time", changed({ startAt: null }), 0],
  ])("that was %s", async (_, event, searches) => {
    const { seen, follows } = follower(telling(event), null);
    await follows();
    expect(seen.searches).toBe(searches);
  });
});
