import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Wire } from "../../api/support/api-user.ts";
import { type Callable, callable, campaignBody, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";

const GREETING = "Hello {{name}}, see you on {{date}}.";
const PEOPLE = [
  { phoneNumber: "+15005550006", name: "Ada", customData: { date: "2 May" } },
  { phoneNumber: "+15005550001", name: "שרה כהן", customData: { date: "3 May" } },
];

describe("what a campaign is set up to do, where it is looked at", () => {
  let world: BrowserWorld;
  let ready: Callable;
  beforeAll(async () => {
    world = await openBrowserWorld();
    ready = await callable(world.service.operator);
  });
  afterAll(() => world.stop());

  const read = async (path: string): Promise<Wire> =>
    (await world.service.operator.send("GET", path)).body.data;
  const makeCampaign = async (settings: object) => {
    const body = campaignBody(ready, { contacts: PEOPLE, greetingMessage: GREETING, ...settings });
    const { campaign } = await made(world.service.operator, "/api/v1/campaigns", body);
    return String(campaign.id);
  };

  it("shows it, changes it before the start, calls whoever asks first, and adds people", async () => {
    const id = await makeCampaign({ name: "May" });
    const { page, reaches, axe, complaints, close } = await world.visit(`/campaigns/${id}`);
    await reaches("campaign");
    const setup = page.getByTestId("setup");
    await setup.getByText(GREETING).waitFor();
    await setup.getByText("version 1").waitFor();
    expect(await axe()).toEqual([]);

    await page.getByTestId("edit").click();
    await page.locator("dialog [name=anyHour]").uncheck();
    await page.locator("dialog [name=callWindowStart]").fill("10:30");
    await page.locator("dialog [name=callWindowEnd]").fill("17:00");
    await page.locator('dialog [name=callWindowDays][value="6"]').uncheck();
    await page.locator('dialog [name=callWindowDays][value="7"]').uncheck();
    await page.locator("dialog [name=maxRetries]").fill("many");
    await page.getByTestId("save").click();
    await page.locator('dialog [name=maxRetries][aria-invalid="true"]').waitFor();
    await page.locator("dialog [name=maxRetries]").fill("2");
    expect(await axe()).toEqual([]);
    await page.getByTestId("save").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await setup.locator("summary", { hasText: "Monday to Friday, 10:30 to 17:00" }).waitFor();
    expect((await read(`/api/v1/campaigns/${id}`)).campaign).toMatchObject({
      callWindowStart: 10,
      callWindowStartMinute: 30,
      callWindowEnd: 17,
      callWindowDays: [1, 2, 3, 4, 5],
      maxRetries: 2,
      name: "May",
    });

    await world.service.operator.send("PATCH", `/api/v1/assistants/${ready.assistantId}`, {
      body: { systemPrompt: "Be very kind." },
    });
    await world.service.operator.send("POST", `/api/v1/assistants/${ready.assistantId}/publish`);
    await page.reload();
    await reaches("campaign");
    await page.getByTestId("edit").click();
    await page.locator("dialog [name=newest]").check();
    const other = await callable(world.service.operator);
    await page.locator("dialog [name=greetingMessage]").fill("Good day {{name}}, {{clinic}} calls.");
    await page.getByTestId("save").click();
    await page
      .locator('dialog [data-warning="placeholder_unfilled"]', { hasText: "{{clinic}} (2)" })
      .waitFor();
    expect(await axe()).toEqual([]);
    await page.locator('dialog [data-warning="placeholder_unfilled"] button').click();
    await page.locator("dialog [name=greetingMessage]:focus").fill("Good day {{name}}.");
    await page.getByTestId("save").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await setup.getByText("version 2").waitFor();
    await page.reload();
    await reaches("campaign");
    await page.getByTestId("edit").click();
    await page.locator("dialog [name=assistantId]").selectOption(other.assistantId);
    await page.locator("dialog [name=phoneNumberId]").selectOption(other.phoneNumberId);
    await page.getByTestId("save").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    expect((await read(`/api/v1/campaigns/${id}`)).campaign).toMatchObject({
      ...other,
      assistantVersion: 1,
      metadata: { greetingMessage: "Good day {{name}}." },
    });

    await page.getByTestId("test-call").click();
    await page.locator("dialog [name=to]").fill("+1 (500) 555-0006");
    expect(await axe()).toEqual([]);
    await page.getByTestId("call-me").click();
    const link = await page.locator('dialog a[href^="/calls/"]').getAttribute("href");
    expect(await read(`/api/v1${link}`)).toMatchObject({ to: "+15005550006" });
    await page.keyboard.press("Escape");

    await page.getByTestId("more-commands").click();
    await page.getByTestId("add-people").click();
    const typed = "+1 (500) 555-0002, Bo\n+1-500-555-0002; Bo\nnobody\n0532 111 22 33";
    await page.locator("dialog [name=contacts]").fill(typed);
    expect(await axe()).toEqual([]);
    await page.getByTestId("add").click();
    await page.locator('[data-testid="added"][data-normalized="2"]').waitFor();
    await page.locator('[data-testid="added"] [data-line="3"][data-reason="not_e164"]').waitFor();
    await page.locator('[data-testid="added"] [data-line="2"][data-reason="duplicate"]').waitFor();
    await page.locator('[data-testid="added"] [data-line="4"]', { hasText: "and a country" }).waitFor();
    // Whoever is refused alone is named too.
    await page.locator("dialog [name=contacts]").fill("nobody");
    await page.getByTestId("add").click();
    await page.locator('[data-testid="added"] [data-line="1"]', { hasText: "nobody" }).waitFor();
    await page.locator("dialog [name=contacts]").fill("0532 111 22 33, Deniz");
    await page.locator("dialog [name=defaultCountry]").selectOption("TR");
    await page.getByTestId("add").click();
    await page.locator('[data-testid="added"][data-normalized="1"]').waitFor();
    await page.keyboard.press("Escape");
    await page.locator('[data-count="totalContacts"][data-value="4"]').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it("has its figures in one row and people below them on a window of 1280 by 860, while it calls", async () => {
    const contacts = Array.from({ length: 40 }, (_, index) => ({
      phoneNumber: `+1500555${String(2_000 + index)}`,
      name: `Name ${index}`,
    }));
    const id = await makeCampaign({ contacts, maxCallsPerSecond: 1 });
    await world.service.operator.send("POST", `/api/v1/campaigns/${id}/start`);
    const viewport = { width: 1280, height: 860 };
    const { page, reaches, complaints, close } = await world.visit(`/campaigns/${id}`, { viewport });
    await reaches("campaign");
    await page.getByTestId("slider").waitFor();
    const figure = await page.locator('[data-filter="succeeded"]').boundingBox();
    const last = await page.locator('[data-filter="skipped"]').boundingBox();
    expect(last?.y).toBe(figure?.y);
    expect(figure?.height ?? 0).toBeLessThanOrEqual(90);
    const isInSight = `[...document.querySelectorAll("[data-contact]")].filter(
      (row) => row.getBoundingClientRect().bottom <= innerHeight).length`;
    expect(await page.evaluate(isInSight)).toBeGreaterThanOrEqual(5);

    await page.locator('[data-filter="pending"]').click();
    await expect.poll(() => new URL(page.url()).searchParams.get("status")).toBe("pending");
    const states = `[...new Set([...document.querySelectorAll("[data-contact]")].map((row) => row.dataset.status))].join()`;
    await expect.poll(() => page.evaluate(states)).toBe("pending");
    // The whole row is its target.
    const row = (await page.locator("[data-contact]").first().boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
    await page.mouse.click(row.x + row.width - 8, row.y + row.height / 2);
    await page.getByTestId("drawer").waitFor();
    await page.keyboard.press("Escape");

    // Beside the phone there is less room: no figure runs into the next, and no number is cut.
    await page.getByTestId("phone-button").click();
    await page.getByTestId("phone").waitFor();
    const spilling = `[...document.querySelectorAll("[data-filter], [data-contact] > span:nth-child(2)")].filter(
      (each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)`;
    await expect.poll(() => page.evaluate(spilling)).toEqual([]);
    await page.getByTestId("phone-close").click();
    // On a telephone the menu's button stands at the left.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByTestId("more-commands").click();
    const menu = await page.locator("[popover]:popover-open").boundingBox();
    expect(menu?.x ?? -1).toBeGreaterThanOrEqual(0);
    expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(complaints).toEqual([]);
    await close();
  });

  it("duplicates it with its people, texts and hours, deletes what has not begun, and pauses everything", async () => {
    // At such a pace it is not over when everything is paused, also while these hours are open.
    const hours = { callWindowStart: 8, callWindowEnd: 12 };
    const id = await makeCampaign({ name: "June", ...hours, maxCallsPerSecond: 0.001 });
    const { page, reaches, axe, complaints, close } = await world.visit(`/campaigns/${id}`);
    await reaches("campaign");
    await page.getByTestId("more-commands").click();
    await page.getByTestId("duplicate").click();
    await reaches("campaign-new");
    await page.locator('[data-testid="file-trial"][data-rejected="0"]').waitFor();
    await page.getByTestId("next").click();
    expect(await page.locator('[name="columns.phone"]').inputValue()).toBe("phone");
    await page.getByTestId("next").click();
    expect(await page.locator("[name=greetingMessage]").inputValue()).toBe(GREETING);
    await page.locator("[name=name]").fill("June again");
    await page.getByTestId("next").click();
    expect(await page.locator("[name=callWindowEnd]").inputValue()).toBe("12:00");
    await page.getByTestId("next").click();
    await page.getByTestId("create").click();
    await reaches("campaign");
    const [copy] = await read("/api/v1/campaigns?limit=1");
    expect(copy).toMatchObject({ name: "June again", totalContacts: 2, callWindowStart: 8 });
    const [first] = await read(`/api/v1/campaigns/${copy.id}/contacts?limit=1`);
    expect(first).toMatchObject(PEOPLE[0] ?? {});

    // The copy has not begun: it goes with its people.
    await page.getByTestId("more-commands").click();
    await page.getByTestId("delete").click();
    expect(await axe()).toEqual([]);
    await page.getByTestId("confirm").click();
    await reaches("campaigns");
    const gone = await world.service.operator.send("GET", `/api/v1/campaigns/${copy.id}`);
    expect(gone.status).toBe(404);

    await world.service.operator.send("POST", `/api/v1/campaigns/${id}/start`);
    await page.goto("/campaigns");
    await page.getByTestId("pause-all").click();
    expect(await axe()).toEqual([]);
    await page.getByTestId("confirm").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    const { campaign } = await read(`/api/v1/campaigns/${id}`);
    expect([campaign.status, campaign.pauseReason]).toEqual(["PAUSED", "manual"]);
    expect(complaints).toEqual([]);
    await close();
  });
});
