import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { withClient } from "../pool.ts";
import type { Binaries } from "./binaries.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { type GuardedProcess, type ProcessEnd, runGuarded } from "./guarded-process.ts";
import { stopServer } from "./leftover-server.ts";
import type { Connection } from "./owner-file.ts";
import { type Log, lastLine, logServerLine } from "./server-log.ts";
import type { ServerUser } from "./server-user.ts";

export type ServerCommand = {
  readonly binaries: Binaries;
  readonly args: readonly string[];
  readonly user: ServerUser | null;
  readonly environment: Readonly<Record<string, string>>;
  readonly connection: Connection;
  readonly cluster: string;
  /** null: of a template, which has none. */
  readonly passwordFile: string | null;
  readonly log: Log;
};

export type RunningServer = {
  readonly pid: number;
  readonly exited: Promise<ProcessEnd>;
  /** Fast shutdown, immediate after 10 s; resolves once every process of the server is gone. */
  stop(): Promise<void>;
};

const readyLine = "database system is ready to accept connections";
/** Backends of a killed server release its shared memory within moments, unless one is in a long query. */
const stillInUse = "pre-existing shared memory block";
const patienceMilliseconds = 15_000;

/** Starts the server and resolves when it has answered a query; recovery after a crash may take any time. */
export async function startServer(command: ServerCommand): Promise<RunningServer> {
  for (let waited = 0; ; waited += 50) {
    const started = await tryStart(command);
    if ("server" in started) return started.server;
    const { end } = started;
    if (!end.stderrTail.includes(stillInUse) || waited >= patienceMilliseconds) {
      throw startFailed(
        command,
        lastLine(end.stderrTail) ?? `it ended with ${end.signal ?? end.code}`,
        end.stderrTail,
      );
    }
    await wait(50);
  }
}

async function tryStart(command: ServerCommand): Promise<{ server: RunningServer } | { end: ProcessEnd }> {
  let sayReady: (value: "ready") => void = () => undefined;
  const ready = new Promise<"ready">((resolve) => {
    sayReady = resolve;
  });
  const child = runGuarded({
    program: command.binaries.postgres,
    args: command.args,
    user: command.user,
    environment: { ...command.binaries.environment, ...command.environment },
    onLine: (line) => {
      logServerLine(command.log, line);
      if (line.includes(readyLine)) sayReady("ready");
    },
  });
  const first = await Promise.race([ready, child.exited]);
  if (first !== "ready") return { end: first };
  const pid = await child.pid;
  if (pid === null) return { end: await child.exited };
  const server = running(command, child, pid);
  try {
    await answerFirstQuery(command);
  } catch (error) {
    await server.stop();
    throw startFailed(
      command,
      `its first query failed: ${error instanceof Error ? error.message : error}`,
      "",
    );
  }
  return { server };
}

function running(command: ServerCommand, child: GuardedProcess, pid: number): RunningServer {
  let ended = false;
  child.exited.then(() => {
    ended = true;
  });
  return {
    pid,
    exited: child.exited,
    stop: async () => {
      if (!ended) await stopServer(pid, command.binaries.postgres, () => !ended);
    },
  };
}

/**
 * A real query; at the cluster's first start it makes our database and sets the password: a start that died
 * in between does what is left. Ours is the one of initdb's databases that nobody else needs, by our name.
 */
async function answerFirstQuery({ connection, passwordFile }: ServerCommand): Promise<void> {
  const { user, database } = connection;
  await withClient({ ...connection, database: "template1" }, async (client) => {
    const { rows } = await client.query<{ made: boolean; open: boolean }>(
      `select exists (select from pg_database where datname = $1) as made, rolpassword is null as open
       from pg_authid where rolname = $2`,
      [database, user],
    );
    const [found] = rows;
    if (found?.made !== true)
      await client.query(`alter database postgres rename to ${pg.escapeIdentifier(database)}`);
    if (found?.open === false || passwordFile === null) return;
    const password = pg.escapeLiteral(readFileSync(passwordFile, "utf8"));
    await client.query(`alter role ${pg.escapeIdentifier(user)} password ${password}`);
  });
}

function startFailed(command: ServerCommand, why: string, stderrTail: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "start-failed",
    `the embedded PostgreSQL in ${command.cluster} did not start: ${why}`,
    stderrTail,
  );
}
