import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { callable, campaignBody, endedCall, made } from "../support/things.ts";

const SUNG = "+15005550006";
const BUSY = "+15005550002";
const REFUSED = "0532-abc";

/** docs/api.md §8: search, what is known of a number, calls over time. */
export function search(service: () => TestService): void {
  describe("what an owner looks for", () => {
    let user: ApiUser;
    let campaignId: string;
    let callId: string;
    const find = async (q: string, who = user): Promise<Wire> =>
      (await who.send("GET", `/api/v1/search?q=${encodeURIComponent(q)}`)).body.data;
    const idsOf = (hits: readonly Wire[]) => hits.map(({ id }) => id);
    beforeAll(async () => {
      user = await service().newOwner();
      const ready = await callable(user);
      await made(user, "/api/v1/squads", { name: "Reminders of İstanbul" });
      const contacts = [
        { phoneNumber: SUNG, name: "Işıl Çağlayan" },
        { phoneNumber: BUSY, name: "Bob" },
        { phoneNumber: REFUSED },
      ];
      const body = campaignBody(ready, { name: "Rappels d'été", contacts, retryOn: [] });
      campaignId = (await made(user, "/api/v1/campaigns", body)).campaign.id;
      const started = await user.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to: BUSY } });
      callId = started.body.callId;
      await endedCall(user, callId);
      await eventually(
        "the index to have come so far",
        async () => (await find("5550002")).calls.length === 1,
      );
    });

    it("is found by any part of a number", async () => {
      const found = await find("555 0002");
      expect(idsOf(found.calls)).toEqual([callId]);
      expect(found.calls[0]).toMatchObject({ title: BUSY });
      expect(found.contacts).toMatchObject([{ title: `Bob (${BUSY})`, campaignId }]);
      expect((await find("50055")).phoneNumbers).toHaveLength(1);
      expect((await find("999999")).contacts).toEqual([]);
    });

    it("is found by the beginning of a word, whatever its case and marks", async () => {
      expect((await find("isil")).contacts).toHaveLength(1);
      expect((await find("CAGLA")).contacts).toHaveLength(1);
      expect((await find("layan")).contacts).toEqual([]);
      expect((await find("istan")).squads).toHaveLength(1);
      expect((await find("ada")).assistants).toHaveLength(1);
      expect(idsOf((await find("ete")).campaigns)).toEqual([campaignId]);
    });

    it("is looked for with 3 to 100 characters", async () => {
      for (const q of ["ab", "x".repeat(101)]) {
        const refused = await user.send("GET", `/api/v1/search?q=${q}`);
        expect([refused.status, refused.body.error.details[0].path]).toEqual([400, ["q"]]);
      }
      expect(Object.values(await find("---")).flat()).toEqual([]);
    });

    it("is what the key may read, and nobody else's", async () => {
      const key = await made(user, "/api/v1/api-keys", { name: "Calls", scopes: ["calls:read"] });
      const found = await find("5550002", service().as(key.key));
      expect(found).toMatchObject({ contacts: [], phoneNumbers: [] });
      expect(idsOf(found.calls)).toEqual([callId]);
      const stranger = await service().newOwner();
      expect(Object.values(await find("555", stranger)).flat()).toEqual([]);
    });

    it("is a page of calls with their other filters", async () => {
      const calls = async (query: string) => (await user.send("GET", `/api/v1/calls?${query}`)).body.data;
      expect(idsOf(await calls("q=0002"))).toEqual([callId]);
      expect(await calls("q=0002&status=completed")).toEqual([]);
      expect(await calls("q=0003")).toEqual([]);
    });

    it("is a number with its list entry, contacts, calls and why", async () => {
      const number = async (text: string): Promise<Wire> =>
        (await user.send("GET", `/api/v1/numbers/${encodeURIComponent(text)}`)).body.data;
      await made(user, "/api/v1/suppressions", { phoneNumber: BUSY, reason: "Asked us to stop" });
      const known = await number(BUSY);
      expect(known.suppression).toMatchObject({ reason: "Asked us to stop" });
      expect(known.contacts).toMatchObject([{ campaignId, name: "Bob", status: "pending" }]);
      expect(idsOf(known.calls)).toEqual([callId]);
      expect(known.verdicts).toMatchObject([{ campaignId, verdict: "not_started" }]);
      const refused = await number(REFUSED);
      expect(refused.verdicts).toMatchObject([
        { campaignId, contactId: null, verdict: "rejected", because: [{ type: "CampaignCreated" }] },
      ]);
      expect(await number("+15005559999")).toEqual({
        phoneNumber: "+15005559999",
        suppression: null,
        contacts: [],
        calls: [],
        verdicts: [],
      });
      const stranger = await service().newOwner();
      const theirs = await stranger.send("GET", `/api/v1/numbers/${encodeURIComponent(BUSY)}`);
      expect(theirs.body.data).toMatchObject({ suppression: null, contacts: [], calls: [], verdicts: [] });
      const long = await user.send("GET", `/api/v1/numbers/${"1".repeat(65)}`);
      expect([long.status, long.body.error.details[0].path]).toEqual([400, ["phoneNumber"]]);
    });

    it("is how many calls were made when", async () => {
      const series = (query: string) => user.send("GET", `/api/v1/calls/series?${query}`);
      const of = async (query: string): Promise<Wire> => (await series(query)).body.data;
      const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);
      await eventually("the count of the end", async () => {
        const { series: counts } = await of("step=1h&by=endReason");
        return counts.busy !== undefined && sum(counts.busy) === 1;
      });
      const days = await of(
        "step=1d&from=2026-03-28T23:00:00Z&until=2026-03-30T22:00:00Z&timezone=Europe/Berlin",
      );
      expect(days).toEqual({
        from: "2026-03-28T23:00:00.000Z",
        until: "2026-03-30T22:00:00.000Z",
        step: "1d",
        series: {},
      });
      const minutes = await of("step=1m");
      expect(minutes.series.failed.length).toBeGreaterThanOrEqual(1_440);
      expect(sum(minutes.series.failed)).toBe(1);
      const places = await Promise.all(
        [
          "step=1m&from=2026-01-01T00:00:00Z&until=2026-01-03T00:00:00Z",
          "timezone=Mars/Base",
          "timezone=BST",
          "step=1w",
        ].map(async (query) => {
          const { status, body } = await series(query);
          return [status, body.error.details[0].path];
        }),
      );
      expect(places).toEqual([
        [400, ["step"]],
        [400, ["timezone"]],
        [400, ["timezone"]],
        [400, ["step"]],
      ]);
    });
  });
}
