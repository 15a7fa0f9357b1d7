import { randomBytes } from "node:crypto";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { temporaryFolder } from "../infrastructure/own-processes.ts";
import { startEmbeddedPostgres } from "../infrastructure/postgres/embedded/embedded-postgres.ts";
import type { Connection } from "../infrastructure/postgres/embedded/owner-file.ts";
import { type Program, SERVICE, startProgram } from "../simulation/drills/program.ts";
import { type Api, apiOf } from "./bench-api.ts";
import { HIGH_LIMITS } from "./bench-service.ts";

const CARRIER = join(import.meta.dirname, "../programs/carrier.ts");

/** One database, one carrier, one process for the API; workers start and stop. */
export type WorkerFleet = {
  readonly api: Api;
  /** For counting, and for reading the leases. */
  readonly pool: pg.Pool;
  startWorker(): Promise<Program>;
  /** Dial requests that the carrier received, by call. */
  dials(): Promise<ReadonlyMap<string, number>>;
  remove(): Promise<void>;
};

export async function startWorkerFleet(): Promise<WorkerFleet> {
  const folder = temporaryFolder("ringfold-bench-fleet-");
  chmodSync(folder, 0o755); // as root the database runs as another user, who needs access
  const log = join(folder, "programs.log");
  const database = await startEmbeddedPostgres({
    dataDir: join(folder, "database"),
    settings: { max_connections: "200" },
  });
  const pool = new pg.Pool({ ...database.connection, max: 2 });
  pool.on("error", () => undefined); // stopping the server cuts idle connections
  const carrier = startProgram(
    CARRIER,
    { SIMULATOR_PORT: "0", SIMULATOR_DATA_DIR: join(folder, "carrier"), SIMULATOR_SPEED: "100000" },
    log,
  );
  const carrierUrl = await carrier.listening;
  const apiKey = randomBytes(24).toString("hex");
  const programs: Program[] = [];
  const secretsKey = randomBytes(32).toString("base64");
  const start = (role: "api" | "worker"): Program => {
    const program = startProgram(
      SERVICE,
      {
        ...HIGH_LIMITS,
        ROLE: role,
        PORT: "0",
        DATABASE_URL: urlOf(database.connection),
        DATA_DIR: join(folder, role),
        SECRETS_KEY: secretsKey,
        BOOTSTRAP_API_KEY: apiKey,
        SIMULATOR_URL: carrierUrl,
        SIMULATOR_MINUTE_MS: "1",
        WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
        LOG_LEVEL: "warn",
      },
      log,
    );
    programs.push(program);
    return program;
  };
  const url = await start("api").listening;
  return {
    api: apiOf(url, apiKey),
    pool,
    async startWorker() {
      const worker = start("worker");
      await worker.listening;
      return worker;
    },
    async dials() {
      const journal = await (await fetch(`${carrierUrl}/journal`)).text();
      const dials = new Map<string, number>();
      for (const line of journal.split("\n").filter((each) => each !== "")) {
        const { callId, carrierCallId }: { callId: string; carrierCallId: string | null } = JSON.parse(line);
        if (carrierCallId !== null) dials.set(callId, (dials.get(callId) ?? 0) + 1);
      }
      return dials;
    },
    async remove() {
      await Promise.all(programs.map((program) => program.stop()));
      await carrier.stop();
      await pool.end();
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The socket's folder is in the query, because a URL has no place for it. */
function urlOf({ host, port, user, password, database }: Connection): string {
  const account = password === undefined ? user : `${user}:${password}`;
  return `postgres://${account}@localhost/${database}?${new URLSearchParams({ host, port: String(port) })}`;
}
