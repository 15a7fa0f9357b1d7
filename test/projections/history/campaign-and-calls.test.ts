import { expect, it } from "vitest";
import type { DomainEvent } from "../../../domain/events.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { campaignAndCalls } from "../../../projections/history/campaign-and-calls.ts";
import { createMemoryEventStore } from "../../../simulation/memory/event-store.ts";
import { eventsToAppend } from "../../../simulation/memory/subject-keys.ts";
import { startedStory } from "../../application/audit/example-history.ts";
import { changed } from "../../application/audit/plant.ts";
import { campaignId, contact } from "../../domain/campaign/example-campaign.ts";
import { codec } from "../read-world.ts";

it("reads a call once that a history which was tampered with names in two dials", async () => {
  const eventStore = createMemoryEventStore(systemClock);
  const { log } = startedStory([contact(1), contact(2)])
    .dial(3, [1, 1], [2, 2])
    .end(1, 40, "busy");
  const tampered = changed("ContactDialed", 1, () => ({ callId: "call_1" }))(log);
  const revisions = new Map<string, number>();
  for (const event of tampered) {
    const stream = streamOf(event);
    const before = revisions.get(stream);
    const stored = await eventsToAppend(codec, "usr_1", [event]);
    await eventStore.append(stream, before ?? "no_stream", stored);
    revisions.set(stream, (before ?? -1) + 1);
  }
  const events = await campaignAndCalls({ eventStore, codec }, campaignId);
  const places = events.map(({ stream, revision }) => `${stream} ${revision}`);
  expect(places.filter((place) => place.startsWith("call-call_1")).length).toBeGreaterThan(2);
  expect(new Set(places).size).toBe(places.length);
  await eventStore.close();
});

function streamOf({ type, data }: DomainEvent): string {
  return type.startsWith("Call") && "callId" in data ? `call-${data.callId}` : `campaign-${campaignId}`;
}
