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
import type { WaysOut } from "../connections/ways-out.ts";

export type OpenModelsDeps = {
  readonly connections: Pick<Connections, "open">;
  readonly ways: Pick<WaysOut, "ofOwners" | "ofInstallation">;
  /** Speaks where the installation has no model of its own. */
  readonly scripted: (seed: string) => Promise<LanguageModel>;
};

/** The key is read each time, so that a changed one is used from the next answer on. */
export function openModels({ connections, ways, scripted }: OpenModelsDeps): LanguageModels {
  return {
    async open(owner, connectionId, seed) {
      const opened = await openedConnection(connections, owner, connectionId ?? DEFAULT_MODEL_CONNECTION);
      if (opened === null && connectionId === null) return scripted(seed);
      if (opened?.kind !== "model") throw new ModelFailure("refused", "The model's connection is gone");
      return modelOf(opened, ways);
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

/** Loading the client takes a tenth of a second, so it is loaded only when it is used. */
async function modelOf(
  { default: isDefault, settings, secrets }: Extract<OpenedConnection, { kind: "model" }>,
  { ofOwners, ofInstallation }: OpenModelsDeps["ways"],
): Promise<LanguageModel> {
  const { openAiModel } = await import("./openai/openai-model.ts");
  const { fetch } = isDefault ? ofInstallation : ofOwners;
  return openAiModel({ baseUrl: settings.baseUrl, apiKey: secrets.apiKey, fetch }, settings.defaultModel);
}
