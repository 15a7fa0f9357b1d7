import { createHash } from "node:crypto";
import type pg from "pg";
import type { Carriers } from "../../application/ports/carriers.ts";
import type { EventStore, Position } from "../../application/ports/event-store.ts";
import { unknownCalls } from "../../application/restore/unknown-calls.ts";
import { type UnknownOwners, unknownOwners } from "../../application/restore/unknown-owners.ts";
import type { CallOfTheCarrier } from "../../domain/campaign/commands.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../domain/shared/instant.ts";
import { findRestored, lastSignOfLife, type RestoredDatabase } from "../postgres/alive.ts";
import { readInstallation } from "../postgres/installation.ts";
import { writeRestoredCalls } from "./restored-calls.ts";

/** Stores that went back to an older state, or to different ones: nobody is dialled until somebody accepts it. */
export type Restored = {
  /** Of `ACCEPT_RESTORED`: the same state gives the same value again, and another one another. */
  readonly value: string;
  /** What happened and how to go on, in one line without personal data. */
  readonly line: string;
  /** The same for /health/ready. */
  readonly detail: Readonly<Record<string, string | number | null>>;
  /** Calls that the carrier has and the log does not know. */
  readonly calls: readonly CallOfTheCarrier[];
  /** When the carrier got the last of them; null: there are none. */
  readonly until: Instant | null;
};

export type RestoreGuardDeps = {
  readonly pool: pg.Pool;
  readonly eventStore: EventStore;
  readonly carriers: Pick<Carriers, "every">;
  readonly dataDir: string;
  /** Where the reactions of this database stand in a log of its own (EventStoreDB); null: log and database are one, and go back together. */
  readonly separateLog: { readonly after: Position } | null;
};

/** The carrier may have got a dial so long before the sign of life that tells of it. */
const BEFORE_THE_SIGN_MILLIS = 60_000;

/** The carrier does not say which calls it had; nobody knows, so nobody is dialled. */
export class CarrierSilentError extends Error {
  override readonly name = "CarrierSilentError";
}

/**
 * Looks for a restore (docs/architecture.md §5): the carrier is asked for the calls since the last sign of life, then the log whether it
 * knows them; a log of its own is asked for what the database cannot have lived to see. null: as it was left. To be asked before the first sign of
 * life of this start. Rejects CarrierSilentError, and as stores do.
 */
export async function lookForRestored(deps: RestoreGuardDeps): Promise<Restored | null> {
  const { pool, eventStore, separateLog } = deps;
  const aliveAt = await lastSignOfLife(pool);
  if (aliveAt === null) return separateLog === null ? null : lookForLost(deps);
  const calls = await unknownCalls(eventStore, await callsOfTheCarrier(deps, aliveAt));
  const older = separateLog === null ? null : await findRestored(pool, eventStore, separateLog.after);
  if (calls.length > 0) return callsForgotten(deps, calls, aliveAt);
  return older === null ? null : databaseOlder(older);
}

async function callsOfTheCarrier(
  { pool, carriers }: RestoreGuardDeps,
  aliveAt: Instant,
): Promise<readonly CallOfTheCarrier[]> {
  const { acceptedUntil } = await readInstallation(pool);
  const since = Math.max(
    millisOf(aliveAt) - BEFORE_THE_SIGN_MILLIS,
    acceptedUntil === null ? Number.NEGATIVE_INFINITY : millisOf(acceptedUntil) + 1,
  );
  const routes = await carriers.every();
  const asked = routes.map(({ carrier }) => carrier.callsSince(instantFromMillis(since)));
  return (await Promise.all(asked)).flatMap((answer) => {
    if (answer.kind === "unavailable") throw new CarrierSilentError(answer.cause);
    return answer.kind === "no_witness" ? [] : answer.calls;
  });
}

async function callsForgotten(
  { dataDir }: RestoreGuardDeps,
  calls: readonly CallOfTheCarrier[],
  aliveAt: Instant,
): Promise<Restored> {
  const ids = calls.map(({ callId }) => callId).toSorted();
  const value = createHash("sha256").update(ids.join()).digest("hex").slice(0, 16);
  const times = calls.map(({ at }) => at).toSorted();
  const [since = aliveAt, until = aliveAt] = [times[0], times.at(-1)];
  const accept = acceptWith(value);
  const file = await writeRestoredCalls(dataDir, value, calls).catch(
    (error: unknown) => `no file: ${String(error)}`,
  );
  return {
    value,
    line: `The event log was restored to an older state: the carrier has had ${counted(calls.length, "call")} since ${since} that it does not know (last alive at ${aliveAt}). Nobody is dialled. The numbers: ${file} in DATA_DIR. Start with ${accept} to go on: running campaigns are paused, and whoever was called meanwhile is not called again.`,
    detail: { calls: calls.length, since, until, lastAliveAt: aliveAt, file, accept },
    calls,
    until,
  };
}

function databaseOlder({ position, aliveAt }: RestoredDatabase): Restored {
  const accept = acceptWith(position);
  return {
    value: position,
    line: `PostgreSQL is older than the event log: it was last alive at ${aliveAt}. The carrier has had 0 calls that the log does not know. Nobody is dialled. Start with ${accept} to go on with this database: running campaigns are paused.`,
    detail: { calls: 0, position, lastAliveAt: aliveAt, accept },
    calls: [],
    until: null,
  };
}

/** A database that has never seen the service, beside a log that has: PostgreSQL was lost, or is another one. */
async function lookForLost({ pool, eventStore }: RestoreGuardDeps): Promise<Restored | null> {
  const { rows } = await pool.query<{ id: OwnerId }>("select id from config.users");
  const found = await unknownOwners(eventStore, new Set(rows.map(({ id }) => id)));
  return found === null ? null : databaseLost(found);
}

function databaseLost({ owners, campaigns, calls, position }: UnknownOwners): Restored {
  const accept = acceptWith(position);
  const has = `${counted(campaigns, "campaign")} and ${counted(calls, "call")} of ${counted(owners, "owner")}`;
  return {
    value: position,
    line: `The event log has ${has} that this PostgreSQL does not know: their keys, assistants, numbers, credits and leases are not here. Nobody is dialled. Restore the backup of PostgreSQL, or start with ${accept} to go on without it: those campaigns stand still, paused, and can be read in the log alone.`,
    detail: { campaigns, calls, owners, howToGoOn: "restore the backup of PostgreSQL, or accept", accept },
    calls: [],
    until: null,
  };
}

function acceptWith(value: string): string {
  return `ACCEPT_RESTORED=${value}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
