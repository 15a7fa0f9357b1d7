import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose } from "../../../composition/service.ts";
import { type Config, readConfig } from "../../../infrastructure/config.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { createTestDatabase } from "../../support/postgres.ts";
import { type ApiUser, apiUser } from "./api-user.ts";
import { type Document, loadDocument } from "./document.ts";

export type TestService = {
  readonly url: string;
  readonly databaseUrl: string;
  /** For whoever opens its stores beside it. */
  readonly config: Config;
  readonly document: Document;
  /** The bootstrap key: scopes admin and operator. */
  readonly operator: ApiUser;
  /** Whoever holds that key; "" sends none. */
  as(key: string): ApiUser;
  /** Another owner, with its first admin key. */
  newOwner(name?: string): Promise<ApiUser>;
  stop(): Promise<void>;
};

const READY_MILLIS = 60_000;

/**
 * The whole service over HTTP in this process, with a database of its own, a fast simulated
 * carrier, and no rate limit.
 */
export async function startTestService(env: Readonly<Record<string, string>> = {}): Promise<TestService> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "ringfold-api-"));
  const key = randomBytes(24).toString("hex");
  const config = readConfig({
    PORT: "0",
    DATA_DIR: dataDir,
    DATABASE_URL: database.connectionString,
    SECRETS_KEY: randomBytes(32).toString("base64"),
    BOOTSTRAP_API_KEY: key,
    LOG_LEVEL: "error",
    RATE_LIMIT_PER_SECOND: "0",
    SIMULATOR_SPEED: "50",
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    CONNECTION_ALLOW_CIDRS: "127.0.0.0/8",
    TOOL_ALLOW_CIDRS: "127.0.0.0/8",
    ...env,
  });
  const service = await compose(config);
  const document = await loadDocument();
  const as = (other: string) => apiUser({ url: service.url, document, key: other });
  const operator = as(key);
  // Until its read models are there, what is read from them is 503; on a busy machine that takes a moment.
  const isReady = async () => (await operator.send("GET", "/health/ready")).status === 200;
  if (env["EVENTSTORE_URL"] === undefined) await eventually("the service to be ready", isReady, READY_MILLIS);
  return {
    url: service.url,
    databaseUrl: database.connectionString,
    config,
    document,
    operator,
    as,
    newOwner: async (name = "Another owner") => {
      const { body } = await operator.send("POST", "/api/v1/users", { body: { name } });
      return as(body.data.apiKey.key);
    },
    stop: async () => {
      await service.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
