import type { OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { SuppressionListEvent } from "../../domain/suppression/events.ts";

/** What the active lists of an owner are, as far as dialling asks. */
export type ListsStanding = {
  /** Active lists of kind `registry`. */
  readonly registries: number;
  /** Of them the oldest; null: there is none, or one has no numbers yet. */
  readonly oldestAsOf: Instant | null;
  /** The log knows later numbers of an active list than the settings have (a restored database). */
  readonly isBehind: boolean;
};

/** A change of a list that may not be in the log yet. */
export type ListChange = {
  readonly sequence: number;
  /** Drawn with the change: the id of its event. */
  readonly eventId: string;
  /** Id of the API key that made it. */
  readonly actor: string;
  readonly event: SuppressionListEvent;
};

/** Lists of numbers that are not called, beside the do-not-call list; the settings have them, the log says when. */
export interface SuppressionLists {
  /** From a cache, as a rule less than a second old. */
  standing(owner: OwnerId): Promise<ListsStanding>;
  /** Called soon after a commit that changed one of the owner's lists, also of another process. */
  onChange(listener: (owner: OwnerId) => void): () => void;
  /** Changes whose event is not known to be in the log, the oldest first. */
  unpublished(limit: number): Promise<readonly ListChange[]>;
  /** Its event is in the log. */
  published(change: ListChange): Promise<void>;
  /**
   * What the log says of a list, in its order. What is newer than the settings is taken over; numbers that
   * the settings do not have leave the list behind until it is loaded again.
   */
  follow(event: SuppressionListEvent): Promise<void>;
}
