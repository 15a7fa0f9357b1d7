import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { callable, campaignBody, endedCall, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";

const TALKS = "+15005550006";
const TELEPHONE = { width: 390, height: 844 };
const LONG = "A front desk with a name that is longer than a telephone is wide";
/** The title of a page has begun by then. */
const TITLE_BY = 120;

/** Width of what is in each box of a table, and of the box. */
const TABLE_BOXES = `[...document.querySelectorAll("main table")].map(({ parentElement: box }) =>
  [box.scrollWidth, box.clientWidth])`;

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

describe("the face of the dashboard", () => {
  let world: BrowserWorld;
  let ids: { readonly assistant: string; readonly campaign: string; readonly squad: string };
  let talked: string;
  beforeAll(async () => {
    world = await openBrowserWorld();
    const { operator } = world.service;
    const ready = await callable(operator);
    const squad = await made(operator, "/api/v1/squads", { name: "Front desk" });
    const { campaign } = await made(operator, "/api/v1/campaigns", campaignBody(ready, { name: "Recall" }));
    const { body } = await operator.send("POST", "/api/v1/calls/outbound", {
      body: { ...ready, to: TALKS },
    });
    talked = body.callId;
    await endedCall(operator, talked);
    ids = { assistant: ready.assistantId, campaign: campaign.id, squad: squad.id };
  });
  afterAll(() => world.stop());

  const boxOf = async ({ page }: Visit, selector: string): Promise<Box> => {
    const box = await page.locator(selector).first().boundingBox();
    if (box === null) throw new Error(`${selector} is not seen`);
    return box;
  };

  it("names page and subject in the title of the tab, in both languages", async () => {
    const titles: readonly (readonly [string, string, string])[] = [
      ["/", "overview", "Overview · Ringfold"],
      ["/calls", "calls", "Calls · Ringfold"],
      [`/calls/${talked}`, "call", `Call to ${TALKS} · Calls · Ringfold`],
      [`/campaigns/${ids.campaign}`, "campaign", "Recall · Campaigns · Ringfold"],
      [`/assistants/${ids.assistant}`, "assistant", "Ada · Assistants · Ringfold"],
      [`/squads/${ids.squad}`, "squad", "Front desk · Squads · Ringfold"],
      ["/users", "users", "Owners · Ringfold"],
    ];
    const { page, reaches, walk, close } = await world.visit("/api-keys");
    for (const [path, name, title] of titles) {
      await walk(path);
      await reaches(name);
      await expect.poll(() => page.title()).toBe(title);
    }
    await page.locator('select[name="language"]').selectOption("tr");
    await expect.poll(() => page.title()).toBe("Hesap sahipleri · Ringfold");
    await close();
  });

  it("says at the door what this is, and leads on to the very page that was asked for", async () => {
    const asked = `/campaigns/${ids.campaign}?status=pending`;
    const visit = await world.visit(asked, { key: "" });
    const { page, reaches, complaints, close } = visit;
    await reaches("sign-in");
    expect(await page.title()).toBe("Sign in · Ringfold");
    await page.locator("header", { hasText: "Ringfold" }).getByText("voice calls").first().waitFor();
    await visit.signIn();
    await reaches("campaign");
    expect(page.url().endsWith(asked)).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });

  const pagesOf = () => ({
    overview: "/",
    campaigns: "/campaigns",
    campaign: `/campaigns/${ids.campaign}`,
    "campaign-new": "/campaigns/new",
    numbers: "/numbers",
    number: `/numbers/${TALKS}`,
    calls: "/calls",
    call: `/calls/${talked}`,
    policy: "/policy",
    "do-not-call": "/do-not-call",
    assistants: "/assistants",
    assistant: `/assistants/${ids.assistant}`,
    squads: "/squads",
    squad: `/squads/${ids.squad}`,
    tools: "/tools",
    "phone-numbers": "/phone-numbers",
    webhooks: "/webhooks",
    deliveries: "/deliveries",
    events: "/events",
    "api-keys": "/api-keys",
    credits: "/credits",
    connections: "/connections",
    privacy: "/privacy",
    users: "/users",
    welcome: "/welcome",
  });

  it("shows on a telephone the title first, menu and filters behind a button each, and nothing too wide", async () => {
    const pages = pagesOf();
    const visit = await world.visit("/api-keys", { viewport: TELEPHONE, locale: "tr-TR" });
    const { page, axeInBothLights, complaints, close } = visit;
    const findings: unknown[] = [];
    for (const [name, path] of Object.entries(pages)) {
      await visit.walk(path);
      await page.locator(`main[data-page="${name}"]:not([data-state="loading"])`).waitFor();
      const { y } = await boxOf(visit, "main h1");
      const wide = Number(await page.evaluate("document.documentElement.scrollWidth")) - TELEPHONE.width;
      if (y > TITLE_BY || wide > 0) findings.push([path, y, wide]);
    }
    expect(findings).toEqual([]);
    for (const list of ["campaigns", "calls"]) {
      await visit.walk(`/${list}`);
      await visit.reaches(list);
      const filter = page.locator('main select[name="status"]');
      expect([list, await filter.isVisible()]).toEqual([list, false]);
      await page.getByTestId("filters").click();
      await filter.waitFor();
      expect(await axeInBothLights()).toEqual([]);
    }
    const link = page.locator('nav a[href="/webhooks"]');
    expect((await boxOf(visit, 'nav a[href="/webhooks"]')).x).toBeLessThan(0);
    await page.getByTestId("menu").click();
    expect((await boxOf(visit, 'nav a[href="/webhooks"]')).x).toBeGreaterThanOrEqual(0);
    expect(await axeInBothLights()).toEqual([]);
    await link.click();
    await page.locator('main[data-page="webhooks"]').waitFor();
    await page.locator('[data-testid="menu"][aria-expanded="false"]').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it("shows of a call what was said first, facts beside it, and never that somebody still talks", async () => {
    const visit = await world.visit(`/calls/${talked}`, { viewport: { width: 1280, height: 860 } });
    const { page, reaches, complaints, axeInBothLights, close } = visit;
    await reaches("call");
    const transcript = await boxOf(visit, '[data-testid="transcript"]');
    const facts = await boxOf(visit, "main dl");
    expect(facts.x).toBeGreaterThan(transcript.x + transcript.width);
    const ours = await boxOf(visit, '[data-role="assistant"]');
    const theirs = await boxOf(visit, '[data-role="customer"]');
    expect(ours.x).toBeLessThan(theirs.x);
    expect(await page.locator("main").textContent()).not.toContain("Talking");
    await page.locator("main dl", { hasText: /\d\.\d\d credits/ }).waitFor();
    expect(await axeInBothLights()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it("calls from an assistant's page, and talks there beside prompt and voice", async () => {
    const visit = await world.visit(`/assistants/${ids.assistant}`, {
      viewport: { width: 1280, height: 860 },
    });
    const { page, reaches, complaints, axeInBothLights, close } = visit;
    await reaches("assistant");
    await page.locator('[data-testid="phone-button"][data-state="open"]').waitFor();
    await page.getByTestId("try-call").click();
    await page.locator('[data-testid="tried-call"]').getByTestId("answer").click();
    await page.locator('[data-testid="tried-call"] [data-role="assistant"]').first().waitFor();
    const [prompt, voice, talk] = [
      await boxOf(visit, '[name="systemPrompt"]'),
      await boxOf(visit, '[name="voice"]'),
      await boxOf(visit, '[data-testid="tried-call"] [data-role="assistant"]'),
    ];
    expect(voice.x).toBeGreaterThan(prompt.x + prompt.width);
    expect(talk.x).toBeGreaterThan(voice.x + voice.width);
    expect(talk.y).toBeLessThan(prompt.y + prompt.height);
    expect(await axeInBothLights()).toEqual([]);
    // On a page without a place for it, the phone stands beside what the page shows.
    await visit.walk("/credits");
    await reaches("credits");
    const [main, dock] = [await boxOf(visit, "main"), await boxOf(visit, '[data-testid="phone"]')];
    expect(dock.x).toBeGreaterThanOrEqual(main.x + main.width);
    await page.setViewportSize(TELEPHONE);
    const [below, above] = [await boxOf(visit, "main"), await boxOf(visit, '[data-testid="phone"]')];
    expect(below.y).toBeGreaterThanOrEqual(above.y + above.height - 1);
    await page.getByTestId("phone-hang-up").click();
    await page.locator('[data-testid="phone"][data-state="ended"]').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it("shows a campaign though its address names no instant, and the list though it names no status", async () => {
    const { page, reaches, walk, complaints, close } = await world.visit("/api-keys");
    await walk(`/campaigns/${ids.campaign}?at=garbage&since=never`);
    await reaches("campaign");
    await walk("/campaigns?status=running");
    await reaches("campaigns");
    await page.locator("main", { hasText: "Recall" }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it("says on the overview what needs attention, and nothing about what does not", async () => {
    const { operator } = world.service;
    await operator.send("POST", `/api/v1/campaigns/${ids.campaign}/start`);
    await operator.send("POST", `/api/v1/campaigns/${ids.campaign}/pause`);
    const { page, reaches, complaints, close } = await world.visit("/");
    await reaches("overview");
    await page.locator(`li[data-campaign="${ids.campaign}"]`, { hasText: "Paused" }).waitFor();
    expect(await page.getByTestId("webhook-health").count()).toBe(0);
    await operator.send("PUT", "/api/v1/webhook", {
      body: { url: "http://127.0.0.1:1025/hook", enabled: false },
    });
    await page.reload();
    await page.locator('[data-testid="webhook-health"][data-value="disabled"]').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it("shows rows as cards on a telephone: no table is wider than its box, in both languages", async () => {
    const { operator } = world.service;
    const { id: phoneNumberId } = (await operator.send("GET", "/api/v1/phone-numbers")).body.data[0];
    await operator.send("PUT", "/api/v1/webhook", {
      body: { url: `http://127.0.0.1:9/${"long-".repeat(20)}`, enabled: true },
    });
    const told = await operator.send("POST", "/api/v1/calls/outbound", {
      body: { assistantId: ids.assistant, phoneNumberId, to: TALKS },
    });
    await endedCall(operator, told.body.callId);
    await operator.send("POST", "/api/v1/suppressions", {
      body: { phoneNumber: "+15005550099", reason: LONG },
    });
    await made(operator, "/api/v1/tools", {
      name: "ends_the_call_because_it_is_over",
      description: LONG,
      type: "END_CALL",
      config: {},
    });
    await operator.send("PUT", "/api/v1/secrets/CALENDAR_OF_THE_FRONT_DESK", { body: { value: "x" } });
    await made(operator, "/api/v1/users", { name: LONG });
    await made(operator, "/api/v1/api-keys", { name: LONG, scopes: ["campaigns:read", "phone-numbers:*"] });
    const visit = await world.visit("/api-keys", { viewport: TELEPHONE });
    const { page, axe, complaints, close } = visit;
    const findings: unknown[] = [];
    let tables = 0;
    for (const language of ["en", "tr"]) {
      await visit.walk("/api-keys");
      await page.getByTestId("menu").click();
      await page.locator('select[name="language"]').selectOption(language);
      for (const [name, path] of Object.entries(pagesOf())) {
        await visit.walk(path);
        await page.locator(`main[data-page="${name}"]:not([data-state="loading"])`).waitFor();
        const boxes = z.array(z.tuple([z.number(), z.number()])).parse(await page.evaluate(TABLE_BOXES));
        tables += boxes.length;
        for (const [content, box] of boxes) if (content > box) findings.push([language, path, content, box]);
      }
    }
    expect(findings).toEqual([]);
    expect(tables).toBeGreaterThanOrEqual(2 * 12);
    await visit.walk("/users");
    await visit.reaches("users");
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });
});
