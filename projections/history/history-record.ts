import { callStream, campaignStream, squadStream } from "../../application/log/stream-names.ts";
import type { StoredEvent, StreamName } from "../../application/ports/event-store.ts";
import type { HistoryRecord } from "../../contract/history.ts";
import { unitsToCredits } from "../../domain/shared/credits.ts";
import type { CallId, CampaignId, SquadId } from "../../domain/shared/ids.ts";
import { type Instant, parseInstant } from "../../domain/shared/instant.ts";
import type { JsonObject, JsonValue } from "../../domain/shared/json.ts";

/**
 * The public form of an event (docs/api.md §4 and §8). A chunk of an import shows its place and size; its
 * contacts are visible from the seal on. Amounts are credits, as everywhere.
 */
export function historyRecord(stored: Omit<StoredEvent, "id">): HistoryRecord {
  const { position, stream, revision, type, data, metadata } = stored;
  const { correlationId, causationId, actor } = metadata;
  const shown = type === "ContactsImported" ? withoutContacts(data) : inCredits(type, data);
  return {
    position,
    stream,
    revision,
    type,
    data: shown,
    occurredAt: occurredAt(stored),
    correlationId,
    causationId,
    actor: actorOf(actor),
  };
}

const PROCESS = "process:";

function actorOf(actor: string): HistoryRecord["actor"] {
  return actor.startsWith(PROCESS)
    ? { kind: "process", id: actor.slice(PROCESS.length) }
    : { kind: "key", id: actor };
}

function withoutContacts({ contacts, ...data }: JsonObject): JsonObject {
  return { ...data, count: Array.isArray(contacts) ? contacts.length : 0 };
}

/** When it happened, from the event itself. */
function occurredAt({ data, created }: Pick<StoredEvent, "data" | "created">): Instant {
  const at = data["at"];
  return (typeof at === "string" ? parseInstant(at) : null) ?? created;
}

export function streamOfId(id: CallId | CampaignId | SquadId): StreamName {
  if (isCallId(id)) return callStream(id);
  return isCampaignId(id) ? campaignStream(id) : squadStream(id);
}

function isCallId(id: CallId | CampaignId | SquadId): id is CallId {
  return id.startsWith("call_");
}

function isCampaignId(id: CampaignId | SquadId): id is CampaignId {
  return id.startsWith("cmp_");
}

/** Paths of amounts in stored events, which are in ten-thousandths of a credit. A test finds missing ones. */
export const AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  CallRequested: ["pricePerMinute"],
  CallCompleted: ["cost"],
  CallFailed: ["cost"],
  ContactDialed: ["evidence.availableCredits"],
  ContactSucceeded: ["cost"],
  ContactCallbackScheduled: ["cost"],
  ContactAttemptFailed: ["cost"],
};

/**
 * The data of an event with its amounts in credits. A value that is not a number (written by somebody
 * else) is not changed.
 */
export function inCredits(type: string, data: JsonObject): JsonObject {
  const places = Object.hasOwn(AMOUNTS, type) ? (AMOUNTS[type] ?? []) : [];
  return places.reduce((shown, place) => changedAt(shown, place.split(".")), data);
}

function changedAt(data: JsonObject, [name = "", ...inside]: readonly string[]): JsonObject {
  const value = data[name];
  if (value === undefined) return data;
  return { ...data, [name]: inside.length === 0 ? credits(value) : within(value, inside) };
}

function within(value: JsonValue, place: readonly string[]): JsonValue {
  return isObject(value) ? changedAt(value, place) : value;
}

function credits(value: JsonValue): JsonValue {
  return typeof value === "number" ? unitsToCredits(value) : value;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
