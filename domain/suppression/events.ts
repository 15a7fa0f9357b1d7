import type { OwnerId, SuppressionListId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";

/** What a list of numbers is: the owner's own, a public registry, people who sue, another. */
export type SuppressionListKind = "own" | "registry" | "litigators" | "other";

/**
 * `at` only rises within a list: the settings say it of their latest change, too, so that settings older than
 * the log are known.
 */
type ListMoment = {
  readonly owner: OwnerId;
  readonly listId: SuppressionListId;
  readonly name: string;
  readonly kind: SuppressionListKind;
  readonly at: Instant;
};

/** The list was made, renamed, switched on or off, or deleted; as it is since then. */
export type SuppressionListChanged = {
  readonly type: "SuppressionListChanged";
  readonly data: ListMoment & { readonly active: boolean; readonly deleted: boolean };
};

/** Other numbers stand on the list from then on. The numbers themselves are in no event. */
export type SuppressionListReplaced = {
  readonly type: "SuppressionListReplaced";
  readonly data: ListMoment & {
    readonly count: number;
    /** Of the bytes of the file; hexadecimal. */
    readonly sha256: string;
    /** The day of the list, as whoever loaded it says. */
    readonly asOf: Instant;
  };
};

export type SuppressionListEvent = SuppressionListChanged | SuppressionListReplaced;

/** No decider has them, because the settings of lists are records. */
export const listEventTypes: ReadonlySet<SuppressionListEvent["type"]> = new Set([
  "SuppressionListChanged",
  "SuppressionListReplaced",
]);
