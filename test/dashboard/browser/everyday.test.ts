import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { campaignBody, endedCall, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";
import { englishIn } from "./english-words.ts";

const ASSETS = join(import.meta.dirname, "../../../dashboard/dist/assets");
const HOSTILE = '<img src=x onerror="document.title=1">';
/** A page has come, and has what it asks for after that. */
const SETTLED_MILLIS = 250;
const RIGHT_TO_LEFT = "שרה כהן";

describe("what an owner looks at every day", () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.stop());
  const send: BrowserWorld["service"]["operator"]["send"] = (...given) =>
    world.service.operator.send(...given);
  const read = async (path: string) => (await send("GET", path)).body.data;

  it("leads whoever signs in first to a call that greets by name, and from there to a campaign", async () => {
    const visit = await world.visit("/", { key: "" });
    const { page, reaches, axe, complaints, close } = visit;
    await visit.signIn();
    await reaches("welcome");
    expect(await axe()).toEqual([]);
    await page.locator('[name="name"]').fill("Ayşe");
    await page.locator('[data-greeting="tr"]').click();
    await page.locator('[name="name"]').press("Enter");
    await page.getByTestId("answer").click();
    const greeting = page.locator('[data-testid="first-call"] [data-role="assistant"]');
    await greeting.filter({ hasText: "Merhaba Ayşe, ben Ada." }).waitFor();
    await page.getByTestId("phone-hang-up").click();
    await page.getByTestId("make-campaign").click();
    await reaches("campaign-new");
    expect(new URL(page.url()).searchParams.get("greetingMessage")).toContain("Merhaba {{name}}");
    expect(await read("/api/v1/phone-numbers")).toMatchObject([{ phoneNumber: "+15005550000" }]);
    expect(await read("/api/v1/assistants")).toMatchObject([{ publishedVersion: 1, language: "tr" }]);
    await page.goto("/");
    await reaches("overview");
    await page.locator('[data-count="callsToday"][data-value="1"]').waitFor();
    await page.locator('[data-end-reason="customer_ended"][data-value="1"]').waitFor();
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await withinBudget(page);
    await close();
  });

  /** On the wire, in bytes: the scripts of this page, each page that is loaded later, and all styles. */
  async function withinBudget(page: Page) {
    const loaded = (await page.evaluate(
      `performance.getEntriesByType("resource").map(({ name, encodedBodySize }) => [name, encodedBodySize])`,
    )) as readonly (readonly [string, number])[];
    const scripts = new Map(
      loaded.flatMap(([url, size]) => (url.endsWith(".js") ? [[basename(url), size]] : [])),
    );
    const first = [...scripts.values()].reduce((sum, size) => sum + size, 0);
    expect(scripts.size).toBeGreaterThan(2);
    expect(first).toBeGreaterThan(50_000);
    expect(first).toBeLessThanOrEqual(130_000);
    const files = (await readdir(ASSETS)).filter((file) => file.endsWith(".br"));
    const sizes = await Promise.all(
      files.map(async (file) => ({ file, size: (await stat(join(ASSETS, file))).size })),
    );
    const later = sizes.filter(({ file }) => file.endsWith(".js.br") && !scripts.has(basename(file, ".br")));
    // No page: the numbering plans of all countries, loaded when a number is written in another form.
    const isPlans = (file: string) => file.startsWith("written-number-");
    expect(later.filter(({ file, size }) => size > (isPlans(file) ? 50_000 : 40_000))).toEqual([]);
    const styles = sizes.filter(({ file }) => file.endsWith(".css.br"));
    expect(styles.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(12_500);
  }

  it("makes a connection, checks it, names what uses it, and deletes it", async () => {
    const visit = await world.visit("/connections");
    const { page, reaches, axe, complaints, close } = visit;
    await reaches("connections", "empty");
    await page.getByTestId("add").click();
    await page.locator('dialog [name="kind"]').selectOption("postgres");
    await page.locator('dialog [name="name"]').fill("Our shop");
    await page.locator('dialog [name="settings.host"]').fill("127.0.0.1");
    await page.locator('dialog [name="settings.port"]').fill("1025");
    await page.locator('dialog [name="settings.database"]').fill("shop");
    await page.locator('dialog [name="settings.user"]').fill("reader");
    await page.locator('dialog [name="settings.tls"]').uncheck();
    await page.locator('dialog [name="secrets.password"]').fill("s3cr3t");
    await page.getByTestId("save").click();
    await page.locator('[data-kind="postgres"]').waitFor();
    await page.getByTestId("open-check").click();
    await page.getByTestId("check").click();
    await page.locator('[data-finding="reachable"][data-ok="false"]').waitFor();
    expect(await axe()).toEqual([]);
    const [connection] = await read("/api/v1/connections");
    expect(JSON.stringify(connection)).not.toContain("s3cr3t");
    const config = { connectionId: connection.id, query: "select 1", parameters: {} };
    const tool = { name: "stock", description: "Stock", type: "DATABASE_QUERY", config };
    const { id } = await made(world.service.operator, "/api/v1/tools", tool);
    await page.getByTestId("remove").click();
    await page.getByTestId("confirm").click();
    await page.locator("dialog", { hasText: "CONNECTION_IN_USE" }).waitFor();
    expect(await page.locator("dialog [role=alert]").textContent()).toContain(id);
    await send("DELETE", `/api/v1/tools/${id}`);
    await page.getByTestId("confirm").click();
    await page.locator('[data-kind="postgres"]').waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await close();
  });

  it("tells in Turkish, in both lights and on a narrow screen, on every page, whatever people are called", async () => {
    const { operator } = world.service;
    const ids = await everything();
    const paths = [
      "/",
      "/campaigns",
      "/campaigns/new",
      `/campaigns/${ids.campaign}`,
      `/campaigns/${ids.campaign}?at=${ids.past}`,
      `/campaigns/${ids.campaign}?contact=${ids.contact}`,
      "/numbers",
      "/numbers/+15005550001",
      "/calls",
      `/calls/${ids.call}`,
      "/policy",
      "/do-not-call",
      "/assistants",
      `/assistants/${ids.assistant}`,
      `/assistants/${ids.assistant}/rehearsal`,
      `/assistants/${ids.assistant}/rehearsal?call=${ids.call}`,
      "/squads",
      `/squads/${ids.squad}`,
      "/tools",
      "/phone-numbers",
      "/webhooks",
      "/deliveries",
      "/events",
      "/api-keys",
      "/credits",
      "/connections",
      "/privacy",
      "/users",
      "/welcome",
      "/nothing",
    ];
    const visit = await world.visit("/calls", {
      key: operator.key,
      locale: "tr-TR",
      colorScheme: "dark",
      viewport: { width: 360, height: 740 },
    });
    const { page, axeInBothLights, complaints, close } = visit;
    const english = await englishIn(page);
    const overflow = async (width: number) => {
      await page.setViewportSize({ width, height: 740 });
      return Number(await page.evaluate("document.documentElement.scrollWidth")) - width;
    };
    const findings: unknown[] = [];
    for (const path of paths) {
      await visit.walk(path);
      await page.waitForTimeout(SETTLED_MILLIS);
      await page.locator('main[data-page]:not([data-state="loading"]):not([data-page="session"])').waitFor();
      const images = await page.locator("img[onerror]").count();
      // 640: as wide as a window of 1280 pixels at 200 %.
      const wide = await overflow(640);
      const isElsewhere = path.includes("at=") !== (await page.getByTestId("past").isVisible());
      const faults = await axeInBothLights();
      const found = [...(await english()), ...faults, Number(isElsewhere), images, wide, await overflow(360)];
      if (found.some((each) => each !== 0)) findings.push([path, ...found]);
    }
    expect(findings).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it("finds pages, people and numbers by keyboard, tells why a number was not called, and names every key", async () => {
    const visit = await world.visit("/calls");
    const { page, reaches, axe, complaints, close } = visit;
    await page.keyboard.press("?");
    await page.getByTestId("keys").waitFor();
    expect(await axe()).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.locator('[name="palette"]').fill("שרה");
    await page.locator("[data-item^=ctc_]").waitFor();
    expect(await axe()).toEqual([]);
    await page.keyboard.press("Enter");
    await reaches("campaign");
    await page.getByTestId("drawer").locator("h2", { hasText: RIGHT_TO_LEFT }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.locator('[name="palette"]').fill("+15005550001");
    await page.locator('[data-item="number"]').waitFor();
    await page.keyboard.press("Enter");
    await reaches("number");
    await page.locator('[data-verdict="suppressed"]').waitFor();
    await page.locator('[data-testid="suppression"][data-value="true"]').waitFor();
    const headers = { "Accept-Language": "en" };
    const told = await world.service.operator.send("GET", "/api/v1/numbers/+15005550001", { headers });
    expect(await page.getByTestId("why").first().textContent()).toBe(told.body.data.verdicts[0].sentence);
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await reaches("campaigns");
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.name")).toBe("q");
    expect(complaints).toEqual([]);
    await close();
  });

  it("shows in the drawer what was said, and sends a range of deliveries again after a count", async () => {
    const [{ id }] = await read("/api/v1/campaigns");
    const [{ id: contact }] = await read(`/api/v1/campaigns/${id}/contacts?limit=1`);
    const { page, reaches, axe, complaints, close } = await world.visit(
      `/campaigns/${id}?contact=${contact}`,
    );
    await reaches("campaign");
    await page.getByTestId("said").first().locator("summary").click();
    await page.getByTestId("said").first().locator('[data-role="assistant"]').first().waitFor();
    const reasons = async () => Object.keys((await read(`/api/v1/campaigns/${id}`)).statistics.byEndReason);
    await expect.poll(reasons).not.toEqual([]);
    for (const reason of await reasons()) {
      const told = page.locator(`[data-end-reason="${reason}"]`);
      await told.waitFor();
      expect(await told.textContent()).not.toContain(reason);
    }
    expect(await axe()).toEqual([]);
    await page.goto("/deliveries");
    await reaches("deliveries");
    await page.getByTestId("open-range").click();
    await page.getByTestId("count").click();
    const counted = page.locator('dialog [data-count="events"]');
    await counted.waitFor();
    const count = Number(await counted.getAttribute("data-value"));
    expect(count).toBeGreaterThan(0);
    expect(await axe()).toEqual([]);
    await page.getByTestId("replay-range").click();
    const sent = page.getByTestId("range-replayed");
    await sent.waitFor();
    expect(Number(await sent.getAttribute("data-value"))).toBeGreaterThanOrEqual(count);
    expect(complaints).toEqual([]);
    await close();
  });

  /** Something of each kind, with names that break what is careless. */
  async function everything() {
    const { operator } = world.service;
    const [number] = await read("/api/v1/phone-numbers");
    const [assistant] = await read("/api/v1/assistants");
    await operator.send("PATCH", `/api/v1/assistants/${assistant.id}`, { body: { name: HOSTILE } });
    await operator.send("PATCH", `/api/v1/phone-numbers/${number.id}`, { body: { label: RIGHT_TO_LEFT } });
    const ready = { assistantId: String(assistant.id), phoneNumberId: String(number.id) };
    const squad = await made(operator, "/api/v1/squads", { name: HOSTILE });
    await operator.send("POST", `/api/v1/squads/${squad.id}/members`, {
      body: { assistantId: ready.assistantId },
    });
    await made(operator, "/api/v1/tools", {
      name: "orders",
      description: HOSTILE,
      type: "API_REQUEST",
      config: {
        url: "https://shop.example.com/",
        method: "GET",
        headers: { Authorization: "{{secrets.KEY}}" },
      },
    });
    await made(operator, "/api/v1/connections", {
      kind: "model",
      name: HOSTILE,
      settings: { baseUrl: "http://127.0.0.1:1025/v1", defaultModel: "small" },
      secrets: { apiKey: "x" },
    });
    await operator.send("POST", "/api/v1/suppressions", {
      body: { phoneNumber: "+15005550001", reason: HOSTILE },
    });
    await operator.send("PUT", "/api/v1/policy", {
      body: { oneCallAtATime: false, exceptSingleCalls: true },
    });
    await made(operator, "/api/v1/suppression-lists", { name: HOSTILE, kind: "registry" });
    await made(operator, "/api/v1/api-keys", { name: HOSTILE, scopes: ["calls:read"] });
    await made(operator, "/api/v1/users", { name: RIGHT_TO_LEFT });
    await operator.send("PUT", "/api/v1/webhook", {
      body: { url: "http://127.0.0.1:1025/hook", enabled: true },
    });
    const { campaign } = await made(
      operator,
      "/api/v1/campaigns",
      campaignBody(ready, {
        name: HOSTILE,
        contacts: [
          { phoneNumber: "+15005550006", name: HOSTILE, customData: { [HOSTILE]: RIGHT_TO_LEFT } },
          { phoneNumber: "+15005550001", name: RIGHT_TO_LEFT },
          { phoneNumber: "+15005550002", name: HOSTILE },
        ],
      }),
    );
    await operator.send("POST", `/api/v1/campaigns/${campaign.id}/start`);
    const { callId } = (
      await operator.send("POST", "/api/v1/calls/outbound", {
        body: { ...ready, to: "+15005550006", greetingMessage: HOSTILE, metadata: { note: HOSTILE } },
      })
    ).body;
    await endedCall(operator, callId);
    await eventually("the campaign to begin", async () => {
      const { campaign: now } = await read(`/api/v1/campaigns/${campaign.id}`);
      return now.successfulCalls > 0;
    });
    const [contact] = await read(`/api/v1/campaigns/${campaign.id}/contacts?limit=1`);
    return {
      campaign: campaign.id,
      past: new Date().toISOString(),
      contact: contact.id,
      call: callId,
      assistant: ready.assistantId,
      squad: squad.id,
    };
  }
});
