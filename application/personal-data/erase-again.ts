import type { Calls } from "../log/aggregates.ts";
import type { Reaction } from "../log/reaction.ts";
import type { Checkpoints } from "../ports/checkpoints.ts";
import type { Clock } from "../ports/clock.ts";
import type { ErasedCall, ErasureJournal, Erasures, ShownWords } from "../ports/erasures.ts";
import type { EventCodec, RecordedEvent } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { Logger } from "../ports/logger.ts";
import { type ErasureStepsDeps, forgetCalls, removeRecordings } from "./erasure-steps.ts";

export type EraseAgainDeps = {
  readonly calls: Calls;
  readonly erasures: Erasures;
  readonly shownWords: ShownWords;
  readonly journal: ErasureJournal;
  readonly recordings: ErasureStepsDeps["recordings"];
  readonly files: ErasureStepsDeps["files"];
  readonly checkpoints: Pick<Checkpoints, "load" | "save">;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Name of the reaction, and so of its checkpoint. */
const ERASURES = "erasures";
const TYPES = ["CallContentErased"] as const;
const PAGE = 1_000;
const ASKER = { actor: "process:erasures", correlationId: "erasures" };

/**
 * Erases again what the log or the file knows as erased and the keys do not: the keys were restored from a
 * backup. The log is read from the checkpoint of the restored database, which is as old as its keys. Rejects
 * when log or database are unavailable.
 */
export async function eraseAgain(deps: EraseAgainDeps): Promise<void> {
  let count = 0;
  for await (const calls of deps.journal.read()) count += await eraseRestored(deps, calls);
  count += await eraseByLog(deps);
  if (count > 0) deps.logger.warn({ calls: count }, "calls that were erased before are erased again");
}

/** Whether the file has calls whose keys are not erased: then the keys are older than the file. */
export async function fileKnowsMore({
  erasures,
  journal,
}: Pick<EraseAgainDeps, "erasures" | "journal">): Promise<boolean> {
  for await (const calls of journal.read()) {
    const missing = await erasures.notErased(calls.map(({ callId }) => callId));
    if (missing.size > 0) return true;
  }
  return false;
}

/**
 * Reads on from the reaction's checkpoint. Without a checkpoint the database is new, or older than keys: it
 * has no keys that could come back, and the reaction starts here.
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
    count += await eraseRestored(deps, recorded.flatMap(erasedCall));
    after = page.atEnd ? null : page.next;
  }
  return count;
}

type ErasingDeps = Omit<EraseAgainDeps, "shownWords" | "checkpoints" | "eventStore" | "codec">;

/**
 * Moves the checkpoint, and erases what another database of this log has erased. Erasures of this database
 * go on by themselves.
 */
export function erasuresReaction(deps: ErasingDeps): Reaction {
  return {
    name: ERASURES,
    types: TYPES,
    handle: async (events) => {
      const running = new Set((await deps.erasures.running()).map(({ id }) => id));
      const calls = events.flatMap(erasedCall).filter(({ erasureId }) => !running.has(erasureId));
      await erase(deps, await missingOf(deps, calls));
    },
  };
}

function erasedCall({ event, metadata }: RecordedEvent): ErasedCall[] {
  if (event.type !== "CallContentErased") return [];
  const { callId, erasureId } = event.data;
  return [{ callId, erasureId, owner: ownerOf(metadata.owner) }];
}

/** Every event of a call has the owner of the call. */
function ownerOf(owner: string): ErasedCall["owner"] {
  return owner as ErasedCall["owner"];
}

/** Rows of read models first: they follow the log and may be far behind it. */
async function eraseRestored(deps: EraseAgainDeps, calls: readonly ErasedCall[]): Promise<number> {
  const missing = await missingOf(deps, calls);
  if (missing.length > 0) await deps.shownWords.remove(missing.map(({ callId }) => callId));
  await erase(deps, missing);
  return missing.length;
}

/** Each call once, however often it occurs: an erasure that a crash interrupted writes its lines again. */
async function missingOf(
  { erasures }: Pick<ErasingDeps, "erasures">,
  calls: readonly ErasedCall[],
): Promise<readonly ErasedCall[]> {
  const byId = new Map(calls.map((call) => [call.callId, call]));
  const missing = await erasures.notErased([...byId.keys()]);
  return [...byId.values()].filter(({ callId }) => missing.has(callId));
}

async function erase(deps: ErasingDeps, calls: readonly ErasedCall[]): Promise<void> {
  if (calls.length === 0) return;
  const callIds = calls.map(({ callId }) => callId);
  const removeCopies = async () => {
    await removeRecordings(deps, callIds);
    await deps.erasures.clear(callIds);
  };
  // Copies are removed before the keys, which mark the erasure as done: a crash in between starts again. And
  // once more after them, for copies made meanwhile.
  await removeCopies();
  await forgetCalls(deps, calls, ASKER);
  await removeCopies();
}
