import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallId } from "../../../domain/shared/ids.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { type Answer, analyse } from "../../api/support/analysed-call.ts";
import type { ApiUser, Wire } from "../../api/support/api-user.ts";
import { type Callable, campaignBody, endedCall, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";

const CAMPAIGNS = "/api/v1/campaigns";
const TALKS = "+15005550006";
const BUSY = "+15005550002";
const WIDTHS = [1_280, 390] as const;
const OTHER_DATE = "outcome.wants=another date";
const TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/** A campaign whose three people came, want another date, and were busy. */
describe("what calls brought home", () => {
  let world: BrowserWorld;
  let user: ApiUser;
  let ready: Callable;
  let campaign: string;
  let contacts: readonly Wire[];
  /** Before any call was analysed as below. */
  let before: string;

  beforeAll(async () => {
    world = await openBrowserWorld();
    user = await world.service.newOwner();
    const texts = { name: "Ada", greetingMessage: "Hello, this is Ada.", systemPrompt: "Be kind." };
    const assistant = await made(user, "/api/v1/assistants", texts);
    await user.send("POST", `/api/v1/assistants/${assistant.id}/publish`);
    // asked from its next version on: nothing is analysed by itself here
    const wants = { name: "wants", type: "enum", description: "What", values: ["to come", "another date"] };
    const outcome = { fields: [wants], success: { field: "wants", in: ["to come"] } };
    await user.send("PATCH", `/api/v1/assistants/${assistant.id}`, { body: { outcome } });
    const number = await made(user, "/api/v1/phone-numbers", { phoneNumber: "+15005550000" });
    ready = { assistantId: assistant.id, phoneNumberId: number.id };
    const people = [
      { phoneNumber: TALKS, name: "Ayşe Yılmaz" },
      { phoneNumber: TALKS, name: "Cem Kaya" },
      { phoneNumber: BUSY, name: "Ece Demir" },
    ];
    const body = campaignBody(ready, { name: "Reminders", contacts: people, retryOn: [] });
    campaign = (await made(user, CAMPAIGNS, body)).campaign.id;
    await user.send("POST", `${CAMPAIGNS}/${campaign}/start`);
    const record = async () => (await user.send("GET", `${CAMPAIGNS}/${campaign}`)).body.data;
    await eventually("its end", async () => (await record()).campaign.status === "COMPLETED", 60_000);
    contacts = (await user.send("GET", `${CAMPAIGNS}/${campaign}/contacts`)).body.data;
    before = (await user.send("GET", `/api/v1/calls/${callOf(1)}`)).body.data.connectedAt;
    await told(callOf(0), { fields: { wants: "to come" }, enums: ["wants"], success: true });
    await told(callOf(1), {
      fields: { wants: "another date", newTime: "2026-09-03T07:00:00.000Z", reason: null },
      evidence: { wants: [await wordsOf(callOf(1))] },
      unsupported: ["reason"],
      enums: ["wants"],
      summary: "Cem wants another date.",
      success: false,
    });
    await eventually("the figures", async () => (await record()).statistics.outcomes.analysed === 2);
  }, 120_000);
  afterAll(() => world.stop());

  const callOf = (place: number): CallId => contacts[place]?.attempts[0].callId;
  const recordOf = async (callId: string): Promise<Wire> =>
    (await user.send("GET", `/api/v1/calls/${callId}`)).body.data;
  async function told(callId: CallId, answer: Answer): Promise<void> {
    const known = JSON.stringify((await recordOf(callId)).outcome);
    await analyse(world.service, callId, answer);
    await eventually("it", async () => JSON.stringify((await recordOf(callId)).outcome) !== known);
  }
  /** Number of the first message of whoever was called. */
  async function wordsOf(callId: string): Promise<number> {
    const { messages } = await recordOf(callId);
    return messages.find(({ role }: Wire) => role === "customer").index;
  }
  async function called(): Promise<CallId> {
    const { body } = await user.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to: TALKS } });
    await endedCall(user, body.callId);
    return body.callId;
  }
  const visit = (path: string, width: number, more: object = {}): Promise<Visit> =>
    world.visit(path, { key: user.key, viewport: { width, height: 900 }, ...more });

  it.each(WIDTHS)(
    "is counted by value; a value lists its people, who are exported, at %i px",
    async (width) => {
      const { page, reaches, axe, axeInBothLights, complaints, close } = await visit(
        `/campaigns/${campaign}`,
        width,
      );
      await reaches("campaign");
      await page.locator('[data-testid="outcomes"][data-state="ready"]').waitFor();
      await page.locator('[data-brought="success=true"][data-value="1"]').waitFor();
      await page.locator('[data-brought="outcome.wants=to come"][data-value="1"]').waitFor();
      await page.locator("[data-contact]").nth(2).waitFor();
      const value = page.locator(`[data-brought="${OTHER_DATE}"][data-value="1"]`);
      await value.focus();
      await page.keyboard.press("Enter");
      await page.locator(`[data-contact="${contacts[0]?.id}"]`).waitFor({ state: "detached" });
      const row = page.locator("[data-contact]");
      expect(await row.count()).toBe(1);
      expect(await row.getAttribute("data-contact")).toBe(contacts[1]?.id);
      await row.locator('[data-outcome="wants"]', { hasText: "another date" }).waitFor();
      await row.locator('[data-testid="success"][data-value="false"]').waitFor();
      expect(new URL(page.url()).searchParams.get("brought")).toBe(OTHER_DATE);
      // nothing half behind the page's head
      await page.evaluate("scrollTo(0, 0)");
      expect(await axeInBothLights()).toEqual([]);
      expect(await page.evaluate(TOO_WIDE)).toBe(0);
      const href = await page.getByTestId("export-shown").getAttribute("href");
      const file = await user.send("GET", String(href));
      expect([file.status, file.text.trimEnd().split("\n").length]).toEqual([200, 2]);
      expect(file.text).toContain("Cem Kaya");
      await row.locator("button").click();
      const drawer = page.getByTestId("drawer");
      await drawer.locator('[data-testid="brought"] [data-testid="success"][data-value="false"]').waitFor();
      await page.evaluate("scrollTo(0, 0)");
      expect(await axe()).toEqual([]);
      await drawer.locator('[data-proof="wants"]').click();
      await page.getByTestId("proof").waitFor();
      expect(new URL(page.url()).pathname).toBe(`/calls/${callOf(1)}`);
      await page.goBack();
      await page.keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });
      await value.click();
      await page.locator("[data-contact]").nth(2).waitFor();
      expect(await page.getByTestId("export-shown").count()).toBe(0);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  it("is as it stood at the moment of the time bar", async () => {
    const { page, reaches, close } = await visit(`/campaigns/${campaign}?at=${before}`, 1_280);
    await reaches("campaign");
    await page.locator('[data-testid="outcomes"][data-state="empty"]').waitFor();
    expect(await page.locator("[data-outcome]", { hasText: "another date" }).count()).toBe(0);
    await close();
  });

  it("says what failed where it cannot be loaded, and tries again", async () => {
    const { page, reaches, walk, close } = await visit("/calls", 1_280);
    await reaches("calls");
    await page.route("**/statistics?at=*", (route) => route.fulfill({ status: 503, json: {} }));
    await walk(`/campaigns/${campaign}?at=${before}`);
    await page.locator('[data-testid="outcomes"]:is([data-state="loading"], [data-state="error"])').waitFor();
    const failed = page.locator('[data-testid="outcomes"][data-state="error"]');
    await failed.waitFor();
    await page.unroute("**/statistics?at=*");
    await failed.getByRole("button").last().click();
    await page.locator('[data-testid="outcomes"][data-state="empty"]').waitFor();
    await close();
  });

  it.each(WIDTHS)("begins a call's page; a value opens the words that prove it, at %i px", async (width) => {
    const callId = callOf(1);
    const { messages } = await recordOf(callId);
    const index = await wordsOf(callId);
    const { page, reaches, axeInBothLights, complaints, close } = await visit(`/calls/${callId}`, width);
    await reaches("call");
    const card = page.locator('[data-testid="outcome"][data-status="ready"]');
    await card.getByText("Cem wants another date.").waitFor();
    await card.getByText("nothing on the call proves it").waitFor();
    expect(await card.getByTestId("prove").count()).toBe(1);
    const [top, talk] = [await card.boundingBox(), await page.getByTestId("transcript").boundingBox()];
    expect(top?.y).toBeLessThan(talk?.y ?? 0);
    await card.getByTestId("prove").focus();
    await page.keyboard.press("Enter");
    await card.locator(`[data-proves="${index}"]`, { hasText: messages[index].content }).waitFor();
    expect(new URL(page.url()).searchParams.get("proof")).toBe("wants");
    expect(await axeInBothLights()).toEqual([]);
    expect(await page.evaluate(TOO_WIDE)).toBe(0);
    await card.getByTestId("to-transcript").click();
    await page.locator(`[data-message="${index}"]:focus`).waitFor();
    await card.getByTestId("prove").click();
    expect(await card.getByTestId("proof").count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it("tells in the reader's language whether it is none, pending, failed or erased, as it changes", async () => {
    const callId = await called();
    const { page, reaches, axe, complaints, close } = await visit(`/calls/${callId}`, 390, {
      locale: "tr-TR",
    });
    await reaches("call");
    const card = (status: string) => page.locator(`[data-testid="outcome"][data-status="${status}"]`);
    await card("none").getByText("Bu aramadan henüz bir şey sorulmadı.").waitFor();
    // the version with which it began asks for nothing
    await card("none").getByTestId("analyse").click();
    await card("none").getByText("OUTCOME_NOT_CONFIGURED").waitFor();
    await told(callId, "wished");
    await card("pending").getByText("Arama okunuyor").waitFor();
    expect(await card("pending").getByTestId("analyse").isDisabled()).toBe(true);
    await told(callId, "failed");
    await card("failed").locator('[data-failure="not_valid"]', { hasText: "kullanılamadı" }).waitFor();
    expect(await axe()).toEqual([]);
    await told(callId, { fields: { wants: null }, unsupported: ["wants"] });
    await card("ready").locator('[data-field="wants"]').waitFor();
    await user.send("DELETE", `/api/v1/calls/${callId}/content`);
    await card("erased").getByText("Aramanın sözleriyle birlikte silindi.").waitFor();
    expect(await page.getByTestId("analyse").count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it("is asked once more, and a key that only reads is offered nothing", async () => {
    const earlierId = await called();
    await user.send("POST", `/api/v1/assistants/${ready.assistantId}/publish`);
    const callId = await called();
    await eventually("it", async () => (await recordOf(callId)).outcome.status === "ready");
    const first = (await recordOf(callId)).outcome.analysedAt;
    const owner = await visit(`/calls/${callId}`, 1_280);
    await owner.reaches("call");
    await owner.page.getByTestId("analyse").click();
    await eventually("another", async () => (await recordOf(callId)).outcome.analysedAt !== first);
    await owner.page.locator('[data-testid="outcome"][data-status="ready"]').waitFor();
    // this version is the only one that asks
    expect(await owner.page.locator('[name="assistantVersion"]').count()).toBe(0);
    await owner.close();
    // a call of the version that asks for nothing, by what a later one asks for
    const earlier = await visit(`/calls/${earlierId}`, 390);
    await earlier.reaches("call");
    await earlier.page.locator('[name="assistantVersion"]').selectOption({ label: "version 2" });
    expect(await earlier.axe()).toEqual([]);
    await earlier.page.getByTestId("analyse").click();
    await earlier.page.locator('[data-testid="outcome"][data-status="ready"]').waitFor();
    const { body } = await user.send("GET", `/api/v1/calls/${earlierId}/events?limit=200`);
    const wishes = body.data.filter(({ type }: Wire) => type === "CallAnalysisRequested");
    expect(wishes.map(({ data }: Wire) => data.assistantVersion)).toEqual([2]);
    await earlier.close();
    const { key } = await made(user, "/api/v1/api-keys", { name: "Reads", scopes: ["calls:read"] });
    const reader = await visit(`/calls/${callId}`, 1_280, { key });
    await reader.page.locator('[data-testid="outcome"][data-status="ready"]').waitFor();
    expect(await reader.page.getByTestId("analyse").count()).toBe(0);
    await reader.close();
  });

  it.each(WIDTHS)("narrows the list of calls by success and by value, at %i px", async (width) => {
    const { page, reaches, axe, complaints, close } = await visit("/calls", width);
    await reaches("calls");
    await page.locator(`[data-call="${callOf(0)}"]`).waitFor();
    if (width < 700) await page.getByTestId("filters").click();
    await page.locator('[name="success"]').selectOption("true");
    await page.locator(`[data-call="${callOf(1)}"]`).waitFor({ state: "detached" });
    await page.locator(`[data-call="${callOf(0)}"]`).waitFor();
    await page.locator('[name="success"]').selectOption("");
    await page.locator('[name="outcome"]').selectOption("wants");
    await page.locator('[name="value"]').selectOption("another date");
    await page.locator(`[data-call="${callOf(0)}"]`).waitFor({ state: "detached" });
    await page.locator(`[data-call="${callOf(1)}"]`).waitFor();
    expect(await page.locator("[data-call]").count()).toBe(1);
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });
});
