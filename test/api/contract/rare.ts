import { afterEach, describe, expect, it } from "vitest";
import type { Api } from "../../../api/api.ts";
import type { ApiDeps } from "../../../api/deps.ts";
import { buildServer } from "../../../api/server.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { loadDocument, mismatch } from "../support/document.ts";
import { throwingDeps } from "../support/inert-deps.ts";

/** Answers that a healthy service gives only after days. */
export function rareAnswers(seen: Set<string>): void {
  describe("rarely", () => {
    let api: Api | null = null;
    afterEach(() => api?.close());

    const ask = async (
      method: "GET" | "POST" | "DELETE",
      url: string,
      name: string,
      changes: Partial<ApiDeps>,
      more: Readonly<Record<string, string>> = {},
    ) => {
      api = buildServer(throwingDeps(() => new Error("not to be reached"), changes));
      const { statusCode, headers, body } = await api.inject({
        method,
        url,
        headers: { authorization: "Bearer any", ...more },
      });
      const document = await loadDocument();
      const operation = document.operations.find(({ operationId }) => operationId === name);
      expect(mismatch(document, operation?.answers.get(statusCode) ?? {}, JSON.parse(body))).toBeNull();
      seen.add(`${name} ${statusCode}`);
      return { statusCode, headers, body: JSON.parse(body) };
    };

    it("the service is not ready, and says which check fails and why", async () => {
      const away = { name: "database", check: async () => Promise.reject(new Error("connection refused")) };
      const behind = { name: "calls", check: async () => ({ ok: true, detail: { lagMillis: 3 } }) };
      const readiness = [away, behind];
      const { statusCode, body } = await ask("GET", "/health/ready", "getReadiness", { readiness });
      expect(statusCode).toBe(503);
      expect(body.error).toEqual({ code: "NOT_READY", message: "Not ready: database" });
      expect(body.data.checks[0].detail).toEqual({ problem: "connection refused" });
    });

    it.each([
      ["GET", "/health/live", "getLiveness"],
      ["GET", "/health/ready", "getReadiness"],
      ["GET", "/metrics", "getMetrics"],
      ["GET", "/api/v1/session", "getSession"],
      ["POST", "/api/v1/session", "startSession"],
      ["DELETE", "/api/v1/session", "endSession"],
    ] as const)("an open route is asked with too many headers: %s %s", async (method, url, name) => {
      const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x-${index}`, "1"]));
      const { statusCode, body } = await ask(method, url, name, {}, many);
      expect([statusCode, body.error.code]).toEqual([431, "HEADERS_TOO_LARGE"]);
    });

    it("a carrier has not told of the recording yet, as of a live call", async () => {
      const inert = throwingDeps(() => new Error("not to be reached"));
      const pending = async () => ({ recordingStatus: "pending" });
      const queries = new Proxy(inert.queries, {
        get: (target, name) => (name === "call" ? pending : Reflect.get(target, name)),
      });
      const path = `/api/v1/calls/${systemIds.next("call")}/recording`;
      const { statusCode, headers, body } = await ask("GET", path, "getRecording", { queries });
      expect([statusCode, body.error.code]).toEqual([425, "RECORDING_PENDING"]);
      expect(headers["retry-after"]).toBe("1");
    });

    it("a recording is still being copied", async () => {
      const inert = throwingDeps(() => new Error("not to be reached"));
      const available = async () => ({ recordingStatus: "available" });
      const queries = new Proxy(inert.queries, {
        get: (target, name) => (name === "call" ? available : Reflect.get(target, name)),
      });
      const recording = async () => ({ kind: "pending" }) as const;
      const path = `/api/v1/calls/${systemIds.next("call")}/recording`;
      const { statusCode, headers, body } = await ask("GET", path, "getRecording", { queries, recording });
      expect([statusCode, body.error.code]).toEqual([425, "RECORDING_PENDING"]);
      expect(headers["retry-after"]).toBe("1");
    });

    it("a delivery is so old that its body is gone", async () => {
      const inert = throwingDeps(() => new Error("not to be reached"));
      const gone = async () => ({ replayed: false, reason: "body_dropped" }) as const;
      const webhooks = new Proxy(inert.webhooks, {
        get: (target, name) => (name === "replay" ? gone : Reflect.get(target, name)),
      });
      const path = `/api/v1/webhook/deliveries/${systemIds.next("dlv")}/replay`;
      const { statusCode, body } = await ask("POST", path, "replayDelivery", { webhooks });
      expect([statusCode, body.error.code]).toEqual([409, "CONFLICT"]);
    });
  });
}
