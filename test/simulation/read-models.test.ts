import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { Queries } from "../../application/ports/queries.ts";
import { callDecider } from "../../domain/call/decider.ts";
import type { CallState } from "../../domain/call/state.ts";
import { campaignDecider } from "../../domain/campaign/decider.ts";
import type { CampaignState } from "../../domain/campaign/state.ts";
import { isCallEvent, isCampaignEvent } from "../../domain/event-kinds.ts";
import type { CallId, CampaignId } from "../../domain/shared/ids.ts";
import { randomScenario } from "../../simulation/campaigns/random-scenario.ts";
import { runScenario } from "../../simulation/campaigns/run-scenario.ts";
import { OWNER } from "../../simulation/campaigns/simulated-names.ts";
import { campaignCounts } from "../domain/campaign/campaign-counts.ts";
import type { HistoryEvent } from "../projections/random-history.ts";
import { openReadWorld, queriesOf, type ReadWorld } from "../projections/read-world.ts";

/** A sample: writing the rows to a real PostgreSQL takes longer than the runs. */
const SEEDS = Array.from({ length: 60 }, (_, index) => 1 + index * 331);

describe("read models of simulated campaigns agree with the domain's own fold", () => {
  let world: ReadWorld;
  let queries: Queries;
  const campaigns = new Map<CampaignId, CampaignState>();
  const calls = new Map<CallId, CallState>();

  beforeAll(async () => {
    world = await openReadWorld();
    const models = world.start();
    queries = queriesOf(world, models);
    for (const seed of SEEDS) {
      const { events } = await runScenario(randomScenario(seed));
      await world.append(events.map((recorded) => renamed(recorded, seed)).map(fold));
    }
    await models.positions.waitFor(await world.eventStore.head(), 60_000);
  }, 120_000);
  afterAll(() => world.close());

  function fold(history: HistoryEvent): HistoryEvent {
    const { event } = history;
    if (isCallEvent(event)) {
      const before = calls.get(event.data.callId) ?? callDecider.initialState();
      calls.set(event.data.callId, callDecider.evolve(before, event));
    }
    if (isCampaignEvent(event)) {
      const before = campaigns.get(event.data.campaignId) ?? campaignDecider.initialState();
      campaigns.set(event.data.campaignId, campaignDecider.evolve(before, event));
    }
    return history;
  }

  it("campaigns: status, pause and counts", async () => {
    expect(campaigns.size).toBeGreaterThan(SEEDS.length);
    for (const [id, state] of campaigns) {
      const { averageCallDuration, ...counts } = campaignCounts(state);
      const { status, pauseReason, startedAt, completedAt, nextWindowOpensAt } = state;
      const found = await queries.campaign(OWNER, id);
      expect(found?.campaign).toMatchObject({
        ...counts,
        status,
        pauseReason,
        startedAt,
        completedAt,
        nextWindowOpensAt,
      });
      expect(found?.statistics.averageCallDuration).toBe(averageCallDuration);
    }
  });

  it("contacts: ids, statuses and attempts, in the order of import", async () => {
    for (const [id, { contacts }] of campaigns) {
      const rows = (await queries.contacts(OWNER, id, {}, { limit: 200, after: null }))?.rows ?? [];
      expect(rows.map((row) => row.id)).toEqual(contacts.ids);
      expect(rows.map((row) => row.status)).toEqual(contacts.status);
      expect(rows.map((row) => row.attempts.length)).toEqual([...contacts.attempts]);
    }
  });

  it("calls: status, ends, times and messages", async () => {
    expect(calls.size).toBeGreaterThan(SEEDS.length);
    for (const [id, state] of calls) {
      const { status, endReason, ringingAt, connectedAt, endedAt, durationSeconds, answeredBy } = state;
      const found = await queries.call(OWNER, id);
      expect(found).toMatchObject({ status, endReason, ringingAt, connectedAt, endedAt, durationSeconds });
      expect(found?.answeredBy).toBe(answeredBy);
      expect(found?.messages).toHaveLength(state.messages);
    }
  });
});

/** Every run draws the same ids, so those of one seed are renamed. */
function renamed({ stream, event }: RecordedEvent, seed: number): HistoryEvent {
  const rename = (text: string) => text.replaceAll(/\b(call|cmp|ctc|imp)_/g, `$1_${seed}x`);
  return { stream: rename(stream), owner: OWNER, event: JSON.parse(rename(JSON.stringify(event))) };
}
