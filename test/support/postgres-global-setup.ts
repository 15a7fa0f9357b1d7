import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../infrastructure/postgres/embedded/embedded-postgres.ts";
import { isRunning } from "../../infrastructure/postgres/embedded/process-info.ts";
import { requirePasswords } from "./require-passwords.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The cluster that all test files of a run share: a connection as superuser, who needs the password. */
    postgres: {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
    };
  }
}

const CLUSTER = "ringfold-vitest-";
/** Short, because sockets lie far below it, and their paths have 103 bytes. */
const TEMPORARY = "rf-";
const settings = {
  max_connections: "300",
  shared_buffers: "64MB",
  min_wal_size: "32MB",
  max_wal_size: "256MB",
  idle_in_transaction_session_timeout: "0",
};

/**
 * Starts the shared cluster before the first test file and removes it after the last, with all that
 * tests left in the temporary folder of this run. That lies in memory too where there is more of it: on
 * a disk, each of the clusters that tests make is mostly writing a thousand small files, and who kills a
 * process here does not kill the machine.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [ofCluster, ofTests] = [folderWith(2), folderWith(4)];
  for (const base of new Set([ofCluster, ofTests])) removeAbandoned(base);
  // As root the server runs as another user, who has to get in.
  const dataDir = made(join(ofCluster, `${CLUSTER}${process.pid}-`), 0o755);
  const server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, fsync: false, settings });
  const temporary = made(join(ofTests, `${TEMPORARY}${process.pid}-`), 0o1777);
  process.env["TMPDIR"] = temporary;
  const { host, port, user, database } = server.connection;
  const password = randomBytes(12).toString("hex");
  await requirePasswords(server.connection, {
    rules: ["local all all scram-sha-256", "host all all all scram-sha-256"],
    statements: ["set scram_iterations = 1", `alter role ${user} password '${password}'`],
  });
  project.provide("postgres", { host, port, user, password, database });
  return async () => {
    await server.stop();
    for (const folder of [dataDir, temporary])
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

function made(prefix: string, mode: number): string {
  const folder = mkdtempSync(prefix);
  chmodSync(folder, mode);
  return folder;
}

/** Memory when so much of it is free (containers often have 64 MB there), else the disk. */
function folderWith(gibibytes: number): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > gibibytes * 1024 ** 3 ? "/dev/shm" : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** What runs left behind that were killed. */
function removeAbandoned(base: string): void {
  for (const name of readdirSync(base)) {
    const pid = Number(new RegExp(`^(?:${CLUSTER}|${TEMPORARY})(\\d+)-`).exec(name)?.[1]);
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    rmSync(join(base, name), { recursive: true, force: true });
  }
}
