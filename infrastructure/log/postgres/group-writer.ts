import type pg from "pg";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import { type AppendGroup, appendGroup, type GroupAnswer, groupOf } from "./append-group.ts";
import type { LogConnections } from "./connection.ts";
import { isRepeatedEventId, unavailable, wasRolledBack } from "./failures.ts";
import type { RecentWrites } from "./recent-writes.ts";
import type { AppendRequest } from "./requests.ts";
import { originalOrConflict } from "./settle-refused.ts";

export type GroupWriter = {
  readonly submit: (request: AppendRequest) => void;
  /** Rejects waiting appends; resolves when those in flight have ended. */
  readonly close: () => Promise<void>;
};

/** Limits of one transaction; larger ones are no faster. */
const MAX_APPENDS = 256;
const MAX_EVENTS = 400;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Group commit: while one transaction is in flight appends gather, and the next one takes all of them, so
 * that they share the lock, the round trip and the flush. A single caller gets its own transaction at once.
 * When a full group waits, it is prepared during the one in flight, and sent before that one's callers are
 * answered, so that process and database work in parallel.
 */
export function createGroupWriter(
  connections: LogConnections,
  recent: RecentWrites,
  written: () => void,
): GroupWriter {
  const waiting: AppendRequest[] = [];
  let client: pg.Client | undefined;
  let running: Promise<void> | undefined;
  let closed = false;

  const dropConnection = async (): Promise<void> => {
    const dropped = client;
    client = undefined;
    await dropped?.end().catch(() => undefined);
  };

  /** Its result is reported to all callers. With an open connection the group is sent when this returns. */
  const write = async (group: AppendGroup): Promise<() => void> => {
    client ??= await connections.connect("writer");
    const { base, created, answers } = await appendGroup(client, group);
    const stored = group.requests.filter((_request, index) => answers[index]?.written);
    return () => {
      if (stored.length > 0) {
        recent.add(base, created, stored);
        written();
      }
      group.requests.forEach((request, index) => {
        settle(connections.readers, request, answers[index]);
      });
    };
  };

  /** If the connection broke, the outcome is unknown; repeated appends find their events by their ids. */
  const writeOneByOne = async ({ requests }: AppendGroup): Promise<void> => {
    let lost: unknown;
    for (const request of requests) {
      if (lost !== undefined) {
        request.reject(unavailable(lost));
        continue;
      }
      const tell = await write(groupOf([request])).catch((error: unknown) => {
        request.reject(refusalOf(error));
        if (wasRolledBack(error)) return;
        void dropConnection();
        lost = error;
      });
      tell?.();
    }
  };

  const writeSurely = (group: AppendGroup): Promise<() => void> =>
    write(group).catch(async (error: unknown) => {
      if (!wasRolledBack(error)) void dropConnection();
      await writeOneByOne(group);
      return nobodyToTell;
    });

  const run = async (): Promise<void> => {
    let tell = nobodyToTell;
    let group: AppendGroup | undefined = takeGroup(waiting);
    while (group !== undefined) {
      const writing = writeSurely(group);
      tell();
      await turn();
      group = isWholeGroup(waiting) ? takeGroup(waiting) : undefined;
      tell = await writing;
      if (group !== undefined) continue;
      tell();
      tell = nobodyToTell;
      await turn();
      group = takeGroup(waiting);
    }
    running = undefined;
  };

  return {
    submit(request) {
      if (closed) {
        request.reject(unavailable(new Error("the store is closed")));
        return;
      }
      waiting.push(request);
      running ??= turn().then(run);
    },
    async close() {
      closed = true;
      for (const request of waiting.splice(0)) request.reject(unavailable(new Error("the store is closed")));
      await running;
      await dropConnection();
    },
  };
}

/** Lets appends of the same turn of the event loop join. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function nobodyToTell(): void {}

function isWholeGroup(waiting: readonly AppendRequest[]): boolean {
  return (
    waiting.length >= MAX_APPENDS ||
    waiting.reduce((count, { events }) => count + events.length, 0) >= MAX_EVENTS
  );
}

/**
 * The oldest appends, each stream once; later appends of a stream wait for the next group.
 * undefined: none waits.
 */
function takeGroup(waiting: AppendRequest[]): AppendGroup | undefined {
  const streams = new Set<string>();
  const group: AppendRequest[] = [];
  const left: AppendRequest[] = [];
  let count = 0;
  let bytes = 0;
  for (const request of waiting) {
    const size = request.json.reduce((sum, { data }) => sum + data.length, 0);
    const fits =
      group.length < MAX_APPENDS && count + request.events.length <= MAX_EVENTS && bytes + size <= MAX_BYTES;
    if ((fits || group.length === 0) && !streams.has(request.stream)) {
      group.push(request);
      count += request.events.length;
      bytes += size;
    } else {
      left.push(request);
    }
    streams.add(request.stream);
  }
  waiting.splice(0, waiting.length, ...left);
  return group.length === 0 ? undefined : groupOf(group);
}

function settle(readers: pg.Pool, request: AppendRequest, answer: GroupAnswer | undefined): void {
  if (answer === undefined) request.reject(unavailable(new Error("the database did not answer")));
  else if (answer.written) request.resolve(answer.result);
  else
    originalOrConflict(readers, request, answer.actual).then(request.resolve, (error: unknown) => {
      request.reject(unavailable(error));
    });
}

function refusalOf(error: unknown): EventStoreError {
  if (!isRepeatedEventId(error)) return unavailable(error);
  return new EventStoreError({
    kind: "invalid_event",
    index: 0,
    reason: "the stream has an event of this id elsewhere",
  });
}
