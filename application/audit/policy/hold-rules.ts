import type { CampaignPaused, ContactHeld, ContactSkipped } from "../../../domain/campaign/events.ts";
import type { PolicyChanged } from "../../../domain/policy/events.ts";
import type { AttemptsPerNumber, Policy } from "../../../domain/policy/policy.ts";
import type { ContactId } from "../../../domain/shared/ids.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { consentCounts } from "./consent-rules.ts";
import { isAnybodyAsked, judgeAsked } from "./eligibility-rules.ts";
import { judgeListed } from "./list-rules.ts";
import {
  areOneClock,
  capNamed,
  opensTogether,
  releaseOf,
  type ZoneClocks,
  zoneClocks,
} from "./local-rules.ts";
import { personOf } from "./number-zones.ts";
import {
  atMillis,
  earliestMillis,
  isDialled,
  isLive,
  LONGEST_WRITING_MILLIS,
  type Placed,
  type PolicyAudit,
  type PolicyDial,
} from "./policy-book.ts";

/** From the end of a call to that of its slot. */
const LONGEST_CLOSING_MILLIS = 5 * 60_000;
/** By so much the clocks of those who judge one contact may differ. */
const CLOCKS_DIFFER_MILLIS = 5_000;

export function judgeHolds(audit: PolicyAudit): void {
  const { book, report } = audit;
  const told = new Map<string, Placed<ContactHeld>>();
  const asked = new Map<ContactId, Placed<ContactHeld>>();
  const dialled = Map.groupBy(book.calls.values(), ({ contactId }) => contactId);
  for (const hold of book.holds) {
    const { contactId, rule, until, heldBy, policyVersion } = hold.event.data;
    const key = [contactId, rule, until, heldBy, policyVersion].join();
    const before = told.get(key);
    if (before !== undefined) report("policy-hold-legal", `${contactId} is held twice`, before, hold);
    told.set(key, hold);
    judgeHold(audit, hold, asked.get(contactId));
    if (isByAddress(hold)) asked.set(contactId, hold);
    judgeKept(audit, hold, dialled.get(contactId) ?? []);
  }
  for (const skip of book.skips) judgeSkip(audit, skip);
}

function isByAddress({ event }: Placed<ContactHeld>): boolean {
  const { rule } = event.data;
  return rule === "eligibility" || rule === "eligibility_unavailable";
}

/** `asked`: when the contact was held by an address before. */
function judgeHold(
  audit: PolicyAudit,
  hold: Placed<ContactHeld>,
  asked: Placed<ContactHeld> | undefined,
): void {
  const { contactId, rule, policyVersion } = hold.event.data;
  const illegal = (problem: string) =>
    audit.report("policy-hold-legal", `${contactId} is held, and ${problem}`, hold);
  const version = versionsAt(audit, hold).find(({ event }) => event.data.version === policyVersion);
  const contact = audit.book.contacts.get(contactId);
  if (contact === undefined) return;
  if (isByAddress(hold)) judgeAsked(audit, hold, asked, illegal);
  // A campaign may ask an address of its own, where there is no policy.
  if (policyVersion === 0 && isByAddress(hold) && isBeforePolicies(audit, hold)) return;
  if (version === undefined) illegal(`version ${policyVersion} of the policy does not stand`);
  else if (rule === "oneCallAtATime") judgeBusy(audit, hold, version.event.data.policy, illegal);
  else if (rule === "attemptsPerNumber") judgeFull(audit, hold, version.event.data.policy, illegal);
}

function isBeforePolicies({ book }: PolicyAudit, decided: Placed<ContactHeld>): boolean {
  const [first] = book.versions;
  return first === undefined || atMillis(first) + LONGEST_WRITING_MILLIS >= atMillis(decided);
}

/** Versions that may have been read when the event was decided. */
export function versionsAt(
  { book }: PolicyAudit,
  decided: Placed<ContactHeld | ContactSkipped | CampaignPaused>,
) {
  return book.versions.filter((version, index): boolean => {
    const next: Placed<PolicyChanged> | undefined = book.versions[index + 1];
    const isOver = next !== undefined && atMillis(next) + LONGEST_WRITING_MILLIS < atMillis(decided);
    return version.place < decided.place && !isOver;
  });
}

function judgeBusy(
  { book }: PolicyAudit,
  { event, place }: Placed<ContactHeld>,
  policy: Policy,
  illegal: (problem: string) => void,
): void {
  const { contactId, heldBy, until } = event.data;
  const number = book.contacts.get(contactId)?.phoneNumber;
  const call = heldBy === null ? undefined : book.calls.get(heldBy);
  if (!policy.oneCallAtATime) illegal("several calls at a time are allowed");
  if (until !== null) illegal("nobody knows when a call ends");
  if (call === undefined || call.dial.place > place || call.phoneNumber !== number) {
    illegal(`${heldBy ?? "nobody"} is in no call with its number`);
    return;
  }
  const { end } = call;
  const isOver = end !== null && atMillis(end) + LONGEST_CLOSING_MILLIS < millisOf(event.data.at);
  if (isOver || !isLive({ ...call, end: null }, place, millisOf(event.data.at) - LONGEST_CLOSING_MILLIS))
    illegal(`${call.callId} was over`);
}

function judgeFull(
  audit: PolicyAudit,
  { event, place }: Placed<ContactHeld>,
  { attemptsPerNumber }: Policy,
  illegal: (problem: string) => void,
): void {
  const { contactId, until, heldBy, value, limit } = event.data;
  const contact = audit.book.contacts.get(contactId);
  if (contact === undefined) return;
  const cap = capNamed(attemptsPerNumber, limit);
  if (attemptsPerNumber === null || cap === null) {
    illegal(`its policy has no cap of ${limit}`);
    return;
  }
  if (typeof value !== "number" || value < cap.most) illegal(`${value} dials are less than ${limit}`);
  if (heldBy !== null) illegal("a cap is held by no call");
  const clocks = clocksOf(audit, contact);
  if (clocks === null || until === null) {
    illegal("nobody knows until when");
    return;
  }
  const from = millisOf(event.data.at) - LONGEST_WRITING_MILLIS;
  const dials = (audit.book.numbers.get(contact.phoneNumber) ?? []).filter(
    (dial) => dial.dial.place < place && !wasGivenBack(dial, from),
  );
  const latest = dials.map(({ millis }) => millis);
  const release = releaseOf(attemptsPerNumber, latest, clocks, from);
  const told = millisOf(until);
  if (release === from) illegal("its number was not dialled so often");
  else if (
    told > release ||
    (told < release && told < certainRelease(attemptsPerNumber, dials, clocks, from))
  )
    illegal(`it may be dialled from ${new Date(release).toISOString()} on, not ${until}`);
}

/** Without what may have been given back before the hold. */
function certainRelease(
  caps: AttemptsPerNumber,
  dials: readonly PolicyDial[],
  clocks: ZoneClocks,
  from: number,
): number {
  return releaseOf(caps, dials.filter(isDialled).map(earliestMillis), clocks, from);
}

function wasGivenBack(dial: PolicyDial, millis: number): boolean {
  return !isDialled(dial) && dial.end !== null && atMillis(dial.end) + LONGEST_CLOSING_MILLIS < millis;
}

function clocksOf(
  { times }: PolicyAudit,
  { phoneNumber, timezone }: { readonly phoneNumber: PhoneNumber; readonly timezone: string | null },
): ZoneClocks | null {
  const { zones } = personOf(phoneNumber, { timezone, evidence: null });
  return zones === null ? null : zoneClocks(zones, times);
}

/** Until it ends nobody dials the contact by the version that holds it. */
function judgeKept({ report }: PolicyAudit, hold: Placed<ContactHeld>, dials: readonly PolicyDial[]): void {
  const { contactId, until, policyVersion } = hold.event.data;
  if (until === null) return;
  for (const dial of dials) {
    if (dial.dial.place < hold.place) continue;
    if (dial.evidence?.policyVersion !== policyVersion || dial.millis >= millisOf(until)) continue;
    report("policy-hold-legal", `${contactId} is held until ${until} and dialled`, hold, dial.dial);
  }
}

/** Whether the version asks where the contact is, and nobody knows. */
export function zoneIsUnknown(
  audit: PolicyAudit,
  contactId: ContactId,
  { callableHours, attemptsPerNumber }: Policy,
  millis: number,
): boolean {
  const contact = audit.book.contacts.get(contactId);
  if (contact === undefined || (callableHours === null && attemptsPerNumber === null)) return false;
  const clocks = clocksOf(audit, contact);
  if (clocks === null) return true;
  if (callableHours === null || contact.timezone !== null || areOneClock(clocks, millis)) return false;
  return !opensTogether(clocks, callableHours, millis);
}

/** Whether the version asks for a consent of the contact, and none may have counted. */
export function lacksConsent(
  { book }: PolicyAudit,
  contactId: ContactId,
  { requireConsent }: Policy,
  millis: number,
): boolean {
  const contact = book.contacts.get(contactId);
  if (requireConsent !== true || contact === undefined) return false;
  return !consentCounts(contact.consent, millis + CLOCKS_DIFFER_MILLIS);
}

/** Nobody is skipped whom no version refuses for that, nor for a list that did not count. */
function judgeSkip(audit: PolicyAudit, skip: Placed<ContactSkipped>): void {
  const { contactId, reason } = skip.event.data;
  if (reason === "suppressed") judgeListed(audit, skip);
  if (!audit.book.contacts.has(contactId)) return;
  const illegal = (problem: string) =>
    audit.report("policy-skip-legal", `${contactId} is skipped, and ${problem}`, skip);
  const isBy = (refuses: typeof zoneIsUnknown) =>
    versionsAt(audit, skip).some(({ event }) => refuses(audit, contactId, event.data.policy, atMillis(skip)));
  if (reason === "zone_unknown" && !isBy(zoneIsUnknown)) illegal("its zone is known or not asked for");
  if (reason === "no_consent" && !isBy(lacksConsent)) illegal("its consent counts or is not asked for");
  if (reason === "not_eligible" && !isAnybodyAsked(audit, skip.place)) illegal("nobody is asked");
}
