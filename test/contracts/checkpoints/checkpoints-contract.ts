import { afterAll, beforeAll, expect, it } from "vitest";
import type { Checkpoints } from "../../../application/ports/checkpoints.ts";
import type { StoredEvent } from "../../../application/ports/event-store.ts";

export type CheckpointsWorld = { readonly checkpoints: Checkpoints; readonly end: () => Promise<void> };

const event: StoredEvent = {
  id: "9d8f1a53-95c2-4b9e-8d1f-0a3a70a3c001",
  type: "CallCompleted",
  data: { callId: "call_1", note: "‮naïve ☎" },
  metadata: { correlationId: "c", causationId: null, actor: "process:x", owner: "usr_1", schemaVersion: 1 },
  stream: "call-call_1",
  revision: 3,
  position: "00042",
  created: "2026-09-01T10:00:00.000Z",
};

/** How far reactions have come, and what they left aside. */
export function checkpointsContract(makeWorld: () => Promise<CheckpointsWorld>): void {
  let world: CheckpointsWorld;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.end());

  it("knows nothing of a processor that saved nothing", async () => {
    expect(await world.checkpoints.load("new")).toBeNull();
  });

  it("keeps the last checkpoint of each processor", async () => {
    await world.checkpoints.save("one", { position: "1", eventId: null });
    await world.checkpoints.save("one", { position: "0007", eventId: event.id });
    await world.checkpoints.save("other", { position: "9", eventId: null });
    expect(await world.checkpoints.load("one")).toEqual({ position: "0007", eventId: event.id });
    expect(await world.checkpoints.load("other")).toEqual({ position: "9", eventId: null });
  });

  it("parks an event once per processor and position, with the first problem", async () => {
    await world.checkpoints.park("one", event, "no such number");
    await world.checkpoints.park("one", event, "again");
    await world.checkpoints.park("other", event, "for another reason");
    const { position, stream, type } = event;
    expect(await world.checkpoints.parked()).toEqual([
      { processor: "one", position, stream, type, problem: "no such number" },
      { processor: "other", position, stream, type, problem: "for another reason" },
    ]);
  });
}
