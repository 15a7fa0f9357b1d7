import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../infrastructure/postgres/embedded/free-port.ts";
import { type DrillFolder, makeDrillFolder } from "../../../simulation/drills/drill-folder.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { type ApiUser, apiUser } from "../../api/support/api-user.ts";
import { loadDocument } from "../../api/support/document.ts";
import { callable, campaignBody, made } from "../../api/support/things.ts";
import { createTestDatabase, type TestDatabase } from "../../support/postgres.ts";
import { type BrowserWorld, built, openBrowser } from "./browser-world.ts";

const START = join(import.meta.dirname, "../../../programs/start.js");
const KEY = "va_live_lasting_0123456789abcdef0123456789";
const TABS = 20;
const OFFLINE_WITHIN = 2_000;
const LIVE_WITHIN = 20_000;
const SIGNED_OUT_WITHIN = 3_500;
const STOPPED_WITHIN = 12_000;

describe("pages that stay open", () => {
  let database: TestDatabase;
  let folder: DrillFolder;
  let port: number;
  let child: ChildProcess;
  let operator: ApiUser;
  let visit: BrowserWorld["visit"];
  let close: () => Promise<void>;
  beforeAll(async () => {
    await built();
    database = await createTestDatabase();
    folder = makeDrillFolder();
    port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    operator = apiUser({ url, document: await loadDocument(), key: KEY });
    await start();
    ({ visit, close } = await openBrowser({ url, operator }));
  });
  afterAll(async () => {
    await close();
    if (child.exitCode === null) child.kill("SIGKILL");
    await database.drop();
    await folder.remove();
  });

  async function start(): Promise<void> {
    child = spawn(process.execPath, [START], {
      env: {
        PATH: process.env["PATH"],
        PORT: String(port),
        DATA_DIR: join(folder.path, "data"),
        DATABASE_URL: database.connectionString,
        SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
        BOOTSTRAP_API_KEY: KEY,
        LOG_LEVEL: "error",
        RATE_LIMIT_PER_SECOND: "0",
        SIMULATOR_SPEED: "50",
      },
      stdio: "ignore",
    });
    await eventually("the service to be ready", async () =>
      operator.send("GET", "/health/ready").then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  }

  const shows = (page: Page, state: string, timeout: number) =>
    page.locator(`[data-testid="live"][data-state="${state}"]`).waitFor({ timeout });
  const countOf = async (page: Page, name: string) =>
    Number(await page.locator(`[data-count="${name}"]`).getAttribute("data-value"));

  it("twenty tabs are live at once; a killed service is told, and caught up with without loss", async () => {
    const ready = await callable(operator);
    const contacts = Array.from({ length: 200 }, (_, index) => ({
      phoneNumber: `+1500555${String(index).padStart(4, "0")}`,
    }));
    const settings = { contacts, maxCallsPerSecond: 5, maxRetries: 1 };
    const { campaign } = await made(operator, "/api/v1/campaigns", campaignBody(ready, settings));
    const path = `/api/v1/campaigns/${campaign.id}`;
    const first = await visit(`/campaigns/${campaign.id}`);
    await first.reaches("campaign");
    const tabs = await Promise.all(
      Array.from({ length: TABS - 1 }, async (_, index) => {
        const tab = await first.page.context().newPage();
        await tab.goto(index === 0 ? `/campaigns/${campaign.id}` : "/api-keys");
        return tab;
      }),
    );
    for (const tab of [first.page, ...tabs]) await shows(tab, "live", LIVE_WITHIN);
    await operator.send("POST", `${path}/start`);
    await expect.poll(() => countOf(first.page, "successfulCalls"), { timeout: 30_000 }).toBeGreaterThan(0);

    child.kill("SIGKILL");
    await once(child, "exit");
    await Promise.all([first.page, ...tabs].map((tab) => shows(tab, "offline", OFFLINE_WITHIN)));
    await start();
    await Promise.all([first.page, ...tabs].map((tab) => shows(tab, "live", LIVE_WITHIN)));
    const before = await countOf(first.page, "successfulCalls");
    await expect
      .poll(() => countOf(first.page, "successfulCalls"), { timeout: 30_000 })
      .toBeGreaterThan(before);
    await operator.send("POST", `${path}/cancel`, { body: { hangUpActiveCalls: true } });
    const end = await eventually("all calls to be over", async () => {
      const { campaign: now } = (await operator.send("GET", path)).body.data;
      return now.activeCalls === 0 ? now : null;
    });
    for (const name of ["successfulCalls", "failedCalls", "pendingCalls", "skippedContacts", "activeCalls"])
      for (const tab of [first.page, tabs[0] ?? first.page])
        await expect.poll(() => countOf(tab, name), { timeout: 20_000, message: name }).toBe(end[name]);
    expect(first.complaints.filter((each) => !each.includes("WebSocket"))).toEqual([]);
    await first.close();
  });

  it.each([
    ["calls:read", "campaigns:read"],
    ["calls:read", "events:read"],
  ])("a key that is revoked is signed out at once, with %s and %s", async (...scopes) => {
    const { id, key } = await made(operator, "/api/v1/api-keys", { name: "short", scopes });
    const { page, reaches, close: leave } = await visit("/calls", { key });
    await reaches("calls");
    if (scopes.includes("events:read")) await shows(page, "live", LIVE_WITHIN);
    await operator.send("DELETE", `/api/v1/api-keys/${id}`);
    await page.locator('main[data-page="sign-in"]').waitFor({ timeout: SIGNED_OUT_WITHIN });
    await leave();
  });

  it("a page says what it cannot ask for; open pages and phones do not hold up a stop", async () => {
    const { page, reaches, close: leave } = await visit("/credits");
    await reaches("credits");
    await shows(page, "live", LIVE_WITHIN);
    await page.route("**/api/v1/phone-numbers**", (route) =>
      route.fulfill({
        status: 503,
        headers: { "X-Request-Id": "req-1234" },
        json: { success: false, error: { code: "SERVICE_UNAVAILABLE", message: "Not now" } },
      }),
    );
    await page.getByRole("link", { name: "Phone numbers" }).click();
    await reaches("phone-numbers", "error");
    const alert = page.locator('main [role="alert"]');
    expect(await alert.textContent()).toContain("SERVICE_UNAVAILABLE · Request req-1234");
    await page.unroute("**/api/v1/phone-numbers**");
    await alert.getByRole("button").click();
    await reaches("phone-numbers");

    const began = performance.now();
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect([code, performance.now() - began < STOPPED_WITHIN]).toEqual([0, true]);
    await shows(page, "offline", OFFLINE_WITHIN);
    await leave();
  });
});
