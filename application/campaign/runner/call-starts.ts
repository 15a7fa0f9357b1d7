import { HORIZON_MILLIS } from "../../../domain/admission/pace.ts";
import type { CallRequested } from "../../../domain/call/events.ts";
import { chunkRevisionOf } from "../../../domain/campaign/contacts/contact-row.ts";
import { rowOf } from "../../../domain/campaign/contacts/contact-table.ts";
import type { ContactDialed } from "../../../domain/campaign/events.ts";
import type { CampaignPins, CampaignState } from "../../../domain/campaign/state.ts";
import type { LongText } from "../../../domain/campaign/texts/personalisation.ts";
import type { PolicyInForce } from "../../../domain/policy/policy.ts";
import type { CallId, ConnectionId } from "../../../domain/shared/ids.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import { callRequest } from "../../call/pinning/call-request.ts";
import { turnInTime } from "../../call/watchdog/late-turn.ts";
import type { EventOrigin } from "../../log/append-events.ts";
import { campaignStream } from "../../log/stream-names.ts";
import { EventStoreError } from "../../ports/event-store.ts";
import { isRefusedForGood, isRefusedPayload } from "../../refused-for-good.ts";
import { NO_TEXTS, personalCall } from "../personal-call.ts";
import { type CallbackStanding, callbackOfCall, callbackStanding } from "./callback-settings.ts";
import type { CallEnd, RunnerDeps } from "./runner-deps.ts";
import { FEW_STARTING } from "./start-limit.ts";

/** When a call waited longer than this for its pace, the do-not-call list is asked again. */
const SUPPRESSION_STALE_MILLIS = 1_000;
const AFTER_FAILURE_MILLIS = 500;

/** A dial that is recorded in the campaign's stream. */
export type RecordedDial = {
  readonly dial: ContactDialed["data"];
  /** When its number was last checked against the do-not-call list (monotonic clock). */
  readonly checkedAt: number | null;
  /** Connection of the campaign's number; absent: still to be looked up. */
  readonly connectionId?: ConnectionId | null;
};

export type CallStarts = {
  /** Starts the call of a recorded dial when its turn comes; a second start of the same call is ignored. */
  readonly start: (recorded: RecordedDial) => void;
  /** Recorded dials whose calls have not begun yet. */
  readonly count: () => number;
  /**
   * Resolves when each start in progress has begun its dial or failed. Rejects Unavailable when one was left
   * to the next process.
   */
  readonly allBegun: () => Promise<void>;
};

/** Records the end of an attempt whose call could not be stored. */
export type RecordEnd = (end: CallEnd) => Promise<void>;

export type CallStartsHooks = {
  readonly recordEnd: RecordEnd;
  /** Few starts are left: more may be recorded. */
  readonly fewLeft: () => void;
};

/**
 * Starts the calls of recorded dials. The call's stream is opened under the callId from admission, which is
 * the same after every restart. A crash before that leaves the contact without a call; the next owner finds
 * and starts it, and past dialBy it fails as not placed. What the log refuses for good ends the attempt.
 */
export function createCallStarts(
  deps: RunnerDeps,
  { recordEnd, fewLeft }: CallStartsHooks,
  stop: AbortSignal,
): CallStarts {
  const starting = new Map<CallId, Promise<void>>();
  const over = AbortSignal.any([stop, deps.dialing.stopped]);
  let leftToOthers = false;
  return {
    start: (recorded) => {
      const { callId } = recorded.dial;
      if (starting.has(callId)) return;
      const begun = startCall(deps, recordEnd, over, recorded).then((done) => {
        leftToOthers ||= !done;
        starting.delete(callId);
        if (starting.size === FEW_STARTING) fewLeft();
      });
      starting.set(callId, begun);
    },
    count: () => starting.size,
    allBegun: async () => {
      await Promise.all(starting.values());
      if (!leftToOthers) return;
      throw new EventStoreError({ kind: "unavailable", cause: "dials were left to the next process" });
    },
  };
}

/**
 * Tries until the log has accepted the call or refused it for good. false: this process has lost the campaign
 * or does not dial any more, and the next owner starts the call. Never rejects.
 */
async function startCall(
  deps: RunnerDeps,
  recordEnd: RecordEnd,
  stop: AbortSignal,
  recorded: RecordedDial,
): Promise<boolean> {
  const wait = millisUntilTurn(deps, recorded.dial);
  if (wait > 0) await deps.clock.sleep(wait, stop);
  const left = deps.startLimit.began();
  // What has failed once tries for as long as it takes, and keeps no other campaign waiting.
  return await untilAccepted(deps, recordEnd, stop, recorded, left).finally(left);
}

async function untilAccepted(
  deps: RunnerDeps,
  recordEnd: RecordEnd,
  stop: AbortSignal,
  recorded: RecordedDial,
  failed: () => void,
): Promise<boolean> {
  const { clock, logger } = deps;
  const { dial } = recorded;
  let expectNew = true;
  let refusal: unknown = null;
  let turn = dial.dialAt;
  while (!stop.aborted) {
    try {
      const asked = await requestFor(deps, recorded);
      const { request, invalidText } = refusal === null ? asked : bare(asked.request, refusal);
      turn = await turnInTime(deps, request, turn, stop);
      if (stop.aborted) break;
      const suppressed = await suppressedBy(deps, request, recorded.checkedAt);
      const options = { expectNew, suppressed, invalidText };
      return (await deps.dialing.begin(request, originOf(request), options)) !== null;
    } catch (error) {
      const again = !isRefusedForGood(error) || (refusal === null && isRefusedPayload(error));
      if (!again) {
        await giveUp(deps, recordEnd, dial, error);
        return true;
      }
      logger.error({ callId: dial.callId, error }, "call not started; tries again");
      failed();
      expectNew = false;
      if (isRefusedPayload(error)) refusal = error;
      else await clock.sleep(AFTER_FAILURE_MILLIS, stop);
    }
  }
  return false;
}

/**
 * The log accepts nothing of this call, so the attempt ends without it. When a payload was refused, nothing
 * is in the log and nobody was dialled: the slot is freed at once. When the stream is deleted or cannot be
 * read, the outcome is unknown: the watchdog frees the slot later.
 */
async function giveUp(
  deps: RunnerDeps,
  recordEnd: RecordEnd,
  { callId, contactId }: ContactDialed["data"],
  error: unknown,
): Promise<void> {
  deps.givenUp.add("campaign-runner", { callId }, error);
  const neverStored = isRefusedPayload(error);
  const endReason = neverStored ? "invalid_text" : "outcome_unknown";
  const endedAt = deps.clock.now();
  const unbilled = { durationSeconds: null, cost: 0 };
  await recordEnd({ callId, contactId, endReason, ...unbilled, endedAt, causationId: null });
  if (!neverStored) return;
  try {
    await deps.admission.close([{ callId, cost: 0, unused: true }]);
  } catch (problem) {
    deps.logger.warn({ callId, error: problem }, "slot not given back; the watchdog frees it");
  }
}

type Asked = { readonly request: CallRequested["data"]; readonly invalidText: string | null };

/** A minimal call after a refusal by the log: it is stored only to be ended. */
function bare(request: CallRequested["data"], refusal: unknown): Asked {
  return {
    request: { ...request, ...NO_TEXTS, squad: null, customData: null, metadata: {} },
    invalidText: `The log takes no such call: ${refusal instanceof Error ? refusal.message : String(refusal)}`,
  };
}

/**
 * Admission grants turns up to its horizon, and what other paces took moves them a little further. A turn
 * beyond that was granted before the clock was set back. It is due within one horizon, as far from the others
 * as it was, so that pause and cancel, which wait for it, are answered in time.
 */
function millisUntilTurn({ clock }: RunnerDeps, { dialAt }: ContactDialed["data"]): number {
  const left = millisOf(dialAt) - clock.nowMillis();
  return left > 2 * HORIZON_MILLIS ? left % HORIZON_MILLIS : left;
}

async function suppressedBy(
  deps: RunnerDeps,
  request: CallRequested["data"],
  checkedAt: number | null,
): Promise<boolean> {
  const age = checkedAt === null ? Number.POSITIVE_INFINITY : deps.clock.monotonicMillis() - checkedAt;
  if (age <= SUPPRESSION_STALE_MILLIS) return false;
  const suppressed = await deps.directory.suppressed(request.owner, [request.to]);
  return suppressed.has(request.to);
}

async function requestFor(deps: RunnerDeps, { dial, connectionId }: RecordedDial): Promise<Asked> {
  const stream = campaignStream(dial.campaignId);
  const owner = await deps.aggregates.campaigns.query(stream, (state) => state.owner);
  const policy = owner === null ? null : await deps.policies.inForce(owner);
  const { pins, chunkRevision, standing } = await deps.aggregates.campaigns.query(stream, (state) =>
    placeOf(state, dial, policy),
  );
  if (pins === null) throw new Error(`campaign ${dial.campaignId} has no settings`);
  const contact = await deps.texts(dial.campaignId, chunkRevision, dial.contactId);
  const pinned = await deps.conversations(pins);
  const values = { name: contact?.name ?? null, customData: contact?.customData ?? {} };
  const callPins = {
    connectionId: connectionId === undefined ? await connectionOf(deps, pins) : connectionId,
    pinned,
  };
  const { call, tooLong } = personalCall(pins, callPins, values);
  const { callId, campaignId, contactId, attempt, phoneNumber: to, dialAt, dialBy, evidence } = dial;
  const { pricePerMinute } = deps.settings;
  const request = callRequest(
    call,
    {
      ...{ callId, owner: pins.owner, to, dialAt, dialBy, pricePerMinute, at: deps.clock.now() },
      ...policyEvidence(evidence),
    },
    {
      campaignId,
      contactId,
      contactName: values.name,
      customData: values.customData,
      attempt,
      ...callbackOfCall(await deps.callbackSettings(pinned), standing),
    },
  );
  return { request, invalidText: tooLong === null ? null : longerThan(tooLong) };
}

/** What the evidence of a recorded dial says of the owner's policy. */
function policyEvidence({
  policyVersion,
  judgedAt,
  checks,
  zones,
  eligibility,
}: ContactDialed["data"]["evidence"]): Pick<CallRequested["data"], "evidence"> {
  if (policyVersion === undefined || judgedAt === undefined || checks === undefined || zones === undefined)
    return {};
  const asked = eligibility === undefined ? {} : { eligibility };
  return { evidence: { policyVersion, judgedAt, checks, zones, ...asked } };
}

/**
 * A contact whose texts are too long is refused when it is imported; campaigns made before that
 * was so may hold one.
 */
function longerThan({ name, limit }: LongText): string {
  return `${name} is longer than ${limit} bytes when it is filled`;
}

async function connectionOf(
  { directory }: RunnerDeps,
  { owner, phoneNumberId }: CampaignPins,
): Promise<ConnectionId | null> {
  return (await directory.phoneNumber(owner, phoneNumberId))?.connectionId ?? null;
}

function placeOf(
  state: CampaignState,
  { callId, contactId }: ContactDialed["data"],
  policy: PolicyInForce | null,
): {
  readonly pins: CampaignPins | null;
  readonly chunkRevision: number;
  readonly standing: CallbackStanding;
} {
  const { pins, earlierPins, contacts } = state;
  const row = rowOf(contacts, contactId) ?? -1;
  return {
    pins: earlierPins.get(callId) ?? pins,
    chunkRevision: row === -1 ? -1 : chunkRevisionOf(contacts, row),
    standing: callbackStanding(state, row, policy),
  };
}

function originOf({ owner, campaignId, callId }: CallRequested["data"]): EventOrigin {
  return { owner, actor: "process:campaign-runner", correlationId: campaignId ?? callId, causationId: null };
}
