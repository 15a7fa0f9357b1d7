import { statusOf } from "../../../domain/campaign/contacts/contact-row.ts";
import { rowOf } from "../../../domain/campaign/contacts/contact-table.ts";
import {
  type ContactHold,
  contactsToAsk,
  type DueContact,
  isSomebodyDue,
} from "../../../domain/campaign/due-contacts.ts";
import { eligibilityCheckOf } from "../../../domain/campaign/settings.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import { ANSWER_COUNTS_MILLIS } from "../../../domain/policy/eligibility-answer.ts";
import type { EligibilityCheck, EligibilityEvidence, PolicyInForce } from "../../../domain/policy/policy.ts";
import type { ContactId } from "../../../domain/shared/ids.ts";
import { earliest, type Instant, millisOf, plusMillis } from "../../../domain/shared/instant.ts";
import { campaignStream } from "../../log/stream-names.ts";
import type { Person } from "../../policy/asking.ts";
import type { CampaignRun } from "./campaign-run.ts";
import type { Question } from "./questions.ts";
import type { RunnerDeps } from "./runner-deps.ts";

/** How many more are asked about than could be dialled now. */
export const ASKED_AHEAD = 16;
/** Of one contact there is at most one question in this time. */
const ASK_AGAIN_MILLIS = 30_000;
/** Until then an answer is used: a dial needs some of the time that is left. */
const USABLE_MILLIS = 45_000;
/** After the first failed question of a contact, the second, …; the last after all others. */
const BACK_OFF_MILLIS = [30_000, 60_000, 120_000, 300_000, 900_000] as const;
/** Of those who would be called next, where many are on a list. */
const LOOKED_AT = 500;
/** A longer hold is told by an event in any case. */
const LEFT_OUT_AT_MOST_MILLIS = 3_600_000;

/** A due contact whom the address allows to dial; `windowClosesAt` comes before that has become old. */
export type EligibleContact = DueContact & { readonly eligibility?: EligibilityEvidence };

type NotEligible = { readonly contactId: ContactId; readonly refusal: string | null };

/** Of the due contacts of whom something is known. The others are being asked about, or left out for now. */
export type Eligible = {
  readonly callable: readonly EligibleContact[];
  readonly held: readonly ContactHold[];
  readonly notEligible: readonly NotEligible[];
  /** Whether an answer about one of them is still to come, which wakes the campaign. */
  readonly isAsking: boolean;
};

/** What the answers say of due contacts; asks about those of whom nothing is known. */
export function eligibleContacts(
  deps: RunnerDeps,
  run: CampaignRun,
  due: readonly DueContact[],
  { check, policy }: { readonly check: EligibilityCheck; readonly policy: PolicyInForce | null },
): Eligible {
  const callable: EligibleContact[] = [];
  const held: ContactHold[] = [];
  const notEligible: NotEligible[] = [];
  const now = deps.clock.now();
  for (const contact of due) {
    const { contactId } = contact;
    const question = answered(deps, run, contact, check);
    if (question?.asked?.answer.kind === "allowed") {
      callable.push(withEvidence(contact, question.asked.evidence));
      continue;
    }
    const refusal = question === null ? null : refusalOf(question, now);
    if (question === null || refusal === null) continue;
    question.asked = null;
    const { until } = refusal;
    if (until === null) {
      notEligible.push({ contactId, refusal: refusal.refusal ?? null });
      continue;
    }
    held.push({ contactId, heldBy: null, limit: null, policyVersion: policy?.version ?? 0, ...refusal });
    run.leftOut.leaveOut(contactId, Math.min(millisOf(until) - millisOf(now), LEFT_OUT_AT_MOST_MILLIS));
  }
  const isAsking = due.some(({ contactId }) => run.questions.get(contactId)?.isUnderWay === true);
  return { callable, held, notEligible, isAsking };
}

function withEvidence(contact: DueContact, eligibility: EligibilityEvidence): EligibleContact {
  const countsUntil = plusMillis(eligibility.askedAt, ANSWER_COUNTS_MILLIS);
  return { ...contact, windowClosesAt: earliest([contact.windowClosesAt, countsUntil]), eligibility };
}

type Refusal = Pick<ContactHold, "rule" | "until" | "value" | "refusal">;

/** `until` null: never. */
function refusalOf({ asked, failures }: Question, now: Instant): Refusal | null {
  if (asked === null || asked.answer.kind === "allowed") return null;
  const { answer, evidence } = asked;
  if (answer.kind === "unavailable") {
    const wait = BACK_OFF_MILLIS[Math.min(failures, BACK_OFF_MILLIS.length) - 1] ?? 0;
    return { rule: "eligibility_unavailable", until: plusMillis(now, wait), value: answer.why };
  }
  const refusal = answer.reason === null ? {} : { refusal: answer.reason };
  const soonest = plusMillis(evidence.askedAt, ASK_AGAIN_MILLIS);
  const until = answer.until !== null && answer.until < soonest ? soonest : answer.until;
  return { rule: "eligibility", until, value: null, ...refusal };
}

/** Its question, with an answer that may be used; null: it has none, and is asked as soon as it may be. */
function answered(
  deps: RunnerDeps,
  run: CampaignRun,
  contact: DueContact,
  check: EligibilityCheck,
): Question | null {
  const { contactId, attempt } = contact;
  const question = run.questions.get(contactId);
  if (question === undefined) {
    void askAbout(deps, run, contact, check);
    return null;
  }
  if (question.isUnderWay) return null;
  const age = deps.clock.monotonicMillis() - question.askedMillis;
  const isAbout = question.url === check.url && question.attempt === attempt;
  if (question.asked !== null && isAbout && age <= USABLE_MILLIS) return question;
  if (age < ASK_AGAIN_MILLIS) run.leftOut.leaveOut(contactId, ASK_AGAIN_MILLIS - age);
  else void askAbout(deps, run, contact, check);
  return null;
}

/** Wakes the campaign when the answer is there. */
async function askAbout(
  deps: RunnerDeps,
  run: CampaignRun,
  contact: DueContact,
  check: EligibilityCheck,
): Promise<void> {
  const { contactId, attempt } = contact;
  const question: Question = {
    ...{ url: check.url, attempt, askedMillis: deps.clock.monotonicMillis(), isUnderWay: true },
    ...{ asked: null, failures: run.questions.get(contactId)?.failures ?? 0 },
  };
  run.questions.set(contactId, question);
  const person = () => {
    question.askedMillis = deps.clock.monotonicMillis();
    return personOf(deps, run, contact);
  };
  try {
    const asked = await deps.asking.ask(run.owner, { check, person });
    question.asked = asked;
    question.failures = asked?.answer.kind === "unavailable" ? question.failures + 1 : 0;
    if (asked === null) run.questions.delete(contactId);
  } catch (error) {
    deps.logger.warn({ contactId, error }, "contact not read, so nobody is asked about it; tries again");
  }
  question.isUnderWay = false;
  run.wake();
}

/** null: the contact is not to be called at the moment. */
async function personOf(
  { aggregates, texts }: RunnerDeps,
  { campaignId, stop }: CampaignRun,
  { contactId, phoneNumber, attempt, chunkRevision }: DueContact,
): Promise<Person | null> {
  const pins = await aggregates.campaigns.query(campaignStream(campaignId), (state) =>
    isToBeCalled(state, contactId) ? state.pins : null,
  );
  if (pins === null || stop.aborted) return null;
  const known = await texts(campaignId, chunkRevision, contactId);
  const { name = null, customData = {}, externalId = null } = known ?? {};
  return {
    phoneNumber,
    name,
    customData,
    externalId,
    campaignId,
    contactId,
    attempt,
    metadata: pins.metadata,
  };
}

function isToBeCalled({ status, pauseReason, contacts }: CampaignState, contactId: ContactId): boolean {
  if (status !== "RUNNING" && pauseReason !== "eligibility_unavailable") return false;
  const contact = statusOf(contacts, rowOf(contacts, contactId) ?? -1);
  return contact === "pending" || contact === "waiting_retry";
}

/**
 * While the campaign is paused because its address is silent: asks it, each 10 s, about one of those who
 * would be called next, by turns. Any answer that counts lets the campaigns of the address go on. true: they
 * are all on a list, so nobody can be asked about, and somebody of them is due to be skipped.
 */
export async function askSilentAddress(
  deps: RunnerDeps,
  run: CampaignRun,
  policy: PolicyInForce | null,
): Promise<boolean> {
  const stream = campaignStream(run.campaignId);
  const now = deps.clock.now();
  const found = await deps.aggregates.campaigns.query(stream, (state) => {
    const check = eligibilityCheckOf(state.settings, policy);
    if (check === null || state.pauseReason !== "eligibility_unavailable") return null;
    const contacts = contactsToAsk(state, now, LOOKED_AT, policy);
    return { check, contacts, isDue: isSomebodyDue(state, now, policy, run.leftOut.has) };
  });
  if (found === null || found.contacts.length === 0) return false;
  const { check, contacts, isDue } = found;
  const numbers = contacts.map(({ phoneNumber }) => phoneNumber);
  const listed = await deps.directory.suppressed(run.owner, numbers);
  const callable = contacts.filter(({ phoneNumber }) => !listed.has(phoneNumber)).slice(0, ASKED_AHEAD);
  const lastAsked = ({ contactId }: DueContact) => run.questions.get(contactId)?.askedMillis ?? 0;
  const [next] = callable
    .filter(({ contactId }) => run.questions.get(contactId)?.isUnderWay !== true)
    .toSorted((a, b) => lastAsked(a) - lastAsked(b));
  if (next !== undefined && deps.asking.takeProbe(run.owner, check.url))
    void askAbout(deps, run, next, check);
  return callable.length === 0 && isDue;
}
