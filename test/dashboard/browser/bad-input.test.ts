import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callable } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";

const FORMULA = '=HYPERLINK("http://127.0.0.1/","open")';
const MARKUP = '<img src=x onerror="document.title=1">';
const RIGHT_TO_LEFT = "שרה כהן";
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe("what should not have been sent", () => {
  let world: BrowserWorld;
  let other: Server;
  let elsewhere: string;
  beforeAll(async () => {
    world = await openBrowserWorld();
    await callable(world.service.operator);
    other = createServer((_, response) => {
      response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Another site</title>");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    await world.stop();
    await new Promise((resolve) => other.close(resolve));
  });

  it("takes formulas, markup and names from right to left as the texts that they are", async () => {
    const { page, reaches, axe, complaints, close } = await world.visit("/campaigns/new");
    await reaches("campaign-new");
    const rows = [
      ["+15005550006", MARKUP, FORMULA],
      ["+15005550002", RIGHT_TO_LEFT, "=1+1"],
      ["@SUM(1)", FORMULA, "+1"],
    ];
    const text = ["phone,name,note", ...rows.map((row) => row.map(quoted).join(","))].join("\n");
    const file = { name: "contacts.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
    await page.locator('input[type="file"]').setInputFiles(file);
    const next = () => page.getByTestId("next").click();
    await next();
    await next();
    await page.locator('[name="greetingMessage"]').fill("{{name}}: {{note}}");
    const preview = page.getByTestId("preview");
    await preview.getByText(`${MARKUP}: ${FORMULA}`).waitFor();
    await preview.getByText(`${RIGHT_TO_LEFT}: =1+1`).waitFor();
    await next();
    await next();
    await page.locator('[data-line="4"]').waitFor();
    const [rejected] = await Promise.all([
      page.waitForEvent("download"),
      page.getByTestId("download-rejected").click(),
    ]);
    const lines: string[] = [];
    for await (const chunk of await rejected.createReadStream()) lines.push(String(chunk));
    expect(lines.join("")).toContain(`"'${FORMULA.replaceAll('"', '""')}"`);
    expect(await axe()).toEqual([]);
    await page.getByTestId("create").click();
    await page.waitForURL(/\/campaigns\/cmp_/);
    await reaches("campaign");
    await page.getByText(MARKUP).first().waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    const { body } = await world.service.operator.send("GET", `/api/v1/campaigns/${id}/contacts`);
    const kept = body.data.map(({ name, customData }: { name: string; customData: { note: string } }) => [
      name,
      customData.note,
    ]);
    expect(kept).toEqual([
      [MARKUP, FORMULA],
      [RIGHT_TO_LEFT, "=1+1"],
    ]);
    expect([await page.locator("img[onerror]").count(), await page.title()]).toEqual([
      0,
      "contacts · Campaigns · Ringfold",
    ]);
    expect(complaints).toEqual([]);
    await close();
  });

  it("refuses what another site sends with the cookie of whoever is signed in", async () => {
    const { operator } = world.service;
    const { page, reaches, close } = await world.visit("/campaigns");
    await reaches("campaigns");
    const [{ id }] = (await operator.send("GET", "/api/v1/campaigns")).body.data;
    const stranger = await world.visit("/", { key: "" });
    const attacker = await page.context().newPage();
    await attacker.goto(elsewhere);
    await stranger.page.goto(elsewhere);
    // What a page may send anywhere without being asked first: nothing, or a form.
    for (const [path, body] of [
      [`/api/v1/campaigns/${id}/start`, "null"],
      ["/api/v1/campaigns/import", "new FormData()"],
    ]) {
      const url = `${operator.url}${path}`;
      const sent = `{ method: "POST", mode: "no-cors", credentials: "include", body: ${body} }`;
      const statusFor = async (sender: Page) => {
        const [answer] = await Promise.all([
          sender.waitForResponse(url),
          sender.evaluate(`void fetch(${JSON.stringify(url)}, ${sent})`),
        ]);
        return answer.status();
      };
      expect([path, await statusFor(attacker), await statusFor(stranger.page)]).toEqual([path, 403, 401]);
    }
    await stranger.close();
    const { campaign } = (await operator.send("GET", `/api/v1/campaigns/${id}`)).body.data;
    expect(campaign.status).toBe("PENDING");
    await page.reload();
    await reaches("campaigns");
    await close();
  });
});
