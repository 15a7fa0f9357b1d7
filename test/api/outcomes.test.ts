import { createServer, type Server } from "node:http";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EVENT_BODIES } from "../../contract/webhook-body.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Answer, analyse } from "./support/analysed-call.ts";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { type Callable, callable, campaignBody, endedCall, made } from "./support/things.ts";

const ANSWERS = "+15005550006";
const BUSY = "+15005550002";
const NONE = {
  status: "none",
  fields: {},
  evidence: {},
  unsupported: [],
  summary: null,
  success: null,
  model: null,
  analysedAt: null,
  pending: false,
  lastFailure: null,
};
const MODEL = { name: "scripted", inputTokens: 12, outputTokens: null };

/** docs/api.md: what a call brought home, as its readers see it. */
describe("the outcome of a call", () => {
  let service: TestService;
  let user: ApiUser;
  let ready: Callable;
  beforeAll(async () => {
    service = await startTestService({ SIMULATOR_MINUTE_MS: "50" });
    user = await service.newOwner();
    ready = await callable(user);
  }, 120_000);
  afterAll(() => service.stop());

  const get = (path: string, who = user) => who.send("GET", path);
  async function called(to = ANSWERS): Promise<CallId> {
    const { body } = await user.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to } });
    await endedCall(user, body.callId);
    return body.callId;
  }
  const outcomeOf = async (callId: string): Promise<Wire> =>
    (await get(`/api/v1/calls/${callId}`)).body.data.outcome;
  /** The outcome once it is in the rows. */
  async function told(callId: CallId, answer: Answer): Promise<Wire> {
    const before = await outcomeOf(callId);
    await analyse(service, callId, answer);
    return eventually("the outcome", async () => {
      const now = await outcomeOf(callId);
      return JSON.stringify(now) === JSON.stringify(before) ? null : now;
    });
  }
  const listed = async (query: string, who = user): Promise<string[]> => {
    const { status, body } = await get(`/api/v1/calls?${query}`, who);
    expect(status).toBe(200);
    return body.data.map(({ callId }: Wire) => callId);
  };
  const refusal = async (query: string) => {
    const { status, body } = await get(`/api/v1/calls?${query}`);
    return [status, body.error?.details?.map(({ path }: Wire) => path)];
  };

  describe("in its record", () => {
    it("is none, is pending, is what the latest analysis says, and stays so while a further one is asked for or fails", async () => {
      const callId = await called();
      expect(await outcomeOf(callId)).toEqual(NONE);
      expect(await told(callId, "wished")).toEqual({ ...NONE, status: "pending", pending: true });
      const failed = await told(callId, "failed");
      expect(failed).toEqual({
        ...NONE,
        status: "failed",
        lastFailure: { reason: "not_valid", tries: 2, at: expect.any(String) },
      });
      expect(await told(callId, "wished")).toEqual({ ...failed, status: "pending", pending: true });
      const fields = { confirmed: true, persons: 2, reason: "toothache", day: null };
      const evidence = { confirmed: [1], persons: [1, 3], reason: [3] };
      const first = await told(callId, {
        fields,
        evidence,
        unsupported: ["day"],
        summary: "Confirmed for two.",
        success: true,
        model: MODEL,
      });
      expect(first).toEqual({
        status: "ready",
        fields,
        evidence,
        unsupported: ["day"],
        summary: "Confirmed for two.",
        success: true,
        model: MODEL,
        analysedAt: expect.any(String),
        pending: false,
        lastFailure: null,
      });
      expect(await told(callId, "wished")).toEqual({ ...first, pending: true });
      const { lastFailure, ...kept } = await told(callId, "failed");
      expect(kept).toEqual({ ...first, lastFailure: undefined });
      expect(lastFailure).toMatchObject({ reason: "not_valid", tries: 2 });
      const again = await told(callId, { fields: { confirmed: false }, success: false });
      expect(again).toMatchObject({ status: "ready", fields: { confirmed: false }, success: false });
      expect(again).toMatchObject({ evidence: {}, unsupported: [], summary: null, lastFailure: null });
    });

    it("stands in lists without evidence and summary", async () => {
      const callId = await called();
      const {
        evidence: _proof,
        summary: _text,
        ...rest
      } = await told(callId, {
        fields: { confirmed: true },
        evidence: { confirmed: [1] },
        summary: "Confirmed.",
        success: true,
      });
      const { body } = await get("/api/v1/calls?limit=1");
      expect(body.data[0].outcome).toEqual(rest);
    });

    it("is erased with the words of the call, and no list finds it any more", async () => {
      const callId = await called();
      await told(callId, { fields: { secret: "told" }, summary: "Told.", success: true });
      expect(await listed("outcome.secret=told")).toEqual([callId]);
      await user.send("DELETE", `/api/v1/calls/${callId}/content`);
      const gone = await eventually("the erasure", async () => {
        const now = await outcomeOf(callId);
        return now.status === "erased" ? now : null;
      });
      expect(gone).toEqual({ ...NONE, status: "erased" });
      expect(await listed("outcome.secret=told")).toEqual([]);
      const history = await get(`/api/v1/calls/${callId}/events?limit=200`);
      expect(history.text).toContain("CallAnalysed");
      expect(history.text).not.toContain("told");
    });
  });

  describe("finds calls in lists", () => {
    let yes: CallId;
    let no: CallId;
    const long = `${"ü".repeat(900)}!`;
    beforeAll(async () => {
      yes = await called();
      no = await called();
      await told(yes, {
        fields: { agreed: true, persons: 2, plan: "gold", note: long, day: null, rate: -0.5 },
        success: true,
      });
      await told(no, { fields: { agreed: true, persons: 3, plan: "gold", day: null }, success: true });
      await told(no, { fields: { agreed: false, persons: 3, plan: "silver", day: null }, success: false });
    });

    it("by success and by the values of fields, as JSON writes them, of the latest analysis", async () => {
      expect(await listed("outcome.agreed=true")).toEqual([yes]);
      expect(await listed("outcome.agreed=false")).toEqual([no]);
      expect(await listed("%6Futcome%2Eagreed=false")).toEqual([no]);
      expect(await listed("outcome.plan=gold")).toEqual([yes]);
      expect(await listed("outcome.persons=3")).toEqual([no]);
      expect(await listed("outcome.rate=-0.5")).toEqual([yes]);
      expect(await listed("outcome.day=null")).toEqual([no, yes]);
      expect(await listed(`outcome.note=${encodeURIComponent(long)}`)).toEqual([yes]);
      expect(await listed("success=false&outcome.plan=silver")).toEqual([no]);
      expect(await listed("success=true&outcome.plan=gold")).toEqual([yes]);
      expect(await listed("success=true&outcome.plan=silver")).toEqual([]);
      expect(await listed("success=true&outcome.plan=gold&outcome.persons=2&outcome.agreed=true")).toEqual([
        yes,
      ]);
      expect(await listed("outcome.plan=gold&outcome.persons=3")).toEqual([]);
      expect(await listed(`outcome.plan=gold&to=${encodeURIComponent(BUSY)}`)).toEqual([]);
    });

    it("page after page, newest first", async () => {
      const first = await get("/api/v1/calls?outcome.day=null&limit=1");
      expect(first.body.data.map(({ callId }: Wire) => callId)).toEqual([no]);
      const { nextCursor } = first.body.pagination;
      expect(await listed(`outcome.day=null&limit=1&cursor=${nextCursor}`)).toEqual([yes]);
    });

    it("none by a value or a name that no call has, nor of another owner", async () => {
      expect(await listed("outcome.agreed=maybe")).toEqual([]);
      expect(await listed("outcome.nobodysName=true")).toEqual([]);
      expect(await listed("outcome.plan=%00")).toEqual([]);
      expect(await listed("outcome.agreed=true", await service.newOwner())).toEqual([]);
    });

    it("or is refused at its name: what begins with outcome. is never ignored", async () => {
      for (const name of ["outcome.", "outcome.Agreed", "outcome.a.b", "outcome.a%20b", "outcome.toString"])
        expect(await refusal(`${name}=true`)).toEqual([400, [[decodeURIComponent(name)]]]);
      expect(await refusal("outcome.a=1&outcome.a=2")).toEqual([400, [["outcome.a"]]]);
      expect(await refusal("outcome.a=1&outcome.b=2&outcome.c=3&outcome.d=4")).toEqual([
        400,
        [["outcome.d"]],
      ]);
      expect(await refusal("success=perhaps")).toEqual([400, [["success"]]]);
    });
  });

  describe("is told to a receiver that asks for it", () => {
    const received: { readonly id: string; readonly event: string; readonly data: Wire }[] = [];
    let receiver: Server;
    let hears: ApiUser;
    let callId: CallId;
    const analysisIds: string[] = [];
    const told = () =>
      received.filter(({ event, data }) => event === "call.analyzed" && data.callId === callId);
    beforeAll(async () => {
      receiver = createServer(async (request, response) => {
        let body = "";
        for await (const chunk of request) body += String(chunk);
        const id = String(request.headers["x-service-event-id"]);
        if (!received.some((before) => before.id === id)) received.push({ id, ...JSON.parse(body) });
        response.end();
      });
      await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
      const address = receiver.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      hears = await service.newOwner();
      const events = ["call.started", "call.ended", "call.analyzed"];
      const body = { url: `http://127.0.0.1:${port}/`, enabled: true, events };
      await hears.send("PUT", "/api/v1/webhook", { body });
      const called = await hears.send("POST", "/api/v1/calls/outbound", {
        body: { ...(await callable(hears)), to: ANSWERS, metadata: { order: 7 } },
      });
      callId = called.body.callId;
      await endedCall(hears, callId);
      const answers: Answer[] = [
        { fields: { agreed: true, word: "marked" }, summary: "A marked one.", success: true },
        "failed",
      ];
      for (const [index, answer] of answers.entries()) {
        analysisIds.push(await analyse(service, callId, answer));
        await eventually("the webhook", () => told().length > index, 60_000);
      }
    }, 120_000);
    afterAll(() => receiver.close());

    it("behind call.ended, when it is ready and when it has failed, with the outcome of that moment", async () => {
      const ofCall = received.filter(({ data }) => data.callId === callId);
      expect(ofCall.map(({ event, data }) => [event, data.sequence])).toEqual([
        ["call.started", 1],
        ["call.ended", 2],
        ["call.analyzed", 3],
        ["call.analyzed", 4],
      ]);
      const [ready, failed] = told();
      expect(ready?.data.outcome).toMatchObject({
        status: "ready",
        fields: { agreed: true, word: "marked" },
        summary: "A marked one.",
        lastFailure: null,
      });
      expect(failed?.data.outcome).toEqual((await get(`/api/v1/calls/${callId}`, hears)).body.data.outcome);
      expect(failed?.data.outcome).toMatchObject({ status: "ready", lastFailure: { reason: "not_valid" } });
      const [ended] = ofCall.filter(({ event }) => event === "call.ended");
      const { eventId, sequence, occurredAt, outcome, ...base } = ready?.data ?? {};
      const own = { eventId: expect.any(String), sequence: 2, occurredAt: base.endedAt };
      expect(ended?.data).toEqual({ ...base, ...own, messages: expect.any(Array) });
      expect([eventId, sequence, occurredAt]).toEqual([ready?.id, 3, outcome.analysedAt]);
    });

    it("under an id made of the call, the kind and the analysis, in the documented form", () => {
      expect(told().map(({ id }) => id)).toEqual(
        analysisIds.map((analysisId) => systemIds.derivedUuid(`${callId}:call.analyzed:${analysisId}`)),
      );
      for (const { id: _id, ...body } of told())
        expect(EVENT_BODIES.get("call.analyzed")?.parse(body)).toEqual(body);
    });

    it("again by a range replay, also what was never queued", async () => {
      const database = new pg.Pool({ connectionString: service.databaseUrl, max: 1 });
      for (const table of ["work.webhook_deliveries", "work.webhook_messages"])
        await database.query(`delete from ${table}`);
      await database.end();
      const before = told();
      received.length = 0;
      const range = {
        from: new Date(Date.now() - 3_600_000).toISOString(),
        to: new Date(Date.now() + 1_000).toISOString(),
        events: ["call.ended", "call.analyzed"],
      };
      const headers = { "idempotency-key": "again" };
      const replayed = await hears.send("POST", "/api/v1/webhook/replays", { body: range, headers });
      expect(replayed.body.data).toEqual({ deliveries: 3 });
      await eventually("the replay", () => received.length === 3, 60_000);
      expect(told()).toEqual(before);
    });

    it("and is erased with the words of the call, in what is stored too", async () => {
      await hears.send("DELETE", `/api/v1/calls/${callId}/content`);
      const database = new pg.Pool({ connectionString: service.databaseUrl, max: 1 });
      const bodies = await eventually("the erasure of what is stored", async () => {
        const { rows } = await database.query<{ body: string }>(
          "select body from work.webhook_messages where call_id = $1 and event = 'call.analyzed' order by sequence",
          [callId],
        );
        return rows.every(({ body }) => !body.includes("marked")) ? rows : null;
      });
      await database.end();
      expect(bodies.map(({ body }) => JSON.parse(body).data.outcome)).toEqual(
        Array(2).fill({ ...NONE, status: "erased" }),
      );
    });
  });

  describe("of a campaign", () => {
    let id: string;
    let contacts: Wire[];
    const CAMPAIGN = () => `/api/v1/campaigns/${id}`;
    const rows = async (query = ""): Promise<Wire[]> =>
      (await get(`${CAMPAIGN()}/contacts${query}`)).body.data;
    const statistics = async (query = "") => (await get(`${CAMPAIGN()}/statistics${query}`)).body.data;
    const csv = async (query = "") =>
      (await get(`${CAMPAIGN()}/contacts.csv${query}`)).text.trimEnd().split("\n");
    /** When the first contact alone had been analysed. */
    let between: string;
    beforeAll(async () => {
      const body = campaignBody(ready, {
        contacts: [
          { phoneNumber: ANSWERS, name: "Ada", customData: { outcome_plan: "theirs" } },
          { phoneNumber: ANSWERS, name: "Ben" },
          { phoneNumber: BUSY, name: "Cem" },
        ],
      });
      id = (await made(user, "/api/v1/campaigns", body)).campaign.id;
      await user.send("POST", `${CAMPAIGN()}/start`);
      await eventually(
        "its end",
        async () => (await get(CAMPAIGN())).body.data.campaign.status === "COMPLETED",
        60_000,
      );
      contacts = await rows();
      expect(await statistics()).toMatchObject({
        outcomes: { analysed: 0, succeeded: 0, unsuccessful: 0, byField: {} },
      });
      await told(callOf(0), {
        fields: { plan: "gold", agreed: true, note: "=1+1", persons: -2, day: null },
        enums: ["plan"],
        success: true,
      });
      between = (await outcomeOf(callOf(0))).analysedAt;
      await told(callOf(1), { fields: { plan: "gold", agreed: true }, enums: ["plan"], success: true });
      await told(callOf(1), { fields: { plan: "silver", agreed: false }, enums: ["plan"], success: false });
    }, 120_000);
    const callOf = (index: number): CallId => contacts[index].attempts[0].callId;

    it("stands beside each contact, now and as it stood", async () => {
      const [ada, ben, cem] = await rows();
      expect(ada.outcome).toEqual({
        success: true,
        fields: { plan: "gold", agreed: true, note: "=1+1", persons: -2, day: null },
      });
      expect(ben.outcome).toEqual({ success: false, fields: { plan: "silver", agreed: false } });
      expect(cem.outcome).toBeNull();
      expect((await get(`${CAMPAIGN()}/contacts/${ben.id}`)).body.data.outcome).toEqual(ben.outcome);
      const then = await rows(`?at=${between}`);
      expect(then.map(({ outcome }) => outcome)).toEqual([ada.outcome, null, null]);
    });

    it("has columns in the file, behind ours, once a name, guarded against formulas", async () => {
      const [header = "", ada = "", ben = "", cem = ""] = await csv();
      const ours = header.slice(0, header.indexOf(",success"));
      expect(ours.endsWith("createdAt,customData")).toBe(true);
      expect(header.slice(ours.length)).toBe(
        ",success,outcome_agreed,outcome_day,outcome_note,outcome_persons,outcome_plan",
      );
      expect(ada.endsWith('"{""outcome_plan"":""theirs""}",true,true,,"\'=1+1",-2,"gold"')).toBe(true);
      expect(ben.endsWith('"{}",false,false,,,,"silver"')).toBe(true);
      expect(cem.endsWith('"{}",,,,,,')).toBe(true);
    });

    it.each([
      ["success=true", ["Ada"]],
      ["success=false", ["Ben"]],
      ["outcome.plan=silver", ["Ben"]],
      ["outcome.agreed=true&outcome.plan=gold", ["Ada"]],
      ["outcome.agreed=true&outcome.plan=silver", []],
      ["outcome.day=null", ["Ada"]],
      ["outcome.day=undefined", []],
      ["outcome.persons=-2&success=true&status=succeeded", ["Ada"]],
      ["outcome.agreed=true&status=failed", []],
      ["optedOut=false", ["Ada", "Ben", "Cem"]],
      ["optedOut=true", []],
    ])("leaves in list and file whom one asks for: %s", async (query, names) => {
      const [header = "", ...found] = await csv(`?${query}`);
      expect(header).toContain(",success,outcome_agreed");
      expect(found.map((line) => line.split(",")[2])).toEqual(names.map((name) => `"${name}"`));
      expect((await rows(`?${query}`)).map(({ name }) => name)).toEqual(names);
    });

    it("is asked for page by page, beside what else is asked for, and of this campaign alone", async () => {
      const { body } = await get(`${CAMPAIGN()}/contacts?outcome.plan=gold&q=ada&limit=1`);
      expect(body.data.map(({ name }: Wire) => name)).toEqual(["Ada"]);
      const [ada, ...others] = (await rows("?success=true&from=0")).concat(
        await rows("?success=true&from=1"),
      );
      expect([ada.name, others]).toEqual(["Ada", []]);
      const other = await made(user, "/api/v1/campaigns", campaignBody(ready, {}));
      expect((await get(`/api/v1/campaigns/${other.campaign.id}/contacts?success=true`)).body.data).toEqual(
        [],
      );
    });

    it("has neither list nor file without the filter that was asked for", async () => {
      for (const query of ["success=perhaps", "optedOut=1", "outcome.=1", "outcome.a=1&outcome.a=2"])
        for (const place of ["contacts", "contacts.csv"]) {
          const { status, body } = await get(`${CAMPAIGN()}/${place}?${query}`);
          expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
        }
      const { status, body } = await get(
        `${CAMPAIGN()}/contacts?at=${between}&success=true&outcome.plan=gold`,
      );
      expect([status, body.error.details.map(({ path }: Wire) => path)]).toEqual([
        400,
        [["success"], ["outcome.plan"]],
      ]);
      expect(await rows(`?at=${between}&optedOut=false`)).toHaveLength(3);
    });

    it("is counted by contact, of each the latest, now and as it stood", async () => {
      const now = {
        analysed: 2,
        succeeded: 1,
        unsuccessful: 1,
        byField: { agreed: { true: 1, false: 1 }, plan: { gold: 1, silver: 1 } },
      };
      expect((await statistics()).outcomes).toEqual(now);
      expect((await get(CAMPAIGN())).body.data.statistics.outcomes).toEqual(now);
      expect((await statistics("?at=2100-01-01T00:00:00Z")).outcomes).toEqual(now);
      expect((await statistics(`?at=${between}`)).outcomes).toEqual({
        analysed: 1,
        succeeded: 1,
        unsuccessful: 0,
        byField: { agreed: { true: 1 }, plan: { gold: 1 } },
      });
    });

    it("tells how far it reaches: as far as the read model of calls, for moments too", async () => {
      const analysed = await get(`/api/v1/calls/${callOf(1)}`);
      for (const query of ["", `?at=${between}`]) {
        const { headers } = await get(`${CAMPAIGN()}/statistics${query}`);
        expect(Number(headers.get("x-event-position"))).toBeGreaterThanOrEqual(
          Number(analysed.headers.get("x-event-position")),
        );
      }
    });

    it("is gone when the call is erased, for moments before too, and the rest of the figures stays", async () => {
      const { outcomes: _before, ...rest } = await statistics();
      await user.send("DELETE", `/api/v1/calls/${callOf(0)}/content`);
      await eventually("the erasure", async () => (await outcomeOf(callOf(0))).status === "erased");
      const none = { analysed: 0, succeeded: 0, unsuccessful: 0, byField: {} };
      expect((await statistics(`?at=${between}`)).outcomes).toEqual(none);
      expect(await statistics()).toEqual({ ...rest, outcomes: expect.objectContaining({ analysed: 1 }) });
      expect((await rows())[0].outcome).toBeNull();
      expect((await rows(`?at=${between}`))[0].outcome).toBeNull();
      expect((await csv())[0]).toMatch(/,success,outcome_agreed,outcome_plan$/);
    });
  });
});
