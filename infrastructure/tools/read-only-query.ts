import pg from "pg";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { LentClient } from "./query-client.ts";

export const MOST_ROWS = 50;
const MOST_BYTES = 4 * 1024 * 1024;
const WATCH_MILLIS = 20;

/** `standard_conforming_strings`: as the lexer of named parameters reads strings. */
const BEGIN = `begin read only;
  set local statement_timeout = '2s';
  set local lock_timeout = '2s';
  set local standard_conforming_strings = on`;

export type ReadRows = { readonly rows: readonly JsonObject[]; readonly more: boolean };

/** The answer exceeds the limit. */
export class TooMuchData extends Error {
  override readonly name = "TooMuchData";
}

/**
 * At most 50 rows of one read-only query. A cursor's grammar accepts only SELECT, VALUES and TABLE, and the
 * extended protocol only one statement, so nothing ends the transaction or makes it write. The connection is
 * released in its original state, or destroyed.
 */
export async function readOnlyQuery(
  lent: LentClient,
  { text, values }: { readonly text: string; readonly values: readonly (string | null)[] },
  stop: AbortSignal,
): Promise<ReadRows> {
  const { client, bytesRead, destroy } = lent;
  const before = bytesRead();
  const isTooMuch = () => bytesRead() - before > MOST_BYTES;
  const watch = setInterval(() => isTooMuch() && destroy(), WATCH_MILLIS);
  stop.addEventListener("abort", destroy, { once: true });
  try {
    stop.throwIfAborted();
    await client.query(BEGIN);
    const declare = `declare ringfold no scroll cursor for ${text}`;
    await client.query(extended(declare, values));
    const fetch = { text: `fetch ${MOST_ROWS + 1} from ringfold`, types: TYPES };
    const { rows } = await client.query<JsonObject>(fetch);
    if (isTooMuch()) throw new TooMuchData();
    await client.query("rollback");
    // Session state that a function left, such as an advisory lock, must not affect the next query.
    await client.query("discard all");
    lent.giveBack();
    return { rows: rows.slice(0, MOST_ROWS), more: rows.length > MOST_ROWS };
  } catch (error) {
    const tooMuch = isTooMuch();
    destroy();
    throw tooMuch ? new TooMuchData() : error;
  } finally {
    clearInterval(watch);
    stop.removeEventListener("abort", destroy);
  }
}

/** Also without values: in the simple protocol one text may have several statements. */
function extended(text: string, values: readonly (string | null)[]) {
  return { text, values: [...values], queryMode: "extended" };
}

const { BOOL, INT2, INT4, FLOAT4, FLOAT8, JSON: JSON_TYPE, JSONB } = pg.types.builtins;
const AS_JSON = new Set<number>([BOOL, INT2, INT4, FLOAT4, FLOAT8, JSON_TYPE, JSONB]);

/** Numbers that fit a JavaScript number, booleans and JSON; everything else as PostgreSQL writes it. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (id: number) => (AS_JSON.has(id) ? pg.types.getTypeParser(id) : (text: string) => text),
};
