import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callable } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";

const csv = (text: string, name = "mayıs.csv") => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(text),
});

const NAMES = ["Ayşe", "שרה", "José"];
const FILE = `Telefon;İsim;name;date
05321112233;x;${NAMES[0]};2 Mayıs
0532 111 22 34;x;${NAMES[1]};
+905321112235;x;${NAMES[2]};4 Mayıs
9.05E+11;x;Nobody;5 Mayıs
123;x;Nobody;6 Mayıs
`;

describe("a new campaign from a file", () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
    await callable(world.service.operator);
  });
  afterAll(() => world.stop());

  const choose = async ({ page }: Visit, file: ReturnType<typeof csv>) => {
    await page.locator('input[type="file"]').setInputFiles(file);
  };
  /** Made in the page: so many bytes need not come there through the test. */
  const chooseLarge = ({ page }: Visit, name: string, bytes: number) =>
    page.evaluate(`(() => {
      const chosen = new DataTransfer();
      chosen.items.add(new File(["x".repeat(${bytes})], ${JSON.stringify(name)}, { type: "text/csv" }));
      const input = document.querySelector('input[type="file"]');
      input.files = chosen.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    })()`);
  const next = ({ page }: Visit) => page.getByTestId("next").click();
  const value = async ({ page }: Visit, name: string) =>
    Number(await page.locator(`[data-testid="report"] [data-count="${name}"]`).getAttribute("data-value"));
  const listed = async () => {
    const { body } = await world.service.operator.send("GET", "/api/v1/campaigns");
    return body.data as readonly Record<string, unknown>[];
  };

  it("goes from the file to a running campaign, and shows each contact's texts and each rejected line", async () => {
    const visit = await world.visit("/campaigns/new");
    const { page, reaches, axe, complaints, close } = visit;
    await reaches("campaign-new");
    await next(visit);
    await page.locator('main [role="alert"]').waitFor();
    await choose(visit, csv(FILE));
    // What is wrong with it is told at once, before anything else is asked.
    await page.locator('[data-testid="file-trial"][data-rejected="4"]').waitFor();
    await page.locator('[data-testid="file-trial"] [data-line="5"]').waitFor();
    expect(await axe()).toEqual([]);
    await next(visit);
    await page.getByTestId("spreadsheet-number").waitFor();
    await page.getByTestId("needs-country").waitFor();
    expect(await page.locator('[name="columns.phone"]').inputValue()).toBe("Telefon");
    await page.locator('[name="defaultCountry"]').selectOption("TR");
    expect(await axe()).toEqual([]);
    await next(visit);

    await page.locator('[name="greetingMessage"]').fill("Merhaba {{name}}, {{date}} günü {{saat}}");
    const preview = page.getByTestId("preview");
    await preview.getByText("Merhaba Ayşe, 2 Mayıs günü").waitFor();
    await preview.locator("li", { hasText: "שרה" }).locator('[data-unfilled="date"]').waitFor();
    expect(await preview.locator('li [data-unfilled="saat"]').count()).toBe(4);
    expect(await page.locator('[name="name"]').inputValue()).toBe("mayıs");
    expect(await axe()).toEqual([]);
    await next(visit);

    await page.locator('[name="maxRetries"]').fill("two");
    const said = await page.getByTestId("hours").textContent();
    expect(said).toContain("9:00 to 20:00");
    await next(visit);
    await page.locator('main [role="alert"]').first().waitFor();
    // It leads to the field, which is marked.
    await page.locator('[data-lead="maxRetries"]').click();
    expect(await page.locator('[name="maxRetries"]').inputValue()).toBe("two");
    expect(await page.locator('[name="maxRetries"]').getAttribute("aria-invalid")).toBe("true");
    expect(await page.evaluate("document.activeElement.name")).toBe("maxRetries");
    await page.locator('[name="maxRetries"]').fill("1");
    expect(await page.locator('[name="maxRetries"]').getAttribute("aria-invalid")).toBeNull();
    expect(await axe()).toEqual([]);
    await next(visit);

    await page.getByTestId("report").waitFor();
    expect([await value(visit, "accepted"), await value(visit, "rejected")]).toEqual([3, 2]);
    await page.locator('[data-line="5"][data-reason="spreadsheet_number"]').waitFor();
    expect(await page.locator("[data-line]").count()).toBe(2);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByTestId("download-rejected").click(),
    ]);
    expect(file.suggestedFilename()).toBe("rejected.csv");
    const warned = page.locator('[data-warning="placeholder_unfilled"]');
    expect(await warned.textContent()).toContain("{{saat}} (3)");
    // A warning leads to the text that it is about.
    await warned.locator("button").click();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("greetingMessage");
    await next(visit);
    await next(visit);
    await page.getByTestId("estimate").getByText("That takes about").waitFor();
    expect(await page.getByTestId("create-and-start").textContent()).toBe("Start calling 3 people");
    expect(await page.getByTestId("hours").textContent()).toBe(said);
    expect(await axe()).toEqual([]);
    await page.getByTestId("create-and-start").click();
    await page.waitForURL(/\/campaigns\/cmp_/);
    const [campaign, ...others] = await listed();
    expect(others).toEqual([]);
    expect(campaign).toMatchObject({
      name: "mayıs",
      totalContacts: 3,
      maxRetries: 1,
      callWindowStart: 9,
      callWindowEnd: 20,
      callWindowDays: [1, 2, 3, 4, 5],
    });
    expect(campaign?.["retryOn"]).not.toContain("declined");
    expect(campaign?.["startedAt"]).not.toBeNull();
    expect(complaints).toEqual([]);
    await close();
  });

  it("plans other waits by the end of a call, by keys alone, and leads to the row that is refused", async () => {
    const visit = await world.visit("/campaigns/new");
    const { page, reaches, axe, complaints, close } = visit;
    await reaches("campaign-new");
    await choose(visit, csv("phone,name\n+905321112233,Ada\n", "plan.csv"));
    await page.getByText("plan.csv").waitFor();
    for (let step = 0; step < 3; step += 1) await next(visit);
    const focused = () => page.evaluate("document.activeElement.name + '=' + document.activeElement.value");

    await page.getByTestId("add-row").focus();
    await page.keyboard.press("Enter");
    // The row is for the first end that none names; the focus is in it.
    await expect.poll(focused).toBe("retryPlan.0.endReasons=busy");
    expect(await page.locator('[name="retryPlan.0.endReasons"][value="busy"]').isChecked()).toBe(true);
    for (const _end of Array.from({ length: 7 })) await page.keyboard.press("Tab");
    expect(await focused()).toBe("retryPlan.0.afterMins=");
    await page.keyboard.type("10, soon");

    await page.getByTestId("add-row").focus();
    await page.keyboard.press("Space");
    await expect.poll(focused).toBe("retryPlan.1.endReasons=no_answer");
    expect(await page.locator('[name="retryPlan.0.endReasons"][value="no_answer"]').count()).toBe(0);
    await page.locator('[name="retryPlan.1.afterMins"]').fill("60");
    await page.locator('[name="retryPlan.1.sameDay"]').focus();
    await page.keyboard.press("Space");
    expect(await page.locator('[data-row="1"] [role="alert"]').count()).toBe(0);
    for (const day of [6, 7]) await page.locator(`[name="callWindowDays"][value="${day}"]`).check();
    await page.locator('[name="anyHour"]').check();
    await page.locator('[data-row="1"] [role="alert"]').waitFor();
    await page.locator('[name="anyHour"]').uncheck();
    await page.locator('[data-row="1"] [role="alert"]').waitFor({ state: "detached" });
    expect(await axe()).toEqual([]);

    // Whoever is not called again after an end has no row for it.
    await page.getByTestId("add-row").click();
    await page.locator('[name="retryPlan.2.endReasons"][value="unreachable"]:checked').waitFor();
    await page.locator('[name="retryOn"][value="unreachable"]').uncheck();
    await page.locator('[data-row="2"]').waitFor({ state: "detached" });

    await next(visit);
    await page.locator('[data-lead="retryPlan.0.afterMins"]').click();
    await page.locator('[name="retryPlan.0.afterMins"][aria-invalid="true"]').waitFor();
    await expect.poll(focused).toBe("retryPlan.0.afterMins=10, soon");
    await page.locator('[name="retryPlan.0.afterMins"]').fill("10, 30");
    expect(await page.locator('[name="retryPlan.0.afterMins"]').getAttribute("aria-invalid")).toBeNull();
    await next(visit);
    await page.getByTestId("create").click();
    await page.waitForURL(/\/campaigns\/cmp_/);
    expect((await listed())[0]?.["retryPlan"]).toEqual([
      { endReasons: ["busy"], afterMins: [10, 30], sameDay: true },
      { endReasons: ["no_answer"], afterMins: [60], sameDay: false },
    ]);
    const plan = page.getByTestId("plan").locator("li");
    await plan.filter({ hasText: "10, then 30 minutes later" }).waitFor();
    await plan.filter({ hasText: "on a later day, 60 minutes later at the earliest" }).waitFor();
    expect(await axe()).toEqual([]);

    await page.getByTestId("edit").click();
    expect(await page.locator('dialog [name="retryPlan.0.afterMins"]').inputValue()).toBe("10, 30");
    await page.locator('dialog [name="retryPlan.1.afterMins"]').fill("0");
    await page.getByTestId("save").click();
    await page.locator('dialog [name="retryPlan.1.afterMins"][aria-invalid="true"]').waitFor();
    await page.getByTestId("remove-row").nth(1).click();
    await expect.poll(() => page.evaluate("document.activeElement.dataset.testid")).toBe("add-row");
    expect(await axe()).toEqual([]);
    await page.getByTestId("save").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await plan.nth(1).waitFor({ state: "detached" });
    expect((await listed())[0]?.["retryPlan"]).toEqual([
      { endReasons: ["busy"], afterMins: [10, 30], sameDay: true },
    ]);
    expect(complaints).toEqual([]);
    await close();
  });

  it("names what is wrong with a file, keeps what was typed, and creates without starting", async () => {
    const before = (await listed()).length;
    const visit = await world.visit("/campaigns/new", {
      colorScheme: "dark",
      locale: "tr-TR",
      viewport: { width: 360, height: 800 },
    });
    const { page, reaches, axe, complaints, close } = visit;
    await reaches("campaign-new");
    const alert = page.locator('main [role="alert"]').first();
    await chooseLarge(visit, "big.csv", 20_000_000);
    await alert.filter({ hasText: "big.csv" }).waitFor();
    await choose(visit, { ...csv(""), buffer: Buffer.from("phone,name\n+905321112233,Jos\xe9\n", "latin1") });
    await page.getByTestId("windows-1252").waitFor();
    const rows = Array.from({ length: 10_001 }, (_, row) => `+90532${1_000_000 + row},Ada`);
    await choose(visit, csv(`phone,name\n${rows.join("\n")}\n`, "long.csv"));
    await page.getByText("long.csv").waitFor();
    await next(visit);
    await next(visit);
    await page.locator('[name="name"]').fill("Haziran");
    await next(visit);
    await next(visit);
    await page.getByTestId("too-many").waitFor();
    expect(await page.getByTestId("create").count()).toBe(0);

    await page.locator("nav ol button").first().click();
    await choose(visit, csv("phone,name\n+905321112233,Ada\n", "short.csv"));
    await page.getByText("short.csv").waitFor();
    for (let step = 0; step < 4; step += 1) await next(visit);
    await page.getByTestId("report").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    expect(await axe()).toEqual([]);
    await page.getByTestId("create").click();
    await page.waitForURL(/\/campaigns\/cmp_/);
    const after = await listed();
    expect(after.length).toBe(before + 1);
    expect(after[0]).toMatchObject({ name: "Haziran", status: "PENDING", totalContacts: 1 });
    expect(complaints).toEqual([]);
    await close();
  });
});
