import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { made } from "../support/things.ts";

/** docs/tools.md, "Trying a tool". */
export function toolTests(service: () => TestService): void {
  describe("a tool that is tried", () => {
    let user: ApiUser;
    let server: Server;
    let origin: string;
    const held: ServerResponse[] = [];
    beforeAll(async () => {
      user = await service().newOwner();
      server = createServer((request, response) => {
        if (request.url === "/held") held.push(response);
        else
          response.setHeader("x-echo", "s3cr3t-value").end(`${request.url} ${request.headers.authorization}`);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await user.send("PUT", "/api/v1/secrets/SHOP_KEY", { body: { value: "s3cr3t-value" } });
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });
    const tool = (path: string, more: object = {}) =>
      made(user, "/api/v1/tools", {
        name: "order",
        type: "API_REQUEST",
        config: {
          url: `${origin}${path}`,
          method: "GET",
          headers: { Authorization: "Bearer {{secrets.SHOP_KEY}}" },
          ...more,
        },
      });

    it("shows what left and what came back, without secrets", async () => {
      const { id } = await tool("/orders/{orderId}", { query: { phone: "{{caller_number}}" } });
      const body = { arguments: { orderId: "A/7" }, variables: { caller_number: "+1" } };
      const { status, body: answer, text } = await user.send("POST", `/api/v1/tools/${id}/test`, { body });
      expect(status).toBe(200);
      expect(answer.data).toMatchObject({
        outcome: "answered",
        request: {
          method: "GET",
          url: `${origin}/orders/A%2F7?phone=%2B1`,
          headers: { authorization: "Bearer [redacted]" },
          body: null,
        },
        response: { status: 200, headers: { "x-echo": "[redacted]" } },
        shown: "200\n/orders/A%2F7?phone=%2B1 Bearer [redacted]",
      });
      expect(text).not.toContain("s3cr3t");
    });

    it.each([
      [{ arguments: {} }, ["arguments", "orderId"]],
      [{}, ["arguments", "orderId"]],
      [{ arguments: { orderId: ".." } }, ["arguments", "orderId"]],
      [{ arguments: { orderId: 7 } }, ["arguments", "orderId"]],
      [{ arguments: { orderId: "7", more: "x" } }, ["arguments", "more"]],
      [{ arguments: [] }, ["arguments"]],
      [{ arguments: { orderId: "7" }, other: 1 }, ["other"]],
    ])("is not run with %j", async (body, path) => {
      const { id } = await tool("/orders/{orderId}");
      const refused = await user.send("POST", `/api/v1/tools/${id}/test`, { body });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, path]);
    });

    it("is refused where nothing may leave, which is no error of the request", async () => {
      const other = await tool("/", { url: "http://10.0.0.1/", headers: {} });
      const refused = await user.send("POST", `/api/v1/tools/${other.id}/test`, { body: {} });
      expect(refused.body.data).toMatchObject({ outcome: "refused", response: null });
      const end = await made(user, "/api/v1/tools", { name: "bye", type: "END_CALL" });
      const ended = await user.send("POST", `/api/v1/tools/${end.id}/test`, { body: {} });
      expect(ended.body.data).toMatchObject({ outcome: "refused", request: null, response: null });
      const query = { name: "q", type: "DATABASE_QUERY", config: { query: "select 1" } };
      const { id } = await made(user, "/api/v1/tools", query);
      const unnamed = await user.send("POST", `/api/v1/tools/${id}/test`, { body: {} });
      expect(unnamed.body.data).toMatchObject({ outcome: "refused", request: null });
    });

    it("is another owner's own", async () => {
      const { id } = await tool("/");
      const stranger = await service().newOwner();
      const answer = await stranger.send("POST", `/api/v1/tools/${id}/test`, { body: {} });
      expect([answer.status, answer.body.error.code]).toEqual([404, "TOOL_NOT_FOUND"]);
    });

    it("runs four times at once and not five", async () => {
      const { id } = await tool("/held");
      const path = `/api/v1/tools/${id}/test`;
      const four = Array.from({ length: 4 }, () => user.send("POST", path, { body: {} }));
      await eventually("four requests", () => held.length === 4);
      const fifth = await user.send("POST", path, { body: {} });
      expect([fifth.status, fifth.body.error.code]).toEqual([429, "CONCURRENCY_LIMIT_REACHED"]);
      for (const response of held) response.end("late");
      expect((await Promise.all(four)).map(({ body }) => body.data.outcome)).toEqual(
        Array(4).fill("answered"),
      );
    });
  });
}
