import type { DrillEvidence } from "./drill-evidence.ts";
import type { HistoryEvent, JournalEntry } from "./shapes.ts";

/**
 * Compares the carrier's journal with the log: nobody rung twice for an attempt, nobody rung
 * without a durable reason.
 */
export function judgeDials(evidence: DrillEvidence): string[] {
  const { journal, events } = evidence;
  return [
    ...twiceAsked(journal),
    ...journal.flatMap((dial) => whyNotAllowed(dial, events)),
    ...lostDials(journal, events),
    ...forgottenDials(evidence),
    ...overlappingAttempts(journal, events),
    ...tooManyAttempts(evidence),
  ];
}

function twiceAsked(journal: readonly JournalEntry[]): string[] {
  const seen = new Set<string>();
  return journal.flatMap(({ callId, duplicate }) => {
    if (!seen.has(callId)) {
      seen.add(callId);
      return [];
    }
    return [`the carrier was asked twice for ${callId}${duplicate ? "" : ", and rang twice"}`];
  });
}

function whyNotAllowed({ callId, to, at }: JournalEntry, events: readonly HistoryEvent[]): string[] {
  const ofCall = events.filter(({ data }) => data.callId === callId);
  const requested = ofCall.find(({ type }) => type === "CallRequested");
  const began = ofCall.find(({ type }) => type === "CallDialingBegan");
  const dialed = ofCall.find(({ type }) => type === "ContactDialed");
  const problems: string[] = [];
  if (requested?.data["to"] !== to) problems.push(`${callId} was dialled at another number than requested`);
  if (began === undefined || began.occurredAt > at)
    problems.push(`${callId} was dialled before its write-ahead`);
  if (requested?.data.campaignId !== null && dialed?.data.phoneNumber !== to)
    problems.push(`${callId} was dialled without an attempt of its campaign`);
  return problems;
}

/** What the log says about the carrier must be in the carrier's journal. */
function lostDials(journal: readonly JournalEntry[], events: readonly HistoryEvent[]): string[] {
  const known = new Map(journal.map((dial) => [dial.callId, dial.carrierCallId]));
  return events
    .filter(({ type, data }) => type === "CallRinging" && known.get(data.callId ?? "") !== data.carrierRef)
    .map(({ data }) => `the log says that ${data.callId} rang, the carrier knows nothing of it`);
}

/**
 * An attempt may be repeated without using the budget only if nobody was rung: the carrier never had it, or
 * refused it (carrierCallId null).
 */
function forgottenDials({ calls, journal }: DrillEvidence): string[] {
  const accepted = new Set(
    journal.filter(({ carrierCallId }) => carrierCallId !== null).map(({ callId }) => callId),
  );
  return calls
    .filter(({ id, endReason }) => endReason === "not_placed" && accepted.has(id))
    .map(({ id }) => `${id} ended not_placed, and the carrier had it`);
}

/** An attempt of a contact begins after the one before has ended. */
function overlappingAttempts(journal: readonly JournalEntry[], events: readonly HistoryEvent[]): string[] {
  const dialedAt = new Map(journal.map(({ callId, at }) => [callId, at]));
  const endedAt = new Map(events.filter(isEnd).map(({ data, occurredAt }) => [data.callId, occurredAt]));
  const attempts = events.filter(({ type }) => type === "ContactDialed");
  return attempts.flatMap(({ data }) => {
    const before = attempts.find(
      (other) => other.data.contactId === data.contactId && other.data.attempt === (data.attempt ?? 0) - 1,
    );
    const began = dialedAt.get(data.callId ?? "");
    const ended = before === undefined ? "" : endedAt.get(before.data.callId);
    if (began === undefined || (ended !== undefined && ended <= began)) return [];
    return [`${data.callId} was dialled while the attempt before was not over`];
  });
}

function tooManyAttempts({ campaign, contacts, journal }: DrillEvidence): string[] {
  if (campaign === null) return [];
  const budget = 1 + (campaign.maxRetries ?? 3);
  const rung = new Set(
    journal.filter(({ carrierCallId }) => carrierCallId !== null).map(({ callId }) => callId),
  );
  return contacts.flatMap(({ id, attempts }) => {
    // One retry after a failure of the assistant does not use the budget.
    const failed = attempts.slice(0, -1).some(({ endReason }) => endReason === "assistant_error");
    const allowed = budget + (failed ? 1 : 0);
    const rings = attempts.filter(({ callId }) => rung.has(callId)).length;
    return rings > allowed ? [`${id} was rung ${rings} times, and ${allowed} are allowed`] : [];
  });
}

export function isEnd({ type }: HistoryEvent): boolean {
  return type === "CallCompleted" || type === "CallFailed";
}
