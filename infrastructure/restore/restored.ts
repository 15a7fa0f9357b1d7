import { createHash } from "node:crypto";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Restored } from "../../application/ports/restore-guard.ts";
import type { UnknownOwners } from "../../application/restore/unknown-owners.ts";
import type { CallOfTheCarrier } from "../../domain/call/carrier-identity.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { RestoredDatabase } from "../postgres/alive.ts";

export async function callsForgotten(
  dataDir: string,
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

export function databaseOlder({ position, aliveAt }: RestoredDatabase): Restored {
  const accept = acceptWith(position);
  return {
    value: position,
    line: `PostgreSQL is older than the event log: it was last alive at ${aliveAt}. The carrier has had 0 calls that the log does not know. Nobody is dialled. Start with ${accept} to go on with this database: running campaigns are paused.`,
    detail: { calls: 0, position, lastAliveAt: aliveAt, accept },
    calls: [],
    until: null,
  };
}

export function databaseLost({ owners, campaigns, calls, position }: UnknownOwners): Restored {
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

const HEADER = "to,at,from,callId";

/**
 * The people who were called, for the operator: `DATA_DIR/restored-<value>.csv`, readable by nobody else.
 * Returns the file's name.
 */
async function writeRestoredCalls(
  dataDir: string,
  value: string,
  calls: readonly CallOfTheCarrier[],
): Promise<string> {
  const name = `restored-${value}.csv`;
  const path = join(dataDir, name);
  const rows = calls.map(({ to, at, from, callId }) => [to, at, from, callId].join(","));
  await mkdir(dataDir, { recursive: true });
  await writeFile(path, `${[HEADER, ...rows].join("\n")}\n`, { mode: 0o600 });
  await chmod(path, 0o600);
  return name;
}
