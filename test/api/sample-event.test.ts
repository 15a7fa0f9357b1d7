import { expect, it } from "vitest";
import { sampleEvent } from "../../api/webhooks/sample-event.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { systemIds } from "../../infrastructure/ids.ts";

it.each(["call.started", "call.ended"] as const)(
  "a sample of %s is sent under the id that it names",
  (event) => {
    const sample = sampleEvent({ ids: systemIds, clock: systemClock }, event);
    const body = JSON.parse(sample.body);
    expect(body).toMatchObject({
      event,
      data: { eventId: sample.eventId, sequence: event === "call.started" ? 1 : 2 },
    });
    expect(Object.keys(body)).toEqual(["event", "data"]);
  },
);
