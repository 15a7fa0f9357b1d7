import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Program, startProgram } from "../support/drills/program.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { type ApiUser, apiUser } from "./support/api-user.ts";
import { loadDocument } from "./support/document.ts";
import { callable } from "./support/things.ts";

const START = join(import.meta.dirname, "../../programs/start.ts");
const CARRIER = join(import.meta.dirname, "../../programs/carrier.ts");
const TO = "+15005550006";

type Dial = { readonly callId: string; readonly to: string };

type Pair = {
  readonly first: ApiUser;
  readonly second: ApiUser;
  readonly firstProcess: Program;
  /** Dial requests that the carrier ever got for the number. */
  readonly dials: () => Promise<readonly Dial[]>;
};

/** Two services on one database and one carrier; the first may die at a named point. Whatever happens, `use` leaves nothing running. */
async function withPair(crashAt: string | null, use: (pair: Pair) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "ringfold-pair-"));
  const database = await createTestDatabase();
  const programs: Program[] = [];
  const begun = (file: string, env: Readonly<Record<string, string>>) => {
    const program = startProgram(file, env, join(folder, "log"));
    programs.push(program);
    return program;
  };
  try {
    const simulator = { SIMULATOR_DATA_DIR: join(folder, "carrier"), SIMULATOR_SPEED: "100" };
    const carrierUrl = await begun(CARRIER, { SIMULATOR_PORT: "0", ...simulator }).listening;
    const key = randomBytes(24).toString("hex");
    const env = {
      PORT: "0",
      DATABASE_URL: database.connectionString,
      SECRETS_KEY: randomBytes(32).toString("base64"),
      BOOTSTRAP_API_KEY: key,
      SIMULATOR_URL: carrierUrl,
      LOG_LEVEL: "warn",
    };
    const dying = crashAt === null ? {} : { CRASH_AT: crashAt };
    const first = begun(START, { ...env, ...dying, DATA_DIR: join(folder, "first") });
    const firstUrl = await first.listening;
    const second = begun(START, { ...env, DATA_DIR: join(folder, "second") });
    const secondUrl = await second.listening;
    const document = await loadDocument();
    await use({
      first: apiUser({ url: firstUrl, document, key }),
      second: apiUser({ url: secondUrl, document, key }),
      firstProcess: first,
      dials: () => dialsOf(carrierUrl),
    });
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function dialsOf(carrierUrl: string): Promise<readonly Dial[]> {
  const journal = await (await fetch(`${carrierUrl}/journal`)).text();
  const lines = journal.split("\n").filter((line) => line !== "");
  return lines.map((line): Dial => JSON.parse(line)).filter(({ to }) => to === TO);
}

const keyed = (body: object) => ({ body, headers: { "idempotency-key": "one-call" } });
const start = (user: ApiUser, ready: object) =>
  user.send("POST", "/api/v1/calls/outbound", keyed({ ...ready, to: TO }));

describe("an outbound start that is asked again", () => {
  it.each(["after-append-CallRequested", "after-place-call"])(
    "at another process, because the first died %s, rings nobody twice",
    (point) =>
      withPair(point, async ({ first, second, firstProcess, dials }) => {
        const ready = await callable(second);
        await expect(start(first, ready)).rejects.toThrow("fetch failed");
        expect((await firstProcess.exited).signal).toBe("SIGKILL");
        const again = await start(second, ready);
        expect(again.status).toBe(200);
        const third = await start(second, ready);
        expect(third.body.callId).toBe(again.body.callId);
        const journal = await dials();
        expect(journal.length).toBeLessThanOrEqual(1);
        expect(journal.every(({ callId }) => callId === again.body.callId)).toBe(true);
        const { body } = await second.send("GET", "/api/v1/calls");
        expect(body.data).toHaveLength(1);
      }),
    120_000,
  );

  it(
    "at two processes at the same time is one call",
    () =>
      withPair(null, async ({ first, second, dials }) => {
        const ready = await callable(first);
        const answers = await Promise.all([first, second].map((user) => start(user, ready)));
        expect(answers[0]?.body.callId).toBe(answers[1]?.body.callId);
        expect(await dials()).toHaveLength(1);
      }),
    120_000,
  );
});
