import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";

describe("signing in", () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.stop());

  it("shows where the key is, and nothing against the rules, in both lights", async () => {
    const { page, reaches, complaints, axeInBothLights, close } = await world.visit("/campaigns", {
      key: "",
    });
    await reaches("sign-in");
    expect(await page.locator("main h1").count()).toBe(1);
    expect(await axeInBothLights()).toEqual([]);
    await page.locator('[name="apiKey"]').fill("va_live_nobody");
    await page.locator('[type="submit"]').click();
    await page.locator('[role="alert"]').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it("says whose page it is before its script has come", async () => {
    const { page, close } = await world.visit("/api-keys");
    await page.route(/\.js$/, (route) => route.abort());
    await page.goto("/");
    expect(await page.locator("#root").textContent()).toBe("Ringfold");
    expect(await page.evaluate("getComputedStyle(document.body).margin")).toBe("0px");
    await close();
  });

  it("asks for the key again once the session has expired, and goes on where one was", async () => {
    const { page, reaches, complaints, walk, close } = await world.visit("/credits");
    await reaches("credits");
    const database = new pg.Client({ connectionString: world.service.databaseUrl });
    await database.connect();
    await database.query("update config.sessions set expires_at = now() - interval '1 second'");
    await database.end();
    // The page may have noticed by itself, and have no links any more.
    await walk("/campaigns");
    await reaches("sign-in");
    await page.locator('[name="apiKey"]').fill(world.service.operator.key);
    await page.keyboard.press("Enter");
    await reaches("campaigns", "empty");
    expect(complaints).toEqual([]);
    await close();
  });

  it("goes in, stays in after a reload, and goes out", async () => {
    const { page, reaches, complaints, signIn, close } = await world.visit("/nowhere", { key: "" });
    await signIn();
    await reaches("not-found", "empty");
    await page.reload();
    await page.getByTestId("sign-out").click();
    await reaches("sign-in");
    expect(complaints).toEqual([]);
    await close();
  });
});
