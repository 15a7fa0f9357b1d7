import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compose } from "../../composition/service.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { freePort } from "../../infrastructure/postgres/embedded/free-port.ts";
import { migratedDatabase } from "../support/database.ts";

it("is shown by the process that users ask, also when a worker started before it", async () => {
  const database = await migratedDatabase();
  const folder = await mkdtemp(join(tmpdir(), "ringfold-first-key-"));
  const secretsKey = randomBytes(32).toString("base64");
  const keyOfStart = async (role: string) => {
    const service = await compose(
      readConfig({
        ROLE: role,
        PORT: String(await freePort()),
        DATA_DIR: folder,
        DATABASE_URL: database.connectionString,
        SECRETS_KEY: secretsKey,
        SIMULATOR_URL: `http://127.0.0.1:${await freePort()}`,
        LOG_LEVEL: "silent",
      }),
    );
    await service.stop();
    return service.firstKey;
  };
  expect(await keyOfStart("worker")).toBeNull();
  expect(await keyOfStart("api")).toMatch(/^va_live_/);
  expect(await keyOfStart("api")).toBeNull();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});
