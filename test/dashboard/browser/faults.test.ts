import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callable, endedCall, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";
import { englishIn } from "./english-words.ts";

const TURKISH = { locale: "tr-TR" };

describe("what went wrong, told in Turkish", () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.stop());

  it("names a refused field by its label, and keeps the service's own words as a detail", async () => {
    const { page, reaches, axe, complaints, close } = await world.visit("/phone-numbers", TURKISH);
    await reaches("phone-numbers", "empty");
    const english = await englishIn(page);
    await page.getByTestId("add").click();
    await page.locator('dialog [name="phoneNumber"]').fill("0532");
    await page.getByTestId("save").click();
    const alert = page.locator('dialog [role="alert"]');
    await alert.getByText("Doldurulan bir alan kabul edilmedi.").waitFor();
    expect(await alert.textContent()).toContain("Numara:");
    expect(await alert.locator('[lang="en"]').textContent()).not.toBe("");
    await alert.locator("code", { hasText: "VALIDATION_ERROR" }).waitFor();
    expect(await english()).toEqual([]);
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it("tells what is not there, what is in use, and what a key may not do", async () => {
    const { operator } = world.service;
    const connection = await made(operator, "/api/v1/connections", {
      kind: "postgres",
      name: "Shop",
      settings: { host: "127.0.0.1", port: 1025, database: "shop", user: "reader", tls: false },
      secrets: { password: "x" },
    });
    await made(operator, "/api/v1/tools", {
      name: "stock",
      description: "Stock",
      type: "DATABASE_QUERY",
      config: { connectionId: connection.id, query: "select 1", parameters: {} },
    });
    const { page, reaches, close } = await world.visit("/calls/call_01m85ftn6deybba0ssnvsj1zf1", TURKISH);
    const english = await englishIn(page);
    await reaches("call", "error");
    await page.getByText("Böyle bir arama yok.").waitFor();
    expect(await english()).toEqual([]);
    await page.goto("/connections");
    await page.getByTestId("remove").click();
    await page.getByTestId("confirm").click();
    await page.locator("dialog").getByText("Bağlantı kullanılıyor.").waitFor();
    expect(await english()).toEqual([]);
    await close();
    const { key } = await made(operator, "/api/v1/api-keys", { name: "Okur", scopes: ["calls:read"] });
    const reader = await world.visit("/connections", { ...TURKISH, key });
    await reader.reaches("connections", "error");
    await reader.page.getByText("Bu anahtarın buna izni yok.").waitFor();
    await reader.close();
  });

  it("says why a call is not made, where the service answers with a text alone", async () => {
    const { operator } = world.service;
    const ready = await callable(operator);
    const { body } = await operator.send("POST", "/api/v1/calls/outbound", {
      body: { ...ready, to: "+15005550001" },
    });
    await endedCall(operator, body.callId);
    await operator.send("POST", `/api/v1/assistants/${ready.assistantId}/unpublish`);
    const { page, reaches, close } = await world.visit(`/calls/${body.callId}`, TURKISH);
    await reaches("call");
    await page.getByTestId("call-again").click();
    await page.getByTestId("confirm").click();
    const said = page.locator('dialog [role="alert"] [lang="en"]');
    await said.waitFor();
    expect(await said.textContent()).toMatch(/assistant/i);
    await close();
  });
});
