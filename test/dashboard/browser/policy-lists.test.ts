import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiUser } from "../../api/support/api-user.ts";
import { callable, campaignBody, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";

const LISTS = "/api/v1/suppression-lists";
const NUMBER = (place: number) => `+14155550${String(100 + place)}`;
/** So many that one bad row is no hundredth, and less than four fifths of them are a loss. */
const MANY = 200;

const csv = (rows: readonly string[]) => ({
  name: "register.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(`phone\n${rows.join("\n")}\n`),
});

describe("lists of numbers that nobody calls", () => {
  let world: BrowserWorld;
  let user: ApiUser;
  let visit: Visit;
  let ready: { readonly assistantId: string; readonly phoneNumberId: string };
  beforeAll(async () => {
    world = await openBrowserWorld();
    user = await world.service.newOwner();
    await user.send("PUT", "/api/v1/policy", { body: { oneCallAtATime: false, listMaxAgeDays: 31 } });
    ready = await callable(user);
    visit = await world.visit("/policy", { key: user.key });
  });
  afterAll(() => world.stop());

  const isClean = async () => {
    expect(await visit.axe()).toEqual([]);
    expect(visit.complaints).toEqual([]);
  };
  const loaded = async (): Promise<number[]> =>
    (await user.send("GET", LISTS)).body.data.map(({ count }: { readonly count: number }) => count);

  it("are made, loaded from a dropped file with its rejected rows, and tell their age", async () => {
    const { page, reaches } = visit;
    await reaches("policy");
    await page.getByTestId("no-registry").waitFor();
    await page.getByTestId("add-list").click();
    await page.locator('dialog [name="name"]').fill("National register");
    await page.locator('dialog [name="kind"]').selectOption("registry");
    await page.getByTestId("save-list").click();
    const row = page.locator("[data-list]", { hasText: "National register" });
    await row.locator('[data-state="missing"]').waitFor();
    await row.getByTestId("load").click();
    const rows = Array.from({ length: MANY }, (_, place) => NUMBER(place));
    await page.locator('dialog [name="file"]').setInputFiles(csv([...rows, rows[0] ?? "", "n/a"]));
    await page.locator('dialog [name="asOf"]').fill(daysAgo(40));
    await isClean();
    await page.getByTestId("send").click();
    const report = page.locator(`[data-testid="loaded"][data-value="${MANY}"][data-rejected="1"]`);
    await report.waitFor();
    await report.locator(`[data-line="${MANY + 3}"]`, { hasText: "n/a" }).waitFor();
    expect(await report.textContent()).toContain("Twice in the file: 1.");
    await isClean();
    await page.keyboard.press("Escape");
    await row.locator('[data-state="old"]', { hasText: "40 days old" }).waitFor();
    expect(await page.getByTestId("no-registry").count()).toBe(0);
    expect(await loaded()).toEqual([0, MANY]);
  });

  it("are not replaced by a file with far fewer numbers, unless somebody says so", async () => {
    const { page } = visit;
    const row = page.locator("[data-list]", { hasText: "National register" });
    await row.getByTestId("load").click();
    await page.locator('dialog [name="file"]').setInputFiles(csv([NUMBER(0), NUMBER(1)]));
    await page.getByTestId("send").click();
    await page.locator('dialog [role="alert"]', { hasText: "LIST_SHRINKS" }).waitFor();
    expect(await loaded()).toEqual([0, MANY]);
    await page.locator('dialog [name="force"]').check();
    await isClean();
    await page.getByTestId("send").click();
    await page.locator('[data-testid="loaded"][data-value="2"]').waitFor();
    await page.keyboard.press("Escape");
    await row.locator('[data-state="aged"]').waitFor();
    expect(await loaded()).toEqual([0, 2]);
  });

  it("are told of people in the wizard, with who has no consent, and what the policy adds", async () => {
    await user.send("PUT", "/api/v1/policy", { body: { requireConsent: true, listMaxAgeDays: 31 } });
    const { page, reaches } = visit;
    await page.goto("/campaigns/new");
    await reaches("campaign-new");
    const file = [
      "phone,name,consentSource,consentAt",
      `${NUMBER(0)},On the list,web form,2026-01-02T10:00:00Z`,
      `${NUMBER(7)},Agreed,web form,2026-01-02T10:00:00Z`,
      `${NUMBER(8)},Never asked,,`,
    ];
    await page.locator('input[type="file"]').setInputFiles({
      name: "people.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(file.join("\n")),
    });
    await page.getByTestId("next").click();
    expect(await page.locator('[name="columns.consentAt"]').inputValue()).toBe("consentAt");
    await page.locator('[name="columns.consentSource"]').selectOption("");
    await page.getByTestId("next").click();
    await page.locator('[name="columns.consentSource"][aria-invalid]').waitFor();
    await isClean();
    await page.locator('[name="columns.consentSource"]').selectOption("consentSource");
    await page.getByTestId("next").click();
    await page.getByTestId("next").click();
    await page.locator('[data-testid="policy-adds"] [data-rule="requireConsent"]').waitFor();
    await page.getByTestId("next").click();
    await page.getByTestId("report").waitFor();
    const warned = async (code: string) =>
      (await page.locator(`[data-warning="${code}"]`).textContent()) ?? "";
    expect(await warned("policy_no_consent")).toContain("1 person is not called");
    expect(await warned("policy_on_a_list")).toContain("1 person is not called");
    expect(await page.getByTestId("policy-adds").textContent()).toContain("Only people who agreed");
    await isClean();
    await page.locator('[data-warning="policy_no_consent"] button').click();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("columns.consentSource");
  });

  it("are named where one of their numbers is looked up", async () => {
    const { page, reaches } = visit;
    await page.goto("/do-not-call");
    await reaches("do-not-call", "empty");
    await page.getByTestId("look").click();
    await page.locator('dialog [name="phoneNumber"]').fill(NUMBER(1));
    await page.getByTestId("ask").click();
    await page.locator('[data-testid="on-lists"] li', { hasText: "National register" }).waitFor();
    await page.getByTestId("never-listed").waitFor();
    await isClean();
    await page.locator('dialog [name="phoneNumber"]').fill(NUMBER(50));
    await page.getByTestId("ask").click();
    await page.locator('[data-testid="on-lists"][data-value="0"]').waitFor();
  });

  it("are named where somebody on them is skipped", async () => {
    const { page } = visit;
    const consent = { source: "web form", at: "2026-01-02T10:00:00Z" };
    const contacts = [{ phoneNumber: NUMBER(0), name: "Ece Demir", consent }];
    const { campaign } = await made(user, "/api/v1/campaigns", campaignBody(ready, { contacts }));
    await user.send("POST", `/api/v1/campaigns/${campaign.id}/start`);
    await page.goto(`/campaigns/${campaign.id}`);
    await page.locator("[data-contact] button").click();
    await page
      .getByTestId("drawer")
      .locator('[data-value="suppressed"]', { hasText: "National register" })
      .waitFor();
    await isClean();
  });

  it("are switched off and deleted only after a question", async () => {
    const { page, reaches } = visit;
    await page.goto("/policy");
    await reaches("policy");
    const row = page.locator("[data-list]", { hasText: "National register" });
    await row.getByTestId("switch").click();
    await isClean();
    await page.getByTestId("confirm").click();
    await row.locator('[data-state="off"]').waitFor();
    await page.getByTestId("no-registry").waitFor();
    await row.getByTestId("remove-list").click();
    await page.getByTestId("confirm").click();
    await row.waitFor({ state: "detached" });
    expect(await loaded()).toEqual([0]);
    await isClean();
  });
});

const DAY_MILLIS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MILLIS).toISOString().slice(0, 10);
