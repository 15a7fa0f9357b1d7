import { describe, expect, it } from "vitest";
import { sampleEvent } from "../../api/webhooks/sample-event.ts";
import { EVENT_BODIES } from "../../contract/webhook-body.ts";
import { ALL_KINDS } from "../../domain/webhook/kinds.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { systemIds } from "../../infrastructure/ids.ts";

describe.each(ALL_KINDS)("a sample of %s", (kind) => {
  const sample = sampleEvent(systemIds, systemClock.now(), kind);
  const body = JSON.parse(sample.body);

  it("is sent under the id that it names", () => {
    expect(Object.keys(body)).toEqual(["event", "data"]);
    expect(body).toMatchObject({ event: kind, data: { eventId: sample.eventId } });
  });

  it("has the documented fields, all of them and no others", () => {
    expect(EVENT_BODIES.get(kind)?.parse(body)).toEqual(body);
  });
});

it("samples tell the place of an event among those of its call, and why a campaign was paused", () => {
  const data = (kind: (typeof ALL_KINDS)[number]) =>
    JSON.parse(sampleEvent(systemIds, systemClock.now(), kind).body).data;
  expect([data("call.started").sequence, data("call.ended").sequence]).toEqual([1, 2]);
  expect(ALL_KINDS.filter((kind) => data(kind).reason === "manual")).toEqual(["campaign.paused"]);
});
