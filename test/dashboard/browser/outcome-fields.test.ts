import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiUser, Wire } from "../../api/support/api-user.ts";
import { type Callable, callable, endedCall, made } from "../../api/support/things.ts";
import { speaks } from "../../support/models/fake-answer.ts";
import { type FakeModelServer, fakeModelServer } from "../../support/models/fake-model-server.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";

const PLACES = [
  [1_280, "en-GB"],
  [390, "tr-TR"],
] as const;
const TEXTS = { name: "Bo", greetingMessage: "Hello.", systemPrompt: "Be kind." };
const TRIAL = '[data-testid="outcome-trial"]';
const STATE = '[data-testid="outcome-state"]';
const TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/** What somebody gives an assistant, in the browser, so that its calls bring something home. */
describe("the fields that calls are asked for", () => {
  let world: BrowserWorld;
  let server: FakeModelServer;
  let user: ApiUser;
  let ready: Callable;
  let said: readonly number[] = [];

  beforeAll(async () => {
    server = await fakeModelServer(({ body }) =>
      speaks([body?.["response_format"] === undefined ? "Do you keep it?" : JSON.stringify(found())]),
    );
    world = await openBrowserWorld({ LLM_BASE_URL: server.url, LLM_API_KEY: "sk-1", LLM_MODEL: "big-1" });
    user = await world.service.newOwner();
    ready = await callable(user);
    const started = await user.send("POST", "/api/v1/calls/outbound", {
      body: { ...ready, to: "+15005550006" },
    });
    const { messages } = await endedCall(user, started.body.callId);
    said = messages.filter(({ role }: Wire) => role === "customer").map(({ index }: Wire) => index);
  });
  afterAll(async () => {
    await world.stop();
    await server.close();
  });

  /** The model's answer: of `reason` it names a message that is no proof. */
  const found = () => ({
    summary: "The appointment is kept.",
    fields: {
      confirmed: { value: true, messages: [said[0]] },
      newDate: { value: "2026-12-03", messages: said },
      reason: { value: "toothache", messages: [0] },
    },
  });
  const visit = (width: number, locale: string, key = user.key, assistantId = ready.assistantId) =>
    world.visit(`/assistants/${assistantId}`, { key, locale, viewport: { width, height: 900 } });
  const control = ({ page }: Visit, name: string) => page.locator(`[name="outcome.${name}"]`);
  const focused = ({ page }: Visit) =>
    page.evaluate(
      '[document.activeElement?.dataset.part, document.activeElement?.closest("[data-place]")?.dataset.place].join(" ")',
    );
  const nameAt = async (at: Visit, place: number) => control(at, `fields.${place}.name`).inputValue();
  const kept = async (id = ready.assistantId) =>
    (await user.send("GET", `/api/v1/assistants/${id}`)).body.data.outcome;

  /** With the keyboard alone, from the button that adds one. */
  async function add(at: Visit, name: string, type: string, description: string) {
    const { page } = at;
    await page.getByTestId("add-field").press("Enter");
    await page.locator('[data-part="name"]:focus').waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press("Tab");
    await page.keyboard.type(type);
    await page.keyboard.press("Tab");
    await page.keyboard.type(description);
  }

  it("come, move and go by keyboard, the focus with them, and each refusal stands at its control", async () => {
    const at = await visit(1_280, "en-GB");
    const { page, reaches, axeInBothLights, complaints, close } = at;
    await reaches("assistant");
    await add(at, "reason", "Text", "Why not");
    await add(at, "mood", "One of", "How they sound");
    await page.keyboard.press("Tab");
    await page.keyboard.type("angry");
    await add(at, "confirmed", "Yes", "Whether the appointment is kept");
    await page.locator('[data-place="2"] [data-part="up"]').press("Enter");
    expect(await focused(at)).toBe("up 1");
    await page.keyboard.press("Enter");
    // it is the first now: only the other way is left
    expect(await focused(at)).toBe("down 0");
    expect([await nameAt(at, 0), await nameAt(at, 1), await nameAt(at, 2)]).toEqual([
      "confirmed",
      "reason",
      "mood",
    ]);
    await page.getByTestId("save-outcome").press("Enter");
    const values = control(at, "fields.2.values");
    await page.locator('[name="outcome.fields.2.values"][aria-invalid="true"]:focus').waitFor();
    expect(await page.locator("[aria-invalid]").count()).toBe(1);
    expect(await axeInBothLights()).toEqual([]);
    // the refusal goes with its field
    await page.locator('[data-place="2"] [data-part="up"]').press("Enter");
    await page.locator('[name="outcome.fields.1.values"][aria-invalid="true"]').waitFor();
    expect(await values.count()).toBe(0);
    // a trial is refused as the draft is
    await page.getByTestId("try-outcome").click();
    await page.locator(`${TRIAL} [role="alert"]`).waitFor();
    await page.locator('[name="outcome.fields.1.values"][aria-invalid="true"]:focus').waitFor();
    await page.locator('[data-place="1"] [data-part="remove"]').press("Enter");
    expect(await focused(at)).toBe("remove 1");
    expect(await nameAt(at, 1)).toBe("reason");
    await page.keyboard.press("Enter");
    expect(await focused(at)).toBe("remove 0");
    await page.keyboard.press("Enter");
    expect(await focused(at)).toBe("add ");
    expect(await kept()).toBeNull();
    expect(complaints).toEqual([]);
    await close();
  });

  it("leave what is typed into the draft beside them, and are told as not saved", async () => {
    const at = await visit(1_280, "en-GB");
    const { page, reaches, close } = at;
    await reaches("assistant");
    await page.locator('[name="systemPrompt"]').fill("Be brief.");
    await control(at, "summary").check();
    await page.locator(`${STATE}[data-value="unsaved"]`).waitFor();
    await page.getByTestId("save-outcome").click();
    await page.locator(`${STATE}[data-value="saved"]`).waitFor();
    expect(await page.locator('[name="systemPrompt"]').inputValue()).toBe("Be brief.");
    expect(await kept()).toEqual({ summary: true, fields: [], success: null });
    await control(at, "summary").uncheck();
    await page.getByTestId("save-outcome").click();
    await page.locator(`${STATE}[data-value="saved"]`).waitFor();
    expect(await kept()).toBeNull();
    await close();
  });

  it.each(PLACES)(
    "are tried on a past call before they are saved, show what proves them, and are published: %i px, %s",
    async (width, locale) => {
      const { id } = await made(user, "/api/v1/assistants", TEXTS);
      const at = await visit(width, locale, user.key, id);
      const { page, reaches, axeInBothLights, complaints, close } = at;
      await reaches("assistant");
      const asks = [
        ["confirmed", "boolean", "Whether the appointment is kept"],
        ["newDate", "date", "The day that they want instead"],
        ["reason", "string", "Why they do not come"],
      ] as const;
      for (const [place, [name, type, description]] of asks.entries()) {
        await page.getByTestId("add-field").click();
        await control(at, `fields.${place}.name`).fill(name);
        await control(at, `fields.${place}.type`).selectOption(type);
        await control(at, `fields.${place}.description`).fill(description);
      }
      await control(at, "success.field").selectOption({ label: "confirmed" });
      expect(await page.locator('[name="outcome.success.in"][value="true"]').isChecked()).toBe(true);
      const held = Promise.withResolvers<void>();
      await page.route("**/outcome/test", async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.locator(`${TRIAL} [data-message="${said[0]}"]`).waitFor();
      await page.getByTestId("try-outcome").click();
      await page.locator(`${TRIAL}[data-state="loading"]`).waitFor();
      held.resolve();
      await page.locator(`${TRIAL}[data-state="ready"] [data-testid="success"][data-value="true"]`).waitFor();
      await page.locator('[data-answer="newDate"][data-value="2026-12-03"]').waitFor();
      await page.locator('[data-answer="reason"][data-value=""]').waitFor();
      expect(await page.locator('[data-answer="reason"] [data-testid="show-proof"]').count()).toBe(0);
      await page.locator('[data-answer="newDate"] [data-testid="show-proof"]').click();
      await page.locator(`${TRIAL} [data-message="${said[0]}"][data-proves="true"]:focus`).waitFor();
      expect(await page.locator(`${TRIAL} [data-proves="true"]`).count()).toBe(said.length);
      await page.locator('[data-answer="confirmed"] [data-testid="show-proof"]').click();
      await page.locator('[data-answer="confirmed"][data-shown="true"]').waitFor();
      expect(await page.locator(`${TRIAL} [data-proves="true"]`).count()).toBe(1);
      expect(await page.evaluate(TOO_WIDE)).toBe(0);
      expect(await axeInBothLights()).toEqual([]);
      expect(await kept(id)).toBeNull();
      await control(at, "fields.2.description").fill("Why not");
      await page.getByTestId("stale").waitFor();
      await page.getByTestId("save-outcome").click();
      await page.locator(`${STATE}[data-value="saved"]`).waitFor();
      await page.getByTestId("publish").click();
      await page.locator('dialog [data-difference="outcome"]').getByText("confirmed").first().waitFor();
      await page.getByTestId("confirm").click();
      await page.locator('[data-count="differences"][data-value="0"]').waitFor({ state: "attached" });
      const { body } = await user.send("GET", `/api/v1/assistants/${id}/versions`);
      expect(body.data[0].outcome).toEqual({
        summary: false,
        fields: asks.map(([name, type, description]) => ({
          name,
          type,
          description: name === "reason" ? "Why not" : description,
        })),
        success: { field: "confirmed", in: [true] },
      });
      expect(complaints).toEqual([]);
      await close();
    },
  );

  it.each(PLACES)(
    "stand beside how one asks for no call, or for another time; a refusal is marked there: %i px, %s",
    async (width, locale) => {
      const { id } = await made(user, "/api/v1/assistants", TEXTS);
      const { page, reaches, axeInBothLights, close } = await visit(width, locale, user.key, id);
      await reaches("assistant");
      const named = (name: string) => page.locator(`[name="${name}"]`);
      expect(await named("callback.maxDays").count()).toBe(0);
      await named("callback").check();
      expect(await named("callback.maxDays").inputValue()).toBe("14");
      await named("callback.maxDays").fill("2.5");
      await named("callback.maxPerContact").fill("1");
      await named("optOutDigit").fill("77");
      await page.getByTestId("save").click();
      await page.locator('[name="callback.maxDays"][aria-invalid="true"]').waitFor();
      await page.locator('[name="optOutDigit"][aria-invalid="true"]').waitFor();
      expect(await page.locator("[aria-invalid]").count()).toBe(2);
      expect(await axeInBothLights()).toEqual([]);
      await named("callback.maxDays").fill("30");
      await named("optOutDigit").fill("7");
      await page.getByTestId("save").click();
      await page.locator("[aria-invalid]").first().waitFor({ state: "detached" });
      await page.locator('[role="alert"]').waitFor({ state: "detached" });
      await page.getByTestId("publish").click();
      await page.locator('dialog [data-difference="callback"]', { hasText: "30" }).waitFor();
      await page.getByTestId("confirm").click();
      await page.locator('[data-testid="published"][data-value="1"]').waitFor();
      await named("callback").uncheck();
      await page.getByTestId("save").click();
      await page.locator('[data-count="differences"][data-value="1"]').waitFor();
      const { body } = await user.send("GET", `/api/v1/assistants/${id}/versions`);
      expect(body.data[0]).toMatchObject({
        callback: { maxDays: 30, maxPerContact: 1 },
        optOutDigit: "7",
      });
      expect((await user.send("GET", `/api/v1/assistants/${id}`)).body.data.callback).toBeNull();
      await close();
    },
  );

  it("say so where there is no call yet, and where the calls or the model do not answer", async () => {
    const fresh = await world.service.newOwner();
    const { id } = await made(fresh, "/api/v1/assistants", TEXTS);
    const empty = await visit(1_280, "en-GB", fresh.key, id);
    await empty.reaches("assistant");
    await empty.page.locator(TRIAL).getByText("No call was answered yet.").waitFor();
    expect(await empty.page.getByTestId("try-outcome").count()).toBe(0);
    await empty.close();

    const at = await visit(390, "en-GB");
    const { page, reaches, close } = at;
    await page.route("**/api/v1/calls?**", (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.reload();
    await reaches("assistant");
    await page.locator(`${TRIAL}[data-state="error"] [role="alert"]`).waitFor();
    await page.unroute("**/api/v1/calls?**");
    await page.locator(`${TRIAL} [role="alert"] button`).click();
    await page.locator(`${TRIAL}[data-state="empty"]`).waitFor();
    await page.route("**/outcome/test", (route) => route.abort());
    await control(at, "summary").check();
    await page.getByTestId("try-outcome").click();
    await page.locator(`${TRIAL} [role="alert"]`, { hasText: "OFFLINE" }).waitFor();
    await close();
  });
});
