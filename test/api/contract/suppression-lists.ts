import { beforeAll, describe, expect, it } from "vitest";
import type { ApiUser } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { made } from "../support/things.ts";

const LISTS = "/api/v1/suppression-lists";
const REGISTER = { name: "National register", kind: "registry" };

/** Lists beside the do-not-call list, without their numbers (docs/api.md §3). */
export function suppressionLists(service: () => TestService): void {
  describe("suppression lists", () => {
    let user: ApiUser;
    beforeAll(async () => {
      user = await service().newOwner();
    });

    it("are made, listed after the do-not-call list, changed and deleted", async () => {
      const list = await made(user, LISTS, REGISTER);
      expect(list).toMatchObject({ ...REGISTER, active: true, count: 0, asOf: null, behind: false });
      const path = `${LISTS}/${list.id}`;
      expect((await user.send("GET", path)).body.data).toEqual(list);
      const { data } = (await user.send("GET", LISTS)).body;
      expect(data).toMatchObject([{ id: "spl_default", kind: "own", active: true }, list]);
      const changed = await user.send("PATCH", path, { body: { name: "Register", active: false } });
      expect(changed.body.data).toMatchObject({ id: list.id, name: "Register", active: false });
      expect((await user.send("DELETE", path)).body.data).toEqual({ id: list.id, deleted: true });
      const gone = await user.send("GET", path);
      expect([gone.status, gone.body.error.code]).toEqual([404, "SUPPRESSION_LIST_NOT_FOUND"]);
    });

    it("have their page after the do-not-call list", async () => {
      const list = await made(user, LISTS, REGISTER);
      const first = (await user.send("GET", `${LISTS}?limit=1`)).body;
      expect(first.data).toMatchObject([{ id: "spl_default" }]);
      const next = `${LISTS}?limit=1&cursor=${first.pagination.nextCursor}`;
      expect((await user.send("GET", next)).body).toMatchObject({
        data: [{ id: list.id }],
        pagination: { nextCursor: null },
      });
    });

    it("keep their kind, and the do-not-call list is as it is", async () => {
      const { id } = await made(user, LISTS, REGISTER);
      const code = async (method: "PATCH" | "DELETE", list: string, body?: object) => {
        const answer = await user.send(method, `${LISTS}/${list}`, body === undefined ? {} : { body });
        return [answer.status, answer.body.error.code];
      };
      expect(await code("PATCH", id, { kind: "own" })).toEqual([409, "LIST_IMMUTABLE"]);
      expect(await code("PATCH", "spl_default", { active: false })).toEqual([409, "CONFLICT"]);
      expect(await code("DELETE", "spl_default")).toEqual([409, "CONFLICT"]);
      expect((await user.send("GET", `${LISTS}/spl_default`)).body.data.active).toBe(true);
    });

    it("are at most 100", async () => {
      const many = await service().newOwner();
      for (let lists = 0; lists < 100; lists += 1) await made(many, LISTS, REGISTER);
      const more = await many.send("POST", LISTS, { body: REGISTER });
      expect([more.status, more.body.error.code]).toEqual([409, "CONFLICT"]);
    });

    it("are named for a number that stands on them", async () => {
      const phoneNumber = "+905321112297";
      const asked = `/api/v1/suppressions?phoneNumber=${encodeURIComponent(phoneNumber)}`;
      const { id } = await made(user, LISTS, REGISTER);
      const asOf = "2026-09-01T00:00:00.000Z";
      const headers = { "content-type": "text/csv" };
      const loaded = await user.send("PUT", `${LISTS}/${id}/numbers?asOf=${asOf}`, {
        raw: `phone\n${phoneNumber}\n`,
        headers,
      });
      expect(loaded.status).toBe(200);
      expect((await user.send("GET", asked)).body).toMatchObject({
        data: [],
        lists: [{ ...REGISTER, id, asOf }],
      });
      const entry = await made(user, "/api/v1/suppressions", { phoneNumber });
      await made(user, "/api/v1/suppressions", { phoneNumber: "+905321112296" });
      const both = (await user.send("GET", asked)).body;
      expect(both.data).toEqual([entry]);
      expect(both.lists.map((each: { readonly id: string }) => each.id)).toEqual(["spl_default", id]);
      expect((await user.send("GET", "/api/v1/suppressions")).body).not.toHaveProperty("lists");
      const number = (await user.send("GET", `/api/v1/numbers/${encodeURIComponent(phoneNumber)}`)).body.data;
      expect(number.suppression).not.toHaveProperty("list");
      await user.send("PATCH", `${LISTS}/${id}`, { body: { active: false } });
      expect((await user.send("GET", asked)).body.lists).toMatchObject([{ id: "spl_default" }]);
    });
  });
}
