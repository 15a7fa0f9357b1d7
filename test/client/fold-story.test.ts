import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foldStory, NOT_THERE, openStory, STORY_STATUSES } from "../../client/story/fold-story.ts";
import { millisOf, plusMillis } from "../../domain/shared/instant.ts";
import { randomHistory } from "../projections/random-history.ts";
import { openReadWorld, queriesOf, type ReadWorld } from "../projections/read-world.ts";

const WHOLE = { limit: 100_000, after: null };
const MOMENTS = 12;

describe("a story folded where it is looked at", () => {
  let world: ReadWorld;
  beforeAll(async () => {
    world = await openReadWorld("memory");
  });
  afterAll(() => world.close());

  it("says of every moment what the service says of it: counts, statistics and every contact", async () => {
    const queries = queriesOf(world, world.start());
    const seen = new Set<string>();
    let moments = 0;
    let optOuts = 0;
    let agreed = 0;
    for (const [seed, clock] of [
      [1, "stepping"],
      [2, "steady"],
      [3, "stepping"],
    ] as const) {
      const history = randomHistory(seed, 700, clock).map((event) => renamed(event, seed));
      await world.append(history);
      for (const { event, owner } of history) {
        if (event.type !== "CampaignCreated") continue;
        const id = event.data.campaignId;
        const own = history.filter(({ stream }) => stream === `campaign-${id}`);
        const told = await queries.campaignStory(owner, id);
        if (own.some(({ event: { type } }) => type === "CampaignDeleted")) {
          expect(told).toBeNull();
          continue;
        }
        if (told === null) throw new Error("no story");
        const kinds = told.columns.kind.map((kind) => told.kinds[kind]);
        expect(kinds).toEqual(own.map(({ event: each }) => each.type));
        const story = openStory(told);
        const step = Math.max(1, Math.floor(own.length / MOMENTS));
        const times = own.filter((_, index) => index % step === 0).map(({ event: { data } }) => data.at);
        for (const at of [plusMillis(event.data.at, -1), ...times, plusMillis(event.data.at, 10 ** 9)]) {
          const there = await queries.campaignAt(owner, id, at);
          const contacts = (await queries.contactsAt(owner, id, at, {}, WHOLE))?.rows ?? [];
          const here = foldStory(story, millisOf(at));
          moments += 1;
          if (there === null) {
            expect(here.status).toBeNull();
            continue;
          }
          const { campaign, statistics } = there;
          seen.add(campaign.status);
          for (const { status } of contacts) seen.add(status);
          const [pending, dialing, waiting, succeeded, failed, skipped] = here.counts;
          expect({
            status: here.status,
            pauseReason: here.pauseReason,
            totalContacts: here.totalContacts,
            activeCalls: dialing,
            pendingCalls: (pending ?? 0) + (waiting ?? 0),
            successfulCalls: succeeded,
            failedCalls: failed,
            skippedContacts: skipped,
          }).toEqual({
            status: campaign.status,
            pauseReason: campaign.pauseReason,
            totalContacts: campaign.totalContacts,
            activeCalls: campaign.activeCalls,
            pendingCalls: campaign.pendingCalls,
            successfulCalls: campaign.successfulCalls,
            failedCalls: campaign.failedCalls,
            skippedContacts: campaign.skippedContacts,
          });
          const { attempts, byEndReason, optedOut, callbacks } = here;
          expect([attempts, byEndReason, waiting, optedOut.size, callbacks.size]).toEqual([
            statistics.attempts,
            statistics.byEndReason,
            statistics.waitingRetry,
            statistics.optedOut,
            statistics.callbacks,
          ]);
          const waits = contacts.map(({ nextAttemptCause }) => nextAttemptCause === "callback");
          expect(contacts.map((_, place) => callbacks.has(place))).toEqual(waits);
          for (const place of callbacks)
            expect(here.nextAttemptAt[place]).toBe(Date.parse(contacts[place]?.callbackAt ?? "none"));
          agreed += callbacks.size;
          expect(contacts.map((_, place) => optedOut.has(place))).toEqual(
            contacts.map((contact) => contact.optedOut),
          );
          optOuts += optedOut.size;
          const statuses = [...here.contacts].filter((status) => status !== NOT_THERE);
          expect(statuses.map((status) => STORY_STATUSES[status])).toEqual(
            contacts.map(({ status }) => status),
          );
          const due = [...here.nextAttemptAt].slice(0, contacts.length);
          expect(due).toEqual(
            // What the owner's policy adds is no part of a story.
            contacts.map(({ nextAttemptAt, hold }, place) =>
              hold !== null
                ? here.nextAttemptAt[place]
                : nextAttemptAt === null
                  ? Number.NaN
                  : millisOf(nextAttemptAt),
            ),
          );
        }
      }
    }
    expect(moments).toBeGreaterThan(300);
    expect(optOuts).toBeGreaterThan(20);
    expect(agreed).toBeGreaterThan(4);
    expect(seen).toEqual(
      new Set([...STORY_STATUSES, "PENDING", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED"]),
    );
  }, 240_000);

  it("goes on where it was kept, and is nobody else's", async () => {
    const queries = queriesOf(world, world.start());
    const history = randomHistory(4, 300).map((event) => renamed(event, 4));
    const [created] = history.flatMap(({ event, owner }) =>
      event.type === "CampaignCreated" ? [{ id: event.data.campaignId, owner }] : [],
    );
    if (created === undefined) throw new Error("no campaign");
    const half = history.findIndex(({ event }) => event.type === "CampaignCreated") + 1;
    await world.append(history.slice(0, half));
    const before = JSON.stringify(await queries.campaignStory(created.owner, created.id));
    await world.append(history.slice(half));
    const after = await Promise.all([1, 2].map(() => queries.campaignStory(created.owner, created.id)));
    const fresh = await queriesOf(world, world.start()).campaignStory(created.owner, created.id);
    expect(after).toEqual([fresh, fresh]);
    expect(JSON.parse(before).columns.at.length).toBeLessThan(fresh?.columns.at.length ?? 0);
    const other = created.owner === "usr_1" ? "usr_2" : "usr_1";
    expect(await queries.campaignStory(other, created.id)).toBeNull();
    expect(await queries.campaignStory(created.owner, "cmp_nobody")).toBeNull();
  });
});

/** The same history under ids of its own; `outside_call_window` is none. */
function renamed(event: ReturnType<typeof randomHistory>[number], seed: number): typeof event {
  return JSON.parse(JSON.stringify(event).replaceAll(/\b(cmp|ctc|call|imp|sqd|mbr|hnd)_/g, `$1_s${seed}x`));
}
