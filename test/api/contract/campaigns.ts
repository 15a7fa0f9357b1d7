import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { type Callable, callable, campaignBody, made } from "../support/things.ts";

const CAMPAIGNS = "/api/v1/campaigns";
const DIRTY = readFileSync(join(import.meta.dirname, "../../data/contacts-dirty.csv"));

/** docs/api.md §5. */
export function campaigns(service: () => TestService): void {
  describe("campaigns", () => {
    let user: ApiUser;
    let ready: Callable;
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
    });
    const create = (changes: object = {}) => made(user, CAMPAIGNS, campaignBody(ready, { ...changes }));
    const command = (id: string, name: string, body?: object) =>
      user.send("POST", `${CAMPAIGNS}/${id}/${name}`, body === undefined ? {} : { body });

    it("take null for whatever an answer shows as null", async () => {
      const nothing = { name: null, customData: null, timezone: null, externalId: null };
      const contacts = [{ phoneNumber: "+15005550006", ...nothing }];
      const optional = { greetingMessage: null, specialInstructions: null, metadata: null, squadId: null };
      const settings = { maxRetries: null, startAt: null, callWindowDays: null };
      const body = campaignBody(ready, { contacts, ...optional, ...settings });
      const { campaign } = await made(user, "/api/v1/campaigns", body);
      expect(campaign).toMatchObject({ metadata: {}, squadId: null, maxRetries: null, startAt: null });
      const rows = await user.send("GET", `/api/v1/campaigns/${campaign.id}/contacts`);
      expect(rows.body.data[0]).toMatchObject({ ...nothing, customData: {} });
    });

    it("begin PENDING with the counts of the seed", async () => {
      const { campaign, statistics, rejectedContacts } = await create({
        greetingMessage: "Hi {{name}}",
        metadata: { a: 1 },
        contacts: [{ phoneNumber: "+15005550006" }, { phoneNumber: "05321112233" }, { phoneNumber: "+1" }],
      });
      expect(campaign).toMatchObject({
        status: "PENDING",
        totalContacts: 1,
        pendingCalls: 1,
        startedAt: null,
        pauseReason: null,
        maxRetries: null,
        timezone: "Europe/Istanbul",
        effectiveMaxConcurrentCalls: 10,
        metadata: { a: 1, greetingMessage: "Hi {{name}}" },
      });
      expect(statistics).toEqual({
        totalContacts: 1,
        pendingContacts: 1,
        successfulCalls: 0,
        failedCalls: 0,
        waitingRetry: 0,
        attempts: 0,
        byEndReason: {},
        talkSeconds: 0,
        callbacks: 0,
        optedOut: 0,
        held: 0,
        outcomes: { analysed: 0, succeeded: 0, unsuccessful: 0, byField: {} },
        cost: 0,
        averageCallDuration: null,
      });
      expect(rejectedContacts.count).toBe(2);
    });

    it("stand in the past from their own createdAt on, whole, however long their import took", async () => {
      const contacts = Array.from({ length: 10_000 }, (_, index) => ({
        phoneNumber: `+1415${5_550_000 + index}`,
        name: `Contact ${index}`,
        customData: { note: "x".repeat(60) },
      }));
      const { campaign, statistics } = await create({ contacts });
      const at = `at=${campaign.createdAt}`;
      const record = await user.send("GET", `${CAMPAIGNS}/${campaign.id}?${at}`);
      expect([record.status, record.body.data]).toEqual([200, { campaign, statistics }]);
      const counts = await user.send("GET", `${CAMPAIGNS}/${campaign.id}/statistics?${at}`);
      expect([counts.status, counts.body.data]).toEqual([200, statistics]);
      const list = await user.send("GET", `${CAMPAIGNS}/${campaign.id}/contacts?limit=200&${at}`);
      expect([list.status, list.body.data.length]).toEqual([200, 200]);
      const before = new Date(Date.parse(campaign.createdAt) - 1).toISOString();
      expect((await user.send("GET", `${CAMPAIGNS}/${campaign.id}?at=${before}`)).status).toBe(404);
    });

    it("run to their end, and are told by list, record, statistics, contacts, CSV and events", async () => {
      const { campaign } = await create({
        retryOn: [],
        contacts: [{ phoneNumber: "+15005550006", name: "=Z" }],
      });
      const started = await command(campaign.id, "start");
      expect(started.body.data.campaign.startedAt).not.toBeNull();
      await eventually("its end", async () => {
        const { body } = await user.send("GET", `${CAMPAIGNS}/${campaign.id}`);
        return body.data.campaign.status === "COMPLETED";
      });
      const list = await user.send("GET", `${CAMPAIGNS}?status=COMPLETED`);
      expect(list.body.data.map(({ id }: { id: string }) => id)).toContain(campaign.id);
      const statistics = await user.send("GET", `${CAMPAIGNS}/${campaign.id}/statistics`);
      expect(statistics.body.data.successfulCalls).toBe(1);
      const contacts = await user.send("GET", `${CAMPAIGNS}/${campaign.id}/contacts?status=succeeded`);
      const [contact] = contacts.body.data;
      expect(contact.attempts).toHaveLength(1);
      const one = await user.send("GET", `${CAMPAIGNS}/${campaign.id}/contacts/${contact.id}`);
      expect(one.body.data).toEqual(contact);
      const csv = await user.send("GET", `${CAMPAIGNS}/${campaign.id}/contacts.csv`);
      expect(csv.text.split("\n")[1]).toContain(`${contact.id},+15005550006,"'=Z`);
      const events = await user.send("GET", `${CAMPAIGNS}/${campaign.id}/events?limit=1`);
      expect(events.body.data[0].data).toMatchObject({ firstIndex: 0, count: 1 });
      const next = await user.send(
        "GET",
        `${CAMPAIGNS}/${campaign.id}/events?limit=1&cursor=${events.body.pagination.nextCursor}`,
      );
      expect(next.body.data[0].revision).toBe(1);
    });

    it("are read as they stood", async () => {
      const { campaign } = await create();
      const at = (time: string) => `?at=${encodeURIComponent(time)}`;
      const before = await user.send("GET", `${CAMPAIGNS}/${campaign.id}${at("2020-01-01T00:00:00Z")}`);
      expect(before.status).toBe(404);
      const later = at("2100-01-01T00:00:00Z");
      const then = await user.send("GET", `${CAMPAIGNS}/${campaign.id}${later}`);
      expect(then.body.data.campaign.id).toBe(campaign.id);
      const contacts = await user.send("GET", `${CAMPAIGNS}/${campaign.id}/contacts${later}`);
      expect(contacts.body.data).toHaveLength(1);
    });

    it("are deleted before they begin, with all that is known of their people", async () => {
      const name = `Deleted ${Date.now()}`;
      const phoneNumber = "+15005550777";
      const contacts = [{ phoneNumber, name: "Deletia Gone" }, { phoneNumber: "+150055507" }];
      const { campaign } = await made(user, CAMPAIGNS, campaignBody(ready, { name, contacts }));
      const path = `${CAMPAIGNS}/${campaign.id}`;
      const [contact] = (await user.send("GET", `${path}/contacts`)).body.data;
      const whole = `${path}/contacts/${contact.id}`;
      const before = new Date().toISOString();
      const stranger = await (await service().newOwner()).send("DELETE", path);
      expect([stranger.status, stranger.body.error.code]).toEqual([404, "CAMPAIGN_NOT_FOUND"]);
      const gone = await user.send("DELETE", path);
      expect([gone.status, gone.body.data]).toEqual([200, { id: campaign.id, deleted: true }]);

      const reads = ["", "/statistics", "/progress", "/contacts", "/contacts.csv", "/events", "/story"];
      for (const read of [
        ...reads.map((each) => path + each),
        ...[whole, `${whole}/events`, `${whole}/explain`, `${whole}/explain?at=${before}`],
        ...[`${path}?at=${before}`, `${path}/contacts?at=${before}`],
      ])
        expect([read, (await user.send("GET", read)).status]).toEqual([read, 404]);
      for (const [method, more] of [
        ["DELETE", ""],
        ["POST", "/start"],
        ["POST", "/cancel"],
      ] as const)
        expect((await user.send(method, path + more)).status).toBe(404);
      const list = await user.send("GET", CAMPAIGNS);
      expect(list.body.data.map(({ id }: { id: string }) => id)).not.toContain(campaign.id);
      const found = await user.send("GET", `/api/v1/search?q=${encodeURIComponent("Delet")}`);
      expect([found.body.data.campaigns, found.body.data.contacts]).toEqual([[], []]);
      const number = await user.send("GET", `/api/v1/numbers/${encodeURIComponent(phoneNumber)}`);
      expect([number.body.data.contacts, number.body.data.verdicts]).toEqual([[], []]);

      const events = await user.send("GET", "/api/v1/events?order=desc&limit=1");
      expect(events.body.data[0]).toMatchObject({
        type: "CampaignDeleted",
        data: { campaignId: campaign.id },
      });
      const all = await user.send("GET", "/api/v1/events?limit=200");
      expect(all.text).not.toContain("Deletia");
    });

    it("are not deleted once they have begun", async () => {
      const { campaign } = await made(user, CAMPAIGNS, campaignBody(ready, {}));
      const path = `${CAMPAIGNS}/${campaign.id}`;
      await user.send("POST", `${path}/start`);
      await user.send("POST", `${path}/cancel`);
      const refused = await user.send("DELETE", path);
      expect([refused.status, refused.body.error.code]).toEqual([409, "CAMPAIGN_INVALID_STATE"]);
      expect((await user.send("GET", path)).status).toBe(200);
    });

    it("pause, change, go on and are cancelled; a repetition is 200, another state 409", async () => {
      const { campaign } = await create({ contacts: [{ phoneNumber: "+15005550010" }] });
      expect((await command(campaign.id, "pause")).body.error.code).toBe("CAMPAIGN_INVALID_STATE");
      await command(campaign.id, "start");
      expect((await command(campaign.id, "start")).status).toBe(200);
      const running = await user.send("PATCH", `${CAMPAIGNS}/${campaign.id}`, { body: { name: "B" } });
      expect([running.status, running.body.error.code]).toEqual([409, "CAMPAIGN_INVALID_STATE"]);
      const paused = await command(campaign.id, "pause");
      expect(paused.body.data.campaign).toMatchObject({ status: "PAUSED", pauseReason: "manual" });
      const changes = { name: "B", maxConcurrentCalls: 50, callWindowStart: 22, callWindowEnd: 6 };
      const changed = await user.send("PATCH", `${CAMPAIGNS}/${campaign.id}`, { body: changes });
      expect(changed.body.data.campaign).toMatchObject({ ...changes, effectiveMaxConcurrentCalls: 10 });
      const half = await user.send("PATCH", `${CAMPAIGNS}/${campaign.id}`, { body: { callWindowEnd: null } });
      expect(half.body.error.details[0].path).toEqual(["callWindowEnd"]);
      const none = { callWindowStart: null, callWindowEnd: null };
      await user.send("PATCH", `${CAMPAIGNS}/${campaign.id}`, { body: none });
      expect((await command(campaign.id, "resume")).status).toBe(200);
      const cancelled = await command(campaign.id, "cancel", { hangUpActiveCalls: true });
      expect(cancelled.body.data.campaign.status).toBe("CANCELLED");
      for (const name of ["start", "pause", "resume"]) {
        expect((await command(campaign.id, name)).status, name).toBe(409);
      }
      expect((await command(campaign.id, "cancel")).status).toBe(200);
      const skip = `contacts/${await firstContact(campaign.id)}/skip`;
      expect((await command(campaign.id, skip)).status).toBe(409);
      const contacts = [{ phoneNumber: "+15005550006" }];
      expect((await command(campaign.id, "contacts", { contacts })).status).toBe(409);
      const completed = await createCompleted();
      expect((await command(completed, "cancel")).status).toBe(409);
    });

    it("say from a change on what it says, by whom and from where; calls of before keep theirs", async () => {
      const { campaign } = await create({ greetingMessage: "Before", retryOn: [] });
      const path = `${CAMPAIGNS}/${campaign.id}`;
      const before = campaign.updatedAt;
      const other = await callable(user);
      const texts = { greetingMessage: "Now {{name|you}}", specialInstructions: "Ask {{city}}" };
      const changed = await user.send("PATCH", path, { body: { ...other, ...texts } });
      expect([changed.status, changed.body.data.campaign]).toEqual([
        200,
        expect.objectContaining({ ...other, assistantVersion: 1, metadata: texts }),
      ]);
      expect(changed.body.data.warnings).toContainEqual(
        expect.objectContaining({ code: "placeholder_unfilled", path: ["specialInstructions"] }),
      );
      expect((await user.send("GET", path)).body.data.campaign).toEqual(changed.body.data.campaign);
      const then = await user.send("GET", `${path}?at=${encodeURIComponent(before)}`);
      expect(then.body.data.campaign).toMatchObject({ ...ready, metadata: { greetingMessage: "Before" } });

      for (const [body, code, field] of [
        [{ assistantId: "ast_none" }, "ASSISTANT_NOT_FOUND", null],
        [{ phoneNumberId: "pn_none" }, "PHONE_NUMBER_NOT_FOUND", null],
        [{ squadId: "sqd_none" }, "SQUAD_NOT_FOUND", null],
        [{ greetingMessage: "x".repeat(4_097) }, "VALIDATION_ERROR", "greetingMessage"],
      ] as const) {
        const refused = await user.send("PATCH", path, { body });
        expect([refused.status, refused.body.error.code]).toEqual([400, code]);
        expect(refused.body.error.details?.[0].path).toEqual(field === null ? undefined : [field]);
      }
      await command(campaign.id, "start");
      const call = await eventually("its call", async () => {
        const { body } = await user.send("GET", `/api/v1/calls?campaignId=${campaign.id}`);
        return body.data[0];
      });
      expect((await user.send("GET", `/api/v1/calls/${call.id}`)).body.data).toMatchObject({
        ...other,
        greetingMessage: "Now you",
        specialInstructions: "Ask ",
      });
    });

    async function firstContact(id: string): Promise<string> {
      const { body } = await user.send("GET", `${CAMPAIGNS}/${id}/contacts?limit=1`);
      return body.data[0].id;
    }

    async function createCompleted(): Promise<string> {
      const { campaign } = await create();
      await command(campaign.id, `contacts/${await firstContact(campaign.id)}/skip`);
      await command(campaign.id, "start");
      await eventually("its end", async () => {
        const { body } = await user.send("GET", `${CAMPAIGNS}/${campaign.id}`);
        return body.data.campaign.status === "COMPLETED";
      });
      return campaign.id;
    }

    it("take more contacts, and leave out one that is skipped", async () => {
      const { campaign } = await create();
      const contacts = [{ phoneNumber: "+15005550002", externalId: "e1" }, { phoneNumber: "nope" }];
      const added = await command(campaign.id, "contacts", { contacts });
      expect(added.body.data.campaign.totalContacts).toBe(2);
      expect(added.body.data.rejectedContacts.items[0]).toMatchObject({ index: 1, reason: "not_e164" });
      const id = await firstContact(campaign.id);
      const skipped = await command(campaign.id, `contacts/${id}/skip`);
      expect(skipped.body.data).toMatchObject({ id, status: "skipped" });
      expect((await command(campaign.id, `contacts/${id}/skip`)).status).toBe(200);
    });

    it("do not start without credits", async () => {
      const { body } = await service().operator.send("POST", "/api/v1/users", {
        body: { name: "Poor", credits: 0 },
      });
      const poor = service().as(body.data.apiKey.key);
      const { campaign } = await made(poor, CAMPAIGNS, campaignBody(await callable(poor)));
      const answer = await poor.send("POST", `${CAMPAIGNS}/${campaign.id}/start`);
      expect([answer.status, answer.body.error.code]).toEqual([402, "INSUFFICIENT_CREDITS"]);
    });

    it.each([
      ["phoneNumberId", "PHONE_NUMBER_NOT_FOUND"],
      ["assistantId", "ASSISTANT_NOT_FOUND"],
      ["squadId", "SQUAD_NOT_FOUND"],
    ])("refuse an unknown %s with 400 %s", async (field, code) => {
      const body = campaignBody(ready, { [field]: "nobody" });
      const answer = await user.send("POST", CAMPAIGNS, { body });
      expect([answer.status, answer.body.error.code]).toEqual([400, code]);
    });

    it("refuse an assistant that is not published, and a list in which nobody can be called", async () => {
      const draft = await made(user, "/api/v1/assistants", {
        name: "Draft",
        greetingMessage: "Hi",
        systemPrompt: "",
      });
      const unpublished = campaignBody(ready, { assistantId: draft.id });
      const answer = await user.send("POST", CAMPAIGNS, { body: unpublished });
      expect([answer.status, answer.body.error.code]).toEqual([400, "ASSISTANT_NOT_PUBLISHED"]);
      const nobody = campaignBody(ready, { contacts: [{ phoneNumber: "1" }] });
      const none = await user.send("POST", CAMPAIGNS, { body: nobody });
      expect(none.body.error.details[0].path).toEqual(["contacts"]);
    });

    it("tell repeats, or leave them out", async () => {
      const contacts = ["+15005550006", "+15005550002", "+15005550006"].map((phoneNumber) => ({
        phoneNumber,
      }));
      const kept = await create({ contacts });
      expect(kept.campaign.totalContacts).toBe(3);
      expect(kept.duplicateContacts).toEqual({
        count: 1,
        items: [{ index: 2, phoneNumber: "+15005550006" }],
      });
      const once = await create({ contacts, skipDuplicates: true });
      expect(once.campaign.totalContacts).toBe(2);
      expect(once.rejectedContacts.items[0]).toMatchObject({ index: 2, reason: "duplicate" });
    });

    it("leave out contacts whose filled texts are too long, by the greeting in effect, wherever they come from", async () => {
      const bomb = { specialInstructions: "{{a}}".repeat(6_553) };
      const contacts = [
        { phoneNumber: "+15005550006", customData: { a: "x".repeat(16_000) } },
        // 6,553 placeholders filled with 5 bytes each are 32,765 of 32,768.
        { phoneNumber: "+15005550002", customData: { a: "é€" } },
        { phoneNumber: "+15005550003", customData: { a: "éé€" } },
      ];
      const { campaign, rejectedContacts } = await create({ ...bomb, contacts });
      expect(campaign.totalContacts).toBe(1);
      expect(rejectedContacts).toEqual({
        count: 2,
        items: [
          { index: 0, phoneNumber: "+15005550006", reason: "text_too_long" },
          { index: 2, phoneNumber: "+15005550003", reason: "text_too_long" },
        ],
      });
      const added = await user.send("POST", `${CAMPAIGNS}/${campaign.id}/contacts`, { body: { contacts } });
      expect(added.body.data.rejectedContacts).toEqual(rejectedContacts);
      const none = await user.send("POST", CAMPAIGNS, {
        body: campaignBody(ready, { ...bomb, contacts: contacts.slice(0, 1) }),
      });
      expect(none.status).toBe(400);
      expect(none.body.error.details[0].path).toEqual(["contacts"]);
    });

    it("say of a file which contacts would be left out for their texts, and leave them out", async () => {
      const greeting = `${"x".repeat(4_000)}{{name}}`;
      const settings = encodeURIComponent(JSON.stringify({ name: "x", ...ready, greetingMessage: greeting }));
      const raw = `name,phone\n${"é".repeat(48)},+15005550006\n${"é".repeat(49)},+15005550002\n`;
      const send = (query: string) =>
        user.send("POST", `${CAMPAIGNS}/import?settings=${settings}${query}`, {
          raw,
          headers: { "content-type": "text/csv" },
        });
      const report = { count: 1, items: [{ index: 1, line: 3, reason: "text_too_long" }] };
      const dry = await send("&dryRun=true");
      expect(dry.body.data).toMatchObject({ totalContacts: 1, rejectedContacts: report });
      const done = await send("");
      expect(done.body.data).toMatchObject({ campaign: { totalContacts: 1 }, rejectedContacts: report });
    });

    it("say to each contact what its values make of the texts", async () => {
      const texts = {
        greetingMessage: "Hi {{name}} from {{Town}}",
        specialInstructions: "{{name}}, {{town}}",
      };
      const contacts = [{ phoneNumber: "+15005550006", name: "Zoë", customData: { town: "İzmir" } }];
      const { campaign } = await create({ ...texts, contacts, retryOn: [] });
      await command(campaign.id, "start");
      const call = await eventually("its call", async () => {
        const { body } = await user.send("GET", `/api/v1/calls?campaignId=${campaign.id}`);
        return body.data[0];
      });
      const { body } = await user.send("GET", `/api/v1/calls/${call.id ?? call.callId}`);
      expect(body.data).toMatchObject({
        greetingMessage: "Hi Zoë from İzmir",
        specialInstructions: "Zoë, İzmir",
      });
    });

    it("come from a CSV file, as a form or as it is", async () => {
      const settings = JSON.stringify({ name: "From a file", ...ready });
      const form = () => {
        const parts = new FormData();
        parts.set("settings", settings);
        parts.set("file", new Blob([DIRTY]), "contacts.csv");
        return parts;
      };
      const dry = await user.send("POST", `${CAMPAIGNS}/import?dryRun=true`, { raw: form() });
      expect(dry.body.data).toMatchObject({ totalContacts: 4, rejectedContacts: { count: 3 } });
      const headers = { "idempotency-key": "one file".replace(" ", "-") };
      const first = await user.send("POST", `${CAMPAIGNS}/import`, { raw: form(), headers });
      const again = await user.send("POST", `${CAMPAIGNS}/import`, { raw: form(), headers });
      expect(again.body).toEqual(first.body);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      const plain = await user.send("POST", `${CAMPAIGNS}/import?settings=${encodeURIComponent(settings)}`, {
        raw: new Uint8Array(DIRTY),
        headers: { "content-type": "text/csv" },
      });
      const lines = plain.body.data.rejectedContacts.items.map(({ line }: Wire) => line);
      expect(lines).toEqual([6, 8, 9]);
      const { body } = await user.send("GET", `${CAMPAIGNS}/${plain.body.data.campaign.id}/contacts`);
      expect(body.data[0]).toMatchObject({
        name: "Yılmaz; Ayşe",
        customData: { "First Visit": "2026-01-02", Notlar: "iki\nsatır" },
      });
    });

    it("refuse a file without a phone column and settings that are wrong, at their names", async () => {
      const send = (query: string, raw: string) =>
        user.send("POST", `${CAMPAIGNS}/import${query}`, { raw, headers: { "content-type": "text/csv" } });
      const settings = encodeURIComponent(JSON.stringify({ name: "x", ...ready }));
      const file = await send(`?settings=${settings}`, "name,mobile\nA,+15005550006");
      expect(file.body.error.details).toEqual([
        { path: ["file"], message: "The column phone is missing; the header has name, mobile" },
      ]);
      const wrong = await send(`?settings=${encodeURIComponent('{"maxRetries":11}')}`, "phone\n+15005550006");
      expect(wrong.body.error.details.map(({ path }: Wire) => path)).toContainEqual([
        "settings",
        "maxRetries",
      ]);
    });
  });
}
