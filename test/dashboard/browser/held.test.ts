import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "../../api/support/api-user.ts";
import { campaignBody, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";

const CAMPAIGNS = "/api/v1/campaigns";
/** Simulated callees: docs/api-by-example.md. */
const BUSY = "+15005550002";
const ZONE = "Pacific/Auckland";
const FEW_SECONDS = 20_000;

/** A person whose number was dialled today by another campaign, as often as the policy allows. */
describe("a contact that the policy holds", () => {
  let world: BrowserWorld;
  let user: ApiUser;
  let ready: { readonly assistantId: string; readonly phoneNumberId: string };
  let held: Wire;
  let campaign: string;

  const started = async (name: string, contacts: readonly object[]): Promise<string> => {
    const body = campaignBody(ready, { name, contacts, retryOn: [], timezone: "UTC" });
    const { id } = (await made(user, CAMPAIGNS, body)).campaign;
    await user.send("POST", `${CAMPAIGNS}/${id}/start`);
    return id;
  };
  const people = async (id: string): Promise<Wire[]> =>
    (await user.send("GET", `${CAMPAIGNS}/${id}/contacts`)).body.data;

  beforeAll(async () => {
    world = await openBrowserWorld();
    user = await world.service.newOwner();
    const texts = { name: "Ada", greetingMessage: "Hello, this is Ada.", systemPrompt: "Be kind." };
    const assistant = await made(user, "/api/v1/assistants", { ...texts, language: "en" });
    await user.send("POST", `/api/v1/assistants/${assistant.id}/publish`);
    const number = await made(user, "/api/v1/phone-numbers", { phoneNumber: "+15005550000" });
    ready = { assistantId: assistant.id, phoneNumberId: number.id };
    const policy = await user.send("PUT", "/api/v1/policy", { body: { attemptsPerNumber: { day: 1 } } });
    expect(policy.status).toBe(200);
    const person = { phoneNumber: BUSY, name: "Ece Demir", timezone: ZONE };
    const first = await started("Yesterday's offers", [person]);
    await eventually("the first dial", async () => (await people(first))[0]?.status === "failed", 60_000);
    campaign = await started("Offers", [person]);
    await eventually("the hold", async () => (await people(campaign))[0]?.hold !== null, 60_000);
    [held] = await people(campaign);
  }, 120_000);
  afterAll(() => world.stop());

  it.each([
    [
      "en-GB",
      /^held until /,
      "1 held by the policy",
      "was dialled as often as it allows",
      /version 1 of the policy/,
    ],
    [
      "tr-TR",
      /^bekliyor: /,
      "1 kişiyi arama kuralları bekletiyor",
      "izin verildiği kadar arandı",
      /arama kurallarının 1\. sürümü/,
    ],
  ])(
    "is counted, listed with when that ends, and explained, in %s",
    async (locale, until, counted, why, sentence) => {
      const { page, reaches, axe, complaints, close } = await world.visit(`/campaigns/${campaign}`, {
        key: user.key,
        locale,
        timezoneId: "UTC",
      });
      await reaches("campaign");
      await page.getByTestId("note").filter({ hasText: counted }).waitFor({ timeout: FEW_SECONDS });
      const cell = page.locator(`[data-contact="${held.id}"]`).getByTestId("held");
      await cell.waitFor({ timeout: FEW_SECONDS });
      const said = await cell.textContent();
      expect(said).toMatch(until);
      expect(said).toContain(held.hold.until.slice(11, 16));
      expect(await cell.getAttribute("title")).toContain(why);
      const isCut = "({ parentElement: cell }) => cell.scrollWidth > cell.clientWidth";
      expect(await page.evaluate(`(${isCut})(document.querySelector('[data-testid="held"]'))`)).toBe(false);
      await page.locator(`[data-contact="${held.id}"] button`).click();
      const explained = page.locator('[data-testid="why"][data-verdict="held_by_policy"]');
      await explained.waitFor({ timeout: FEW_SECONDS });
      expect(await explained.textContent()).toMatch(sentence);
      expect(await axe()).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  it("is held no more by another version of the policy", async () => {
    const { page, reaches, close } = await world.visit(`/campaigns/${campaign}`, { key: user.key });
    await reaches("campaign");
    const cell = page.getByTestId("held");
    await cell.waitFor({ timeout: FEW_SECONDS });
    await user.send("PUT", "/api/v1/policy", { body: { attemptsPerNumber: { day: 2 } } });
    await cell.waitFor({ state: "detached", timeout: FEW_SECONDS });
    await page.locator(`[data-contact="${held.id}"][data-status="failed"]`).waitFor({ timeout: FEW_SECONDS });
    await close();
  });
});
