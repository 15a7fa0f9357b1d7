import { describe, expect, it } from "vitest";
import { campaignHistory } from "../../../application/audit/campaign-history.ts";
import { verifyCampaign } from "../../../application/audit/verify-campaign.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import { createEventCodec } from "../../../infrastructure/event-store/codec.ts";
import { createMemoryEventStore } from "../../../infrastructure/event-store/memory.ts";
import { at, campaignId, contact } from "../../domain/campaign/example-campaign.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { recorded, startedStory, wholeStory } from "./example-history.ts";

const OPTIONS = { now: null, retryMinuteMillis: 60_000 };
const metadata = { correlationId: "c", causationId: null, actor: "test", owner: "usr_1", schemaVersion: 1 };

/** A log that holds these events, as they were decided. */
async function logOf(events: readonly DomainEvent[]) {
  const eventStore = createMemoryEventStore(movingClock());
  const codec = createEventCodec();
  for (const [index, { event, stream, revision }] of recorded(events).entries()) {
    const { type, data, schemaVersion } = codec.encode(event);
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    await eventStore.append(stream, revision === 0 ? "no_stream" : revision - 1, [
      { id, type, data, metadata: { ...metadata, schemaVersion } },
    ]);
  }
  return { eventStore, codec };
}

describe("the history of a campaign", () => {
  it("is everything that its stream and its calls hold, in log order", async () => {
    const { log } = wholeStory();
    const history = await campaignHistory(await logOf(log), campaignId);
    expect(history.map(({ event }) => event)).toEqual(log);
    expect(verifyCampaign(history, OPTIONS)).toEqual([]);
  });

  it("leaves out the calls of others", async () => {
    const { log } = startedStory([contact(1)]).dial(3, [1, 1]);
    const alone = log.filter(({ type }) => type !== "ContactDialed");
    const history = await campaignHistory(await logOf(alone), campaignId);
    expect(history.map(({ event }) => event.type)).toEqual([
      "ContactsImported",
      "CampaignCreated",
      "CampaignStarted",
    ]);
  });

  it("holds a dial whose call nobody has started yet", async () => {
    const { log } = startedStory([contact(1)]).dial(3, [1, 1]);
    const unstarted = log.filter(({ type }) => !type.startsWith("Call"));
    const history = await campaignHistory(await logOf(unstarted), campaignId);
    expect(history.at(-1)?.event.type).toBe("ContactDialed");
    expect(verifyCampaign(history, { ...OPTIONS, now: at(5_000) })).toMatchObject([
      { rule: "every-attempt-ends" },
    ]);
  });

  it("is empty when there is no such campaign", async () => {
    expect(await campaignHistory(await logOf([]), campaignId)).toEqual([]);
  });

  it("is read page by page", async () => {
    const { log } = startedStory([contact(1)]);
    const pauses = Array.from({ length: 600 }, (): DomainEvent[] => [
      { type: "CampaignPaused", data: { campaignId, at: at(1), reason: "manual", nextWindowOpensAt: null } },
      { type: "CampaignResumed", data: { campaignId, at: at(1), by: "api" } },
    ]).flat();
    expect(await campaignHistory(await logOf([...log, ...pauses]), campaignId)).toHaveLength(1_203);
  });
});
