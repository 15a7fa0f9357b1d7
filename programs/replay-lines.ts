import { AUDIT_RULES, type BrokenRule } from "../application/audit/broken-rule.ts";
import type { UncappedCampaign as CampaignRecord } from "../application/ports/queries.ts";
import type { Explanation } from "../contract/campaign-story.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { CampaignContact } from "../projections/contacts/contact-row.ts";

/** The state of a campaign, then of each of its contacts. */
export function stateLines(
  campaign: CampaignRecord,
  at: Instant,
  contacts: readonly CampaignContact[],
): string[] {
  const { id, name, status, pauseReason, totalContacts, successfulCalls, failedCalls, skippedContacts } =
    campaign;
  return [
    `“${name}” (${id}) at ${at}: ${status}${pauseReason === null ? "" : `, ${pauseReason}`}`,
    `${totalContacts} contacts: ${successfulCalls} reached, ${failedCalls} failed, ${skippedContacts} skipped, ${campaign.activeCalls} in a call, ${campaign.pendingCalls} still to be called`,
    ...contacts.map(contactLine),
  ];
}

/** The sentence, then the events that it is based on. */
export function explanationLines({ sentence, verdict, until, because }: Explanation): string[] {
  return [
    sentence,
    `  ${verdict}${until === null ? "" : `, until ${until}`}`,
    ...because.map(({ type, at, position }) => `    ${type} at ${at}, position ${position}`),
  ];
}

/** A broken rule as JSON: its meaning, and the positions of the events that break it. */
export function brokenRecord({ rule, problem, events }: BrokenRule) {
  return {
    rule,
    meaning: AUDIT_RULES[rule],
    problem,
    events: events.map(({ position, stream, revision, event }) => ({
      position,
      stream,
      revision,
      type: event.type,
    })),
  };
}

/** The same for a person. */
export function brokenLine(broken: BrokenRule): string {
  const { rule, meaning, problem, events } = brokenRecord(broken);
  const where = events.map(
    ({ position, stream, revision, type }) =>
      `\n    ${type}, ${stream} revision ${revision}, position ${position}`,
  );
  return `${rule} (${meaning})\n  ${problem}${where.join("")}`;
}

function contactLine({ id, name, phoneNumber, status, attempts, nextAttemptAt }: CampaignContact): string {
  const tries = attempts
    .map(({ attempt, endReason, status: call }) => `${attempt}: ${endReason ?? call}`)
    .join(", ");
  const next = nextAttemptAt === null ? "" : `; next at ${nextAttemptAt}`;
  return `  ${id} ${name === null ? "" : `${name} `}${phoneNumber}: ${status}${tries === "" ? "" : ` (${tries})`}${next}`;
}
