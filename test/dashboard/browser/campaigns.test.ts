import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callable, campaignBody, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";

const CONTACTS = 20;
const COUNTS = ["totalContacts", "successfulCalls", "failedCalls", "pendingCalls", "activeCalls"];
/**
 * Which panels moved, or something in them, although nobody touched it; how calls ended is a list by
 * rank, which may change.
 */
const OBSERVE = `globalThis.moved = []; new PerformanceObserver((list) => {
  for (const { sources } of list.getEntries())
    for (const { node } of sources) {
      const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
      const panel = element?.closest("section") ?? null;
      if (panel !== null && panel.querySelector("[data-end-reason]") === null) moved.push(element.outerHTML.slice(0, 200));
    }
}).observe({ type: "layout-shift" })`;
const HOSTILE = '<img src=x onerror="document.title=1">';

describe("campaigns", () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.stop());

  it("says what to do while there is none, then shows each, and finds them by name", async () => {
    const { page, reaches, complaints, axe, close } = await world.visit("/campaigns");
    await reaches("campaigns", "empty");
    const { operator } = world.service;
    const ready = await callable(operator);
    for (const name of [HOSTILE, "حملة الخريف", "Autumn"])
      await made(operator, "/api/v1/campaigns", campaignBody(ready, { name }));
    await reaches("campaigns");
    await page.locator("tr[data-campaign]").nth(2).waitFor();
    expect(await axe()).toEqual([]);
    const names = await page.locator("tr[data-campaign] [data-user-text]").allTextContents();
    expect(names.toSorted()).toEqual([HOSTILE, "Autumn", "حملة الخريف"]);
    await page.locator('input[name="q"]').fill("autumn");
    await expect.poll(() => page.locator("tr[data-campaign]").count()).toBe(1);
    await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("autumn");
    expect(complaints).toEqual([]);
    await close();
  });

  it("nothing of a campaign's page moves while it runs to its end, where it counts what the service counts", async () => {
    const { operator } = world.service;
    const [assistant] = (await operator.send("GET", "/api/v1/assistants")).body.data;
    const [number] = (await operator.send("GET", "/api/v1/phone-numbers")).body.data;
    const ready = { assistantId: String(assistant.id), phoneNumberId: String(number.id) };
    const contacts = Array.from({ length: CONTACTS }, (_, index) => ({
      phoneNumber: `+1500555${String(1_000 + index)}`,
      name: `Name ${index}`,
    }));
    const settings = { contacts, retryOn: [] };
    const { campaign } = await made(operator, "/api/v1/campaigns", campaignBody(ready, settings));
    const path = `/api/v1/campaigns/${campaign.id}`;
    const { page, reaches, complaints, close } = await world.visit(`/campaigns/${campaign.id}`);
    await reaches("campaign");
    await operator.send("POST", `${path}/start`);
    const count = async (name: string) =>
      Number(await page.locator(`[data-count="${name}"]`).getAttribute("data-value"));
    await page.getByTestId("pause").waitFor();
    await page.evaluate(OBSERVE);
    await page
      .locator('[data-testid="campaign-status"][data-value="COMPLETED"]')
      .waitFor({ timeout: 60_000 });
    const { campaign: end } = (await operator.send("GET", path)).body.data;
    expect(end.status).toBe("COMPLETED");
    for (const name of COUNTS)
      await expect.poll(() => count(name), { timeout: 5_000, message: name }).toBe(end[name]);
    expect(await page.evaluate("moved")).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });
});
