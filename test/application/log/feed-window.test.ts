import { expect, it } from "vitest";
import {
  appendBatch,
  createFeedWindow,
  type FeedWindow,
  trimWindow,
} from "../../../application/log/feed-window.ts";
import type { RecordedEvent } from "../../../application/ports/event-codec.ts";
import type { FeedBatch } from "../../../application/ports/feed.ts";
import { contact, imported } from "../../domain/campaign/example-campaign.ts";
import { recordedRequest } from "../../projections/example-events.ts";

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Batches 0, 1, 2 at the positions 1, 2, 3; each weighs 1. */
function threeBatches(): FeedWindow {
  const window = createFeedWindow("0");
  for (const position of ["1", "2", "3"]) {
    const batch: FeedBatch = { events: [], position, caughtUp: true };
    appendBatch(window, batch);
  }
  return window;
}

function shown({ batches, since, weight }: FeedWindow) {
  return { numbers: batches.map(({ number }) => number), since, weight };
}

it("lets go of what everybody has taken, and begins behind it", () => {
  const window = threeBatches();
  trimWindow(window, NO_LIMIT, 2);
  expect(shown(window)).toEqual({ numbers: [2], since: "2", weight: 1 });
});

it("keeps what somebody has not taken, up to its limit", () => {
  const window = threeBatches();
  trimWindow(window, NO_LIMIT, 0);
  expect(shown(window)).toEqual({ numbers: [0, 1, 2], since: "0", weight: 3 });
  trimWindow(window, 2, 0);
  expect(shown(window)).toEqual({ numbers: [1, 2], since: "1", weight: 2 });
});

it("keeps the newest in any case", () => {
  const window = threeBatches();
  trimWindow(window, 0, 3);
  expect(shown(window)).toEqual({ numbers: [2], since: "2", weight: 1 });
});

it("weighs a chunk of an import by its contacts, any other event as one", () => {
  const window = createFeedWindow("0");
  const contacts = Array.from({ length: 300 }, (_, number) => contact(number));
  const chunk: RecordedEvent = { ...recordedRequest(0), event: imported(contacts) };
  appendBatch(window, { events: [recordedRequest(0), recordedRequest(1)], position: "2", caughtUp: true });
  appendBatch(window, { events: [chunk, recordedRequest(3)], position: "4", caughtUp: true });
  expect(window.batches.map(({ weight }) => weight)).toEqual([3, 303]);
  expect(window.weight).toBe(306);
});
