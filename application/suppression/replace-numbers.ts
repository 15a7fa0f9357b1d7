import type { RejectedRow, ReplacedListNumbers } from "../../contract/list-numbers.ts";
import type { SuppressionListId } from "../../domain/shared/ids.ts";
import { type Instant, millisOf } from "../../domain/shared/instant.ts";
import { type Caller, type Refusal, refused } from "../outcome.ts";
import type { Clock } from "../ports/clock.ts";
import { DEFAULT_LIST } from "../ports/configuration/suppression-lists.ts";
import type { ListLoad, ListNumbers } from "../ports/list-numbers.ts";

/** A file as it was read to its end. */
export type NumbersFile = {
  /** Digits of E.164, ascending, each once. */
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly duplicates: number;
  readonly rejected: { readonly count: number; readonly items: readonly RejectedRow[] };
  /** Of the file's bytes, hexadecimal. */
  readonly sha256: string;
};

export type ReplaceNumbersRequest = {
  readonly listId: SuppressionListId;
  /** null: now. */
  readonly asOf: Instant | null;
  /** Also a list that loses more than a fifth of its numbers. */
  readonly force: boolean;
  /** Reads the file; called once the list is taken. */
  readonly read: () => Promise<NumbersFile>;
  readonly signal: AbortSignal;
};

export type NumbersReplaced =
  | { readonly ok: true; readonly value: ReplacedListNumbers }
  | { readonly ok: false; readonly refusal: Refusal };

type Deps = { readonly listNumbers: ListNumbers; readonly clock: Clock };

/** Clocks differ. */
const AHEAD_MILLIS = 60_000;
/** A list of fewer numbers may shrink as it likes. */
const FEW_NUMBERS = 100;

/**
 * PUT /suppression-lists/:id/numbers. The numbers before count until the new ones do, whatever happens on the
 * way; a refusal leaves them.
 */
export async function replaceNumbers(
  { listNumbers, clock }: Deps,
  { owner, actor }: Caller,
  request: ReplaceNumbersRequest,
): Promise<NumbersReplaced> {
  const { listId, asOf, signal } = request;
  if (asOf !== null && millisOf(asOf) > clock.nowMillis() + AHEAD_MILLIS)
    return refused("VALIDATION_ERROR", "The day of the list is in the future", [
      { path: ["asOf"], message: "Must not be in the future" },
    ]);
  if (listId === DEFAULT_LIST)
    return refused("CONFLICT", "spl_default is changed number by number: POST /suppressions");
  const load = await listNumbers.begin(owner, listId);
  if (load === "too_many")
    return refused("CONCURRENCY_LIMIT_REACHED", "Two other lists are being loaded: try again later");
  if (typeof load === "string") return REFUSED[load];
  try {
    const file = await request.read();
    const refusal = refusalOf(file, load, request.force);
    if (refusal !== null) return refusal;
    const { numbers, duplicates, rejected, sha256 } = file;
    const loaded = { numbers, sha256, asOf: asOf ?? clock.now(), by: actor };
    const counts = await load.replace(loaded, signal);
    if (typeof counts === "string") return REFUSED[counts];
    return { ok: true, value: { count: numbers.length, ...counts, duplicates, rejected } };
  } finally {
    await load.end();
  }
}

const REFUSED = {
  not_found: refused("SUPPRESSION_LIST_NOT_FOUND", "Suppression list not found"),
  busy: refused("LIST_BUSY", "Another upload is loading this list: try again when it has ended"),
};

function refusalOf(
  { numbers: { length: count }, duplicates, rejected }: NumbersFile,
  { before }: ListLoad,
  force: boolean,
) {
  const rows = count + duplicates + rejected.count;
  if (rejected.count * 100 > rows)
    return unusable(
      `${rejected.count} of ${rows} rows have no number, which is more than 1 %`,
      rejected.items.map(({ line, reason }) => ({ path: ["file", line], message: reason })),
    );
  if (count === 0) return unusable("Has no numbers");
  if (force || before < FEW_NUMBERS || count >= 0.8 * before) return null;
  return refused(
    "LIST_SHRINKS",
    `The file has ${count} numbers, the list has ${before}: less than 80 %. With force=true it is taken all the same`,
  );
}

function unusable(message: string, rows: Refusal["details"] = []) {
  return refused("VALIDATION_ERROR", "The file cannot be taken", [{ path: ["file"], message }, ...rows]);
}
