import {
  type ConnectionRecord,
  DEFAULT_MODEL_CONNECTION,
  type OpenedConnection,
} from "../../../application/ports/configuration/connections.ts";
import type { ConnectionId } from "../../../domain/shared/ids.ts";

/** No connection of an owner is called so. */
export const INSTALLATION_PREFIX = "conn_default_";

/** The installation's own model, from its environment. */
export type InstallationModel = {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
};

export type InstallationConnections = {
  readonly all: readonly ConnectionRecord[];
  get(id: ConnectionId): ConnectionRecord | null;
  open(id: ConnectionId): OpenedConnection | null;
};

/** What the environment names, as every owner sees it. */
export function installationConnections(model: InstallationModel | null): InstallationConnections {
  if (model === null) return { all: [], get: () => null, open: () => null };
  const settings = { baseUrl: model.baseUrl, defaultModel: model.model };
  const record: ConnectionRecord = {
    id: DEFAULT_MODEL_CONNECTION,
    kind: "model",
    name: "The installation's own model",
    default: true,
    settings,
    createdAt: null,
    updatedAt: null,
  };
  const opened: OpenedConnection = {
    kind: "model",
    default: true,
    settings,
    secrets: { apiKey: model.apiKey },
  };
  return {
    all: [record],
    get: (id) => (id === record.id ? record : null),
    open: (id) => (id === record.id ? opened : null),
  };
}
