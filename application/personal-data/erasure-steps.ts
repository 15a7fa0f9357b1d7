import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { Calls } from "../log/aggregates.ts";
import { callStream } from "../log/stream-names.ts";
import type { Clock } from "../ports/clock.ts";
import type { ErasedCall, ErasureJournal, Erasures, RunningErasure } from "../ports/erasures.ts";
import type { EventStore, Position } from "../ports/event-store.ts";
import type { Logger } from "../ports/logger.ts";
import type { Queries } from "../ports/queries.ts";
import type { RecordingFiles, Recordings } from "../ports/recordings.ts";
import { isRefusedForGood } from "../refused-for-good.ts";

export type ErasureStepsDeps = {
  readonly calls: Calls;
  readonly erasures: Erasures;
  readonly journal: ErasureJournal;
  readonly recordings: Pick<Recordings, "erase">;
  readonly files: Pick<RecordingFiles, "remove">;
  readonly queries: Pick<Queries, "caughtUp">;
  readonly eventStore: Pick<EventStore, "head">;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Who asked, with the ids for the events. */
type Asker = { readonly owner: OwnerId; readonly actor: string; readonly correlationId: string };

const AT_ONCE = 16;
/** No delivery attempt takes longer. */
const CLEARED_WITHIN_MILLIS = 60_000;
const LOOK_AGAIN_MILLIS = 250;
const TOLD_MILLIS = 30_000;

/**
 * Runs one erasure from its durable beginning to its end. Each step may be repeated, and after a crash the
 * next process goes on: the event, the line in the file, the key, then everything with a copy. Resolves when
 * it is done; if it has to go on later, it logs that and resolves.
 */
export async function runErasure(
  deps: ErasureStepsDeps,
  erasure: RunningErasure,
  asker: Asker,
): Promise<void> {
  const { erasures, clock } = deps;
  const { id: erasureId, owner, callIds } = erasure;
  try {
    const calls = callIds.map((callId) => ({ callId, owner, erasureId }));
    await forgetCalls(deps, calls, asker);
    await removeRecordings(deps, callIds);
    await cleared(deps, callIds);
    await erasures.finish(erasure, clock.now());
  } catch (error) {
    deps.logger.error({ erasureId, problem: String(error) }, "an erasure is not done yet; it goes on later");
  }
}

/** After this nobody can read the texts of these calls. */
export async function forgetCalls(
  deps: Pick<ErasureStepsDeps, "calls" | "erasures" | "journal" | "clock">,
  calls: readonly ErasedCall[],
  asker: Pick<Asker, "actor" | "correlationId">,
): Promise<void> {
  const { erasures, journal, clock } = deps;
  const unread = await tellLog(deps, calls, asker);
  await journal.add(calls, clock.now());
  await erasures.eraseKeys(calls);
  // A stream whose texts could not be decrypted can be read after its keys are erased.
  await tellLog(deps, unread, asker);
}

/** Returns the calls whose streams cannot be read or do not exist. */
async function tellLog(
  { calls: handler, clock }: Pick<ErasureStepsDeps, "calls" | "clock">,
  calls: readonly ErasedCall[],
  asker: Pick<Asker, "actor" | "correlationId">,
): Promise<readonly ErasedCall[]> {
  const unread: ErasedCall[] = [];
  const tell = async (call: ErasedCall): Promise<void> => {
    const { callId, owner, erasureId } = call;
    const command = { type: "EraseContent", erasureId, now: clock.now() } as const;
    try {
      await handler.handle(callStream(callId), [command], { ...asker, owner, causationId: null });
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      unread.push(call);
    }
  };
  for (let from = 0; from < calls.length; from += AT_ONCE)
    await Promise.all(calls.slice(from, from + AT_ONCE).map(tell));
  return unread;
}

/**
 * Their files are deleted. Deletion at the carrier is retried in the background; the erasure
 * does not wait for it.
 */
export async function removeRecordings(
  { recordings, files }: Pick<ErasureStepsDeps, "recordings" | "files">,
  callIds: readonly CallId[],
): Promise<void> {
  await files.remove(await recordings.erase(callIds));
}

/** Read models have processed the erasure, and no delivery with old texts is in flight. */
async function cleared(deps: ErasureStepsDeps, callIds: readonly CallId[]): Promise<void> {
  const { erasures, queries, eventStore, clock } = deps;
  const erasedBy: Position = await eventStore.head();
  if ((await queries.caughtUp(erasedBy, TOLD_MILLIS)) !== "all")
    throw new Error("the read models are behind");
  const until = clock.monotonicMillis() + CLEARED_WITHIN_MILLIS;
  while (!(await erasures.clear(callIds))) {
    if (clock.monotonicMillis() > until) throw new Error("a webhook is still on its way");
    await clock.sleep(LOOK_AGAIN_MILLIS);
  }
}
