import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { callable, endedCall } from "../support/things.ts";

const WEBHOOK = "/api/v1/webhook";

/** docs/api.md §7, what an owner sees and sets. */
export function webhooks(service: () => TestService): void {
  describe("webhooks", () => {
    let user: ApiUser;
    let receiver: Server;
    let url: string;
    beforeAll(async () => {
      user = await service().newOwner();
      receiver = createServer((_request, response) => response.end('{"received":true}'));
      await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
      url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    });
    afterAll(() => receiver.close());

    it("are not configured at first", async () => {
      expect((await user.send("GET", WEBHOOK)).body.data).toBeNull();
      const test = await user.send("POST", `${WEBHOOK}/test`, { body: { event: "call.ended" } });
      expect([test.status, test.body.error.code]).toEqual([409, "WEBHOOK_NOT_CONFIGURED"]);
    });

    it("refuse an address that is not public, at url", async () => {
      const body = { url: "https://10.0.0.1/hook", enabled: true };
      const { status, body: answer } = await user.send("PUT", WEBHOOK, { body });
      expect([status, answer.error.details[0].path]).toEqual([400, ["url"]]);
    });

    it("show the URL that is called, not the text that was given", async () => {
      const given = url.replace("127.0.0.1", "0x7f000001").replace("/hook", "/a/../hook?name=ünal");
      const put = await user.send("PUT", WEBHOOK, { body: { url: given, enabled: true } });
      expect(put.body.data.url).toBe(`${url}?name=%C3%BCnal`);
      expect((await user.send("GET", WEBHOOK)).body.data.url).toBe(`${url}?name=%C3%BCnal`);
    });

    it("are set, tested with a signed sample, and tell how they fare", async () => {
      const put = await user.send("PUT", WEBHOOK, { body: { url, enabled: true } });
      expect(put.body.data).toEqual({ url, enabled: true, events: ["call.started", "call.ended"] });
      const test = await user.send("POST", `${WEBHOOK}/test`, { body: { event: "call.ended" } });
      expect(test.body.data).toMatchObject({ status: 200, response: '{"received":true}' });
      expect(Object.keys(JSON.parse(test.body.data.request.body))).toEqual(["event", "data"]);
      const settings = await user.send("GET", WEBHOOK);
      expect(settings.body.data).toMatchObject({ url, status: "enabled", held: 0, dead: 0 });
      expect(settings.text).not.toContain("whsec_");
    });

    it("show their secret, and rotate it", async () => {
      const { secret } = (await user.send("POST", `${WEBHOOK}/secret`)).body.data;
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      const rotated = await user.send("POST", `${WEBHOOK}/rotate-secret`, { body: { overlapSeconds: 60 } });
      expect(rotated.body.data.secret).not.toBe(secret);
      expect((await user.send("POST", `${WEBHOOK}/secret`)).body.data.secret).toBe(rotated.body.data.secret);
    });

    it("list deliveries with their attempts, and send them again", async () => {
      const started = await user.send("POST", "/api/v1/calls/outbound", {
        body: { ...(await callable(user)), to: "+15005550002" },
      });
      const { callId } = started.body;
      await endedCall(user, callId);
      const [delivery] = await eventually("its delivery", async () => {
        const query = `event=call.ended&status=delivered&callId=${callId}`;
        const { body } = await user.send("GET", `${WEBHOOK}/deliveries?${query}`);
        return body.data.length > 0 ? body.data : null;
      });
      const detail = await user.send("GET", `${WEBHOOK}/deliveries/${delivery.id}`);
      expect(detail.body.data.attemptLog[0]).toMatchObject({ class: "delivered", status: 200 });
      const replay = await user.send("POST", `${WEBHOOK}/deliveries/${delivery.id}/replay`);
      expect(replay.body.data).toMatchObject({ eventId: delivery.eventId, trigger: "manual" });
      const now = Date.now();
      const range = { from: new Date(now - 3_600_000).toISOString(), to: new Date(now + 1000).toISOString() };
      const all = await user.send("POST", `${WEBHOOK}/replays`, { body: range });
      expect(all.body.data.deliveries).toBe(1);
    });

    it("replay no range that ends before it begins or lies too far back", async () => {
      const body = { from: "2020-01-02T00:00:00Z", to: "2020-01-01T00:00:00Z" };
      const { body: answer } = await user.send("POST", `${WEBHOOK}/replays`, { body });
      expect(answer.error.details.map(({ path }: { path: string[] }) => path)).toEqual([["from"], ["to"]]);
    });
  });
}
