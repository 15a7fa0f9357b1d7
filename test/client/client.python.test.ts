import { execFile, spawn } from "node:child_process";
import { cp, mkdtemp, readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { pythonModules, writePythonModules } from "../../client/build.ts";
import { OPERATIONS } from "../../client/operations.ts";
import { seedSignature } from "../../infrastructure/webhook/signature.ts";
import { removeFolder } from "../../simulation/drills/remove-folder.ts";
import { loadDocument } from "../api/support/document.ts";
import { startTestService, type TestService } from "../api/support/service.ts";
import { PYTHON } from "../support/languages.ts";
import { type Cut, startCuttingProxy } from "./cutting-proxy.ts";
import { type ScriptedService, type Step, scriptedService } from "./scripted-service.ts";

const CLIENT = join(import.meta.dirname, "../../client/python");
const PROGRAMS = join(import.meta.dirname, "python");
const run = promisify(execFile);

let folder: string;
let service: TestService;
/** An environment that has nothing but the package's wheel. */
let python: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringfold-python-"));
  [service] = await Promise.all([startTestService(), install()]);
});
afterAll(async () => {
  await service.stop();
  await removeFolder(folder);
});

async function install(): Promise<void> {
  if (PYTHON === null) throw new Error("python3 is not on this machine");
  const sources = join(folder, "sources");
  await cp(CLIENT, sources, { recursive: true });
  await writePythonModules(sources, await pythonModules());
  const build = "import build_backend, sys; print(build_backend.build_wheel(sys.argv[1]))";
  const { stdout } = await run(PYTHON, ["-B", "-c", build, folder], { cwd: sources });
  await run(PYTHON, ["-m", "venv", join(folder, "venv")]);
  python = join(folder, "venv/bin/python");
  await run(python, ["-m", "pip", "install", "--no-index", "--quiet", join(folder, stdout.trim())]);
}

/** One that waits in vain does not outlive its test. */
const LONGEST_MILLIS = 150_000;

/** What a program of ours prints, as JSON. */
async function printed(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = "",
) {
  const child = spawn(python, [join(PROGRAMS, program), ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["pipe", "pipe", "pipe"],
    timeout: LONGEST_MILLIS,
  });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(stderr).toBe("");
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

it("has a method for each operation of the document, which sends what the document has, and whose types are there", async () => {
  const { operations } = await loadDocument();
  const methods: { [name: string]: unknown }[] = await printed("methods.py", []);
  const asked = methods.map(({ method, path, body, form, query, takes_key, authorized }) => ({
    method,
    path,
    body: body !== undefined || form !== undefined,
    query: Object.keys(query ?? {}).toSorted(),
    takesKey: takes_key === true,
    authorized: authorized !== false,
  }));
  const wanted = operations.map((each) => ({
    method: each.method,
    path: each.path.replaceAll(/\{(\w+)\}/g, (_whole, name) =>
      encodeURIComponent(`<${nameOf(each.path, name)}>`),
    ),
    // A POST without fields takes an empty object, which nobody needs to give.
    body: takesSomething(each.body) || each.bodyTypes.includes("multipart/form-data"),
    query: each.parameters
      .filter((parameter) => parameter.in === "query")
      .map(({ name }) => name)
      .toSorted(),
    takesKey: each.idempotent,
    authorized: each.security.length > 0,
  }));
  const byRequest = (a: { method: unknown; path: unknown }, b: { method: unknown; path: unknown }) =>
    `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`);
  expect(asked.toSorted(byRequest)).toEqual(wanted.toSorted(byRequest));
  expect(methods).toHaveLength(OPERATIONS.length);
  expect([...new Set(methods.map(({ group }) => group))].toSorted()).toEqual(
    [...new Set(OPERATIONS.map(({ group }) => snake(group)))].toSorted(),
  );
  expect(methods).toContainEqual(
    expect.objectContaining({ group: "calls", name: "get", parameters: ["call_id", "timeout"] }),
  );
});

const nameOf = (path: string, name: string): string => {
  const noun = /([\w-]+)\/\{id\}/.exec(path)?.[1] ?? "";
  return name === "id"
    ? `${noun.replace(/ies$/, "y").replace(/s$/, "").replaceAll("-", "_")}_id`
    : snake(name);
};

function takesSomething(schema: { readonly [keyword: string]: unknown } | null): boolean {
  return schema !== null && JSON.stringify(schema) !== NOTHING;
}
const NOTHING = JSON.stringify({
  anyOf: [{ type: "object", properties: {}, additionalProperties: false }, { type: "null" }],
});

const CREATE = "/api/v1/campaigns";
const EVENTS = "/api/v1/events";

/** The first answer to a create is cut in the middle; the first two streams are, after their second event. */
const cut: Cut = ({ method, path }, requests, answer) => {
  const times = requests.filter((each) => each.method === method && each.path === path).length;
  if (method === "POST" && path === CREATE && times === 1) return Math.floor(answer.length / 2);
  if (path !== EVENTS || times > 2) return null;
  const second = [...answer.toString().matchAll(/data: .*\n\n/g)][1];
  return second === undefined ? null : second.index + Buffer.byteLength(second[0]);
};

it("runs against a service: creates, pages, follows, verifies, sends files and takes them, through a proxy that cuts answers", async () => {
  const owner = await service.newOwner("Whole");
  await service.operator.send("POST", "/api/v1/account/credits", {
    body: {
      amount: 100,
      reference: "python",
      userId: (await owner.send("GET", "/api/v1/account")).body.data.id,
    },
  });
  const proxy = await startCuttingProxy(service.url, cut);
  try {
    const env = { SERVICE_URL: service.url, PROXY_URL: proxy.url, API_KEY: owner.key };
    const saw = await printed("whole.py", [], env);

    expect(saw.campaigns, "one campaign, though it was asked for twice").toEqual([saw.created]);
    const creates = proxy.requests.filter(({ method }) => method === "POST");
    const keys = creates.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
    expect(saw.rows).toEqual(Array.from({ length: 250 }, (_none, index) => `row ${index}`));

    const requestId = expect.stringMatching(/./);
    expect(saw.unknown).toMatchObject({
      status: 404,
      code: "CAMPAIGN_NOT_FOUND",
      request_id: requestId,
      details: [],
    });
    expect(saw.invalid).toMatchObject({ status: 400, code: "VALIDATION_ERROR", request_id: requestId });
    expect(saw.invalid.details).toEqual([{ path: ["name"], message: expect.any(String) }]);
    expect(saw.plain).toMatchObject({ status: 400, code: null, request_id: requestId });
    expect(saw.plain.message).toBe("POST /api/v1/calls/outbound answered 400: Assistant not found");

    const streams = proxy.requests.filter(({ path }) => path === EVENTS);
    const resumed = streams.map(({ headers }) => headers["last-event-id"]);
    expect(resumed).toEqual([undefined, saw.listed[1], saw.listed[3]]);
    expect(saw.followed, "every event once, in order").toEqual(saw.listed.slice(0, saw.followed.length));

    expect(saw.webhooks).toEqual([
      [[["call.started", saw.call]], "wrong_signature"],
      [[["call.ended", saw.call]], "wrong_signature"],
    ]);
    const second = expect.stringMatching(/^call_/);
    expect(saw.rotated, "by the old secret and by the new one").toEqual([
      [Array(2).fill(["call.started", second]), "wrong_signature"],
      [Array(2).fill(["call.ended", second]), "wrong_signature"],
    ]);
    expect([saw.imported, saw.csvLines, saw.recording]).toEqual([1, 251, "RIFF"]);
  } finally {
    await proxy.stop();
  }
});

it("has a README whose examples run", async () => {
  const readme = await readFile(join(CLIENT, "README.md"), "utf8");
  const examples = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map(([, example = ""]) =>
    example.replace("http://127.0.0.1:3000", service.url),
  );
  expect(examples.length).toBeGreaterThan(7);
  const env = { SERVICE_URL: service.url, RINGFOLD_API_KEY: service.operator.key };
  expect(await printed("readme.py", [], env, JSON.stringify(examples))).toEqual({
    followed: "CallCompleted",
    webhook: 200,
    ended: "completed",
  });
});

let scripted: ScriptedService;
afterEach(() => scripted?.stop());

/** What becomes of a statement, where the service answers by a script. */
async function asked(steps: readonly Step[], statement: string, options: object = {}) {
  scripted = await scriptedService(steps);
  return printed("asked.py", [statement], { SERVICE_URL: scripted.url, OPTIONS: JSON.stringify(options) });
}

const DONE: Step = { status: 200, body: { success: true, data: {} } };
const failed = (status: number, headers: Readonly<Record<string, string>> = {}): Step => ({
  status,
  headers,
  body: { success: false, error: { code: "NOT_READY", message: "Not yet" } },
});
const halfOf = (response: ServerResponse) => {
  response.writeHead(200, { "Content-Length": "100" });
  response.write('{"success": tr', () => response.destroy());
};
const keys = () => scripted.requests.map(({ headers }) => headers["idempotency-key"]);

describe("a request is sent again", () => {
  it.each<[string, Step]>([
    ["no answer came", "cut"],
    ["half of the answer came", halfOf],
    ["what came is no JSON", (response) => response.writeHead(200).end("<html>")],
    ["502", (response) => response.writeHead(502).end("<html>")],
    ["503", failed(503)],
    ["429", failed(429)],
  ])("after: %s; a creating POST with the same key", async (_when, step) => {
    expect((await asked([step, DONE], "client.calls.start_outbound(call)")).error).toBeNull();
    expect(keys()).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys()[0]]);
  });

  it("with the key that was given", async () => {
    await asked(["cut", DONE], 'client.calls.start_outbound(call, idempotency_key="order-1")');
    expect(keys()).toEqual(["order-1", "order-1"]);
  });

  it("not before Retry-After, and each time later", async () => {
    await asked([failed(429, { "Retry-After": "1" }), "cut", DONE], "client.account.get()");
    const [first = 0, second = 0, third = 0] = scripted.requests.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(999);
    expect(third - second).toBeGreaterThanOrEqual(499);
  });
});

describe("a request is sent once", () => {
  it.each<[string, Step, string, object]>([
    ["a POST without a key got no answer", "cut", 'client.campaigns.start("cmp_1")', {}],
    ["such a POST got 503", failed(503), 'client.campaigns.start("cmp_1")', {}],
    ["it was refused", failed(409), "client.calls.start_outbound(call)", {}],
    ["it is sent elsewhere", failed(302, { Location: "http://127.0.0.1:1/" }), "client.account.get()", {}],
    ["Retry-After is longer than a minute", failed(429, { "Retry-After": "61" }), "client.account.get()", {}],
    ["retries are 0", "cut", "client.calls.start_outbound(call)", { retries: 0 }],
  ])("when %s", async (_when, step, statement, options) => {
    expect((await asked([step, DONE], statement, options)).error).not.toBeNull();
    expect(scripted.requests).toHaveLength(1);
  });
});

it("an error says what the service said", async () => {
  const error = {
    code: "VALIDATION_ERROR",
    message: "See details",
    details: [{ path: ["a", 0], message: "Bad" }],
  };
  const step = {
    status: 400,
    headers: { "X-Request-Id": "req-1", "Retry-After": "5" },
    body: { success: false, error },
  };
  expect((await asked([step], 'client.campaigns.get("cmp_1", at="2026-09-01T10:00:00Z")')).error).toEqual({
    kind: "RingfoldError",
    method: "GET",
    path: "/api/v1/campaigns/cmp_1",
    status: 400,
    code: "VALIDATION_ERROR",
    details: error.details,
    request_id: "req-1",
    retry_after: 5,
    message: "GET /api/v1/campaigns/cmp_1 answered 400 VALIDATION_ERROR: See details; a.0: Bad",
  });
});

it("verifies webhooks: signature, timestamp and headers in any case, with what is the matter", async () => {
  const secret = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
  const body = JSON.stringify({ event: "call.ended", data: { name: "Zoë 🎉" } });
  const now = 1_790_000_000_000;
  const [timestamp, signature] = ["X-Service-Timestamp", "X-Service-Signature"];
  const good = { [timestamp]: `${now}`, [signature]: seedSignature(secret, `${now}`, Buffer.from(body)) };
  const signedAt = (text: string) => ({
    [timestamp]: text,
    [signature]: seedSignature(secret, text, Buffer.from(body)),
  });
  const lowerCase = Object.fromEntries(
    Object.entries(good).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { [signature]: right = "" } = good;
  const cases: readonly [object, string, string][] = [
    [good, body, "call.ended"],
    [lowerCase, body, "call.ended"],
    [signedAt(`${now - 299_000}`), body, "call.ended"],
    [{ ...good, [signature]: "sha256=", "X-Service-Signature-Next": right }, body, "call.ended"],
    [good, `${body} `, "wrong_signature"],
    [{ ...good, [signature]: "ü" }, body, "wrong_signature"],
    [{ ...good, [timestamp]: `${now + 1}` }, body, "wrong_signature"],
    ...[`${now - 301_000}`, `${now + 301_000}`, "", "NaN", "1e400", "-1"].map(
      (text): [object, string, string] => [signedAt(text), body, "timestamp_too_far_off"],
    ),
    [{ [signature]: right }, body, "missing_header"],
    [{ [timestamp]: `${now}` }, body, "missing_header"],
    [{ ...good, [signature.toLowerCase()]: right }, body, "missing_header"],
  ];
  const given = cases.map(([headers, text]) => ({ secret, headers, body: text, now: now / 1_000 }));
  const saw = await printed("asked.py", [`verify(${JSON.stringify(given)})`], { SERVICE_URL: service.url });
  expect(saw.verdicts).toEqual(cases.map(([, , verdict]) => verdict));
});

it("a file that is cut raises while it is read", async () => {
  const saw = await asked([halfOf], 'client.calls.get_recording("call_1").read()');
  expect(saw.error).toMatchObject({ kind: "RingfoldConnectionError" });
  expect(scripted.requests).toHaveLength(1);
});

/** A stream of these pieces, which then ends, is cut or stays open in silence. */
const stream =
  (then: "end" | "cut" | "silence", ...pieces: readonly string[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(pieces.join(""), () => {
      if (then === "end") response.end();
      if (then === "cut") response.destroy();
    });
  };
const event = (position: string) =>
  `id: ${position}\nevent: CallFailed\ndata: {"position":"${position}"}\n\n`;
const CLOSING = 'event: closing\ndata: {"reason":"stopping"}\n\n';
const REVOKED: Step = {
  status: 401,
  body: { success: false, error: { code: "UNAUTHORIZED", message: "No" } },
};

describe("a stream goes on after its last event", () => {
  it.each<[string, number, Step]>([
    ["is cut", 45, stream("cut", event("1"), event("2"))],
    ["ends", 45, stream("end", event("1"), event("2"))],
    ["is closed by a service that stops", 45, stream("end", event("1"), event("2"), CLOSING)],
    ["is cut within an event", 45, stream("cut", event("1"), event("2"), "id: 3\nda")],
    ["is silent", 3, stream("silence", event("1"), event("2"))],
  ])("when it %s (%i s are too long a silence)", async (_how, silence, first) => {
    const steps = [first, failed(503), stream("end", event("3")), REVOKED];
    const saw = await asked(steps, `follow(after="0", types="CallFailed", silence=${silence})`, {
      retries: 0,
    });
    expect(saw.positions).toEqual(["1", "2", "3"]);
    expect(saw.error).toMatchObject({ kind: "RingfoldError", code: "UNAUTHORIZED" });
    expect(scripted.requests.map(({ headers }) => headers["last-event-id"])).toEqual([
      undefined,
      "2",
      "2",
      "3",
    ]);
    expect(scripted.requests.map(({ path }) => path)).toEqual(
      Array(4).fill("/api/v1/events?after=0&types=CallFailed"),
    );
  });

  it.each<[string, Step, string]>([
    ["the first connection fails", "cut", "RingfoldConnectionError"],
    ["what answers knows no stream", DONE, "RingfoldConnectionError"],
  ])("but not when %s", async (_when, step, kind) => {
    expect((await asked([step], "follow()", { retries: 0 })).error).toMatchObject({ kind });
    expect(scripted.requests).toHaveLength(1);
  });
});
