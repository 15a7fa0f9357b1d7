import type { AuditedEvent } from "../../application/audit/broken-rule.ts";
import type { Deciders } from "../../application/log/aggregates.ts";
import { ownZoneOf } from "../../domain/campaign/contacts/contact-row.ts";
import { rowOf } from "../../domain/campaign/contacts/contact-table.ts";
import type { CampaignEvent } from "../../domain/campaign/events.ts";
import { DEFAULT_RETRY_INTERVAL_MINS, isFree, onLaterDate } from "../../domain/campaign/retry-policy.ts";
import type { CampaignState } from "../../domain/campaign/state.ts";
import { type Instant, millisOf, plusMillis } from "../../domain/shared/instant.ts";

type CampaignDecider = Deciders["campaign"];

const MINUTE_MILLIS = 60_000;

/**
 * A decider for simulated time, in which a retry minute takes `minuteMillis`. The rules use real
 * minutes; here retries come sooner, and the event stores the interval that was used, so that a later
 * audit needs no setting.
 */
export function withShortMinutes(decider: CampaignDecider, minuteMillis: number): CampaignDecider {
  if (minuteMillis === MINUTE_MILLIS) return decider;
  return {
    ...decider,
    decide: (command, state) => {
      const events = decider.decide(command, state);
      return command.type === "RecordAttemptOutcome"
        ? events.map((event) => sooner(state, event, command.endedAt, minuteMillis))
        : events;
    },
  };
}

/** What the carrier never had is repeated after 30 s in every world, and a date is that of the calendar. */
function sooner(
  state: CampaignState,
  event: CampaignEvent,
  endedAt: Instant,
  minuteMillis: number,
): CampaignEvent {
  if (event.type !== "ContactAttemptFailed") return event;
  const { retryAt, endReason, planRow, contactId } = event.data;
  if (retryAt === null || isFree(endReason)) return event;
  const interval = event.data.retryIntervalMillis ?? millisOf(retryAt) - millisOf(endedAt);
  const retryIntervalMillis = (interval * minuteMillis) / MINUTE_MILLIS;
  const earliest = plusMillis(endedAt, retryIntervalMillis);
  const { settings, contacts } = state;
  const isSameDay = settings?.retryPlan?.[planRow ?? -1]?.sameDay ?? true;
  const own = ownZoneOf(contacts, rowOf(contacts, contactId) ?? -1);
  const timezone = own ?? settings?.timezone ?? "";
  const window = settings?.window ?? null;
  const due = isSameDay ? earliest : onLaterDate(timezone, window, endedAt, earliest);
  return { ...event, data: { ...event.data, retryAt: due, retryIntervalMillis } };
}

/** The history of a campaign of an older release, whose events do not tell an interval that was shorter. */
export function withRecordedIntervals(
  history: readonly AuditedEvent[],
  minuteMillis: number,
): readonly AuditedEvent[] {
  if (minuteMillis === MINUTE_MILLIS) return history;
  let minutes: number | null = null;
  return history.map((recorded) => {
    const { event } = recorded;
    if (event.type === "CampaignCreated") minutes = event.data.settings.retryIntervalMins;
    if (event.type === "CampaignSettingsChanged" && event.data.changes.retryIntervalMins !== undefined)
      minutes = event.data.changes.retryIntervalMins;
    if (event.type !== "ContactAttemptFailed" || isFree(event.data.endReason)) return recorded;
    const retryIntervalMillis = (minutes ?? DEFAULT_RETRY_INTERVAL_MINS) * minuteMillis;
    return { ...recorded, event: { ...event, data: { retryIntervalMillis, ...event.data } } };
  });
}
