import type { ConnectionRecord } from "../../../contract/connection.ts";
import type {
  AnySecrets,
  AnySettings,
  ConnectionKind,
  GivenSecrets,
  KeptSettings,
} from "../../../contract/connection-settings.ts";
import type { ConnectedCarrier } from "../../../domain/call/carrier-identity.ts";
import type { ConnectionId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Page, PageRequest } from "../queries/pages.ts";
import type { WebhookUrlRefusal } from "../webhook-settings.ts";
import type { Made, Saved } from "./saved.ts";

/** The kinds that have an adapter, each with its readable settings and its secrets. */
export type ConnectionDetails = {
  readonly [Kind in ConnectionKind]: {
    readonly kind: Kind;
    readonly settings: KeptSettings[Kind];
    readonly secrets: Secrets[Kind];
  };
}[ConnectionKind];

/** Of the model a key may be missing, but only for the installation's own server. */
type Secrets = Omit<GivenSecrets, "model"> & { readonly model: { readonly apiKey: string | null } };

/** Connections through which calls go. */
export type CarrierDetails = Extract<ConnectionDetails, { kind: ConnectedCarrier }>;

export type ConnectionDraft = ConnectionDetails & { readonly name: string };

/** Only settings and secrets of the connection's kind. */
export type ConnectionChanges = {
  readonly name?: string;
  readonly settings?: AnySettings;
  readonly secrets?: AnySecrets;
};

/** What an adapter needs to connect. */
export type OpenedConnection = ConnectionDetails & { readonly default: boolean };

/** Ids of owners' connections never begin with this. */
const INSTALLATION = "conn_default_";

/** From the environment, named after its kind, available to every owner. */
export function isInstallations(id: ConnectionId): boolean {
  return id.startsWith(INSTALLATION);
}

export function installationsOwn(kind: ConnectedCarrier): ConnectionId {
  return `${INSTALLATION}${kind}`;
}

/** The installation's default model, for every owner. */
export const DEFAULT_MODEL_CONNECTION: ConnectionId = `${INSTALLATION}model`;

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
