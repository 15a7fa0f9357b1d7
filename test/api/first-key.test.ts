import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { buildServer } from "../../api/server.ts";
import { compose } from "../../composition/service.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { freePort } from "../../infrastructure/postgres/embedded/free-port.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { migratedDatabase } from "../support/database.ts";
import { configurationThat, throwingDeps } from "./support/inert-deps.ts";

/** As long as a first start is held up before its key is stored. */
const HELD_UP_MILLIS = 3_000;
const PATIENCE_MILLIS = 1_000;

it.each(["timeout exceeded when trying to connect", "Connection terminated unexpectedly"])(
  "a key that cannot be judged is 503: %s",
  async (problem) => {
    const thrown = () => new Error(problem);
    const configuration = configurationThat(thrown, () => Promise.reject(thrown()));
    const server = buildServer(throwingDeps(thrown, { configuration }));
    const headers = { authorization: "Bearer va_live_12345678_12345678901234567890123456789012" };
    const answer = await server.inject({ method: "GET", url: "/api/v1/account", headers });
    expect([answer.statusCode, answer.json().error.code]).toEqual([503, "NOT_READY"]);
    expect(answer.headers["retry-after"]).toBe("1");
    await server.close();
  },
);

it("no key is judged before the first one is stored: a valid key is never told to be none", async () => {
  const database = await migratedDatabase();
  const folder = await mkdtemp(join(tmpdir(), "ringfold-first-key-"));
  const key = randomBytes(24).toString("hex");
  const port = await freePort();
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/api/v1/account`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(PATIENCE_MILLIS),
    }).then(
      ({ status }) => status,
      () => "no answer",
    );
  const holder = await database.pool.connect();
  await holder.query("begin; lock table config.users in share mode"); // may be read, not written
  const starting = compose(
    readConfig({
      PORT: String(port),
      DATA_DIR: folder,
      DATABASE_URL: database.connectionString,
      SECRETS_KEY: randomBytes(32).toString("base64"),
      BOOTSTRAP_API_KEY: key,
      LOG_LEVEL: "silent",
    }),
  );
  try {
    const answers = new Set<number | string>();
    for (const until = performance.now() + HELD_UP_MILLIS; performance.now() < until; await delay(50))
      answers.add(await ask());
    expect([...answers]).toEqual(["no answer"]);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  const service = await starting;
  expect(await eventually("an answer", async () => ((await ask()) === 200 ? 200 : null))).toBe(200);
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});
