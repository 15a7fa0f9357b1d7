import type { Calls } from "../log/aggregates.ts";
import type { Checkpoints } from "../ports/checkpoints.ts";
import type { Clock } from "../ports/clock.ts";
import type { CrashPoints } from "../ports/crash-points.ts";
import type { ErasedCall, ErasureJournal, Erasures } from "../ports/erasures.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import { type EventStore, START } from "../ports/event-store.ts";
import type { Logger } from "../ports/logger.ts";
import { forgetCalls } from "./erasure-steps.ts";

export type EraseAgainDeps = {
  readonly calls: Calls;
  readonly erasures: Erasures;
  readonly journal: ErasureJournal;
  readonly checkpoints: Pick<Checkpoints, "load" | "save">;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly clock: Clock;
  readonly crashPoints: CrashPoints;
  readonly logger: Logger;
};

const CHECKPOINT = "erasures";
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

async function eraseByLog(deps: EraseAgainDeps): Promise<number> {
  const { eventStore, codec, checkpoints } = deps;
  let count = 0;
  for (let after = (await checkpoints.load(CHECKPOINT))?.position ?? START; ; ) {
    const page = await eventStore.readAll({ after, limit: PAGE, filter: { types: ["CallContentErased"] } });
    const calls = (await codec.decode(page.events)).flatMap((decoded): ErasedCall[] => {
      if (decoded.kind !== "event" || decoded.recorded.event.type !== "CallContentErased") return [];
      const { callId, erasureId } = decoded.recorded.event.data;
      return [{ callId, erasureId, owner: ownerOf(decoded.recorded.metadata.owner) }];
    });
    count += await eraseMissing(deps, calls);
    after = page.next;
    if (after !== START) await checkpoints.save(CHECKPOINT, { position: after, eventId: null });
    if (page.atEnd) return count;
  }
}

/** Every event of a call has the call's owner. */
function ownerOf(owner: string): ErasedCall["owner"] {
  return owner as ErasedCall["owner"];
}

async function eraseMissing(deps: EraseAgainDeps, calls: readonly ErasedCall[]): Promise<number> {
  const missing = await deps.erasures.notErased(calls.map(({ callId }) => callId));
  const again = calls.filter(({ callId }) => missing.has(callId));
  if (again.length === 0) return 0;
  await forgetCalls(deps, again, ASKER);
  await deps.erasures.clear(again.map(({ callId }) => callId));
  return again.length;
}
