import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { onTestFinished } from "vitest";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from "../../../../infrastructure/postgres/embedded/embedded-postgres.ts";
import { isRunning } from "../../../../infrastructure/postgres/embedded/process-info.ts";
import type { ServerUser } from "../../../../infrastructure/postgres/embedded/server-user.ts";
import { type Holder, type HolderOptions, startHolder } from "./holder.ts";

/** A folder that everybody may enter, removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ringfold-embedded-"));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

/** The launcher with fsync off, stopped after the test. */
export async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ fsync: false, ...options });
  onTestFinished(() => server.stop());
  return server;
}

/** The launcher in a process of its own, killed after the test; its server ends with it. */
export function hold(options: HolderOptions, user: ServerUser | null = null): Holder {
  const holder = startHolder(options, user);
  onTestFinished(async () => {
    holder.process.kill("SIGKILL");
    await holder.ended;
    const said = await holder.said.catch(() => null);
    if (said !== null && "pid" in said) await gone(said.pid);
  });
  return holder;
}

/** Rows of one query over a connection of its own. */
export async function ask(connection: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query({ text, rowMode: "array" });
    return rows.flat();
  } finally {
    await client.end();
  }
}

/** Resolves when no process has this pid any more; the test's own time limit is the bound. */
export function gone(pid: number): Promise<void> {
  return eventually(() => !isRunning(pid));
}

export async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
