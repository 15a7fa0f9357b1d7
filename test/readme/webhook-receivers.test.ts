import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../infrastructure/postgres/embedded/free-port.ts";
import { signedHeaders } from "../../infrastructure/webhook/signature.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { GO, PHP, PYTHON } from "../support/languages.ts";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/webhooks.md"), "utf8");
const secret = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
const otherSecret = `whsec_${Buffer.alloc(32, 4).toString("base64")}`;
const eventId = "0199a4b2-7c1e-7f3a-8d2b-5a6c7d8e9f00";
const bodyOf = (id: string) =>
  Buffer.from(
    JSON.stringify({ event: "call.ended", data: { eventId: id, callId: "call_1", name: "Zoë 🎉" } }),
  );
const body = bodyOf(eventId);

type Receiver = {
  /** Its heading on the page. */
  readonly name: string;
  /** The word behind the three backticks. */
  readonly language: "js" | "python" | "go" | "php";
  /** With the standard library alone, and an inbox; else with a framework. */
  readonly stores: boolean;
  readonly command: (file: string, port: number) => readonly string[];
};

const inNode = (file: string) => [process.execPath, file];

/** Those whose language is on this machine; the last lines of the run say which others are not. */
const RECEIVERS: readonly Receiver[] = [
  { name: "Node", language: "js", stores: true, command: inNode },
  { name: "Fastify", language: "js", stores: false, command: inNode },
  { name: "Express", language: "js", stores: false, command: inNode },
  ...inLanguage("Python", "python", PYTHON, (program, file) => [program, file]),
  ...inLanguage("Go", "go", GO, (program, file) => [program, "run", file]),
  ...inLanguage("PHP", "php", PHP, (program, file, port) => [program, "-S", `127.0.0.1:${port}`, file]),
];

function inLanguage(
  name: string,
  language: Receiver["language"],
  program: string | null,
  command: (program: string, file: string, port: number) => readonly string[],
): Receiver[] {
  if (program === null) return [];
  return [{ name, language, stores: true, command: (file, port) => command(program, file, port) }];
}

/** The first program below a heading. */
function programOf({ name, language }: Receiver): string {
  const code = page.split(`### ${name}\n`)[1]?.split(`\`\`\`${language}\n`)[1]?.split("```")[0];
  if (code === undefined) throw new Error(`no program below "${name}"`);
  return code;
}

function signed(changes: Record<string, string | null> = {}, at = Date.now(), sent = body) {
  const message = { eventId, deliveryId: "dlv_1", attempt: 1, body: sent };
  return withChanges(signedHeaders({ current: secret, next: null }, message, at), changes);
}

/** As during the overlap of a rotation: the old secret's signature, and the new one's. */
function signedTwice(current: string, next: string) {
  const message = { eventId, deliveryId: "dlv_1", attempt: 1, body };
  return withChanges(signedHeaders({ current, next }, message, Date.now()), {});
}

function withChanges(
  headers: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...headers, ...changes }).flatMap(([name, value]) =>
      value === null ? [] : [[name, value]],
    ),
  );
}

it("are on the page for Node, Python, Go and PHP with their standard library, and for two frameworks", () => {
  const headings = [...page.matchAll(/^### (.+)\n\n```(\w+)$/gm)].map(([, ...found]) => found);
  expect(headings).toEqual([
    ["Node", "js"],
    ["Python", "python"],
    ["Go", "go"],
    ["PHP", "php"],
    ["Fastify", "js"],
    ["Express", "js"],
  ]);
});

describe.each(RECEIVERS)("the receiver for $name", (receiver) => {
  let program: ChildProcess;
  let folder = "";
  let base = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "receiver-"));
    if (!receiver.stores) symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const file = join(folder, receiver.language === "js" ? "receiver.mjs" : `receiver.${receiver.language}`);
    writeFileSync(file, programOf(receiver));
    const port = await freePort();
    const [command = "", ...args] = receiver.command(file, port);
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      WEBHOOK_SECRET: secret,
      PORT: String(port),
    };
    program = spawn(command, args, {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "inherit"],
      detached: true,
    });
    base = `http://127.0.0.1:${port}`;
    await eventually("its first answer", () => fetch(base).catch(() => null), 120_000);
  });
  afterAll(async () => {
    // With the program that `go run` has built and started.
    if (program.pid !== undefined) process.kill(-program.pid, "SIGKILL");
    await once(program, "exit");
    rmSync(folder, { recursive: true, force: true });
  });

  async function post(headers: Record<string, string>, sent: Buffer = body) {
    const response = await fetch(`${base}/webhooks`, { method: "POST", headers, body: new Uint8Array(sent) });
    return { status: response.status, body: await response.json() };
  }

  it("accepts what is signed, with 200 and received true", async () => {
    expect(await post(signed())).toEqual({ status: 200, body: { received: true } });
  });

  it.each(["X-Service-Signature", "X-Service-Timestamp"])(
    "refuses a request without %s, with 401 and an error",
    async (name) => {
      expect(await post(signed({ [name]: null }))).toMatchObject({
        status: 401,
        body: { error: expect.any(String) },
      });
    },
  );

  it.each([-301_000, 301_000])("refuses a timestamp that is %i ms away", async (off) => {
    expect(await post(signed({}, Date.now() + off))).toMatchObject({ status: 401 });
  });

  it("accepts a timestamp that is 4 minutes away", async () => {
    expect(await post(signed({}, Date.now() - 240_000))).toMatchObject({ status: 200 });
  });

  it("refuses a body that was changed by a single byte", async () => {
    expect(await post(signed(), Buffer.concat([body, Buffer.from(" ")]))).toMatchObject({ status: 401 });
  });

  it.each(["", "sha256=", `sha256=${"0".repeat(64)}`, "x".repeat(500)])(
    "refuses the signature %j",
    async (signature) => {
      expect(await post(signed({ "X-Service-Signature": signature }))).toMatchObject({ status: 401 });
    },
  );

  it("refuses another timestamp under the same signature", async () => {
    expect(await post(signed({ "X-Service-Timestamp": String(Date.now() + 1_000) }))).toMatchObject({
      status: 401,
    });
  });

  it.each(["", "yesterday", "NaN", "1e400", "-1"])("refuses the timestamp %j", async (timestamp) => {
    expect(await post(signed({ "X-Service-Timestamp": timestamp }))).toMatchObject({ status: 401 });
  });

  it("takes the old secret and the new one while both are in use, and no third", async () => {
    expect(await post(signedTwice(secret, otherSecret))).toMatchObject({ status: 200 });
    expect(await post(signedTwice(otherSecret, secret))).toMatchObject({ status: 200 });
    expect(await post(signedTwice(otherSecret, otherSecret))).toMatchObject({ status: 401 });
  });

  it.runIf(receiver.stores)("keeps an event once, whole, however often it comes at once", async () => {
    const id = "0199a4b2-7c1e-7f3a-8d2b-000000000001";
    const sent = bodyOf(id);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(signed({}, Date.now(), sent), sent)),
    );
    expect(answers).toEqual(Array(8).fill({ status: 200, body: { received: true } }));
    const inbox = join(folder, "inbox");
    expect(readdirSync(inbox).toSorted()).toEqual([`${id}.json`, `${eventId}.json`]);
    expect(readFileSync(join(inbox, `${id}.json`))).toEqual(sent);
  });

  it.runIf(receiver.stores)("keeps nothing of what it refuses", async () => {
    const id = "0199a4b2-7c1e-7f3a-8d2b-000000000002";
    const sent = bodyOf(id);
    await post(signed({ "X-Service-Signature": "sha256=" }, Date.now(), sent), sent);
    expect(readdirSync(join(folder, "inbox"))).not.toContain(`${id}.json`);
  });

  it.runIf(receiver.stores)("refuses what is larger than any event", async () => {
    const sent = Buffer.alloc(1_048_577, 32);
    const answer = await post(signed({}, Date.now(), sent), sent).catch(() => "closed");
    expect(["closed", { status: 413, body: { error: "too large" } }]).toContainEqual(answer);
  });
});
