import { beforeAll, describe, expect, it } from "vitest";
import { systemIds } from "../../../infrastructure/ids.ts";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { type Callable, callable, campaignBody, endedCall, made } from "../support/things.ts";

const CAMPAIGNS = "/api/v1/campaigns";
const TO = "+15005550006";

const TEXTS = {
  greetingMessage: "Hi {{name}} from {{town}}",
  specialInstructions: "The appointment is on {{date}}.",
  metadata: { crm: 7 },
};
const CONTACTS = [
  { phoneNumber: "+15005550002", name: "Ayşe", customData: { town: "İzmir", date: "2 May" } },
  { phoneNumber: "+15005550003", name: "Zoë", customData: { town: "Bonn", date: "3 May" } },
];

/** docs/api.md §12: POST /campaigns/:id/test-call. */
export function testCall(service: () => TestService): void {
  describe("a test call", () => {
    let user: ApiUser;
    let ready: Callable;
    let campaign: Wire;
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
      const body = campaignBody(ready, { ...TEXTS, contacts: CONTACTS, ringTimeoutSeconds: 33 });
      ({ campaign } = await made(user, CAMPAIGNS, body));
    });
    const call = (body: object, headers: Readonly<Record<string, string>> = {}) =>
      user.send("POST", `${CAMPAIGNS}/${campaign.id}/test-call`, { body, headers });

    it("says what the campaign says to its first contact, by the version that it pinned, and is billed", async () => {
      await user.send("PATCH", `/api/v1/assistants/${ready.assistantId}`, { body: { name: "Other" } });
      await user.send("POST", `/api/v1/assistants/${ready.assistantId}/publish`);
      const started = await call({ to: TO });
      expect(started.status).toBe(200);
      const ended = await endedCall(user, started.body.data.callId);
      expect(ended).toMatchObject({
        to: TO,
        ...ready,
        assistantVersion: campaign.assistantVersion,
        campaignId: null,
        contactId: null,
        attempt: 1,
        greetingMessage: "Hi Ayşe from İzmir",
        specialInstructions: "The appointment is on 2 May.",
        metadata: { crm: 7 },
        status: "completed",
      });
      expect(ended.cost).toBeGreaterThan(0);
    });

    it("says what it says to the contact that is named", async () => {
      const list = await user.send("GET", `${CAMPAIGNS}/${campaign.id}/contacts`);
      const started = await call({ to: TO, contactId: list.body.data[1].id });
      const ended = await endedCall(user, started.body.data.callId);
      expect(ended.greetingMessage).toBe("Hi Zoë from Bonn");
    });

    it("is no attempt of the campaign: its record, contacts and events are as before", async () => {
      const path = `${CAMPAIGNS}/${campaign.id}`;
      const all = async () =>
        Promise.all(
          ["", "/contacts", "/events", "/statistics"].map(
            async (part) => (await user.send("GET", path + part)).body,
          ),
        );
      const before = await all();
      const started = await call({ to: TO });
      await endedCall(user, started.body.data.callId);
      expect(await all()).toEqual(before);
      const calls = await user.send("GET", `/api/v1/calls?campaignId=${campaign.id}`);
      expect(calls.body.data).toEqual([]);
    });

    it("is made once for an Idempotency-Key", async () => {
      const headers = { "idempotency-key": "test-call" };
      const [first, second] = await Promise.all([call({ to: TO }, headers), call({ to: TO }, headers)]);
      expect(second?.body).toEqual(first?.body);
      const other = await call({ to: "+15005550002" }, headers);
      expect([other.status, other.body.error.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    });

    it("is refused at unknown contacts, wrong numbers, and numbers that nobody calls", async () => {
      for (const contactId of ["nobody", systemIds.next("ctc")]) {
        const unknown = await call({ to: TO, contactId });
        expect([unknown.status, unknown.body.error.code]).toEqual([400, "CONTACT_NOT_FOUND"]);
      }
      const wrong = await call({ to: "0532 111 22 33" });
      expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, ["to"]]);
      const nobody = await user.send("POST", `${CAMPAIGNS}/${systemIds.next("cmp")}/test-call`, {
        body: { to: TO },
      });
      expect([nobody.status, nobody.body.error.code]).toEqual([404, "CAMPAIGN_NOT_FOUND"]);
      await made(user, "/api/v1/suppressions", { phoneNumber: "+14155552672" });
      const suppressed = await call({ to: "+14155552672" });
      expect([suppressed.status, suppressed.body.error.code]).toEqual([403, "RECIPIENT_SUPPRESSED"]);
    });

    it("needs an active number, a published assistant, credits and a free slot", async () => {
      const { body } = await service().operator.send("POST", "/api/v1/users", {
        body: { name: "Poor", credits: 1.5, plan: { maxConcurrentCalls: 1 } },
      });
      const poor = service().as(body.data.apiKey.key);
      const theirs = await callable(poor);
      const own = (await made(poor, CAMPAIGNS, campaignBody(theirs))).campaign;
      const send = async (to: string) => {
        const answer = await poor.send("POST", `${CAMPAIGNS}/${own.id}/test-call`, { body: { to } });
        return [answer.status, answer.body.error?.code];
      };
      const number = `/api/v1/phone-numbers/${theirs.phoneNumberId}`;
      await poor.send("PATCH", number, { body: { active: false } });
      expect(await send(TO)).toEqual([400, "PHONE_NUMBER_NOT_FOUND"]);
      await poor.send("PATCH", number, { body: { active: true } });
      await poor.send("POST", `/api/v1/assistants/${theirs.assistantId}/unpublish`);
      expect(await send(TO)).toEqual([400, "ASSISTANT_NOT_PUBLISHED"]);
      await poor.send("POST", `/api/v1/assistants/${theirs.assistantId}/publish`);
      const userId = body.data.user.id;
      expect(await send("+15005550010")).toEqual([200, undefined]);
      expect(await send(TO)).toEqual([402, "INSUFFICIENT_CREDITS"]);
      const topUp = { amount: 10, reference: "r1", userId };
      await service().operator.send("POST", "/api/v1/account/credits", { body: topUp });
      expect(await send(TO)).toEqual([429, "CONCURRENCY_LIMIT_REACHED"]);
    });
  });
}
