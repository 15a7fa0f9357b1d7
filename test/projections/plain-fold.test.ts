import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import { START } from "../../application/ports/event-store.ts";
import type { Queries } from "../../application/ports/queries.ts";
import { callDecider } from "../../domain/call/decider.ts";
import { campaignDecider } from "../../domain/campaign/decider.ts";
import { isCallEvent, isCampaignEvent, isSquadEvent } from "../../domain/event-kinds.ts";
import type { CallId, CampaignId, OwnerId, SquadId } from "../../domain/shared/ids.ts";
import { squadDecider } from "../../domain/squad/decider.ts";
import { campaignCounts } from "../domain/campaign/campaign-counts.ts";
import { isOlder, randomHistory } from "./random-history.ts";
import { codec, openReadWorld, queriesOf, type ReadWorld } from "./read-world.ts";

const OWNERS: readonly OwnerId[] = ["usr_1", "usr_2"];
const ALL = { limit: 200, after: null };

/**
 * The oracle is the state that the rules decide on: written apart from the read models, from the same events.
 */
describe("each read model agrees with the domain's own fold", () => {
  let world: ReadWorld;
  let queries: Queries;
  let events: readonly RecordedEvent[];
  beforeAll(async () => {
    world = await openReadWorld();
    const models = world.start();
    queries = queriesOf(world, models);
    await world.append(randomHistory(31, 1_500));
    await models.positions.waitFor(await world.eventStore.head(), 20_000);
    const page = await world.eventStore.readAll({ after: START, limit: 100_000 });
    const decoded = await codec.decode(page.events);
    events = decoded.flatMap((each) => (each.kind === "event" ? [each.recorded] : []));
  });
  afterAll(() => world.close());

  function ofStream(stream: string): RecordedEvent["event"][] {
    return events.filter((recorded) => recorded.stream === stream).map(({ event }) => event);
  }

  async function every<Row, Key>(
    list: (owner: OwnerId, after: Key | null) => Promise<{ rows: readonly Row[]; next: Key | null }>,
  ): Promise<Row[]> {
    const rows: Row[] = [];
    for (const owner of OWNERS) {
      let after: Key | null = null;
      do {
        const page: { rows: readonly Row[]; next: Key | null } = await list(owner, after);
        rows.push(...page.rows);
        after = page.next;
      } while (after !== null);
    }
    return rows;
  }

  it("calls: status, ends, times and the number of messages", async () => {
    const rows = await every<{ id: CallId }, CallId>((owner, after) =>
      queries.calls(owner, {}, { limit: 50, after }),
    );
    for (const row of rows) {
      const state = ofStream(`call-${row.id}`)
        .filter(isCallEvent)
        .reduce(callDecider.evolve, callDecider.initialState());
      const { status, endReason, ringingAt, connectedAt, endedAt, durationSeconds, answeredBy, attempt } =
        state;
      expect(row).toMatchObject({
        status,
        endReason,
        ringingAt,
        connectedAt,
        endedAt,
        durationSeconds,
        answeredBy,
        attempt,
      });
      const owner = state.owner ?? "usr_1";
      expect((await queries.call(owner, row.id))?.messages).toHaveLength(state.messages);
    }
    expect(rows).toHaveLength(
      new Set(events.filter(({ event }) => isCallEvent(event)).map(({ stream }) => stream)).size,
    );
  });

  it("campaigns: status, pause and counts, which add up", async () => {
    const rows = await every((owner, after: CampaignId | null) =>
      queries.campaigns(owner, {}, { limit: 7, after }),
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) {
      const state = ofStream(`campaign-${row.id}`)
        .filter(isCampaignEvent)
        .reduce(campaignDecider.evolve, campaignDecider.initialState());
      const { averageCallDuration, ...counts } = campaignCounts(state);
      const { status, pauseReason, startedAt, completedAt, nextWindowOpensAt } = state;
      expect(row).toMatchObject({
        ...counts,
        status,
        pauseReason,
        startedAt,
        completedAt,
        nextWindowOpensAt,
      });
      expect(counts.totalContacts).toBe(
        row.successfulCalls + row.failedCalls + row.pendingCalls + row.activeCalls + row.skippedContacts,
      );
      const found = await queries.campaign(row.userId, row.id);
      expect(found?.statistics.averageCallDuration).toBe(averageCallDuration);
    }
  });

  it("campaigns: attempts, how they ended, talk and cost, as the campaign's own events tell them", async () => {
    const rows = await every((owner, after: CampaignId | null) =>
      queries.campaigns(owner, {}, { limit: 7, after }),
    );
    const costs: (number | null)[] = [];
    for (const row of rows) {
      const own = ofStream(`campaign-${row.id}`);
      const ends = own.flatMap((event) =>
        event.type === "ContactSucceeded" ||
        event.type === "ContactCallbackScheduled" ||
        event.type === "ContactAttemptFailed"
          ? [event.data]
          : [],
      );
      const reasons = Object.groupBy(ends, ({ endReason }) => endReason);
      const statistics = (await queries.campaign(row.userId, row.id))?.statistics;
      expect(statistics?.byEndReason).toEqual(
        Object.fromEntries(Object.entries(reasons).map(([reason, of]) => [reason, of.length])),
      );
      expect(statistics?.attempts).toBe(own.filter(({ type }) => type === "ContactDialed").length);
      expect(statistics?.attempts).toBe(row.activeCalls + ends.length);
      const talkSeconds = ends.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0);
      expect(statistics?.talkSeconds).toBe(talkSeconds);
      const units = ends.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
      expect(statistics?.cost).toBe(isOlder(row) && ends.length > 0 ? null : units / 10_000);
      costs.push(statistics?.cost ?? null);
    }
    expect(costs.filter((cost) => cost === null).length).toBeGreaterThan(1);
    expect(costs.filter((cost) => cost !== null && cost > 0).length).toBeGreaterThan(1);
  });

  it("contacts: ids, statuses and attempts, in the order of import", async () => {
    const campaigns = await every((owner, after: CampaignId | null) =>
      queries.campaigns(owner, {}, { limit: 50, after }),
    );
    for (const { id, userId } of campaigns) {
      const { contacts } = ofStream(`campaign-${id}`)
        .filter(isCampaignEvent)
        .reduce(campaignDecider.evolve, campaignDecider.initialState());
      const rows = (await queries.contacts(userId, id, {}, ALL))?.rows ?? [];
      expect(rows.map((row) => row.id)).toEqual(contacts.ids);
      expect(rows.map((row) => row.status)).toEqual(contacts.status);
      expect(rows.map((row) => row.attempts.length)).toEqual([...contacts.attempts]);
    }
  });

  it("squads: members and handoffs; a deleted one is gone", async () => {
    const rows = await every((owner, after: SquadId | null) => queries.squads(owner, { limit: 50, after }));
    const streams = new Set(events.filter(({ event }) => isSquadEvent(event)).map(({ stream }) => stream));
    const states = [...streams].map((stream) =>
      ofStream(stream).filter(isSquadEvent).reduce(squadDecider.evolve, squadDecider.initialState()),
    );
    expect(rows).toHaveLength(states.filter(({ deleted }) => !deleted).length);
    for (const row of rows) {
      const state = states.find(({ squadId }) => squadId === row.id);
      expect(row.name).toBe(state?.name);
      expect(row.members.map(({ id, isEntry }) => [id, isEntry])).toEqual(
        [...(state?.members.values() ?? [])]
          .toSorted((a, b) => a.position - b.position)
          .map(({ memberId, isEntry }) => [memberId, isEntry]),
      );
      expect(row.handoffs.map(({ id, enabled }) => [id, enabled])).toEqual(
        [...(state?.handoffs.values() ?? [])].map(({ handoffId, enabled }) => [handoffId, enabled]),
      );
      expect(await queries.squadFromLog("usr_1", row.id)).toEqual(row);
    }
  });
});
