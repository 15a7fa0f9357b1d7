import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { type Callable, callable, campaignBody, made } from "../support/things.ts";

const EVENTS = "/api/v1/events";

/** A snapshot with its position, and the feed that goes on behind it (docs/api.md §14). */
export function feed(service: () => TestService): void {
  describe("a snapshot and the feed behind it", () => {
    let user: ApiUser;
    let ready: Callable;
    let id: string;
    const events = async (query: string) =>
      (await user.send("GET", `${EVENTS}?${query}`)).body.data as Wire[];
    const refusedAt = async (query: string, headers = {}) => {
      const { status, body } = await user.send("GET", `${EVENTS}?${query}`, { headers });
      return [status, body.error?.details?.[0]?.path];
    };
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
      const contacts = [{ phoneNumber: "+15005550002" }, { phoneNumber: "+15005550006" }];
      const body = campaignBody(ready, { contacts, retryOn: [] });
      id = (await made(user, "/api/v1/campaigns", body)).campaign.id;
      await user.send("POST", `/api/v1/campaigns/${id}/start`);
      await eventually("its end", async () => {
        const { body: now } = await user.send("GET", `/api/v1/campaigns/${id}`);
        return now.data.campaign.status === "COMPLETED";
      });
    });

    it("every JSON answer of a GET names how far it reaches, of an event, of rows and of configuration", async () => {
      const callId = (await user.send("GET", "/api/v1/calls?limit=1")).body.data[0].id;
      const contactId = (await user.send("GET", `/api/v1/campaigns/${id}/contacts?limit=1`)).body.data[0].id;
      const paths = [
        ...["calls", "calls/outbound/active", `calls/${callId}`, `calls/outbound/${callId}`],
        ...[`calls/${callId}/events`, "campaigns", `campaigns/${id}`, `campaigns/${id}/statistics`],
        ...[`campaigns/${id}/contacts`, `campaigns/${id}/contacts/${contactId}`, `campaigns/${id}/events`],
        ...[`campaigns/${id}/progress`, "squads", "assistants", "phone-numbers", "tools", "secrets"],
        ...["suppressions", "webhook", "webhook/deliveries", "events", "account", "api-keys"],
      ];
      const head = (await user.send("GET", `${EVENTS}?after=now`)).headers.get("x-event-position");
      for (const path of paths) {
        const min = { "x-min-event-position": head ?? "" };
        const { status, headers } = await user.send("GET", `/api/v1/${path}`, { headers: min });
        expect([path, status]).toEqual([path, 200]);
        expect([path, headers.get("x-event-position")]).toEqual([
          path,
          expect.stringMatching(/^\d+(\.\d+)?$/),
        ]);
      }
      const csv = await user.send("GET", `/api/v1/campaigns/${id}/contacts.csv`);
      expect(csv.headers.get("x-event-position")).toBeNull();
    });

    it("a record of then, which has figures of calls, names how far the rows of calls reach; never less than was folded", async () => {
      const call = (await user.send("GET", "/api/v1/calls?limit=1")).headers.get("x-event-position");
      const own = (await user.send("GET", `/api/v1/campaigns/${id}/events?limit=200`)).body.data as Wire[];
      for (const { occurredAt } of own) {
        const { headers } = await user.send("GET", `/api/v1/campaigns/${id}?at=${occurredAt}`);
        const last = own.filter((event) => event.occurredAt <= occurredAt).at(-1);
        const reached = BigInt(headers.get("x-event-position") ?? "");
        expect(reached).toBeGreaterThanOrEqual(BigInt(call ?? ""));
        expect(reached).toBeGreaterThanOrEqual(BigInt(last?.position));
      }
    });

    it("reads backward by cursor, and what lies between two positions", async () => {
      const all = await events("limit=200");
      const paged: Wire[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const page: Wire = (await user.send("GET", `${EVENTS}?order=desc&limit=3${cursor}`)).body;
        paged.push(...page.data);
        cursor = page.pagination.nextCursor === null ? null : `&cursor=${page.pagination.nextCursor}`;
      }
      expect(paged).toEqual(all.toReversed());
      const between = `after=${all[2]?.position}&before=${all[6]?.position}`;
      expect(await events(between)).toEqual(all.slice(3, 6));
      expect(await events(`${between}&order=desc`)).toEqual(all.slice(3, 6).toReversed());
      expect(await events(`before=${all[2]?.position}`)).toEqual(all.slice(0, 2));
    });

    it("after=now is nothing yet, and says where to go on", async () => {
      const { body, headers } = await user.send("GET", `${EVENTS}?after=now`);
      expect([body.data, body.pagination.nextCursor]).toEqual([[], null]);
      const position = headers.get("x-event-position");
      await made(user, "/api/v1/squads", { name: "Later" });
      expect((await events(`after=${position}`)).map(({ type }) => type)).toEqual(["SquadCreated"]);
    });

    it("a campaign's own events come with those of its calls, and with who made them", async () => {
      await user.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to: "+15005550002" } });
      const found = await events(`campaignId=${id}&limit=200`);
      const callIds = (await user.send("GET", `/api/v1/calls?campaignId=${id}`)).body.data as Wire[];
      const streams = new Set(found.map(({ stream }) => stream));
      expect(streams).toEqual(new Set([`campaign-${id}`, ...callIds.map((call) => `call-${call.id}`)]));
      const all = await events("limit=200");
      expect(found).toEqual(all.filter(({ stream }) => streams.has(stream)));
      const started = found.find(({ type }) => type === "CampaignStarted");
      const keys = (await user.send("GET", "/api/v1/api-keys")).body.data as Wire[];
      expect(started?.["actor"]).toEqual({ kind: "key", id: keys[0]?.id, name: keys[0]?.name });
      expect(found.find(({ type }) => type === "ContactDialed")?.["actor"]).toEqual({
        kind: "process",
        id: "campaign-runner",
      });
      expect(await events(`campaignId=${id}&order=desc&limit=200`)).toEqual(found.toReversed());
    });

    it("refuses what contradicts itself", async () => {
      expect(await refusedAt("cursor=start&after=start")).toEqual([400, ["cursor"]]);
      expect(await refusedAt("after=now&order=desc")).toEqual([400, ["after"]]);
      expect(await refusedAt("after=now&before=1")).toEqual([400, ["after"]]);
      const stream = { accept: "text/event-stream" };
      expect(await refusedAt("before=1", stream)).toEqual([400, ["before"]]);
      expect(await refusedAt("order=desc", stream)).toEqual([400, ["order"]]);
      expect(await refusedAt("campaignId=nobody")).toEqual([400, ["campaignId"]]);
      expect(await refusedAt("before=nowhere")).toEqual([400, ["before"]]);
    });

    it("tells its story in columns, and says why each contact is as it is", async () => {
      const own = (await user.send("GET", `/api/v1/campaigns/${id}/events?limit=200`)).body.data as Wire[];
      const story = await user.send("GET", `/api/v1/campaigns/${id}/story`);
      const { columns, kinds, position, contacts } = story.body.data;
      expect(columns.kind.map((kind: number) => kinds[kind])).toEqual(own.map(({ type }) => type));
      expect([position, contacts, story.headers.get("x-event-position")]).toEqual([
        own.at(-1)?.position,
        2,
        position,
      ]);
      expect(story.headers.get("content-encoding")).toMatch(/^(gzip|br)$/);
      const rows = (await user.send("GET", `/api/v1/campaigns/${id}/contacts`)).body.data as Wire[];
      const why = (contact: string, language = "en", of = id) =>
        user.send("GET", `/api/v1/campaigns/${of}/contacts/${contact}/explain`, {
          headers: { "accept-language": `fr;q=0.9, ${language}` },
        });
      expect((await why(rows[0]?.id)).body.data).toMatchObject({ verdict: "failed_for_good", until: null });
      const reached = (await why(rows[1]?.id, "tr-TR")).body.data;
      expect([reached.verdict, reached.sentence]).toEqual(["reached", expect.stringContaining("ulaşıldı")]);
      const at = own.find(({ type }) => type === "CampaignCreated")?.["occurredAt"];
      const then = await user.send("GET", `/api/v1/campaigns/${id}/contacts/${rows[0]?.id}/explain?at=${at}`);
      expect(then.body.data).toMatchObject({
        verdict: "not_started",
        because: [{ type: "CampaignCreated" }],
      });
      const nobody = `ctc_${"0".repeat(26)}`;
      expect((await why(nobody)).body.error.code).toBe("CONTACT_NOT_FOUND");
      const stranger = await service().newOwner();
      for (const path of ["story", `contacts/${rows[0]?.id}/explain`]) {
        const { body } = await stranger.send("GET", `/api/v1/campaigns/${id}/${path}`);
        expect(body.error.code).toBe("CAMPAIGN_NOT_FOUND");
      }
    });

    it("lists contacts from a place, by how they ended and by a part of name or number", async () => {
      const contacts = [
        { phoneNumber: "+15005550002", name: "Ayşe Yılmaz" },
        { phoneNumber: "+15005550006", name: "Bob" },
        { phoneNumber: "+15005550011", name: "İbrahim Ayaz" },
      ];
      const own = (await made(user, "/api/v1/campaigns", campaignBody(ready, { contacts }))).campaign.id;
      const names = async (query: string, of = own) =>
        ((await user.send("GET", `/api/v1/campaigns/${of}/contacts?${query}`)).body.data as Wire[]).map(
          ({ name, phoneNumber }) => name ?? phoneNumber,
        );
      for (const at of ["", "&at=2100-01-01T00:00:00Z"]) {
        expect(await names(`from=1${at}`)).toEqual(["Bob", "İbrahim Ayaz"]);
        expect(await names(`from=1&limit=1${at}`)).toEqual(["Bob"]);
        expect(await names(`q=ay${at}`)).toEqual(["Ayşe Yılmaz", "İbrahim Ayaz"]);
        expect(await names(`q=ayse&status=pending${at}`)).toEqual(["Ayşe Yılmaz"]);
        expect(await names(`q=ibra${at}`)).toEqual(["İbrahim Ayaz"]);
        expect(await names(`q=0011${at}`)).toEqual(["İbrahim Ayaz"]);
        expect(await names(`endReason=busy${at}`)).toEqual([]);
        expect(await names(`endReason=busy${at}`, id)).toEqual(["+15005550002"]);
        expect(await names(`endReason=busy&status=succeeded${at}`, id)).toEqual([]);
      }
      const page = `/api/v1/campaigns/${own}/contacts`;
      expect((await user.send("GET", `${page}?limit=1000`)).body.pagination.limit).toBe(1_000);
      expect((await user.send("GET", `${page}?limit=1001`)).status).toBe(400);
      const { nextCursor } = (await user.send("GET", `${page}?limit=1`)).body.pagination;
      const both = await user.send("GET", `${page}?from=1&cursor=${nextCursor}`);
      expect([both.status, both.body.error.details[0].path]).toEqual([400, ["from"]]);
    });

    it("tells what happened to a contact, with all events of its calls, page by page", async () => {
      const [contact] = (await user.send("GET", `/api/v1/campaigns/${id}/contacts`)).body.data;
      const callId = contact.attempts[0].callId;
      const all = await events("limit=200");
      const wanted = all.filter(
        ({ stream, data }) => stream === `call-${callId}` || data.contactId === contact.id,
      );
      const path = `/api/v1/campaigns/${id}/contacts/${contact.id}/events`;
      expect((await user.send("GET", path)).body.data).toEqual(wanted);
      const first = (await user.send("GET", `${path}?limit=2`)).body;
      const second = (await user.send("GET", `${path}?limit=2&cursor=${first.pagination.nextCursor}`)).body;
      expect([...first.data, ...second.data]).toEqual(wanted.slice(0, 4));
      const nobody = `/api/v1/campaigns/${id}/contacts/ctc_${"0".repeat(26)}/events`;
      expect((await user.send("GET", nobody)).body.error.code).toBe("CONTACT_NOT_FOUND");
    });

    it("a skip because of the do-not-call list tells who listed the number", async () => {
      const phoneNumber = "+15005550011";
      const body = campaignBody(ready, { contacts: [{ phoneNumber }] });
      const suppressed = (await made(user, "/api/v1/campaigns", body)).campaign.id;
      await user.send("POST", "/api/v1/suppressions", { body: { phoneNumber, reason: "asked us" } });
      await user.send("POST", `/api/v1/campaigns/${suppressed}/start`);
      const [contact] = (await user.send("GET", `/api/v1/campaigns/${suppressed}/contacts`)).body.data;
      const path = `/api/v1/campaigns/${suppressed}/contacts/${contact.id}/explain`;
      const told = await eventually("the skip", async () => {
        const { body: answer } = await user.send("GET", path);
        return answer.data.verdict === "suppressed" ? answer.data : null;
      });
      const keys = (await user.send("GET", "/api/v1/api-keys")).body.data as Wire[];
      expect(told.sentence).toContain(`by ${keys[0]?.id}: “asked us”`);
    });

    it("a stream begins with an id, also where nothing comes", async () => {
      const headNow = async () =>
        Number((await user.send("GET", `${EVENTS}?after=now`)).headers.get("x-event-position"));
      const before = await headNow();
      const stop = new AbortController();
      const response = await fetch(`${user.url}${EVENTS}?after=now`, {
        headers: { authorization: `Bearer ${user.key}`, accept: "text/event-stream" },
        signal: stop.signal,
      });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      const first = await reader?.read();
      stop.abort();
      const id = Number(/^: connected\nid: (\d+)\n\n$/.exec(first?.value ?? "")?.[1]);
      // Calls of earlier tests may still end meanwhile.
      expect(id).toBeGreaterThanOrEqual(before);
      expect(id).toBeLessThanOrEqual(await headNow());
    });
  });
}
