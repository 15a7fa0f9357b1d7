import type { AppendOutcome, Expected, LogRecord, ProposedEvent, StreamState } from "./records.ts";

type AppendDecision = { readonly kind: "write"; readonly revives: boolean } | AppendOutcome;

/**
 * The commit check of EventStoreDB 23.10, as observed.json shows it: idempotence by id only, durable at an
 * exact expectation, a cache for `any`; a partial or longer repeat is a wrong expected version; an exact
 * revision on a deleted stream brings it back with what is written.
 */
export function decideAppend(
  state: StreamState | undefined,
  expected: Expected,
  events: readonly ProposedEvent[],
  recent: (id: string) => LogRecord | undefined,
): AppendDecision {
  if (state?.tombstoned === true) return { kind: "stream_deleted" };
  const last = BigInt(state?.records.length ?? 0) - 1n;
  if (expected === "any" || expected === "stream_exists") {
    if (expected === "stream_exists" && last < 0n) return wrongVersion(expected, last);
    return decideByCache(events, recent);
  }
  const at = expected === "no_stream" ? -1n : expected;
  if (at === last) return { kind: "write", revives: state?.deleted === true };
  if (at < last) {
    const repeated = repeatOf(state?.records ?? [], at, events);
    if (repeated !== undefined) return repeated;
    if (expected === "no_stream" && state?.deleted === true) return { kind: "write", revives: true };
  }
  return wrongVersion(expected, last);
}

function wrongVersion(expected: Expected, last: bigint): AppendDecision {
  return { kind: "wrong_expected_version", expected, actual: last < 0n ? null : last };
}

/** The answer of an append that is stored already. */
export function repeatOf(
  records: readonly LogRecord[],
  at: bigint,
  events: readonly ProposedEvent[],
): Extract<AppendOutcome, { kind: "written" }> | undefined {
  const first = Number(at) + 1;
  if (!events.every((event, index) => records[first + index]?.id === event.id)) return undefined;
  const last = records[first + events.length - 1];
  return last === undefined
    ? undefined
    : { kind: "written", revision: last.revision, position: last.position };
}

/**
 * With `any` the server remembers ids only in memory; the same ids in another order are never
 * answered at all (fact 3).
 */
function decideByCache(
  events: readonly ProposedEvent[],
  recent: (id: string) => LogRecord | undefined,
): AppendDecision {
  const found = events.map((event) => recent(event.id));
  const known = found.filter((record) => record !== undefined);
  if (known.length === 0) return { kind: "write", revives: false };
  const inOrder = known.every(
    (record, index) => index === 0 || record.revision === (known[index - 1]?.revision ?? 0n) + 1n,
  );
  const last = known.at(-1);
  if (known.length < events.length || !inOrder || last === undefined) return { kind: "no_answer" };
  return { kind: "written", revision: last.revision, position: last.position };
}
