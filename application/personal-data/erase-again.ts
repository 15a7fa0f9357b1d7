import type { Calls, Campaigns } from "../log/aggregates.ts";
import type { Reaction } from "../log/reaction.ts";
import type { Checkpoints } from "../ports/checkpoints.ts";
import type { Clock } from "../ports/clock.ts";
import {
  type DeletedCampaign,
  type Erased,
  type ErasedCall,
  type ErasureJournal,
  type Erasures,
  isErasedCall,
  type ShownWords,
} from "../ports/erasures.ts";
import type { EventCodec, RecordedEvent } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { Logger } from "../ports/logger.ts";
import { deleteAgain, eraseContacts, eraseRestoredContacts } from "./erase-contacts.ts";
import { type ErasureStepsDeps, forgetCalls, removeRecordings } from "./erasure-steps.ts";

export type EraseAgainDeps = {
  readonly calls: Calls;
  readonly campaigns: Campaigns;
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
const TYPES = ["CallContentErased", "CampaignDeleted"] as const;
const PAGE = 1_000;
const ASKER = { actor: "process:erasures", correlationId: "erasures" };

/**
 * Erases again what the log or the file knows as erased and the keys do not: the keys were restored from a
 * backup. The log is read from the checkpoint of the restored database, which is as old as its keys. Rejects
 * when log or database are unavailable.
 */
export async function eraseAgain(deps: EraseAgainDeps): Promise<void> {
  const count = { calls: 0, campaigns: 0 };
  for await (const erased of deps.journal.read()) {
    count.calls += await eraseRestored(deps, erased.filter(isErasedCall));
    count.campaigns += await deleteAgain(deps, erased.filter(isDeletedCampaign));
  }
  for await (const events of eventsOfLog(deps)) {
    count.calls += await eraseRestored(deps, events.flatMap(erasedCall));
    count.campaigns += await eraseRestoredContacts(deps, events.flatMap(deletedCampaign));
  }
  if (count.calls + count.campaigns > 0)
    deps.logger.warn(count, "calls and contacts of campaigns that were erased before are erased again");
}

/** Whether the keys are older than the file: it has calls or campaigns whose keys are not erased. */
export async function fileKnowsMore({
  erasures,
  journal,
}: Pick<EraseAgainDeps, "erasures" | "journal">): Promise<boolean> {
  for await (const erased of journal.read()) {
    const ids = erased.map((one) => (isErasedCall(one) ? one.callId : one.campaignId));
    if ((await erasures.notErased(ids)).size > 0) return true;
  }
  return false;
}

/**
 * Reads on from the reaction's checkpoint. Without a checkpoint the database is new, or older than keys: it
 * has no keys that could come back, and the reaction starts here.
 */
async function* eventsOfLog(
  deps: Pick<EraseAgainDeps, "eventStore" | "codec" | "checkpoints">,
): AsyncGenerator<readonly RecordedEvent[]> {
  const { eventStore, codec, checkpoints } = deps;
  const stored = await checkpoints.load(ERASURES);
  if (stored === null) await checkpoints.save(ERASURES, { position: await eventStore.head(), eventId: null });
  for (let after = stored?.position ?? null; after !== null; ) {
    const page = await eventStore.readAll({ after, limit: PAGE, filter: { types: [...TYPES] } });
    const decoded = await codec.decode(page.events);
    yield decoded.flatMap((each) => (each.kind === "event" ? [each.recorded] : []));
    after = page.atEnd ? null : page.next;
  }
}

type ErasingDeps = Omit<EraseAgainDeps, "campaigns" | "shownWords" | "checkpoints" | "eventStore" | "codec">;

/**
 * Erases the contacts of campaigns that are deleted, and what another database of this log has erased.
 * Erasures of this database go on by themselves.
 */
export function erasuresReaction(deps: ErasingDeps): Reaction {
  return {
    name: ERASURES,
    types: TYPES,
    handle: async (events) => {
      const running = new Set((await deps.erasures.running()).map(({ id }) => id));
      const calls = events.flatMap(erasedCall).filter(({ erasureId }) => !running.has(erasureId));
      await erase(deps, await missingOf(deps, calls));
      await eraseContacts(deps, events.flatMap(deletedCampaign));
    },
  };
}

function erasedCall({ event, metadata }: RecordedEvent): ErasedCall[] {
  if (event.type !== "CallContentErased") return [];
  const { callId, erasureId } = event.data;
  return [{ callId, erasureId, owner: ownerOf(metadata.owner) }];
}

function deletedCampaign({ event, metadata }: RecordedEvent): DeletedCampaign[] {
  if (event.type !== "CampaignDeleted") return [];
  return [{ campaignId: event.data.campaignId, owner: ownerOf(metadata.owner) }];
}

function isDeletedCampaign(erased: Erased): erased is DeletedCampaign {
  return !isErasedCall(erased);
}

/** Every event of a call or a campaign has its owner. */
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
