import { prepareEvents } from "../application/log/append-events.ts";
import type { EventCodec } from "../application/ports/event-codec.ts";
import type { EventStore } from "../application/ports/event-store.ts";
import type { CallEvent } from "../domain/call/events.ts";
import type { CampaignEvent } from "../domain/campaign/events.ts";
import type { DomainEvent } from "../domain/events.ts";
import type { CampaignId, OwnerId } from "../domain/shared/ids.ts";
import { instantFromMillis } from "../domain/shared/instant.ts";
import { systemIds } from "../infrastructure/ids.ts";
import { creation } from "../test/domain/campaign/example-campaign.ts";
import {
  callEnd,
  callRequest,
  connected,
  dialingBegan,
  message,
  ringing,
  talking,
} from "../test/projections/example-events.ts";

const CHUNK = 1_000;

/**
 * Campaigns of answered calls with four messages: 13 events a call (11 of its own, dial and outcome of its
 * campaign), `concurrent` calls interleaved as in the service. Returns the number of events.
 */
export async function appendCalls(
  log: { readonly eventStore: EventStore; readonly codec: EventCodec },
  campaigns: number,
  contacts: number,
  concurrent: number,
): Promise<number> {
  const revisions = new Map<string, number>();
  const owner: OwnerId = systemIds.next("usr");
  let count = 0;
  for (let index = 0; index < campaigns; index += 1) {
    const campaignId = systemIds.next("cmp");
    const people = Array.from({ length: contacts }, () => systemIds.next("ctc"));
    for (const event of opening(campaignId, owner, people)) await tell(`campaign-${campaignId}`, [event]);
    for (let first = 0; first < contacts; first += concurrent)
      await wave(campaignId, people.slice(first, first + concurrent));
  }
  return count;

  async function wave(campaignId: CampaignId, people: readonly `ctc_${string}`[]): Promise<void> {
    const calls = people.map((contactId) => ({ contactId, callId: systemIds.next("call") }));
    const moment = { campaignId, at: now() };
    const dials = calls.map(
      ({ contactId, callId }): CampaignEvent => ({
        type: "ContactDialed",
        data: {
          ...moment,
          contactId,
          callId,
          phoneNumber: "+15005550006",
          attempt: 1,
          dialAt: moment.at,
          dialBy: moment.at,
          evidence: {
            localTime: moment.at,
            utcOffsetMinutes: 0,
            timezone: "Europe/Istanbul",
            window: null,
            activeCalls: 1,
            effectiveMaxConcurrentCalls: 100,
            availableCredits: 1,
            attempt: 1,
          },
        },
      }),
    );
    await tellInGroups(`campaign-${campaignId}`, dials);
    const lives = calls.map(({ callId, contactId }) => life({ callId, contactId, campaignId, owner }));
    for (let step = 0; step < 11; step += 1) {
      await Promise.all(
        calls.map(({ callId }, index) => {
          const event = lives[index]?.[step];
          return event === undefined ? undefined : tell(`call-${callId}`, [event]);
        }),
      );
    }
    const ended = { endReason: "assistant_ended", durationSeconds: 30, maxAttempts: 4, attempt: 1 } as const;
    const outcomes = calls.map(
      (call): CampaignEvent => ({ type: "ContactSucceeded", data: { ...moment, ...call, ...ended } }),
    );
    await tellInGroups(`campaign-${campaignId}`, outcomes);
  }

  async function tellInGroups(stream: string, events: readonly DomainEvent[]): Promise<void> {
    for (let first = 0; first < events.length; first += 100)
      await tell(stream, events.slice(first, first + 100));
  }

  async function tell(stream: string, events: readonly DomainEvent[]): Promise<void> {
    const origin = { owner, actor: "process:bench", correlationId: "bench", causationId: null };
    const stored = await prepareEvents({ ...log, ids: systemIds }, [{ events, origin }]);
    const { revision } = await log.eventStore.append(stream, revisions.get(stream) ?? "no_stream", stored);
    revisions.set(stream, revision);
    count += events.length;
  }
}

function opening(
  campaignId: CampaignId,
  owner: OwnerId,
  people: readonly `ctc_${string}`[],
): CampaignEvent[] {
  const importId = systemIds.next("imp");
  const moment = { campaignId, at: now() };
  const chunks: CampaignEvent[] = [];
  for (let firstIndex = 0; firstIndex < people.length; firstIndex += CHUNK) {
    const contacts = people.slice(firstIndex, firstIndex + CHUNK).map((contactId) => ({
      contactId,
      phoneNumber: "+15005550006" as const,
      name: "Ada Lovelace",
      customData: { plan: "gold", city: "London" },
      timezone: null,
      externalId: null,
    }));
    chunks.push({ type: "ContactsImported", data: { ...moment, importId, firstIndex, contacts } });
  }
  const created = { ...creation(people.length), ...moment, owner, importId };
  return [...chunks, { type: "CampaignCreated", data: created }, { type: "CampaignStarted", data: moment }];
}

function life(
  call: Pick<Parameters<typeof callRequest>[0], "callId" | "owner" | "campaignId" | "contactId">,
): CallEvent[] {
  const { callId } = call;
  const said = [0, 1, 2, 3].map((index) => message(callId, now(), "ref", index));
  return [
    callRequest({ ...call, attempt: 1, at: now() }),
    dialingBegan(callId, now()),
    ringing(callId, now(), "ref"),
    connected(callId, now(), "ref"),
    talking(callId, now(), "ref"),
    ...said,
    callEnd(callId, now(), "assistant_ended", 30),
    {
      type: "CallRecordingAvailable",
      data: { callId, at: now(), status: "available", recordingRef: "r", carrierRef: "ref", sequence: 9 },
    },
  ];
}

function now() {
  return instantFromMillis(Date.now());
}
