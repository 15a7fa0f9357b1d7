import { beforeAll, describe, expect, it } from "vitest";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { made } from "../support/things.ts";

const API_TOOL = {
  name: "order_status",
  type: "API_REQUEST",
  config: { url: "https://shop.example.com/orders/{id}", method: "GET", headers: { A: "{{secrets.K}}" } },
};

/** interface.md §3. */
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

    it("name only tools that are there", async () => {
      const draft = { name: "Ada", greetingMessage: "", systemPrompt: "", toolIds: ["tool_none"] };
      const created = await user.send("POST", "/api/v1/assistants", { body: draft });
      expect([created.status, created.body.error.code]).toEqual([400, "TOOL_NOT_FOUND"]);
    });
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
      ["a method that is none", { url: "https://a.example", method: "FETCH" }, "method"],
      ["an unknown field", { url: "https://a.example", method: "GET", body: {} }, "body"],
    ])("refuse %s", async (_what, config, field) => {
      const { status, body } = await user.send("POST", "/api/v1/tools", { body: { ...API_TOOL, config } });
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
      expect((await user.send("DELETE", path)).status).toBe(200);
      expect((await user.send("DELETE", path)).body.error.code).toBe("SUPPRESSION_NOT_FOUND");
    });
  });
}
