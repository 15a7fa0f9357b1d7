import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";

describe("webhooks", () => {
  let world: BrowserWorld;
  let receiver: Server;
  let url: string;
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume().on("end", () => response.end("thank you"));
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    world = await openBrowserWorld({ WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" });
  });
  afterAll(async () => {
    await world.stop();
    await new Promise((resolve) => receiver.close(resolve));
  });

  it("sets an endpoint, sends a test, verifies its signature, and judges a request without sending it", async () => {
    const { page, reaches, complaints, axe, close } = await world.visit("/webhooks");
    await reaches("webhooks", "empty");
    await page.locator('[name="url"]').fill("ftp://example.com/");
    await page.getByTestId("save").click();
    await page.locator('main [role="alert"]').waitFor();
    expect(await page.locator('[name="url"]').inputValue()).toBe("ftp://example.com/");
    await page.locator('[name="url"]').fill(url);
    await page.locator('[name="events"][value="campaign.paused"]').check();
    await page.getByTestId("save").click();
    await reaches("webhooks");
    const { data } = (await (await page.request.get("/api/v1/webhook")).json()) as { data: unknown };
    expect(data).toMatchObject({
      url,
      enabled: true,
      events: ["call.started", "call.ended", "campaign.paused"],
    });
    expect(await axe()).toEqual([]);

    await page.getByTestId("send-test").click();
    const signature = page.locator('[data-testid="signature"][data-verified="true"]');
    await signature.waitFor();
    expect(await page.getByTestId("test-status").getAttribute("data-value")).toBe("200");
    expect(await page.getByTestId("test-response").textContent()).toBe("thank you");
    const sent = (await page.getByTestId("test-request").textContent()) ?? "";
    const shown = (await signature.textContent()) ?? "";
    expect(shown).toContain(/X-Service-Timestamp: (\d+)/.exec(sent)?.[1]);
    expect(shown).toContain(/X-Service-Signature: (\S+)/.exec(sent)?.[1]);

    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.postData() ?? ""));
    const box = page.locator('textarea[name="pastedRequest"]');
    const verdict = (verified: boolean) =>
      page.locator(`[data-testid="verdict"][data-verified="${verified}"]`).waitFor();
    await box.fill(sent);
    await page.getByTestId("check-request").click();
    await verdict(true);
    await box.fill(sent.replace('"event"', '"Event"'));
    await page.getByTestId("check-request").click();
    await verdict(false);
    const old = String(Date.now() - 301_000);
    await box.fill(sent.replace(/(X-Service-Timestamp: )\d+/, `$1${old}`));
    await page.getByTestId("check-request").click();
    await page.locator('[data-testid="verdict"][data-value="clock_off"]').waitFor();
    expect(requests.filter((body) => body !== "")).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it("shows the secret, rotates it, and verifies by the new one while the old one signs", async () => {
    const { page, reaches, complaints, axe, close } = await world.visit("/webhooks", {
      colorScheme: "dark",
      locale: "tr-TR",
      viewport: { width: 360, height: 800 },
    });
    await reaches("webhooks");
    const secret = page.getByTestId("secret");
    await page.getByTestId("show-secret").click();
    await page
      .getByTestId("secret")
      .filter({ hasText: /^whsec_[A-Za-z0-9+/]{43}=$/ })
      .waitFor();
    const before = await secret.textContent();
    await page.locator('[name="overlapSeconds"]').selectOption("3600");
    await page.getByTestId("rotate").click();
    await page.getByTestId("overlap").waitFor();
    expect(await secret.textContent()).not.toBe(before);
    const left = Number(await page.getByTestId("overlap").getAttribute("data-value"));
    expect(left).toBeGreaterThan(3_000);
    expect(left).toBeLessThanOrEqual(3_660);
    await page.getByTestId("send-test").click();
    await page.locator('[data-testid="signature"][data-verified="true"]').waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });
});
