import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callable, endedCall } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld } from "./browser-world.ts";

const PHONE_LINE = "+15005550099";

/**
 * What a browser has of speech, without its sound: `speech.ends` says whether a text is spoken to its end.
 */
const SPEECH = `
  window.speech = { spoken: [], hushed: 0, ears: [], ends: true };
  window.SpeechRecognition = class extends EventTarget {
    start() { speech.ears.push(this); }
    abort() {}
  };
  window.SpeechSynthesisUtterance = class extends EventTarget {
    constructor(text) { super(); this.text = text; }
  };
  Object.defineProperty(window, "speechSynthesis", { value: {
    speak(utterance) {
      speech.spoken.push(utterance.text);
      if (speech.ends) setTimeout(() => utterance.dispatchEvent(new Event("end")));
      else setTimeout(() => utterance.dispatchEvent(Object.assign(new Event("boundary"), { charIndex: 4 })));
    },
    cancel() { speech.hushed += 1; },
  } });
`;

describe("talking into the browser's telephone", () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.stop());

  const spoken = async (page: Page) => ((await page.evaluate("speech.spoken")) as readonly string[]).join("");
  const hear = (page: Page, text: string) =>
    page.evaluate(`(() => {
      const ears = speech.ears.at(-1);
      ears.dispatchEvent(new Event("speechstart"));
      const results = [Object.assign([{ transcript: ${JSON.stringify(text)} }], { isFinal: true })];
      ears.dispatchEvent(Object.assign(new Event("result"), { resultIndex: 0, results }));
    })()`);

  it("says where the sound goes, hears and speaks, and falls silent when one speaks", async () => {
    const { operator } = world.service;
    const ready = await callable(operator);
    const { page, axe, complaints, close } = await world.visit("/api-keys");
    await page.addInitScript(SPEECH);
    await page.reload();
    await page.locator('[data-testid="phone-button"][data-state="open"]').waitFor();
    const { body } = await operator.send("POST", "/api/v1/calls/outbound", {
      body: { ...ready, to: PHONE_LINE },
    });
    await page.getByTestId("answer").click();
    const choice = page.locator('select[name="voice"]');
    await choice.waitFor();
    expect(await choice.inputValue()).toBe("type");
    expect(await page.evaluate("speech.ears.length")).toBe(0);
    const told = page.locator(`[id="${await choice.getAttribute("aria-describedby")}"]`);
    expect(await told.textContent()).toContain("sends what you say to its maker");
    expect(await axe()).toEqual([]);
    const assistant = page.locator('[data-testid="phone"] [data-role="assistant"]');
    await assistant.filter({ hasText: "Hello, this is Ada." }).waitFor();
    await choice.selectOption("speak");
    expect(await page.evaluate("speech.ears.at(-1).lang")).toBe("en-US");

    await hear(page, "I have a minute, yes.");
    await page.locator('[data-role="customer"]', { hasText: "I have a minute, yes." }).waitFor();
    await expect.poll(() => spoken(page)).not.toBe("");
    const answer = await assistant.nth(1).locator("[data-user-text]").last().textContent();
    await expect.poll(() => spoken(page)).toContain(answer?.trim() ?? "nothing");

    await page.evaluate("speech.ends = false; speech.spoken = []");
    await hear(page, "What do I have to do?");
    await expect.poll(() => spoken(page)).not.toBe("");
    const before = Number(await page.evaluate("speech.hushed"));
    await hear(page, "Wait.");
    expect(await page.evaluate("speech.hushed")).toBeGreaterThan(before);
    await page.locator('[data-role="customer"]', { hasText: "Wait." }).waitFor();
    await page.getByTestId("phone-hang-up").click();
    const { messages } = await endedCall(operator, body.callId);
    expect(messages.map(({ role }: { role: string }) => role)).toContain("customer");
    const interrupted = messages.filter(({ interrupted: cut }: { interrupted: boolean }) => cut);
    expect(interrupted.length).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await close();
  });
});
