import type { EligibilityEvidence, Policy } from "../../domain/policy/policy.ts";
import type { CallId, ContactId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { ObservedEvent, Observer } from "./observer.ts";
import type { Scenario } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";

const DAY_MILLIS = 24 * 3_600_000;
/** A list is read at most this long before a call begins. */
const LIST_SEEN_MILLIS = 1_000;
/** An answer counts no longer. */
const ANSWER_MILLIS = 60_000;

type Consent = { readonly at: string; readonly expiresAt?: string } | null;
type Dial = {
  readonly phoneNumber: PhoneNumber;
  readonly consent: Consent;
  /** Of the version that it names, as far as it is held to it; null: it names none. */
  readonly policy: Policy | null;
  readonly judgedAt: string;
  readonly isOfCampaign: boolean;
  readonly answer: EligibilityEvidence | null;
};

/**
 * Consent, lists and the owner's address by a reading of its own: what contacts gave, what the world's lists
 * held at the moment of each call, and what the address itself remembers to have answered.
 */
export function judgePermission(shared: Shared, scenario: Scenario, observer: Observer): readonly string[] {
  const problems: string[] = [];
  const versions = new Map<number, Policy>();
  const consents = new Map<ContactId, Consent>();
  const dials = new Map<CallId, Dial>();
  const used = new Map<string, CallId>();
  for (const observed of observer.events) {
    const { event } = observed;
    if (event.type === "PolicyChanged") versions.set(event.data.version, event.data.policy);
    else if (event.type === "ContactsImported")
      for (const { contactId, consent = null } of event.data.contacts) consents.set(contactId, consent);
    else if (event.type === "ContactDialed") {
      const { callId, contactId, phoneNumber, evidence, at } = event.data;
      const { policyVersion = 0, judgedAt = at, eligibility: answer = null } = evidence;
      const policy = versions.get(policyVersion) ?? null;
      const consent = consents.get(contactId) ?? null;
      dials.set(callId, { phoneNumber, consent, policy, judgedAt, isOfCampaign: true, answer });
    } else if (event.type === "CallRequested" && event.data.contactId === null) {
      const { callId, to: phoneNumber, consent = null, evidence, at } = event.data;
      const { policyVersion = 0, judgedAt = at, eligibility: answer = null } = evidence ?? {};
      const policy = versions.get(policyVersion) ?? null;
      dials.set(callId, { phoneNumber, consent, policy, judgedAt, isOfCampaign: false, answer });
    } else if (event.type === "CallDialingBegan") {
      const dial = dials.get(event.data.callId);
      if (dial === undefined) continue;
      const callId = event.data.callId;
      const found = [
        ...judgeRules(dial, event.data.at),
        ...judgeLists(shared, dial, observed),
        ...judgeAnswer(shared, scenario, dial, event.data.at),
      ];
      if (dial.answer !== null) {
        const before = used.get(dial.answer.eventId);
        if (before !== undefined) found.push(`by the answer that ${before} has used`);
        used.set(dial.answer.eventId, callId);
      }
      problems.push(...found.map((problem) => `${callId} rings ${dial.phoneNumber} ${problem}`));
    }
  }
  return [...problems, ...judgeTold(shared, observer)];
}

function isHeld({ policy, isOfCampaign }: Dial): boolean {
  return policy !== null && (isOfCampaign || !policy.exceptSingleCalls);
}

function judgeRules(dial: Dial, began: string): readonly string[] {
  const { policy, consent } = dial;
  if (policy?.requireConsent !== true || !isHeld(dial)) return [];
  if (consent === null) return ["without consent"];
  const isOver = consent.expiresAt !== undefined && consent.expiresAt <= began;
  return isOver ? [`with a consent that was over at ${consent.expiresAt}`] : [];
}

function judgeLists(
  { simulatedLists, clock }: Shared,
  { phoneNumber, policy, judgedAt }: Dial,
  { seenAt, event }: ObservedEvent,
): readonly string[] {
  const isListed = simulatedLists.spans.some(
    (span) =>
      span.phoneNumber === phoneNumber && seenAt - span.from > LIST_SEEN_MILLIS && seenAt < span.until,
  );
  const listed = isListed ? ["which is on a list"] : [];
  const days = policy?.listMaxAgeDays;
  if (days === undefined || !("at" in event.data)) return listed;
  // The clocks of this world agree, and one that steps has no lists.
  const sinceStart = Date.parse(judgedAt) - (clock.nowMillis() - clock.elapsed());
  const { day = null } = simulatedLists.oldest.findLast(({ at }) => at <= sinceStart) ?? {};
  const isYoung = day !== null && Date.parse(judgedAt) < day + days * DAY_MILLIS;
  return isYoung ? listed : [...listed, `by lists that are older than ${days} days`];
}

function judgeAnswer({ address }: Shared, scenario: Scenario, dial: Dial, began: string): readonly string[] {
  const { answer, policy, phoneNumber, isOfCampaign } = dial;
  const isAsked =
    (isOfCampaign && scenario.address?.ofCampaign === true) ||
    (isHeld(dial) && policy?.eligibility !== undefined);
  if (answer === null) return isAsked ? ["and nobody was asked"] : [];
  const question = address?.questions.get(answer.eventId);
  if (question === undefined) return ["by an answer that nobody gave"];
  return [
    ...(question.answer === "allowed" ? [] : [`though the address said ${question.answer}`]),
    ...(question.phoneNumber === phoneNumber ? [] : [`by an answer about ${question.phoneNumber}`]),
    ...(Date.parse(began) - Date.parse(answer.askedAt) <= ANSWER_MILLIS ? [] : ["by an answer that was old"]),
  ];
}

/** The log tells each change of a list once, in its order. */
function judgeTold({ simulatedLists }: Shared, { events }: Observer): readonly string[] {
  const told = events.flatMap(({ stored }) => (stored.stream.startsWith("list-") ? [stored.id] : []));
  return told.join() === simulatedLists.told.join()
    ? []
    : [`${simulatedLists.told.length} changes of lists, and the log tells ${told.join()}`];
}
