import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "../api/support/api-user.ts";
import { startTestService, type TestService } from "../api/support/service.ts";
import { endedCall, made } from "../api/support/things.ts";
import { type VerifiedWebhooks, verifiedWebhooks } from "../api/support/verified-webhooks.ts";
import { callsInPieces, type FakeAnswer, speaks } from "../support/models/fake-answer.ts";
import {
  type AskedModel,
  type FakeModelServer,
  fakeModelServer,
} from "../support/models/fake-model-server.ts";
import { type ProgramRun, runProgram } from "./run-program.ts";

/*
 * What a user does: change a draft, rehearse it, mend what failed, publish what passed. And what nobody
 * notices: no telephone, no tool, no webhook, no credit, no number on a list.
 */

const REHEARSALS = "/api/v1/rehearsals";
const GREETING = "Hello {{name|there}}, this is Ada from the shop.";

let folder = "";
let model: FakeModelServer;
let shop: Server;
let asksOfShop = 0;
let service: TestService;
let user: ApiUser;
let webhooks: VerifiedWebhooks;
let pool: pg.Pool;
let assistantId = "";
let callId = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ringfold-rehearsal-"));
  model = await fakeModelServer(answerOf);
  shop = createServer((_request, response) => {
    asksOfShop += 1;
    response.end("shipped");
  }).listen(0, "127.0.0.1");
  await once(shop, "listening");
  service = await startTestService({
    LLM_BASE_URL: model.url,
    LLM_API_KEY: "sk-test",
    LLM_MODEL: "fake-1",
  });
  user = await service.newOwner("A shop");
  pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 });
  webhooks = await verifiedWebhooks(user, ["call.started", "call.ended", "number.suppressed"]);
  const { port } = shop.address() as AddressInfo;
  const tool = await made(user, "/api/v1/tools", {
    name: "Order status",
    type: "API_REQUEST",
    description: "Where an order is",
    config: { url: `http://127.0.0.1:${port}/orders/{orderId}`, method: "GET" },
  });
  const texts = {
    name: "Ada",
    greetingMessage: GREETING,
    systemPrompt: "Be kind.",
    toolIds: [tool.id],
    recording: "off",
  };
  assistantId = (await made(user, "/api/v1/assistants", texts)).id;
  await user.send("POST", `/api/v1/assistants/${assistantId}/publish`);
  callId = await called();
});
afterAll(async () => {
  webhooks.close();
  await pool.end();
  await service.stop();
  await model.close();
  shop.close();
  rmSync(folder, { recursive: true });
});

/** One real call before, whose customer is played again. */
async function called(): Promise<string> {
  const { id: phoneNumberId } = await made(user, "/api/v1/phone-numbers", { phoneNumber: "+15005550000" });
  const body = { assistantId, phoneNumberId, to: "+15005550016" };
  const call = (await user.send("POST", "/api/v1/calls/outbound", { body })).body.callId;
  await endedCall(user, call);
  const told = () => webhooks.received.some(({ event }) => event === "call.ended");
  await eventually("its webhook", told);
  const account = async () => (await user.send("GET", "/api/v1/account")).body.data;
  await eventually("its settlement", async () => (await account()).reserved === 0);
  return call;
}

/** The model of the assistant, and the one that plays a persona, which is offered `hang_up`. */
function answerOf({ body }: AskedModel): FakeAnswer {
  const { messages = [], tools = [] }: Wire = body ?? {};
  const last: Wire = messages.at(-1);
  if (tools.some(({ function: { name } }: Wire) => name === "hang_up"))
    return messages.length > 3
      ? callsInPieces([{ id: "call_1", name: "hang_up", arguments: "{}" }])
      : speaks(["I only ", "wanted to say hello."]);
  if (last.role === "tool") return speaks(["It says: ", String(last.content).split("\n").at(-1) ?? ""]);
  if (/order/i.test(last.content))
    return callsInPieces([{ id: "call_1", name: "order_status", arguments: '{"orderId":"12"}' }]);
  return speaks([
    "You are ",
    /brief/.test(messages[0].content) ? "welcome." : "most welcome, dear customer.",
  ]);
}

const ORDER = { says: ["Where is my order twelve?", "Thank you."] };

const body = () => ({
  name: "Shorter answers",
  assistantId,
  cases: [
    {
      name: "asks for an order",
      contact: { name: "Zoë" },
      caller: ORDER,
      tools: { "Order status": [{ when: { orderId: "12" }, answer: "on its way" }] },
      expect: [
        { says: "Hello Zoë" },
        { tool: "Order status", arguments: { orderId: "12" } },
        { says: "on its way" },
        { neverSays: ["dear customer"] },
      ],
    },
    {
      name: "the shop does not answer",
      caller: ORDER,
      tools: { "Order status": [{ fails: "timed_out" }] },
      expect: [{ tool: "Order status" }, { neverSays: ["on its way"] }],
    },
    {
      name: "wants no more calls",
      caller: { says: ["Please never call me again."] },
      expect: [{ optedOut: true }, { noTool: "Order status" }],
    },
    {
      name: "a call of before",
      caller: { callId },
      expect: [{ noTool: "Order status" }, { turnsAtMost: 10 }],
    },
    {
      name: "somebody chats",
      caller: { persona: "Somebody who is alone", goal: "Says hello" },
      expect: [{ endReason: "customer_ended" }],
    },
    { name: "says nothing", caller: { says: [{ silence: true }] }, expect: [{ optedOut: false }] },
  ],
});

async function rehearse(): Promise<ProgramRun & { readonly id: string }> {
  const file = join(folder, "cases.json");
  writeFileSync(file, JSON.stringify(body()));
  const env = { RINGFOLD_API_KEY: user.key };
  const ran = await runProgram("rehearse.ts", ["--file", file, "--url", service.url], env);
  return { ...ran, id: /rhl_\w+/.exec(ran.stdout)?.[0] ?? "" };
}

/** What a call leaves behind, but for what read models make of the log, and what its owner sees of it. */
async function world() {
  const data = async (path: string) => (await user.send("GET", `/api/v1/${path}`)).body.data;
  const { balance, reserved } = await data("account");
  return {
    rows: await rowsByTable(),
    asksOfShop,
    webhooks: webhooks.received.length,
    calls: (await data("calls")).length,
    suppressions: await data("suppressions"),
    credits: { balance, reserved },
  };
}

async function rowsByTable(): Promise<Readonly<Record<string, number>>> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema in ('log', 'work', 'config') and table_type = 'BASE TABLE' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows)
    counts[name] =
      (await pool.query<{ n: number }>(`select count(*)::int as n from ${name}`)).rows[0]?.n ?? 0;
  return counts;
}

describe("a user", () => {
  it("changes a draft, sees what fails, mends it, and publishes what passed; nobody notices", async () => {
    const before = await world();
    const patch = (systemPrompt: string) =>
      user.send("PATCH", `/api/v1/assistants/${assistantId}`, { body: { systemPrompt } });
    await patch("Be kind and long.");
    const first = await rehearse();
    expect(first, first.stdout + first.stderr).toMatchObject({ code: 1 });
    expect(first.stdout).toMatch(/^FAILED {2}asks for an order/m);
    expect(first.stdout).toContain("5 of 6 cases passed");
    const publish = (rehearsalId: string) =>
      user.send("POST", `/api/v1/assistants/${assistantId}/publish`, { body: { rehearsalId } });
    expect((await publish(first.id)).body.error.code).toBe("REHEARSAL_NOT_PASSED");

    await patch("Be kind and brief.");
    const second = await rehearse();
    expect(second, second.stdout + second.stderr).toMatchObject({ code: 0 });
    const after = await world();
    const more = Object.keys(after.rows).filter((name) => (after.rows[name] ?? 0) > (before.rows[name] ?? 0));
    expect({ ...after, rows: null }).toEqual({ ...before, rows: null });
    expect(more).toEqual(OWN_TABLES);
    expect((await publish(second.id)).body.data).toMatchObject({ publishedVersion: 2 });
  });

  it("gets the same where every connection is refused but the model's", async () => {
    const openly = await played();
    expect(openly.map(({ status }: Wire) => status)).toEqual(Array(6).fill("passed"));
    const refused = refuseConnections([portOf(model.url), portOf(service.url), databasePort()]);
    try {
      expect(await played()).toEqual(openly);
      expect(refused.attempts).toEqual([]);
      await expect(fetch(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`)).rejects.toThrow();
      expect(refused.attempts).toHaveLength(1);
    } finally {
      refused.restore();
    }
  });
});

/** What a rehearsal may write. */
const OWN_TABLES = [
  "config.subject_keys",
  "work.idempotency_keys",
  "work.rehearsal_cases",
  "work.rehearsal_runs",
  "work.rehearsal_tokens",
  "work.rehearsals",
];

/** What was said in each run, and what came of it. */
async function played(): Promise<Wire> {
  const { id } = (await user.send("POST", REHEARSALS, { body: body() })).body.data;
  const isOver = async () => (await user.send("GET", `${REHEARSALS}/${id}`)).body.data.status !== "running";
  await eventually("its end", isOver);
  const runs: Wire[] = (await user.send("GET", `${REHEARSALS}/${id}/runs`)).body.data;
  return Promise.all(
    runs.map(async (run) => {
      const whole = (await user.send("GET", `${REHEARSALS}/${id}/runs/${run.runId}`)).body.data;
      const { status, failures, endReason, turns, toolCalls, warnings, messages } = whole;
      const said = messages.map(({ role, content, result, kind }: Wire) => [role, content, result, kind]);
      return { name: whole.case, status, failures, endReason, turns, toolCalls, warnings, said };
    }),
  );
}

const portOf = (url: string) => Number(new URL(url).port);
const databasePort = () => Number(new URL(service.databaseUrl).port || 5432);

/** From now on a socket of this process reaches these ports of this machine only. */
function refuseConnections(ports: readonly number[]) {
  const attempts: unknown[] = [];
  const connect = Socket.prototype.connect;
  const spy = vi.spyOn(Socket.prototype, "connect").mockImplementation(function (
    this: Socket,
    ...args: Wire[]
  ) {
    const [first] = args;
    const given = Array.isArray(first) ? first[0] : first;
    const port = Number(given?.port ?? given);
    if (typeof given?.path === "string" || String(given).startsWith("/") || ports.includes(port))
      return Reflect.apply(connect, this, args);
    attempts.push(given);
    return this.destroy(new Error("This connection is refused"));
  });
  return { attempts, restore: () => spy.mockRestore() };
}
