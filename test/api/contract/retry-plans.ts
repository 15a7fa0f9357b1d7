import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { type Callable, callable, campaignBody, made } from "../support/things.ts";

const CAMPAIGNS = "/api/v1/campaigns";
const MINUTE = 60_000;
/** Numbers of the simulated carrier (docs/api.md §9). */
const BUSY = "+15005550002";
const NO_ANSWER = "+15005550003";
const PLAN = [
  { endReasons: ["busy"], afterMins: [10, 30] },
  { endReasons: ["no_answer"], afterMins: [60], sameDay: false },
];
const SHOWN = PLAN.map((row) => ({ sameDay: true, ...row }));
/** Open at any time, so that the test holds whenever it runs. */
const DAYS = { callWindowDays: [1, 2, 3, 4, 5, 6, 7] };

/** docs/api.md §5, Retry plan. */
export function retryPlans(service: () => TestService): void {
  describe("the retry plan of a campaign", () => {
    let user: ApiUser;
    let ready: Callable;
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
    });
    const create = (changes: object) => made(user, CAMPAIGNS, campaignBody(ready, { ...changes }));
    const change = (id: string, body: object) => user.send("PATCH", `${CAMPAIGNS}/${id}`, { body });
    const refusal = ({ status, body }: Awaited<ReturnType<typeof change>>) => [
      status,
      body.error.code,
      body.error.details.map(({ path }: { path: unknown[] }) => path.join(".")),
    ];

    it("is shown whole, as it stood too, and none is an empty list", async () => {
      const { campaign } = await create({ ...DAYS, retryPlan: PLAN });
      expect(campaign.retryPlan).toEqual(SHOWN);
      const path = `${CAMPAIGNS}/${campaign.id}`;
      expect((await user.send("GET", path)).body.data.campaign.retryPlan).toEqual(SHOWN);
      const none = await change(campaign.id, { retryPlan: null });
      expect([none.status, none.body.data.campaign.retryPlan]).toEqual([200, []]);
      const then = await user.send("GET", `${path}?at=${encodeURIComponent(campaign.createdAt)}`);
      expect(then.body.data.campaign.retryPlan).toEqual(SHOWN);
      const before = (await user.send("GET", `${path}/events?limit=200`)).body.data.length;
      expect((await change(campaign.id, { retryPlan: [] })).body.data.campaign.retryPlan).toEqual([]);
      expect((await user.send("GET", `${path}/events?limit=200`)).body.data).toHaveLength(before);
      expect((await create({})).campaign.retryPlan).toEqual([]);
      const again = await create({ ...DAYS, retryPlan: campaign.retryPlan });
      expect(again.campaign.retryPlan).toEqual(SHOWN);
    });

    it("is refused at its rows by a new campaign, a trial and a preview", async () => {
      const bad = { retryOn: ["no_answer"], retryPlan: PLAN };
      const places = ["retryPlan.0.endReasons.0", "retryPlan.1.sameDay"];
      const created = await user.send("POST", CAMPAIGNS, { body: campaignBody(ready, bad) });
      expect(refusal(created)).toEqual([400, "VALIDATION_ERROR", places]);
      const preview = await user.send("POST", `${CAMPAIGNS}/preview`, { body: { contacts: [], ...bad } });
      expect(refusal(preview)).toEqual([400, "VALIDATION_ERROR", places]);
      const fits = { contacts: [], contactCount: 3, ...DAYS, retryPlan: PLAN };
      expect((await user.send("POST", `${CAMPAIGNS}/preview`, { body: fits })).status).toBe(200);
      const settings = encodeURIComponent(JSON.stringify({ ...ready, name: "x", ...bad }));
      const trial = await user.send("POST", `${CAMPAIGNS}/import?dryRun=true&settings=${settings}`, {
        body: "phone\n+15005550002\n",
        headers: { "content-type": "text/csv" },
      });
      expect(refusal(trial)).toEqual([
        400,
        "VALIDATION_ERROR",
        places.map((place) => expect.stringMatching(new RegExp(`${place}$`))),
      ]);
    });

    it("is judged with the settings as they become: at its rows if it is given, else as a whole", async () => {
      const { campaign } = await create({ ...DAYS, retryPlan: PLAN });
      expect(refusal(await change(campaign.id, { retryOn: ["no_answer"] }))).toEqual([
        400,
        "VALIDATION_ERROR",
        ["retryPlan"],
      ]);
      expect(refusal(await change(campaign.id, { retryOn: [] }))[2]).toEqual(["retryPlan", "retryPlan"]);
      expect(refusal(await change(campaign.id, { callWindowDays: null }))[2]).toEqual(["retryPlan"]);
      const both = { retryOn: ["no_answer"], retryPlan: PLAN };
      expect(refusal(await change(campaign.id, both))[2]).toEqual(["retryPlan.0.endReasons.0"]);
      const fitting = { retryOn: ["no_answer"], callWindowDays: null, retryPlan: null };
      expect((await change(campaign.id, fitting)).status).toBe(200);
      const { details } = (await change(campaign.id, { retryPlan: PLAN })).body.error;
      expect(details.map(({ message }: { message: string }) => message)).toEqual([
        "retryOn does not have busy, which the plan names",
        "A later day needs a call window",
      ]);
    });

    it("says when the next attempt is: in the contact, the history, the file and the reason why", async () => {
      const contacts = [
        { phoneNumber: BUSY, name: "Bo" },
        { phoneNumber: NO_ANSWER, name: "No" },
      ];
      const { campaign } = await create({ ...DAYS, contacts, retryPlan: PLAN, ringTimeoutSeconds: 10 });
      const path = `${CAMPAIGNS}/${campaign.id}`;
      await user.send("POST", `${path}/start`);
      const rows = await eventually("both failed once", async () => {
        const { body } = await user.send("GET", `${path}/contacts`);
        return body.data.every(({ status }: Wire) => status === "waiting_retry") ? body.data : null;
      });
      const events = (await user.send("GET", `${path}/events?limit=200`)).body.data;
      const outcome = (contactId: string) =>
        events.find(({ type, data }: Wire) => type === "ContactAttemptFailed" && data.contactId === contactId)
          .data;
      const [bo, no] = rows;
      expect(outcome(bo.id)).toMatchObject({ planRow: 0, retryIntervalMillis: 10 * MINUTE });
      expect(outcome(no.id)).toMatchObject({ planRow: 1, retryIntervalMillis: 60 * MINUTE });
      const endedAt = async ({ attempts: [{ callId }] }: Wire) =>
        (await user.send("GET", `/api/v1/calls/${callId}`)).body.data.endedAt;
      expect(Date.parse(bo.nextAttemptAt) - Date.parse(await endedAt(bo))).toBe(10 * MINUTE);
      // Istanbul has no summer time: its days begin at 21:00 UTC.
      const day = (instant: string) => Math.floor((Date.parse(instant) + 180 * MINUTE) / (1_440 * MINUTE));
      expect(day(no.nextAttemptAt)).toBe(day(await endedAt(no)) + 1);
      const why = async ({ id }: Wire) =>
        (await user.send("GET", `${path}/contacts/${id}/explain`)).body.data.sentence;
      expect(await why(bo)).toContain("row 1 of the retry plan says 10 minutes later");
      expect(await why(no)).toContain("row 2 of the retry plan says on a later day");
      const csv = await user.send("GET", `${path}/contacts.csv`);
      expect(csv.text).toContain(bo.nextAttemptAt);
      expect(csv.text).toContain(no.nextAttemptAt);
      await user.send("POST", `${path}/cancel`);
    });
  });
}
