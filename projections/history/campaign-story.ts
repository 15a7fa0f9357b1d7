import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type {
  CampaignCreated,
  CampaignEvent,
  CampaignSettingsChanged,
  ContactAttemptFailed,
  ContactHeld,
  ContactSkipped,
  DialEvidence,
  PauseReason,
  RejectedContacts,
} from "../../domain/campaign/events.ts";
import { isCampaignEvent } from "../../domain/event-kinds.ts";
import { assertNever } from "../../domain/shared/errors.ts";
import type { ContactId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { timesToCall, windowInShort } from "../../domain/window/window-words.ts";
import { clockTime } from "./local-clock.ts";
import { askedWords, capWords, listWords, refusedWords } from "./policy-words.ts";

/**
 * What the story knows so far: names of contacts, and the zone of its times; null until the
 * campaign is created.
 */
type Heard = {
  timezone: string | null;
  readonly people: Map<ContactId, string>;
  readonly unsaid: CampaignEvent[];
};

/**
 * Describes a campaign's events for a person, one line each: local time in the campaign's zone, what
 * happened, to whom, and why. Pass the events in order; events before the creation are described together
 * with it, because only then the zone is known.
 */
export function campaignStoryteller(): (recorded: RecordedEvent) => readonly string[] {
  const heard: Heard = { timezone: null, people: new Map(), unsaid: [] };
  return ({ event }) => {
    if (!isCampaignEvent(event)) return [];
    listen(heard, event);
    heard.unsaid.push(event);
    const { timezone } = heard;
    if (timezone === null) return [];
    return heard.unsaid
      .splice(0)
      .map((said) => `${clockTime(timezone, said.data.at)}  ${sentence(heard.people, timezone, said)}`);
  };
}

function listen(heard: Heard, event: CampaignEvent): void {
  if (event.type === "ContactsImported") {
    for (const { contactId, name, phoneNumber } of event.data.contacts)
      heard.people.set(contactId, name === null ? phoneNumber : `${name} (${phoneNumber})`);
  }
  if (event.type === "CampaignCreated") heard.timezone = event.data.settings.timezone;
  if (event.type === "CampaignSettingsChanged")
    heard.timezone = event.data.changes.timezone ?? heard.timezone;
}

function sentence(people: Heard["people"], timezone: string, event: CampaignEvent): string {
  const who = "contactId" in event.data ? (people.get(event.data.contactId) ?? event.data.contactId) : "";
  switch (event.type) {
    case "ContactsImported":
      return `${event.data.contacts.length} contacts read, from place ${event.data.firstIndex + 1} of import ${event.data.importId} on`;
    case "CampaignCreated":
      return created(event.data);
    case "ContactsAdded":
      return `${event.data.added} contacts added${refused(event.data.rejected)}`;
    case "ImportAbandoned":
      return `import ${event.data.importId} was never finished: its contacts do not count`;
    case "CampaignStarted":
      return "started";
    case "CampaignPaused":
      return `paused: ${PAUSES[event.data.reason]}${opening(timezone, event.data.nextWindowOpensAt)}`;
    case "CampaignResumed":
      return event.data.by === "api"
        ? "resumed by its owner"
        : "resumed by itself: the reason of the pause is gone";
    case "CampaignSettingsChanged":
      return changed(event.data);
    case "ContactDialed":
      return `${who} dialled, attempt ${event.data.attempt}, ${event.data.callId}: ${proof(event.data.evidence)}`;
    case "ContactSucceeded":
      return `${who} was reached: ${words(event.data.endReason)} after ${seconds(event.data.durationSeconds)}${optOut(event.data)}`;
    case "ContactCallbackScheduled":
      return `${who} agreed to be called again at ${clockTime(event.data.zone, event.data.callbackAt)} in ${event.data.zone}: ${words(event.data.endReason)} after ${seconds(event.data.durationSeconds)}, ${event.data.callId}`;
    case "ContactAttemptFailed":
      return attemptFailed(timezone, who, event.data);
    case "ContactSkipped":
      return skipped(timezone, who, event.data);
    case "ContactHeld":
      return `${who} ${heldFor(timezone, event.data)}`;
    case "CampaignCancelled":
      return `cancelled: nobody else is called${event.data.hangUpActiveCalls ? ", and live calls are ended" : "; live calls go on to their end"}`;
    case "CampaignCompleted":
      return "completed: nobody is left to call";
    case "CampaignDeleted":
      return "deleted by its owner before it began";
    default:
      return assertNever(event);
  }
}

const PAUSES: Readonly<Record<PauseReason, string>> = {
  manual: "by its owner; only a resume ends it",
  phone_number_inactive: "its phone number is not active",
  assistant_unpublished: "its assistant is not published",
  outside_call_window: "nobody may be called at this hour",
  insufficient_credits: "not enough credits for one minute of a call",
  carrier_unavailable: "the carrier did not answer five times in a row",
  assistant_unavailable: "the assistant failed in five answered calls in a row",
  policy_refuses_all: "the owner's policy allows nobody who is left",
  list_outdated: "a list of numbers that are not called is too old",
  eligibility_unavailable: "whoever says who may be called does not answer",
};

function created({ settings, totalContacts, rejected, assistant, from }: CampaignCreated["data"]): string {
  return `“${settings.name}” created: ${totalContacts} contacts${refused(rejected)}, to be called by ${assistant.name} (version ${assistant.assistantVersion}) from ${from}, ${timesToCall(settings.window)} in ${settings.timezone}`;
}

function refused({ count }: RejectedContacts): string {
  return count === 0 ? "" : ` (${count} refused)`;
}

function opening(timezone: string, at: Instant | null): string {
  return at === null ? "" : `; the window opens at ${clockTime(timezone, at)}`;
}

function changed({ changes, pins = {} }: CampaignSettingsChanged["data"]): string {
  const settings = Object.entries(changes).map(([name, value]) => `${name} is now ${JSON.stringify(value)}`);
  const line = [
    ...(pins.assistant === undefined
      ? []
      : [`called by ${pins.assistant.name} (version ${pins.assistant.assistantVersion})`]),
    ...(pins.from === undefined ? [] : [`called from ${pins.from}`]),
    ...(pins.greetingMessage === undefined ? [] : ["another greeting"]),
    ...(pins.specialInstructions === undefined ? [] : ["other instructions"]),
  ];
  return [
    ...(settings.length === 0 ? [] : [`settings changed: ${settings.join(", ")}`]),
    ...(line.length === 0 ? [] : [`from now on ${line.join(", ")}`]),
  ].join("; ");
}

function proof({
  localTime: there,
  timezone,
  window,
  activeCalls,
  effectiveMaxConcurrentCalls,
}: DialEvidence): string {
  return `${there.slice(11, 16)} in ${timezone}, ${windowInShort(window)}, call ${activeCalls} of at most ${effectiveMaxConcurrentCalls} at once`;
}

function attemptFailed(
  timezone: string,
  who: string,
  { endReason, attempt, maxAttempts, retryAt, planRow, optedOut }: ContactAttemptFailed["data"],
): string {
  const next =
    retryAt === null ? "not called again" : `to be called again at ${clockTime(timezone, retryAt)}`;
  const by = planRow === undefined ? "" : `, by row ${planRow + 1} of the retry plan`;
  return `${who} was not reached: ${words(endReason)}, attempt ${attempt} of at most ${maxAttempts}; ${next}${by}${optOut({ optedOut })}`;
}

function optOut({ optedOut }: { readonly optedOut?: true | undefined }): string {
  return optedOut === true ? "; asked never to be called again" : "";
}

function skipped(timezone: string, who: string, skip: ContactSkipped["data"]): string {
  const { outcome, unknownCall } = skip;
  if (unknownCall !== undefined)
    return `${who} is not called again: already called by a call that this log does not know, ${unknownCall.callId} at ${clockTime(timezone, unknownCall.calledAt)}; what it came to is unknown, the log was restored`;
  const why = whySkipped(skip);
  if (outcome === "no_retry") return `${who} is not called again after the live call: ${why}`;
  return `${who} is not called${outcome === "failed" ? " again" : ""}: ${why}`;
}

function whySkipped({ reason, suppression, refusal }: ContactSkipped["data"]): string {
  switch (reason) {
    case "suppressed": {
      if (suppression?.list !== undefined) return `the number is on ${listWords("en", suppression.list)}`;
      const by = suppression?.callId === undefined ? "" : ` by the call ${suppression.callId}`;
      return `the number is on the do-not-call list${by}`;
    }
    case "zone_unknown":
      return "the policy counts by the time where people live, which is not known of this number";
    case "no_consent":
      return "the policy calls only who has given consent, and none counts";
    case "not_eligible":
      return refusedWords("en", refusal);
    case "by_request":
    case "outcome_unknown":
      return "by request";
    default:
      return assertNever(reason);
  }
}

function heldFor(timezone: string, held: ContactHeld["data"]): string {
  const { rule, until, heldBy, policyVersion } = held;
  const by = `by version ${policyVersion} of the policy`;
  if (rule === "oneCallAtATime") return `waits ${by}: the number is in the call ${heldBy}`;
  const end = until === null ? "" : ` until ${clockTime(timezone, until)}`;
  const asked = askedWords("en", held);
  if (asked !== null) return `waits${end}: ${asked}`;
  return `waits${end} ${by}: ${capWords("en", held)}`;
}

function seconds(duration: number | null): string {
  return duration === null ? "no time" : `${Math.round(duration)} s`;
}

function words(reason: string): string {
  return reason.replaceAll("_", " ");
}
