import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";

describe("API keys", () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.stop());

  const works = async (key: string) =>
    (await world.service.as(key).send("GET", "/api/v1/calls")).status === 200;

  it("makes a key that works, shows it once, and revokes it, in both lights", async () => {
    const { page, reaches, complaints, axeInBothLights, close } = await world.visit("/api-keys");
    await reaches("api-keys");
    await page.getByTestId("create").click();
    await page.locator('main [role="alert"]').first().waitFor();
    const name = "<b>Reports</b>";
    await page.locator('main [name="name"]').fill(name);
    await page.locator('[name="scopes"][value="calls:read"]').check();
    await page.getByTestId("create").click();
    const key = (await page.getByTestId("issued-key").textContent()) ?? "";
    expect(await works(key)).toBe(true);
    const row = page.locator("[data-key]", { hasText: name });
    await row.waitFor();
    expect(await axeInBothLights()).toEqual([]);
    await page.reload();
    await row.waitFor();
    expect(await page.content()).not.toContain(key);

    await row.getByTestId("revoke").click();
    expect(await axeInBothLights()).toEqual([]);
    await page.getByTestId("revoke-confirm").click();
    await row.waitFor({ state: "detached" });
    expect(await works(key)).toBe(false);
    expect(complaints).toEqual([]);
    await close();
  });

  it("names why the last key stays, and is absent for a key that may not see it", async () => {
    const { body } = await world.service.operator.send("POST", "/api/v1/api-keys", {
      body: { name: "Calls only", scopes: ["calls:read"] },
    });
    const other = await world.visit("/", { key: body.data.key });
    expect(await other.page.locator('nav a[href="/api-keys"]').count()).toBe(0);
    await other.close();

    const { page, reaches, complaints, close } = await world.visit("/api-keys", {
      locale: "tr-TR",
      viewport: { width: 360, height: 800 },
    });
    await reaches("api-keys");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await page.getByTestId("revoke").last().click();
    await page.getByTestId("revoke-confirm").click();
    await page.locator('dialog [role="alert"]').nth(1).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
