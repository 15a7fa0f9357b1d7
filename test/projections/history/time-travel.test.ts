import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { type HistoryEvent, randomHistory } from "../random-history.ts";
import { openReadWorld, queriesOf, type ReadWorld } from "../read-world.ts";

const LONG = 60_000;
const WHOLE = { limit: 200, after: null };

type Moment = { readonly at: Instant; readonly said: readonly unknown[] };

/** A deleted campaign is gone at every time. */
const deletedIn = (history: readonly HistoryEvent[]): ReadonlySet<string> =>
  new Set(history.flatMap(({ event }) => (event.type === "CampaignDeleted" ? [event.data.campaignId] : [])));

function created(history: readonly HistoryEvent[]): { readonly id: CampaignId; readonly owner: OwnerId }[] {
  return history.flatMap(({ event, owner }) =>
    event.type === "CampaignCreated" ? [{ id: event.data.campaignId, owner }] : [],
  );
}

describe("time travel", () => {
  let world: ReadWorld;
  beforeAll(async () => {
    world = await openReadWorld();
  });
  afterAll(() => world.close());

  it("answers what the read models said at that moment, for campaigns and contacts", async () => {
    const models = world.start();
    let now: Instant = "2026-09-01T00:00:00.000Z";
    const queries = queriesOf(world, models, { clock: { ...systemClock, now: () => now } });
    const history = randomHistory(7, 900, "steady");
    const campaigns = created(history);
    const deleted = deletedIn(history);
    const moments: Moment[] = [];
    for (let start = 0; start < history.length; start += 37) {
      const some = history.slice(start, start + 37);
      await world.append(some);
      expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
      const at = some.at(-1)?.event.data.at;
      if (at === undefined) continue;
      now = at;
      moments.push({ at, said: await Promise.all(campaigns.map(saidNow)) });
    }
    expect(JSON.stringify(moments)).toMatch(/"held":[1-9]/);
    expect(JSON.stringify(moments)).toMatch(/"hold":\{"rule":"attemptsPerNumber"/);
    expect(JSON.stringify(moments)).toMatch(/"skipReason":"zone_unknown"/);
    expect(campaigns.length).toBeGreaterThan(3);
    expect(deleted.size).toBeGreaterThan(0);
    for (const { at, said } of moments)
      for (const [index, campaign] of campaigns.entries())
        expect(await saidAt(campaign, at)).toEqual(deleted.has(campaign.id) ? [null, null] : said[index]);

    async function saidNow({ id, owner }: (typeof campaigns)[number]): Promise<unknown> {
      return [await queries.campaign(owner, id), await queries.contacts(owner, id, {}, WHOLE)];
    }
    async function saidAt({ id, owner }: (typeof campaigns)[number], at: Instant): Promise<unknown> {
      return [await queries.campaignAt(owner, id, at), await queries.contactsAt(owner, id, at, {}, WHOLE)];
    }
  });

  it("answers as now for a time to come", async () => {
    const models = world.start();
    const queries = queriesOf(world, models);
    const history = randomHistory(8, 200);
    await world.append(history.map(renamed));
    const [campaign] = created(history.map(renamed));
    if (campaign === undefined) throw new Error("the history has no campaign");
    expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
    const now = await queries.campaign(campaign.owner, campaign.id);
    expect(await queries.campaignAt(campaign.owner, campaign.id, "2100-01-01T00:00:00.000Z")).toEqual(now);
  });

  it("reads a campaign's stream once for twelve who ask at once for whatever moment, and then what is new", async () => {
    const models = world.start();
    const history = randomHistory(8, 200).map((event) => renamed(renamed(event)));
    await world.append(history);
    const [campaign] = created(history);
    if (campaign === undefined) throw new Error("the history has no campaign");
    const { owner, id } = campaign;
    let reads = 0;
    const eventStore: ReadWorld["eventStore"] = {
      ...world.eventStore,
      read: (stream, options) => {
        if (stream === `campaign-${id}`) reads += 1;
        return world.eventStore.read(stream, options);
      },
    };
    const readsOf = async (askers: number) => {
      const queries = queriesOf({ ...world, eventStore }, models);
      reads = 0;
      const asked = Array.from({ length: askers }, (_, index) =>
        queries.campaignAt(owner, id, plusMillis("2026-09-01T10:00:00.000Z", index * 60_000)),
      );
      expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(
        Array(askers).fill("fulfilled"),
      );
      return reads;
    };
    const whole = await readsOf(1);
    expect(whole).toBeGreaterThan(0);
    expect(await readsOf(12)).toBeLessThanOrEqual(whole + 1);
  });

  it("folds every event that had happened by then, also behind a later one when a clock stepped back", async () => {
    const queries = queriesOf(world, world.start());
    const start = "2026-09-01T10:00:00.000Z";
    const campaignId = "cmp_stepping";
    const [created] = randomHistory(9, 1).filter(({ event }) => event.type === "CampaignCreated");
    if (created?.event.type !== "CampaignCreated") throw new Error("the history has no campaign");
    const owner = created.owner;
    const of = (event: HistoryEvent["event"]) => ({ stream: `campaign-${campaignId}`, owner, event });
    const moment = (millis: number) => ({ campaignId, at: plusMillis(start, millis) }) as const;
    await world.append([
      of({ type: "CampaignCreated", data: { ...created.event.data, ...moment(0) } }),
      of({ type: "CampaignStarted", data: moment(5_000) }),
      of({ type: "CampaignPaused", data: { ...moment(1_000), reason: "manual", nextWindowOpensAt: null } }),
    ]);
    const statusAt = async (millis: number) =>
      (await queries.campaignAt(owner, campaignId, plusMillis(start, millis)))?.campaign.status;
    expect([await statusAt(-1), await statusAt(0), await statusAt(999), await statusAt(1_000)]).toEqual([
      undefined,
      "PENDING",
      "PENDING",
      "PAUSED",
    ]);
    expect(await statusAt(5_000)).toBe("PAUSED");
  });
});

/** The same history under other names, beside what stands in the log already. */
function renamed({ stream, ...rest }: HistoryEvent): HistoryEvent {
  const text = JSON.stringify({ stream, ...rest }).replaceAll(/\b(cmp|ctc|call|imp|sqd|mbr|hnd)_/g, "$1_x");
  return JSON.parse(text);
}
