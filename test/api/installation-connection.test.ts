import { afterAll, beforeAll, expect, it } from "vitest";
import { speaks } from "../support/models/fake-answer.ts";
import { type FakeModelServer, fakeModelServer } from "../support/models/fake-model-server.ts";
import type { ApiUser, Wire } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";

const PATH = "/api/v1/connections/conn_default_model";

let server: FakeModelServer;
let service: TestService;
let user: ApiUser;
beforeAll(async () => {
  server = await fakeModelServer(() => speaks(["Hello"]));
  service = await startTestService({
    LLM_BASE_URL: `${server.url}/`,
    LLM_API_KEY: "sk-of-the-house",
    LLM_MODEL: "fake-2",
    CONNECTION_ALLOW_CIDRS: "",
  });
  user = await service.newOwner();
});
afterAll(async () => {
  await service.stop();
  await server.close();
});

it("the installation's own model is listed for every owner, without its key", async () => {
  const { body, text } = await user.send("GET", "/api/v1/connections");
  expect(body.data).toEqual([
    {
      id: "conn_default_model",
      kind: "model",
      name: expect.any(String),
      default: true,
      settings: { baseUrl: server.url, defaultModel: "fake-2" },
      createdAt: null,
      updatedAt: null,
    },
  ]);
  expect(text).not.toContain("sk-");
  expect((await user.send("GET", PATH)).body.data).toEqual(body.data[0]);
});

it("no owner changes it", async () => {
  const patched = await user.send("PATCH", PATH, { body: { name: "Mine" } });
  const gone = await user.send("DELETE", PATH);
  const told = ({ status, body }: { status: number; body: Wire }) => [status, body.error.code];
  expect([told(patched), told(gone)]).toEqual([
    [409, "CONNECTION_IMMUTABLE"],
    [409, "CONNECTION_IMMUTABLE"],
  ]);
});

it("it may be private, also where owners' connections may not", async () => {
  const checked = await user.send("POST", `${PATH}/check`);
  expect(checked.body.data).toMatchObject({ ok: true });
  expect(server.asked.at(-1)?.headers.authorization).toBe("Bearer sk-of-the-house");
  const settings = { baseUrl: server.url, defaultModel: "fake-2" };
  const body = { kind: "model", name: "Same", settings, secrets: { apiKey: "x" } };
  expect((await user.send("POST", "/api/v1/connections", { body })).status).toBe(400);
});
