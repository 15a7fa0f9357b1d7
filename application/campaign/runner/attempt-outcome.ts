import type { AgreedCallback } from "../../../domain/call/state.ts";
import type { CampaignCommand } from "../../../domain/campaign/decider.ts";
import type { Of } from "../../../domain/shared/decider.ts";
import type { Calls } from "../../log/aggregates.ts";
import { callStream, campaignStream } from "../../log/stream-names.ts";
import type { StreamName } from "../../ports/event-store.ts";
import { isRefusedForGood } from "../../refused-for-good.ts";
import { type Pauses, retryUntilDone } from "../../repeating.ts";
import type { CampaignRun } from "./campaign-run.ts";
import type { CallEnd, RunnerDeps } from "./runner-deps.ts";
import { runnerOrigin } from "./runner-origin.ts";

const PAUSES: Pauses = { first: 500, longest: 500 };

/**
 * Records the outcome of an attempt, whether the contact asked never to be called again, and the callback
 * that it agreed, until it is durable or refused for good. Outcomes that arrive together are one append; a
 * repeat changes nothing. After
 * a crash or a refusal the contact is still in its call, and the next owner reads the call's stream.
 */
export async function recordOutcome(deps: RunnerDeps, run: CampaignRun, end: CallEnd): Promise<void> {
  const { campaignId, stop } = run;
  const { causationId, ...outcome } = end;
  const onFailure = (error: unknown) => {
    if (isRefusedForGood(error)) throw error;
    deps.logger.error({ campaignId, callId: end.callId, error }, "outcome not recorded; tries again");
  };
  const record = async () => {
    const wasAnswered = end.durationSeconds !== null;
    const optedOut = wasAnswered && (await deps.optOuts.of(end.callId)) !== null;
    const callback = wasAnswered && !optedOut ? await agreedOn(deps, run, end) : null;
    const now = deps.clock.now();
    await deps.aggregates.campaigns.handle(
      campaignStream(campaignId),
      [
        { type: "RecordAttemptOutcome", ...outcome, optedOut, callback, now },
        { type: "CompleteIfDone", now },
      ],
      runnerOrigin(run, causationId),
    );
    run.callOwners.delete(end.callId);
    run.wake();
  };
  try {
    await retryUntilDone({ clock: deps.clock, pauses: PAUSES, signal: stop, onFailure }, record);
  } catch (error) {
    deps.givenUp.add("campaign-runner", { campaignId, callId: end.callId }, error);
  }
}

/** null: nothing, or nothing may be agreed on calls of this campaign. */
async function agreedOn(
  deps: RunnerDeps,
  { campaignId }: CampaignRun,
  { callId }: CallEnd,
): Promise<NonNullable<Of<CampaignCommand, "RecordAttemptOutcome">["callback"]> | null> {
  const pins = await deps.aggregates.campaigns.query(
    campaignStream(campaignId),
    (state) => state.earlierPins.get(callId) ?? state.pins,
  );
  const settings = pins === null ? null : await deps.callbackSettings(await deps.conversations(pins));
  if (settings === null) return null;
  const agreed = await agreedAtEnd(deps.aggregates.calls, callStream(callId));
  if (agreed === null) return null;
  const { callbackAt, agreedAt } = agreed;
  return { callbackAt, agreedAt, maxPerContact: settings.maxPerContact };
}

/** Nothing is agreed after the end: a state that has it is not read again. */
async function agreedAtEnd(calls: Calls, stream: StreamName): Promise<AgreedCallback | null> {
  const known = await calls.query(stream, ({ callback, endedAt }) => ({
    callback,
    isOver: endedAt !== null,
  }));
  return known.isOver ? known.callback : calls.query(stream, ({ callback }) => callback, { fresh: true });
}
