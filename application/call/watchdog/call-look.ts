import type { Slot } from "../../../domain/admission/requests.ts";
import { type Expiry, isExpired } from "../../../domain/call/deadline-rules.ts";
import { ABSENT_COUNTS_AFTER_MILLIS, type CallAction, isSilent } from "../../../domain/call/deadlines.ts";
import type { CallCommand } from "../../../domain/call/decider.ts";
import { assertNever } from "../../../domain/shared/errors.ts";
import type { CallId, CampaignId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import type { GivenUp } from "../../given-up.ts";
import { type EventOrigin, processOrigin } from "../../log/append-events.ts";
import { callStream } from "../../log/stream-names.ts";
import type { Admission } from "../../ports/admission.ts";
import type { LookupResult } from "../../ports/carrier.ts";
import type { Carriers } from "../../ports/carriers.ts";
import type { Directory } from "../../ports/directory.ts";
import type { EventCodec } from "../../ports/event-codec.ts";
import type { EventStore } from "../../ports/event-store.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import type { CallDialing } from "../call-dialing.ts";
import { askToHangUp, type CallEndingDeps, endSilentCall, requestEnd } from "../call-ending.ts";
import { carrierOf, dialledCall } from "../carrier-call.ts";
import { leaveToNextProcess } from "../leave-to-next-process.ts";
import { readRequest } from "../read-request.ts";
import { lookupFacts } from "./carrier-lookup.ts";
import { turnInTime } from "./late-turn.ts";

/**
 * No call lasts this long after its dialBy: ten minutes of unknown outcome, two hours of ringing and
 * talk, plus deadlines.
 */
const OVER_IN_ANY_CASE_MILLIS = 3 * 60 * 60_000;
/**
 * After that, its campaign is informed again for so long while nobody answers for it; then the slot
 * is freed in any case.
 */
const TELLING_MILLIS = 60 * 60_000;

export type CallLookDeps = CallEndingDeps & {
  readonly carriers: Pick<Carriers, "route">;
  readonly admission: Pick<Admission, "setNextLooks" | "close" | "takeTurn">;
  readonly givenUp: GivenUp;
  readonly dialing: CallDialing;
  /**
   * Records in the campaign that the end of this call will never be known; rejects Unavailable when nobody
   * answers for the campaign.
   */
  readonly giveUpInCampaign: (campaignId: CampaignId, callId: CallId, origin: EventOrigin) => Promise<void>;
  readonly directory: Directory;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  /** Since when a session can arrive at this process. */
  readonly reachableSince: () => Instant;
  /** How long the wall clock has run without a jump. */
  readonly steadyMillis: () => number;
};

export function isOverInAnyCase({ dialBy }: Slot, now: Instant): boolean {
  return now > plusMillis(dialBy, OVER_IN_ANY_CASE_MILLIS);
}

/**
 * Does what the call needs now. Never rejects: a failure is tried again at the next look, until the
 * call must have ended.
 */
export async function actOnCall(deps: CallLookDeps, slot: Slot, action: CallAction): Promise<void> {
  const origin = processOrigin("call-watchdog", slot.owner, slot.callId);
  try {
    switch (action) {
      case "nothing":
        return;
      case "dial":
        return await dialNow(deps, slot, origin);
      case "lookup":
        return await askCarrier(deps, slot, origin);
      case "hang_up":
        return await requestEnd(deps, slot.callId, { by: "system", reason: "max_duration" }, origin);
      case "expire":
        return await closeWhenExpired(deps, slot, { lookup: null, overThere: false }, origin);
      default:
        return assertNever(action);
    }
  } catch (error) {
    deps.logger.error({ callId: slot.callId, action, error }, "look at a call failed; it is looked at again");
    if (isRefusedForGood(error) && isOverInAnyCase(slot, deps.clock.now()))
      await giveUpCall(deps, slot, error);
  }
}

/**
 * The log accepts no end of this call, or the call cannot be read: its campaign is informed, then its slot is
 * freed. In this order, because nobody looks at a call whose slot is free. Never rejects.
 */
export async function giveUpCall(deps: CallLookDeps, slot: Slot, error: unknown): Promise<void> {
  const { callId } = slot;
  try {
    await tellCampaign(deps, slot);
    await deps.admission.close([{ callId, cost: 0 }]);
    deps.givenUp.add("call-watchdog", { callId }, error);
  } catch (problem) {
    deps.logger.error({ callId, error: problem }, "slot not freed; tried again at the next look");
  }
}

async function tellCampaign(deps: CallLookDeps, { callId, campaignId, owner, dialBy }: Slot): Promise<void> {
  if (campaignId === null) return;
  try {
    await deps.giveUpInCampaign(campaignId, callId, processOrigin("call-watchdog", owner, callId));
  } catch (problem) {
    const last = plusMillis(dialBy, OVER_IN_ANY_CASE_MILLIS + TELLING_MILLIS);
    if (!isRefusedForGood(problem) && deps.clock.now() < last) throw problem;
    deps.logger.error(
      { callId, campaignId, error: problem },
      "campaign not told of a call that was given up",
    );
  }
}

/** A call that waited for its pace. If its turn passed because a process died, it takes another turn. */
async function dialNow(deps: CallLookDeps, slot: Slot, origin: EventOrigin): Promise<void> {
  const request = await readRequest(deps, slot.callId);
  if (request === null) return;
  await turnInTime(deps, request, request.dialAt, deps.dialing.stopped);
  const suppressed = await deps.directory.suppressed(slot.owner, [request.to]);
  const options = { expectNew: false, suppressed: suppressed.has(request.to) };
  const begun = await deps.dialing.begin(request, origin, options);
  if (begun === null) await leaveToNextProcess(deps, request);
}

async function askCarrier(deps: CallLookDeps, slot: Slot, origin: EventOrigin): Promise<void> {
  const stream = callStream(slot.callId);
  const dialled = await deps.calls.query(stream, (state) => dialledCall(slot.callId, state));
  if (dialled === null) return;
  const carrier = await carrierOf(deps.carriers, dialled);
  const result: LookupResult = (await carrier?.lookup(dialled.call)) ?? { kind: "ambiguous" };
  if (result.kind === "absent" && deps.steadyMillis() < ABSENT_COUNTS_AFTER_MILLIS) return;
  const facts = lookupFacts(result, deps.clock.now());
  if (facts.length > 0) await deps.calls.handle(stream, facts, origin);
  const overThere =
    result.kind === "absent" ||
    result.kind === "never_dialled" ||
    (result.kind === "found" && result.status === "ended");
  await closeWhenExpired(deps, slot, { lookup: result.kind, overThere }, origin);
}

/**
 * Ends the call if its deadline has passed, or hangs it up when nobody talks in it. The carrier is asked to
 * hang up before the end is recorded: nobody looks at a call that has ended, so a crash between the two would
 * leave the line open.
 */
async function closeWhenExpired(
  deps: CallLookDeps,
  slot: Slot,
  { lookup, overThere }: { readonly lookup: Expiry["lookup"]; readonly overThere: boolean },
  origin: EventOrigin,
): Promise<void> {
  const stream = callStream(slot.callId);
  const reachable = { since: deps.reachableSince(), sessionDueBy: slot.sessionDueBy ?? null };
  const expiry: Expiry = { now: deps.clock.now(), lookup, reachable };
  const command: CallCommand = { type: "ExpireDeadline", ...expiry };
  const line = await deps.calls.query(stream, (state) => ({
    isExpired: isExpired(expiry, state),
    isSilent: isSilent(state, expiry.now, reachable),
    dialled: state.dialBeganAt === null ? null : dialledCall(slot.callId, state),
  }));
  if (!line.isExpired) return line.isSilent ? endSilentCall(deps, slot.callId, command, origin) : undefined;
  const { dialled } = line;
  const letGo = dialled !== null && !overThere;
  const carrier = letGo ? await carrierOf(deps.carriers, dialled) : null;
  const asked = letGo ? askToHangUp(deps, carrier, dialled.call) : Promise.resolve();
  await deps.calls.handle(stream, [command], origin);
  await asked;
}
