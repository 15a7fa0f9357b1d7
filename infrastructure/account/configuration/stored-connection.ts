import type { Kysely } from "kysely";
import { z } from "zod";
import type {
  ConnectionDetails,
  ConnectionDraft,
} from "../../../application/ports/configuration/connections.ts";
import type { SecretBox } from "../../../application/ports/secret-box.ts";
import type { ConnectionRecord } from "../../../contract/connection.ts";
import type { ConnectionId, OwnerId } from "../../../domain/shared/ids.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { ownersRecords } from "./owners-records.ts";
import type { ConfigurationTables } from "./tables.ts";

type Place = { readonly owner_id: OwnerId; readonly id: ConnectionId };

type StoredConnection = Place & {
  readonly kind: string;
  readonly name: string;
  readonly settings: unknown;
  readonly sealed: Uint8Array;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** Fields added by a later release have a default here for older rows. */
const modelSettings = z.object({ baseUrl: z.string(), defaultModel: z.string() });
const postgresSettings = z.object({
  host: z.string(),
  port: z.number(),
  database: z.string(),
  user: z.string(),
  tls: z.boolean(),
});

const twilioSettings = z.object({
  accountSid: z.string(),
  callsPerSecond: z.number(),
  baseUrl: z.string().nullable(),
});
const asteriskSettings = z.object({
  url: z.string(),
  user: z.string(),
  context: z.string(),
  callsPerSecond: z.number().nullable(),
  maxConcurrentCalls: z.number().nullable(),
});

const readable = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("model"), settings: modelSettings }),
  z.object({ kind: z.literal("postgres"), settings: postgresSettings }),
  z.object({ kind: z.literal("twilio"), settings: twilioSettings }),
  z.object({ kind: z.literal("asterisk"), settings: asteriskSettings }),
]);

const whole = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("model"), settings: modelSettings, secrets: z.object({ apiKey: z.string() }) }),
  z.object({
    kind: z.literal("postgres"),
    settings: postgresSettings,
    secrets: z.object({ password: z.string() }),
  }),
  z.object({
    kind: z.literal("twilio"),
    settings: twilioSettings,
    secrets: z.object({ authToken: z.string() }),
  }),
  z.object({
    kind: z.literal("asterisk"),
    settings: asteriskSettings,
    secrets: z.object({ password: z.string() }),
  }),
]);

/** Settings that were checked for their kind when they were written. */
export function parseDetails(details: {
  readonly kind: string;
  readonly settings: unknown;
  readonly secrets: unknown;
}): ConnectionDetails {
  return whole.parse(details);
}

export const storedConnections = (db: Kysely<ConfigurationTables>) =>
  ownersRecords(db, "config.connections", recordOf);

function recordOf(row: StoredConnection): ConnectionRecord {
  return {
    id: row.id,
    name: row.name,
    default: false,
    ...readable.parse(row),
    createdAt: instantOfDate(row.created_at),
    updatedAt: instantOfDate(row.updated_at),
  };
}

/** The columns of a draft; the secrets as JSON, encrypted for this row only. */
export function columnsOf(box: SecretBox, place: Place, { name, settings, secrets }: ConnectionDraft) {
  const sealed = Buffer.from(box.seal(JSON.stringify(secrets), contextOf(place)));
  return { name, settings: JSON.stringify(settings), sealed };
}

/** Throws when the row was moved or changed. */
export function openDetails(box: SecretBox, row: StoredConnection): ConnectionDetails {
  const secrets: unknown = JSON.parse(box.open(row.sealed, contextOf(row)));
  return parseDetails({ kind: row.kind, settings: row.settings, secrets });
}

function contextOf({ owner_id, id }: Place): string {
  return `connection ${owner_id} ${id}`;
}
