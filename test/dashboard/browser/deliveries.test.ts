import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";

describe("deliveries", () => {
  let world: BrowserWorld;
  let receiver: Server;
  let answer = 500;
  let received: string[] = [];
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += String(chunk);
      });
      request.on("end", () => {
        received.push(body);
        response.statusCode = answer;
        response.end("<i>no</i>");
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    world = await openBrowserWorld();
  });
  afterAll(async () => {
    await world.stop();
    await new Promise((resolve) => receiver.close(resolve));
  });

  it("shows attempts and what came back, filters in its URL, and sends one again, in both lights", async () => {
    const { operator, newOwner } = world.service;
    const owner = await newOwner();
    expect(owner).not.toBe(operator);
    const visit = await world.visit("/deliveries", { key: owner.key });
    const { page, reaches, complaints, axeInBothLights, close } = visit;
    await reaches("deliveries", "empty");
    expect(await axeInBothLights()).toEqual([]);

    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    await owner.send("PUT", "/api/v1/webhook", { body: { url, enabled: true } });
    answer = 500;
    received = [];
    await owner.send("POST", "/api/v1/webhook/test", { body: { event: "call.ended" } });
    await page.reload();
    await reaches("deliveries");
    await page.locator("[data-delivery] button").first().click();
    await page.waitForURL(/id=dlv_/);
    const attempt = page.locator('[data-attempt="1"][data-class="refused"]');
    await attempt.waitFor();
    expect(await attempt.textContent()).toContain("<i>no</i>");
    expect(await axeInBothLights()).toEqual([]);

    answer = 200;
    await page.getByTestId("replay").click();
    const replayed = page.locator('[data-testid="replayed"]:not([data-value=""])');
    await replayed.waitFor();
    const id = await replayed.getAttribute("data-value");
    // The same event once more at the receiver, now taken.
    await expect.poll(() => received.length).toBe(2);
    const [first, second] = received.map((body) => JSON.parse(body));
    expect(second).toEqual(first);
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(page.url()).not.toContain("id=");
    await page.locator(`[data-delivery="${id}"][data-status="delivered"]`).waitFor();

    await page.locator('[name="status"]').selectOption("delivered");
    await page.waitForURL(/status=delivered/);
    await page.locator("[data-delivery]").nth(1).waitFor({ state: "detached" });
    expect(await page.locator("[data-delivery]").getAttribute("data-delivery")).toBe(id);
    expect(complaints).toEqual([]);
    await close();
  });
});
