import type { ContactHeld } from "../../../domain/campaign/events.ts";
import type { Policy } from "../../../domain/policy/policy.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import { atMillis, type Placed, type PolicyAudit, type PolicyDial } from "./policy-book.ts";

/** How old an answer may be when its call begins. */
const ANSWER_COUNTS_MILLIS = 60_000;
/** By so much the clock of the process that asks may be ahead of the database's. */
const CLOCKS_DIFFER_MILLIS = 5_000;
/** Until when an address may refuse somebody. */
const LONGEST_REFUSAL_MILLIS = 30 * 24 * 3_600_000;
/** The longest wait after a question that nobody answered. */
const LONGEST_WAIT_MILLIS = 15 * 60_000;
/** A shorter hold is told at most so often. */
const TOLD_EACH_MILLIS = 60 * 60_000;

/** Whom the campaign asked at that place of the log in place of the policy's address; null: nobody. */
export function ownAddress({ book }: PolicyAudit, place: number) {
  return book.addresses.findLast((each) => each.place < place)?.check ?? null;
}

/** Whether anybody may have been asked by then, under whatever version. */
export function isAnybodyAsked({ book }: PolicyAudit, place: number): boolean {
  const ofPolicy = book.versions.some(
    (version) => version.place < place && version.event.data.policy.eligibility !== undefined,
  );
  return ofPolicy || book.addresses.some((each) => each.place < place && each.check !== null);
}

/** Answers are for one dial each, and young. */
export function judgeAnswers(audit: PolicyAudit, dials: readonly PolicyDial[]): void {
  const used = new Map<string, PolicyDial>();
  for (const dial of dials) {
    const { answer, callId, campaignId } = dial;
    if (campaignId !== null && ownAddress(audit, dial.dial.place) !== null && answer === null)
      audit.report("policy-dial-allowed", `Nobody was asked whether ${callId} may ring`, dial.dial);
    if (answer === null) continue;
    const untrue = (problem: string) => audit.report("policy-evidence", problem, dial.dial);
    const before = used.get(answer.eventId);
    used.set(answer.eventId, dial);
    if (before !== undefined)
      audit.report(
        "policy-evidence",
        `${callId} rings by the answer that ${before.callId} has used`,
        ...[before.dial, dial.dial].toSorted((a, b) => a.place - b.place),
      );
    const asked = millisOf(answer.askedAt);
    if (millisOf(dial.dial.event.data.dialBy) > asked + ANSWER_COUNTS_MILLIS)
      untrue(`${callId} may ring when its answer is older than a minute`);
    if (asked > dial.millis + CLOCKS_DIFFER_MILLIS) untrue(`${callId} was asked about after it was judged`);
    if (answer.millis < 0 || asked + answer.millis > millisOf(dial.dial.event.data.dialBy))
      untrue(`The answer about ${callId} came after its turn`);
    if (!isAnybodyAsked(audit, dial.dial.place)) untrue(`${callId} has an answer, and nobody is asked`);
  }
}

/** A version with an address allows no dial without an answer, unless the campaign asks another one. */
export function lacksAnswer(audit: PolicyAudit, dial: PolicyDial, { eligibility }: Policy): boolean {
  if (eligibility === undefined || dial.answer !== null) return false;
  return dial.campaignId === null || ownAddress(audit, dial.dial.place) === null;
}

/** Holds by an address: short ones are told once an hour, and none is longer than 30 days. */
export function judgeAsked(
  audit: PolicyAudit,
  { event, place }: Placed<ContactHeld>,
  before: Placed<ContactHeld> | undefined,
  illegal: (problem: string) => void,
): void {
  const { rule, until, heldBy, at } = event.data;
  if (!isAnybodyAsked(audit, place)) illegal("nobody is asked");
  if (heldBy !== null) illegal("an address is no call");
  const longest = rule === "eligibility" ? LONGEST_REFUSAL_MILLIS : LONGEST_WAIT_MILLIS;
  const millis = until === null ? null : millisOf(until) - millisOf(at);
  if (millis === null || millis <= 0 || millis > longest) {
    illegal(`no address holds until ${until}`);
    return;
  }
  const since = before === undefined ? TOLD_EACH_MILLIS : millisOf(at) - atMillis(before);
  if (millis < TOLD_EACH_MILLIS && since < TOLD_EACH_MILLIS) illegal("it was told within the hour");
}
