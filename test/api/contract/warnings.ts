import { beforeAll, describe, expect, it } from "vitest";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { type Callable, callable, campaignBody, made } from "../support/things.ts";

const CAMPAIGNS = "/api/v1/campaigns";

/** docs/api.md §12: what an answer warns of, and previews. */
export function warnings(service: () => TestService): void {
  describe("warnings", () => {
    let user: ApiUser;
    let ready: Callable;
    let poor: ApiUser;
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
      const poorOwner = await made(service().operator, "/api/v1/users", { name: "Poor", credits: 0 });
      poor = service().as(poorOwner.apiKey.key);
    });
    const add = (id: string, contacts: readonly object[]) =>
      user.send("POST", `${CAMPAIGNS}/${id}/contacts`, { body: { contacts } });

    /** Nothing to warn of, for an owner with credits. */
    const careful = {
      retryOn: ["busy"],
      timezone: "Europe/Istanbul",
      callWindowStart: 9,
      callWindowEnd: 18,
    };
    it("are none when all is given and the credits suffice, in every answer", async () => {
      const created = await made(user, CAMPAIGNS, campaignBody(ready, careful));
      const id = created.campaign.id;
      const added = await user.send("POST", `${CAMPAIGNS}/${id}/contacts`, {
        body: { contacts: [{ phoneNumber: "+15005550006" }] },
      });
      const started = await user.send("POST", `${CAMPAIGNS}/${id}/start`);
      expect([created.warnings, added.body.data.warnings, started.body.data.warnings]).toEqual([[], [], []]);
    });

    it("tell of what was not given, sorted by code, when it is made, added to and started", async () => {
      const window = { callWindowStart: 9, callWindowEnd: 18 };
      const greetingMessage = "Hello {{name}}, {{date}}";
      const body = campaignBody(ready, { ...window, greetingMessage });
      const { campaign, ...created } = await made(user, CAMPAIGNS, body);
      const expected = ["placeholder_unfilled", "retries_declined", "timezone_defaulted"];
      expect(codesOf(created)).toEqual(expected);

      const contacts = [
        { phoneNumber: "+15005550007", name: "Ada", customData: { date: "today" }, timezone: "Asia/Kolkata" },
      ];
      const added = await user.send("POST", `${CAMPAIGNS}/${campaign.id}/contacts`, { body: { contacts } });
      expect(codesOf(added.body.data)).toEqual(["retries_declined"]);

      const started = await user.send("POST", `${CAMPAIGNS}/${campaign.id}/start`);
      expect(codesOf(started.body.data)).toEqual(expected);
      expect(started.body.data.warnings[0]).toEqual({
        code: "placeholder_unfilled",
        message: "Nothing is said in place of {{date}} (1 contact), {{name}} (1 contact)",
        count: 1,
        path: ["greetingMessage"],
        keys: [
          { name: "date", count: 1 },
          { name: "name", count: 1 },
        ],
      });
      expect(started.body.data.warnings[2]).toMatchObject({ count: 1, path: ["timezone"] });
    });

    it("cease when a change gives what was not given", async () => {
      const { campaign } = await made(
        user,
        CAMPAIGNS,
        campaignBody(ready, { callWindowStart: 9, callWindowEnd: 18 }),
      );
      const changes = { retryOn: ["busy", "declined"], timezone: "Europe/Istanbul" };
      await user.send("PATCH", `${CAMPAIGNS}/${campaign.id}`, { body: changes });
      const added = await add(campaign.id, [{ phoneNumber: "+15005550006" }]);
      expect(codesOf(added.body.data)).toEqual([]);
    });

    it("tell what a minute with each accepted contact takes; a start without credits is refused all the same", async () => {
      const contacts = [
        { phoneNumber: "+15005550006" },
        { phoneNumber: "+15005550007" },
        { phoneNumber: "12" },
      ];
      const body = campaignBody(await callable(poor), { ...careful, contacts });
      const created = await made(poor, CAMPAIGNS, body);
      expect(created.warnings).toMatchObject([{ code: "credits_short", count: 2, available: 0 }]);
      expect(created.warnings[0].needed).toBeGreaterThan(0);
      const started = await poor.send("POST", `${CAMPAIGNS}/${created.campaign.id}/start`);
      expect(started.status).toBe(402);
    });

    it("stand in a repeated answer as in the first one", async () => {
      const options = { body: campaignBody(ready), headers: { "idempotency-key": "warned" } };
      const first = await user.send("POST", CAMPAIGNS, options);
      const again = await user.send("POST", CAMPAIGNS, options);
      expect(codesOf(first.body.data)).toEqual(["no_call_window", "retries_declined"]);
      expect(again.body).toEqual(first.body);
    });
  });

  describe("a preview", () => {
    let user: ApiUser;
    let ready: Callable;
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
    });
    const preview = (body: object) => user.send("POST", `${CAMPAIGNS}/preview`, { body });
    const contacts = [{ name: "Ada", customData: { date: "2 May" } }, { phoneNumber: "none" }];

    it("shows both texts as they would be said to each contact, and makes nothing", async () => {
      const templates = {
        greetingMessage: "Hello {{name}}!",
        specialInstructions: "On {{ DATE }}: {{name}}.",
      };
      const { status, body } = await preview({ ...templates, contacts });
      expect([status, body.data.items]).toEqual([
        200,
        [
          { greetingMessage: "Hello Ada!", specialInstructions: "On 2 May: Ada." },
          { greetingMessage: "Hello !", specialInstructions: "On : ." },
        ],
      ]);
      expect(body.data.warnings).toMatchObject([{ code: "placeholder_unfilled", count: 1 }]);
      expect((await user.send("GET", CAMPAIGNS)).body.data).toEqual([]);
    });

    it("takes the assistant's default greeting, and shows null where nothing is given", async () => {
      const { assistantId } = ready;
      const spoken = await preview({ assistantId, contacts });
      expect(spoken.body.data.items[0]).toEqual({
        greetingMessage: "Hello, this is Ada.",
        specialInstructions: null,
      });
      const silent = await preview({ contacts });
      expect(silent.body.data).toEqual({
        items: contacts.map(() => ({ greetingMessage: null, specialInstructions: null })),
        warnings: [],
        estimate: { hours: null, credits: null },
      });
    });

    it("estimates hours and credits by contacts, plan, pace and window", async () => {
      const estimateOf = async (more: object) =>
        (await preview({ contacts: [], ...more })).body.data.estimate;
      // 10,000 calls of 75 s over the plan's 10 lines.
      expect(await estimateOf({ contactCount: 10_000 })).toEqual({ hours: 20.83, credits: 10_000 });
      const one = { contactCount: 1, timezone: "Asia/Tokyo" };
      expect((await estimateOf({ ...one, maxConcurrentCalls: 1 })).hours).toBe(0.02);
      // At 0.1 calls a second the lines are not what is waited for.
      expect((await estimateOf({ contactCount: 361, maxCallsPerSecond: 0.1 })).hours).toBe(1.02);
      const closed = { callWindowStart: 9, callWindowEnd: 10, startAt: "2030-01-01T00:00:00+09:00" };
      expect((await estimateOf({ ...one, ...closed })).hours).toBe(9.02);
      const wrong = await preview({ contacts: [], contactCount: 1, callWindowStart: 9 });
      expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, ["callWindowEnd"]]);
    });

    it("says of whom would be rejected, and warns of a value that has no room", async () => {
      const note = "x".repeat(4_096);
      const long = [{ name: "x".repeat(255) }, { customData: { note } }];
      const greetingMessage = `${"{{name}}".repeat(17)}{{note}}!`;
      const { body } = await preview({ greetingMessage, contacts: long });
      expect(body.data.items).toEqual([
        { greetingMessage: null, specialInstructions: null, reason: "text_too_long" },
        { greetingMessage: "!", specialInstructions: null },
      ]);
      expect(codesOf(body.data)).toEqual(["placeholder_too_long", "placeholder_unfilled"]);
    });

    it("holds at most 20 contacts and texts as long as in a campaign, of an assistant that is published", async () => {
      const many = Array.from({ length: 21 }, () => ({}));
      expect((await preview({ contacts: many.slice(1) })).status).toBe(200);
      const refusals = await Promise.all([
        preview({ contacts: many }),
        preview({ contacts, greetingMessage: "x".repeat(4_097) }),
        preview({ contacts, specialInstructions: "x".repeat(32_769) }),
      ]);
      expect(refusals.map(({ status, body }) => [status, body.error.details[0].path])).toEqual([
        [400, ["contacts"]],
        [400, ["greetingMessage"]],
        [400, ["specialInstructions"]],
      ]);
      const unknown = await preview({ contacts, assistantId: "ast_unknown" });
      expect([unknown.status, unknown.body.error.code]).toEqual([400, "ASSISTANT_NOT_FOUND"]);
      const draft = await made(user, "/api/v1/assistants", {
        name: "Draft",
        greetingMessage: "Hi",
        systemPrompt: "Be kind.",
      });
      const unpublished = await preview({ contacts, assistantId: draft.id });
      expect([unpublished.status, unpublished.body.error.code]).toEqual([400, "ASSISTANT_NOT_PUBLISHED"]);
    });

    it("is made of another owner's assistant by nobody", async () => {
      const stranger = await service().newOwner();
      const { assistantId } = ready;
      const answer = await stranger.send("POST", `${CAMPAIGNS}/preview`, { body: { assistantId, contacts } });
      expect([answer.status, answer.body.error.code]).toEqual([400, "ASSISTANT_NOT_FOUND"]);
    });
  });
}

function codesOf(data: Wire): readonly string[] {
  return data.warnings.map(({ code }: Wire) => code);
}
