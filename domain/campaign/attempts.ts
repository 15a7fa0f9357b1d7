import { END_REASONS, type EndReason } from "../call/end-reason.ts";
import type { CreditUnits } from "../shared/credits.ts";
import { DomainError } from "../shared/errors.ts";
import type { CallId, ContactId, PhoneNumberId } from "../shared/ids.ts";
import { type Instant, millisOf } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import { isWindowOpen, localTime } from "../window/call-window.ts";
import {
  attemptsOf,
  callbacksOf,
  dueMillisOf,
  failuresOf,
  groupOf,
  hasAssistantFailed,
  holdOf,
  idOf,
  isHeld,
  isSkipped,
  isToCall,
  notPlacedOf,
  numberOf,
  statusOf,
  waitsForCallback,
} from "./contacts/contact-row.ts";
import { rowOf } from "./contacts/contact-table.ts";
import { isRefusedTooLong, isUntold } from "./contacts/eligibility-holds.ts";
import { isHeldLike, keepsUntilMillis } from "./contacts/holds.ts";
import type { ContactHold, GrantedDial } from "./due-contacts.ts";
import type {
  CampaignEvent,
  ContactCallbackScheduled,
  ContactDialed,
  ContactSkipped,
  DialEvidence,
  SuppressionEntry,
} from "./events.ts";
import { judgedOnce, zoneOfGroup } from "./groups.ts";
import { invalidState } from "./lifecycle.ts";
import { isFree, maxAttempts, type Retry, retryAfter } from "./retry-policy.ts";
import { type CampaignState, type ExistingCampaign, existing } from "./state.ts";
import { callbackOpening } from "./window/callback-moment.ts";

export const attemptRules = { RecordAttemptOutcome: recordAttemptOutcome, SkipContact: skipContact };

type Due = {
  readonly granted: readonly GrantedDial[];
  readonly suppressed: readonly ContactId[];
  /** Absent: nobody. */
  readonly held?: readonly ContactHold[];
  /** The policy asks for their consent, and none of theirs counts. Absent: nobody. */
  readonly noConsent?: readonly ContactId[];
  /** The policy asks where they live, and nobody knows. Absent: nobody. */
  readonly unknownZone?: readonly ContactId[];
  /** The owner's address allows nobody to call them, at any time. Absent: nobody. */
  readonly notEligible?: readonly NotEligible[];
  /** The entries of the do-not-call list, as far as known. */
  readonly suppressions?: ReadonlyMap<ContactId, SuppressionEntry>;
  /** The number for whose connection the slots were granted; absent: whichever the campaign has. */
  readonly phoneNumberId?: PhoneNumberId;
  readonly now: Instant;
};

/** `refusal`: what the address says; null: nothing. */
type NotEligible = { readonly contactId: ContactId; readonly refusal: string | null };

/**
 * Suppressed contacts are skipped, and so are those without consent, without a known zone and those who are
 * not eligible; others are held. A granted contact is dialled if at `now` the campaign runs, the contact is
 * due and not held until later by the version of the policy that granted it, its window is open, its number
 * is in no call and not held, the cap is not reached, and it is called from the number that the grants are
 * for. The caller returns grants that were not used.
 */
export function dialDueContacts(due: Due, state: CampaignState): readonly CampaignEvent[] {
  if (state.status !== "RUNNING") return [];
  const { granted, phoneNumberId, now } = due;
  const campaign = existing(state);
  const refusals = [...skipsOf(campaign, due), ...holdEvents(campaign, due.held ?? [], now)];
  const refused = refusedOf(due);
  const zones = judgedOnce((group) => zoneNow(campaign, zoneOfGroup(campaign, group), now));
  if (phoneNumberId !== undefined && phoneNumberId !== campaign.pins?.phoneNumberId) return refusals;
  const dialled = new Set<PhoneNumber>();
  const dials: ContactDialed[] = [];
  for (const grant of granted) {
    if (refused.has(grant.contactId)) continue;
    const dial = dialEvent(campaign, grant, {
      now,
      zones,
      dialled,
      activeCalls: campaign.live.size + dials.length,
    });
    if (dial === null) continue;
    dialled.add(dial.data.phoneNumber);
    dials.push(dial);
  }
  return [...refusals, ...dials];
}

function refusedOf({ suppressed, noConsent = [], unknownZone = [], notEligible = [], held = [] }: Due) {
  const others = [...notEligible, ...held].map(({ contactId }) => contactId);
  return new Set<ContactId>([...suppressed, ...noConsent, ...unknownZone, ...others]);
}

/** Of several reasons of one contact the first counts. */
function skipsOf(
  campaign: ExistingCampaign,
  { suppressed, suppressions, noConsent = [], unknownZone = [], notEligible = [], now }: Due,
): readonly CampaignEvent[] {
  const reasons = new Map<ContactId, WhySkipped>();
  const add = (contactId: ContactId, why: WhySkipped) => {
    if (!reasons.has(contactId)) reasons.set(contactId, why);
  };
  for (const contactId of suppressed) {
    const suppression = suppressions?.get(contactId);
    add(contactId, { reason: "suppressed", ...(suppression === undefined ? {} : { suppression }) });
  }
  for (const contactId of noConsent) add(contactId, { reason: "no_consent" });
  for (const contactId of unknownZone) add(contactId, { reason: "zone_unknown" });
  for (const { contactId, refusal } of notEligible)
    add(contactId, { reason: "not_eligible", ...(refusal === null ? {} : { refusal }) });
  return [...reasons].flatMap(([contactId, why]) => skipEvents(campaign, contactId, why, now));
}

/**
 * None for who is held in the same way already, or by nothing that has a time or a name. Who was refused
 * until later for too long is skipped.
 */
function holdEvents(
  campaign: ExistingCampaign,
  held: readonly ContactHold[],
  now: Instant,
): readonly CampaignEvent[] {
  const { campaignId, contacts } = campaign;
  const latest = new Map(held.map((each) => [each.contactId, each]));
  return [...latest.values()].flatMap((hold): readonly CampaignEvent[] => {
    const { contactId, rule, until, heldBy, policyVersion, value, limit, refusal } = hold;
    const row = rowOf(contacts, contactId) ?? -1;
    if (!isToCall(contacts, row)) return [];
    if (until === null ? heldBy === null : until <= now) return [];
    const words = refusal === undefined ? {} : { refusal };
    if (isRefusedTooLong(contacts, row, hold))
      return skipEvents(campaign, contactId, { reason: "not_eligible", ...words }, now);
    const terms = { rule, until, heldBy, policyVersion };
    if (isHeldLike(holdOf(contacts, row), terms) || isUntold(contacts, row, hold, now)) return [];
    const data = { campaignId, at: now, contactId, ...terms, value, limit, ...words };
    return [{ type: "ContactHeld", data }];
  });
}

type ZoneNow = Pick<DialEvidence, "timezone" | "localTime" | "utcOffsetMinutes">;

/** null: the window is closed there. */
function zoneNow({ settings }: ExistingCampaign, timezone: string, now: Instant): ZoneNow | null {
  if (!isWindowOpen(timezone, settings.window, now)) return null;
  return { timezone, ...localTime(timezone, now) };
}

type DialMoment = {
  readonly now: Instant;
  readonly zones: (group: number) => ZoneNow | null;
  /** Numbers dialled by this command. */
  readonly dialled: ReadonlySet<PhoneNumber>;
  readonly activeCalls: number;
};

function dialEvent(campaign: ExistingCampaign, grant: GrantedDial, moment: DialMoment): ContactDialed | null {
  const { campaignId, settings, contacts, liveNumbers } = campaign;
  const { now, dialled } = moment;
  const row = rowOf(contacts, grant.contactId) ?? -1;
  const phoneNumber = numberOf(contacts, row);
  if (phoneNumber === undefined || !isDue(campaign, row, now)) return null;
  // Another process may have told of a hold since the grant was asked for.
  const judged = { millis: millisOf(now), policyVersion: grant.evidence.policyVersion ?? 0 };
  const hold = holdOf(contacts, row);
  if (hold !== undefined && keepsUntilMillis(hold, judged) > 0) return null;
  if (liveNumbers.has(phoneNumber) || dialled.has(phoneNumber) || isHeld(contacts, row)) return null;
  const zone = moment.zones(groupOf(contacts, row));
  if (zone === null) return null;
  const activeCalls = moment.activeCalls + 1;
  const cap = Math.min(
    settings.maxConcurrentCalls ?? Number.POSITIVE_INFINITY,
    grant.evidence.effectiveMaxConcurrentCalls,
  );
  if (activeCalls > cap) return null;
  const attempt = attemptsOf(contacts, row) + 1;
  const { contactId, callId, dialAt, dialBy } = grant;
  const evidence = {
    ...grant.evidence,
    ...zone,
    window: settings.window,
    activeCalls,
    effectiveMaxConcurrentCalls: cap,
    attempt,
  };
  return {
    type: "ContactDialed",
    data: {
      ...{ campaignId, at: now, contactId, callId, phoneNumber, attempt, dialAt, dialBy, evidence },
      ...(waitsForCallback(contacts, row) ? { waitedForCallback: true } : {}),
    },
  };
}

function isDue(state: CampaignState, row: number, now: Instant): boolean {
  const status = statusOf(state.contacts, row);
  return (
    status === "pending" || (status === "waiting_retry" && dueMillisOf(state.contacts, row) <= millisOf(now))
  );
}

type AttemptOutcome = {
  readonly contactId: ContactId;
  readonly callId: CallId;
  readonly endReason: EndReason;
  readonly durationSeconds: number | null;
  readonly cost: CreditUnits;
  readonly endedAt: Instant;
  /** The contact asked on this call never to be called again; absent: not so. */
  readonly optedOut?: boolean;
  /** What was agreed on this call; absent or null: nothing. */
  readonly callback?: AgreedOnCall | null;
  readonly now: Instant;
};

/** When the contact is to be called again, and how many callbacks it may agree. */
type AgreedOnCall = {
  readonly callbackAt: Instant;
  readonly agreedAt: Instant;
  readonly maxPerContact: number;
};

/**
 * Recorded once for each attempt, also after a cancel. After a cancel, a skip or an opt-out there is no
 * retry and no callback.
 */
function recordAttemptOutcome(outcome: AttemptOutcome, campaign: ExistingCampaign): readonly CampaignEvent[] {
  const { contactId, callId, endReason, durationSeconds, cost, endedAt, optedOut = false, now } = outcome;
  const { campaignId, settings, status, contacts } = campaign;
  const row = campaign.live.get(callId);
  if (row === undefined || idOf(contacts, row) !== contactId) return [];
  const attempt = attemptsOf(contacts, row);
  const notPlaced = notPlacedOf(contacts, row) + (isFree(endReason) ? 1 : 0);
  const final = status === "CANCELLED" || isSkipped(contacts, row) || optedOut;
  const callback = final ? null : scheduled(campaign, row, outcome.callback ?? null);
  const free = notPlaced + callbacksOf(contacts, row) + (callback === null ? 0 : 1);
  const ended = {
    campaignId,
    at: now,
    contactId,
    callId,
    attempt,
    endReason,
    durationSeconds,
    cost,
    maxAttempts: maxAttempts(settings, free),
    ...(optedOut ? { optedOut: true as const } : {}),
  };
  if (callback !== null) return [{ type: "ContactCallbackScheduled", data: { ...ended, ...callback } }];
  if (END_REASONS[endReason].status === "completed") return [{ type: "ContactSucceeded", data: ended }];
  const retry: Retry = final
    ? { retryAt: null }
    : retryAfter(settings, {
        endReason,
        endedAt,
        timezone: zoneOfGroup(campaign, groupOf(contacts, row)),
        counted: attempt - free,
        notPlaced,
        assistantErrors: hasAssistantFailed(contacts, row) ? 2 : 1,
        failuresOf: (endReasons) => failuresOf(contacts, row, endReasons) + 1,
      });
  return [{ type: "ContactAttemptFailed", data: { ...ended, ...retry } }];
}

type Scheduled = Pick<ContactCallbackScheduled["data"], "agreedAt" | "callbackAt" | "zone">;

/** null: nothing was agreed, or by the settings of now no call follows. */
function scheduled(campaign: ExistingCampaign, row: number, agreed: AgreedOnCall | null): Scheduled | null {
  const { contacts, settings } = campaign;
  if (agreed === null || callbacksOf(contacts, row) >= agreed.maxPerContact) return null;
  const zone = zoneOfGroup(campaign, groupOf(contacts, row));
  const callbackAt = callbackOpening({ zone, window: settings.window, hours: null }, agreed.callbackAt);
  return callbackAt === null ? null : { agreedAt: agreed.agreedAt, callbackAt, zone };
}

type Skip = {
  readonly contactId: ContactId;
  readonly reason: "suppressed" | "by_request";
  readonly now: Instant;
};

/** A repeat changes nothing, whatever the state of the campaign. */
function skipContact({ contactId, reason, now }: Skip, campaign: ExistingCampaign): readonly CampaignEvent[] {
  const { status, contacts } = campaign;
  const row = rowOf(contacts, contactId);
  if (row === undefined)
    throw new DomainError("campaign.contact-not-found", "There is no such contact", { contactId });
  if (isSkipped(contacts, row)) return [];
  if (status === "COMPLETED" || status === "CANCELLED") throw invalidState(status);
  return skipEvents(campaign, contactId, { reason }, now);
}

type WhySkipped = Pick<ContactSkipped["data"], "reason" | "suppression" | "refusal">;

/** Never called: skipped. Called before: failed. In a call now: that call goes on and is the last. */
function skipEvents(
  campaign: ExistingCampaign,
  contactId: ContactId,
  { reason, ...more }: WhySkipped,
  now: Instant,
): readonly CampaignEvent[] {
  const row = rowOf(campaign.contacts, contactId);
  const outcome = row === undefined ? null : skipOutcome(campaign, row);
  if (row === undefined || outcome === null) return [];
  const data = {
    ...{ campaignId: campaign.campaignId, at: now, contactId, reason, outcome },
    ...more,
    ...(waitsForCallback(campaign.contacts, row) ? { waitedForCallback: true as const } : {}),
  };
  return [{ type: "ContactSkipped", data }];
}

function skipOutcome(state: CampaignState, row: number): ContactSkipped["data"]["outcome"] | null {
  switch (statusOf(state.contacts, row)) {
    case "pending":
      return "skipped";
    case "waiting_retry":
      return "failed";
    case "dialing":
      return isSkipped(state.contacts, row) ? null : "no_retry";
    default:
      return null;
  }
}
