import { createHash } from "node:crypto";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { Answer, ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";

const SESSION = "/api/v1/session";
const SAME = { "sec-fetch-site": "same-origin" };

/** Browsers sign in with a key and go on with a cookie (docs/api.md §15). */
export function sessions(service: () => TestService): void {
  describe("a session", () => {
    let admin: ApiUser;
    /** A browser: no key, whatever cookie it was given. */
    let browser: ApiUser;
    beforeAll(async () => {
      admin = await service().newOwner("Session owner");
      browser = service().as("");
    });
    const newKey = async (body: object = {}): Promise<Wire> => {
      const answer = await admin.send("POST", "/api/v1/api-keys", {
        body: { name: "Browser", scopes: ["admin"], ...body },
      });
      return answer.body.data;
    };
    const signIn = (apiKey: string, headers: Readonly<Record<string, string>> = {}) =>
      browser.send("POST", SESSION, { body: { apiKey }, headers });
    const cookieOf = ({ headers }: Answer) => (headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const signedIn = async (key?: Wire) => ({
      cookie: cookieOf(await signIn((key ?? (await newKey())).key)),
    });
    const statusOf = async (cookie: object) =>
      (await browser.send("GET", SESSION, { headers: { ...cookie } })).status;
    const database = async (text: string, values: readonly unknown[]) => {
      const client = new pg.Client({ connectionString: service().databaseUrl });
      await client.connect();
      try {
        return await client.query(text, [...values]);
      } finally {
        await client.end();
      }
    };
    const idOf = (cookie: string) =>
      createHash("sha256")
        .update(cookie.split("=")[1] ?? "")
        .digest("hex");

    it("begins with a key, tells whose it is, and reads what the key may read", async () => {
      const key = await newKey({ scopes: ["calls:read"] });
      const began = await signIn(key.key);
      expect(began.status).toBe(201);
      const about = {
        keyId: key.id,
        keyName: "Browser",
        scopes: ["calls:read"],
        owner: { name: "Session owner" },
      };
      expect(began.body.data).toMatchObject(about);
      expect(Date.parse(began.body.data.expiresAt) - Date.now()).toBeGreaterThan(11.9 * 3_600_000);
      expect(began.headers.get("set-cookie")).toMatch(
        /^ringfold_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
      );
      const headers = { cookie: cookieOf(began) };
      expect((await browser.send("GET", SESSION, { headers })).body.data).toMatchObject(about);
      expect((await browser.send("GET", "/api/v1/calls", { headers })).status).toBe(200);
      expect((await browser.send("GET", "/api/v1/campaigns", { headers })).status).toBe(403);
      const { rows } = await database("select * from config.sessions where id = $1", [idOf(headers.cookie)]);
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toContain(headers.cookie.split("=")[1]);
    });

    it("is refused to whoever has no valid key, without a challenge", async () => {
      const wrong = await signIn("va_live_00000000_00000000000000000000000000000000");
      expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([401, null]);
      const none = await browser.send("GET", SESSION);
      expect([none.status, none.headers.get("www-authenticate")]).toEqual([401, null]);
      const made = await browser.send("GET", SESSION, {
        headers: { cookie: `ringfold_session=${"A".repeat(43)}` },
      });
      expect(made.status).toBe(401);
      expect((await browser.send("POST", SESSION, { body: {} })).status).toBe(400);
    });

    it("acts as its key: the key is the actor of what comes of it", async () => {
      const key = await newKey();
      const headers = { ...(await signedIn(key)), ...SAME };
      const made = await browser.send("POST", "/api/v1/squads", { body: { name: "By cookie" }, headers });
      expect(made.status).toBe(201);
      const events = (await admin.send("GET", `/api/v1/events?stream=${made.body.data.id}`)).body.data;
      expect(events[0].actor).toEqual({ kind: "key", id: key.id, name: key.name });
    });

    it("changes something only for pages of this service", async () => {
      const cookie = await signedIn();
      const host = new URL(browser.url).host;
      const refused: Readonly<Record<string, string>>[] = [
        {},
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site", origin: `http://${host}` },
        { "sec-fetch-site": "none" },
        { origin: "http://elsewhere.example" },
        { origin: "null" },
      ];
      for (const headers of refused) {
        const write = await browser.send("POST", "/api/v1/squads", {
          body: { name: "No" },
          headers: { ...cookie, ...headers },
        });
        expect([headers, write.status, write.body.error.code]).toEqual([headers, 403, "CROSS_SITE"]);
        const out = await browser.send("DELETE", SESSION, { headers: { ...cookie, ...headers } });
        expect([headers, out.status]).toEqual([headers, 403]);
      }
      const again = await signIn((await newKey()).key, { ...cookie });
      expect(again.body.error?.code).toBe("CROSS_SITE");
      expect((await signIn((await newKey()).key, { "sec-fetch-site": "cross-site" })).status).toBe(403);
      for (const headers of [SAME, { origin: `http://${host}` }]) {
        const write = await browser.send("POST", "/api/v1/squads", {
          body: { name: "Yes" },
          headers: { ...cookie, ...headers },
        });
        expect(write.status).toBe(201);
      }
      const form = await browser.send("POST", "/api/v1/squads", {
        raw: "name=No",
        headers: { ...cookie, ...SAME, "content-type": "application/x-www-form-urlencoded" },
      });
      expect(form.status).toBe(415);
      expect(await statusOf(cookie)).toBe(200);
    });

    it("is not looked at beside Authorization", async () => {
      const cookie = await signedIn();
      const both = (path: string, authorization: string) =>
        browser.send("GET", path, { headers: { ...cookie, authorization } });
      expect((await both("/api/v1/calls", "Bearer nonsense")).status).toBe(401);
      expect((await both(SESSION, `Bearer ${admin.key}`)).status).toBe(401);
    });

    it("ends by signing out, with its key, and with its time", async () => {
      const out = await signedIn();
      const ended = await browser.send("DELETE", SESSION, { headers: { ...out, ...SAME } });
      expect([ended.status, ended.body.data]).toEqual([200, { signedOut: true }]);
      expect(ended.headers.get("set-cookie")).toMatch(/^ringfold_session=; Max-Age=0; Path=\//);
      expect(await statusOf(out)).toBe(401);
      const key = await newKey();
      const revoked = await signedIn(key);
      await admin.send("DELETE", `/api/v1/api-keys/${key.id}`);
      expect(await statusOf(revoked)).toBe(401);
      expect((await browser.send("GET", "/api/v1/calls", { headers: revoked })).status).toBe(401);
      const late = await signedIn();
      await database("update config.sessions set expires_at = now() - interval '1 s' where id = $1", [
        idOf(late.cookie),
      ]);
      expect(await statusOf(late)).toBe(401);
    });

    it("lasts longer while it is used, written at most once a minute, and 7 days in all", async () => {
      const { cookie } = await signedIn();
      const id = idOf(cookie);
      const shift = (created: string, expires: string) =>
        database(
          `update config.sessions set created_at = now() - $2::interval, expires_at = now() + $3::interval where id = $1`,
          [id, created, expires],
        );
      const left = async () => {
        const { body } = await browser.send("GET", SESSION, { headers: { cookie } });
        return (Date.parse(body.data.expiresAt) - Date.now()) / 3_600_000;
      };
      await shift("1 hour", "1 hour");
      expect(await left()).toBeGreaterThan(11.9);
      const written = async () =>
        (await database("select expires_at from config.sessions where id = $1", [id])).rows[0].expires_at;
      const before = await written();
      await left();
      expect(await written()).toEqual(before);
      await shift("166 hours", "1 hour");
      expect(await left()).toBeLessThan(2.01);
    });

    it("carries a stream of events, which is told when it ends", async () => {
      const { cookie } = await signedIn();
      const response = await fetch(`${browser.url}/api/v1/events?after=now`, {
        headers: { cookie, accept: "text/event-stream" },
      });
      let text = "";
      const reading = (async () => {
        for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
      })();
      await eventually("the beginning", () => text.includes(": connected"));
      await database("delete from config.sessions where id = $1", [idOf(cookie)]);
      await reading;
      expect(text).toContain('event: closing\ndata: {"reason":"session_ended"}\n\n');
    });

    it("failed ten times a minute from one address, is asked to wait, and no other address is", async () => {
      const from = (address: string) => ({ "x-forwarded-for": address });
      for (let count = 0; count < 10; count += 1)
        expect((await signIn("wrong", from("203.0.113.7"))).status).toBe(401);
      const { key } = await newKey();
      const waiting = await signIn(key, from("203.0.113.7"));
      expect([waiting.status, waiting.body.error.code]).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
      expect(Number(waiting.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await signIn(key, from("203.0.113.8"))).status).toBe(201);
    });

    it("every answer keeps browsers from guessing what it is, and files from running", async () => {
      for (const path of ["/", "/nowhere", "/health/live", "/api/v1/calls"]) {
        const { headers } = await browser.send("GET", path);
        expect(headers.get("x-content-type-options")).toBe("nosniff");
      }
    });
  });
}
