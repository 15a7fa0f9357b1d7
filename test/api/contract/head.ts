import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import type { ApiUser } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { type Callable, callable, campaignBody, made } from "../support/things.ts";

/** docs/api.md §1: HEAD answers as GET without its body. */
export function head(service: () => TestService): void {
  describe("HEAD", () => {
    let user: ApiUser;
    let ready: Callable;
    let campaignId: string;
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
      campaignId = (await made(user, "/api/v1/campaigns", campaignBody(ready))).campaign.id;
    });

    const ask = async (method: string, path: string, key = user.key, headers: object = {}) => {
      const authorization = key === "" ? {} : { authorization: `Bearer ${key}` };
      const response = await fetch(`${user.url}${path}`, {
        method,
        headers: { ...authorization, ...headers },
      });
      return { status: response.status, headers: shown(response.headers), body: await response.text() };
    };
    const paths = () => [
      "/api/v1/calls",
      "/api/v1/events?limit=1",
      `/api/v1/campaigns/${campaignId}`,
      `/api/v1/campaigns/${campaignId}/contacts.csv`,
      `/api/v1/campaigns/${campaignId}?at=1`,
      "/api/v1/campaigns/cmp_none",
      "/api/v1/nowhere",
      "/health/live",
      "/openapi.json",
      "/docs/",
    ];

    it("answers every kind of GET route with its status and headers, and no body", async () => {
      for (const path of paths()) {
        const get = await ask("GET", path);
        const answer = await ask("HEAD", path);
        expect(answer, path).toEqual({ status: get.status, headers: get.headers, body: "" });
      }
    });

    it("is there for every GET of the document", async () => {
      const operations = user.document.operations.filter(({ method }) => method === "GET");
      expect(operations.length).toBeGreaterThan(30);
      for (const { path } of operations) {
        const real = path.replaceAll(/\{\w+\}/g, "none");
        const without = path.startsWith("/api/") ? 401 : 200;
        expect((await ask("HEAD", real, "")).status, path).toBe(without);
        const answers = path === "/api/v1/session" ? [401] : [200, 403, 404, 503];
        const asked = path === "/api/v1/search" ? `${real}?q=abc` : real;
        expect(answers, path).toContain((await ask("HEAD", asked)).status);
      }
    });

    it("ends at once where GET goes on: the connection takes the next request", async () => {
      const { hostname, port } = new URL(user.url);
      const socket = connect(Number(port), hostname);
      const request = (accept: string, path: string) =>
        `HEAD ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${user.key}\r\nAccept: ${accept}\r\n\r\n`;
      socket.write(request("text/event-stream", "/api/v1/events") + request("*/*", "/health/live"));
      let text = "";
      for await (const chunk of socket) {
        text += String(chunk);
        if (text.split("HTTP/1.1 200").length === 3 && text.endsWith("\r\n\r\n")) break;
      }
      socket.destroy();
      expect(text.toLowerCase()).toContain("content-type: text/event-stream");
      expect(text).not.toContain("data:");
    });
  });
}

/** Without what belongs to the one request or the one connection. */
function shown(headers: Headers): Record<string, string> {
  const own = ["date", "x-request-id", "connection", "keep-alive", "transfer-encoding"];
  return Object.fromEntries(
    [...headers].filter(([name]) => !own.includes(name) && !name.startsWith("ratelimit")),
  );
}
