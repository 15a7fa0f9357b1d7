import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser } from "../../api/support/api-user.ts";
import { campaignBody, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";

const CAMPAIGNS = "/api/v1/campaigns";
const SAYS = "+15005550013";
const BUSY = "+15005550002";
const WIDTHS = [1_280, 390] as const;
const TOO_WIDE =
  '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("dialog[open]"))';

/** Two campaigns one after the other: in the first somebody asks never to be called again. */
describe("who asked on a call never to be called again", () => {
  let world: BrowserWorld;
  let user: ApiUser;
  let assistantId: string;
  let asked: Ran;
  let after: Ran;

  type Ran = { readonly id: string; readonly contactId: string; readonly callId: string };

  beforeAll(async () => {
    world = await openBrowserWorld();
    user = await world.service.newOwner();
    const settings = { optOutDigit: "9", optOutMessage: "Noted. Goodbye." };
    const texts = { name: "Ada", greetingMessage: "Hello, this is Ada.", systemPrompt: "Be kind." };
    assistantId = (await made(user, "/api/v1/assistants", { ...texts, ...settings })).id;
    await user.send("POST", `/api/v1/assistants/${assistantId}/publish`);
    const phoneNumberId = (await made(user, "/api/v1/phone-numbers", { phoneNumber: "+15005550000" })).id;
    const ready = { assistantId, phoneNumberId };
    const contacts = [{ phoneNumber: SAYS, name: "Ayşe Yılmaz" }, { phoneNumber: BUSY }];
    asked = await ran(campaignBody(ready, { name: "Reminders", contacts, retryOn: [] }));
    after = await ran(campaignBody(ready, { name: "Offers", contacts: contacts.slice(0, 1) }));
  });
  afterAll(() => world.stop());

  async function ran(body: object): Promise<Ran> {
    const { id } = (await made(user, CAMPAIGNS, body)).campaign;
    await user.send("POST", `${CAMPAIGNS}/${id}/start`);
    const statusOf = async () => (await user.send("GET", `${CAMPAIGNS}/${id}`)).body.data.campaign.status;
    await eventually("its end", async () => (await statusOf()) === "COMPLETED", 60_000);
    const [contact] = (await user.send("GET", `${CAMPAIGNS}/${id}/contacts`)).body.data;
    return { id, contactId: contact.id, callId: contact.attempts[0]?.callId ?? "" };
  }

  const visit = (path: string, width: number, more: object = {}): Promise<Visit> =>
    world.visit(path, { key: user.key, viewport: { width, height: 900 }, ...more });

  it.each(WIDTHS)(
    "is counted, listed and shown beside their names, then and now, at %i px",
    async (width) => {
      const { page, reaches, axe, complaints, close } = await visit(`/campaigns/${asked.id}`, width);
      await reaches("campaign");
      const figure = page.locator('[data-filter="opted_out"]');
      await figure.locator('[data-count="optedOut"][data-value="1"]').waitFor();
      await figure.click();
      await page.locator(`[data-contact="${asked.contactId}"] [data-testid="opted-out"]`).waitFor();
      expect(await page.locator("[data-contact]").count()).toBe(1);
      await page.locator(`[data-contact="${asked.contactId}"] button`).click();
      const drawer = page.getByTestId("drawer");
      await drawer.locator('[data-testid="why"][data-verdict="reached"]').waitFor();
      expect(await axe()).toEqual([]);
      // nothing covers its head
      await drawer.getByRole("heading", { name: "Ayşe Yılmaz" }).click();
      expect(complaints).toEqual([]);
      const { body } = await user.send("GET", `/api/v1/calls/${asked.callId}`);
      await page.goto(`/campaigns/${asked.id}?at=${body.data.connectedAt}`);
      await reaches("campaign");
      await figure.locator('[data-count="optedOut"][data-value="0"]').waitFor();
      expect(await page.getByTestId("opted-out").count()).toBe(0);
      await close();
    },
  );

  it.each([
    ["en-GB", "somebody asked never to be called again", "Open that call"],
    ["tr-TR", "bir daha aranmamak istendi", "O aramayı aç"],
  ])(
    "is why another campaign does not ring them, with the call one press away: %s",
    async (locale, words, link) => {
      const path = `/campaigns/${after.id}?contact=${after.contactId}`;
      const { page, reaches, close } = await visit(path, 1_280, { locale });
      await reaches("campaign");
      const why = page.locator('[data-testid="why"][data-verdict="suppressed"]', { hasText: words });
      await why.waitFor();
      await page.getByTestId("opt-out-call").filter({ hasText: link }).click();
      await reaches("call");
      expect(new URL(page.url()).pathname).toBe(`/calls/${asked.callId}`);
      await close();
    },
  );

  it.each(WIDTHS)("is told on the call's page, and the words are one press away, at %i px", async (width) => {
    const { page, reaches, axeInBothLights, complaints, close } = await visit(
      `/calls/${asked.callId}`,
      width,
    );
    await reaches("call");
    const { body } = await user.send("GET", `/api/v1/calls/${asked.callId}`);
    const message = page.locator(`[data-message="${body.data.optedOut.messageIndex}"]`);
    await message.getByTestId("opt-out").waitFor();
    expect(await page.getByTestId("opt-out").count()).toBe(1);
    await page.getByTestId("show-opt-out").click();
    await page.locator(`[data-message="${body.data.optedOut.messageIndex}"]:focus`).waitFor();
    await message.getByText("Please never call me again.").waitFor();
    expect(await axeInBothLights()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it.each([
    [1_280, "en-GB", "Asked on the call not to be called again"],
    [390, "tr-TR", "Aramada bir daha aranmamak istedi"],
  ])("is told by the number's page, at %i px, in the reader's words: %s", async (width, locale, reason) => {
    const path = `/numbers/${encodeURIComponent(SAYS)}`;
    const { page, reaches, axe, close } = await visit(path, width, { locale });
    await reaches("number");
    await page.getByText(reason).first().waitFor();
    expect(await page.getByTestId("opt-out-call").count()).toBe(3);
    expect(await axe()).toEqual([]);
    await close();
  });

  it("stands on the list with its call and its history, and is taken off, on a telephone", async () => {
    const locale = "tr-TR";
    const { page, reaches, axeInBothLights, complaints, close } = await visit("/do-not-call", 390, {
      locale,
    });
    await reaches("do-not-call");
    const row = page.locator(`tr[data-number="${SAYS}"]`);
    await row.locator('a[data-source="call"]').waitFor();
    await row.getByText("Aramada bir daha aranmamak istedi").waitFor();
    await row.getByTestId("show-history").click();
    await page.locator('[data-testid="history"] tr[data-action="listed"] a[data-source="call"]').waitFor();
    expect(await axeInBothLights()).toEqual([]);
    await page.keyboard.press("Escape");
    await row.getByTestId("remove").click();
    await page.getByTestId("confirm").waitFor();
    // its words stay within it, though the row that opened it breaks no line
    expect(await page.evaluate(TOO_WIDE)).toBe(0);
    await page.getByTestId("confirm").click();
    await row.waitFor({ state: "detached" });
    expect(await isListed()).toBe(false);
    expect(complaints).toEqual([]);
    await close();
  });

  async function isListed(): Promise<boolean> {
    const { body } = await user.send("GET", `/api/v1/suppressions/${encodeURIComponent(SAYS)}`);
    return body.data.listed;
  }
});
