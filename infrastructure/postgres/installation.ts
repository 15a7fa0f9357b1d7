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

export async function readInstallation(pool: pg.Pool): Promise<Installation> {
  const { rows } = await pool.query<{ id: string; accepted_until: Date | null }>(
    "select id, accepted_until from work.installation",
  );
  const [row] = rows;
  if (row === undefined) throw new Error("work.installation is empty: migration 0009 fills it");
  const { id, accepted_until: until } = row;
  return { id, acceptedUntil: until === null ? null : instantFromMillis(until.getTime()) };
}

/** By the carrier's clock; never moved back. */
export async function acceptCallsUntil(pool: pg.Pool, until: Instant): Promise<void> {
  await pool.query(
    "update work.installation set accepted_until = greatest(accepted_until, $1::timestamptz)",
    [until],
  );
}
