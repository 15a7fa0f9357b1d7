import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiUser } from "./support/api-user.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { type Callable, callable, campaignBody } from "./support/things.ts";

let service: TestService;
let user: ApiUser;
let ready: Callable;
beforeAll(async () => {
  service = await startTestService();
  user = await service.newOwner();
  ready = await callable(user);
});
afterAll(() => service.stop());

const keyed = (key: string, body: unknown) => ({ body, headers: { "idempotency-key": key } });
const CALL = "/api/v1/calls/outbound";

describe("Idempotency-Key", () => {
  it("makes one call of many requests at the same time", async () => {
    const body = { ...ready, to: "+15005550002" };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => user.send("POST", CALL, keyed("at-once", body))),
    );
    expect(new Set(answers.map(({ body: answer }) => answer.callId)).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const replayed = answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
    expect(replayed).toHaveLength(7);
    const { body: calls } = await user.send("GET", "/api/v1/calls?to=%2B15005550002");
    expect(calls.data).toHaveLength(1);
  });

  it("answers a repetition as the first time, with its position", async () => {
    const body = campaignBody(ready);
    const first = await user.send("POST", "/api/v1/campaigns", keyed("again", body));
    const again = await user.send("POST", "/api/v1/campaigns", keyed("again", body));
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("x-event-position")).toBe(first.headers.get("x-event-position"));
  });

  it("is a conflict with another body", async () => {
    await user.send("POST", "/api/v1/campaigns", keyed("other", campaignBody(ready)));
    const other = campaignBody(ready, { name: "Another" });
    const answer = await user.send("POST", "/api/v1/campaigns", keyed("other", other));
    expect([answer.status, answer.body.error.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
  });

  it("is freed by a refusal", async () => {
    const refused = await user.send(
      "POST",
      CALL,
      keyed("free", { ...ready, assistantId: "ast_x", to: "+15005550002" }),
    );
    expect(refused.status).toBe(400);
    const taken = await user.send("POST", CALL, keyed("free", { ...ready, to: "+15005550002" }));
    expect([taken.status, taken.headers.get("idempotent-replayed")]).toEqual([200, null]);
  });

  it("belongs to owner, method and path", async () => {
    const other = await service.newOwner();
    const body = { name: "Same", members: [] };
    const mine = await user.send("POST", "/api/v1/squads", keyed("shared", body));
    const theirs = await other.send("POST", "/api/v1/squads", keyed("shared", body));
    expect(theirs.body.data.id).not.toBe(mine.body.data.id);
    const elsewhere = await user.send(
      "POST",
      "/api/v1/suppressions",
      keyed("shared", { phoneNumber: "+14155552671" }),
    );
    expect(elsewhere.status).toBe(201);
  });

  it("makes one of everything that is created", async () => {
    const creations: readonly (readonly [string, object])[] = [
      ["/api/v1/assistants", { name: "A", greetingMessage: "", systemPrompt: "" }],
      ["/api/v1/phone-numbers", { phoneNumber: "+905320000000" }],
      ["/api/v1/tools", { name: "t", type: "DATABASE_QUERY", config: { query: "select 1" } }],
      ["/api/v1/squads", { name: "S", members: [{ assistantId: ready.assistantId }] }],
      ["/api/v1/suppression-lists", { name: "R", kind: "registry" }],
    ];
    for (const [path, body] of creations) {
      const [first, second] = await Promise.all(
        [1, 2].map(() => user.send("POST", path, keyed("once", body))),
      );
      expect(second?.body.data.id, path).toBe(first?.body.data.id);
      const list = await user.send("GET", path);
      expect(list.body.data.filter(({ id }: { id: string }) => id === first?.body.data.id)).toHaveLength(1);
    }
  });

  it("adds contacts once", async () => {
    const { body } = await user.send("POST", "/api/v1/campaigns", { body: campaignBody(ready) });
    const path = `/api/v1/campaigns/${body.data.campaign.id}/contacts`;
    const more = keyed("more", { contacts: [{ phoneNumber: "+15005550002" }] });
    await user.send("POST", path, more);
    const again = await user.send("POST", path, more);
    expect(again.body.data.campaign.totalContacts).toBe(2);
  });

  it("takes 255 visible characters and no more", async () => {
    const send = (key: string) => user.send("POST", "/api/v1/squads", keyed(key, { name: "S" }));
    expect((await send("k".repeat(255))).status).toBe(201);
    const { status, body } = await send("k".repeat(256));
    expect([status, body.error.details[0].path]).toEqual([400, ["Idempotency-Key"]]);
  });
});
