import type { CampaignSettings } from "../../../domain/campaign/settings.ts";
import type { CallId, ContactId } from "../../../domain/shared/ids.ts";
import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";
import type { EventOrigin } from "../../log/append-events.ts";
import type { Outcome } from "../../outcome.ts";

/** What a user wants of a campaign, or the watchdog has to tell it; it is carried out where the campaign's lease is. */
export type CampaignIntent =
  | { readonly kind: "start" }
  | { readonly kind: "pause" }
  | { readonly kind: "resume" }
  | { readonly kind: "cancel"; readonly hangUpActiveCalls: boolean }
  | { readonly kind: "change"; readonly changes: Partial<CampaignSettings> }
  | { readonly kind: "skip"; readonly contactId: ContactId }
  /** The call was given up: its end will never be told. */
  | { readonly kind: "give_up_call"; readonly callId: CallId };

const KINDS: ReadonlySet<unknown> = new Set([
  "start",
  "pause",
  "resume",
  "cancel",
  "change",
  "skip",
  "give_up_call",
]);

/** The intent and its origin as a row of the queue holds them. */
export function writeIntent(intent: CampaignIntent, origin: EventOrigin): JsonObject {
  return { intent: asJson(intent), origin: asJson(origin) };
}

/** Rows are written by `writeIntent` alone; null for one of a release that this one does not know. */
export function readIntent(
  payload: JsonObject,
): { readonly intent: CampaignIntent; readonly origin: EventOrigin } | null {
  const row = payload as { readonly intent?: CampaignIntent; readonly origin?: EventOrigin };
  if (row.intent === undefined || row.origin === undefined || !KINDS.has(row.intent.kind)) return null;
  return { intent: row.intent, origin: row.origin };
}

export function writeAnswer(answer: Outcome<null>): JsonObject {
  return { answer: asJson(answer) };
}

/** null: not an answer of `writeAnswer`. */
export function readAnswer(payload: JsonObject): Outcome<null> | null {
  const row = payload as { readonly answer?: Outcome<null> };
  return row.answer ?? null;
}

function asJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
