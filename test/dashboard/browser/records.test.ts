import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { callable, endedCall, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";

describe("tools, squads, credits and the event log", () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.stop());

  const read = async (path: string) => (await world.service.operator.send("GET", path)).body.data;

  /** No page goes against the rules, in the light and in the dark. */
  async function isClean({ axeInBothLights, complaints }: Visit) {
    expect(await axeInBothLights()).toEqual([]);
    expect(complaints).toEqual([]);
  }

  it("makes a tool, names its missing secret, and keeps the secret", async () => {
    const visit = await world.visit("/tools");
    const { page, reaches } = visit;
    await reaches("tools", "empty");
    await page.getByTestId("add").click();
    await page.locator('dialog [name="name"]').fill("order_status");
    await page.locator('dialog [name="description"]').fill("Looks an order up");
    await page.locator('dialog [name="config.url"]').fill("https://shop.example.com/orders/{orderId}");
    await page.locator('dialog [name="sampleAnswer"]').fill('{"status":"shipped"}');
    await page.locator('dialog [name="config.headers"]').fill("no colon");
    await page.getByTestId("save").click();
    await page.locator('dialog [role="alert"]').waitFor();
    await page.locator('dialog [name="config.headers"]').fill("Authorization: Bearer {{secrets.SHOP_KEY}}");
    await page.getByTestId("save").click();
    await page.locator('[data-missing-secret="SHOP_KEY"]').waitFor();
    await page.locator('[name="secretName"]').fill("SHOP_KEY");
    await page.locator('[name="value"]').fill("s3cr3t");
    await page.getByTestId("save-secret").click();
    await page.locator('[data-secret="SHOP_KEY"]').waitFor();
    await page.locator('[data-missing-secret="SHOP_KEY"]').waitFor({ state: "detached" });
    await isClean(visit);
    expect(await read("/api/v1/tools")).toMatchObject([
      {
        name: "order_status",
        sampleAnswer: '{"status":"shipped"}',
        config: {
          url: "https://shop.example.com/orders/{orderId}",
          method: "GET",
          headers: { Authorization: "Bearer {{secrets.SHOP_KEY}}" },
        },
      },
    ]);
    await page.getByTestId("remove").click();
    await page.getByTestId("confirm").click();
    await page.locator("[data-tool]").waitFor({ state: "detached" });
    await visit.close();
  });

  it("makes a squad of two with a handoff between them", async () => {
    const { operator } = world.service;
    for (const name of ["Ada", "Bora"])
      await made(operator, "/api/v1/assistants", {
        name,
        greetingMessage: "Hello",
        systemPrompt: "Be kind.",
      });
    const visit = await world.visit("/squads");
    const { page, reaches } = visit;
    await reaches("squads", "empty");
    await page.getByTestId("add").click();
    await page.locator('dialog [name="name"]').fill("Reception");
    await page.getByTestId("create").click();
    await reaches("squad");
    await page.locator('[name="assistantId"]').selectOption({ label: "Ada" });
    await page.getByTestId("add-member").click();
    await page.locator('[data-member][data-entry="true"]').waitFor();
    await page.locator('[name="assistantId"]').selectOption({ label: "Bora" });
    await page.getByTestId("add-member").click();
    await page.locator('[data-member][data-entry="false"]').waitFor();
    await page.getByTestId("add-handoff").click();
    await page.locator('dialog [name="description"]').fill("When it is about an invoice");
    await page.locator('[name="contextMode"]').selectOption("last_n");
    await page.getByTestId("save-handoff").click();
    await page.locator("[data-handoff]").waitFor();
    await page.locator('[data-member][data-entry="false"] [data-testid="make-entry"]').click();
    await page.locator("tr[data-entry=true]", { hasText: "Bora" }).waitFor();
    await isClean(visit);
    const [squad] = await read("/api/v1/squads");
    expect(squad).toMatchObject({ name: "Reception", members: [{}, {}] });
    expect(squad.handoffs).toMatchObject([
      {
        description: "When it is about an invoice",
        contextMode: "last_n",
        contextMaxMessages: 10,
        enabled: true,
      },
    ]);
    await page.goto("/squads");
    await reaches("squads");
    await isClean(visit);
    await visit.close();
  });

  it("shows the events of a call as they happen, and what it cost", async () => {
    const { operator } = world.service;
    const ready = await callable(operator);
    const visit = await world.visit("/events?types=CallRequested");
    const { page, reaches } = visit;
    await reaches("events");
    await page.locator('[data-testid="live"][data-state="live"]').waitFor();
    const { body } = await operator.send("POST", "/api/v1/calls/outbound", {
      body: { ...ready, to: "+15005550006" },
    });
    await page.locator('[data-event="CallRequested"]').waitFor();
    await page.locator('[data-event="CallRequested"] summary').click();
    await page.locator("pre", { hasText: body.callId }).waitFor();
    const call = await endedCall(operator, body.callId);
    await page.locator('[name="types"][value="CallRequested"]').click();
    await page.locator("[data-event]").nth(1).waitFor();
    // An event is one sentence: who was called stands in each.
    await page.goto("/events?types=CallRinging,CallMessageAdded,CallCompleted");
    await reaches("events");
    await page.getByText("Rang +15005550006").waitFor();
    await page.getByText("The assistant spoke to +15005550006").first().waitFor();
    await page.getByText("+15005550006 spoke", { exact: true }).first().waitFor();
    await isClean(visit);
    const account = await eventually("the charge", async () => {
      const told = await read("/api/v1/account");
      return told.balance < 1000 ? told : null;
    });
    expect(account.balance).toBe(1000 - call.cost);
    await page.goto("/credits");
    await reaches("credits");
    await page.locator(`[data-count="balance"][data-value="${account.balance}"]`).waitFor();
    await page.locator('[data-cause="charge"]').waitFor();
    await isClean(visit);
    await page.getByTestId("add").click();
    await page.locator('dialog [name="amount"]').fill("25");
    await page.locator('dialog [name="reference"]').fill("invoice-1");
    await page.getByTestId("save").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    const { balance } = await read("/api/v1/account");
    expect(balance).toBeCloseTo(account.balance + 25, 4);
    await page.locator(`[data-count="balance"][data-value="${balance}"]`).waitFor();
    await visit.close();
  });

  it("makes an owner with a key that is shown once, and changes it", async () => {
    const visit = await world.visit("/users");
    const { page, reaches } = visit;
    await reaches("users");
    await page.getByTestId("add").click();
    await page.locator('dialog [name="name"]').fill("Acme");
    await page.locator('dialog [name="plan.maxConcurrentCalls"]').fill("3");
    await page.locator('dialog [name="credits"]').fill("50");
    await page.getByTestId("create").click();
    const key = await page.locator('dialog [name="key"]').inputValue();
    expect((await world.service.as(key).send("GET", "/api/v1/account")).body.data).toMatchObject({
      balance: 50,
      plan: { maxConcurrentCalls: 3 },
    });
    await page.keyboard.press("Escape");
    await isClean(visit);
    const row = page.locator("[data-user]", { hasText: "Acme" });
    const source = async () =>
      (await world.service.as(key).send("GET", "/api/v1/account")).body.data.plan.source;
    await row.getByTestId("change").click();
    await page.locator('dialog [name="plan.default"]').check();
    await page.getByTestId("save").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await source()).toBe("default");
    await row.getByTestId("change").click();
    await page.locator('dialog [name="name"]').fill("Acme Ltd");
    await page.getByTestId("save").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await source()).toBe("default");
    await row.getByTestId("change").click();
    await page.locator('dialog [name="active"]').uncheck();
    await page.getByTestId("save").click();
    await page.locator('[data-user][data-active="false"]', { hasText: "Acme" }).waitFor();
    expect((await world.service.as(key).send("GET", "/api/v1/account")).status).toBe(401);
    await visit.close();
  });

  it("fits a narrow window, in Turkish too", async () => {
    const { page, reaches, walk, close } = await world.visit("/credits", {
      viewport: { width: 360, height: 720 },
      locale: "tr-TR",
    });
    for (const name of [
      "credits",
      "squads",
      "tools",
      "events",
      "assistants",
      "calls",
      "phone-numbers",
      "users",
      "do-not-call",
    ]) {
      await walk(`/${name}`);
      await page.locator(`main[data-page="${name}"]:not([data-state="loading"])`).waitFor();
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect([name, overflow]).toEqual([name, 0]);
      expect(await page.locator("html").getAttribute("lang")).toBe("tr");
    }
    await reaches("do-not-call", "empty");
    await close();
  });
});
