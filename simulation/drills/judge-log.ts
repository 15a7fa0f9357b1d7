import type { DrillEvidence } from "./drill-evidence.ts";
import { isEnd } from "./judge-dials.ts";
import type { HistoryEvent } from "./shapes.ts";

/** Checks the log alone, and compares it with the service's answers. */
export function judgeLog(evidence: DrillEvidence): string[] {
  return [
    ...brokenStreams(evidence.events),
    ...wrongCalls(evidence),
    ...wrongAttempts(evidence),
    ...wrongCampaign(evidence),
  ];
}

/** Revisions of a stream are contiguous from 0. */
function brokenStreams(events: readonly HistoryEvent[]): string[] {
  const next = new Map<string, number>();
  return events.flatMap(({ stream, revision }) => {
    const expected = next.get(stream) ?? 0;
    next.set(stream, expected + 1);
    return revision === expected ? [] : [`${stream} has revision ${revision} where ${expected} belongs`];
  });
}

/** The calls of the API are the calls of the log; each has ended once, as the API says. */
function wrongCalls({ calls, events }: DrillEvidence): string[] {
  const requested = events.filter(({ type }) => type === "CallRequested").map(({ data }) => data.callId);
  const shown = new Set<string | undefined>(calls.map(({ id }) => id));
  const missing = requested.filter((callId) => !shown.has(callId));
  return [
    ...missing.map((callId) => `${callId} is in the log and not in the API`),
    ...(requested.length === calls.length
      ? []
      : [`${requested.length} calls in the log, ${calls.length} in the API`]),
    ...calls.flatMap(({ id, endReason }) => {
      const ends = events.filter((event) => isEnd(event) && event.data.callId === id);
      if (ends.length === 1 && ends[0]?.data.endReason === endReason) return [];
      return [`${id} is ${endReason} in the API and has ${ends.length} ends in the log`];
    }),
  ];
}

/** Every attempt has one call and one outcome, and no contact has two attempts of one number. */
function wrongAttempts({ events }: DrillEvidence): string[] {
  const dialed = events.filter(({ type }) => type === "ContactDialed");
  const outcomes = events.filter(
    ({ type }) =>
      type === "ContactSucceeded" || type === "ContactCallbackScheduled" || type === "ContactAttemptFailed",
  );
  const names = new Set(dialed.map(({ data }) => `${data.contactId} ${data.attempt}`));
  const problems = dialed.flatMap(({ data }) => {
    const count = outcomes.filter((outcome) => outcome.data.callId === data.callId).length;
    return count === 1 ? [] : [`the attempt ${data.callId} has ${count} outcomes`];
  });
  if (names.size !== dialed.length) problems.push("an attempt of a contact is in the log twice");
  if (outcomes.length !== dialed.length)
    problems.push(`${outcomes.length} outcomes for ${dialed.length} attempts`);
  return problems;
}

function wrongCampaign({ campaign, contacts, events }: DrillEvidence): string[] {
  if (campaign === null) return [];
  const { totalContacts, successfulCalls, failedCalls, pendingCalls, activeCalls, skippedContacts } =
    campaign;
  const count = (type: string) => events.filter((event) => event.type === type).length;
  const inState = (status: string) => contacts.filter((contact) => contact.status === status).length;
  const expectations: readonly (readonly [string, number, number])[] = [
    ["campaigns made", count("CampaignCreated"), 1],
    ["campaigns started", count("CampaignStarted"), 1],
    ["campaigns completed", count("CampaignCompleted"), 1],
    [
      "all counts together",
      successfulCalls + failedCalls + pendingCalls + activeCalls + skippedContacts,
      totalContacts,
    ],
    ["contacts listed", contacts.length, totalContacts],
    ["pending and active", pendingCalls + activeCalls, 0],
    ["successful calls", successfulCalls, count("ContactSucceeded")],
    ["contacts succeeded", inState("succeeded"), successfulCalls],
    ["contacts failed", inState("failed"), failedCalls],
    ["attempts listed", contacts.flatMap(({ attempts }) => attempts).length, count("ContactDialed")],
  ];
  return expectations
    .filter(([, actual, expected]) => actual !== expected)
    .map(([what, actual, expected]) => `${what}: ${actual} instead of ${expected}`);
}
