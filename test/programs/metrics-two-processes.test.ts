import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import { type Program, SERVICE, startProgram } from "../../simulation/drills/program.ts";
import { type ApiUser, apiUser, type Wire } from "../api/support/api-user.ts";
import { loadDocument } from "../api/support/document.ts";
import { callable, campaignBody, endedCall, made } from "../api/support/things.ts";
import { type MetricFamily, parseExposition, problemsOf, sampleValue } from "../support/exposition.ts";
import { createTestDatabase, type TestDatabase } from "../support/postgres.ts";
import { PROMTOOL, promtool } from "../support/promtool.ts";

const CARRIER = join(import.meta.dirname, "../../programs/carrier.ts");
const PATIENCE = 120_000;

describe("the metrics of two processes", () => {
  const key = randomBytes(24).toString("hex");
  const programs: Program[] = [];
  let folder: string;
  let database: TestDatabase;
  let urls: readonly string[];
  let users: readonly ApiUser[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ringfold-metrics-"));
    database = await createTestDatabase();
    const begun = (file: string, env: Readonly<Record<string, string>>) => {
      const program = startProgram(file, env, join(folder, "log"));
      programs.push(program);
      return program.listening;
    };
    const carrier = await begun(CARRIER, {
      SIMULATOR_PORT: "0",
      SIMULATOR_DATA_DIR: join(folder, "carrier"),
      SIMULATOR_SPEED: "100",
    });
    const env = {
      PORT: "0",
      DATABASE_URL: database.connectionString,
      SECRETS_KEY: randomBytes(32).toString("base64"),
      BOOTSTRAP_API_KEY: key,
      SIMULATOR_URL: carrier,
      LOG_LEVEL: "warn",
    };
    const first = await begun(SERVICE, { ...env, DATA_DIR: join(folder, "first") });
    urls = [first, await begun(SERVICE, { ...env, DATA_DIR: join(folder, "second") })];
    const document = await loadDocument();
    users = urls.map((url) => apiUser({ url, document, key }));
    await eventually("both to be ready", () => bothReady(), PATIENCE);
  }, PATIENCE);
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }, PATIENCE);

  async function bothReady(): Promise<boolean> {
    const answers = await Promise.all(urls.map((url) => fetch(`${url}/health/ready`)));
    return answers.every(({ status }) => status === 200);
  }

  const pages = () =>
    Promise.all(
      urls.map(
        async (url): Promise<readonly MetricFamily[]> =>
          parseExposition(await (await fetch(`${url}/metrics`)).text()),
      ),
    );
  /** Of the process's own: both together. */
  const together = async (name: string, labels: Readonly<Record<string, string>> = {}) =>
    (await pages()).reduce((sum, page) => sum + sampleValue(page, name, labels), 0);
  /** Of the installation: what each of them says. */
  const each = async (name: string, labels: Readonly<Record<string, string>> = {}) =>
    (await pages()).map((page) => sampleValue(page, name, labels));

  it(
    "count each dial and each end once, and the work of the installation alike",
    async () => {
      const [one, other] = users;
      if (one === undefined || other === undefined) throw new Error("there are two");
      const ready = await callable(one);
      const singles = await Promise.all(
        ["+15005550006", "+15005550002", "+15005550004", "+15005550001"].map((to, index) =>
          (index % 2 === 0 ? one : other).send("POST", "/api/v1/calls/outbound", { body: { ...ready, to } }),
        ),
      );
      for (const { body } of singles) await endedCall(one, body.callId);
      const numbers = ["+15005550002", "+15005550003", "+15005550006"];
      const contacts = numbers.map((phoneNumber) => ({ phoneNumber }));
      const made1 = await made(one, "/api/v1/campaigns", campaignBody(ready, { contacts, retryOn: [] }));
      await made(one, "/api/v1/campaigns", campaignBody(ready));
      await other.send("POST", `/api/v1/campaigns/${made1.campaign.id}/start`);
      await eventually("the campaign's end", async () => {
        const { body } = await one.send("GET", `/api/v1/campaigns/${made1.campaign.id}`);
        return body.data.campaign.status === "COMPLETED";
      });
      const calls = await eventually("the rows of all ended calls", async () => {
        const { body } = await one.send("GET", "/api/v1/calls");
        const rows: readonly Wire[] = body.data;
        return rows.length >= 7 && rows.every(({ endedAt }) => endedAt !== null) ? rows : null;
      });
      expect(calls).toHaveLength(7);
      expect(await together("ringfold_dials_total")).toBe(7);
      expect(await together("ringfold_calls_ended_total")).toBe(7);
      for (const { endReason } of calls) {
        const such = calls.filter((call) => call.endReason === endReason).length;
        expect(await together("ringfold_calls_ended_total", { end_reason: endReason })).toBe(such);
      }
      await eventually("the last look to be stale", async () => {
        const completed = await each("ringfold_campaigns", { state: "COMPLETED" });
        return completed.every((count) => count === 1);
      });
      expect(await each("ringfold_campaigns", { state: "PENDING", pause_reason: "" })).toEqual([1, 1]);
      const { body: account } = await one.send("GET", "/api/v1/account");
      const { available } = account.data;
      expect(await each("ringfold_credits_available")).toEqual([available, available]);
      expect(await each("ringfold_credits_reserved")).toEqual([0, 0]);
      expect(await each("ringfold_call_slots_limit")).toEqual([10, 10]);
      expect(await each("ringfold_database_up")).toEqual([1, 1]);
    },
    PATIENCE,
  );

  it(
    "say who waits for a call, at the process that runs the campaign, and what is held meanwhile",
    async () => {
      const [one] = users;
      if (one === undefined) throw new Error("there are two");
      const ready = await callable(one);
      // The first answers and never hangs up; nobody else is called meanwhile.
      const contacts = ["+15005550011", "+15005550006"].map((phoneNumber) => ({ phoneNumber }));
      const body = campaignBody(ready, { contacts, maxConcurrentCalls: 1 });
      const { campaign } = await made(one, "/api/v1/campaigns", body);
      await one.send("POST", `/api/v1/campaigns/${campaign.id}/start`);
      await eventually("somebody to wait", async () => {
        const ages = await each("ringfold_oldest_due_contact_age_seconds");
        return Math.max(...ages) > 1;
      });
      const ages = await each("ringfold_oldest_due_contact_age_seconds");
      expect(ages.filter((age) => age > 0)).toHaveLength(1);
      expect(Math.max(...ages)).toBeLessThan(60);
      expect(await each("ringfold_active_calls")).toEqual([1, 1]);
      expect(await each("ringfold_credits_reserved")).toEqual([1, 1]);
      await one.send("POST", `/api/v1/campaigns/${campaign.id}/pause`);
      await eventually("nobody to wait, and one campaign paused", async () => {
        const waiting = await together("ringfold_oldest_due_contact_age_seconds");
        const paused = await each("ringfold_campaigns", { state: "PAUSED", pause_reason: "manual" });
        return waiting === 0 && paused.every((count) => count === 1);
      });
    },
    PATIENCE,
  );

  it("have no more series for requests that make no sense, and pass the rules of Prometheus", async () => {
    const [url] = urls;
    const series = async () => {
      const [page] = await pages();
      const http = page?.filter(({ name }) => name.startsWith("ringfold_http_")) ?? [];
      return http.flatMap(({ samples }) => samples).length;
    };
    const senseless = async () => {
      for (let index = 0; index < 60; index += 1) {
        const path = `${url}/${randomBytes(9).toString("hex")}?${index}`;
        await fetch(index % 2 === 0 ? path : `${url}/api/v1/campaigns/${index}`);
      }
    };
    await senseless();
    const before = await series();
    await senseless();
    expect(await series()).toBe(before);
    for (const page of await pages()) expect(page.flatMap(problemsOf)).toEqual([]);
    const text = await (await fetch(`${url}/metrics`)).text();
    if (PROMTOOL !== null) expect(promtool(["check", "metrics"], text)).toBe("");
  });
});
