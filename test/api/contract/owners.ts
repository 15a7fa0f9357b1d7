import { describe, expect, it } from "vitest";
import type { ApiUser } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { callable, endedCall, made } from "../support/things.ts";

/** docs/api.md §2. */
export function owners(service: () => TestService): void {
  describe("keys", () => {
    it("are shown once, work at once and stop at once", async () => {
      const user = await service().newOwner();
      const body = { name: "Reader", scopes: ["calls:read"], expiresAt: "2100-01-01T00:00:00.000Z" };
      const issued = await made(user, "/api/v1/api-keys", body);
      expect(issued.key).toMatch(/^va_live_[0-9a-zA-Z]{8}_[0-9a-zA-Z]{32}$/);
      const reader = service().as(issued.key);
      expect((await reader.send("GET", "/api/v1/calls")).status).toBe(200);
      expect((await reader.send("GET", "/api/v1/campaigns")).status).toBe(403);
      const list = await user.send("GET", "/api/v1/api-keys");
      expect(list.text).not.toContain(issued.key);
      const revoked = await user.send("DELETE", `/api/v1/api-keys/${issued.id}`);
      expect(revoked.body.data).toEqual({ id: issued.id, deleted: true });
      expect((await reader.send("GET", "/api/v1/calls")).status).toBe(401);
    });

    it("are shown no second time to a repeated request", async () => {
      const user = await service().newOwner();
      const options = {
        body: { name: "Once", scopes: ["calls:read"] },
        headers: { "idempotency-key": "one-key" },
      };
      const first = await user.send("POST", "/api/v1/api-keys", options);
      const again = await user.send("POST", "/api/v1/api-keys", options);
      expect(first.body.data.key).toMatch(/^va_live_/);
      expect(again.body.data).toEqual({ ...first.body.data, key: null });
    });

    it("with the scope operator are made by operators only, and none that has expired", async () => {
      const user = await service().newOwner();
      const body = { name: "Too much", scopes: ["operator"], expiresAt: "2020-01-01T00:00:00Z" };
      const { status, body: answer } = await user.send("POST", "/api/v1/api-keys", { body });
      expect(status).toBe(400);
      expect(answer.error.details.map(({ path }: { path: string[] }) => path)).toEqual([
        ["scopes"],
        ["expiresAt"],
      ]);
    });

    it("leave the installation its last operator", async () => {
      const { operator } = service();
      const { body } = await operator.send("GET", "/api/v1/api-keys");
      const last = body.data.find(({ scopes }: { scopes: string[] }) => scopes.includes("operator"));
      const answer = await operator.send("DELETE", `/api/v1/api-keys/${last.id}`);
      expect([answer.status, answer.body.error.code]).toEqual([409, "CONFLICT"]);
      const { id } = (await operator.send("GET", "/api/v1/account")).body.data;
      const inactive = await operator.send("PATCH", `/api/v1/users/${id}`, { body: { active: false } });
      expect([inactive.status, inactive.body.error.code]).toEqual([409, "CONFLICT"]);
    });
  });

  describe("users", () => {
    it("are made with plan, credits and a key, listed, changed and stopped", async () => {
      const { operator } = service();
      const created = await made(operator, "/api/v1/users", {
        name: "Acme",
        plan: { maxConcurrentCalls: 3, maxModelTokensPerDay: 5_000 },
        credits: 12.5,
      });
      expect(created.user).toMatchObject({
        plan: {
          maxConcurrentCalls: 3,
          maxCallsPerSecond: 10,
          maxModelTokensPerDay: 5_000,
          source: "operator",
        },
        active: true,
      });
      const acme = service().as(created.apiKey.key);
      const account = await acme.send("GET", "/api/v1/account");
      expect(account.body.data).toMatchObject({ id: created.user.id, balance: 12.5, available: 12.5 });
      expect(account.body.data.plan).toEqual(created.user.plan);
      const changes = { plan: { maxCallsPerSecond: 2, maxModelTokensPerDay: null } };
      const path = `/api/v1/users/${created.user.id}`;
      const changed = await operator.send("PATCH", path, { body: changes });
      expect(changed.body.data.plan).toEqual({
        maxConcurrentCalls: 3,
        maxCallsPerSecond: 2,
        maxModelTokensPerDay: null,
        source: "operator",
      });
      const back = await operator.send("PATCH", path, { body: { plan: null } });
      expect(back.body.data.plan).toEqual({
        maxConcurrentCalls: 10,
        maxCallsPerSecond: 10,
        maxModelTokensPerDay: null,
        source: "default",
      });
      await operator.send("PATCH", path, { body: { plan: { maxConcurrentCalls: 3, maxCallsPerSecond: 2 } } });
      const limits = await acme.send("GET", "/api/v1/limits");
      expect(limits.body.data).toMatchObject({ maxConcurrentCalls: 3, activeCalls: 0, maxCallsPerSecond: 2 });
      expect((await operator.send("GET", "/api/v1/users?limit=1")).body.data[0].id).toBe(created.user.id);
      await operator.send("PATCH", path, { body: { active: false } });
      expect((await acme.send("GET", "/api/v1/account")).status).toBe(401);
    });
  });

  describe("usage", () => {
    const usage = (user: ApiUser, query: string) => user.send("GET", `/api/v1/account/usage${query}`);

    it("has a row for each UTC day, of this owner's calls alone", async () => {
      const [user, other] = [await service().newOwner(), await service().newOwner()];
      const before = new Date().toISOString().slice(0, 10);
      const started = await user.send("POST", "/api/v1/calls/outbound", {
        body: { ...(await callable(user)), to: "+15005550002" },
      });
      await endedCall(user, started.body.callId);
      const { days } = (await usage(user, "")).body.data;
      expect(days).toHaveLength(30);
      const called = days.filter(({ calls }: { calls: number }) => calls > 0);
      expect(called).toEqual([
        {
          ...{ day: expect.any(String), calls: 1, talkSeconds: 0 },
          ...{ inputTokens: 0, outputTokens: 0, rehearsalTokens: 0 },
        },
      ]);
      expect(called[0].day >= before).toBe(true);
      const empty = (await usage(other, "")).body.data.days;
      expect(empty.every(({ calls }: { calls: number }) => calls === 0)).toBe(true);
    });

    it("takes whole days, 366 at the most, and no time that lies the wrong way round", async () => {
      const user = await service().newOwner();
      const range = async (from: string, until: string) =>
        (await usage(user, `?from=${from}&until=${until}`)).body.data.days.map(
          ({ day }: { day: string }) => day,
        );
      expect(await range("2026-02-28T23:59:59.999Z", "2026-03-02T00:00:00.000Z")).toEqual([
        "2026-02-28",
        "2026-03-01",
      ]);
      expect(await range("2026-03-01T00:00:00.000Z", "2026-03-01T00:00:00.001Z")).toEqual(["2026-03-01"]);
      expect(await range("2023-12-31T00:00:00.000Z", "2024-12-31T00:00:00.000Z")).toHaveLength(366);
      for (const [query, name] of [
        ["?from=2023-12-31T00:00:00Z&until=2024-12-31T00:00:01Z", "from"],
        ["?from=2026-03-01T00:00:00Z&until=2026-03-01T00:00:00Z", "until"],
        ["?from=2100-03-01T00:00:00Z", "from"],
        ["?from=yesterday", "from"],
      ] as const) {
        const refused = await usage(user, query);
        expect([refused.status, refused.body.error.details[0].path], query).toEqual([400, [name]]);
      }
    });
  });

  describe("credits", () => {
    it("arrive once for each reference, and every movement is told", async () => {
      const user = await service().newOwner();
      const { id } = (await user.send("GET", "/api/v1/account")).body.data;
      const body = { amount: 0.0001, reference: "invoice-1", userId: id };
      const first = await service().operator.send("POST", "/api/v1/account/credits", { body });
      const again = await service().operator.send("POST", "/api/v1/account/credits", { body });
      expect(again.body.data.balance).toBe(first.body.data.balance);
      const ledger = await user.send("GET", "/api/v1/account/ledger?limit=1");
      expect(ledger.body.data[0]).toMatchObject({ cause: "top_up", amount: 0.0001, reference: "invoice-1" });
    });

    it("go to nobody unknown", async () => {
      const body = { amount: 1, reference: "r", userId: "usr_nobody" };
      const answer = await service().operator.send("POST", "/api/v1/account/credits", { body });
      expect([answer.status, answer.body.error.code]).toEqual([400, "USER_NOT_FOUND"]);
    });
  });
}
