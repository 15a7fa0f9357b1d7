import {
  type CarrierDetails,
  DEFAULT_MODEL_CONNECTION,
  installationsOwn,
  type OpenedConnection,
} from "../../../application/ports/configuration/connections.ts";
import type { ConnectionRecord } from "../../../contract/connection.ts";
import type { ConnectionId } from "../../../domain/shared/ids.ts";

/** The installation's default model, from its environment. */
export type InstallationModel = {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
};

/** The installation's defaults, from its environment. */
export type Installation = {
  /** null: there is none. */
  readonly model: InstallationModel | null;
  readonly carriers: readonly CarrierDetails[];
};

export type InstallationConnections = {
  readonly all: readonly ConnectionRecord[];
  get(id: ConnectionId): ConnectionRecord | null;
  open(id: ConnectionId): OpenedConnection | null;
};

type Own = { readonly record: ConnectionRecord; readonly opened: OpenedConnection };

/** The connections of the environment, as every owner sees them. */
export function installationConnections({ model, carriers }: Installation): InstallationConnections {
  const own = [...(model === null ? [] : [ownModel(model)]), ...carriers.map(ownCarrier)];
  const find = (id: ConnectionId) => own.find(({ record }) => record.id === id) ?? null;
  return {
    all: own.map(({ record }) => record),
    get: (id) => find(id)?.record ?? null,
    open: (id) => find(id)?.opened ?? null,
  };
}

const OWN = { default: true, createdAt: null, updatedAt: null } as const;

function ownModel(model: InstallationModel): Own {
  const details = {
    kind: "model",
    settings: { baseUrl: model.baseUrl, defaultModel: model.model },
  } as const;
  const name = "The installation's own model";
  return {
    record: { id: DEFAULT_MODEL_CONNECTION, name, ...details, ...OWN },
    opened: { ...details, default: true, secrets: { apiKey: model.apiKey } },
  };
}

function ownCarrier(details: CarrierDetails): Own {
  const { kind, settings } = details;
  const name = `The installation's own ${kind === "twilio" ? "Twilio account" : "Asterisk"}`;
  return {
    record: { id: installationsOwn(kind), kind, name, settings, ...OWN },
    opened: { ...details, default: true },
  };
}
