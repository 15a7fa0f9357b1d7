import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RehearsalRecord } from "../../../contract/rehearsal.ts";
import type { ApiUser } from "../../api/support/api-user.ts";
import { type Callable, callable, endedCall, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";
import { englishIn } from "./english-words.ts";

const PLACES = [
  [1_280, "en-GB"],
  [390, "tr-TR"],
] as const;
const TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
const CONFIRMED = { name: "confirmed", type: "boolean", description: "Whether the appointment is kept" };

/** What somebody does in the browser before an assistant speaks to people. */
describe("a rehearsal", () => {
  let world: BrowserWorld;
  let user: ApiUser;
  let ready: Callable;
  let callId: string;

  beforeAll(async () => {
    world = await openBrowserWorld();
    user = await world.service.newOwner();
    ready = await callable(user);
    const tool = await made(user, "/api/v1/tools", {
      name: "lookup",
      description: "Looks an appointment up",
      type: "API_REQUEST",
      config: { url: "https://shop.example.com/", method: "GET" },
    });
    const outcome = { fields: [CONFIRMED], success: { field: "confirmed", in: [true] } };
    const body = { outcome, toolIds: [tool.id], systemPrompt: "Be brief." };
    await user.send("PATCH", `/api/v1/assistants/${ready.assistantId}`, { body });
    const called = { ...ready, to: "+15005550006" };
    const started = await user.send("POST", "/api/v1/calls/outbound", { body: called });
    callId = String(started.body.callId);
    await endedCall(user, callId);
  });
  afterAll(() => world.stop());

  const visit = (path: string, [width, locale]: readonly [number, string]) =>
    world.visit(path, { key: user.key, locale, viewport: { width, height: 900 } });
  const control = ({ page }: Visit, name: string) => page.locator(`[name="${name}"]`);
  const focused = ({ page }: Visit) => page.evaluate("document.activeElement?.name");
  const rehearsalOf = (id: string) => `/assistants/${id}/rehearsal`;
  const verdict = ({ page }: Visit, value: string) =>
    page.locator(`header [data-testid="verdict"][data-value="${value}"]`);
  const read = async (path: string) => (await user.send("GET", path)).body.data;
  /** As the page shows itself: no finding of axe, nothing too wide, no complaint of the browser. */
  async function isSound(at: Visit) {
    expect(await at.axe()).toEqual([]);
    expect(await at.page.evaluate(TOO_WIDE)).toBe(0);
    expect(at.complaints).toEqual([]);
  }
  async function begun(body: Record<string, unknown>): Promise<string> {
    const { status, body: answer, text } = await user.send("POST", "/api/v1/rehearsals", { body });
    expect([status, text]).toEqual([202, text]);
    return String(answer.data.id);
  }

  it.each(PLACES)(
    "is written by keyboard, played, and its draft published, at %i pixels",
    async (...place) => {
      const assistant = await made(user, "/api/v1/assistants", {
        name: "Cem",
        greetingMessage: "Hello, this is Cem.",
        systemPrompt: "Be kind.",
      });
      const at = await visit(`/assistants/${assistant.id}`, place);
      const { page, reaches } = at;
      await page.getByTestId("open-rehearsal").focus();
      await page.keyboard.press("Enter");
      await reaches("rehearsal", "empty");
      await isSound(at);
      await page.getByTestId("add-written").focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => focused(at)).toBe("cases.0.name");
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type("comes");
      await control(at, "cases.0.caller.says.0").focus();
      await page.keyboard.type("Yes, I will come");
      await page.keyboard.press("Enter");
      await expect.poll(() => focused(at)).toBe("cases.0.caller.says.1.kind");
      await page.keyboard.press("Tab");
      await page.keyboard.type("Thank you, goodbye");
      await control(at, "cases.0.expect.0").fill("this is Cem");
      await page.getByTestId("cases-0-expect-add").focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => focused(at)).toBe("cases.0.expect.1.kind");
      await control(at, "cases.0.expect.1.kind").selectOption("optedOut");
      await control(at, "cases.0.expect.1").selectOption("false");
      await control(at, "repeat").fill("2");
      await isSound(at);
      await control(at, "name").focus();
      await page.keyboard.press("Enter");
      await verdict(at, "passed").waitFor();
      await page.locator('[data-cell="candidate"][data-value="passed"]').waitFor();
      await page.locator('[data-run="2"]').focus();
      await page.keyboard.press("Enter");
      await page
        .locator('[data-testid="runs"] [data-role="customer"]', { hasText: "Yes, I will come" })
        .waitFor();
      expect(await page.locator('[data-run="2"]').getAttribute("aria-pressed")).toBe("true");
      await isSound(at);
      await page.getByTestId("publish").focus();
      await page.keyboard.press("Enter");
      await page.getByTestId("confirm").press("Enter");
      await reaches("assistant");
      expect(await read(`/api/v1/assistants/${assistant.id}`)).toMatchObject({ publishedVersion: 1 });
      await at.close();
    },
  );

  it.each(PLACES)(
    "marks what did not hold at its message, and begins again with its cases, at %i pixels",
    async (...place) => {
      const id = await begun({
        name: "Short",
        assistantId: ready.assistantId,
        baseline: true,
        cases: [
          { name: "greets", caller: { says: ["Yes"] }, expect: [{ says: "Ada" }] },
          { name: "hides its name", caller: { says: ["Yes"] }, expect: [{ neverSays: ["this is ada"] }] },
        ],
      });
      const at = await visit(`${rehearsalOf(ready.assistantId)}?rehearsal=${id}`, place);
      const { page, reaches } = at;
      await verdict(at, "failed").waitFor();
      const values = await page.evaluate(
        '[...document.querySelectorAll("[data-cell]")].map(({ dataset }) => dataset.value)',
      );
      expect(values).toEqual(["passed", "passed", "failed", "failed"]);
      const mark = page.locator('[data-testid="runs"] li[data-role="assistant"] [data-mark]');
      await mark.filter({ hasText: "this is ada" }).waitFor();
      await page.getByTestId("show-message").press("Enter");
      expect(await page.evaluate('document.activeElement?.querySelector("[data-mark]") !== null')).toBe(true);
      await isSound(at);
      await page.getByTestId("open-cell").first().press("Enter");
      await page.locator('[data-testid="runs"][data-case="greets"] [data-role="customer"]').waitFor();
      expect(await page.getByTestId("publish").count()).toBe(0);
      await page.getByTestId("again").press("Enter");
      await reaches("rehearsal");
      await page.locator('[data-case="1"]').waitFor();
      expect(await control(at, "cases.1.expect.0").inputValue()).toBe("this is ada");
      expect(await control(at, "baseline").isChecked()).toBe(true);
      await at.close();
    },
  );

  it("plays a past call from its page, and turns it into a written case that still belongs to it", async () => {
    const at = await visit(`/calls/${callId}`, PLACES[0]);
    const { page, reaches } = at;
    await reaches("call");
    await page.getByTestId("rehearse-call").click();
    await reaches("rehearsal");
    const last = page.locator("[data-case]").last();
    if ((await last.getAttribute("open")) === null) await last.locator("summary").first().click();
    const place = await last.getAttribute("data-case");
    expect(await control(at, `cases.${place}.caller.callId`).inputValue()).toBe(callId);
    await page.getByTestId("case-write").click();
    await page.locator(`[data-case="${place}"][data-kind="written"]`).waitFor();
    const said = (await read(`/api/v1/calls/${callId}`)).messages.find(
      ({ role }: { role: string }) => role === "customer",
    );
    expect(await control(at, `cases.${place}.caller.says.0`).inputValue()).toBe(said.content);
    await control(at, `cases.${place}.name`).press("Enter");
    await page.locator('header [data-testid="verdict"]').waitFor();
    const id = new URL(page.url()).searchParams.get("rehearsal");
    const { cases } = await read(`/api/v1/rehearsals/${id}`);
    expect(cases.at(-1)).toMatchObject({ fromCallId: callId });
    expect(cases.at(-1).caller.says[0]).toBe(said.content);
    await at.close();
  });

  it("says at its control what is no JSON and what the service refuses, and opens its card", async () => {
    const at = await visit(rehearsalOf(ready.assistantId), PLACES[0]);
    const { page } = at;
    await page.getByTestId("add-persona").click();
    const place = await page.locator("[data-case]").last().getAttribute("data-case");
    const name = `cases.${place}`;
    await control(at, `${name}.caller.persona`).fill("Retired, hears badly");
    await control(at, `${name}.expect.0.kind`).selectOption("tool");
    await control(at, `${name}.expect.0`).fill("{day}");
    await page.getByTestId("rehearse").click();
    await expect.poll(() => focused(at)).toBe(`${name}.expect.0`);
    await control(at, `${name}.expect.0`).fill('{"day": 1}');
    await page.locator(`[data-case="${place}"] [data-testid="case-more"] > summary`).click();
    await control(at, `${name}.contact.timezone`).fill("Europe/Nowhere");
    await page.locator(`[data-case="${place}"] > summary`).click();
    await page.getByTestId("rehearse").click();
    await expect.poll(() => focused(at)).toBe(`${name}.contact.timezone`);
    expect(await control(at, `${name}.contact.timezone`).getAttribute("aria-invalid")).toBe("true");
    await isSound(at);
    await at.close();
  });

  it("is needed before a publish where the assistant says so", async () => {
    const assistant = await made(user, "/api/v1/assistants", {
      name: "Deniz",
      greetingMessage: "Hello.",
      systemPrompt: "Be kind.",
    });
    const at = await visit(rehearsalOf(assistant.id), PLACES[1]);
    const { page, reaches } = at;
    await page.getByTestId("add-written").click();
    const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH");
    await control(at, "publishNeedsRehearsal").click();
    await saved;
    await expect.poll(() => control(at, "publishNeedsRehearsal").isChecked()).toBe(true);
    await page.goto(`/assistants/${assistant.id}`);
    await reaches("assistant");
    await page.getByTestId("publish").click();
    await page.getByTestId("needs-rehearsal").waitFor();
    await page.getByTestId("confirm").click();
    await page.locator("dialog", { hasText: "REHEARSAL_REQUIRED" }).waitFor();
    await isSound(at);
    await at.close();
  });

  it("tells in Turkish what it waits for, what ended it, and that its words are gone", async () => {
    const id = await begun({
      name: "Kısa",
      assistantId: ready.assistantId,
      cases: [{ name: "evet", caller: { says: ["Evet"] }, expect: [{ says: "Ada" }] }],
    });
    const at = await visit("/api-keys", PLACES[1]);
    const { page } = at;
    const english = await englishIn(page);
    const record: RehearsalRecord = await read(`/api/v1/rehearsals/${id}`);
    const [cell] = record.byCase;
    const erased = record.byCase.map((each) => ({ ...each, case: null }));
    const states: readonly (readonly [string, Partial<RehearsalRecord>])[] = [
      [
        "[data-waiting=tokens]",
        { status: "running", waitingFor: "tokens", endedBecause: null, progress: 0.4 },
      ],
      ["[data-because=max_tokens]", { status: "cancelled", endedBecause: "max_tokens", passed: 0 }],
      ["[data-because=plan_tokens]", { status: "cancelled", endedBecause: "plan_tokens", passed: 0 }],
      [
        "[data-testid=erased]",
        { status: "done", endedBecause: "erased", erased: true, cases: null, expect: null, byCase: erased },
      ],
    ];
    for (const [told, changes] of states) {
      await page.route(new RegExp(`/api/v1/rehearsals/${id}$`), (route) =>
        route.fulfill({ json: { success: true, data: { ...record, ...changes } } }),
      );
      await page.goto(`${rehearsalOf(ready.assistantId)}?rehearsal=${id}`);
      await page.locator(told).waitFor();
      expect([told, await english()]).toEqual([told, []]);
      await isSound(at);
      await page.unrouteAll({ behavior: "wait" });
    }
    expect(cell?.case).toBe("evet");
    await at.close();
  });
});
