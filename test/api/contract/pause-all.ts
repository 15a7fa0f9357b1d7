import { describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { callable, campaignBody, made } from "../support/things.ts";

const CAMPAIGNS = "/api/v1/campaigns";
/** Many with numbers of their own: ten of them are in a call at any time. */
const CONTACTS = Array.from({ length: 200 }, (_, index) => ({ phoneNumber: `+1415${5_550_000 + index}` }));

const idsOf = (campaigns: readonly Wire[]) => campaigns.map(({ id }) => id).toSorted();

/** docs/api.md §12: POST /campaigns/pause-all. */
export function pauseAll(service: () => TestService): void {
  describe("pause-all", () => {
    it("pauses what runs or would go on by itself, and answers when nobody is dialled any more", async () => {
      const user = await service().newOwner();
      const ready = await callable(user);
      const create = async (changes: object = {}) =>
        (await made(user, CAMPAIGNS, campaignBody(ready, { contacts: CONTACTS, ...changes }))).campaign.id;
      const start = (id: string) => user.send("POST", `${CAMPAIGNS}/${id}/start`);
      const pending = await create({ startAt: new Date(Date.now() + 3_600_000).toISOString() });
      const running = [await create(), await create()];
      const byHand = await create();
      for (const id of [...running, byHand]) await start(id);
      await user.send("POST", `${CAMPAIGNS}/${byHand}/pause`);
      const hour = new Date().getUTCHours();
      const closed = { callWindowStart: (hour + 2) % 24, callWindowEnd: (hour + 3) % 24, timezone: "UTC" };
      const waiting = await create(closed);
      expect((await start(waiting)).body.data.campaign.pauseReason).toBe("outside_call_window");
      await eventually("some dials", async () => (await dials(user)) > 5);

      const paused = await user.send("POST", `${CAMPAIGNS}/pause-all`);
      const then = await dials(user);
      expect(paused.status).toBe(200);
      expect(idsOf(paused.body.data)).toEqual([...running, waiting].toSorted());
      for (const campaign of paused.body.data)
        expect(campaign).toMatchObject({
          status: "PAUSED",
          pauseReason: "manual",
          nextWindowOpensAt: null,
        });
      expect(paused.body.pagination).toEqual({ limit: 3, nextCursor: null });
      const left = await user.send("GET", `${CAMPAIGNS}/${pending}`);
      expect(left.body.data.campaign.status).toBe("PENDING");

      await eventually("the end of the live calls", async () => {
        const { body } = await user.send("GET", "/api/v1/calls/outbound/active");
        return body.data.length === 0;
      });
      expect(await dials(user)).toBe(then);
      const again = await user.send("POST", `${CAMPAIGNS}/pause-all`, { body: {} });
      expect([again.status, again.body.data]).toEqual([200, []]);
    });

    it("touches nobody else's campaigns", async () => {
      const mine = await service().newOwner();
      const contacts = [{ phoneNumber: "+15005550010" }];
      const body = campaignBody(await callable(mine), { contacts });
      const { campaign } = await made(mine, CAMPAIGNS, body);
      await mine.send("POST", `${CAMPAIGNS}/${campaign.id}/start`);
      const stranger = await service().newOwner();
      expect((await stranger.send("POST", `${CAMPAIGNS}/pause-all`)).body.data).toEqual([]);
      const after = await mine.send("GET", `${CAMPAIGNS}/${campaign.id}`);
      expect(after.body.data.campaign.status).toBe("RUNNING");
      expect((await mine.send("POST", `${CAMPAIGNS}/pause-all`)).body.data).toHaveLength(1);
    });
  });
}

/** How many calls the log says were dialled. */
async function dials(user: ApiUser): Promise<number> {
  let found = 0;
  for (let cursor = ""; ; ) {
    const { body } = await user.send("GET", `/api/v1/events?types=ContactDialed&limit=200${cursor}`);
    found += body.data.length;
    if (body.data.length < 200 || body.pagination.nextCursor === null) return found;
    cursor = `&cursor=${body.pagination.nextCursor}`;
  }
}
