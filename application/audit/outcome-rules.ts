import { END_REASONS } from "../../domain/call/end-reason.ts";
import type {
  ContactAttemptFailed,
  ContactCallbackScheduled,
  ContactSucceeded,
} from "../../domain/campaign/events.ts";
import type { AuditedEvent, Report } from "./broken-rule.ts";
import { judgeCallback, judgeNoCallback } from "./callback-rules.ts";
import type { AuditedCall, CampaignBook } from "./campaign-book.ts";
import type { LocalTimes } from "./local-time.ts";
import { judgeRetry } from "./retry-rules.ts";

export type Outcome = AuditedEvent<ContactSucceeded | ContactCallbackScheduled | ContactAttemptFailed>;

/** The outcome of an attempt, checked against its dial and the end of its call. */
export function readOutcome(book: CampaignBook, recorded: Outcome, times: LocalTimes, report: Report): void {
  const { callId } = recorded.event.data;
  const call = book.calls.get(callId);
  if (call === undefined) {
    report("outcome-matches-call", `${callId} was never dialled`, recorded);
    return;
  }
  if (call.outcome !== null) {
    report("outcome-matches-call", `${callId} has two outcomes`, call.outcome, recorded);
    return;
  }
  call.outcome = recorded;
  judgeMatch(call, recorded, report);
  release(book, call);
  settle(call, recorded);
  const { event } = recorded;
  if (event.type === "ContactCallbackScheduled")
    judgeCallback(book, call, { ...recorded, event }, times, report);
  else judgeNoCallback(book, call, recorded, times, report);
  if (event.type === "ContactAttemptFailed")
    judgeRetry(book, call, { recorded, ...event.data }, times, report);
}

function judgeMatch(call: AuditedCall, recorded: Outcome, report: Report): void {
  const { contactId, attempt, endReason, durationSeconds, cost } = recorded.event.data;
  const { data } = call.dial.event;
  const mismatch = (problem: string, other: AuditedEvent) =>
    report("outcome-matches-call", problem, other, recorded);
  if (contactId !== data.contactId || attempt !== data.attempt)
    mismatch("The outcome is of another attempt than the dial", call.dial);
  const isCompleted = END_REASONS[endReason].status === "completed";
  const { type } = recorded.event;
  if (type !== "ContactCallbackScheduled" && isCompleted !== (type === "ContactSucceeded"))
    mismatch(`${endReason} is told as ${recorded.event.type}`, call.dial);
  const { end } = call;
  if (end === null) {
    // A call that the log never stored, or that cannot be read or ended, has no end event. Any other call
    // records its end first.
    const neverStored = endReason === "invalid_text" && call.request === null;
    if (!neverStored && !isGivenUp(recorded))
      mismatch("The outcome comes before the end of the call", call.dial);
    return;
  }
  const ended = end.event.data;
  if (ended.endReason !== endReason || ended.durationSeconds !== durationSeconds)
    mismatch(`The call ended as ${ended.endReason} after ${ended.durationSeconds} s`, end);
  if (cost !== undefined && cost !== ended.cost)
    mismatch(`The outcome costs ${cost} ten-thousandths of a credit, its call ${ended.cost}`, end);
}

function isGivenUp({ event }: Outcome): boolean {
  if (event.type !== "ContactAttemptFailed") return false;
  return event.data.endReason === "outcome_unknown" && event.data.retryAt === null;
}

function release(book: CampaignBook, call: AuditedCall): void {
  book.live.delete(call);
  const { phoneNumber } = call.dial.event.data;
  if (book.liveNumbers.get(phoneNumber) === call) book.liveNumbers.delete(phoneNumber);
}

function settle({ contact }: AuditedCall, recorded: Outcome): void {
  const { event } = recorded;
  if (event.type === "ContactCallbackScheduled") {
    contact.callbacks += 1;
    contact.ended = recorded;
    contact.retryAt = event.data.callbackAt;
    contact.standing = "waiting";
    return;
  }
  if (event.data.endReason === "not_placed") contact.notPlaced += 1;
  if (event.data.endReason === "assistant_error") contact.assistantErrors += 1;
  contact.ended = recorded;
  contact.retryAt = event.type === "ContactAttemptFailed" ? event.data.retryAt : null;
  if (event.type === "ContactSucceeded") {
    contact.standing = "succeeded";
    return;
  }
  const { endReason, retryAt } = event.data;
  contact.failures.set(endReason, (contact.failures.get(endReason) ?? 0) + 1);
  contact.standing = retryAt === null ? "failed" : "waiting";
}
