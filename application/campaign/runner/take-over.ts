import type { CallState } from "../../../domain/call/state.ts";
import { idOf } from "../../../domain/campaign/contacts/contact-row.ts";
import type { ContactDialed } from "../../../domain/campaign/events.ts";
import type { CallId, CampaignId, ContactId } from "../../../domain/shared/ids.ts";
import { callStream, campaignStream } from "../../log/stream-names.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import { recordOutcome } from "./attempt-outcome.ts";
import type { CampaignRun } from "./campaign-run.ts";
import type { CallEnd, RunnerDeps } from "./runner-deps.ts";

type LiveContact = { readonly callId: CallId; readonly contactId: ContactId };

const STREAMS_AT_ONCE = 16;
const PAGE = 200;

/**
 * Finds out the state of every contact in a call from the campaign's stream: starts the call if nobody did,
 * records its outcome if it has ended. The feed is followed already, so later ends are not missed.
 */
export async function takeOver(deps: RunnerDeps, run: CampaignRun): Promise<void> {
  const { campaignId, callOwners, starts } = run;
  const live = await deps.aggregates.campaigns.query(
    campaignStream(campaignId),
    ({ live, contacts }): readonly LiveContact[] =>
      [...live].flatMap(([callId, row]) => {
        const contactId = idOf(contacts, row);
        return contactId === undefined ? [] : [{ callId, contactId }];
      }),
    { fresh: true },
  );
  for (const { callId, contactId } of live) callOwners.set(callId, { campaignId, contactId });

  const unstarted = new Set<CallId>();
  for (let from = 0; from < live.length; from += STREAMS_AT_ONCE) {
    const some = live.slice(from, from + STREAMS_AT_ONCE);
    await Promise.all(
      some.map(async (contact) => {
        const seen = await lookAtCall(deps, contact);
        if (seen === "missing") unstarted.add(contact.callId);
        else if (seen !== "live") await recordOutcome(deps, run, seen);
      }),
    );
  }
  for (const dial of await recordedDials(deps, campaignId, unstarted)) {
    starts.start({ dial, checkedAt: null });
  }
}

/**
 * A call that can never be read ends the attempt. The number may have been dialled, so it
 * is not dialled again.
 */
async function lookAtCall(deps: RunnerDeps, contact: LiveContact): Promise<CallEnd | "missing" | "live"> {
  const stream = callStream(contact.callId);
  try {
    return await deps.aggregates.calls.query(stream, (state) => standing(state, contact), { fresh: true });
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    deps.givenUp.add("campaign-runner", { callId: contact.callId }, error);
    const endedAt = deps.clock.now();
    const unknown = { endReason: "outcome_unknown", durationSeconds: null, cost: 0 } as const;
    return { ...contact, ...unknown, endedAt, causationId: null };
  }
}

function standing(state: CallState, contact: LiveContact): CallEnd | "missing" | "live" {
  const { status, endReason, endedAt, durationSeconds, cost } = state;
  if (status === null) return "missing";
  if (endReason === null || endedAt === null) return "live";
  return { ...contact, endReason, endedAt, durationSeconds, cost: cost ?? 0, causationId: null };
}

/** The dials of these calls, read from the campaign's stream backwards. */
async function recordedDials(
  deps: RunnerDeps,
  campaignId: CampaignId,
  wanted: Set<CallId>,
): Promise<readonly ContactDialed["data"][]> {
  const dials: ContactDialed["data"][] = [];
  let from: number | undefined;
  while (wanted.size > 0 && (from === undefined || from >= 0)) {
    const page = await readBackward(deps, campaignId, from);
    for (const decoded of await deps.codec.decode(page)) {
      if (decoded.kind !== "event" || decoded.recorded.event.type !== "ContactDialed") continue;
      const { data } = decoded.recorded.event;
      if (wanted.delete(data.callId)) dials.push(data);
    }
    const last = page.at(-1);
    if (last === undefined) break;
    from = last.revision - 1;
  }
  return dials;
}

function readBackward(deps: RunnerDeps, campaignId: CampaignId, from: number | undefined) {
  const options = { direction: "backward", max: PAGE } as const;
  return deps.eventStore.read(
    campaignStream(campaignId),
    from === undefined ? options : { ...options, from },
  );
}
