import {
  type Connections,
  DEFAULT_MODEL_CONNECTION,
  type OpenedConnection,
} from "../../application/ports/configuration/connections.ts";
import {
  type LanguageModel,
  type LanguageModels,
  ModelFailure,
} from "../../application/ports/language-model.ts";
import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";
import type { Egress } from "../connections/egress.ts";
import { type MannersBook, serverName } from "../connections/server-manners.ts";
import { openAiModel } from "./openai/openai-model.ts";

export type OpenModelsDeps = {
  readonly connections: Pick<Connections, "open">;
  readonly egress: Pick<Egress, "ofOwners" | "ofInstallation">;
  /** Speaks where the installation has no model of its own. */
  readonly scripted: (seed: string) => Promise<LanguageModel>;
  readonly manners: MannersBook;
};

/** The key is read each time, so that a changed one is used from the next answer on. */
export function openModels({ connections, egress, manners, scripted }: OpenModelsDeps): LanguageModels {
  return {
    async open(owner, connectionId, seed) {
      const id = connectionId ?? DEFAULT_MODEL_CONNECTION;
      const opened = await openedConnection(connections, owner, id);
      if (opened === null && connectionId === null) return scripted(seed);
      if (opened?.kind !== "model") throw new ModelFailure("refused", "The model's connection is gone");
      const { default: isDefault, settings, secrets } = opened;
      const { baseUrl, defaultModel } = settings;
      const { fetch } = isDefault ? egress.ofInstallation : egress.ofOwners;
      const server = { baseUrl, apiKey: secrets.apiKey, fetch, manners, name: serverName(id, baseUrl) };
      return openAiModel(server, defaultModel);
    },
  };
}

/** Failures are mapped to the kinds that the caller knows, also while the database is unavailable. */
async function openedConnection(
  connections: Pick<Connections, "open">,
  owner: OwnerId,
  id: ConnectionId,
): Promise<OpenedConnection | null> {
  try {
    return await connections.open(owner, id);
  } catch {
    throw new ModelFailure("unavailable", "The model's connection cannot be read now");
  }
}
