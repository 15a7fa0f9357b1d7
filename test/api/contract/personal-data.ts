import { beforeAll, describe, expect, it } from "vitest";
import type { ApiUser } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { callable, endedCall } from "../support/things.ts";

/** docs/personal-data.md. */
export function personalData(service: () => TestService): void {
  describe("personal data", () => {
    let user: ApiUser;
    beforeAll(async () => {
      user = await service().newOwner();
    });

    async function call(to: string): Promise<string> {
      const body = { ...(await callable(user)), to };
      return (await user.send("POST", "/api/v1/calls/outbound", { body })).body.callId;
    }

    it("is erased for a call, and listed", async () => {
      const callId = await call("+15005550002");
      await endedCall(user, callId);
      const erased = await user.send("DELETE", `/api/v1/calls/${callId}/content`);
      expect(erased.body.data).toMatchObject({ kind: "call", callId, status: "done", calls: 1 });
      expect((await user.send("GET", `/api/v1/calls/${callId}`)).body.data.erased).toBe(true);
      const again = await user.send("POST", "/api/v1/erasures", { body: { callId } });
      expect([again.status, again.body.data.calls]).toEqual([201, 1]);
      const first = await user.send("GET", "/api/v1/erasures?limit=1");
      expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([again.body.data.id]);
      const rest = await user.send("GET", `/api/v1/erasures?cursor=${first.body.pagination.nextCursor}`);
      expect(rest.body.data.map(({ id }: { id: string }) => id)).toEqual([erased.body.data.id]);
    });

    it("is not erased of a live call, an unknown one, or nothing in particular", async () => {
      const callId = await call("+15005550010");
      const refused = [
        await user.send("DELETE", `/api/v1/calls/${callId}/content`),
        await user.send("POST", "/api/v1/erasures", { body: { callId } }),
      ];
      expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual([
        [409, "CALL_IS_LIVE"],
        [409, "CALL_IS_LIVE"],
      ]);
      await user.send("DELETE", `/api/v1/calls/outbound/${callId}`);
      const unknown = await user.send("DELETE", "/api/v1/calls/call_1/content");
      expect([unknown.status, unknown.body.error.code]).toEqual([404, "CALL_NOT_FOUND"]);
      for (const body of [{}, { callId, phoneNumber: "+15005550010" }, { callId: "call_1" }])
        expect((await user.send("POST", "/api/v1/erasures", { body })).status).toBe(400);
    });

    it("is kept for as long as the account says, for ever unless it does", async () => {
      const days = async () => (await user.send("GET", "/api/v1/account")).body.data.retention;
      expect(await days()).toEqual({ contentDays: null });
      const changed = await user.send("PATCH", "/api/v1/account", {
        body: { retention: { contentDays: 30 } },
      });
      expect([changed.status, changed.body.data.retention]).toEqual([200, { contentDays: 30 }]);
      expect(await days()).toEqual({ contentDays: 30 });
      for (const contentDays of [0, 3_651, 1.5, "30"]) {
        const refused = await user.send("PATCH", "/api/v1/account", { body: { retention: { contentDays } } });
        expect([refused.status, refused.body.error.details[0].path]).toEqual([
          400,
          ["retention", "contentDays"],
        ]);
      }
      expect((await user.send("PATCH", "/api/v1/account", { body: {} })).status).toBe(400);
      await user.send("PATCH", "/api/v1/account", { body: { retention: { contentDays: null } } });
      expect(await days()).toEqual({ contentDays: null });
    });
  });
}
