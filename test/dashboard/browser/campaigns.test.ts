import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callable, campaignBody, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";

const HOSTILE = '<img src=x onerror="document.title=1">';

describe("the list of campaigns", () => {
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
});
