import { expect, it } from "vitest";
import { readPage, recordedEvents } from "../../../application/log/recorded-events.ts";
import { type EventStore, EventStoreError } from "../../../application/ports/event-store.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { appendBegins, codec } from "./log-of-calls.ts";
import { ORIGIN } from "./squad-log.ts";

const STREAM = "call-call_a";

async function revisionsOf(eventStore: EventStore): Promise<number[]> {
  const revisions: number[] = [];
  for await (const { revision } of recordedEvents({ eventStore, codec }, STREAM)) revisions.push(revision);
  return revisions;
}

/** A log that answers every read of a stream with this failure. */
function failing(error: Error): EventStore {
  return { ...memoryLog().eventStore, read: () => Promise.reject(error) };
}

it("leaves out what this release cannot read: damaged events and types of a newer one", async () => {
  const log = memoryLog().eventStore;
  await appendBegins(log, "a", 1);
  const metadata = { ...ORIGIN, schemaVersion: 1 };
  await log.append(STREAM, 0, [
    { id: systemIds.uuid(), type: "FromTheFuture", data: {}, metadata },
    { id: systemIds.uuid(), type: "CallRinging", data: { nonsense: true }, metadata },
  ]);
  await appendBegins(log, "a", 1, 3);
  expect(await revisionsOf(log)).toEqual([0, 3]);
});

it.each(["not_found", "deleted"] as const)("finds no events in a stream that is %s", async (kind) => {
  const log = failing(new EventStoreError({ kind, stream: STREAM }));
  expect(await revisionsOf(log)).toEqual([]);
  expect(await readPage(log, STREAM, 0, 10)).toEqual([]);
});

it("never takes a log that is away for an empty stream", async () => {
  const away = new EventStoreError({ kind: "unavailable", cause: "restarting" });
  await expect(revisionsOf(failing(away))).rejects.toBe(away);
});

it("reads no page ahead for who does not ask for it and leaves early", async () => {
  const log = memoryLog().eventStore;
  await appendBegins(log, "a", 1_001);
  let reads = 0;
  const eventStore: EventStore = {
    ...log,
    read: (stream, options) => {
      reads += 1;
      return log.read(stream, options);
    },
  };
  for await (const { revision } of recordedEvents({ eventStore, codec }, STREAM)) if (revision === 999) break;
  expect(reads).toBe(1);
});
