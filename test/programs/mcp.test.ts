import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { callRoutes } from "../../contract/call.ts";
import { startTestService, type TestService } from "../api/support/service.ts";
import { type Callable, callable, campaignBody, endedCall, made } from "../api/support/things.ts";
import { runProgram } from "./run-program.ts";

const ROOT = join(import.meta.dirname, "../..");
/** docs/decisions/0119-tools-for-assistants.md */
const MOST_CHARACTERS = 40_000;

const configuration = z.object({
  mcpServers: z.object({ ringfold: z.object({ command: z.string(), args: z.array(z.string()) }) }),
});
const answered = z.object({
  isError: z.boolean().default(false),
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
});

/** As README says that an assistant starts it. */
function started(): { readonly command: string; readonly args: readonly string[] } {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const text = /```json\n(\{\n {2}"mcpServers"[\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const { command, args } = configuration.parse(JSON.parse(text)).mcpServers.ringfold;
  return { command, args: args.map((each) => each.replace("/path/to/ringfold", ROOT)) };
}

async function connect(env: Readonly<Record<string, string>>, more: readonly string[] = []) {
  const { command, args } = started();
  const client = new Client({ name: "test", version: "1" });
  const whole = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env };
  await client.connect(new StdioClientTransport({ command, args: [...args, ...more], env: whole }));
  const call = async (name: string, given: Readonly<Record<string, unknown>> = {}) => {
    const { isError, content } = answered.parse(await client.callTool({ name, arguments: { ...given } }));
    expect(content[0].text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    return { isError, text: content[0].text };
  };
  return {
    client,
    call,
    /** What a tool answers, as JSON. */
    ask: async (name: string, given: Readonly<Record<string, unknown>> = {}) => {
      const { isError, text } = await call(name, given);
      if (isError) throw new Error(text);
      return JSON.parse(text);
    },
  };
}

type Connected = Awaited<ReturnType<typeof connect>>;

let service: TestService;
let ready: Callable;
let reader: Connected;
let writer: Connected;
beforeAll(async () => {
  service = await startTestService();
  ready = await callable(service.operator);
  const env = { RINGFOLD_URL: service.url, RINGFOLD_API_KEY: service.operator.key };
  [reader, writer] = await Promise.all([connect(env), connect(env, ["--", "--write"])]);
});
afterAll(async () => {
  await Promise.all([reader.client.close(), writer.client.close()]);
  await service.stop();
});

const READING = [
  "explain_contact",
  "get_account",
  "get_call",
  "get_call_transcript",
  "get_campaign",
  "get_campaign_progress",
  "get_campaign_statistics",
  "get_contact",
  "get_number",
  "get_usage",
  "list_assistants",
  "list_calls",
  "list_campaigns",
  "list_contacts",
  "list_outcomes",
  "list_phone_numbers",
  "search",
];
const WRITING = [
  "add_suppression",
  "pause_campaign",
  "resume_campaign",
  "start_campaign",
  "start_outbound_call",
];

/** docs/api-by-example.md */
const SAYS_YES = "+15005550016";
const SUCCESS = { field: "confirmed", in: [true] };
type Row = { readonly to: string; readonly outcome: unknown };

const campaign = (changes: Readonly<Record<string, unknown>> = {}) =>
  made(service.operator, "/api/v1/campaigns", campaignBody(ready, changes)).then((data) => data.campaign);

describe("an assistant", () => {
  it("is given tools that read, with the words of the contract, and those that write only with --write", async () => {
    const { tools } = await reader.client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(READING);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const listCalls = tools.find(({ name }) => name === "list_calls");
    const { summary, description } = callRoutes.listCalls;
    expect(listCalls?.description).toBe(`${summary}. ${description}`);
    expect(listCalls?.inputSchema.properties?.["campaignId"]).toMatchObject({
      description: "Only what belongs to this campaign",
    });
    expect(listCalls?.inputSchema.properties?.["limit"]).toMatchObject({
      type: "integer",
      description: "Number of rows on a page (default 20)",
    });

    const all = (await writer.client.listTools()).tools;
    expect(all.map(({ name }) => name).toSorted()).toEqual([...READING, ...WRITING].toSorted());
    const writing = all.filter(({ annotations }) => annotations?.readOnlyHint === false);
    expect(writing.map(({ name }) => name).toSorted()).toEqual(WRITING);
  });

  it("cannot write without --write, whatever it names", async () => {
    const { id } = await campaign();
    expect(await reader.call("start_campaign", { campaignId: id })).toEqual({
      isError: true,
      text: "There is no tool start_campaign",
    });
    expect((await reader.ask("get_campaign", { campaignId: id })).campaign.status).toBe("PENDING");
  });

  it("reads campaigns, their contacts by filters, and why somebody was not called", async () => {
    const contacts = ["Ada", "Grace"].map((name, index) => ({
      phoneNumber: `+1500555000${6 + index}`,
      name,
    }));
    const { id } = await campaign({ name: "Reminders", contacts });
    expect((await reader.ask("list_campaigns", { limit: 1 })).rows).toMatchObject([
      { id, name: "Reminders" },
    ]);
    expect(await reader.ask("get_campaign_statistics", { campaignId: id })).toMatchObject({
      totalContacts: 2,
    });
    const { rows } = await reader.ask("list_contacts", { campaignId: id, status: "pending", q: "Grace" });
    expect(rows).toMatchObject([{ name: "Grace" }]);
    expect((await reader.ask("list_contacts", { campaignId: id, status: "failed" })).rows).toEqual([]);
    const why = await reader.ask("explain_contact", { campaignId: id, contactId: rows[0].id });
    expect(why).toMatchObject({ verdict: "not_started", sentence: expect.stringContaining("Grace") });
    // The model of numbers follows the log by itself: a creation does not wait for it.
    const verdicts = async () => (await reader.ask("get_number", { phoneNumber: "+15005550007" })).verdicts;
    await expect.poll(verdicts, { timeout: 10_000 }).toMatchObject([{ verdict: "not_started" }]);
  });

  it("reads calls with what was said, phone numbers and usage", async () => {
    const body = { ...ready, to: "+15005550006" };
    const { callId } = (await service.operator.send("POST", "/api/v1/calls/outbound", { body })).body;
    const ended = await endedCall(service.operator, callId);
    // Its recording may come later.
    const { callId: id, to, status, endReason } = ended;
    expect(await reader.ask("get_call", { callId })).toMatchObject({ callId: id, to, status, endReason });
    const transcript = await reader.ask("get_call_transcript", { callId });
    expect(transcript).toEqual({ callId, status, messages: expect.any(Array) });
    expect(transcript.messages[0]).toMatchObject({ role: "assistant", content: "Hello, this is Ada." });
    expect((await reader.ask("list_calls", { status: ended.status })).rows).toMatchObject([{ callId }]);
    expect((await reader.ask("list_phone_numbers")).rows).toMatchObject([{ phoneNumber: "+15005550000" }]);
    const { days } = await reader.ask("get_usage");
    expect(days.at(-1)).toMatchObject({ calls: 1 });
  });

  it("reads what the calls of a campaign brought home, by field and value", async () => {
    const description = "Whether the appointment is kept";
    const outcome = { fields: [{ name: "confirmed", type: "boolean", description }], success: SUCCESS };
    const greetingMessage = "Hello. Will you come to your appointment?";
    const texts = { name: "Clinic", systemPrompt: "Be kind.", greetingMessage, outcome };
    const { id: assistantId } = await made(service.operator, "/api/v1/assistants", texts);
    await service.operator.send("POST", `/api/v1/assistants/${assistantId}/publish`);
    const contacts = [{ phoneNumber: SAYS_YES }, { phoneNumber: "+15005550004" }];
    const { id: campaignId } = await campaign({ assistantId, contacts, retryOn: [] });
    await service.operator.send("POST", `/api/v1/campaigns/${campaignId}/start`);
    const counts = async () => (await reader.ask("list_outcomes", { campaignId })).counts;
    const yes = { analysed: 1, succeeded: 1, unsuccessful: 0, byField: { confirmed: { true: 1 } } };
    await expect.poll(counts, { timeout: 60_000 }).toEqual(yes);

    const confirmed = { campaignId, field: "confirmed", value: "true" };
    expect(await reader.ask("list_outcomes", confirmed)).toEqual({
      counts: yes,
      rows: [
        {
          callId: expect.any(String),
          campaignId,
          contactId: expect.any(String),
          to: SAYS_YES,
          endedAt: expect.any(String),
          outcome: { status: "ready", success: true, fields: { confirmed: true } },
        },
      ],
      nextCursor: null,
    });
    expect((await reader.ask("list_outcomes", { ...confirmed, value: "false" })).rows).toEqual([]);
    const all = await reader.ask("list_outcomes", { campaignId, field: "mood", limit: 2 });
    const outcomes = Object.fromEntries(all.rows.map((row: Row) => [row.to, row.outcome]));
    expect(outcomes).toEqual({
      [SAYS_YES]: { status: "ready", success: true, fields: {} },
      "+15005550004": { status: "none", success: null, fields: {} },
    });
  });

  it("gets a long list in pages that fit, each row once", async () => {
    const customData = { notes: "n".repeat(1_500) };
    const contacts = Array.from({ length: 130 }, (_none, index) => ({
      phoneNumber: "+15005550006",
      externalId: `row ${index}`,
      customData,
    }));
    const { id } = await campaign({ contacts });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const given = { campaignId: id, limit: 100, ...(cursor === null ? {} : { cursor }) };
      const page: { rows: { externalId: string }[]; nextCursor: string | null } = await reader.ask(
        "list_contacts",
        given,
      );
      expect(page.rows.length).toBeLessThan(30);
      seen.push(...page.rows.map(({ externalId }) => externalId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(contacts.map(({ externalId }) => externalId));
  });

  it("gets a record that is too long with what is left out named in its place", async () => {
    const large = { systemPrompt: "p".repeat(30_000), greetingMessage: "g".repeat(4_000), name: "Long" };
    await made(service.operator, "/api/v1/assistants", large);
    const { id } = await campaign({
      metadata: { notes: "m".repeat(16_000) },
      specialInstructions: "s".repeat(30_000),
    });
    const { campaign: record } = await reader.ask("get_campaign", { campaignId: id });
    expect(record.id).toBe(id);
    expect(record.metadata.specialInstructions).toBe(`${"s".repeat(4_000)}… (26000 more characters)`);
    const page = await reader.ask("list_assistants", { limit: 1 });
    expect(page.rows).toMatchObject([{ name: "Long" }]);
  });

  it("writes with --write: starts, pauses, resumes, calls, and puts a number on the do-not-call list", async () => {
    const contacts = Array(200).fill({ phoneNumber: "+15005550006" });
    const { id } = await campaign({ contacts, maxConcurrentCalls: 1 });
    const statusAfter = async (tool: string) => (await writer.ask(tool, { campaignId: id })).campaign.status;
    expect(await statusAfter("start_campaign")).toBe("RUNNING");
    expect(await statusAfter("pause_campaign")).toBe("PAUSED");
    expect(await statusAfter("resume_campaign")).toBe("RUNNING");
    expect(await statusAfter("pause_campaign")).toBe("PAUSED");
    const suppressed = await writer.ask("add_suppression", { phoneNumber: "+15005551234", reason: "Asked" });
    expect(suppressed).toMatchObject({ phoneNumber: "+15005551234", reason: "Asked" });
    const call = await writer.ask("start_outbound_call", { ...ready, to: "+15005550006" });
    expect(call).toEqual({ callId: expect.stringMatching(/^call_/), status: expect.any(String) });
    const refused = await writer.call("start_outbound_call", { ...ready, to: "+15005551234" });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("RECIPIENT_SUPPRESSED") });
  });
});

describe("what goes wrong is told", () => {
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["get_campaign", { campaignId: "cmp_none" }, "CAMPAIGN_NOT_FOUND"],
    ["get_campaign", {}, "The argument campaignId is missing. It takes campaignId, at."],
    ["get_campaign", { campaignId: "" }, "The argument campaignId is missing."],
    ["get_campaign", { campaignId: "cmp_x", colour: "red" }, "There is no argument colour."],
    ["list_calls", { status: "lost" }, "VALIDATION_ERROR"],
    ["list_calls", { limit: "many" }, "The argument limit must be a whole number above 0."],
    ["list_calls", { limit: 201 }, "limit"],
    ["list_outcomes", { value: "true" }, "The argument value needs field"],
    ["list_outcomes", { campaignId: "cmp_none" }, "CAMPAIGN_NOT_FOUND"],
    ["list_outcomes", { field: "9", value: "1" }, "outcome.9"],
    ["get_account", { now: true }, "There is no argument now. It takes no arguments."],
    ["delete_everything", {}, "There is no tool delete_everything"],
  ])("%s %j", async (name, given, said) => {
    expect(await reader.call(name, given)).toEqual({ isError: true, text: expect.stringContaining(said) });
  });

  it("and never with the key, also where an answer would repeat it", async () => {
    const { text } = await reader.call("get_number", { phoneNumber: service.operator.key });
    expect(text).toContain("[API key]");
    expect(text).not.toContain(service.operator.key);
  });

  it("of a key that is not good, and of a service that is away", async () => {
    const key = "va_live_notakey";
    const stranger = await connect({ RINGFOLD_URL: service.url, RINGFOLD_API_KEY: key });
    const refused = await stranger.call("get_account");
    await stranger.client.close();
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("RINGFOLD_API_KEY") });
    expect(refused.text).not.toContain(key);
    const lost = await connect({ RINGFOLD_URL: "http://127.0.0.1:1", RINGFOLD_API_KEY: key });
    const silent = await lost.call("get_account");
    await lost.client.close();
    expect(silent).toMatchObject({ isError: true, text: expect.stringContaining("got no whole answer") });
  });
});

it.each([
  [{}, "RINGFOLD_API_KEY has no API key"],
  [{ RINGFOLD_API_KEY: "a key" }, "RINGFOLD_API_KEY has no API key"],
  [{ RINGFOLD_API_KEY: "key", RINGFOLD_URL: "here" }, "RINGFOLD_URL is no address"],
])("does not start with %j", async (env, said) => {
  const { code, stdout, stderr } = await runProgram("mcp.ts", [], env);
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: expect.stringContaining(said) });
});

it("ends when whoever asked has gone", async () => {
  const env = { PATH: process.env["PATH"] ?? "", RINGFOLD_API_KEY: "key" };
  const program = spawn(process.execPath, [join(ROOT, "programs/mcp.ts")], {
    env,
    stdio: ["pipe", "ignore", "inherit"],
  });
  program.stdin.end();
  expect(await once(program, "exit")).toEqual([0, null]);
});
