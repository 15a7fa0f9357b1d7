import type { CampaignEvent, CampaignStatus } from "../campaign/events.ts";
import type { CallId, CampaignId } from "../shared/ids.ts";

type AboutCall = {
  /** What it is about; it carries what belongs to that. */
  readonly about: "call";
  /** Its place among the kinds of one call: `sequence` of its data. It goes out after the kinds with a lower one. */
  readonly sequence: number;
  /** It waits a while for the recording and for what the campaign decided (`PendingEnd`). */
  readonly waitsForFacts: boolean;
  readonly byDefault: boolean;
  readonly when: string;
};

type AboutCampaign = {
  readonly about: "campaign";
  /** The event that it tells, one kind for each. The revision of that event is its place among the kinds of one campaign. */
  readonly tells: CampaignEvent["type"];
  /** Of the campaign after that event; a sample shows it. */
  readonly status: CampaignStatus;
  readonly byDefault: boolean;
  readonly when: string;
};

/**
 * Every kind of webhook event. A kind that is added here is taken in settings, filters and tests of an endpoint, queued, sent in its order, replayed
 * and documented. The compiler asks for the body of a kind of call; a kind of campaign needs nothing else. `byDefault`: sent to an endpoint that
 * names no kinds. `when`: the sentence of the document.
 */
export const WEBHOOK_KINDS = {
  "call.started": {
    about: "call",
    sequence: 1,
    waitsForFacts: false,
    byDefault: true,
    when: "The other party has answered.",
  },
  "call.ended": {
    about: "call",
    sequence: 2,
    waitsForFacts: true,
    byDefault: true,
    when: "The call is over, answered or not. Sent once for every call.",
  },
  "campaign.started": {
    about: "campaign",
    tells: "CampaignStarted",
    status: "RUNNING",
    byDefault: false,
    when: "The campaign was started.",
  },
  "campaign.paused": {
    about: "campaign",
    tells: "CampaignPaused",
    status: "PAUSED",
    byDefault: false,
    when: "The campaign was paused, by its owner or by itself, or the reason of its pause is another one now.",
  },
  "campaign.resumed": {
    about: "campaign",
    tells: "CampaignResumed",
    status: "RUNNING",
    byDefault: false,
    when: "The campaign goes on, resumed by its owner or by itself.",
  },
  "campaign.completed": {
    about: "campaign",
    tells: "CampaignCompleted",
    status: "COMPLETED",
    byDefault: false,
    when: "Nobody is left to call.",
  },
  "campaign.cancelled": {
    about: "campaign",
    tells: "CampaignCancelled",
    status: "CANCELLED",
    byDefault: false,
    when: "The campaign was cancelled. Calls that are live then may end later.",
  },
} as const satisfies Readonly<Record<string, AboutCall | AboutCampaign>>;

type Kinds = typeof WEBHOOK_KINDS;
export type WebhookEventKind = keyof Kinds;
export type CallWebhookKind = {
  [K in WebhookEventKind]: Kinds[K]["about"] extends "call" ? K : never;
}[WebhookEventKind];
export type CampaignWebhookKind = Exclude<WebhookEventKind, CallWebhookKind>;

/** In the order of the table. */
export const ALL_KINDS: readonly WebhookEventKind[] = namesOf(WEBHOOK_KINDS);
export const CALL_KINDS: readonly CallWebhookKind[] = ALL_KINDS.filter(isCallKind);
export const CAMPAIGN_KINDS: readonly CampaignWebhookKind[] = ALL_KINDS.filter(isCampaignKind);
export const DEFAULT_KINDS: readonly WebhookEventKind[] = ALL_KINDS.filter(
  (kind) => WEBHOOK_KINDS[kind].byDefault,
);
/** Those that may wait as a pending end. */
export const KINDS_WITH_FACTS: readonly CallWebhookKind[] = CALL_KINDS.filter(
  (kind) => WEBHOOK_KINDS[kind].waitsForFacts,
);

export function isCallKind(kind: WebhookEventKind): kind is CallWebhookKind {
  return WEBHOOK_KINDS[kind].about === "call";
}

function isCampaignKind(kind: WebhookEventKind): kind is CampaignWebhookKind {
  return !isCallKind(kind);
}

/** The kind that tells events of this type; null: none does. */
export function kindThatTells(type: string): CampaignWebhookKind | null {
  return CAMPAIGN_KINDS.find((kind) => WEBHOOK_KINDS[kind].tells === type) ?? null;
}

/** No kind goes out after it about the same call. */
export function isLastOfCall(kind: WebhookEventKind): boolean {
  if (!isCallKind(kind)) return false;
  const { sequence } = WEBHOOK_KINDS[kind];
  return CALL_KINDS.every((other) => WEBHOOK_KINDS[other].sequence <= sequence);
}

/** Events about the same one go out one after the other. null: a test, which is about nothing. */
export function subjectOf({
  callId,
  campaignId,
}: {
  readonly callId: CallId | null;
  readonly campaignId: CampaignId | null;
}): CallId | CampaignId | null {
  return callId ?? campaignId;
}

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  const names: Name[] = [];
  for (const name in table) names.push(name);
  return names;
}
