import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ShownMessage } from "../../contract/conversation.ts";
import type { RehearsalRecord, RehearsalRunRecord, RehearsalRunSummary } from "../../contract/rehearsal.ts";

/** Against a service that answers as a test wants; the real one: rehearse-example.test.ts. */
const PROGRAM = join(import.meta.dirname, "../../programs/rehearse.ts");
const KEY = "va_live_secret";
const CASES = { name: "Reminder", assistantId: "ast_1", cases: [] };
/** Standard error is a terminal. */
const TERMINAL = "--import=data:text/javascript,Object.defineProperty(process.stderr,'isTTY',{value:true})";

type Case = RehearsalRecord["byCase"][number];

function caseOf(name: string, changes: Partial<Case> = {}): Case {
  const none = { passed: 0, failed: 0, errors: 0, waiting: 0, cancelled: 0 };
  return { case: name, lane: "candidate", ...none, isPassed: null, ...changes };
}

function rehearsalOf(byCase: readonly Case[], changes: Partial<RehearsalRecord> = {}): RehearsalRecord {
  return {
    id: "rhl_1",
    name: "Reminder",
    assistantId: "ast_1",
    squadId: null,
    version: "draft",
    baseline: false,
    repeat: 1,
    passAt: 1,
    maxTokens: 500_000,
    status: "done",
    waitingFor: null,
    endedBecause: "finished",
    progress: 1,
    passed: 0,
    failed: 0,
    errors: 0,
    passRate: null,
    tokens: { inputTokens: 90, outputTokens: 10 },
    draftHash: "9f86",
    erased: false,
    createdAt: "2026-09-01T10:00:00.000Z",
    endedAt: "2026-09-01T10:00:02.000Z",
    actor: "key_1",
    cases: [],
    expect: [],
    byCase,
    ...changes,
  };
}

const GOING: Partial<RehearsalRecord> = {
  status: "running",
  endedBecause: null,
  endedAt: null,
  progress: 0.5,
};

function runOf(name: string, changes: Partial<RehearsalRunRecord> = {}): RehearsalRunRecord {
  return {
    runId: `run_${name}${changes.lane ?? ""}${changes.n ?? 1}`,
    case: name,
    lane: "candidate",
    n: 1,
    status: "passed",
    problem: null,
    failures: [],
    outcome: null,
    endReason: "customer_ended",
    turns: 1,
    toolCalls: 0,
    inputTokens: 90,
    outputTokens: 10,
    firstTokenMs: 1,
    warnings: [],
    startedAt: "2026-09-01T10:00:00.000Z",
    endedAt: "2026-09-01T10:00:01.500Z",
    messages: [],
    ...changes,
  };
}

function messageOf(index: number, role: "assistant" | "customer", content: string): ShownMessage {
  return { index, role, assistantId: null, content, at: "2026-09-01T10:00:00.000Z", offsetMs: 0 };
}

/** What the service says: how a rehearsal begins, what each look sees (the last one again), and its runs. */
type Service = {
  readonly seen: readonly RehearsalRecord[];
  readonly runs?: readonly RehearsalRunRecord[];
  /** In place of the rehearsal that begins. */
  readonly refusal?: { readonly status: number; readonly error: object };
};

type Asked = { readonly request: string; readonly key: string | undefined; readonly body: string };

let folder = "";
let server: Server | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ringfold-rehearse-"));
});
afterEach(() => {
  server?.close();
  rmSync(folder, { recursive: true });
});

async function serve(service: Service) {
  const asked: Asked[] = [];
  let looks = 0;
  const answerTo = ({ method, url = "" }: IncomingMessage): object => {
    const runs = service.runs ?? [];
    if (url.includes("/runs?"))
      return { data: runs.map(listed), pagination: { limit: 200, nextCursor: null } };
    if (url.includes("/runs/")) return { data: runs.find(({ runId }) => url.endsWith(runId)) };
    if (method === "GET") looks += 1;
    return { data: service.seen[Math.min(looks, service.seen.length - 1)] };
  };
  server = createServer(async (request, response) => {
    const body = await text(request);
    asked.push({ request: `${request.method} ${request.url}`, key: request.headers.authorization, body });
    const refusal = request.url === "/api/v1/rehearsals" ? service.refusal : undefined;
    response.writeHead(refusal?.status ?? 200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(refusal ?? { success: true, ...answerTo(request) }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const listed = ({ messages: _messages, ...run }: RehearsalRunRecord): RehearsalRunSummary => run;

type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

async function rehearse(
  args: readonly string[],
  {
    input = JSON.stringify(CASES),
    env = {},
  }: { input?: string; env?: Readonly<Record<string, string>> } = {},
  watch?: (child: ReturnType<typeof spawn>) => void,
): Promise<Ran> {
  const whole = { PATH: process.env["PATH"] ?? "", RINGFOLD_API_KEY: KEY, ...env };
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: whole, stdio: "pipe" });
  child.stdin.on("error", () => undefined).end(input);
  watch?.(child);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { code: typeof code === "number" ? code : null, stdout, stderr };
}

const PASSED = caseOf("confirms", { passed: 1, isPassed: true });
const FAILED = caseOf("moves", { failed: 1, isPassed: false });
const ERRED = caseOf("refuses", { errors: 1, isPassed: false });

describe("it ends", () => {
  it.each<[number, string, readonly Case[], Partial<RehearsalRecord>]>([
    [0, "when every case passed", [PASSED], {}],
    [
      0,
      "when a run failed in a case that passed",
      [caseOf("a", { passed: 1, failed: 1, isPassed: true })],
      {},
    ],
    [0, "when only the baseline failed", [PASSED, { ...FAILED, lane: "baseline" }], {}],
    [1, "when a case failed", [PASSED, FAILED, ERRED], {}],
    [2, "when only errors kept a case from passing", [PASSED, ERRED], {}],
    [
      2,
      "when it was cut short",
      [PASSED, caseOf("a", { cancelled: 1, isPassed: false })],
      { status: "cancelled", endedBecause: "max_tokens" },
    ],
  ])("with %i %s", async (code, _when, byCase, changes) => {
    const { url } = await serve({ seen: [rehearsalOf(byCase, GOING), rehearsalOf(byCase, changes)] });
    const ran = await rehearse(["--file", "-", "--url", url]);
    expect(ran).toMatchObject({ code, stdout: expect.stringContaining("rhl_1") });
  });

  it("with 2 and the places of a body that is refused", async () => {
    const details = [
      { path: ["cases", 0, "caller"], message: "Must have exactly one of says, callId, persona" },
    ];
    const error = { code: "VALIDATION_ERROR", message: "Invalid", details };
    const { url, asked } = await serve({ seen: [], refusal: { status: 400, error } });
    const { code, stdout, stderr } = await rehearse(["--file", "-", "--url", url]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("VALIDATION_ERROR: Invalid; cases.0.caller: Must have exactly one of");
    expect(asked.map(({ request }) => request)).toEqual(["POST /api/v1/rehearsals"]);
  });

  it("cancelled, with 130, by Ctrl-C", async () => {
    const { url, asked } = await serve({ seen: [rehearsalOf([caseOf("confirms", { waiting: 1 })], GOING)] });
    const looking = () => asked.some(({ request }) => request.startsWith("GET"));
    const ran = await rehearse(["--file", "-", "--url", url], {}, (child) => {
      const timer = setInterval(() => looking() && child.kill("SIGINT"), 20);
      child.once("exit", () => clearInterval(timer));
    });
    expect(ran).toMatchObject({
      code: 130,
      stdout: "",
      stderr: expect.stringContaining("rhl_1 was cancelled."),
    });
    expect(asked.at(-1)).toMatchObject({ request: "POST /api/v1/rehearsals/rhl_1/cancel" });
  });
});

describe("it asks", () => {
  it("with the key of the environment, or of --key, and the body as it is in the file", async () => {
    const { url, asked } = await serve({ seen: [rehearsalOf([PASSED])] });
    const file = join(folder, "cases.json");
    writeFileSync(file, `\ufeff${JSON.stringify(CASES)}`);
    expect(await rehearse(["--file", file, "--url", url])).toMatchObject({ code: 0 });
    expect(await rehearse(["--file", file, "--url", `${url}/`, "--key", "other"])).toMatchObject({ code: 0 });
    const begun = asked.filter(({ request }) => request === "POST /api/v1/rehearsals");
    expect(begun.map(({ key }) => key)).toEqual([`Bearer ${KEY}`, "Bearer other"]);
    expect(begun.map(({ body }) => JSON.parse(body))).toEqual([CASES, CASES]);
  });

  it.each<[string, readonly string[], string, Readonly<Record<string, string>>]>([
    ["--file is needed", [], "", {}],
    ["--url is no address", ["--file", "-", "--url", "here"], "", {}],
    ["An API key is needed", ["--file", "-"], "", { RINGFOLD_API_KEY: "" }],
    ["ENOENT", ["--file", "/nowhere/cases.json"], "", {}],
    ["- is no JSON", ["--file", "-"], "cases:", {}],
    ["1 MiB", ["--file", "-"], " ".repeat(1_048_577), {}],
    ["ENOENT", ["--file", "-", "--junit", "/nowhere/report.xml"], "{}", {}],
    ["got no whole answer", ["--file", "-", "--url", "http://127.0.0.1:1"], "{}", {}],
  ])("nobody where that is clear before (%s), and never tells the key", async (said, args, input, env) => {
    const { code, stdout, stderr } = await rehearse(args, { input, env });
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining(said) });
    expect(stderr).not.toContain(KEY);
  });
});

describe("it tells", () => {
  const MISSED = runOf("moves", {
    status: "failed",
    failures: [{ expect: { says: "Thursday" }, got: '<no> & "never"', messageIndex: 2 }],
    messages: [
      messageOf(0, "assistant", "Will you come?"),
      messageOf(1, "customer", "No"),
      messageOf(2, "assistant", "Bye\u001b[31m\nnow \ud800\uffff"),
    ],
  });
  const runs = [
    runOf("confirms"),
    runOf("confirms", { lane: "baseline", status: "failed", failures: MISSED.failures }),
    MISSED,
    runOf("refuses", { status: "error", problem: "The model did not answer" }),
    runOf("refuses", { n: 2, status: "cancelled" }),
  ];
  const byCase = [
    PASSED,
    { ...FAILED, case: "confirms", lane: "baseline" as const },
    FAILED,
    { ...ERRED, cancelled: 1 },
  ];

  it("a person what was missed, and the words beside it", async () => {
    const { url } = await serve({ seen: [rehearsalOf(byCase)], runs });
    const { stdout } = await rehearse(["--file", "-", "--url", url]);
    expect(stdout.split("\n")).toEqual([
      "passed  confirms  1/1   baseline 0/1",
      "FAILED  moves     0/1",
      "ERROR   refuses   0/2",
      "",
      "moves #1",
      '  expected {"says":"Thursday"}, got "<no> & \\"never\\"" (message 2)',
      "    0 assistant: Will you come?",
      "    1 customer: No",
      "  > 2 assistant: Bye [31m now \ufffd\uffff",
      "",
      "refuses #1",
      "  The model did not answer",
      "",
      "refuses #2",
      "  cancelled",
      "",
      "1 of 3 cases passed; 5 runs, 100 tokens, rhl_1",
      "",
    ]);
  });

  it("CI a suite for each lane, and fails or errs only in what counts", async () => {
    const { url } = await serve({ seen: [rehearsalOf(byCase)], runs });
    const report = join(folder, "report.xml");
    expect(await rehearse(["--file", "-", "--url", url, "--junit", report])).toMatchObject({ code: 1 });
    const missed =
      "expected {&quot;says&quot;:&quot;Thursday&quot;}, got &quot;&lt;no&gt; &amp; \\&quot;never\\&quot;&quot; (message 2)";
    const properties = [
      "    <properties>",
      '      <property name="rehearsal" value="rhl_1"/>',
      '      <property name="draftHash" value="9f86"/>',
      "    </properties>",
    ];
    const test = (name: string) => `    <testcase classname="Reminder" name="${name}" time="1.5"`;
    expect(readFileSync(report, "utf8").split("\n")).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="Reminder" tests="5" failures="1" errors="2" skipped="1">',
      '  <testsuite name="candidate" timestamp="2026-09-01T10:00:00" tests="4" failures="1" errors="2" skipped="0">',
      ...properties,
      `${test("confirms #1")}/>`,
      `${test("moves #1")}>`,
      `      <failure message="${missed}">${missed}</failure>`,
      "      <system-out>  0 assistant: Will you come?",
      "  1 customer: No",
      "&gt; 2 assistant: Bye [31m now \ufffd\ufffd</system-out>",
      "    </testcase>",
      `${test("refuses #1")}>`,
      '      <error message="The model did not answer">The model did not answer</error>',
      "    </testcase>",
      `${test("refuses #2")}>`,
      '      <error message="cancelled">cancelled</error>',
      "    </testcase>",
      "  </testsuite>",
      '  <testsuite name="baseline" timestamp="2026-09-01T10:00:00" tests="1" failures="0" errors="0" skipped="1">',
      ...properties,
      `${test("confirms #1")}>`,
      `      <skipped message="counts for nothing: ${missed}"/>`,
      "    </testcase>",
      "  </testsuite>",
      "</testsuites>",
      "",
    ]);
  });

  it("a terminal how far it is, and what it waits for", async () => {
    const going = rehearsalOf([{ ...caseOf("confirms"), waiting: 2 }], { ...GOING, waitingFor: "tokens" });
    const { url } = await serve({ seen: [going, going, rehearsalOf([PASSED])] });
    const { stdout, stderr } = await rehearse(["--file", "-", "--url", url], {
      env: { NODE_OPTIONS: TERMINAL },
    });
    expect(stderr).toContain("1/2 runs | failed 0 | errors 0 | waits for tokens of the plan");
    expect(stderr).toContain("\u001b[?25h");
    expect(stdout).toContain("1 of 1 cases passed");
  });
});
