import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { type Callable, callable, endedCall, made } from "../support/things.ts";

const PATH = "/api/v1/rehearsals";
/** Simulated callees: docs/api-by-example.md. */
const TALKS = "+15005550006";
const BUSY = "+15005550002";
const NOBODY = { id: `ast_${"0".repeat(26)}`, call: `call_${"0".repeat(26)}`, run: `run_${"0".repeat(26)}` };

const GREETED = {
  name: "is greeted",
  caller: { says: ["Good morning", { keys: "12" }] },
  contact: { name: "Deniz", customData: { order: 7 } },
  expect: [{ says: "this is ADA" }, { neverSays: ["free of charge"] }],
};
const SOLD = {
  name: "is sold something",
  caller: { says: ["No, thank you"] },
  expect: [{ says: "a vacuum cleaner" }],
};

/** docs/api.md §23. */
export function rehearsals(service: () => TestService): void {
  describe("rehearsals", () => {
    let user: ApiUser;
    let ready: Callable;
    let called: string;
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
      called = await callTo(TALKS);
    });
    const callTo = async (to: string): Promise<string> => {
      const { body } = await user.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to } });
      return body.callId;
    };
    const post = (changes: object = {}, who = user, headers: Readonly<Record<string, string>> = {}) =>
      who.send("POST", PATH, {
        body: { name: "A try", assistantId: ready.assistantId, cases: [GREETED], ...changes },
        headers,
      });
    const get = async (path: string): Promise<Wire> => (await user.send("GET", `${PATH}${path}`)).body.data;
    const ended = (id: string): Promise<Wire> =>
      eventually("the rehearsal to end", async () => {
        const found = await get(`/${id}`);
        return found.status === "running" ? null : found;
      });
    const problemsOf = async (changes: object): Promise<Wire> => {
      const { status, body } = await post(changes);
      expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
      return body.error.details.map(({ path }: Wire) => path.join("."));
    };
    const refusalOf = async (changes: object) => {
      const { status, body } = await post(changes);
      return [status, body.error.code];
    };

    it("are played, judged and told by case, run and message", async () => {
      const begun = await post({ cases: [GREETED, SOLD], repeat: 2, expect: [{ optedOut: false }] });
      expect(begun.status).toBe(202);
      const { id } = begun.body.data;
      expect(begun.body.data).toMatchObject({
        ...{ id: expect.stringMatching(/^rhl_/), assistantId: ready.assistantId, squadId: null },
        ...{ version: "draft", baseline: false, repeat: 2, passAt: 1, maxTokens: 500_000, erased: false },
        cases: [{ ...GREETED, maxTurns: 10 }, SOLD],
        expect: [{ optedOut: false }],
        draftHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      const done = await ended(id);
      expect(done).toMatchObject({
        ...{ status: "done", endedBecause: "finished", progress: 1, passed: 2, failed: 2, errors: 0 },
        passRate: 0.5,
        byCase: [
          { case: "is greeted", lane: "candidate", passed: 2, failed: 0, waiting: 0, isPassed: true },
          { case: "is sold something", lane: "candidate", passed: 0, failed: 2, waiting: 0, isPassed: false },
        ],
      });
      const runs: Wire[] = await get(`/${id}/runs`);
      expect(runs.map((run) => [run.case, run.n, run.status])).toEqual([
        ["is greeted", 1, "passed"],
        ["is greeted", 2, "passed"],
        ["is sold something", 1, "failed"],
        ["is sold something", 2, "failed"],
      ]);
      expect(runs[0].messages).toBeUndefined();
      const wrong = { expect: { says: "a vacuum cleaner" }, messageIndex: null };
      expect(runs[3].failures).toEqual([{ ...wrong, got: "The assistant did not say it" }]);
      const run = await get(`/${id}/runs/${runs[0].runId}`);
      expect(run.messages[0]).toMatchObject({ role: "assistant", content: "Hello, this is Ada." });
      const said = run.messages.filter(({ role }: Wire) => role === "customer");
      expect(said[0].content).toBe("Good morning");
      const filtered: Wire[] = await get(
        `/${id}/runs?case=is%20sold%20something&status=failed&lane=candidate`,
      );
      expect(filtered.map(({ runId }) => runId)).toEqual([runs[2].runId, runs[3].runId]);
      expect(await get(`/${id}/runs?case=other`)).toEqual([]);
      const first = await user.send("GET", `${PATH}/${id}/runs?limit=3`);
      const next = first.body.pagination.nextCursor;
      expect((await get(`/${id}/runs?limit=3&cursor=${next}`)).map((each: Wire) => each.runId)).toEqual([
        runs[3].runId,
      ]);
      const unknownRun = await user.send("GET", `${PATH}/${id}/runs/${NOBODY.run}`);
      expect([unknownRun.status, unknownRun.body.error.code]).toEqual([404, "RUN_NOT_FOUND"]);
    });

    it("are one for an Idempotency-Key, are listed without cases, cancelled, and deleted", async () => {
      const headers = { "idempotency-key": "a-rehearsal" };
      const { body: once } = await post({}, user, headers);
      const again = await post({}, user, headers);
      expect([again.status, again.body.data.id]).toEqual([202, once.data.id]);
      const { id } = once.data;
      await ended(id);
      const cancelled = await user.send("POST", `${PATH}/${id}/cancel`);
      expect(cancelled.body.data).toEqual(await get(`/${id}`));
      expect(cancelled.body.data.status).toBe("done");
      const [latest] = await get("?limit=1");
      expect([latest.id, latest.cases]).toEqual([id, undefined]);
      const deleted = await user.send("DELETE", `${PATH}/${id}`);
      expect(deleted.body.data).toEqual({ id, deleted: true });
      expect((await user.send("GET", `${PATH}/${id}`)).status).toBe(404);
    });

    it("play a past call again, whose words need a scope of their own", async () => {
      await endedCall(user, called);
      const cases = [
        { name: "as it was", caller: { callId: called }, expect: [{ says: "this is Ada" }] },
        { ...GREETED, fromCallId: called },
      ];
      const key = await made(user, "/api/v1/api-keys", { name: "k", scopes: ["assistants:*"] });
      for (const [index, one] of cases.entries()) {
        const refused = await post({ cases: [one] }, service().as(key.key));
        expect([refused.status, refused.body.error.code, index]).toEqual([403, "FORBIDDEN", index]);
      }
      const begun = await post({ cases });
      expect(begun.status).toBe(202);
      const { id } = begun.body.data;
      expect(await ended(id)).toMatchObject({ passed: 2, failed: 0, errors: 0 });
      const [run] = await get(`/${id}/runs`);
      for (const path of [`${PATH}/${id}/runs`, `${PATH}/${id}/runs/${run.runId}`]) {
        const refused = await service().as(key.key).send("GET", path);
        expect([refused.status, refused.body.error.code]).toEqual([403, "FORBIDDEN"]);
      }
    });

    it.each<[string, object, string[]]>([
      ["both ids", { squadId: "sqd_1" }, ["squadId"]],
      ["no id", { assistantId: null }, ["assistantId"]],
      ["a version that does not exist", { version: 7 }, ["version"]],
      ["a version that is none", { version: "latest" }, ["version"]],
      ["no case", { cases: [] }, ["cases"]],
      ["51 cases", { cases: many(51) }, ["cases"]],
      ["two cases of a name", { cases: [GREETED, GREETED] }, ["cases.1.name"]],
      ["a case that expects nothing", { cases: [{ ...GREETED, expect: [] }] }, ["cases.0.expect"]],
      ["passAt", { passAt: 1.1 }, ["passAt"]],
      ["too few tokens", { maxTokens: 999 }, ["maxTokens"]],
      ["turns", { cases: [{ ...GREETED, maxTurns: 21 }] }, ["cases.0.maxTurns"]],
    ])("are refused at its path: %s", async (_what, changes, paths) => {
      expect(await problemsOf(changes)).toEqual(paths);
    });

    it.each<[object, string]>([
      [{ says: "" }, "says"],
      [{ says: "?!" }, "says"],
      [{ neverSays: ["ok", "…"] }, "neverSays.1"],
      [{ tool: "book" }, "tool"],
      [{ noTool: "book" }, "noTool"],
      [{ outcome: { confirmed: true } }, "outcome.confirmed"],
      [{ outcome: {} }, "outcome"],
      [{ success: true }, "success"],
      [{ handsOffTo: "Ada" }, "handsOffTo"],
      [{ endReason: "bored" }, "endReason"],
      [{ turnsAtMost: -1 }, "turnsAtMost"],
      [{ noTool: "book", arguments: {} }, "arguments"],
      [{ smiles: true }, "smiles"],
    ])("%j is refused at its path, of a case and of all", async (expectation, path) => {
      const expected = [{ optedOut: false }, expectation];
      expect(await problemsOf({ cases: [{ ...GREETED, expect: expected }] })).toContain(
        `cases.0.expect.1.${path}`,
      );
      expect(await problemsOf({ expect: expected })).toContain(`expect.1.${path}`);
    });

    it.each<[object, string]>([
      [{}, "caller"],
      [{ says: ["a"], callId: "call_1" }, "caller"],
      [{ says: ["a"], goal: "b" }, "caller.goal"],
      [{ says: ["a", { machine: "Leave a message" }] }, "caller.says.1"],
      [{ says: [{ keys: "12a" }] }, "caller.says.0.keys"],
      [{ says: ["x".repeat(4_097)] }, "caller.says.0"],
      [{ persona: "x".repeat(4_097) }, "caller.persona"],
    ])("who calls is refused at its path: %j", async (caller, path) => {
      expect(await problemsOf({ cases: [{ ...GREETED, caller }] })).toEqual([`cases.0.${path}`]);
    });

    it("take what tools answer by their names, of those that ask another system", async () => {
      const config = { url: "https://shop.example/{id}", method: "GET" };
      const book = await made(user, "/api/v1/tools", {
        ...{ name: "book", type: "API_REQUEST", config },
        sampleAnswer: '{"booked":true}',
      });
      expect(book.sampleAnswer).toBe('{"booked":true}');
      const bye = await made(user, "/api/v1/tools", { name: "bye", type: "END_CALL" });
      const { id } = await made(user, "/api/v1/assistants", {
        ...{ name: "Ada", greetingMessage: "Hello, this is Ada.", systemPrompt: "" },
        toolIds: [book.id, bye.id],
      });
      const withTools = (tools: object) => ({ assistantId: id, cases: [{ ...GREETED, tools }] });
      const answer = { when: { id: "7" }, answer: { ok: true } };
      const begun = await post(withTools({ book: [answer, { fails: "timed_out" }] }));
      expect([begun.status, begun.body.data.cases[0].tools.book[0]]).toEqual([202, answer]);
      expect(await problemsOf(withTools({ bye: [answer], other: [answer] }))).toEqual([
        "cases.0.tools.bye",
        "cases.0.tools.other",
      ]);
      expect(await problemsOf(withTools({ book: [{ answer: "x".repeat(4_096) }] }))).toEqual([
        "cases.0.tools.book.0.answer",
      ]);
      expect(await problemsOf(withTools({ book: [{ when: {} }] }))).toEqual(["cases.0.tools.book.0"]);
      expect(await problemsOf(withTools({ book: [] }))).toEqual(["cases.0.tools.book"]);
    });

    it("are of what exists", async () => {
      expect(await refusalOf({ assistantId: NOBODY.id })).toEqual([400, "ASSISTANT_NOT_FOUND"]);
      expect(await refusalOf({ assistantId: null, squadId: "sqd_none" })).toEqual([400, "SQUAD_NOT_FOUND"]);
      const { id } = await made(user, "/api/v1/assistants", {
        ...{ name: "Bo", greetingMessage: "Hi", systemPrompt: "" },
      });
      expect(await problemsOf({ assistantId: id, baseline: true })).toEqual(["baseline"]);
      expect(await problemsOf({ assistantId: id, version: "published" })).toEqual(["version"]);
      const of = (caller: object, more: object = {}) => ({ cases: [{ ...GREETED, caller, ...more }] });
      const said = { says: ["Hello"] };
      for (const callId of [NOBODY.call, "nonsense"]) {
        expect(await refusalOf(of({ callId }))).toEqual([400, "CALL_NOT_FOUND"]);
        expect(await refusalOf(of(said, { fromCallId: callId }))).toEqual([400, "CALL_NOT_FOUND"]);
      }
      const busy = await callTo(BUSY);
      await endedCall(user, busy);
      expect(await refusalOf(of({ callId: busy }))).toEqual([409, "NOTHING_TO_REHEARSE"]);
      const erased = await callTo(TALKS);
      expect(await refusalOf(of({ callId: erased }))).toEqual([409, "CALL_NOT_ENDED"]);
      await endedCall(user, erased);
      await user.send("DELETE", `/api/v1/calls/${erased}/content`);
      expect(await refusalOf(of({ callId: erased }))).toEqual([409, "CONTENT_ERASED"]);
      expect(await refusalOf(of(said, { fromCallId: erased }))).toEqual([409, "CONTENT_ERASED"]);
    });

    it("are 500 runs at most, with repeats and the baseline", async () => {
      const begun = await post({ cases: many(50), repeat: 5, baseline: true });
      expect(begun.status).toBe(202);
      const { id } = begun.body.data;
      const last: Wire[] = await get(`/${id}/runs?limit=200&case=Case%2049&lane=baseline`);
      expect(last.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
      const cancelled = await user.send("POST", `${PATH}/${id}/cancel`);
      expect(cancelled.body.data).toMatchObject({ status: "cancelled", endedBecause: "cancelled" });
      expect(await problemsOf({ cases: many(50), repeat: 6 })).toEqual(["repeat"]);
    });

    it("wait for no tokens that are used up", async () => {
      const { id } = (await user.send("GET", "/api/v1/account")).body.data;
      const limit = (maxModelTokensPerDay: number | null) =>
        service().operator.send("PATCH", `/api/v1/users/${id}`, { body: { plan: { maxModelTokensPerDay } } });
      await limit(1);
      const refused = await eventually("the limit", async () => {
        const answer = await post();
        return answer.status === 202 ? null : answer;
      });
      expect([refused.status, refused.body.error.code]).toEqual([402, "INSUFFICIENT_CREDITS"]);
      await limit(null);
    });
  });
}

function many(count: number): object[] {
  return Array.from({ length: count }, (_each, index) => ({ ...GREETED, name: `Case ${index}` }));
}
