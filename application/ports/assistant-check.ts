import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";

/** The model that an assistant uses. */
export type ModelUse = {
  readonly owner: OwnerId;
  /** null: the installation's own model. */
  readonly connectionId: ConnectionId | null;
  /** null: the default of the connection. */
  readonly model: string | null;
};

/** Finds out whether a model answers, with a short question. */
export interface AssistantCheck {
  /** Never rejects; false: not healthy yet. Gives up within 10 s. */
  check(use: ModelUse): Promise<boolean>;
}
