import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { type Callable, callable, campaignBody, made } from "../support/things.ts";

const CAMPAIGNS = "/api/v1/campaigns";
const HOUR = 3_600_000;
/** Two seconds, and what a busy machine takes. */
const LATE_AT_MOST = 6_000;

const inMillis = (millis: number) => new Date(Date.now() + millis).toISOString();

/** docs/api.md §12 and §17: `startAt`. */
export function campaignStart(service: () => TestService): void {
  describe("startAt of a campaign", () => {
    let user: ApiUser;
    let ready: Callable;
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
    });
    const create = (changes: object) =>
      user.send("POST", CAMPAIGNS, { body: campaignBody(ready, { ...changes }) });
    const change = (id: string, startAt: string | null) =>
      user.send("PATCH", `${CAMPAIGNS}/${id}`, { body: { startAt } });

    it("is shown in UTC, starts the campaign by itself, and stays in the record", async () => {
      const startAt = inMillis(1_500);
      const inIstanbul = new Date(Date.parse(startAt) + 3 * HOUR).toISOString().replace("Z", "+03:00");
      const { body } = await create({ startAt: inIstanbul, retryOn: [] });
      const { id, status } = body.data.campaign;
      expect([status, body.data.campaign.startAt]).toEqual(["PENDING", startAt]);
      const campaign = await eventually("its start", async () => {
        const now = await user.send("GET", `${CAMPAIGNS}/${id}`);
        return now.body.data.campaign.startedAt === null ? null : now.body.data.campaign;
      });
      expect(campaign.startAt).toBe(startAt);
      const late = Date.parse(campaign.startedAt) - Date.parse(startAt);
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThanOrEqual(LATE_AT_MOST);
      const events = await user.send("GET", `${CAMPAIGNS}/${id}/events?limit=10`);
      const started = events.body.data.find(({ type }: { type: string }) => type === "CampaignStarted");
      expect(started.data.by).toBe("system");
    });

    it("is set, put off and taken back while PENDING, and 409 later", async () => {
      const { body } = await create({});
      const { id, startAt } = body.data.campaign;
      expect(startAt).toBeNull();
      const later = inMillis(HOUR);
      expect((await change(id, later)).body.data.campaign.startAt).toBe(later);
      expect((await change(id, null)).body.data.campaign.startAt).toBeNull();
      await user.send("POST", `${CAMPAIGNS}/${id}/start`);
      await user.send("POST", `${CAMPAIGNS}/${id}/pause`);
      const refused = await change(id, later);
      expect([refused.status, refused.body.error.code]).toEqual([409, "CAMPAIGN_INVALID_STATE"]);
      const then = await user.send("GET", `${CAMPAIGNS}/${id}?at=${later}`);
      expect(then.body.data.campaign.startAt).toBeNull();
    });

    it.each(["2027-02-29T09:00:00+03:00", "2026-11-31T09:00:00Z"])(
      "is a day that there is: %s",
      async (startAt) => {
        const { status, body } = await create({ startAt });
        expect([status, body.error.details[0].path]).toEqual([400, ["startAt"]]);
      },
    );

    it("may be started before by hand", async () => {
      const { body } = await create({ startAt: inMillis(HOUR), contacts: [{ phoneNumber: "+15005550010" }] });
      const path = `${CAMPAIGNS}/${body.data.campaign.id}`;
      const started = await user.send("POST", `${path}/start`);
      expect(started.body.data.campaign).toMatchObject({
        status: "RUNNING",
        startAt: body.data.campaign.startAt,
      });
      await user.send("POST", `${path}/cancel`, { body: { hangUpActiveCalls: true } });
    });

    it.each([
      ["has been over for more than 60 s", -61_000],
      ["is more than a year ahead", 367 * 24 * HOUR],
    ])("that %s is 400 at its name: create, import, trial and change", async (_what, millis) => {
      const startAt = inMillis(millis);
      const made = await create({});
      const settings = encodeURIComponent(JSON.stringify({ name: "x", ...ready, startAt }));
      const file = { raw: "phone\n+15005550006", headers: { "content-type": "text/csv" } };
      const answers = [
        await create({ startAt }),
        await user.send("POST", `${CAMPAIGNS}/import?settings=${settings}`, file),
        await user.send("POST", `${CAMPAIGNS}/import?dryRun=true&settings=${settings}`, file),
        await change(made.body.data.campaign.id, startAt),
      ];
      for (const { status, body } of answers)
        expect([status, body.error.code, body.error.details[0].path]).toEqual([
          400,
          "VALIDATION_ERROR",
          ["startAt"],
        ]);
    });

    it("has an offset, and up to 60 s in the past mean now", async () => {
      const without = await create({ startAt: "2026-09-01T10:00:00" });
      expect(without.body.error.details[0].path).toEqual(["startAt"]);
      const { body } = await create({ startAt: inMillis(-55_000) });
      await eventually("its start", async () => {
        const now = await user.send("GET", `${CAMPAIGNS}/${body.data.campaign.id}`);
        return now.body.data.campaign.startedAt !== null;
      });
    });

    it("of an owner without credits ends in PAUSED insufficient_credits", async () => {
      const broke = await service().operator.send("POST", "/api/v1/users", {
        body: { name: "Broke", credits: 0 },
      });
      const poor = service().as(broke.body.data.apiKey.key);
      const body = campaignBody(await callable(poor), { startAt: inMillis(0) });
      const { campaign } = await made(poor, CAMPAIGNS, body);
      const paused = await eventually("the pause", async () => {
        const now = await poor.send("GET", `${CAMPAIGNS}/${campaign.id}`);
        return now.body.data.campaign.status === "PAUSED" ? now.body.data.campaign : null;
      });
      expect(paused.pauseReason).toBe("insufficient_credits");
    });
  });
}
