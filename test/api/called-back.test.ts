import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import { runProgram } from "../programs/run-program.ts";
import { callsInPieces, type FakeAnswer, speaks } from "../support/models/fake-answer.ts";
import {
  type AskedModel,
  type FakeModelServer,
  fakeModelServer,
} from "../support/models/fake-model-server.ts";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { campaignBody, made } from "./support/things.ts";
import { type VerifiedWebhooks, verifiedWebhooks } from "./support/verified-webhooks.ts";

const CAMPAIGNS = "/api/v1/campaigns";
/** Simulated callee: docs/api-by-example.md. */
const ASKS_FOR_A_CALL = "+15005550014";
const SECRETS_KEY = randomBytes(32).toString("base64");
const ZONE = "Europe/Istanbul";
const NOTE = "the zxqv offer of spring";
/** The earliest time that may be agreed is a minute ahead: the second call comes within two. */
const WAIT_MILLIS = 180_000;
const SETTINGS = { maxDays: 3, maxPerContact: 1 };

let service: TestService;
let model: FakeModelServer;
let user: ApiUser;
let other: ApiUser;
let webhooks: VerifiedWebhooks;
/** Each has one contact, which agreed a callback in its first call. */
let kept: Ran;
let paused: Ran;
let cancelled: Ran;
let listed: Ran;
let erased: Ran;
let optedOut: Ran;

type Ran = {
  readonly id: string;
  readonly who: ApiUser;
  readonly contactId: string;
  readonly callId: string;
};

beforeAll(async () => {
  model = await fakeModelServer(answerTo);
  service = await startTestService({ SECRETS_KEY, LLM_BASE_URL: model.url, LLM_MODEL: "fake-1" });
  [user, other] = [await service.newOwner(), await service.newOwner()];
  webhooks = await verifiedWebhooks(user, ["call.ended", "call.analyzed"]);
  const plain = await callableWith(user, { callback: SETTINGS });
  const far = await callableWith(user, { callback: SETTINGS, systemPrompt: TOMORROW });
  const outcome = { summary: true, fields: [] };
  const analysed = await callableWith(user, { callback: SETTINGS, systemPrompt: "Be brief.", outcome });
  const others = await callableWith(other, { callback: SETTINGS });
  const regrets = await callableWith(other, { callback: SETTINGS, systemPrompt: "Regret." });
  const begun = (who: ApiUser, ready: object) =>
    run(who, { ...ready, specialInstructions: "On {{callback_note}}." });
  const ofOther = async () => [await begun(other, others), await begun(other, regrets)] as const;
  [kept, paused, cancelled, erased, [listed, optedOut]] = await Promise.all([
    begun(user, plain),
    begun(user, plain),
    begun(user, far),
    begun(user, analysed),
    ofOther(),
  ]);
}, 180_000);
afterAll(async () => {
  webhooks.close();
  await service.stop();
  await model.close();
});

/** The system prompt of who agrees a day later: that call has not come when its campaign is cancelled. */
const TOMORROW = "Tomorrow will do.";

/** Agrees the next whole minute but one, as the prompt says what time it is there. */
function answerTo({ body }: AskedModel): FakeAnswer {
  const { messages, response_format: format }: Wire = body;
  const [system, last] = [String(messages[0].content), messages.at(-1)];
  if (format !== undefined) return speaks([JSON.stringify({ summary: "A call was asked for." })]);
  if (last.role === "tool" && system.includes("Regret.") && String(last.content).startsWith("Agreed"))
    return callsInPieces([{ id: "2", name: "stop_calling", arguments: "{}" }]);
  if (last.role === "tool") return speaks([`As it is: ${last.content}`]);
  if (!String(last.content).includes("call me again")) return speaks(["Good day."]);
  const [, clock] = /It is \w+ (\d{4}-\d\d-\d\d \d\d:\d\d) where the customer is/.exec(system) ?? [];
  const later = system.includes(TOMORROW) ? 86_400_000 : 120_000;
  const at = new Date(Date.parse(`${clock?.replace(" ", "T")}Z`) + later).toISOString().slice(0, 16);
  return callsInPieces([{ id: "1", name: "call_back_later", arguments: JSON.stringify({ at, note: NOTE }) }]);
}

async function callableWith(who: ApiUser, settings: object) {
  const draft = {
    name: "Ada",
    greetingMessage: "Hello, this is Ada.",
    systemPrompt: "Be kind.",
    language: "en",
  };
  const { id: assistantId } = await made(who, "/api/v1/assistants", { ...draft, ...settings });
  await who.send("POST", `/api/v1/assistants/${assistantId}/publish`);
  const numbers = await data("/api/v1/phone-numbers", who);
  const number = numbers[0] ?? (await made(who, "/api/v1/phone-numbers", { phoneNumber: "+15005550000" }));
  return { assistantId: String(assistantId), phoneNumberId: String(number.id) };
}

/** A campaign whose first call has its outcome. */
async function run(who: ApiUser, ready: Wire): Promise<Ran> {
  const contacts = [{ phoneNumber: ASKS_FOR_A_CALL, name: "Ayşe" }];
  const { id } = (await made(who, CAMPAIGNS, campaignBody(ready, { contacts, timezone: ZONE }))).campaign;
  await who.send("POST", `${CAMPAIGNS}/${id}/start`);
  const contact = await eventually(
    "the outcome of the first call",
    async () => {
      const [now] = await data(`${CAMPAIGNS}/${id}/contacts`, who);
      return now.attempts[0]?.endReason == null ? null : now;
    },
    WAIT_MILLIS,
  );
  return { id, who, contactId: contact.id, callId: contact.attempts[0].callId };
}

const data = async (path: string, who = user): Promise<Wire> => (await who.send("GET", path)).body.data;
const contactOf = ({ id, contactId, who }: Ran) => data(`${CAMPAIGNS}/${id}/contacts/${contactId}`, who);
const statisticsOf = ({ id, who }: Ran, at = "") => data(`${CAMPAIGNS}/${id}/statistics${at}`, who);
const callOf = (callId: string, who = user) => data(`/api/v1/calls/${callId}`, who);
const endedOf = (callId: string) =>
  webhooks.received.filter(({ event, data }) => event === "call.ended" && data.callId === callId);
const requestOf = async (callId: string): Promise<Wire> =>
  (await data(`/api/v1/calls/${callId}/events`)).find(({ type }: Wire) => type === "CallRequested").data;
const explained = async ({ id, contactId }: Ran, language: string): Promise<string> => {
  const headers = { "accept-language": language };
  return (await user.send("GET", `${CAMPAIGNS}/${id}/contacts/${contactId}/explain`, { headers })).body.data
    .sentence;
};

/** What the model is told of a call that was agreed before. */
const WHY = "In an earlier call the customer agreed to be called now.";

/** The instructions that the model was given in calls of an assistant, by its own text. */
const promptsOf = (own: string): string[] =>
  model.asked
    .map(({ body }: Wire) => String(body?.messages?.[0]?.content ?? ""))
    .filter((prompt) => prompt.startsWith(own));

/** The second call, once it has its outcome. */
async function secondCall(ran: Ran): Promise<Wire> {
  const [, second] = await eventually(
    "the callback",
    async () => {
      const { attempts } = await contactOf(ran);
      return attempts[1]?.endReason == null ? null : attempts;
    },
    WAIT_MILLIS,
  );
  return second;
}

describe("who asks on a call of a campaign to be called at another time", () => {
  it("is answered the time that will really be, and waits for it", async () => {
    const call = await callOf(kept.callId);
    const { callbackAt, at } = call.callback;
    expect(call.callback).toEqual({ at: expect.any(String), callbackAt, zone: ZONE, note: NOTE });
    expect(Date.parse(callbackAt)).toBe(Date.parse(`${at}:00+03:00`));
    const when = `${at.replace("T", " ")} (${ZONE}), unless the campaign is changed`;
    expect(call.messages.map(({ content }: Wire) => content)).toContainEqual(expect.stringContaining(when));
    expect(await contactOf(kept)).toMatchObject({
      ...{ status: "waiting_retry", callbackAt, nextAttemptAt: callbackAt, nextAttemptCause: "callback" },
    });
    const { id } = kept;
    expect(await statisticsOf(kept)).toMatchObject({
      ...{ pendingContacts: 1, waitingRetry: 1, callbacks: 1, successfulCalls: 0, failedCalls: 0 },
      ...{ attempts: 1, byEndReason: { [call.endReason]: 1 } },
    });
    expect(await statisticsOf(kept, `?at=${call.connectedAt}`)).toMatchObject({
      waitingRetry: 0,
      callbacks: 0,
    });
    expect((await data(`${CAMPAIGNS}/${id}`)).campaign).toMatchObject({
      pendingCalls: 1,
      successfulCalls: 0,
    });
    const [ended] = await eventually("call.ended", () => {
      const found = endedOf(kept.callId);
      return found.length > 0 ? found : null;
    });
    expect(ended.data).toMatchObject({
      ...{ callback: call.callback, isFinalAttempt: false, nextAttemptAt: callbackAt, attempt: 1 },
    });
    const request = await requestOf(kept.callId);
    expect(request.callback).toEqual({ zone: ZONE, window: null, left: 1, maxDays: 3 });
    expect(request).not.toHaveProperty("callbackOf");
  });

  it("stands in the file, and says why it waits in both languages", async () => {
    const { callbackAt } = await contactOf(kept);
    const { text } = await user.send("GET", `${CAMPAIGNS}/${kept.id}/contacts.csv`);
    const [head = "", line = ""] = text.split("\n");
    const cell = (name: string) => line.split(",")[head.split(",").indexOf(name)];
    expect(["nextAttemptAt", "nextAttemptCause", "callbackAt"].map(cell)).toEqual([
      callbackAt,
      "callback",
      callbackAt,
    ]);
    const { at } = (await callOf(kept.callId)).callback;
    const when = `${at.replace("T", " ")}:00 +03:00`;
    expect(await explained(kept, "en")).toContain(`waits for a call at ${when}, as agreed in attempt 1 at `);
    expect(await explained(kept, "tr")).toContain(`${when} zamanındaki çağrıyı bekliyor; bu 1. denemede, `);
  });

  it("is listed and exported alone, now and as it stood", async () => {
    const path = `${CAMPAIGNS}/${kept.id}/contacts`;
    const asked = async (query: string) => (await data(`${path}?${query}`)).map(({ id }: Wire) => id);
    expect(await asked("nextAttemptCause=callback")).toEqual([kept.contactId]);
    expect(await asked("nextAttemptCause=callback&optedOut=false&status=waiting_retry")).toEqual([
      kept.contactId,
    ]);
    expect(await asked("nextAttemptCause=retry")).toEqual([]);
    expect(await asked("optedOut=true")).toEqual([]);
    const { connectedAt } = await callOf(kept.callId);
    expect(await asked(`nextAttemptCause=callback&at=${new Date().toISOString()}`)).toEqual([kept.contactId]);
    expect(await asked(`nextAttemptCause=callback&at=${connectedAt}`)).toEqual([]);
    const lines = async (cause: string) =>
      (await user.send("GET", `${path}.csv?nextAttemptCause=${cause}`)).text.trimEnd().split("\n").slice(1);
    expect((await lines("callback")).map((line) => line.split(",")[0])).toEqual([kept.contactId]);
    expect(await lines("retry")).toEqual([]);
    const ofOptedOut = await data(`${CAMPAIGNS}/${optedOut.id}/contacts?optedOut=true`, other);
    expect(ofOptedOut.map(({ id }: Wire) => id)).toEqual([optedOut.contactId]);
  });

  it("has failed when the campaign is cancelled", async () => {
    await user.send("POST", `${CAMPAIGNS}/${cancelled.id}/cancel`);
    expect(await statisticsOf(cancelled)).toMatchObject({ failedCalls: 1, waitingRetry: 0, callbacks: 0 });
    const none = { nextAttemptAt: null, nextAttemptCause: null, callbackAt: null };
    expect(await contactOf(cancelled)).toMatchObject({ ...none, status: "failed" });
  });

  it("is not called back when the same call then asks never to be called again", async () => {
    expect(await contactOf(optedOut)).toMatchObject({
      status: "succeeded",
      optedOut: true,
      callbackAt: null,
    });
    expect(await statisticsOf(optedOut)).toMatchObject({ optedOut: 1, callbacks: 0, waitingRetry: 0 });
    expect(await callOf(optedOut.callId, other)).toMatchObject({ optedOut: { by: "model" } });
  });

  it("leaves no note anywhere when that call is erased, and still waits", async () => {
    const kinds = () =>
      webhooks.received.filter(({ data }) => data.callId === erased.callId).map(({ event }) => event);
    await eventually("both webhooks", () => kinds().length === 2, WAIT_MILLIS);
    expect(kinds()).toEqual(["call.ended", "call.analyzed"]);
    const database = new pg.Pool({ connectionString: service.databaseUrl, max: 1 });
    const bodies = async () => {
      const sql = "select body from work.webhook_messages where call_id = $1 order by sequence";
      return (await database.query<{ body: string }>(sql, [erased.callId])).rows.map(({ body }) => body);
    };
    expect((await bodies()).filter((body) => body.includes(NOTE))).toHaveLength(2);
    const { callback } = await callOf(erased.callId);
    expect((await user.send("DELETE", `/api/v1/calls/${erased.callId}/content`)).status).toBe(200);
    const blank = { ...callback, note: null };
    await eventually("the erasure", async () => (await callOf(erased.callId)).callback.note === null);
    expect((await callOf(erased.callId)).callback).toEqual(blank);
    const ofCampaign = await data(`/api/v1/calls?campaignId=${erased.id}`);
    expect(ofCampaign.map(({ callback }: Wire) => callback)).toEqual([blank]);
    await eventually("what is stored", async () => (await bodies()).every((body) => !body.includes("zxqv")));
    expect((await bodies()).map((body) => JSON.parse(body).data.callback)).toEqual([blank, blank]);
    await database.end();
    const history = await user.send("GET", `/api/v1/calls/${erased.callId}/events?limit=200`);
    expect(history.text).toContain("CallCallbackAgreed");
    expect(history.text).not.toContain("zxqv");
    const { callbackAt } = blank;
    expect(await contactOf(erased)).toMatchObject({ status: "waiting_retry", callbackAt });
    expect(await statisticsOf(erased)).toMatchObject({ callbacks: 1 });
  });

  it("is called then and not before, and the assistant knows why, but for a note that is erased", async () => {
    await user.send("POST", `${CAMPAIGNS}/${paused.id}/pause`);
    const { callbackAt } = await contactOf(kept);
    const { callId } = await secondCall(kept);
    const request = await requestOf(callId);
    expect(request.at >= callbackAt).toBe(true);
    expect(request.callback).toEqual({ zone: ZONE, window: null, left: 0, maxDays: 3 });
    expect(request.callbackOf).toBe(kept.callId);
    expect(JSON.stringify(request)).not.toContain("zxqv");
    const forgotten = await secondCall(erased);
    expect((await requestOf(forgotten.callId)).callbackOf).toBe(erased.callId);
    const knowing = promptsOf("Be kind.").filter((prompt) => prompt.includes(WHY));
    expect(knowing.length).toBeGreaterThan(0);
    for (const prompt of knowing) {
      expect(prompt).toContain(`On ⟦${NOTE}⟧.`);
      expect(prompt).toContain(`"callback_note":"${NOTE}"`);
    }
    const brief = promptsOf("Be brief.").filter((prompt) => prompt.includes(WHY));
    expect(brief.length).toBeGreaterThan(0);
    for (const prompt of brief) {
      expect(prompt).toContain("On .");
      expect(prompt).not.toContain("zxqv");
    }
  }, 300_000);

  it("is then reached, and may agree no more than the assistant lets them", async () => {
    const reached = { status: "succeeded", nextAttemptAt: null, nextAttemptCause: null, callbackAt: null };
    expect(await contactOf(kept)).toMatchObject({ ...reached, attempts: [{ attempt: 1 }, { attempt: 2 }] });
    expect(await statisticsOf(kept)).toMatchObject({
      ...{ successfulCalls: 1, waitingRetry: 0, callbacks: 0, attempts: 2 },
    });
    const first = await callOf(kept.callId);
    const [, second] = (await contactOf(kept)).attempts;
    const between = `?at=${new Date(Date.parse(second.startedAt) - 1).toISOString()}`;
    expect(await statisticsOf(kept, between)).toMatchObject({ waitingRetry: 1, callbacks: 1, attempts: 1 });
    const since = `?at=${new Date().toISOString()}`;
    expect(await statisticsOf(kept, since)).toMatchObject({ waitingRetry: 0, callbacks: 0, attempts: 2 });
    expect((await callOf(second.callId)).callback).toBeNull();
    const [ended] = await eventually("its call.ended", () => {
      const found = endedOf(second.callId);
      return found.length > 0 ? found : null;
    });
    expect(ended.data).toMatchObject({ isFinalAttempt: true, nextAttemptAt: null, callback: null });
    expect(first.callback.note).toBe(NOTE);
  });

  it("is not called where the number is on the list by then, nor in a pause, but when that ends", async () => {
    await eventually("the end", async () => (await contactOf(listed)).status === "failed", WAIT_MILLIS);
    expect((await contactOf(listed)).attempts).toHaveLength(1);
    expect(await statisticsOf(listed)).toMatchObject({ failedCalls: 1, waitingRetry: 0, callbacks: 0 });
    const due = await contactOf(paused);
    expect(due.callbackAt < new Date().toISOString()).toBe(true);
    expect([due.status, due.attempts.length]).toEqual(["waiting_retry", 1]);
    expect(await explained(paused, "en")).toContain("waits for the campaign, which was paused");
    const resumedAt = new Date().toISOString();
    await user.send("POST", `${CAMPAIGNS}/${paused.id}/resume`);
    expect((await requestOf((await secondCall(paused)).callId)).at >= resumedAt).toBe(true);
  }, 240_000);

  it("keeps every rule by the log, and stands so in read models that are built again", async () => {
    const env = { DATABASE_URL: service.databaseUrl, SECRETS_KEY };
    for (const { id } of [kept, paused, cancelled, erased, listed, optedOut]) {
      const { code, stdout } = await runProgram("replay.ts", [id, "--verify"], env);
      expect([code, stdout]).toEqual([0, expect.any(String)]);
    }
    const shown = async () => {
      const each = [kept, paused, cancelled, erased, listed, optedOut];
      return Promise.all(each.map(async (ran) => [await contactOf(ran), await statisticsOf(ran)]));
    };
    const before = await shown();
    expect((await runProgram("rebuild.ts", [], env)).code).toBe(0);
    expect(await shown()).toEqual(before);
  }, 240_000);
});
