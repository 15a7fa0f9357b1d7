import type pg from "pg";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import { appendGroup, type GroupAnswer } from "./append-group.ts";
import type { LogConnections } from "./connection.ts";
import { isRepeatedEventId, unavailable, wasRolledBack } from "./failures.ts";
import type { RecentWrites } from "./recent-writes.ts";
import type { AppendRequest } from "./requests.ts";
import { originalOrConflict } from "./settle-refused.ts";

export type GroupWriter = {
  readonly submit: (request: AppendRequest) => void;
  /** What waits is rejected; resolves when what is under way has ended. */
  readonly close: () => Promise<void>;
};

/** Bounds of one transaction; beyond them nothing is gained. */
const MAX_APPENDS = 256;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Group commit: while one transaction is under way appends gather, and the next one takes all of them, so that the lock, the round trip and the
 * flush are shared. A lone caller gets a transaction of its own at once.
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

  const connected = async (): Promise<pg.Client> => {
    client ??= await connections.connect("writer");
    return client;
  };
  const dropConnection = (): void => {
    client?.end().catch(() => undefined);
    client = undefined;
  };

  const write = async (group: readonly AppendRequest[]): Promise<void> => {
    const { base, created, answers } = await appendGroup(await connected(), group);
    const stored = group.filter((_request, index) => answers[index]?.written);
    if (stored.length > 0) {
      recent.add(base, created, stored);
      written();
    }
    group.forEach((request, index) => {
      settle(connections.readers, request, answers[index]);
    });
  };

  /** Nobody knows what became of a group whose connection broke; a repeated append finds its own events by their ids. */
  const writeOneByOne = async (group: readonly AppendRequest[]): Promise<void> => {
    let lost: unknown;
    for (const request of group) {
      if (lost !== undefined) {
        request.reject(unavailable(lost));
        continue;
      }
      await write([request]).catch((error: unknown) => {
        request.reject(refusalOf(error));
        if (wasRolledBack(error)) return;
        dropConnection();
        lost = error;
      });
    }
  };

  const run = async (): Promise<void> => {
    for (let group = takeGroup(waiting); group.length > 0; group = takeGroup(waiting)) {
      const members = group;
      await write(members).catch(async (error: unknown) => {
        if (!wasRolledBack(error)) dropConnection();
        await writeOneByOne(members);
      });
      await turn();
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
      dropConnection();
    },
  };
}

/** Lets those who wait in the same turn of the event loop come along. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The oldest appends, each stream once; later appends of a stream stay for the next group. */
function takeGroup(waiting: AppendRequest[]): AppendRequest[] {
  const streams = new Set<string>();
  const group: AppendRequest[] = [];
  const left: AppendRequest[] = [];
  let bytes = 0;
  for (const request of waiting) {
    const size = request.json.reduce((sum, { data }) => sum + data.length, 0);
    const fits = group.length === 0 || (group.length < MAX_APPENDS && bytes + size <= MAX_BYTES);
    if (fits && !streams.has(request.stream)) {
      group.push(request);
      bytes += size;
    } else {
      left.push(request);
    }
    streams.add(request.stream);
  }
  waiting.splice(0, waiting.length, ...left);
  return group;
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
