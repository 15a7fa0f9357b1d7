import { decideAppend } from "./append-decision.ts";
import type { AppendOutcome, Expected, LogRecord, ProposedEvent, StreamState } from "./records.ts";

/** What the server holds in memory; a restart keeps it, except the ids that `any` remembers (fact 9). */
export interface EventStoreDbLog {
  readonly records: readonly LogRecord[];
  stream(name: string): StreamState | undefined;
  append(stream: string, expected: Expected, events: readonly ProposedEvent[]): AppendOutcome;
  softDelete(stream: string): void;
  tombstone(stream: string): void;
  forgetIdsOfAny(): void;
  /** Called once per committed event, in commit order; returns the way to stop. */
  onCommitted(listener: (record: LogRecord) => void): () => void;
}

const TOMBSTONE_REVISION = 9_223_372_036_854_775_807n;
const NO_BYTES = new Uint8Array();

export function createLog(): EventStoreDbLog {
  const records: LogRecord[] = [];
  const streams = new Map<string, StreamState>();
  const listeners = new Set<(record: LogRecord) => void>();
  const recentIds = new Map<string, LogRecord>();
  let nextPosition = 0n;

  const stateOf = (name: string): StreamState => {
    const known = streams.get(name);
    if (known !== undefined) return known;
    const fresh = { records: [], truncateBefore: 0n, deleted: false, tombstoned: false };
    streams.set(name, fresh);
    return fresh;
  };

  const commit = (stream: string, revision: bigint, event: ProposedEvent): LogRecord => {
    const createdTicks = BigInt(Date.now()) * 10_000n;
    const record = { ...event, stream, revision, position: nextPosition, createdTicks };
    nextPosition += BigInt(96 + stream.length + event.data.length + event.metadata.length);
    records.push(record);
    return record;
  };

  const announce = (committed: readonly LogRecord[]): void => {
    for (const record of committed) for (const listener of listeners) listener(record);
  };

  const system = (stream: string, revision: bigint, type: string, data: object): LogRecord =>
    commit(stream, revision, {
      id: crypto.randomUUID(),
      type,
      contentType: "application/json",
      data: Buffer.from(JSON.stringify(data)),
      metadata: NO_BYTES,
    });

  const systemAppend = (stream: string, type: string, data: object): LogRecord => {
    const state = stateOf(stream);
    const record = system(stream, BigInt(state.records.length), type, data);
    state.records.push(record);
    return record;
  };

  systemAppend("$users", "$User", { loginName: "admin" });

  return {
    records,
    stream: (name) => streams.get(name),
    append(stream, expected, events) {
      if (events.length === 0) return { kind: "nothing_given" };
      const state = streams.get(stream);
      const decision = decideAppend(state, expected, events, (id) => recentIds.get(`${stream} ${id}`));
      if (decision.kind !== "write") return decision;
      const target = stateOf(stream);
      if (decision.revives) {
        target.truncateBefore = BigInt(target.records.length);
        target.deleted = false;
      }
      const committed = events.map((event) => {
        const record = commit(stream, BigInt(target.records.length), event);
        target.records.push(record);
        recentIds.set(`${stream} ${event.id}`, record);
        return record;
      });
      announce(committed);
      const last = committed.at(-1);
      if (last === undefined) return { kind: "nothing_given" };
      return { kind: "written", revision: last.revision, position: last.position };
    },
    softDelete(stream) {
      const state = stateOf(stream);
      state.deleted = true;
      announce([systemAppend(`$$${stream}`, "$metadata", { $tb: Number(TOMBSTONE_REVISION) })]);
    },
    tombstone(stream) {
      stateOf(stream).tombstoned = true;
      announce([system(stream, TOMBSTONE_REVISION, "$streamDeleted", {})]);
    },
    forgetIdsOfAny: () => recentIds.clear(),
    onCommitted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
