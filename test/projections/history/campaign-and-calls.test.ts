import { expect, it } from "vitest";
import type { DomainEvent } from "../../../domain/events.ts";
import { campaignAndCalls } from "../../../projections/history/campaign-and-calls.ts";
import { startedStory } from "../../application/audit/example-history.ts";
import { changed } from "../../application/audit/plant.ts";
import { campaignId, contact } from "../../domain/campaign/example-campaign.ts";
import { memoryLog } from "../../support/memory-log.ts";

it("reads a call once that a history which was tampered with names in two dials", async () => {
  const history = memoryLog();
  const { log } = startedStory([contact(1), contact(2)])
    .dial(3, [1, 1], [2, 2])
    .end(1, 40, "busy");
  const tampered = changed("ContactDialed", 1, () => ({ callId: "call_1" }))(log);
  for (const event of tampered) await history.store(streamOf(event), event);
  const events = await campaignAndCalls(history, campaignId);
  const places = events.map(({ stream, revision }) => `${stream} ${revision}`);
  expect(places.filter((place) => place.startsWith("call-call_1")).length).toBeGreaterThan(2);
  expect(new Set(places).size).toBe(places.length);
});

function streamOf({ type, data }: DomainEvent): string {
  return type.startsWith("Call") && "callId" in data ? `call-${data.callId}` : `campaign-${campaignId}`;
}
