import type { ConnectionRecord } from "../../../contract/connection.ts";
import type {
  AsteriskSettings,
  ModelSettings,
  PostgresSettings,
  TwilioSettings,
} from "../../../contract/connection-settings.ts";
import type { ConnectionId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Page, PageRequest } from "../queries/pages.ts";
import type { WebhookUrlRefusal } from "../webhook-settings.ts";
import type { Made, Saved } from "./saved.ts";

/** The kinds that have an adapter, each with its readable settings and its secrets. */
export type ConnectionDetails =
  | {
      readonly kind: "model";
      readonly settings: ModelSettings;
      /** null: only for the installation's own server, if that needs no key. */
      readonly secrets: { readonly apiKey: string | null };
    }
  | {
      readonly kind: "postgres";
      readonly settings: PostgresSettings;
      readonly secrets: { readonly password: string };
    }
  | {
      readonly kind: "twilio";
      readonly settings: TwilioSettings;
      readonly secrets: { readonly authToken: string };
    }
  | {
      readonly kind: "asterisk";
      readonly settings: AsteriskSettings;
      readonly secrets: { readonly password: string };
    };

/** Connections through which calls go. */
export type CarrierDetails = Extract<ConnectionDetails, { kind: "twilio" | "asterisk" }>;

/** Settings of any kind. */
type AnySettings = Omit<ModelSettings, "baseUrl"> &
  PostgresSettings &
  Omit<TwilioSettings, "callsPerSecond"> &
  AsteriskSettings;

export type ConnectionDraft = ConnectionDetails & { readonly name: string };

/** Only settings and secrets of the connection's kind. */
export type ConnectionChanges = {
  readonly name?: string;
  readonly settings?: Partial<AnySettings>;
  readonly secrets?: { readonly apiKey?: string; readonly password?: string; readonly authToken?: string };
};

/** What an adapter needs to connect. */
export type OpenedConnection = ConnectionDetails & { readonly default: boolean };

const INSTALLATION = "conn_default_";

/** From the environment, named after its kind, available to every owner. */
export function isInstallations(id: ConnectionId): boolean {
  return id.startsWith(INSTALLATION);
}

export function installationsOwn(kind: "twilio" | "asterisk"): ConnectionId {
  return `${INSTALLATION}${kind}`;
}

/** The installation's default model, for every owner. */
export const DEFAULT_MODEL_CONNECTION: ConnectionId = "conn_default_model";

export type ConnectionNotFound = { readonly reason: "not_found" };
export type ConnectionImmutable = { readonly reason: "default" };
/** `setting`: the one with the refused address. */
export type AddressRefused = {
  readonly reason: "address_refused";
  readonly setting: "baseUrl" | "url" | "host" | "port" | "tls";
  readonly refusal: WebhookUrlRefusal;
};
export type ConnectionInUse = { readonly reason: "in_use"; readonly usedBy: readonly string[] };

/**
 * Connections of one owner, and the installation's defaults. Lists: newest first, defaults before all. Only
 * `open` returns secrets.
 */
export interface Connections {
  create(
    owner: OwnerId,
    id: ConnectionId,
    draft: ConnectionDraft,
  ): Promise<Saved<Made<ConnectionRecord>, AddressRefused>>;
  get(owner: OwnerId, id: ConnectionId): Promise<ConnectionRecord | null>;
  list(owner: OwnerId, page: PageRequest<ConnectionId>): Promise<Page<ConnectionRecord, ConnectionId>>;
  /** Absent fields are not changed, also within settings and secrets. */
  change(
    owner: OwnerId,
    id: ConnectionId,
    changes: ConnectionChanges,
  ): Promise<Saved<ConnectionRecord, ConnectionNotFound | ConnectionImmutable | AddressRefused>>;
  delete(
    owner: OwnerId,
    id: ConnectionId,
  ): Promise<Saved<null, ConnectionNotFound | ConnectionImmutable | ConnectionInUse>>;
  /** For adapters, at the time of use. null: unknown, or deleted. */
  open(owner: OwnerId, id: ConnectionId): Promise<OpenedConnection | null>;
}
