import { existsSync } from "node:fs";
import { type Kysely, sql } from "kysely";
import type { Logger } from "../application/ports/logger.ts";
import { openDatabase } from "../composition/open-stores.ts";
import { type ApiKeyScope, SCOPES } from "../contract/scopes.ts";
import type { OwnerId } from "../domain/shared/ids.ts";
import { issueKey } from "../infrastructure/account/configuration/api-key-rows.ts";
import { dateNow } from "../infrastructure/account/configuration/deps.ts";
import type { ConfigurationTables } from "../infrastructure/account/configuration/tables.ts";
import { systemClock } from "../infrastructure/clock.ts";
import type { Config } from "../infrastructure/config.ts";
import { systemIds } from "../infrastructure/ids.ts";
import { kyselyOn } from "../infrastructure/postgres/pool.ts";
import { type Command, type Given, UsageError } from "./command-line.ts";

export const API_KEY = {
  usage: "npm run api-key -- --owner <id or name> --scopes admin,… [--name …]",
  about:
    "Makes an API key for an owner of this installation and prints it once: the way back in when the last key is lost. Works beside a running service, and finds the same database.",
  options: {
    owner: {
      type: "string",
      value: "…",
      about: "id (usr_…) or name of the owner; the first one is called operator",
    },
    scopes: { type: "string", value: "…", about: `one or more, separated by commas: ${SCOPES.join(", ")}` },
    name: {
      type: "string",
      default: "made on the machine",
      value: "…",
      about: "what the key is called in lists (default: made on the machine)",
    },
  },
  environment: ["DATA_DIR", "DATABASE_URL", "SECRETS_KEY", "LOG_LEVEL"],
  exitCodes: { 0: "made; the key is the last line", 1: "none was made; the line says why" },
} as const satisfies Command;
const LONGEST_NAME = 255;
const SHOWN_OWNERS = 20;

type Request = { readonly owner: string; readonly scopes: readonly ApiKeyScope[]; readonly name: string };

/**
 * `npm run api-key`: prints the new key as the last line. Rejects with one clear line, or with the reason of
 * `stop` while nothing is stored yet.
 */
export async function makeApiKey(
  given: Given<typeof API_KEY>,
  config: Config,
  logger: Logger,
  print: (line: string) => void,
  stop: AbortSignal,
): Promise<void> {
  const request = requestOf(given);
  if (config.databaseUrl === null && !existsSync(config.dataDir))
    throw new Error(`There is no DATA_DIR ${config.dataDir}. Name the one of the service.`);
  const database = await openDatabase(config, logger, "tool");
  try {
    const db = kyselyOn<ConfigurationTables>(database.pool);
    const owner = await ownerCalled(db, request.owner);
    const draft = { name: request.name, scopes: request.scopes, expiresAt: null };
    const id = systemIds.next("key");
    stop.throwIfAborted();
    const issued = await issueKey(db, owner.id, id, { ...draft, at: dateNow(systemClock), given: null });
    print(`A key for ${owner.name} (${owner.id}) with ${request.scopes.join(", ")}; it is shown this once:`);
    if (!owner.active) print("This owner is inactive: its keys are worth nothing until it is active again.");
    print(issued.key ?? "");
  } finally {
    await database.close();
  }
}

function requestOf({ values }: Given<typeof API_KEY>): Request {
  if (values.owner === undefined || values.scopes === undefined)
    throw new UsageError("--owner and --scopes are needed", API_KEY);
  if (values.name === "" || values.name.length > LONGEST_NAME)
    throw new UsageError(`--name takes 1 to ${LONGEST_NAME} characters`, API_KEY);
  const names = new Set(values.scopes.split(",").map((name) => name.trim()));
  const scopes = SCOPES.filter((scope) => names.has(scope));
  const unknown = [...names].filter((name) => !SCOPES.some((scope) => scope === name));
  if (unknown.length > 0)
    throw new UsageError(
      `There is no scope "${unknown.join('", "')}"; there are ${SCOPES.join(", ")}`,
      API_KEY,
    );
  return { owner: values.owner, scopes, name: values.name };
}

type Owner = { readonly id: OwnerId; readonly name: string; readonly active: boolean };

/** An id takes precedence over a name, and a name must belong to only one owner. */
async function ownerCalled(db: Kysely<ConfigurationTables>, text: string): Promise<Owner> {
  const found: Owner[] = await db
    .selectFrom("config.users")
    .select(["id", "name", "active"])
    .where(sql<boolean>`(id = ${text} or name = ${text})`)
    .orderBy("id")
    .limit(SHOWN_OWNERS)
    .execute();
  const [only, another] = found;
  const named = found.find(({ id }) => id === text);
  if (named !== undefined) return named;
  if (only !== undefined && another === undefined) return only;
  if (only !== undefined)
    throw new Error(`Several owners are called ${text}; name one by its id: ${listOf(found)}.`);
  const all = await db
    .selectFrom("config.users")
    .select(["id", "name", "active"])
    .orderBy("id")
    .limit(SHOWN_OWNERS)
    .execute();
  throw new Error(
    all.length === 0
      ? "This installation has no owners yet; the first start of the service makes one and prints its key."
      : `There is no owner ${text}; there are ${listOf(all)}${all.length === SHOWN_OWNERS ? ", and maybe more" : ""}.`,
  );
}

function listOf(owners: readonly Owner[]): string {
  return owners.map(({ id, name }) => `${id} (${name})`).join(", ");
}
