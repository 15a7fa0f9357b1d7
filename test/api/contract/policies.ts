import { beforeAll, describe, expect, it } from "vitest";
import type { ApiUser, SendOptions } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";

const POLICY = "/api/v1/policy";
const OFF = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  requireConsent: false,
  listMaxAgeDays: null,
  eligibility: null,
  exceptSingleCalls: false,
};
const STRICT = {
  callableHours: {
    start: 9,
    startMinute: 30,
    end: 20,
    days: [5, 1],
    excludedDates: ["2026-12-25", "2026-10-29", "2026-12-25"],
  },
  attemptsPerNumber: { day: 2, month: 12 },
  requireConsent: true,
  listMaxAgeDays: 30,
  exceptSingleCalls: true,
};
const STORED_STRICT = {
  ...{ eligibility: null, requireConsent: true, listMaxAgeDays: 30 },
  callableHours: { ...STRICT.callableHours, days: [1, 5], excludedDates: ["2026-10-29", "2026-12-25"] },
  attemptsPerNumber: STRICT.attemptsPerNumber,
  oneCallAtATime: true,
  exceptSingleCalls: true,
};

/** Who may be called (docs/api.md §22). */
export function policies(service: () => TestService): void {
  describe("the policy of an owner", () => {
    let user: ApiUser;
    let name: string;
    const put = (body: unknown, options: SendOptions = {}) => user.send("PUT", POLICY, { body, ...options });
    const get = async (query = "") => (await user.send("GET", `${POLICY}${query}`)).body.data;
    beforeAll(async () => {
      user = await service().newOwner();
      const keys = (await user.send("GET", "/api/v1/api-keys")).body.data;
      ({ name } = keys[0]);
    });

    it("is version 0 as long as nobody made one", async () => {
      expect(await get()).toEqual({ version: 0, policy: null, changedAt: null, changedBy: null });
      expect((await user.send("GET", `${POLICY}/versions`)).body).toMatchObject({
        data: [],
        pagination: { nextCursor: null },
      });
    });

    it("is replaced whole, with defaults, and tells who did it and when", async () => {
      const first = await put(STRICT);
      expect([first.status, first.body.data]).toEqual([
        200,
        {
          version: 1,
          policy: STORED_STRICT,
          changedAt: expect.stringMatching(/Z$/),
          changedBy: { kind: "key", id: expect.stringMatching(/^key_/), name },
        },
      ]);
      expect(await get()).toEqual(first.body.data);
      expect((await put({ oneCallAtATime: false })).body.data).toMatchObject({ version: 2, policy: OFF });
      expect((await put({})).body.data.policy).toEqual({ ...OFF, oneCallAtATime: true });
    });

    it("does not change by the same again, nor by what a GET answered", async () => {
      const { version, policy } = await get();
      expect((await put({})).body.data.version).toBe(version);
      expect((await put(policy)).body.data.version).toBe(version);
      const { body } = await put(STRICT);
      expect((await put(body.data.policy)).body.data).toEqual(body.data);
    });

    it("is known as it stood at a time", async () => {
      const { data: versions } = (await user.send("GET", `${POLICY}/versions`)).body;
      for (const version of versions) expect(await get(`?at=${version.changedAt}`)).toEqual(version);
      const before = new Date(Date.parse(versions.at(-1).changedAt) - 1).toISOString();
      expect((await get(`?at=${before}`)).version).toBe(0);
      expect(await get("?at=2100-01-01T00:00:00Z")).toEqual(versions[0]);
      expect((await user.send("GET", `${POLICY}?at=yesterday`)).status).toBe(400);
    });

    it("has all its versions, newest first, page by page", async () => {
      const whole = (await user.send("GET", `${POLICY}/versions`)).body.data;
      expect(whole.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2, 1]);
      const paged = [];
      let cursor = "";
      do {
        const { body } = await user.send("GET", `${POLICY}/versions?limit=3${cursor}`);
        paged.push(...body.data);
        const { nextCursor } = body.pagination;
        cursor = nextCursor === null ? "" : `&cursor=${nextCursor}`;
      } while (cursor !== "");
      expect(paged).toEqual(whole);
      expect((await user.send("GET", `${POLICY}/versions?cursor=x`)).status).toBe(400);
    });

    it("is not replaced by who has seen another version", async () => {
      const { version } = await get();
      for (const seen of [`${version - 1}`, `"${version + 1}"`]) {
        const { status, body } = await put(OFF, { headers: { "if-match": seen } });
        expect([status, body.error.code]).toEqual([409, "POLICY_CHANGED"]);
      }
      for (const bad of ["*", "W/1", "-1", "1, 2", ""]) {
        const { status, body } = await put(OFF, { headers: { "if-match": bad } });
        expect([status, body.error.details[0].path]).toEqual([400, ["If-Match"]]);
      }
      expect((await get()).version).toBe(version);
      const taken = await put(OFF, { headers: { "if-match": `"${version}"` } });
      expect(taken.body.data).toMatchObject({ version: version + 1, policy: OFF });
      const repeated = await put(OFF, { headers: { "if-match": `${version}` } });
      expect(repeated.body.data).toEqual(taken.body.data);
    });

    it.each([
      [{ callableHours: { start: 9, end: 9 } }, ["callableHours", "end"]],
      [{ callableHours: { start: 0, end: 0 } }, ["callableHours", "end"]],
      [{ callableHours: { start: 9 } }, ["callableHours", "end"]],
      [{ callableHours: { start: 24, end: 9 } }, ["callableHours", "start"]],
      [{ callableHours: { start: 9, end: 20, endMinute: 60 } }, ["callableHours", "endMinute"]],
      [{ callableHours: { start: 9, end: 20, days: [] } }, ["callableHours", "days"]],
      [{ callableHours: { start: 9, end: 20, days: [8] } }, ["callableHours", "days", 0]],
      [
        { callableHours: { start: 9, end: 20, excludedDates: ["25.12."] } },
        ["callableHours", "excludedDates", 0],
      ],
      [
        { callableHours: { start: 9, end: 20, excludedDates: Array(101).fill("2026-12-25") } },
        ["callableHours", "excludedDates"],
      ],
      [{ callableHours: { start: 9, end: 20, timezone: "UTC" } }, ["callableHours", "timezone"]],
      [{ attemptsPerNumber: {} }, ["attemptsPerNumber"]],
      [{ attemptsPerNumber: { day: 0 } }, ["attemptsPerNumber", "day"]],
      [{ attemptsPerNumber: { day: 101 } }, ["attemptsPerNumber", "day"]],
      [{ attemptsPerNumber: { week: 501 } }, ["attemptsPerNumber", "week"]],
      [{ attemptsPerNumber: { month: 2001 } }, ["attemptsPerNumber", "month"]],
      [{ attemptsPerNumber: { day: 1, year: 1 } }, ["attemptsPerNumber", "year"]],
      [{ oneCallAtATime: "yes" }, ["oneCallAtATime"]],
      [{ requireConsent: null }, ["requireConsent"]],
      [{ listMaxAgeDays: 0 }, ["listMaxAgeDays"]],
      [{ listMaxAgeDays: 366 }, ["listMaxAgeDays"]],
      [{ eligibility: {} }, ["eligibility", "url"]],
      [{ eligibility: { url: "ftp://example.com" } }, ["eligibility", "url"]],
      [{ eligibility: { url: `https://example.com/${"a".repeat(2_048)}` } }, ["eligibility", "url"]],
      [{ eligibility: { url: "https://example.com", timeoutMs: 499 } }, ["eligibility", "timeoutMs"]],
      [{ eligibility: { url: "https://example.com", timeoutMs: 5_001 } }, ["eligibility", "timeoutMs"]],
      [{ eligibility: { url: "https://example.com", secret: "s" } }, ["eligibility", "secret"]],
    ])("is refused as %j, at its field", async (body, path) => {
      const refused = await put(body);
      expect([
        refused.status,
        refused.body.error.details.map((each: { path: unknown }) => each.path),
      ]).toEqual([400, [path]]);
    });

    it("has whole days by days or dates, and the largest numbers", async () => {
      const policy = {
        callableHours: { start: 0, end: 0, days: [6, 7] },
        attemptsPerNumber: { day: 100, week: 500, month: 2_000 },
        listMaxAgeDays: 365,
      };
      expect((await put(policy)).body.data.policy).toMatchObject(policy);
    });

    it("is held against the past, and whoever it asks before a dial is tried", async () => {
      const verifications = `${POLICY}/verifications`;
      const begun = await user.send("POST", verifications, { body: { policy: "current" } });
      expect(begun.status).toBe(202);
      const { id } = begun.body.data;
      expect((await user.send("GET", `${verifications}/${id}`)).body.data).toMatchObject({ id, dials: 0 });
      const { data } = (await user.send("GET", verifications)).body;
      expect(data.map((each: { id: string }) => each.id)).toEqual([id]);
      expect((await user.send("GET", `${verifications}/${id}/violations.csv`)).text).toMatch(
        /^rule,at,.*\n$/,
      );
      const body = { url: `${service().url}/may-i` };
      const tried = await user.send("POST", `${POLICY}/eligibility/test`, { body });
      expect([tried.status, tried.body.data.answer]).toEqual([200, "unavailable"]);
    });

    it("is the owner's own", async () => {
      const other = await service().newOwner();
      expect((await other.send("GET", POLICY)).body.data.version).toBe(0);
      expect((await other.send("GET", `${POLICY}/versions`)).body.data).toEqual([]);
      const { data } = (await other.send("GET", "/api/v1/events?types=PolicyChanged")).body;
      expect(data).toEqual([]);
      const own = (await user.send("GET", "/api/v1/events?types=PolicyChanged")).body.data;
      expect(own.map((event: { data: { version: number } }) => event.data.version)).toEqual([
        1, 2, 3, 4, 5, 6,
      ]);
    });
  });
}
