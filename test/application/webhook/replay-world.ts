import { recordedEvents } from "../../../application/log/recorded-events.ts";
import { callStream, campaignStream } from "../../../application/log/stream-names.ts";
import type { StreamName } from "../../../application/ports/event-store.ts";
import type { PageRequest } from "../../../application/ports/queries/pages.ts";
import type { CallFilter, UncappedCampaign as CampaignRecord } from "../../../application/ports/queries.ts";
import type { OutboxEntry } from "../../../application/ports/webhook-outbox.ts";
import type { ReplayRange } from "../../../application/ports/webhook-settings.ts";
import { rangeReplay } from "../../../application/webhook/range-replay.ts";
import type { CallListRecord } from "../../../contract/call.ts";
import type { WebhookRecord } from "../../../contract/webhook.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CallId, CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { WebhookEventKind } from "../../../domain/webhook/kinds.ts";
import { callRecord } from "../../../projections/calls/call-queries.ts";
import { type CallRow, projectCall } from "../../../projections/calls/call-row.ts";
import { createCampaignMoments } from "../../../projections/history/campaign-moments.ts";
import { callEnd, callRequest, connected } from "../../projections/example-events.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { OWNER, sharedStores } from "../engine-world.ts";

type Call = {
  readonly callId: CallId;
  readonly at: Instant;
  readonly answeredAt?: Instant;
  readonly endedAt?: Instant;
  readonly campaignId?: CampaignId;
};

const ENDPOINT: Omit<WebhookRecord, "events"> = {
  url: "https://calls.example/",
  enabled: true,
  status: "enabled",
  disabledReason: null,
  pending: 0,
  held: 0,
  dead: 0,
  oldestUndeliveredAt: null,
};

/**
 * A log with calls and campaigns, pages of a read model over them, and an archive that remembers
 * what was stored in it.
 */
export function replayWorld(endpointTakes: readonly WebhookEventKind[] | null = null) {
  const stores = sharedStores();
  const { clock, database, directory } = stores;
  const log = memoryLog(stores);
  const campaignMoments = createCampaignMoments(log);
  const pages: (readonly CallListRecord[])[] = [[]];
  const campaigns: CampaignRecord[] = [];
  const asked: { readonly filter: CallFilter; readonly after: CallId | null }[] = [];
  const stored: OutboxEntry[][] = [];
  /** Work that the read model waits for, one for each question. */
  const gates: Promise<void>[] = [];
  const replayed: { readonly id: string; readonly range: ReplayRange }[] = [];

  const append = async (stream: StreamName, events: readonly (CallEvent | CampaignEvent)[]) =>
    void (await log.store(stream, ...events));
  const replay = rangeReplay({
    ...log,
    directory,
    campaignMoments,
    publicUrl: () => "https://calls.example",
    queries: {
      calls: async (_owner: OwnerId, filter: CallFilter, { after }: PageRequest<CallId>) => {
        asked.push({ filter, after });
        await gates.shift();
        const page = after === null ? 0 : pages.findIndex((rows) => rows.at(-1)?.callId === after) + 1;
        const rows = pages[page] ?? [];
        return { rows, next: page + 1 < pages.length ? (rows.at(-1)?.callId ?? null) : null };
      },
      campaign: async (_owner: OwnerId, id: CampaignId) => {
        const revision = database.streams.get(campaignStream(id))?.events.at(-1)?.revision;
        return revision === undefined ? null : campaignMoments.rightAfter(id, revision);
      },
      campaigns: async (_owner: OwnerId, _filter: object, { after }: PageRequest<CampaignId>) => {
        const place = after === null ? 0 : campaigns.findIndex(({ id }) => id === after) + 1;
        const [row] = campaigns.slice(place);
        const rows = row === undefined ? [] : [row];
        return { rows, next: place + 1 < campaigns.length ? (row?.id ?? null) : null };
      },
    },
    webhooks: {
      get: async () => (endpointTakes === null ? null : { ...ENDPOINT, events: endpointTakes }),
      missing: async (_owner, eventIds) =>
        new Set(eventIds.filter((id) => !stored.flat().some(({ eventId }) => eventId === id))),
      store: async (_owner, entries) => {
        stored.push([...entries]);
      },
      replayRange: async (_owner, id, range) => {
        replayed.push({ id, range });
        return { deliveries: stored.flat().length };
      },
    },
  });

  return {
    pages,
    campaigns,
    asked,
    gates,
    stored,
    replayed,
    append,
    clock,
    replay: (range: ReplayRange, owner = OWNER) => replay(owner, "rpl_1", range),
    made: () => stored.flat().map(({ kind, callId, campaignId }) => [kind, callId ?? campaignId]),
    /** Into the log; answers the row that the read model has of it. */
    call: async ({ callId, at, answeredAt, endedAt, campaignId }: Call): Promise<CallListRecord> => {
      const contactId = campaignId === undefined ? null : "ctc_1";
      const about = { owner: OWNER, campaignId: campaignId ?? null, contactId, attempt: 1 } as const;
      await append(callStream(callId), [
        callRequest({ callId, at, ...about }),
        ...(answeredAt === undefined ? [] : [connected(callId, answeredAt, "ref")]),
        ...(endedAt === undefined ? [] : [callEnd(callId, endedAt, "busy", null)]),
      ]);
      let row: CallRow | undefined;
      for await (const recorded of recordedEvents(log, callStream(callId))) row = projectCall(row, recorded);
      if (row?.request == null) throw new Error("there is no call");
      return callRecord("", { request: row.request, progress: row.progress }, []);
    },
    campaign: async (id: CampaignId, events: readonly CampaignEvent[]): Promise<CampaignRecord> => {
      await append(campaignStream(id), events);
      const moment = await campaignMoments.rightAfter(id, events.length - 1);
      if (moment === null) throw new Error("there is no campaign");
      campaigns.push(moment.campaign);
      return moment.campaign;
    },
  };
}
