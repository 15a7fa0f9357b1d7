import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";

/** What an assistant thinks with. */
export type ModelUse = {
  readonly owner: OwnerId;
  /** null: the installation's own model. */
  readonly connectionId: ConnectionId | null;
  /** null: the default of the connection. */
  readonly model: string | null;
};

/** Finds out whether a model answers: a short question. */
export interface AssistantCheck {
  /** Never rejects; false: not yet. Gives up by itself, within 10 s. */
  check(use: ModelUse): Promise<boolean>;
}
