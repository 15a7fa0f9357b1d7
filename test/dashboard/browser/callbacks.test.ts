import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser, Wire } from "../../api/support/api-user.ts";
import { campaignBody, endedCall, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";

const CAMPAIGNS = "/api/v1/campaigns";
/** Simulated callees: docs/api-by-example.md. */
const ASKS_FOR_A_CALL = "+15005550014";
const BUSY = "+15005550002";
/** The contact's own; neither the browser's nor the campaign's. */
const ZONE = "Pacific/Auckland";
const WIDTHS = [1_280, 390] as const;
const TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/** A paused campaign: one of its people agreed when to be called again, the other waits for a retry. */
describe("a callback that was agreed on a call", () => {
  let world: BrowserWorld;
  let user: ApiUser;
  let ready: { readonly assistantId: string; readonly phoneNumberId: string };
  let campaign: string;
  let asked: Wire;
  let busy: Wire;
  let callId: string;
  /** Hours and minutes of the agreed moment, where the contact is. */
  let there: string;

  beforeAll(async () => {
    world = await openBrowserWorld();
    user = await world.service.newOwner();
    const texts = { name: "Ada", greetingMessage: "Hello, this is Ada.", systemPrompt: "Be kind." };
    const assistant = await made(user, "/api/v1/assistants", { ...texts, language: "en", callback: {} });
    await user.send("POST", `/api/v1/assistants/${assistant.id}/publish`);
    const number = await made(user, "/api/v1/phone-numbers", { phoneNumber: "+15005550000" });
    ready = { assistantId: assistant.id, phoneNumberId: number.id };
    const contacts = [
      { phoneNumber: ASKS_FOR_A_CALL, name: "Ayşe Yılmaz", timezone: ZONE },
      { phoneNumber: BUSY, name: "Ece Demir" },
    ];
    const again = { retryOn: ["busy"], retryIntervalMins: 1_440, timezone: "UTC" };
    campaign = (await made(user, CAMPAIGNS, campaignBody(ready, { name: "Offers", contacts, ...again })))
      .campaign.id;
    await user.send("POST", `${CAMPAIGNS}/${campaign}/start`);
    const people = async () => (await user.send("GET", `${CAMPAIGNS}/${campaign}/contacts`)).body.data;
    const wait = (them: Wire) => them.every(({ status }: Wire) => status === "waiting_retry");
    await eventually("both to wait", async () => wait(await people()), 60_000);
    // so that it is called no sooner than the pages are looked at
    await user.send("POST", `${CAMPAIGNS}/${campaign}/pause`);
    [asked, busy] = await people();
    callId = asked.attempts[0].callId;
    expect([asked.nextAttemptCause, busy.nextAttemptCause]).toEqual(["callback", "retry"]);
    there = new Date(asked.callbackAt).toLocaleTimeString("en-GB", { timeZone: ZONE, timeStyle: "short" });
  }, 120_000);
  afterAll(() => world.stop());

  const visit = (path: string, width: number, more: object = {}): Promise<Visit> =>
    world.visit(path, { key: user.key, viewport: { width, height: 900 }, ...more });

  it.each(WIDTHS)(
    "is counted, listed at the contact's own time, and leads to the call that agreed it, at %i px",
    async (width) => {
      const { page, reaches, axe, axeInBothLights, complaints, close } = await visit(
        `/campaigns/${campaign}`,
        width,
      );
      await reaches("campaign");
      const figure = page.locator('[data-filter="callback"]');
      await figure.locator('[data-count="waitingCallbacks"][data-value="1"]').waitFor();
      await page.locator(`[data-contact="${busy.id}"]`).getByText("Waiting to retry").waitFor();
      await figure.focus();
      await page.keyboard.press("Enter");
      await page.locator(`[data-contact="${busy.id}"]`).waitFor({ state: "detached" });
      expect(new URL(page.url()).searchParams.get("status")).toBe("callback");
      expect(await page.locator("[data-contact]").count()).toBe(1);
      const row = page.locator(`[data-contact="${asked.id}"]`);
      await row.getByText("Waits for a callback").waitFor();
      const at = await row.getByTestId("callback-at").textContent();
      expect(at).toMatch(/^callback at /);
      expect(at).toContain(there);
      // one line: what is called next stands beside the name
      const [name, next] = [row.locator("button"), row.getByTestId("callback-at")];
      const [one, other] = [await name.boundingBox(), await next.boundingBox()];
      expect(other?.x).toBeGreaterThan((one?.x ?? 0) + (one?.width ?? 0));
      // and is whole
      const isCut = "({ parentElement: cell }) => cell.scrollWidth > cell.clientWidth";
      expect(await next.evaluate(`(${isCut})(document.querySelector('[data-testid="callback-at"]'))`)).toBe(
        false,
      );
      expect(await page.getByTestId("export-shown").getAttribute("href")).toMatch(
        /contacts\.csv\?nextAttemptCause=callback$/,
      );
      await page.evaluate("scrollTo(0, 0)");
      expect(await axeInBothLights()).toEqual([]);
      expect(await page.evaluate(TOO_WIDE)).toBe(0);
      await row.locator("button").focus();
      await page.keyboard.press("Enter");
      const agreed = page.getByTestId("drawer").getByTestId("callback");
      await agreed.locator("time", { hasText: ZONE }).waitFor();
      expect(await agreed.locator("time").getAttribute("datetime")).toBe(asked.callbackAt);
      expect(await agreed.locator("time").textContent()).toContain(there);
      expect(await axe()).toEqual([]);
      await agreed.locator("a").focus();
      await page.keyboard.press("Enter");
      await reaches("call");
      expect(new URL(page.url()).pathname).toBe(`/calls/${callId}`);
      const told = page.getByTestId("callback");
      expect(await told.textContent()).toContain(there);
      expect(await told.textContent()).toContain(`(${ZONE})`);
      expect(await axe()).toEqual([]);
      expect(await page.evaluate(TOO_WIDE)).toBe(0);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  it("is not there before it was agreed", async () => {
    const { body } = await user.send("GET", `/api/v1/calls/${callId}`);
    const { page, reaches, close } = await visit(`/campaigns/${campaign}?at=${body.data.connectedAt}`, 1_280);
    await reaches("campaign");
    await page.locator('[data-filter="callback"] [data-value="0"]').waitFor();
    await page.locator(`[data-contact="${asked.id}"]`).waitFor();
    expect(await page.getByTestId("callback-at").count()).toBe(0);
    await close();
  });

  it("is told in Turkish, of a call with no campaign as what it is: noted", async () => {
    const { page, reaches, walk, complaints, close } = await visit(`/campaigns/${campaign}`, 390, {
      locale: "tr-TR",
    });
    await reaches("campaign");
    const row = page.locator(`[data-contact="${asked.id}"]`);
    await row.getByTestId("callback-at").filter({ hasText: "geri arama" }).waitFor();
    await row.getByText("Geri arama bekliyor").waitFor();
    const { callId: single } = (
      await user.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to: ASKS_FOR_A_CALL } })
    ).body;
    await endedCall(user, single);
    await walk(`/calls/${single}`);
    await reaches("call");
    await page.getByTestId("callback").getByText("kendiliğinden arama yapılmaz").waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
