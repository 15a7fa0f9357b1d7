import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { type Callable, callable, campaignBody, made } from "../support/things.ts";

const CAMPAIGNS = "/api/v1/campaigns";
const ANSWERS = "+15005550006";
const BUSY = "+15005550002";
const RINGS_LONG = "+15005550010";
const UNKNOWN = { asOf: null, dueNow: null, waitingFor: null, estimatedEndAt: null };

/** What a campaign has come to, and how it stands (docs/api.md §12). */
export function figures(service: () => TestService): void {
  describe("the figures of a campaign", () => {
    let user: ApiUser;
    let id: string;
    let calls: readonly Wire[];
    const read = async (path: string) => (await user.send("GET", `${CAMPAIGNS}/${id}${path}`)).body.data;
    beforeAll(async () => {
      user = await service().newOwner();
      const contacts = [{ phoneNumber: ANSWERS, name: "A" }, { phoneNumber: BUSY }];
      const body = campaignBody(await callable(user), { contacts, retryOn: [] });
      id = (await made(user, CAMPAIGNS, body)).campaign.id;
      await user.send("POST", `${CAMPAIGNS}/${id}/start`);
      await eventually("its end", async () => (await read("")).campaign.status === "COMPLETED");
      calls = (await user.send("GET", `/api/v1/calls?campaignId=${id}`)).body.data;
    });
    const callTo = (to: string) => calls.find((call) => call.to === to) ?? {};

    it("are attempts, ends, talk and cost, now and as they stood", async () => {
      const { cost, durationSeconds, endReason } = callTo(ANSWERS);
      expect(cost).toBeGreaterThan(0);
      const statistics = await read("/statistics");
      expect(statistics).toEqual({
        totalContacts: 2,
        pendingContacts: 0,
        successfulCalls: 1,
        failedCalls: 1,
        waitingRetry: 0,
        attempts: 2,
        byEndReason: { [endReason]: 1, busy: 1 },
        talkSeconds: durationSeconds,
        callbacks: 0,
        optedOut: 0,
        held: 0,
        outcomes: { analysed: 0, succeeded: 0, unsuccessful: 0, byField: {} },
        cost,
        averageCallDuration: durationSeconds,
      });
      expect(await read("/statistics?at=2100-01-01T00:00:00Z")).toEqual(statistics);
      const { campaign } = await read("");
      expect(await read(`/statistics?at=${campaign.createdAt}`)).toMatchObject({
        attempts: 0,
        byEndReason: {},
        talkSeconds: 0,
        optedOut: 0,
        cost: 0,
      });
    });

    it("are told of each contact, by the API and in the CSV file", async () => {
      const { cost, durationSeconds } = callTo(ANSWERS);
      const [answered, busy] = await read("/contacts");
      expect(answered.attempts).toMatchObject([{ durationSeconds, cost }]);
      expect(busy.attempts).toMatchObject([{ durationSeconds: null, cost: 0 }]);
      const { text, headers } = await user.send("GET", `${CAMPAIGNS}/${id}/contacts.csv`);
      expect(headers.get("content-security-policy")).toBe("sandbox");
      const [header = "", first = "", second = ""] = text.split("\n");
      const columns = header.split(",");
      const cells = (row: string) =>
        ["durationSeconds", "cost"].map((name) => row.split(",")[columns.indexOf(name)]);
      expect(cells(first)).toEqual([String(durationSeconds), String(cost)]);
      expect(cells(second)).toEqual(["", "0"]);
    });

    it("are credits in public events, wherever they are read", async () => {
      const { cost, id: callId } = callTo(ANSWERS);
      const ofCall = (await user.send("GET", `/api/v1/calls/${callId}/events`)).body.data;
      const ofCampaign = await read("/events?limit=200");
      const ofOwner = (await user.send("GET", "/api/v1/events?limit=200")).body.data;
      const live = await streamed(user, ofOwner.length);
      const told = (events: readonly Wire[], type: string) =>
        events.filter((event) => event.type === type && event.data.callId === callId).map(({ data }) => data);
      expect(told(ofCall, "CallRequested")).toMatchObject([{ pricePerMinute: 1 }]);
      expect(told(ofCall, "CallCompleted")).toMatchObject([{ cost }]);
      expect(told(ofCampaign, "ContactSucceeded")).toMatchObject([{ cost }]);
      const [dialed] = told(ofCampaign, "ContactDialed");
      expect(dialed.evidence.availableCredits).toBeLessThanOrEqual(1_000);
      expect(dialed.evidence.availableCredits).toBeGreaterThan(900);
      for (const events of [ofOwner, live]) {
        expect(told(events, "CallRequested")).toMatchObject([{ pricePerMinute: 1 }]);
        expect(told(events, "ContactDialed")).toEqual([dialed]);
        expect(told(events, "ContactSucceeded")).toMatchObject([{ cost }]);
      }
    });
  });

  describe("the progress of a campaign", () => {
    let user: ApiUser;
    let ready: Callable;
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
    });
    const progress = (id: string, query = "", who = user) =>
      who.send("GET", `${CAMPAIGNS}/${id}/progress${query}`);
    const numbers = [RINGS_LONG, ANSWERS, BUSY].map((phoneNumber) => ({ phoneNumber }));
    const started = async (changes: object) => {
      const { campaign } = await made(
        user,
        CAMPAIGNS,
        campaignBody(ready, { contacts: numbers, ...changes }),
      );
      await user.send("POST", `${CAMPAIGNS}/${campaign.id}/start`);
      return String(campaign.id);
    };
    const waitingFor = (id: string, what: string) =>
      eventually(`a campaign that waits for ${what}`, async () => {
        const { body } = await progress(id);
        return body.data.waitingFor === what ? body.data : null;
      });

    it("says how many could be dialled, what they wait for, and since when it is known", async () => {
      const id = await started({ maxConcurrentCalls: 1 });
      const told = await waitingFor(id, "slots");
      expect(told).toMatchObject({ dueNow: 2, waitingFor: "slots" });
      expect(Math.abs(Date.now() - Date.parse(told.asOf))).toBeLessThan(60_000);
      const stranger = await service().newOwner();
      expect((await progress(id, "", stranger)).body.error.code).toBe("CAMPAIGN_NOT_FOUND");
      await user.send("POST", `${CAMPAIGNS}/${id}/cancel`, { body: { hangUpActiveCalls: true } });
    });

    it("says that nobody may be called at this hour", async () => {
      const hour = (new Date().getUTCHours() + 2) % 24;
      const window = { callWindowStart: hour, callWindowEnd: (hour + 1) % 24, timezone: "UTC" };
      expect(await waitingFor(await started(window), "window")).toMatchObject({ dueNow: 0 });
    });

    it("is not known of a campaign that nobody runs, and is of now alone", async () => {
      const { campaign } = await made(user, CAMPAIGNS, campaignBody(ready));
      expect((await progress(campaign.id)).body.data).toEqual(UNKNOWN);
      const then = await progress(campaign.id, "?at=2026-09-01T10:00:00Z");
      expect([then.status, then.body.error.details[0].path]).toEqual([400, ["at"]]);
    });
  });
}

/** The first `count` events of the owner's stream. */
async function streamed(user: ApiUser, count: number): Promise<readonly Wire[]> {
  const stop = new AbortController();
  const response = await fetch(`${user.url}/api/v1/events`, {
    headers: { authorization: `Bearer ${user.key}`, accept: "text/event-stream" },
    signal: stop.signal,
  });
  let text = "";
  let events: Wire[] = [];
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const blocks = text.split("\n\n").slice(0, -1);
    events = blocks.flatMap((block) => {
      const data = block.split("\n").find((line) => line.startsWith("data: "));
      return data === undefined ? [] : [JSON.parse(data.slice("data: ".length))];
    });
    if (events.length >= count) break;
  }
  stop.abort();
  return events;
}
