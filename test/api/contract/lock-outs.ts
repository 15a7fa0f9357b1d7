import { describe, expect, it } from "vitest";
import type { Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { made } from "../support/things.ts";

const KEYS = "/api/v1/api-keys";

/** docs/api.md §2: nobody locks himself out, and who is locked out gets back in. */
export function lockOuts(service: () => TestService): void {
  describe("lock-outs", () => {
    it("no owner revokes its last admin key, and one that expires is no way back in", async () => {
      const user = await service().newOwner();
      const [first] = (await user.send("GET", KEYS)).body.data;
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      const passing = await made(user, KEYS, { name: "Passing", scopes: ["admin"], expiresAt });
      const refused = await user.send("DELETE", `${KEYS}/${first.id}`);
      expect([refused.status, refused.body.error.code]).toEqual([409, "CONFLICT"]);
      expect((await user.send("DELETE", `${KEYS}/${passing.id}`)).status).toBe(200);
      const lasting = await made(user, KEYS, { name: "Lasting", scopes: ["admin"] });
      expect((await user.send("DELETE", `${KEYS}/${first.id}`)).status).toBe(200);
      expect((await service().as(lasting.key).send("GET", KEYS)).body.data).toHaveLength(1);
    });

    it("the operator's last key with admin and operator stays, whatever keys with one of them there are", async () => {
      const { operator } = service();
      const [both] = (await operator.send("GET", KEYS)).body.data.filter(({ scopes }: Wire) =>
        ["admin", "operator"].every((scope) => scopes.includes(scope)),
      );
      const halves = [
        await made(operator, KEYS, { name: "Half", scopes: ["operator"] }),
        await made(operator, KEYS, { name: "Other half", scopes: ["admin"] }),
      ];
      const refused = await operator.send("DELETE", `${KEYS}/${both.id}`);
      expect([refused.status, refused.body.error.code]).toEqual([409, "CONFLICT"]);
      for (const { id } of halves) expect((await operator.send("DELETE", `${KEYS}/${id}`)).status).toBe(200);
    });

    it("an owner that lost its keys gets a new admin key from the operator, once for each Idempotency-Key", async () => {
      const { operator } = service();
      const { user } = await made(operator, "/api/v1/users", { name: "Forgetful" });
      const path = `/api/v1/users/${user.id}/api-keys`;
      const plain = await made(operator, path, undefined);
      expect(plain).toMatchObject({
        name: "admin key",
        scopes: ["admin"],
        expiresAt: null,
        lastUsedAt: null,
      });
      const options = { body: { name: "Found again" }, headers: { "idempotency-key": "lost-1" } };
      const issued = await operator.send("POST", path, options);
      expect(issued.body.data).toMatchObject({ name: "Found again", scopes: ["admin"] });
      const back = service().as(issued.body.data.key);
      expect((await back.send("GET", "/api/v1/account")).body.data.id).toBe(user.id);
      expect((await operator.send("POST", path, options)).body.data).toEqual({
        ...issued.body.data,
        key: null,
      });
      const admin = await back.send("POST", path);
      expect([admin.status, admin.body.error.code]).toEqual([403, "FORBIDDEN"]);
      const unknown = await operator.send("POST", `/api/v1/users/usr_${user.id.slice(4, -2)}zz/api-keys`);
      expect([unknown.status, unknown.body.error.code]).toEqual([404, "USER_NOT_FOUND"]);
    });
  });
}
