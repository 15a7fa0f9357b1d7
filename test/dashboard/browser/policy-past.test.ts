import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser } from "../../api/support/api-user.ts";
import { callable, campaignBody, endedCall, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";

const TALKS = "+15005550006";
const TELEPHONE = { width: 390, height: 844 };

/** The number was dialled by a single call, then by a campaign, before anybody limited that. */
describe("a policy that is held against the past", () => {
  let world: BrowserWorld;
  let user: ApiUser;
  let campaign: string;
  let contact: string;
  beforeAll(async () => {
    world = await openBrowserWorld();
    user = await world.service.newOwner();
    const ready = await callable(user);
    const call = await user.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to: TALKS } });
    await endedCall(user, call.body.callId);
    const contacts = [{ phoneNumber: TALKS, name: "Ece Demir" }];
    campaign = (await made(user, "/api/v1/campaigns", campaignBody(ready, { contacts }))).campaign.id;
    await user.send("POST", `/api/v1/campaigns/${campaign}/start`);
    const people = `/api/v1/campaigns/${campaign}/contacts`;
    await eventually("the campaign's dial", async () => {
      const [one] = (await user.send("GET", people)).body.data;
      contact = one.id;
      return one.status === "succeeded";
    });
  }, 120_000);
  afterAll(() => world.stop());

  it("as it is typed, before it is saved: counts what broke a rule, and leads to its Why", async () => {
    const visit = await world.visit("/policy", { key: user.key, viewport: TELEPHONE });
    const { page, reaches, axe, complaints, close } = visit;
    await reaches("policy");
    await page.locator('[name="attemptsPerNumber.on"]').check();
    await page.locator('[name="attemptsPerNumber.day"]').fill("1");
    await page.locator('main [name="policy"]').selectOption("typed");
    await page.getByTestId("verify").click();
    const found = page.locator('[data-testid="verification"][data-status="done"][data-violations="1"]');
    await found.waitFor();
    expect(await found.textContent()).toContain("2 dials judged, 1 violation.");
    await found.locator('[data-rule="attemptsPerNumber"]', { hasText: "at most 1 time a day" }).waitFor();
    const violation = found.locator('[data-violation="attemptsPerNumber"]', { hasText: TALKS });
    await violation.waitFor();
    expect(await found.getByTestId("violations-csv").getAttribute("href")).toMatch(
      /pvf_\w+\/violations\.csv$/,
    );
    const wide = Number(await page.evaluate("document.documentElement.scrollWidth"));
    expect([await axe(), complaints, wide]).toEqual([[], [], TELEPHONE.width]);
    // Nothing was saved by it.
    expect((await user.send("GET", "/api/v1/policy")).body.data.version).toBe(0);
    await violation.locator("a").click();
    await reaches("campaign");
    const asked = new URL(page.url());
    expect([asked.pathname, asked.searchParams.get("contact")]).toEqual([`/campaigns/${campaign}`, contact]);
    await page.locator('[data-testid="why"][data-verdict]').waitFor();
    await page.locator('[data-testid="evidence"][data-type="ContactDialed"]').waitFor();
    await close();
  });

  it("as it was in force broke nothing, is listed with the others, and can be shared", async () => {
    const visit = await world.visit("/policy", { key: user.key, locale: "tr-TR" });
    const { page, reaches, axe, complaints, close } = visit;
    await reaches("policy");
    await page.getByTestId("verify").click();
    await page.locator('[data-testid="verification"][data-status="done"][data-violations="0"]').waitFor();
    await page.locator("[data-verification]").nth(1).waitFor();
    await page.locator("[data-verification]").nth(1).getByTestId("open-verification").click();
    const typed = page.locator('[data-testid="verification"][data-violations="1"]');
    await typed.locator('[data-violation="attemptsPerNumber"]').waitFor();
    expect([await axe(), complaints]).toEqual([[], []]);
    await page.reload();
    await typed.waitFor();
    await close();
  });
});
