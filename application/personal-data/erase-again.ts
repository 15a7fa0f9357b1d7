import type { Calls } from "../log/aggregates.ts";
import type { Reaction } from "../log/reaction.ts";
import type { Checkpoints } from "../ports/checkpoints.ts";
import type { Clock } from "../ports/clock.ts";
import type { CrashPoints } from "../ports/crash-points.ts";
import type { ErasedCall, ErasureJournal, Erasures } from "../ports/erasures.ts";
import type { EventCodec, RecordedEvent } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { Logger } from "../ports/logger.ts";
import { type ErasureStepsDeps, forgetCalls, removeRecordings } from "./erasure-steps.ts";

export type EraseAgainDeps = {
  readonly calls: Calls;
  readonly erasures: Erasures;
  readonly journal: ErasureJournal;
  readonly recordings: ErasureStepsDeps["recordings"];
  readonly files: ErasureStepsDeps["files"];
  readonly checkpoints: Pick<Checkpoints, "load" | "save">;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly clock: Clock;
  readonly crashPoints: CrashPoints;
  readonly logger: Logger;
};

/** Of the reaction, and so of its checkpoint. */
const ERASURES = "erasures";
const TYPES = ["CallContentErased"] as const;
const PAGE = 1_000;
const ASKER = { actor: "process:erasures", correlationId: "erasures" };

/**
 * Erases what the log or the file knows as erased and the keys do not: they were restored to an older state. The log is read from where the database
 * says that it was read to: a restored database says what it knew then. Rejects when log or database are away.
 */
export async function eraseAgain(deps: EraseAgainDeps): Promise<void> {
  let count = 0;
  for await (const calls of deps.journal.read()) count += await eraseMissing(deps, calls);
  count += await eraseByLog(deps);
  if (count > 0) deps.logger.warn({ calls: count }, "calls that were erased before are erased again");
}

/**
 * From where the reaction has come to. Without its checkpoint the database is new, or from before there were keys: it holds none that could come back, and
 * the reaction begins here.
 */
async function eraseByLog(deps: EraseAgainDeps): Promise<number> {
  const { eventStore, codec, checkpoints } = deps;
  const stored = await checkpoints.load(ERASURES);
  if (stored === null) await checkpoints.save(ERASURES, { position: await eventStore.head(), eventId: null });
  let count = 0;
  for (let after = stored?.position ?? null; after !== null; ) {
    const page = await eventStore.readAll({ after, limit: PAGE, filter: { types: [...TYPES] } });
    const decoded = await codec.decode(page.events);
    const recorded = decoded.flatMap((each) => (each.kind === "event" ? [each.recorded] : []));
    count += await eraseMissing(deps, recorded.flatMap(erasedCall));
    after = page.atEnd ? null : page.next;
  }
  return count;
}

/** Keeps the checkpoint, and erases what another database of this log has erased. */
export function erasuresReaction(
  deps: Omit<EraseAgainDeps, "checkpoints" | "eventStore" | "codec">,
): Reaction {
  return {
    name: ERASURES,
    types: TYPES,
    handle: async (events) => {
      await eraseMissing(deps, events.flatMap(erasedCall));
    },
  };
}

function erasedCall({ event, metadata }: RecordedEvent): ErasedCall[] {
  if (event.type !== "CallContentErased") return [];
  const { callId, erasureId } = event.data;
  return [{ callId, erasureId, owner: ownerOf(metadata.owner) }];
}

/** Every event of a call has the call's owner. */
function ownerOf(owner: string): ErasedCall["owner"] {
  return owner as ErasedCall["owner"];
}

async function eraseMissing(
  deps: Omit<EraseAgainDeps, "checkpoints" | "eventStore" | "codec">,
  calls: readonly ErasedCall[],
): Promise<number> {
  const missing = await deps.erasures.notErased(calls.map(({ callId }) => callId));
  const again = calls.filter(({ callId }) => missing.has(callId));
  if (again.length === 0) return 0;
  await forgetCalls(deps, again, ASKER);
  const callIds = again.map(({ callId }) => callId);
  await removeRecordings(deps, callIds);
  await deps.erasures.clear(callIds);
  return again.length;
}
