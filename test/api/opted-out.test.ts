import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import { runProgram } from "../programs/run-program.ts";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { campaignBody, made } from "./support/things.ts";
import { type VerifiedWebhooks, verifiedWebhooks } from "./support/verified-webhooks.ts";

const CAMPAIGNS = "/api/v1/campaigns";
/** Simulated callees: docs/api-by-example.md. */
const SAYS = "+15005550013";
const PRESSES = "+15005550015";
const BUSY = "+15005550002";
const BY_KEY = "That is noted. Nobody will call you any more.";
const ASKED = "Asked on the call not to be called again";
const SECRETS_KEY = randomBytes(32).toString("base64");
const WAIT_MILLIS = 60_000;

let service: TestService;
let user: ApiUser;
let other: ApiUser;
let webhooks: VerifiedWebhooks;
let phoneNumberId: string;
let bySpeech: Ran;
let byKey: Ran;

beforeAll(async () => {
  // slow enough for the list to be read while the assistant still confirms
  service = await startTestService({ SECRETS_KEY, SIMULATOR_SPEED: "2" });
  [user, other] = [await service.newOwner(), await service.newOwner()];
  webhooks = await verifiedWebhooks(user, ["call.ended", "number.suppressed"]);
  phoneNumberId = (await made(user, "/api/v1/phone-numbers", { phoneNumber: "+15005550000" })).id;
  const turkish = { assistantId: await published(user, { language: "tr" }), phoneNumberId };
  const keys = { language: "en", optOutDigit: "9", optOutMessage: BY_KEY };
  const english = { assistantId: await published(user, keys), phoneNumberId };
  const once = { contacts: [{ phoneNumber: SAYS, name: "Ayşe" }, { phoneNumber: BUSY }], retryOn: [] };
  [bySpeech, byKey] = await Promise.all([
    run(user, campaignBody(turkish, once)),
    run(user, campaignBody(english, { contacts: [{ phoneNumber: PRESSES }] })),
  ]);
}, 180_000);
afterAll(async () => {
  webhooks.close();
  await service.stop();
});

async function published(who: ApiUser, settings: object): Promise<string> {
  const body = { name: "Ada", greetingMessage: "Hello, this is Ada.", systemPrompt: "Be kind." };
  const assistant = await made(who, "/api/v1/assistants", { ...body, ...settings });
  await who.send("POST", `/api/v1/assistants/${assistant.id}/publish`);
  return assistant.id;
}

/** A campaign that has ended, with its contacts in order. */
type Ran = { readonly id: string; readonly contacts: readonly Wire[]; readonly callId: string };

async function run(who: ApiUser, body: object): Promise<Ran> {
  const { id } = (await made(who, CAMPAIGNS, body)).campaign;
  await who.send("POST", `${CAMPAIGNS}/${id}/start`);
  await eventually("its end", async () => (await campaignOf(id, who)).status === "COMPLETED", WAIT_MILLIS);
  const contacts = await contactsOf(id, who);
  return { id, contacts, callId: contacts[0].attempts[0]?.callId ?? "" };
}

const data = async (path: string, who = user): Promise<Wire> => (await who.send("GET", path)).body.data;
const campaignOf = async (id: string, who = user) => (await data(`${CAMPAIGNS}/${id}`, who)).campaign;
const contactsOf = (id: string, who = user) => data(`${CAMPAIGNS}/${id}/contacts`, who);
const callOf = (callId: string, who = user) => data(`/api/v1/calls/${callId}`, who);
const listOf = (number: string) => data(`/api/v1/suppressions/${encodeURIComponent(number)}`);
const toldOf = (number: string) =>
  webhooks.received.filter(({ event, data }) => event === "number.suppressed" && data.phoneNumber === number);
const indexOf = (call: Wire, said: string) =>
  call.messages.findIndex(({ content }: Wire) => content === said);

/** Everything in which a reader sees it, but for the words themselves. */
async function shown({ id, callId, contacts: [contact] }: Ran): Promise<Wire> {
  const call = await callOf(callId);
  const calls = await data(`/api/v1/calls?campaignId=${id}`);
  const csv = await user.send("GET", `${CAMPAIGNS}/${id}/contacts.csv`);
  const [head = "", ...lines] = csv.text.split("\n").slice(0, -1);
  const column = head.split(",").indexOf("optedOut");
  const statistics = async (query: string) => (await data(`${CAMPAIGNS}/${id}/statistics${query}`)).optedOut;
  return {
    call: call.optedOut,
    calls: calls.map((each: Wire) => [each.to, each.optedOut]).toSorted(),
    contacts: (await contactsOf(id)).map((each: Wire) => [each.phoneNumber, each.optedOut]),
    contact: (await data(`${CAMPAIGNS}/${id}/contacts/${contact.id}`)).optedOut,
    csv: lines.map((line) => line.split(",")[column]),
    campaign: (await data(`${CAMPAIGNS}/${id}`)).statistics.optedOut,
    before: await statistics(`?at=${call.connectedAt}`),
    after: await statistics(`?at=${new Date().toISOString()}`),
  };
}

describe("who asked on a call never to be called again", () => {
  it("shows in the call, the lists, the file, the statistics then and now, and in call.ended", async () => {
    const call = await callOf(bySpeech.callId);
    const messageIndex = indexOf(call, "Please never call me again.");
    const optedOut = { by: "words", messageIndex, at: call.messages[messageIndex].at };
    expect(await shown(bySpeech)).toEqual({
      call: optedOut,
      calls: [
        [BUSY, null],
        [SAYS, optedOut],
      ].toSorted(),
      contacts: [
        [SAYS, true],
        [BUSY, false],
      ],
      contact: true,
      csv: ["true", "false"],
      campaign: 1,
      ...{ before: 0, after: 1 },
    });
    const ofCalls = () => webhooks.received.filter(({ event }) => event === "call.ended");
    await eventually("call.ended of all", () => ofCalls().length === 3);
    const told = new Map(ofCalls().map(({ data: ended }) => [ended.to, ended.optedOut]));
    expect(told).toEqual(
      new Map([
        [SAYS, optedOut],
        [BUSY, null],
        [PRESSES, (await callOf(byKey.callId)).optedOut],
      ]),
    );
  });

  it("is confirmed in the assistant's language or words, and the call ends when it was", async () => {
    const spoken = await callOf(bySpeech.callId);
    const pressed = await callOf(byKey.callId);
    expect(pressed.optedOut).toMatchObject({ by: "keypad", messageIndex: indexOf(pressed, "[keys: 9]") });
    for (const [call, words] of [
      [spoken, "Anladım. Sizi bir daha aramayacağız. İyi günler."],
      [pressed, BY_KEY],
    ]) {
      expect(call).toMatchObject({ status: "completed", endReason: "assistant_ended", endedBy: "assistant" });
      expect(call.messages.at(-1)).toMatchObject({ role: "assistant", content: words });
    }
  });

  it("is on the list before the call has ended, and told once, signed", async () => {
    for (const { callId, id } of [bySpeech, byKey]) {
      const { to, endedAt } = await callOf(callId);
      const entry = { phoneNumber: to, reason: ASKED, source: "call", callId };
      const list = await listOf(to);
      expect(list).toMatchObject({
        ...entry,
        listed: true,
        history: [{ action: "listed", by: null, callId }],
      });
      expect(list.createdAt < endedAt).toBe(true);
      await eventually("number.suppressed", () => toldOf(to).length > 0);
      expect(toldOf(to)).toMatchObject([{ data: { ...entry, campaignId: id } }]);
    }
  });

  it("is rung by no other campaign of that owner, which says why, and by another owner's", async () => {
    const assistantId = await published(user, {});
    const contacts = [{ phoneNumber: SAYS }, { phoneNumber: PRESSES }];
    const second = await run(user, campaignBody({ assistantId, phoneNumberId }, { contacts }));
    const skipped = { status: "skipped", attempts: [], nextAttemptAt: null, optedOut: false };
    expect(second.contacts).toMatchObject([skipped, skipped]);
    expect(await data(`/api/v1/calls?campaignId=${second.id}`)).toEqual([]);
    for (const [index, { callId }] of [bySpeech, byKey].entries()) {
      const path = `${CAMPAIGNS}/${second.id}/contacts/${second.contacts[index].id}/explain`;
      const why = await data(path);
      const because = [{ type: "ContactSkipped" }];
      expect(why).toMatchObject({ verdict: "suppressed", because, optOutCallId: callId });
      expect(why.sentence).toContain(`on the call ${callId} somebody asked never to be called again`);
    }
    const { id, callId, contacts: asked } = bySpeech;
    expect(await data(`${CAMPAIGNS}/${id}/contacts/${asked[0].id}/explain`)).toMatchObject({
      verdict: "reached",
      sentence: expect.stringContaining("on that call it was asked never to be called again"),
      optOutCallId: callId,
    });
    const single = { assistantId, phoneNumberId, to: SAYS };
    const refused = await user.send("POST", "/api/v1/calls/outbound", { body: single });
    expect([refused.status, refused.body.error.code]).toEqual([403, "RECIPIENT_SUPPRESSED"]);
    const number = await made(other, "/api/v1/phone-numbers", { phoneNumber: "+15005550000" });
    const theirs = { assistantId: await published(other, {}), phoneNumberId: number.id };
    const rung = await run(other, campaignBody(theirs, { contacts: [{ phoneNumber: SAYS }] }));
    expect(rung.contacts).toMatchObject([{ status: "succeeded", attempts: [{ attempt: 1 }] }]);
    expect((await callOf(rung.callId, other)).connectedAt).not.toBeNull();
  }, 120_000);

  it("is rung again once it was taken off by hand, and its history shows all of it", async () => {
    expect((await user.send("DELETE", `/api/v1/suppressions/${encodeURIComponent(SAYS)}`)).status).toBe(200);
    const ready = { assistantId: await published(user, {}), phoneNumberId };
    const third = await run(user, campaignBody(ready, { contacts: [{ phoneNumber: SAYS }] }));
    expect(third.contacts).toMatchObject([{ status: "succeeded", optedOut: true }]);
    const [key] = await data("/api/v1/api-keys");
    expect((await listOf(SAYS)).history).toMatchObject([
      { action: "listed", source: "call", by: null, callId: third.callId },
      { action: "removed", by: key.id },
      { action: "listed", source: "call", by: null, callId: bySpeech.callId },
    ]);
    await eventually("it told again", () => toldOf(SAYS).length === 2);
    expect(toldOf(SAYS).map(({ data: { callId } }) => callId)).toEqual([bySpeech.callId, third.callId]);
    // what was true of the first call stays true of it
    expect(await shown(bySpeech)).toMatchObject({
      call: { by: "words" },
      contact: true,
      before: 0,
      after: 1,
    });
  }, 120_000);

  it("shows the same after the read models were built again, and after its call's words are erased", async () => {
    const before = await shown(bySpeech);
    const env = { DATABASE_URL: service.databaseUrl, SECRETS_KEY };
    const rebuilt = await runProgram("rebuild.ts", [], env);
    expect([rebuilt.code, rebuilt.stderr]).toEqual([0, ""]);
    expect(await shown(bySpeech)).toEqual(before);
    expect((await user.send("DELETE", `/api/v1/calls/${bySpeech.callId}/content`)).status).toBe(200);
    expect(await callOf(bySpeech.callId)).toMatchObject({ erased: true, messages: [] });
    expect(await shown(bySpeech)).toEqual(before);
    expect((await listOf(SAYS)).history).toHaveLength(3);
    expect((await runProgram("rebuild.ts", [], env)).code).toBe(0);
    expect(await shown(bySpeech)).toEqual(before);
  }, 180_000);
});
