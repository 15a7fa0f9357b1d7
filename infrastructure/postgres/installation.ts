import type pg from "pg";
import { type Instant, instantFromMillis } from "../../domain/shared/instant.ts";

/** Identity of the installation at the carriers, which does not change when its database is restored. */
export type Installation = {
  readonly id: string;
  /**
   * Calls up to this time that the log does not know were accepted at a start with
   * `ACCEPT_RESTORED`; null: never.
   */
  readonly acceptedUntil: Instant | null;
};

/** A cluster that began as a copy has none yet, and gets its own now. */
export async function readInstallation(pool: pg.Pool): Promise<Installation> {
  let row = await rowOf(pool);
  if (row === undefined) {
    await pool.query(NEW);
    row = await rowOf(pool);
  }
  if (row === undefined) throw new Error("work.installation is empty");
  const { id, accepted_until: until } = row;
  return { id, acceptedUntil: until === null ? null : instantFromMillis(until.getTime()) };
}

const NEW = "insert into work.installation (id) values (gen_random_uuid()::text) on conflict do nothing";

async function rowOf(pool: pg.Pool) {
  const { rows } = await pool.query<{ id: string; accepted_until: Date | null }>(
    "select id, accepted_until from work.installation",
  );
  return rows[0];
}

/** So that nobody else takes its identity for its own. */
export async function forgetInstallation(pool: pg.Pool): Promise<void> {
  await pool.query("delete from work.installation");
}

/** By the carrier's clock; never moved back. */
export async function acceptCallsUntil(pool: pg.Pool, until: Instant): Promise<void> {
  await pool.query(
    "update work.installation set accepted_until = greatest(accepted_until, $1::timestamptz)",
    [until],
  );
}
