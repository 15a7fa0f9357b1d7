import { beforeAll, describe, expect, it } from "vitest";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { type Callable, callable, campaignBody, endedCall, made } from "../support/things.ts";

const PROCESSORS = [
  "calls_v3",
  "campaigns_v4",
  "contacts_v5",
  "squads_v1",
  "search_v1",
  "call-series_v1",
  "call-settlement",
  "webhook-publishing",
  "erasures",
  "recordings",
  "campaign-runner",
  "call-follower",
];

/** docs/api.md §8 and §9. */
export function history(service: () => TestService): void {
  describe("the history of an owner", () => {
    let user: ApiUser;
    let ready: Callable;
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
      const body = { ...ready, to: "+15005550002" };
      const started = await user.send("POST", "/api/v1/calls/outbound", { body });
      await endedCall(user, started.body.callId);
    });

    it("is read page after page, nothing twice and nothing left out", async () => {
      const all = (await user.send("GET", "/api/v1/events?limit=200")).body.data;
      const paged: Wire[] = [];
      let after: string | null = "start";
      while (after !== null) {
        const page: Wire = (await user.send("GET", `/api/v1/events?limit=2&after=${after}`)).body;
        paged.push(...page.data);
        after = page.pagination.nextCursor;
      }
      expect(all.length).toBeGreaterThan(2);
      expect(paged).toEqual(all);
    });

    it("is paged by cursor as every list, and never by two places at once", async () => {
      const all = (await user.send("GET", "/api/v1/events?limit=200")).body.data;
      const paged: Wire[] = [];
      let cursor = "";
      do {
        const page: Wire = (await user.send("GET", `/api/v1/events?limit=2${cursor}`)).body;
        paged.push(...page.data);
        const { nextCursor } = page.pagination;
        cursor = nextCursor === null ? "" : `&cursor=${nextCursor}`;
      } while (cursor !== "");
      expect(paged).toEqual(all);
      const both = await user.send("GET", "/api/v1/events?cursor=start&after=start");
      expect([both.status, both.body.error.details[0].path]).toEqual([400, ["cursor"]]);
      const wrong = await user.send("GET", "/api/v1/events?cursor=nowhere");
      expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, ["cursor"]]);
    });

    it("is narrowed to types and to one stream", async () => {
      const types = (await user.send("GET", "/api/v1/events?types=CallFailed,CallRequested")).body.data;
      expect(types.map(({ type }: Wire) => type)).toEqual(["CallRequested", "CallFailed"]);
      const { campaign } = await made(user, "/api/v1/campaigns", campaignBody(ready));
      const stream = (await user.send("GET", `/api/v1/events?stream=${campaign.id}`)).body.data;
      expect(stream.every((event: Wire) => event.stream === `campaign-${campaign.id}`)).toBe(true);
      const wrong = await user.send("GET", "/api/v1/events?stream=nothing&after=nowhere");
      expect(wrong.status).toBe(400);
    });

    it("follows live as server-sent events, and resumes after the last one seen", async () => {
      const first = await follow(user, {}, 2);
      expect(first.map(({ event }) => event)).toEqual(["CallRequested", "CallDialingBegan"]);
      const second = await follow(user, { "last-event-id": first[0]?.id ?? "" }, 1);
      expect(second[0]?.id).toBe(first[1]?.id);
      const head = (await user.send("GET", "/api/v1/events?limit=200")).body.data.at(-1).position;
      const live = follow(user, { "last-event-id": head }, 1);
      const { campaign } = await made(user, "/api/v1/campaigns", campaignBody(ready));
      expect(JSON.parse((await live)[0]?.data ?? "{}").stream).toBe(`campaign-${campaign.id}`);
    });

    it("is waited for by a GET that names its position", async () => {
      const { body, headers } = await user.send("POST", "/api/v1/campaigns", { body: campaignBody(ready) });
      const position = headers.get("x-event-position") ?? "";
      const { id } = body.data.campaign;
      const read = await user.send("GET", `/api/v1/campaigns/${id}`, {
        headers: { "x-min-event-position": position },
      });
      expect(read.status).toBe(200);
      const far = position.replaceAll(/\d+/g, (digits) => `9${digits}`);
      const behind = await user.send("GET", "/api/v1/calls", { headers: { "x-min-event-position": far } });
      expect([behind.status, behind.body.error.code]).toEqual([503, "READ_MODEL_BEHIND"]);
    });
  });

  describe("the service", () => {
    it("says how it is, without a key", async () => {
      const nobody = service().as("");
      expect((await nobody.send("GET", "/health/live")).body.data).toEqual({ status: "live" });
      const ready = await nobody.send("GET", "/health/ready");
      expect(ready.body.data.status).toBe("ready");
      const metrics = await nobody.send("GET", "/metrics");
      expect(metrics.text).toContain("ringfold_http_requests_total");
    });

    it("tells lag, position, last movement and parked events of every processor of the log", async () => {
      const nobody = service().as("");
      const { text } = await nobody.send("GET", "/metrics");
      const { body } = await nobody.send("GET", "/health/ready");
      const details = body.data.checks.map(({ detail }: { detail: object }) => JSON.stringify(detail)).join();
      for (const name of PROCESSORS) {
        expect(details).toContain(name);
        for (const number of ["lag_seconds", "parked_events", "position", "last_moved_timestamp_seconds"])
          expect(text).toMatch(
            new RegExp(`^ringfold_processor_${number}\\{processor="${name}"\\} [\\d.e+]+$`, "m"),
          );
      }
    });

    it("answers every request with an id, its own or the one that came", async () => {
      const nobody = service().as("");
      const drawn = await nobody.send("GET", "/nowhere");
      expect(drawn.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      const given = await nobody.send("GET", "/nowhere", { headers: { "x-request-id": "mine-1" } });
      expect([given.status, given.headers.get("x-request-id")]).toEqual([404, "mine-1"]);
    });

    it("judges the key first under /api/v1, also for what does not exist", async () => {
      const nobody = service().as("");
      expect((await nobody.send("GET", "/api/v1/nowhere")).status).toBe(401);
      expect((await nobody.send("GET", "/api/v1/%zz")).status).toBe(401);
      const unknown = await service().operator.send("POST", "/api/v1/nowhere", { raw: "x" });
      expect([unknown.status, unknown.body.error.code]).toEqual([404, "NOT_FOUND"]);
    });
  });
}

type Told = { readonly id: string; readonly event: string; readonly data: string };

/** The first `count` server-sent events of a connection, which is closed then. */
async function follow(
  user: ApiUser,
  headers: Readonly<Record<string, string>>,
  count: number,
): Promise<readonly Told[]> {
  const stop = new AbortController();
  const response = await fetch(`${user.url}/api/v1/events`, {
    headers: { authorization: `Bearer ${user.key}`, accept: "text/event-stream", ...headers },
    signal: stop.signal,
  });
  const told: Told[] = [];
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    told.push(...blocks.filter((block) => block.startsWith("id: ")).map(parsed));
    if (told.length >= count) break;
  }
  stop.abort();
  return told.slice(0, count);
}

function parsed(block: string): Told {
  const [id = "", event = "", data = ""] = block.split("\n");
  return { id: id.slice(4), event: event.slice(7), data: data.slice(6) };
}
