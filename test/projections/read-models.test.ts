import { describe, expect, it } from "vitest";
import type { CallEvent } from "../../domain/call/events.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { callsProjection } from "../../projections/calls/calls.ts";
import { readModelsFor } from "../../projections/read-models.ts";
import { singleRequest } from "./example-events.ts";
import { type HistoryEvent, randomHistory } from "./random-history.ts";
import { allRows, type LogKind, openReadWorld } from "./read-world.ts";

const LONG = 60_000;

async function liveAndRebuilt(log: LogKind, seed: number, steps: number) {
  const world = await openReadWorld(log);
  try {
    const projections = readModelsFor(log === "EventStoreDB" ? "esdb://" : null, world.eventStore);
    const models = world.start({ projections });
    await world.append(randomHistory(seed, steps));
    expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
    const live = await allRows(world.db, projections);
    await world.rebuild({}, projections);
    return { live, rebuilt: await allRows(world.db, projections) };
  } finally {
    await world.close();
  }
}

describe("read models after a random history", () => {
  it.each([1, 2, 3])("equal their rebuild in every row (seed %i)", async (seed) => {
    const { live, rebuilt } = await liveAndRebuilt("memory", seed, 600);
    expect(rebuilt).toEqual(live);
    expect(live["contacts_v5"]?.length).toBeGreaterThan(10);
    expect(live["call_messages_v3"]?.length).toBeGreaterThan(5);
  });

  it.each(["PostgreSQL", "EventStoreDB"] as const)("equal their rebuild with the log in %s", async (log) => {
    const { live, rebuilt } = await liveAndRebuilt(log, 4, 200);
    expect(rebuilt).toEqual(live);
    expect(live["calls_v3"]?.length).toBeGreaterThan(5);
  });
});

describe("rows of calls", () => {
  it("have room: a change of a hundred calls at once leaves most rows in their page", async () => {
    const world = await openReadWorld();
    try {
      const models = world.start({ projections: [callsProjection] });
      const happened = async (eventOf: (callId: CallId) => CallEvent) => {
        await world.append(
          Array.from({ length: 100 }, (_, index): HistoryEvent => {
            const callId: CallId = `call_${index}`;
            return { stream: `call-${callId}`, owner: "usr_1", event: eventOf(callId) };
          }),
        );
        expect(await models.positions.waitFor(await world.eventStore.head(), LONG)).toBe(true);
      };
      await happened((callId) => {
        const { type, data } = singleRequest(callId);
        return { type, data: { ...data, specialInstructions: "The inspection is due. ".repeat(15) } };
      });
      const pages = async () => {
        const { rows } = await world.database.pool.query<{ id: string; page: number }>(
          "select id, (ctid::text::point)[0] as page from read.calls_v3",
        );
        return new Map(rows.map(({ id, page }) => [id, page]));
      };
      const before = await pages();
      const at = "2026-09-01T10:00:05.000Z";
      await happened((callId) => ({
        type: "CallRinging",
        data: { callId, at, carrierRef: callId, sequence: 1 },
      }));
      await happened((callId) => ({
        type: "CallConnected",
        data: { callId, at, answeredBy: "human", carrierRef: callId, sequence: 2 },
      }));
      const after = await pages();
      const inPlace = [...after].filter(([id, page]) => before.get(id) === page);
      expect(inPlace.length / after.size).toBeGreaterThan(0.6);
    } finally {
      await world.close();
    }
  });
});
