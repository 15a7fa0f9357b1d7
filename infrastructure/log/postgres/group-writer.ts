import type pg from "pg";
import { type AppendResult, EventStoreError } from "../../../application/ports/event-store.ts";
import { type AppendGroup, appendGroup, type GroupAnswer, groupOf } from "./append-group.ts";
import type { LogConnections } from "./connection.ts";
import { isRepeatedEventId, unavailable, wasRolledBack } from "./failures.ts";
import type { RecentWrites } from "./recent-writes.ts";
import { type AppendRequest, expectedNumber } from "./requests.ts";

export type GroupWriter = {
  readonly submit: (request: AppendRequest) => void;
  /** Rejects waiting appends; resolves when those in flight have ended. */
  readonly close: () => Promise<void>;
};

/** Limits of one transaction; larger ones are no faster. */
const MAX_APPENDS = 256;
const MAX_EVENTS = 400;
const MAX_BYTES = 4 * 1024 * 1024;

export function createGroupWriter(
  connections: LogConnections,
  recent: RecentWrites,
  written: () => void,
): GroupWriter {
  return new GroupCommit(connections, recent, written);
}

/**
 * Group commit: while one transaction is in flight appends gather, and the next one takes all of them, so
 * that they share the lock, the round trip and the flush. A single caller gets its own transaction at once.
 * When a full group waits, it is prepared during the one in flight, and sent before that one's callers are
 * answered, so that process and database work in parallel.
 */
class GroupCommit implements GroupWriter {
  readonly #connections: LogConnections;
  readonly #recent: RecentWrites;
  readonly #written: () => void;
  readonly #waiting: AppendRequest[] = [];
  #client: pg.Client | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(connections: LogConnections, recent: RecentWrites, written: () => void) {
    this.#connections = connections;
    this.#recent = recent;
    this.#written = written;
  }

  submit(request: AppendRequest): void {
    if (this.#closed) {
      request.reject(unavailable(new Error("the store is closed")));
      return;
    }
    this.#waiting.push(request);
    this.#running ??= turn().then(() => this.#run());
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const request of this.#waiting.splice(0))
      request.reject(unavailable(new Error("the store is closed")));
    await this.#running;
    await this.#dropConnection();
  }

  async #run(): Promise<void> {
    const waiting = this.#waiting;
    let tell = nobodyToTell;
    let group: AppendGroup | undefined = takeGroup(waiting);
    while (group !== undefined) {
      const writing = this.#writeSurely(group);
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
    this.#running = undefined;
  }

  #writeSurely(group: AppendGroup): Promise<() => void> {
    return this.#write(group).catch(async (error: unknown) => {
      if (!wasRolledBack(error)) void this.#dropConnection();
      await this.#writeOneByOne(group);
      return nobodyToTell;
    });
  }

  /**
   * The returned function reports the result to all callers. With an open connection the group is
   * sent when this returns.
   */
  async #write(group: AppendGroup): Promise<() => void> {
    this.#client ??= await this.#connections.connect("writer");
    const { base, created, answers } = await appendGroup(this.#client, group);
    const stored = group.requests.filter((_request, index) => answers[index]?.written);
    return () => {
      if (stored.length > 0) {
        this.#recent.add(base, created, stored);
        this.#written();
      }
      group.requests.forEach((request, index) => {
        settle(this.#connections.readers, request, answers[index]);
      });
    };
  }

  /**
   * The outcome of a group whose connection broke is unknown; a repeated append finds its own
   * events by their ids.
   */
  async #writeOneByOne({ requests }: AppendGroup): Promise<void> {
    let lost: unknown;
    for (const request of requests) {
      if (lost !== undefined) {
        request.reject(unavailable(lost));
        continue;
      }
      const tell = await this.#write(groupOf([request])).catch((error: unknown) => {
        request.reject(refusalOf(error));
        if (wasRolledBack(error)) return;
        void this.#dropConnection();
        lost = error;
      });
      tell?.();
    }
  }

  async #dropConnection(): Promise<void> {
    const dropped = this.#client;
    this.#client = undefined;
    await dropped?.end().catch(() => undefined);
  }
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

const AT_PLACE =
  "select event_id, position from log.events where stream = $1 and revision between $2 and $3 order by revision";

/**
 * An append that was not written: the original answer if the same events were written
 * before, else its Conflict.
 */
async function originalOrConflict(
  readers: pg.Pool,
  request: AppendRequest,
  actual: number,
): Promise<AppendResult> {
  const { stream, expected, events } = request;
  const first = expectedNumber(expected) + 1;
  const last = first + events.length - 1;
  const conflict = new EventStoreError({
    kind: "conflict",
    stream,
    expected,
    actual: actual === -1 ? "no_stream" : actual,
  });
  if (actual < last) throw conflict;
  const { rows } = await readers.query<[eventId: string, position: string]>({
    name: "at-place",
    text: AT_PLACE,
    rowMode: "array",
    values: [stream, first, last],
  });
  const position = rows.at(-1)?.[1];
  const ours = events.every(({ id }, index) => rows[index]?.[0] === id.toLowerCase());
  if (!ours || position === undefined) throw conflict;
  return { revision: last, position };
}
