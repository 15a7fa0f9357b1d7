import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { callable, endedCall, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";

/** Rings until it is ended. */
const RINGS = "+15005550010";
const TALKS = "+15005550006";

describe("calls", () => {
  let world: BrowserWorld;
  let talked = "";
  beforeAll(async () => {
    world = await openBrowserWorld();
    const ready = await callable(world.service.operator);
    const start = async (to: string) => {
      const { body } = await world.service.operator.send("POST", "/api/v1/calls/outbound", {
        body: { ...ready, to, greetingMessage: "Press 7 to go on.", metadata: { orderId: "4711" } },
      });
      return String(body.callId);
    };
    talked = await start(TALKS);
    await endedCall(world.service.operator, talked);
    await start(RINGS);
  });
  afterAll(() => world.stop());

  it("has the list and one call, nothing against the rules, in both lights", async () => {
    const { page, reaches, axeInBothLights, complaints, close } = await world.visit("/calls");
    await reaches("calls");
    await page.locator(`[data-call="${talked}"]`).waitFor();
    await page.locator('[data-live-call][data-status="ringing"]').waitFor();
    expect(await axeInBothLights()).toEqual([]);
    await page.locator(`[data-call="${talked}"] a`).click();
    await reaches("call");
    await page.locator('[data-testid="transcript"] [data-role="assistant"]').first().waitFor();
    await page.locator('[data-testid="events"] [data-event="CallRinging"]', { hasText: "Rang +" }).waitFor();
    expect(await axeInBothLights()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it("shows every message of a call, its recording and its metadata", async () => {
    const { page, reaches, close } = await world.visit(`/calls/${talked}`);
    await reaches("call");
    const { body } = await world.service.operator.send("GET", `/api/v1/calls/${talked}`);
    await page.locator("[data-message]").first().waitFor();
    expect(await page.locator("[data-message]").count()).toBe(body.data.messages.length);
    await page.locator('[data-role="customer"]', { hasText: "[keys: 7]" }).waitFor();
    await page.locator("audio").waitFor();
    await page.getByText('"orderId": "4711"').first().waitFor();
    await close();
  });

  it("plays the recording from where something was said", async () => {
    const { page, reaches, complaints, close } = await world.visit(`/calls/${talked}`);
    await reaches("call");
    const { body } = await world.service.operator.send("GET", `/api/v1/calls/${talked}`);
    const last = body.data.messages.findLast(({ role }: { role: string }) => role === "assistant");
    const from = last.offsetMs / 1_000;
    expect(from).toBeGreaterThan(0.1);
    await page.locator("audio").waitFor();
    await page.locator(`[data-message="${last.index}"] [data-testid="seek"]`).click();
    const began = () =>
      page.evaluate('(({ played }) => played.length && played.start(0))(document.querySelector("audio"))');
    await expect.poll(began).toBeCloseTo(from, 2);
    expect(complaints).toEqual([]);
    await close();
  });

  it("offers Hang up and Call again to a key that may call, and neither to one that reads", async () => {
    const { operator } = world.service;
    const ready = await callable(operator);
    const { body } = await operator.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to: RINGS } });
    const ringing = String(body.callId);
    const { key } = await made(operator, "/api/v1/api-keys", { name: "Reads", scopes: ["calls:read"] });
    const commandsOf = async (callId: string, options: { readonly key?: string }) => {
      const { page, reaches, close } = await world.visit(`/calls/${callId}`, options);
      await reaches("call");
      await page.getByTestId("call-status").waitFor();
      const shown = await page.getByTestId("hang-up").count();
      const again = await page.getByTestId("call-again").count();
      await close();
      return { "Hang up": shown, "Call again": again };
    };
    expect(await commandsOf(ringing, {})).toEqual({ "Hang up": 1, "Call again": 0 });
    expect(await commandsOf(talked, {})).toEqual({ "Hang up": 0, "Call again": 1 });
    expect(await commandsOf(ringing, { key })).toEqual({ "Hang up": 0, "Call again": 0 });
    expect(await commandsOf(talked, { key })).toEqual({ "Hang up": 0, "Call again": 0 });
    await operator.send("DELETE", `/api/v1/calls/outbound/${ringing}`);
    await endedCall(operator, ringing);
  });

  it("keeps the filter in the URL", async () => {
    const { page, reaches, close } = await world.visit("/calls");
    await reaches("calls");
    await page.locator('select[name="status"]').selectOption("failed");
    await page.waitForURL(/status=failed/);
    await page.locator(`[data-call="${talked}"]`).waitFor({ state: "detached" });
    await page.reload();
    await reaches("calls");
    await page.locator(`[data-call="${talked}"]`).waitFor({ state: "detached" });
    expect(await page.locator('select[name="status"]').inputValue()).toBe("failed");
    await close();
  });

  it("calls again, and hangs up; the page follows", async () => {
    const { page, reaches, complaints, close } = await world.visit("/calls");
    await page.locator('[data-live-call][data-status="ringing"] a').first().click();
    await reaches("call");
    await page.getByTestId("hang-up").click();
    await page.locator('[data-testid="call-status"][data-value="failed"]').waitFor();
    const ended = page.url();
    await page.getByTestId("call-again").click();
    await page.getByTestId("confirm").click();
    await page.waitForURL((url) => url.href !== ended && url.pathname.startsWith("/calls/call_"));
    const callId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { body } = await world.service.operator.send("GET", `/api/v1/calls/${callId}`);
    expect(body.data).toMatchObject({ to: RINGS, metadata: { orderId: "4711" } });
    await page.getByTestId("hang-up").click();
    await eventually("the end of it", async () => {
      const answer = await world.service.operator.send("GET", `/api/v1/calls/${callId}`);
      return answer.body.data.endReason === "canceled";
    });
    expect(complaints).toEqual([]);
    await close();
  });

  it("tells what went wrong, and that there is nothing", async () => {
    const another = await world.service.newOwner();
    const empty = await world.visit("/calls", { key: another.key });
    await empty.reaches("calls", "empty");
    await empty.page.goto(`/calls/${talked}`);
    await empty.reaches("call", "error");
    await empty.page.locator('[role="alert"]').getByText("CALL_NOT_FOUND").waitFor();
    expect(await empty.axe()).toEqual([]);
    await empty.close();
  });
});
