import type { ListStanding } from "../../domain/policy/list-age.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { SuppressionListEvent } from "../../domain/suppression/events.ts";

/** A change of a list that may not be in the log yet. */
export type ListChange = {
  readonly sequence: number;
  /** Drawn with the change: the id of its event. */
  readonly eventId: string;
  /** Id of the API key that made it. */
  readonly actor: string;
  readonly event: SuppressionListEvent;
};

/**
 * Lists of numbers that are not called, beside the do-not-call list. The settings have them, the log tells of
 * each change.
 */
export interface SuppressionLists {
  /** From a cache, as a rule less than a second old. */
  standing(owner: OwnerId): Promise<ListStanding>;
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
