import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { type Callable, callable, campaignBody, made } from "../support/things.ts";

const CAMPAIGNS = "/api/v1/campaigns";
const NO_WINDOW = {
  callWindowStart: null,
  callWindowEnd: null,
  callWindowStartMinute: 0,
  callWindowEndMinute: 0,
  callWindowDays: null,
  callWindowExcludedDates: [],
};
const GIVEN = {
  callWindowStart: 22,
  callWindowEnd: 6,
  callWindowStartMinute: 30,
  callWindowEndMinute: 15,
  callWindowDays: [5, 1],
  callWindowExcludedDates: ["2027-01-01", "2026-12-25", "2027-01-01"],
};
const SHOWN = {
  ...GIVEN,
  callWindowDays: [1, 5],
  callWindowExcludedDates: ["2026-12-25", "2027-01-01"],
};

/** docs/api.md §12, Window. */
export function callWindows(service: () => TestService): void {
  describe("call windows", () => {
    let user: ApiUser;
    let ready: Callable;
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
    });
    const create = async (window: object): Promise<Wire> =>
      (await made(user, CAMPAIGNS, campaignBody(ready, { ...window }))).campaign;
    const change = (id: string, body: object) => user.send("PATCH", `${CAMPAIGNS}/${id}`, { body });
    const changed = async (id: string, body: object) => {
      const answer = await change(id, body);
      if (answer.status !== 200) throw new Error(answer.text);
      return answer.body.data.campaign;
    };
    const refused = async (id: string, body: object) => {
      const answer = await change(id, body);
      return [answer.status, answer.body.error.details.map(({ path }: { path: string[] }) => path)];
    };

    it("are always shown whole, days and dates sorted, by create, record, list, import and time travel", async () => {
      expect(await create({})).toMatchObject(NO_WINDOW);
      const campaign = await create(GIVEN);
      expect(campaign).toMatchObject(SHOWN);
      const path = `${CAMPAIGNS}/${campaign.id}`;
      expect((await user.send("GET", path)).body.data.campaign).toMatchObject(SHOWN);
      expect((await user.send("GET", `${path}?at=${campaign.createdAt}`)).body.data.campaign).toMatchObject(
        SHOWN,
      );
      expect((await user.send("GET", CAMPAIGNS)).body.data[0]).toMatchObject(SHOWN);
      const settings = encodeURIComponent(JSON.stringify({ name: "A file", ...ready, ...GIVEN }));
      const imported = await user.send("POST", `${CAMPAIGNS}/import?settings=${settings}`, {
        raw: "phone\n+15005550006\n",
        headers: { "content-type": "text/csv" },
      });
      expect([imported.status, imported.body.data.campaign]).toEqual([201, expect.objectContaining(SHOWN)]);
    });

    it("are changed field by field, together with what stands", async () => {
      const { id } = await create(GIVEN);
      expect(await changed(id, { callWindowEnd: 7 })).toMatchObject({ ...SHOWN, callWindowEnd: 7 });
      expect(await changed(id, { callWindowStartMinute: 0, callWindowDays: [7, 6] })).toMatchObject({
        ...SHOWN,
        callWindowEnd: 7,
        callWindowStartMinute: 0,
        callWindowDays: [6, 7],
      });
      expect(await changed(id, { callWindowStart: null, callWindowEnd: null })).toMatchObject({
        ...NO_WINDOW,
        callWindowDays: [6, 7],
        callWindowExcludedDates: SHOWN.callWindowExcludedDates,
      });
      expect(await changed(id, { callWindowDays: null, callWindowExcludedDates: [] })).toMatchObject(
        NO_WINDOW,
      );
    });

    it("are refused by PATCH when the whole would not be one", async () => {
      const { id } = await create(GIVEN);
      expect(await refused(id, { callWindowStart: 6 })).toEqual([400, [["callWindowStart"]]]);
      expect(await refused(id, { callWindowEnd: null })).toEqual([400, [["callWindowEnd"]]]);
      expect(await refused(id, { callWindowDays: [] })).toEqual([400, [["callWindowDays"]]]);
      const none = { callWindowStart: null, callWindowEnd: null };
      expect(await refused(id, { ...none, callWindowEndMinute: 5 })).toEqual([
        400,
        [["callWindowEndMinute"]],
      ]);
      await changed(id, none);
      expect(await refused(id, { callWindowStartMinute: 5 })).toEqual([400, [["callWindowStartMinute"]]]);
    });

    it("keep a campaign paused on a date that they leave out, and stand whole in the evidence of a dial", async () => {
      const inThreeDays = new Date(Date.now() + 3 * 86_400_000);
      const campaign = await create({ timezone: "UTC", callWindowDays: [inThreeDays.getUTCDay() || 7] });
      const path = `${CAMPAIGNS}/${campaign.id}`;
      const started = await user.send("POST", `${path}/start`);
      expect(started.body.data.campaign).toMatchObject({
        status: "PAUSED",
        pauseReason: "outside_call_window",
        nextWindowOpensAt: `${inThreeDays.toISOString().slice(0, 10)}T00:00:00.000Z`,
      });
      const dates = { callWindowDays: [1, 2, 3, 4, 5, 6, 7], callWindowExcludedDates: ["2020-01-01"] };
      await changed(campaign.id, dates);
      const dial = await eventually("the dial", async () => {
        const { body } = await user.send("GET", `${path}/events?limit=200`);
        return body.data.find(({ type }: { type: string }) => type === "ContactDialed");
      });
      expect(dial.data.evidence.window).toEqual({
        start: 0,
        end: 0,
        days: dates.callWindowDays,
        excludedDates: dates.callWindowExcludedDates,
      });
    });
  });
}
