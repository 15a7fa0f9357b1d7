import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import { removeFolder } from "../../simulation/drills/remove-folder.ts";

const PROGRAM = join(import.meta.dirname, "../../programs/start.js");
const PATIENCE = 90_000;

type Started = {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  readonly out: () => string;
  readonly err: () => string;
};

const children: ChildProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const child of children.splice(0))
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) await removeFolder(folder);
});

async function dataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ringfold-start-"));
  folders.push(folder);
  return folder;
}

function start(env: Readonly<Record<string, string>>): Started {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env["PATH"], LOG_LEVEL: "silent", PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  const text = { out: "", err: "" };
  child.stdout?.on("data", (chunk: Buffer) => (text.out += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (text.err += chunk.toString()));
  const exit = once(child, "exit").then(([code]) => (typeof code === "number" ? code : null));
  return { child, exit, out: () => text.out, err: () => text.err };
}

const url = (started: Started) =>
  eventually("the service to listen", () => /listens on (\S+)/.exec(started.out())?.[1], PATIENCE);

/** Node itself, which says that it is an older one. */
const OLDER = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})';

describe("npm start", () => {
  it("says in one line how to mend it, on a Node that is too old", () => {
    const args = ["--import", OLDER, PROGRAM];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^Ringfold needs Node 24, and \S+ is 20\.20\.2\. Start it with npm, or name the Node that came with the packages: \S+\/node_modules\/\.bin\/node \S+\/programs\/start\.js\n$/,
    );
  });

  it.each([
    ["asterisk", "ASTERISK_URL", {}],
    ["twilio", "TWILIO_ACCOUNT_SID", { PUBLIC_URL: "https://calls.example" }],
  ])(
    "starts with CARRIER=%s and nothing else of it, and warns in one line what each number needs",
    async (carrier, missing, more) => {
      const started = start({ CARRIER: carrier, LOG_LEVEL: "warn", DATA_DIR: await dataDir(), ...more });
      await url(started);
      const lines = started
        .err()
        .split("\n")
        .filter((line) => line.includes("CARRIER="));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(`CARRIER=${carrier} without ${missing}: every number needs a connectionId`);
    },
    PATIENCE,
  );

  it("names every mistake in the environment in a line of its own", async () => {
    const started = start({ PORT: "high", LOG_LEVEL: "loud" });
    expect(await started.exit).toBe(1);
    expect(started.err().trim().split("\n")).toEqual([
      expect.stringMatching(/^PORT: /),
      expect.stringMatching(/^LOG_LEVEL: /),
    ]);
  });

  it("says which database cannot be reached", async () => {
    const started = start({
      DATABASE_URL: "postgres://someone:hidden@127.0.0.1:9/calls",
      SECRETS_KEY: Buffer.alloc(32).toString("base64"),
    });
    expect(await started.exit).toBe(1);
    expect(started.err().trim()).toMatch(/^DATABASE_URL: 127\.0\.0\.1:9\/calls cannot be used: [^\n]+$/);
    expect(started.err()).not.toContain("hidden");
  });

  it("says which data directory cannot be used", async () => {
    const started = start({ DATA_DIR: join(PROGRAM, "below-a-file") });
    expect(await started.exit).toBe(1);
    expect(started.err().trim()).toMatch(/^DATA_DIR \S+ cannot be used: [^\n]+$/);
  });

  it(
    "says which port is in use",
    async () => {
      const other = createServer().listen(0, "127.0.0.1");
      await once(other, "listening");
      const address = other.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const started = start({ PORT: String(port), DATA_DIR: await dataDir() });
      expect(await started.exit).toBe(1);
      expect(started.err().trim()).toMatch(new RegExp(`^Port ${port} is already in use[^\\n]*$`));
      other.close();
    },
    PATIENCE,
  );

  it(
    "shows the first key once, keeps everything over SIGTERM, and tells a second service who holds its data",
    async () => {
      const DATA_DIR = await dataDir();
      const first = start({ DATA_DIR });
      const key = /shown this once\): (va_live_\S+)/.exec((await url(first)) && first.out())?.[1];
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const made = await fetch(`${await url(first)}/api/v1/phone-numbers`, {
        method: "POST",
        headers,
        body: JSON.stringify({ phoneNumber: "+15005550100" }),
      });
      expect(made.status).toBe(201);
      const second = start({ DATA_DIR });
      expect(await second.exit).toBe(1);
      expect(second.err()).toMatch(/is held by another process \(pid \d+/);
      first.child.kill("SIGTERM");
      expect(await first.exit).toBe(0);
      const again = start({ DATA_DIR });
      const listed = await fetch(`${await url(again)}/api/v1/phone-numbers`, { headers });
      expect(await listed.json()).toMatchObject({ data: [{ phoneNumber: "+15005550100" }] });
      expect(again.out()).not.toContain("shown this once");
    },
    3 * PATIENCE,
  );
});
