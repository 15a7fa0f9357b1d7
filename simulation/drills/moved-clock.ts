import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type pg from "pg";
import { withClient } from "../../infrastructure/postgres/pool.ts";

/**
 * A wall clock for programs and their shared database. It stands still until it is started, so that a test
 * need not wait for a full hour.
 */
export type MovedClock = {
  /** Environment for every program that uses it. */
  readonly env: Readonly<Record<string, string>>;
  readonly goOnFrom: (millis: number) => Promise<void>;
};

const MOVED_DATE = pathToFileURL(join(import.meta.dirname, "moved-date.ts")).href;

/**
 * `folder` stores the clock; `database` must be unused: the clock is moved for connections made from now on.
 */
export async function standingClock(
  folder: string,
  database: pg.ClientConfig,
  standsAtMillis: number,
): Promise<MovedClock> {
  const file = join(folder, "clock");
  const set = (standsAt: number, ahead: number) => writeFileSync(file, new Float64Array([standsAt, ahead]));
  set(standsAtMillis, 0);
  await moveDatabase(database, standsAtMillis);
  return {
    env: { NODE_OPTIONS: `--import=${MOVED_DATE}`, CLOCK_FILE: file },
    goOnFrom: async (millis) => {
      const ahead = millis - Date.now();
      const setting = "update moved.clock set stands_at = null, ahead = $1 * interval '1 millisecond'";
      await withClient(database, (client) => client.query(setting, [ahead]));
      set(0, ahead);
    },
  };
}

/** For a program whose machine was suspended; its database keeps its own time. */
export function clockAhead(folder: string, millis: number): MovedClock["env"] {
  const file = join(folder, "clock-ahead");
  writeFileSync(file, new Float64Array([0, millis]));
  return { NODE_OPTIONS: `--import=${MOVED_DATE}`, CLOCK_FILE: file };
}

/** Functions in a schema before pg_catalog in the search path replace those of pg_catalog. */
function moveDatabase(database: pg.ClientConfig, standsAtMillis: number): Promise<void> {
  return withClient(database, async (client) => {
    await client.query("create schema moved");
    await client.query("create table moved.clock (stands_at timestamptz, ahead interval)");
    await client.query("insert into moved.clock values (to_timestamp($1::float8 / 1000), '0')", [
      standsAtMillis,
    ]);
    for (const name of ["clock_timestamp", "now", "statement_timestamp"])
      await client.query(`create function moved.${name}() returns timestamptz language sql volatile
        return (select coalesce(stands_at, pg_catalog.${name}() + ahead) from moved.clock)`);
    await client.query("alter role current_user set search_path = moved, pg_catalog, public");
  });
}
