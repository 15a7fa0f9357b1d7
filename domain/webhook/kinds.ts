import type { CampaignEvent, CampaignStatus } from "../campaign/events.ts";
import type { CallId, CampaignId } from "../shared/ids.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";

type AboutCall = {
  /** The subject of the event; it also carries the data of that subject. */
  readonly about: "call";
  /**
   * `sequence` of its data: its place among the kinds of one call, or that of the first where there may be
   * several. It is sent after the kinds with a lower one.
   */
  readonly sequence: number;
  /** A call may have several, each with the next place; else it has one. */
  readonly repeats: boolean;
  /** It waits some time for the recording and for the campaign's decision (`PendingEnd`). */
  readonly waitsForFacts: boolean;
  readonly byDefault: boolean;
  readonly when: string;
};

type AboutCampaign = {
  readonly about: "campaign";
  /**
   * The event type that it announces, one for each kind. The revision of that event orders the
   * kinds of one campaign.
   */
  readonly tells: CampaignEvent["type"];
  /** Status of the campaign after that event, for the sample. */
  readonly status: CampaignStatus;
  readonly byDefault: boolean;
  readonly when: string;
};

/** It names no call and no campaign by itself: events about one number come in their order. */
type AboutNumber = {
  readonly about: "number";
  readonly byDefault: boolean;
  readonly when: string;
};

/**
 * Every kind of webhook event. A kind that is added here is accepted in settings, filters and tests of an
 * endpoint, queued, sent in order, replayed and documented. The compiler asks for the body of a call kind and
 * of a number kind; a campaign kind needs nothing else. `byDefault`: sent to endpoints that name no kinds.
 * `when`: the sentence of the document.
 */
export const WEBHOOK_KINDS = {
  "call.started": {
    about: "call",
    sequence: 1,
    repeats: false,
    waitsForFacts: false,
    byDefault: true,
    when: "The other party has answered.",
  },
  "call.ended": {
    about: "call",
    sequence: 2,
    repeats: false,
    waitsForFacts: true,
    byDefault: true,
    when: "The call is over, answered or not. Sent once for every call.",
  },
  "call.analyzed": {
    about: "call",
    sequence: 3,
    repeats: true,
    waitsForFacts: false,
    byDefault: false,
    when: "An analysis of what the call brought home has been answered, or was given up.",
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
  "number.suppressed": {
    about: "number",
    byDefault: false,
    when: "The number is on the do-not-call list from now on, or it was there and somebody asked for it on a call.",
  },
} as const satisfies Readonly<Record<string, AboutCall | AboutCampaign | AboutNumber>>;

type Kinds = typeof WEBHOOK_KINDS;
export type WebhookEventKind = keyof Kinds;
type KindAbout<Subject extends Kinds[WebhookEventKind]["about"]> = {
  [K in WebhookEventKind]: Kinds[K]["about"] extends Subject ? K : never;
}[WebhookEventKind];
export type CallWebhookKind = KindAbout<"call">;
/** A call has at most one of it. */
export type CallOnceKind = {
  [K in CallWebhookKind]: Kinds[K]["repeats"] extends true ? never : K;
}[CallWebhookKind];
export type CampaignWebhookKind = KindAbout<"campaign">;
export type NumberWebhookKind = KindAbout<"number">;

/** In the order of the table. */
export const ALL_KINDS: readonly WebhookEventKind[] = namesOf(WEBHOOK_KINDS);
export const CALL_KINDS: readonly CallWebhookKind[] = ALL_KINDS.filter(isCallKind);
export const CALL_ONCE_KINDS: readonly CallOnceKind[] = CALL_KINDS.filter(isOnce);
export const CAMPAIGN_KINDS: readonly CampaignWebhookKind[] = ALL_KINDS.filter(isCampaignKind);
export const NUMBER_KINDS: readonly NumberWebhookKind[] = ALL_KINDS.filter(isNumberKind);
export const DEFAULT_KINDS: readonly WebhookEventKind[] = ALL_KINDS.filter(
  (kind) => WEBHOOK_KINDS[kind].byDefault,
);
/** Kinds that may wait as a pending end. */
export const KINDS_WITH_FACTS: readonly CallWebhookKind[] = CALL_KINDS.filter(
  (kind) => WEBHOOK_KINDS[kind].waitsForFacts,
);

export function isCallKind(kind: WebhookEventKind): kind is CallWebhookKind {
  return WEBHOOK_KINDS[kind].about === "call";
}

function isOnce(kind: CallWebhookKind): kind is CallOnceKind {
  return !WEBHOOK_KINDS[kind].repeats;
}

function isCampaignKind(kind: WebhookEventKind): kind is CampaignWebhookKind {
  return WEBHOOK_KINDS[kind].about === "campaign";
}

export function isNumberKind(kind: WebhookEventKind): kind is NumberWebhookKind {
  return WEBHOOK_KINDS[kind].about === "number";
}

/** The kind that announces events of this type; null: none. */
export function kindThatTells(type: string): CampaignWebhookKind | null {
  return CAMPAIGN_KINDS.find((kind) => WEBHOOK_KINDS[kind].tells === type) ?? null;
}

/** Events with the same subject are sent one after the other. null: a test, which has no subject. */
export function subjectOf({
  callId,
  campaignId,
  phoneNumber = null,
}: {
  readonly callId: CallId | null;
  readonly campaignId: CampaignId | null;
  readonly phoneNumber?: PhoneNumber | null;
}): CallId | CampaignId | PhoneNumber | null {
  return callId ?? campaignId ?? phoneNumber;
}

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  const names: Name[] = [];
  for (const name in table) names.push(name);
  return names;
}
