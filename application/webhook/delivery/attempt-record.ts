import type { AttemptOutcome } from "../../../domain/webhook/attempt-outcome.ts";
import type { AttemptVerdict } from "../../../domain/webhook/endpoint-health.ts";
import type { AttemptRecord, ClaimedDelivery } from "../../ports/delivery-store.ts";
import type { SentAttempt } from "../../ports/webhook-sender.ts";

/** The entry of the attempt log, and the new state of its delivery. */
export function attemptRecord(
  delivery: ClaimedDelivery,
  sent: SentAttempt,
  outcome: AttemptOutcome,
  verdict: AttemptVerdict,
  times: { readonly startedAtMillis: number; readonly endedAtMillis: number },
): AttemptRecord {
  return {
    owner: delivery.owner,
    id: delivery.id,
    number: delivery.attempt,
    trigger: delivery.recovering ? "recovery" : delivery.trigger,
    ...times,
    class: outcome.class,
    httpStatus: outcome.status,
    detail: outcome.detail,
    phases: sent.times,
    answer: sent.answer,
    answerHeaders: sent.answerHeaders,
    remoteAddress: sent.remoteAddress,
    secretId: sent.secretId,
    status: verdict.status,
    failures: verdict.failures,
    nextAttemptAtMillis: verdict.nextAttemptAtMillis,
  };
}
