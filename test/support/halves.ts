import { globSync } from "node:fs";

/*
 * Which test belongs to which half (docs/testing.md). `npm test` needs no second program but PostgreSQL;
 * these files are the other half, `npm run test:rest`, with the browser.
 */

/** Of the first half: use all cores, or depend on which module was loaded first; each in its own process. */
export const ALONE = ["test/simulation/*.test.ts", "test/support/**/*.test.ts"];

/** Start programs, kill servers, or are about the double of EventStoreDB. */
export const PROGRAMS = [
  "test/api/called-back.test.ts",
  "test/api/log-away.test.ts",
  "test/api/models-being-built.test.ts",
  "test/api/opted-out.test.ts",
  "test/api/slow-log.test.ts",
  "test/client/declarations.test.ts",
  "test/client/package.test.ts",
  "test/drills/**/*.test.ts",
  "test/infrastructure/log/eventstoredb-*.test.ts",
  "test/infrastructure/account/configuration/users.test.ts",
  "test/infrastructure/log/postgres-crashes.test.ts",
  "test/infrastructure/postgres/embedded/**/*.test.ts",
  "test/programs/**/*.test.ts",
  "test/readme/api-examples.test.ts",
  "test/readme/webhook-receivers.test.ts",
  "test/simulation/carrier/carrier-token.test.ts",
  "test/**/*.peers.test.ts",
  "test/**/*.python.test.ts",
];

export const BROWSER_FILES = "test/dashboard/browser/**/*.test.ts";

/** What `npm test` runs. */
export function firstHalf(): readonly string[] {
  const rest = new Set(globSync([...PROGRAMS, BROWSER_FILES]));
  return globSync("test/**/*.test.ts").filter((file) => !rest.has(file));
}
