import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callable, endedCall } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";

const PHONE_LINE = "+15005550099";

describe("the telephone in the browser", () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.stop());

  it("rings on every page, is answered on one, and talks, presses keys and hangs up there", async () => {
    const { operator } = world.service;
    const ready = await callable(operator);
    const call = async (): Promise<string> =>
      (await operator.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to: PHONE_LINE } })).body
        .callId;
    const visit = await world.visit("/calls", { viewport: { width: 360, height: 740 }, colorScheme: "dark" });
    const { page, axe, complaints, close } = visit;
    const other = await page.context().newPage();
    await other.goto("/api-keys");
    for (const each of [page, other])
      await each.locator('[data-testid="phone-button"][data-state="open"]').waitFor();

    const callId = await call();
    await other.locator('[data-testid="phone"][data-state="ringing"]').waitFor();
    await page.locator('[data-testid="phone"][data-state="ringing"]').waitFor();
    expect(await axe()).toEqual([]);
    await page.getByTestId("answer").focus();
    await page.keyboard.press("Enter");
    await other.locator('[data-testid="phone"][data-state="taken"]').waitFor();
    await page.locator('[data-testid="phone"] [data-role="assistant"]', { hasText: "Hello, this" }).waitFor();
    await page.locator('[name="said"]').fill("<b>My order</b> 1234, please");
    await page.keyboard.press("Enter");
    await page.locator('[data-role="customer"]', { hasText: "<b>My order</b>" }).waitFor();
    await page.locator('[data-testid="phone"] [data-role="assistant"]').nth(1).waitFor();
    await page.locator('[data-testid="phone"] summary').click();
    await page.locator('[data-digit="5"]').click();
    await page.locator('[data-role="digits"]', { hasText: "5" }).waitFor();
    expect(await axe()).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await page.getByTestId("phone-hang-up").click();
    await page.locator('[data-testid="phone"][data-state="ended"]').waitFor();
    const record = await endedCall(operator, callId);
    expect(record).toMatchObject({ endReason: "customer_ended", answeredBy: "human" });
    expect(record.messages.map(({ content }: { content: string }) => content).join()).toContain(
      "<b>My order</b> 1234, please",
    );

    const declined = await call();
    await other.getByTestId("decline").click();
    await page.locator('[data-testid="phone"] [data-value="declined"]').waitFor();
    expect((await endedCall(operator, declined)).endReason).toBe("declined");
    expect(complaints).toEqual([]);
    await close();
  });

  it("goes on after the page was loaded again", async () => {
    const { operator } = world.service;
    const [assistant] = (await operator.send("GET", "/api/v1/assistants")).body.data;
    const [number] = (await operator.send("GET", "/api/v1/phone-numbers")).body.data;
    const { page, close } = await world.visit("/calls");
    await page.locator('[data-testid="phone-button"][data-state="open"]').waitFor();
    const body = { assistantId: assistant.id, phoneNumberId: number.id, to: PHONE_LINE };
    const { callId } = (await operator.send("POST", "/api/v1/calls/outbound", { body })).body;
    await page.getByTestId("answer").click();
    await page.locator('[data-testid="phone"][data-state="talking"]').waitFor();
    await page.reload();
    await page.locator('[data-testid="phone"][data-state="talking"]').waitFor();
    await page.getByTestId("phone-hang-up").click();
    expect((await endedCall(operator, callId)).endReason).toBe("customer_ended");
    await close();
  });
});
