import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type {
  UncappedCampaign as CampaignRecord,
  CampaignWithStatistics,
} from "../../application/ports/queries.ts";
import type {
  CampaignCreated,
  CampaignEvent,
  CampaignStatus,
  ChangedPins,
  PauseReason,
} from "../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../domain/campaign/settings.ts";
import { fieldsOfWindow } from "../../domain/campaign/window/window-fields.ts";
import { isCampaignEvent } from "../../domain/event-kinds.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type CampaignTally, EMPTY_TALLY, statisticsOf, tallyAfter, totalOf } from "./campaign-statistics.ts";

export type CampaignRow = {
  readonly revision: number;
  readonly id: CampaignId;
  readonly owner: OwnerId;
  readonly status: CampaignStatus;
  readonly detail: CampaignDetail;
};

export type CampaignDetail = {
  readonly pins: Pick<
    CampaignCreated["data"],
    "phoneNumberId" | "greetingMessage" | "specialInstructions" | "metadata"
  > &
    Pick<CampaignRecord, "assistantId" | "assistantVersion" | "squadId">;
  readonly settings: CampaignSettings;
  readonly pauseReason: PauseReason | null;
  readonly nextWindowOpensAt: Instant | null;
  readonly tally: CampaignTally;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly startedAt: Instant | null;
  readonly completedAt: Instant | null;
};

/**
 * A campaign begins with the seal of its first import; chunks alone change nothing visible. A deleted one
 * has no row.
 */
export function projectCampaign(
  row: CampaignRow | undefined,
  recorded: Pick<RecordedEvent, "event" | "revision">,
): CampaignRow | undefined {
  const { event, revision } = recorded;
  if (!isCampaignEvent(event)) return row;
  if (event.type === "CampaignCreated") return row ?? createdRow(event.data, revision);
  if (row === undefined || event.type === "CampaignDeleted") return undefined;
  if (event.type === "ContactsImported" || event.type === "ImportAbandoned") return { ...row, revision };
  const before = row.detail;
  const updatedAt = event.data.at > before.updatedAt ? event.data.at : before.updatedAt;
  const tally = tallyAfter(before.tally, event);
  const { status = row.status, ...changes } = changesBy(event, before);
  return { ...row, revision, status, detail: { ...before, ...changes, tally, updatedAt } };
}

function createdRow(data: CampaignCreated["data"], revision: number): CampaignRow {
  return {
    revision,
    id: data.campaignId,
    owner: data.owner,
    status: "PENDING",
    detail: {
      pins: {
        phoneNumberId: data.phoneNumberId,
        greetingMessage: data.greetingMessage,
        specialInstructions: data.specialInstructions,
        metadata: data.metadata,
        assistantId: data.assistant.assistantId,
        assistantVersion: data.assistant.assistantVersion,
        squadId: data.squad?.squadId ?? null,
      },
      settings: data.settings,
      pauseReason: null,
      nextWindowOpensAt: null,
      tally: tallyAfter(EMPTY_TALLY, { type: "CampaignCreated", data }),
      createdAt: data.at,
      updatedAt: data.at,
      startedAt: null,
      completedAt: null,
    },
  };
}

type Changes = Partial<CampaignDetail> & { readonly status?: CampaignStatus };

const UNPAUSED = { pauseReason: null, nextWindowOpensAt: null } as const;

function changesBy(event: CampaignEvent, before: CampaignDetail): Changes {
  switch (event.type) {
    case "CampaignStarted":
      return { status: "RUNNING", startedAt: event.data.at };
    case "CampaignPaused": {
      const { reason: pauseReason, nextWindowOpensAt } = event.data;
      return { status: "PAUSED", pauseReason, nextWindowOpensAt };
    }
    case "CampaignResumed":
      return { status: "RUNNING", ...UNPAUSED };
    case "CampaignSettingsChanged":
      return {
        settings: { ...before.settings, ...event.data.changes },
        pins: pinsAfter(before.pins, event.data.pins ?? {}),
      };
    case "CampaignCancelled":
      return { status: "CANCELLED", ...UNPAUSED };
    case "CampaignCompleted":
      return { status: "COMPLETED", completedAt: event.data.at, ...UNPAUSED };
    default:
      return {};
  }
}

function pinsAfter(before: CampaignDetail["pins"], changed: ChangedPins): CampaignDetail["pins"] {
  const { phoneNumberId, greetingMessage, specialInstructions, assistant, squad } = changed;
  return {
    ...before,
    ...(phoneNumberId === undefined ? {} : { phoneNumberId }),
    ...(greetingMessage === undefined ? {} : { greetingMessage }),
    ...(specialInstructions === undefined ? {} : { specialInstructions }),
    ...(assistant === undefined
      ? {}
      : { assistantId: assistant.assistantId, assistantVersion: assistant.assistantVersion }),
    ...(squad === undefined ? {} : { squadId: squad?.squadId ?? null }),
  };
}

/** The record of docs/api.md §5 and its statistics. */
export function campaignWithStatistics(row: Omit<CampaignRow, "revision">): CampaignWithStatistics {
  return { campaign: campaignRecord(row), statistics: statisticsOf(row.detail.tally) };
}

export function campaignRecord({ id, owner, status, detail }: Omit<CampaignRow, "revision">): CampaignRecord {
  const { pins, settings, tally } = detail;
  return {
    id,
    name: settings.name,
    status,
    phoneNumberId: pins.phoneNumberId,
    assistantId: pins.assistantId,
    assistantVersion: pins.assistantVersion,
    squadId: pins.squadId,
    userId: owner,
    totalContacts: totalOf(tally),
    successfulCalls: tally.succeeded,
    failedCalls: tally.failed,
    pendingCalls: tally.pending + tally.waitingRetry,
    activeCalls: tally.dialing,
    skippedContacts: tally.skipped,
    maxConcurrentCalls: settings.maxConcurrentCalls,
    maxRetries: settings.maxRetries,
    retryIntervalMins: settings.retryIntervalMins,
    retryOn: settings.retryOn,
    retryPlan: settings.retryPlan ?? [],
    timezone: settings.timezone,
    ...fieldsOfWindow(settings.window),
    startAt: settings.startAt ?? null,
    eligibility: settings.eligibility ?? null,
    pauseReason: detail.pauseReason,
    nextWindowOpensAt: detail.nextWindowOpensAt,
    metadata: {
      ...(pins.greetingMessage === null ? {} : { greetingMessage: pins.greetingMessage }),
      ...(pins.specialInstructions === null ? {} : { specialInstructions: pins.specialInstructions }),
      ...pins.metadata,
    },
    createdAt: detail.createdAt,
    updatedAt: detail.updatedAt,
    startedAt: detail.startedAt,
    completedAt: detail.completedAt,
  };
}
