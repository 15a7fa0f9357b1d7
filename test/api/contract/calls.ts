import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { type Callable, callable, endedCall, made } from "../support/things.ts";

const OUTBOUND = "/api/v1/calls/outbound";

/** docs/api.md §4. */
export function calls(service: () => TestService): void {
  describe("outbound calls", () => {
    let user: ApiUser;
    let ready: Callable;
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
    });
    const start = (body: object) => user.send("POST", OUTBOUND, { body });

    it("start flat, and end with messages, history and recording", async () => {
      const metadata = { order: "4711", nested: { deep: [1, null, "ş"], toJSON: "a name like any other" } };
      const started = await start({ ...ready, to: "+15005550006", metadata, greetingMessage: "Hi {{name}}" });
      expect(started.status).toBe(200);
      expect(Object.keys(started.body).toSorted()).toEqual(["callId", "status", "success"]);
      expect(started.headers.get("x-event-position")).toMatch(/^\d/);
      const call = await endedCall(user, started.body.callId);
      expect(call).toMatchObject({
        status: "completed",
        attempt: 1,
        metadata,
        greetingMessage: "Hi {{name}}",
      });
      // The callee may interrupt; what was to be said stands then beside what was heard.
      const [greeting] = call.messages;
      expect(greeting.intended ?? greeting.content).toBe("Hi {{name}}");
      expect(call.conversation).toMatchObject({ model: "scripted", sessionsLost: 0 });
      const statuses = call.statusHistory.map(({ status }: { status: string }) => status);
      expect(statuses).toEqual(["initiating", "ringing", "connected", "in_progress", "completed"]);
      const path = `/api/v1/calls/${started.body.callId}`;
      await eventually("its recording", async () => {
        const { status } = await user.send("GET", `${path}/recording`);
        return status === 200;
      });
      const heard = (headers: Record<string, string>) => user.send("GET", `${path}/recording`, { headers });
      const part = await heard({ range: "bytes=0-3" });
      expect([part.status, part.text]).toEqual([206, "RIFF"]);
      const known = { "if-none-match": part.headers.get("etag") ?? "" };
      expect((await heard(known)).status).toBe(304);
      expect((await heard({ range: "bytes=99999999-" })).status).toBe(416);
      const { body } = await user.send("GET", path);
      expect(body.data.recordingUrl).toBe(`${service().url}${path}/recording`);
    });

    it("are listed with filters, and tell their history", async () => {
      const { body } = await start({ ...ready, to: "+15005550002" });
      await endedCall(user, body.callId);
      const list = await user.send("GET", "/api/v1/calls?status=failed&to=%2B15005550002&limit=1");
      expect(list.body.data[0]).toMatchObject({ id: body.callId, endReason: "busy", cost: 0 });
      expect(list.body.data[0].messages).toBeUndefined();
      const events = await user.send("GET", `/api/v1/calls/${body.callId}/events`);
      expect(events.body.data[0]).toMatchObject({ type: "CallRequested", revision: 0 });
      expect(Object.keys(events.body.data[0]).toSorted()).toEqual([
        "actor",
        "causationId",
        "correlationId",
        "data",
        "occurredAt",
        "position",
        "revision",
        "type",
      ]);
    });

    it("are analysed again on request, or say why not", async () => {
      const outcome = { fields: [{ name: "kept", type: "boolean", description: "Whether it is kept" }] };
      const assistant = await made(user, "/api/v1/assistants", {
        ...{ name: "Ada", greetingMessage: "Hello, this is Ada.", systemPrompt: "Be kind.", outcome },
      });
      await user.send("POST", `/api/v1/assistants/${assistant.id}/publish`);
      const asks = { ...ready, assistantId: assistant.id };
      const analyse = (callId: string, more: object = {}) =>
        user.send("POST", `/api/v1/calls/${callId}/analysis`, more);
      const busy = await start({ ...asks, to: "+15005550002" });
      await endedCall(user, busy.body.callId);
      const nothing = await analyse(busy.body.callId);
      expect([nothing.status, nothing.body.error.code]).toEqual([409, "NOTHING_TO_ANALYSE"]);
      const { body } = await start({ ...asks, to: "+15005550006" });
      const early = await analyse(body.callId);
      expect([early.status, early.body.error.code]).toEqual([409, "CALL_NOT_ENDED"]);
      await endedCall(user, body.callId);
      await eventually("its own analysis, while which every request is answered by it", async () => {
        const { data } = (await user.send("GET", `/api/v1/calls/${body.callId}`)).body;
        return data.outcome.status === "ready" ? data : null;
      });
      const none = await analyse(body.callId, { body: { assistantVersion: 99 } });
      expect([none.status, none.body.error.details]).toMatchObject([400, [{ path: ["assistantVersion"] }]]);
      const key = { headers: { "idempotency-key": `analysis-${body.callId}` }, body: {} };
      const asked = await analyse(body.callId, key);
      expect([asked.status, asked.body.data.status]).toEqual([202, "pending"]);
      expect((await analyse(body.callId, key)).body).toEqual(asked.body);
      const other = await service().newOwner();
      const theirs = await other.send("POST", `/api/v1/calls/${body.callId}/analysis`);
      expect([theirs.status, theirs.body.error.code]).toEqual([404, "CALL_NOT_FOUND"]);
    });

    it("say by themselves what they brought home, and a draft is tried on them, which stores nothing", async () => {
      const fields = [{ name: "kept", type: "boolean", description: "Whether it is kept" }];
      const outcome = { summary: true, fields };
      const assistant = await made(user, "/api/v1/assistants", {
        ...{ name: "Ada", greetingMessage: "Hello, this is Ada.", systemPrompt: "Be kind.", outcome },
      });
      await user.send("POST", `/api/v1/assistants/${assistant.id}/publish`);
      const { body } = await start({ ...ready, assistantId: assistant.id, to: "+15005550006" });
      const { callId } = body;
      const record = async () => (await user.send("GET", `/api/v1/calls/${callId}`)).body.data.outcome;
      const tried = (more: object, id = assistant.id) =>
        user.send("POST", `/api/v1/assistants/${id}/outcome/test`, { body: { callId, ...more } });
      const early = await tried({});
      expect([early.status, early.body.error.code]).toEqual([409, "CALL_NOT_ENDED"]);
      await endedCall(user, callId);
      const stored = await eventually("the analysis", async () => {
        const now = await record();
        return now.status === "ready" ? now : null;
      });
      expect(stored).toMatchObject({ fields: { kept: null }, success: null, model: { name: "scripted" } });
      expect(stored.summary).toContain("was called and spoke");

      const tokens = async () => {
        const { days } = (await user.send("GET", "/api/v1/account/usage")).body.data;
        return days.at(-1).inputTokens;
      };
      const before = await tokens();
      const same = (await tried({})).body.data;
      const { summary, evidence, unsupported, success, model } = stored;
      const answered = { fields: stored.fields, evidence, unsupported, summary, success, model };
      expect(same).toMatchObject({ failure: null, outcome: { ...answered, truncated: false } });
      expect(same.request.user).toContain("<transcript>");
      expect(Object.keys(same.request.jsonSchema.properties)).toEqual(["fields", "summary"]);
      expect(same.tokens.inputTokens).toBeGreaterThan(10);
      expect(await tokens()).toBeGreaterThan(before);
      const other = { fields: [{ name: "moved", type: "boolean", description: "Whether it is moved" }] };
      const changed = (await tried({ outcome: other })).body.data.outcome;
      expect([changed.fields, changed.summary]).toEqual([{ moved: null }, null]);
      expect(await record()).toEqual(stored);

      const { id } = (await user.send("GET", "/api/v1/account")).body.data;
      const limit = (maxModelTokensPerDay: number | null) =>
        service().operator.send("PATCH", `/api/v1/users/${id}`, { body: { plan: { maxModelTokensPerDay } } });
      await limit(1);
      const usedUp = await eventually("the limit", async () => {
        const answer = await tried({});
        return answer.status === 200 ? null : answer;
      });
      expect([usedUp.status, usedUp.body.error.code]).toEqual([402, "INSUFFICIENT_CREDITS"]);
      await limit(null);
      const unknown = await tried({ callId: `call_${"0".repeat(26)}` });
      expect([unknown.status, unknown.body.error.code]).toEqual([400, "CALL_NOT_FOUND"]);
      const nobody = await tried({}, `ast_${"0".repeat(26)}`);
      expect([nobody.status, nobody.body.error.code]).toEqual([404, "ASSISTANT_NOT_FOUND"]);
      const silent = await tried({}, ready.assistantId);
      expect([silent.status, silent.body.error.code]).toEqual([409, "OUTCOME_NOT_CONFIGURED"]);
      const bad = await tried({ outcome: { fields: [] } });
      expect(bad.body.error.details[0].path).toEqual(["outcome", "fields"]);
      const theirs = await service().newOwner();
      const own = await made(theirs, "/api/v1/assistants", {
        ...{ name: "Bo", greetingMessage: "Hello.", systemPrompt: "Be kind.", outcome },
      });
      const foreign = await theirs.send("POST", `/api/v1/assistants/${own.id}/outcome/test`, {
        body: { callId },
      });
      expect([foreign.status, foreign.body.error.code]).toEqual([400, "CALL_NOT_FOUND"]);
    });

    it("without an answer have no recording and no conversation", async () => {
      const { body } = await start({ ...ready, to: "+15005550002" });
      expect((await endedCall(user, body.callId)).conversation).toBeNull();
      const recording = await user.send("GET", `/api/v1/calls/${body.callId}/recording`);
      expect([recording.status, recording.body.error.code]).toEqual([404, "NOT_FOUND"]);
    });

    it("are active until they are ended, which may be asked again", async () => {
      const { body } = await start({ ...ready, to: "+15005550010" });
      const active = await user.send("GET", `${OUTBOUND}/active`);
      expect(active.body.concurrency).toEqual({ active: 1, limit: 10 });
      expect(active.body.data.map(({ callId }: { callId: string }) => callId)).toEqual([body.callId]);
      const ended = await user.send("DELETE", `${OUTBOUND}/${body.callId}`);
      expect(ended.body.data).toMatchObject({ callId: body.callId, endRequested: true, alreadyEnded: false });
      await endedCall(user, body.callId);
      const again = await user.send("DELETE", `${OUTBOUND}/${body.callId}`);
      expect(again.body.data).toMatchObject({ alreadyEnded: true, status: "failed", endReason: "canceled" });
      const status = await user.send("GET", `${OUTBOUND}/${body.callId}`);
      expect(status.body.data).toMatchObject({ callId: body.callId, endReason: "canceled" });
    });

    it("say which three fields are required", async () => {
      const { status, body } = await start({ metadata: 3 });
      expect(status).toBe(400);
      expect(body.error.message).toBe("phoneNumberId, assistantId and to are required");
      expect(body.error.details).toEqual([
        { path: ["phoneNumberId"], message: "Required" },
        { path: ["assistantId"], message: "Required" },
        { path: ["to"], message: "Required" },
        { path: ["metadata"], message: "Must be an object" },
      ]);
    });

    it("answer the seed's three plain messages", async () => {
      const to = "+15005550006";
      const draft = await made(user, "/api/v1/assistants", {
        name: "Draft",
        greetingMessage: "Hi",
        systemPrompt: "",
      });
      const missing = await start({ ...ready, assistantId: "ast_none", to });
      expect([missing.status, missing.body]).toEqual([400, { success: false, error: "Assistant not found" }]);
      const unpublished = await start({ ...ready, assistantId: draft.id, to });
      expect(unpublished.status).toBe(400);
      expect(unpublished.body.error).toMatch(/publish the assistant first/);
      const number = await start({ ...ready, phoneNumberId: "pn_none", to });
      expect(number.body).toEqual({ success: false, error: "Phone number not found or not active" });
    });

    it("refuse an unknown squad at its code, with 400", async () => {
      const { status, body } = await start({ ...ready, to: "+15005550006", squadId: "sqd_none" });
      expect([status, body.error.code]).toEqual([400, "SQUAD_NOT_FOUND"]);
    });

    it("never ring a suppressed number", async () => {
      await made(user, "/api/v1/suppressions", { phoneNumber: "+14155552671" });
      const { status, body } = await start({ ...ready, to: "+14155552671" });
      expect([status, body.error.code]).toEqual([403, "RECIPIENT_SUPPRESSED"]);
    });

    it("need credits and a free slot", async () => {
      const { body } = await service().operator.send("POST", "/api/v1/users", {
        body: { name: "Poor", credits: 1.5, plan: { maxConcurrentCalls: 1 } },
      });
      const poor = { key: body.data.apiKey.key };
      const other = service().as(poor.key);
      const theirs = await callable(other);
      const first = await other.send("POST", OUTBOUND, { body: { ...theirs, to: "+15005550010" } });
      expect(first.status).toBe(200);
      const broke = await other.send("POST", OUTBOUND, { body: { ...theirs, to: "+15005550006" } });
      expect([broke.status, broke.body.error.code]).toEqual([402, "INSUFFICIENT_CREDITS"]);
      const userId = body.data.user.id;
      const topUp = { amount: 10, reference: "r1", userId };
      await service().operator.send("POST", "/api/v1/account/credits", { body: topUp });
      const full = await other.send("POST", OUTBOUND, { body: { ...theirs, to: "+15005550006" } });
      expect([full.status, full.body.error.code]).toEqual([429, "CONCURRENCY_LIMIT_REACHED"]);
      expect(full.headers.get("retry-after")).toBe("1");
    });
  });
}
