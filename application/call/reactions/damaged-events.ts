import { parsePhoneNumber } from "../../../domain/shared/phone-number.ts";
import { readPage } from "../../log/recorded-events.ts";
import type { Checkpoints } from "../../ports/checkpoints.ts";
import type { EventCodec } from "../../ports/event-codec.ts";
import type { EventStore, StoredEvent } from "../../ports/event-store.ts";
import type { Logger } from "../../ports/logger.ts";
import type { HeardOptOut, OptOuts } from "../../ports/opt-outs.ts";
import type { PinnedConversations } from "../../ports/pinned-conversations.ts";
import { OPT_OUT_TYPES } from "./opt-outs.ts";

/** They end what was said, and say nothing themselves. */
const SAYS_NOTHING: readonly string[] = ["CallCompleted", "CallFailed", "CallContentErased"];
const TYPES: ReadonlySet<string> = new Set(OPT_OUT_TYPES.filter((type) => !SAYS_NOTHING.includes(type)));
/** A foreign stream is no call of ours. */
const CALL_STREAM = /^call-call_(.+)$/;

export type DamagedEventsDeps = {
  readonly checkpoints: Pick<Checkpoints, "park">;
  readonly optOuts: Pick<OptOuts, "refuse">;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly pinnedConversations: Pick<PinnedConversations, "read">;
  readonly logger: Logger;
  /** A failure that goes by: the feed comes back with the event. */
  readonly isTransient: (error: unknown) => boolean;
};

type UnreadCall = Pick<HeardOptOut, "callId" | "owner" | "campaignId" | "phoneNumber">;

/**
 * Takes what the feed cannot read, before any reaction passes it. In it somebody may have asked never to be
 * called again, so the number of its call is refused where somebody listens; then it is parked.
 */
export function createDamagedEvents(
  deps: DamagedEventsDeps,
): (stored: StoredEvent, problem: string) => Promise<void> {
  return async (stored, problem) => {
    if (TYPES.has(stored.type) && CALL_STREAM.test(stored.stream)) await refuse(deps, stored);
    await deps.checkpoints.park("feed", stored, problem);
  };
}

/** Others in the log do not wait for a number that can never be refused. */
async function refuse(deps: DamagedEventsDeps, { stream, position }: StoredEvent): Promise<void> {
  try {
    const call = await unreadCall(deps, stream);
    if (call !== null) await deps.optOuts.refuse(call);
  } catch (error) {
    if (deps.isTransient(error)) throw error;
    deps.logger.error({ stream, position, problem: String(error) }, "its number could not be refused");
  }
}

/** null: nobody listens on it, or its beginning is not there. */
async function unreadCall(deps: DamagedEventsDeps, stream: string): Promise<UnreadCall | null> {
  const [first] = await readPage(deps.eventStore, stream, 0, 1);
  if (first?.type !== "CallRequested") return null;
  const [decoded] = await deps.codec.decode([first]);
  const event = decoded?.kind === "event" ? decoded.recorded.event : null;
  if (event?.type !== "CallRequested") return damagedCall(first);
  const { callId, owner, campaignId, to, pinned } = event.data;
  return (await isListenedTo(deps, pinned ?? null)) ? { callId, owner, campaignId, phoneNumber: to } : null;
}

/** Its number may stand there all the same. */
function damagedCall({ stream, data, metadata }: StoredEvent): UnreadCall {
  const { owner, campaignId } = metadata;
  const parsed = parsePhoneNumber(String(data["to"]));
  if (!parsed.ok) throw new Error("the beginning of the call has no number");
  return {
    callId: `call_${CALL_STREAM.exec(stream)?.[1]}`,
    owner: `usr_${owner.slice("usr_".length)}`,
    campaignId: campaignId === undefined ? null : `cmp_${campaignId.slice("cmp_".length)}`,
    phoneNumber: parsed.value,
  };
}

/** Calls pinned before assistants listened are left alone. */
async function isListenedTo(
  { pinnedConversations }: DamagedEventsDeps,
  pinned: string | null,
): Promise<boolean> {
  if (pinned === null) return false;
  const conversation = await pinnedConversations.read(pinned);
  return conversation === null || conversation.speakers.some(({ optOut }) => optOut === "listen");
}
