import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { speaks } from "../../support/models/fake-answer.ts";
import { type FakeModelServer, fakeModelServer } from "../../support/models/fake-model-server.ts";
import { type PostgresOverTcp, postgresOverTcp } from "../../support/postgres-over-tcp.ts";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { made } from "../support/things.ts";

const PATH = "/api/v1/connections";

/** docs/connections.md. */
export function connections(service: () => TestService): void {
  describe("connections", () => {
    let user: ApiUser;
    let server: FakeModelServer;
    let tcp: PostgresOverTcp;
    beforeAll(async () => {
      user = await service().newOwner();
      server = await fakeModelServer(() => speaks(["Hello"]));
      tcp = await postgresOverTcp();
    });
    afterAll(async () => {
      await server.close();
      await tcp.close();
    });

    const model = (settings: object = {}) => ({
      kind: "model",
      name: "Ours",
      settings: { baseUrl: server.url, defaultModel: "fake-1", ...settings },
      secrets: { apiKey: "sk-of-the-contract" },
    });
    const database = (settings: object = {}) => {
      const { port, user, password } = tcp;
      const where = { host: "127.0.0.1", port, database: "ringfold", user };
      return {
        kind: "postgres",
        name: "Shop",
        settings: { ...where, tls: false, ...settings },
        secrets: { password },
      };
    };
    const problems = async (body: object): Promise<Wire> => {
      const answer = await user.send("POST", PATH, { body });
      expect(answer.status).toBe(400);
      return answer.body.error.details.map(({ path }: Wire) => path);
    };

    it("are made, read, changed and deleted, and never show a secret", async () => {
      const connection = await made(user, PATH, model({ baseUrl: `${server.url}/` }));
      expect(connection).toMatchObject({ kind: "model", default: false, settings: { baseUrl: server.url } });
      const path = `${PATH}/${connection.id}`;
      expect((await user.send("GET", path)).body.data).toEqual(connection);
      const body = { name: "Better", settings: { defaultModel: "fake-2" }, secrets: { apiKey: "sk-other" } };
      const changed = await user.send("PATCH", path, { body });
      expect(changed.body.data).toMatchObject({
        name: "Better",
        settings: { baseUrl: server.url, defaultModel: "fake-2" },
      });
      const list = await user.send("GET", PATH);
      expect(list.body.data[0].id).toBe(connection.id);
      expect(`${list.text}${changed.text}`).not.toContain("sk-");
      expect((await user.send("DELETE", path)).body.data).toEqual({ id: connection.id, deleted: true });
      expect((await user.send("GET", path)).body.error.code).toBe("CONNECTION_NOT_FOUND");
    });

    const twilio = {
      kind: "twilio",
      name: "Account",
      settings: { accountSid: `AC${"a1".repeat(16)}` },
      secrets: { authToken: "token-of-the-contract" },
    };
    const asterisk = () => ({
      kind: "asterisk",
      name: "Trunk",
      settings: { url: `${server.url.replace("/v1", "")}/`, user: "ringfold" },
      secrets: { password: "password-of-the-contract" },
    });

    it("may be carriers: what is left out is filled in, and the account never changes", async () => {
      const account = await made(user, PATH, twilio);
      expect(account.settings).toEqual({ ...twilio.settings, callsPerSecond: 1, baseUrl: null });
      const trunk = await made(user, PATH, asterisk());
      expect(trunk.settings).toMatchObject({
        context: "ringfold-dial",
        callsPerSecond: null,
        maxConcurrentCalls: null,
      });
      const other = { settings: { accountSid: `AC${"b2".repeat(16)}` } };
      const moved = await user.send("PATCH", `${PATH}/${account.id}`, { body: other });
      expect([moved.status, moved.body.error.code]).toEqual([409, "CONNECTION_IMMUTABLE"]);
      const pace = { settings: { callsPerSecond: 5 }, secrets: { authToken: "another-token" } };
      const changed = await user.send("PATCH", `${PATH}/${account.id}`, { body: pace });
      expect(changed.body.data.settings.callsPerSecond).toBe(5);
      expect(`${changed.text}${JSON.stringify([account, trunk])}`).not.toMatch(/token|password-of/);
      expect(await problems({ ...twilio, settings: { accountSid: "AC1", callsPerSecond: 0 } })).toEqual([
        ["settings", "accountSid"],
        ["settings", "callsPerSecond"],
      ]);
    });

    it("are named by numbers, which then cannot lose them", async () => {
      const trunk = await made(user, PATH, asterisk());
      const number = { phoneNumber: "+15005550177", connectionId: trunk.id };
      const record = await made(user, "/api/v1/phone-numbers", number);
      expect(record.connectionId).toBe(trunk.id);
      const kept = await user.send("DELETE", `${PATH}/${trunk.id}`);
      expect([kept.status, kept.body.error.code]).toEqual([409, "CONNECTION_IN_USE"]);
      const place = `/api/v1/phone-numbers/${record.id}`;
      const wrong = await made(user, PATH, model());
      for (const [connectionId, code] of [
        [wrong.id, "VALIDATION_ERROR"],
        ["conn_00000000000000000000000000", "CONNECTION_NOT_FOUND"],
        ["conn_default_twilio", "CONNECTION_NOT_FOUND"],
      ]) {
        const answer = await user.send("PATCH", place, { body: { connectionId } });
        expect([answer.status, answer.body.error.code]).toEqual([400, code]);
      }
      await user.send("PATCH", place, { body: { connectionId: null } });
      expect((await user.send("DELETE", `${PATH}/${trunk.id}`)).status).toBe(200);
    });

    it("name each field that is missing or unknown at its place", async () => {
      const wrong = { ...model(), settings: { baseUrl: server.url, bseUrl: "x" }, secrets: { key: "x" } };
      expect(await problems(wrong)).toEqual([
        ["settings", "defaultModel"],
        ["settings", "bseUrl"],
        ["secrets", "apiKey"],
        ["secrets", "key"],
      ]);
      expect(await problems({ ...model(), kind: "telnyx" })).toEqual([["kind"]]);
    });

    it("lead to no address that is not allowed", async () => {
      expect(await problems(model({ baseUrl: "https://10.0.0.1/v1" }))).toEqual([["settings", "baseUrl"]]);
      expect(await problems(model({ baseUrl: "http://8.8.8.8/v1" }))).toEqual([["settings", "baseUrl"]]);
      expect(await problems(model({ baseUrl: "https://user:pass@8.8.8.8/v1" }))).toEqual([
        ["settings", "baseUrl"],
      ]);
      expect(await problems(database({ host: "169.254.169.254", tls: true }))).toEqual([
        ["settings", "host"],
      ]);
      expect(await problems(database({ host: "8.8.8.8" }))).toEqual([["settings", "tls"]]);
      expect(await problems(database({ port: 25 }))).toEqual([["settings", "port"]]);
      const { id } = await made(user, PATH, model());
      const body = { settings: { baseUrl: "https://10.0.0.1/v1" }, secrets: { apiKey: "sk-again" } };
      const changed = await user.send("PATCH", `${PATH}/${id}`, { body });
      expect(changed.body.error.details[0].path).toEqual(["settings", "baseUrl"]);
    });

    it("keep their kind and their host", async () => {
      const { id } = await made(user, PATH, database());
      const send = async (body: object) =>
        (await user.send("PATCH", `${PATH}/${id}`, { body })).body.error?.code;
      expect(await send({ kind: "model" })).toBe("CONNECTION_IMMUTABLE");
      expect(await send({ settings: { host: "127.0.0.2" } })).toBe("CONNECTION_IMMUTABLE");
      expect(await send({ settings: { hots: "127.0.0.2" } })).toBe("VALIDATION_ERROR");
      expect(await send({ kind: "postgres", settings: { port: 5433 } })).toBe("VALIDATION_ERROR");
      const secrets = { password: "again" };
      expect(await send({ kind: "postgres", settings: { port: 5433 }, secrets })).toBeUndefined();
    });

    it("bring their secrets to no other address", async () => {
      const { id } = await made(user, PATH, model());
      const other = await fakeModelServer(() => speaks(["Hello"]));
      const settings = { baseUrl: other.url };
      const moved = await user.send("PATCH", `${PATH}/${id}`, { body: { settings } });
      expect([moved.status, moved.body.error?.details[0].path]).toEqual([400, ["secrets"]]);
      const checked = await user.send("POST", `${PATH}/${id}/check`);
      expect([checked.body.data.ok, other.asked.length]).toEqual([true, 0]);
      const secrets = { apiKey: "sk-given-again" };
      const again = await user.send("PATCH", `${PATH}/${id}`, { body: { settings, secrets } });
      expect(again.body.data.settings.baseUrl).toBe(other.url);
      await other.close();
    });

    it("are kept while a tool uses them", async () => {
      const { id } = await made(user, PATH, database());
      const config = { query: "select 1", connectionId: id };
      await made(user, "/api/v1/tools", { name: "shop", type: "DATABASE_QUERY", config });
      const kept = await user.send("DELETE", `${PATH}/${id}`);
      expect([kept.status, kept.body.error.code]).toEqual([409, "CONNECTION_IN_USE"]);
    });

    it("are named by assistants and tools, each of its own kind", async () => {
      const [ours, shop] = [await made(user, PATH, model()), await made(user, PATH, database())];
      const draft = { name: "Ada", greetingMessage: "", systemPrompt: "" };
      const assistant = await made(user, "/api/v1/assistants", { ...draft, modelConnectionId: ours.id });
      expect(assistant.modelConnectionId).toBe(ours.id);
      const wrong = { ...draft, modelConnectionId: shop.id };
      const refused = await user.send("POST", "/api/v1/assistants", { body: wrong });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, ["modelConnectionId"]]);
      for (const { id } of [ours, shop]) {
        const config = { query: "select 6 * 7 as answer", connectionId: id };
        const body = { name: "Answer", type: "DATABASE_QUERY", config };
        const tool = await user.send("POST", "/api/v1/tools", { body });
        expect(tool.status).toBe(id === shop.id ? 201 : 400);
        if (tool.status === 201) {
          const path = `/api/v1/tools/${tool.body.data.id}/test`;
          const tried = await user.send("POST", path, { body: { arguments: {} } });
          expect(tried.body.data).toMatchObject({
            outcome: "answered",
            shown: expect.stringContaining("42"),
          });
        }
        const inUse = await user.send("DELETE", `${PATH}/${id}`);
        expect([inUse.status, inUse.body.error.code]).toEqual([409, "CONNECTION_IN_USE"]);
      }
    });

    it("are checked: the other side is asked", async () => {
      const check = async (body: object) => {
        const { id } = await made(user, PATH, body);
        return (await user.send("POST", `${PATH}/${id}/check`)).body.data;
      };
      const names = ({ findings }: Wire) => findings.map(({ name, ok }: Wire) => `${name} ${ok}`);
      expect(await check(model())).toMatchObject({ ok: true, millis: expect.any(Number) });
      expect(names(await check(model({ defaultModel: "none" })))).toEqual([
        "reachable true",
        "credentials true",
        "model false",
      ]);
      expect(names(await check(database()))).toEqual(["reachable true", "credentials true", "database true"]);
      expect(await check(database({ database: "none" }))).toMatchObject({ ok: false });
      expect(names(await check({ ...database(), secrets: { password: "another" } }))).toEqual([
        "reachable true",
        "credentials false",
      ]);
    });
  });
}
