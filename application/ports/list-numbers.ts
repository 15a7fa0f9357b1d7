import type { OwnerId, SuppressionListId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** The numbers of lists that are not called. Those that count are replaced at once, or not at all. */
export interface ListNumbers {
  /**
   * Takes the list for one upload, until `end`, or until this process has not been heard of for 30 s. busy:
   * another upload has it; too_many: two other lists of the owner are being loaded.
   */
  begin(owner: OwnerId, listId: SuppressionListId): Promise<ListLoad | "not_found" | "busy" | "too_many">;
}

export type ListLoad = {
  /** Number of numbers that count now. */
  readonly before: number;
  /**
   * Writes them beside the ones before, in steps of less than a second, then they count by one commit.
   * Rejects when `signal` aborts between two steps. busy: another upload has the list by now; not_found: it
   * was deleted.
   */
  replace(file: LoadedFile, signal: AbortSignal): Promise<ReplacedCounts | "busy" | "not_found">;
  /** What was written and does not count is removed later. */
  end(): Promise<void>;
};

export type LoadedFile = {
  /** Digits of E.164, ascending, each once. */
  readonly numbers: Float64Array;
  /** Of the file's bytes, hexadecimal. */
  readonly sha256: string;
  readonly asOf: Instant;
  /** Id of the API key. */
  readonly by: string;
};

export type ReplacedCounts = { readonly added: number; readonly removed: number };
