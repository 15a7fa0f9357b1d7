import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { callable, endedCall } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";

/** Rings until it is ended. */
const RINGS = "+15005550010";
const TALKS = "+15005550006";
const GREETING = "Hello, this is about your parcel.";

describe("personal data", () => {
  let world: BrowserWorld;
  let start: (to: string) => Promise<string>;
  let talked: readonly string[];
  beforeAll(async () => {
    world = await openBrowserWorld();
    const { operator } = world.service;
    const ready = await callable(operator);
    start = async (to) => {
      const body = { ...ready, to, greetingMessage: GREETING };
      return String((await operator.send("POST", "/api/v1/calls/outbound", { body })).body.callId);
    };
    talked = [await start(TALKS), await start(TALKS)];
    for (const callId of talked) await endedCall(operator, callId);
  });
  afterAll(() => world.stop());

  const read = async (path: string) => (await world.service.operator.send("GET", path)).body.data;

  async function isClean({ axe, complaints }: Visit) {
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
  }

  it("erases what was said on a call, from its page", async () => {
    const [callId = ""] = talked;
    const visit = await world.visit(`/calls/${callId}`);
    const { page, reaches } = visit;
    await reaches("call");
    await page.locator("[data-message]").first().waitFor();
    await page.locator("main", { hasText: GREETING }).waitFor();
    await page.getByTestId("erase").click();
    await isClean(visit);
    await page.getByTestId("confirm").click();
    await page.getByTestId("erase").waitFor({ state: "detached" });
    await page.locator("[data-message]").first().waitFor({ state: "detached" });
    await eventually("no word on the page", async () => {
      const shown = (await page.locator("main").textContent()) ?? "";
      return !shown.includes(GREETING) && shown.includes("Erased");
    });
    expect(await read(`/api/v1/calls/${callId}`)).toMatchObject({ erased: true, messages: [] });
    await isClean(visit);
    await visit.close();
  });

  it("erases what was said on all calls to a number, from its page, but not while one goes on", async () => {
    const live = await start(RINGS);
    const visit = await world.visit(`/numbers/${RINGS}`);
    const { page, reaches } = visit;
    await reaches("number");
    await page.getByTestId("erase").click();
    await page.getByTestId("confirm").click();
    await page.locator("dialog [role=alert]", { hasText: "CALL_IS_LIVE" }).waitFor();
    await world.service.operator.send("DELETE", `/api/v1/calls/outbound/${live}`);
    await endedCall(world.service.operator, live);
    await page.getByTestId("confirm").click();
    await page.locator('[data-testid="erased"][data-calls="1"]').waitFor();
    await isClean(visit);
    expect(await read(`/api/v1/calls/${live}`)).toMatchObject({ erased: true });
    await visit.close();
  });

  it("keeps words as many days as it is told, and lists what was erased", async () => {
    const visit = await world.visit("/privacy");
    const { page, reaches } = visit;
    await reaches("privacy");
    await page.locator('[name="phoneNumber"]').fill(TALKS.replace(/^\+1(\d{3})(\d{3})/, "+1 ($1) $2-"));
    await page.getByTestId("erase").click();
    await page.getByTestId("confirm").click();
    await page.locator('[data-kind="phone_number"][data-status="done"]', { hasText: TALKS }).waitFor();
    for (const callId of talked)
      expect(await read(`/api/v1/calls/${callId}`)).toMatchObject({ erased: true });

    await page.locator('[name="contentDays"]').fill("30");
    await page.getByTestId("save").click();
    await isClean(visit);
    await page.getByTestId("confirm").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await read("/api/v1/account")).toMatchObject({ retention: { contentDays: 30 } });
    await page.reload();
    await reaches("privacy");
    expect(await page.locator('[name="contentDays"]').inputValue()).toBe("30");
    // For ever is no erasure, so nobody is asked.
    await page.locator('[name="contentDays"]').fill("");
    await page.getByTestId("save").click();
    await page.locator('[name="contentDays"]:not([data-value])').waitFor();
    expect(await read("/api/v1/account")).toMatchObject({ retention: { contentDays: null } });

    const listed = await page.locator("[data-erasure]").count();
    expect(listed).toBe((await read("/api/v1/erasures")).length);
    await isClean(visit);
    await visit.close();
  });

  it("is not there for a key that may not erase", async () => {
    const { operator } = world.service;
    const body = { name: "Reads", scopes: ["calls:read"] };
    const { key } = (await operator.send("POST", "/api/v1/api-keys", { body })).body.data;
    const { page, reaches, close } = await world.visit(`/calls/${talked[0]}`, { key });
    await reaches("call");
    expect(await page.getByTestId("erase").count()).toBe(0);
    expect(await page.locator('nav a[href="/privacy"]').count()).toBe(0);
    await close();
  });
});
