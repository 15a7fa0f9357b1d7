import { beforeAll, describe, expect, it } from "vitest";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { made } from "../support/things.ts";

const API_TOOL = {
  name: "order_status",
  type: "API_REQUEST",
  config: { url: "https://shop.example.com/orders/{id}", method: "GET", headers: { A: "{{secrets.K}}" } },
};

/** docs/api.md §3. */
export function configuration(service: () => TestService): void {
  let user: ApiUser;
  beforeAll(async () => {
    user = await service().newOwner();
  });
  const get = async (path: string): Promise<Wire> => (await user.send("GET", path)).body.data;

  describe("assistants", () => {
    it("begin unpublished; publishing freezes the draft as the next version", async () => {
      const draft = { name: "Ada", greetingMessage: "Hi", systemPrompt: "Be kind" };
      const assistant = await made(user, "/api/v1/assistants", draft);
      expect(assistant).toMatchObject({ publishedVersion: null, versions: 0, maxDurationSeconds: 600 });
      const path = `/api/v1/assistants/${assistant.id}`;
      await user.send("POST", `${path}/publish`);
      await user.send("PATCH", path, { body: { name: "Ada 2", temperature: 0.5, voice: null } });
      await user.send("POST", `${path}/publish`, { body: {} });
      expect(await get(path)).toMatchObject({ name: "Ada 2", publishedVersion: 2, versions: 2 });
      const versions = await get(`${path}/versions`);
      expect(versions.map(({ name, version }: Wire) => [version, name])).toEqual([
        [2, "Ada 2"],
        [1, "Ada"],
      ]);
      const unpublished = await user.send("POST", `${path}/unpublish`);
      expect(unpublished.body.data.publishedVersion).toBeNull();
      expect((await get("/api/v1/assistants")).length).toBeGreaterThan(0);
      expect((await user.send("DELETE", path)).body.data).toEqual({ id: assistant.id, deleted: true });
    });

    it("are published only with a rehearsal where they say so, and only with one that passed", async () => {
      const draft = { name: "Ada", greetingMessage: "Hi", systemPrompt: "Be kind" };
      const assistant = await made(user, "/api/v1/assistants", { ...draft, publishNeedsRehearsal: true });
      expect(assistant.publishNeedsRehearsal).toBe(true);
      const path = `/api/v1/assistants/${assistant.id}`;
      const publish = async (body?: Wire) => {
        const answer = await user.send("POST", `${path}/publish`, body === undefined ? {} : { body });
        return [answer.status, answer.body.error?.code];
      };
      expect(await publish()).toEqual([409, "REHEARSAL_REQUIRED"]);
      expect(await publish({ rehearsalId: null })).toEqual([409, "REHEARSAL_REQUIRED"]);
      for (const rehearsalId of ["rhl_00000000000000000000000000", assistant.id])
        expect(await publish({ rehearsalId })).toEqual([409, "REHEARSAL_NOT_PASSED"]);
      expect(await publish({ rehearsalId: 1 })).toEqual([400, "VALIDATION_ERROR"]);
      const body = { publishNeedsRehearsal: false };
      expect((await user.send("PATCH", path, { body })).body.data).toMatchObject({ ...draft, ...body });
      expect(await publish()).toEqual([200, undefined]);
      expect((await get(`${path}/versions`))[0]).not.toHaveProperty("publishNeedsRehearsal");
    });

    it("say how they converse, frozen by publishing, with defaults for what is left out", async () => {
      const draft = { name: "Ada", greetingMessage: "Hi", systemPrompt: "Be kind" };
      const told = {
        fallbackMessage: "Please call us back.",
        silenceTimeoutSeconds: 3,
        endSilenceMs: 2000,
        interruptible: false,
        recording: "on",
        recordingNotice: "This call is recorded.",
      };
      const defaults = {
        modelConnectionId: null,
        fallbackMessage: null,
        silenceTimeoutSeconds: 8,
        endSilenceMs: 500,
        interruptible: true,
        recording: null,
        recordingNotice: null,
      };
      expect(await made(user, "/api/v1/assistants", draft)).toMatchObject(defaults);
      const assistant = await made(user, "/api/v1/assistants", { ...draft, ...told });
      expect(assistant).toMatchObject(told);
      const path = `/api/v1/assistants/${assistant.id}`;
      await user.send("POST", `${path}/publish`);
      const body = { fallbackMessage: null, interruptible: true, recording: "off", endSilenceMs: 200 };
      expect((await user.send("PATCH", path, { body })).body.data).toMatchObject({ ...told, ...body });
      expect((await get(`${path}/versions`))[0]).toMatchObject(told);
    });

    it.each(["conn_00000000000000000000000000", "conn_default_model", "none", "pn_1"])(
      "name only connections that are there: not %s",
      async (modelConnectionId) => {
        const draft = { name: "Ada", greetingMessage: "", systemPrompt: "", modelConnectionId };
        const created = await user.send("POST", "/api/v1/assistants", { body: draft });
        expect([created.status, created.body.error.code]).toEqual([400, "CONNECTION_NOT_FOUND"]);
        const config = { connectionId: modelConnectionId, query: "select 1" };
        const body = { name: "q", type: "DATABASE_QUERY", config };
        const tool = await user.send("POST", "/api/v1/tools", { body });
        expect([tool.status, tool.body.error.code]).toEqual([400, "CONNECTION_NOT_FOUND"]);
      },
    );

    it("name only tools that are there", async () => {
      const draft = { name: "Ada", greetingMessage: "", systemPrompt: "", toolIds: ["tool_none"] };
      const created = await user.send("POST", "/api/v1/assistants", { body: draft });
      expect([created.status, created.body.error.code]).toEqual([400, "TOOL_NOT_FOUND"]);
    });
  });

  it.each([
    ["PATCH", "/api/v1/phone-numbers/pn_00000000000000000000000000"],
    ["PATCH", "/api/v1/tools/tool_00000000000000000000000000"],
    ["PATCH", "/api/v1/connections/conn_00000000000000000000000000"],
    ["PATCH", "/api/v1/assistants/ast_00000000000000000000000000"],
    ["POST", "/api/v1/assistants/ast_00000000000000000000000000/publish"],
    ["DELETE", "/api/v1/tools/tool_00000000000000000000000000"],
  ])("%s of an unknown record writes nothing, so it answers no position: %s", async (method, path) => {
    const { status, headers } = await user.send(method, path, { body: {} });
    expect([status, headers.get("x-event-position")]).toEqual([404, null]);
  });

  describe("phone numbers", () => {
    it("are made active, changed and deleted", async () => {
      const number = await made(user, "/api/v1/phone-numbers", { phoneNumber: "+905320000000" });
      expect(number).toMatchObject({ active: true, label: null, carrier: null });
      const path = `/api/v1/phone-numbers/${number.id}`;
      const changed = await user.send("PATCH", path, { body: { active: false, label: "Old" } });
      expect(changed.body.data).toMatchObject({ active: false, label: "Old" });
      expect(await get(path)).toEqual(changed.body.data);
      expect((await get("/api/v1/phone-numbers"))[0].id).toBe(number.id);
      expect((await user.send("DELETE", path)).status).toBe(200);
    });

    it("are the service's alone unless they are said to be shared, which can be taken back", async () => {
      const list = "/api/v1/phone-numbers";
      expect((await made(user, list, { phoneNumber: "+905320000001" })).shared).toBe(false);
      const number = await made(user, list, { phoneNumber: "+905320000002", shared: true });
      const path = `${list}/${number.id}`;
      await user.send("PATCH", path, { body: { label: "Also the CRM" } });
      expect(await get(path)).toMatchObject({ shared: true, label: "Also the CRM" });
      const refused = await user.send("PATCH", path, { body: { shared: "yes" } });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, ["shared"]]);
      await user.send("PATCH", path, { body: { shared: false } });
      expect((await get(path)).shared).toBe(false);
    });
  });

  describe("tools and secrets", () => {
    it("are made, read, changed and deleted", async () => {
      const tool = await made(user, "/api/v1/tools", API_TOOL);
      const path = `/api/v1/tools/${tool.id}`;
      expect((await user.send("GET", path)).body).toEqual({ success: true, data: tool });
      const changed = await user.send("PATCH", path, { body: { description: "Looks up" } });
      expect(changed.body.data).toMatchObject({ ...API_TOOL, description: "Looks up" });
      expect((await get("/api/v1/tools"))[0].id).toBe(tool.id);
      expect((await user.send("DELETE", path)).body.data).toEqual({ id: tool.id, deleted: true });
    });

    it("hold a config that fits their type, also after a change", async () => {
      const tool = await made(user, "/api/v1/tools", API_TOOL);
      const body = { type: "DATABASE_QUERY" };
      const answer = await user.send("PATCH", `/api/v1/tools/${tool.id}`, { body });
      expect(answer.body.error.details.map(({ path }: Wire) => path)).toContainEqual(["config", "query"]);
      const config = { query: "select :id", parameters: { id: "{{caller_number}}" } };
      const whole = await user.send("PATCH", `/api/v1/tools/${tool.id}`, { body: { ...body, config } });
      expect(whole.body.data).toMatchObject({ type: "DATABASE_QUERY", config });
    });

    it("end a call, transfer it, and send a body", async () => {
      const end = await made(user, "/api/v1/tools", { name: "Hang up", type: "END_CALL" });
      expect(end).toMatchObject({ type: "END_CALL", config: {}, description: "" });
      const config = { to: "+905321112233", message: "One moment" };
      const transfer = await made(user, "/api/v1/tools", { name: "Desk", type: "TRANSFER_CALL", config });
      expect(transfer.config).toEqual(config);
      const path = `/api/v1/tools/${transfer.id}`;
      const changed = await user.send("PATCH", path, { body: { config: { to: "+905321112234" } } });
      expect(changed.body.data.config).toEqual({ to: "+905321112234" });
      const wrong = await user.send("PATCH", path, { body: { config: { to: "911" } } });
      expect([wrong.status, wrong.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
      const body = { order: "{orderId}", lines: [{ note: "for {name}" }], n: 1, none: null };
      const post = { ...API_TOOL, config: { ...API_TOOL.config, method: "POST", body } };
      expect((await made(user, "/api/v1/tools", post)).config.body).toEqual(body);
    });

    it("stay while an assistant uses them", async () => {
      const tool = await made(user, "/api/v1/tools", API_TOOL);
      const draft = { name: "Ada", greetingMessage: "", systemPrompt: "", toolIds: [tool.id] };
      await made(user, "/api/v1/assistants", draft);
      const answer = await user.send("DELETE", `/api/v1/tools/${tool.id}`);
      expect([answer.status, answer.body.error.code]).toEqual([409, "TOOL_IN_USE"]);
    });

    it.each([
      ["a secret outside a header", { url: "https://a.example/{{secrets.K}}", method: "GET" }, "url"],
      ["an address that is none", { url: "ftp://a.example", method: "GET" }, "url"],
      ["SQL that does not end", { query: "select '" }, "query"],
      ["a method that is none", { url: "https://a.example", method: "FETCH" }, "method"],
      ["an unknown field", { url: "https://a.example", method: "GET", form: {} }, "form"],
      ["a body with GET", { url: "https://a.example", method: "GET", body: {} }, "body"],
      ["a host that the model fills", { url: "https://{host}.example/", method: "GET" }, "url"],
      ["a secret in a body", { url: "https://a.example", method: "POST", body: ["{{secrets.K}}"] }, "body"],
    ])("refuse %s", async (_what, config, field) => {
      const type = field === "query" ? "DATABASE_QUERY" : "API_REQUEST";
      const tool = { ...API_TOOL, type, config };
      const { status, body } = await user.send("POST", "/api/v1/tools", { body: tool });
      expect(status).toBe(400);
      expect(body.error.details.map(({ path }: Wire) => path)).toContainEqual(["config", field]);
    });

    it("keep secrets that nobody reads back", async () => {
      const put = await user.send("PUT", "/api/v1/secrets/SHOP_KEY", { body: { value: "s3cr3t-value" } });
      expect(Object.keys(put.body.data).toSorted()).toEqual(["name", "updatedAt"]);
      const list = await user.send("GET", "/api/v1/secrets");
      expect(list.text).not.toContain("s3cr3t-value");
      expect((await user.send("DELETE", "/api/v1/secrets/SHOP_KEY")).body.data.deleted).toBe(true);
      expect((await user.send("DELETE", "/api/v1/secrets/SHOP_KEY")).status).toBe(404);
      const lower = await user.send("PUT", "/api/v1/secrets/shop", { body: { value: "x" } });
      expect(lower.body.error.details[0].path).toEqual(["name"]);
    });
  });

  describe("suppressions", () => {
    it("are listed once, and taken off", async () => {
      const body = { phoneNumber: "+905321112299", reason: "Asked us" };
      const first = await user.send("POST", "/api/v1/suppressions", { body });
      const again = await user.send("POST", "/api/v1/suppressions", { body: { ...body, reason: "Other" } });
      expect([first.status, again.status]).toEqual([201, 200]);
      expect(again.body).toEqual(first.body);
      expect(await get("/api/v1/suppressions")).toEqual([first.body.data]);
      const path = `/api/v1/suppressions/${encodeURIComponent(body.phoneNumber)}`;
      expect(await get(path)).toMatchObject({
        ...first.body.data,
        listed: true,
        history: [{ action: "listed" }],
      });
      expect((await user.send("DELETE", path)).status).toBe(200);
      expect((await user.send("DELETE", path)).body.error.code).toBe("SUPPRESSION_NOT_FOUND");
      expect(await get(path)).toMatchObject({
        listed: false,
        history: [{ action: "removed" }, { action: "listed" }],
      });
    });

    const addMany = (body: object, headers: Readonly<Record<string, string>> = {}) =>
      user.send("POST", "/api/v1/suppressions", { body, headers });

    it("come many at once: who is new, who was there, and whose number is none", async () => {
      await addMany({ phoneNumber: "+905321112200", reason: "First" });
      const items = [
        { phoneNumber: "+905321112200", reason: "Later" },
        { phoneNumber: "05321112201" },
        { phoneNumber: "+905321112202", reason: "Asked us" },
        { phoneNumber: "+905321112202" },
        { phoneNumber: "+1" },
      ];
      const report = await addMany({ items });
      expect([report.status, report.body.data]).toEqual([
        201,
        {
          added: 1,
          existing: 2,
          rejected: {
            count: 2,
            items: [
              { index: 1, phoneNumber: "05321112201", reason: "not_e164" },
              { index: 4, phoneNumber: "+1", reason: "not_e164" },
            ],
          },
        },
      ]);
      const again = await addMany({ items });
      expect([again.status, again.body.data]).toMatchObject([200, { added: 0, existing: 3 }]);
      expect(await get("/api/v1/suppressions")).toMatchObject([
        { phoneNumber: "+905321112202", reason: "Asked us" },
        { phoneNumber: "+905321112200", reason: "First" },
      ]);
    });

    it("come 10,000 at once, answered again for their key; one more is refused", async () => {
      const items = Array.from({ length: 10_000 }, (_, index) => ({
        phoneNumber: index === 9_999 ? "nobody" : `+9053${20_000_000 + index}`,
        reason: "An old list of people who asked us to stop",
      }));
      const headers = { "idempotency-key": "old-list" };
      const first = await addMany({ items }, headers);
      expect(first.body.data).toEqual({
        added: 9_999,
        existing: 0,
        rejected: { count: 1, items: [{ index: 9_999, phoneNumber: "nobody", reason: "not_e164" }] },
      });
      const again = await addMany({ items }, headers);
      expect([again.body, again.headers.get("idempotent-replayed")]).toEqual([first.body, "true"]);
      const more = await addMany({ items: [...items, { phoneNumber: "+15005550006" }] });
      expect(more.body.error.details).toEqual([
        { path: ["items"], message: "Must hold 1 to 10,000 numbers" },
      ]);
    });

    it.each([
      [{}, ["phoneNumber"]],
      [{ reason: "x" }, ["phoneNumber"]],
      [{ items: [] }, ["items"]],
      [{ items: [{ phoneNumber: "+15005550006" }], phoneNumber: "+15005550006" }, ["items"]],
      [{ items: [{ phoneNumber: "+15005550006" }], reason: "x" }, ["items"]],
      [{ items: [{ phoneNumber: "+15005550006" }, { reason: "x" }] }, ["items", 1, "phoneNumber"]],
      [{ items: [{ phoneNumber: "+15005550006", note: "x" }] }, ["items", 0, "note"]],
    ])("are refused as %j at %j", async (body, path) => {
      const answer = await addMany(body);
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(answer.body.error.details[0].path).toEqual(path);
    });
  });
}
