import type { AuditedEvent } from "../../../application/audit/broken-rule.ts";
import { suppressionListStream } from "../../../application/log/stream-names.ts";
import { type CallCommand, callDecider } from "../../../domain/call/decider.ts";
import type { EndReason } from "../../../domain/call/end-reason.ts";
import type { CallEvent, CallRequested } from "../../../domain/call/events.ts";
import { type CampaignCommand, campaignDecider } from "../../../domain/campaign/decider.ts";
import type { CampaignEvent, ImportedContact } from "../../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../../domain/campaign/settings.ts";
import { isSuppressionListEvent } from "../../../domain/event-kinds.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import { fold } from "../../../domain/shared/decider.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { FAR_SIDE, REQUEST } from "../../domain/call/example-call.ts";
import { at, campaignId, contact, creation, FINE, granted } from "../../domain/campaign/example-campaign.ts";

/** A campaign and its calls as the deciders decide them, in one log. */
export type Story = {
  readonly log: DomainEvent[];
  readonly campaign: (command: CampaignCommand) => Story;
  readonly call: (callId: CallId, command: CallCommand) => Story;
  /**
   * Dials these contacts at `seconds` under the calls of the same numbers (or those given), and begins each.
   */
  readonly dial: (
    seconds: number,
    ...contacts: readonly (readonly [contact: number, call: number])[]
  ) => Story;
  /** The carrier tells the end of a call, and the campaign its outcome a second later. */
  readonly end: (call: number, seconds: number, endReason: EndReason) => Story;
};

export function startedStory(
  contacts: readonly ImportedContact[],
  settings: Partial<CampaignSettings> = {},
  decider = campaignDecider,
): Story {
  return createStory(decider)
    .campaign({ type: "ImportContacts", campaignId, importId: "imp_1", firstIndex: 0, contacts, now: at(-2) })
    .campaign({ type: "CreateCampaign", campaign: creation(contacts.length, settings) })
    .campaign({ type: "StartCampaign", world: FINE, now: at(0) });
}

export function createStory(decider = campaignDecider): Story {
  const log: DomainEvent[] = [];
  const story: Story = {
    log,
    campaign: (command) => {
      const events = log.filter(isCampaignEvent);
      log.push(...decider.decide(command, fold(decider, decider.initialState(), events)));
      return story;
    },
    call: (callId, command) => {
      const events = log.filter(isCallEvent).filter(({ data }) => data.callId === callId);
      log.push(...callDecider.decide(command, fold(callDecider, callDecider.initialState(), events)));
      return story;
    },
    dial: (seconds, ...contacts) => dial(story, seconds, contacts),
    end: (call, seconds, endReason) => end(story, call, seconds, endReason),
  };
  return story;
}

function dial(
  story: Story,
  seconds: number,
  contacts: readonly (readonly [contact: number, call: number])[],
): Story {
  const grants = contacts.map(([number, call]) =>
    granted(number, call, { dialAt: at(seconds), dialBy: at(seconds + 15) }),
  );
  story.campaign({ type: "DialDueContacts", granted: grants, suppressed: [], now: at(seconds) });
  for (const { callId } of grants) {
    const request = requestOf(story, callId);
    if (request !== null)
      story
        .call(callId, { type: "StartCall", request: { ...request, at: at(seconds + 1) } })
        .call(callId, { type: "BeginDialing", now: at(seconds + 1), suppressed: false, carrier: FAR_SIDE });
  }
  return story;
}

/** The request of a call as its dial pins it. */
export function requestOf({ log }: Story, callId: CallId): CallRequested["data"] | null {
  const data = log.findLast((event) => event.type === "ContactDialed" && event.data.callId === callId)?.data;
  if (data === undefined || !("dialBy" in data) || !("phoneNumber" in data)) return null;
  const { contactId, attempt, phoneNumber, dialAt, dialBy } = data;
  const { earlierPins, pins } = fold(
    campaignDecider,
    campaignDecider.initialState(),
    log.filter(isCampaignEvent),
  );
  const { from, assistant } = earlierPins.get(callId) ?? pins ?? REQUEST;
  const dial = { callId, campaignId, contactId, attempt, to: phoneNumber, dialAt, dialBy };
  return { ...REQUEST, ...dial, from, assistant };
}

function end(story: Story, call: number, seconds: number, endReason: EndReason): Story {
  const callId: CallId = `call_${call}`;
  const isAnswered = endReason === "customer_ended";
  story.call(callId, {
    type: "RecordEnded",
    carrierRef: `carrier-${call}`,
    sequence: 1,
    occurredAt: at(seconds),
    now: at(seconds),
    endReason,
    endedBy: null,
    answeredAt: isAnswered ? at(seconds - 10) : null,
    answeredBy: null,
    recordingExpected: false,
    error: null,
  });
  return recordOutcome(story, callId, seconds + 1);
}

/** The campaign hears of the end of a call. */
export function recordOutcome(story: Story, callId: CallId, seconds: number): Story {
  const ended = story.log.find(
    (event) =>
      (event.type === "CallCompleted" || event.type === "CallFailed") && event.data.callId === callId,
  )?.data;
  const dialled = story.log
    .filter((event) => event.type === "ContactDialed")
    .find(({ data }) => data.callId === callId)?.data;
  if (ended === undefined || !("cost" in ended) || dialled === undefined) return story;
  const { endReason, durationSeconds, cost } = ended;
  return story.campaign({
    type: "RecordAttemptOutcome",
    contactId: dialled.contactId,
    callId,
    endReason,
    durationSeconds,
    cost,
    endedAt: ended.at,
    now: at(seconds),
  });
}

/**
 * Three contacts between nine and six: one succeeds, one at its second attempt, one is called in Kolkata in
 * vain. Ends completed.
 */
export function wholeStory(): Story {
  const people = [contact(1), contact(2), contact(3, { timezone: "Asia/Kolkata" })];
  return startedStory(people, { window: { start: 9, end: 18 }, maxConcurrentCalls: 2, maxRetries: 1 })
    .dial(3, [1, 1], [2, 2])
    .end(1, 40, "customer_ended")
    .end(2, 50, "busy")
    .dial(60, [3, 3])
    .end(3, 70, "invalid_number")
    .dial(400, [2, 4])
    .end(4, 450, "customer_ended")
    .campaign({ type: "CompleteIfDone", now: at(452) });
}

function isCallEvent(event: DomainEvent): event is CallEvent {
  return event.type.startsWith("Call") || event.type.startsWith("LateCarrier");
}

function isCampaignEvent(event: DomainEvent): event is CampaignEvent {
  return streamOf(event).startsWith("campaign-");
}

function streamOf(event: DomainEvent): string {
  if (isCallEvent(event)) return `call-${event.data.callId}`;
  if (isSuppressionListEvent(event)) return suppressionListStream(event.data.listId);
  return event.type === "PolicyChanged" ? `policy-${event.data.owner}` : `campaign-${campaignId}`;
}

/** As the log holds them: numbered in their streams, in order. */
export function recorded(events: readonly DomainEvent[]): readonly AuditedEvent[] {
  const next = new Map<string, number>();
  return events.map((event, index) => {
    const stream = streamOf(event);
    const revision = next.get(stream) ?? 0;
    next.set(stream, revision + 1);
    return { event, stream, revision, position: String(index).padStart(6, "0") };
  });
}
