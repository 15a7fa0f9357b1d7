import { afterEach, expect, it } from "vitest";
import { callable } from "../../api/support/things.ts";
import { speaks } from "../../support/models/fake-answer.ts";
import { type FakeModelServer, fakeModelServer } from "../../support/models/fake-model-server.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";

const PHONE_LINE = "+15005550099";
const NOTICE = '[data-testid="scripted-model"]';
/** The page's own: the telephone lies in the page and has one too. */
const ON_THE_PAGE = `main ${NOTICE}:not([data-testid="phone"] *)`;
const LINE = "LLM_BASE_URL=https://…/v1 LLM_API_KEY=… LLM_MODEL=… npm start";

let world: BrowserWorld | undefined;
let server: FakeModelServer | undefined;
afterEach(async () => {
  await world?.stop();
  await server?.close();
  server = undefined;
});

/** A call to this page's phone, talked on until the model has answered; the call's id. */
async function talkOn({ page }: Visit, operator: BrowserWorld["service"]["operator"], ready: object) {
  await page.locator('[data-testid="phone-button"][data-state="open"]').waitFor();
  const body = { ...ready, to: PHONE_LINE };
  const { callId } = (await operator.send("POST", "/api/v1/calls/outbound", { body })).body;
  await page.getByTestId("answer").click();
  await page.locator('[name="said"]').fill("Who is this?");
  await page.keyboard.press("Enter");
  await page.locator('[data-testid="phone"] [data-role="assistant"]').nth(1).waitFor();
  return String(callId);
}

it("is named with the line that gives a real one, on the pages and the phone where it speaks", async () => {
  world = await openBrowserWorld();
  const { operator } = world.service;
  const ready = await callable(operator);
  const visit = await world.visit("/welcome");
  const { page, reaches, walk, axe, complaints } = visit;
  await reaches("welcome");
  await page.locator(ON_THE_PAGE, { hasText: LINE }).waitFor();
  await walk(`/assistants/${ready.assistantId}`);
  await reaches("assistant");
  // Beside the button that has it call, in sight without scrolling.
  const named = page.locator(`[data-testid="try-it"] ${NOTICE}[data-value="scripted.speaks"]`, {
    hasText: LINE,
  });
  await named.waitFor();
  expect((await named.boundingBox())?.y).toBeLessThan(600);

  await walk("/calls");
  await reaches("calls", "empty");
  await page.getByTestId("phone-button").click();
  await page.locator(`[data-testid="phone"][data-state="idle"] ${NOTICE}`, { hasText: LINE }).waitFor();
  expect(await axe()).toEqual([]);
  await page.locator('[data-testid="phone-button"][data-state="open"]').waitFor();
  const ring = await operator.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to: PHONE_LINE } });
  await page.locator(`[data-testid="phone"][data-state="ringing"] ${NOTICE}`, { hasText: LINE }).waitFor();
  await operator.send("DELETE", `/api/v1/calls/outbound/${ring.body.callId}`);
  await page.getByTestId("answer").waitFor({ state: "detached" });
  const callId = await talkOn(visit, operator, ready);
  await page.locator(`[data-testid="phone"][data-state="talking"] ${NOTICE}`, { hasText: LINE }).waitFor();
  await page.getByTestId("phone-hang-up").click();
  await page.locator(`[data-testid="phone"][data-state="ended"] ${NOTICE}`, { hasText: LINE }).waitFor();
  await walk(`/calls/${callId}`);
  await reaches("call");
  await page.locator(`${ON_THE_PAGE}[data-value="scripted.spoke"]`, { hasText: LINE }).waitFor();
  expect(await axe()).toEqual([]);
  expect(complaints).toEqual([]);
  await visit.close();
});

it("is not named where a real model speaks", async () => {
  server = await fakeModelServer(() => speaks(["It is Ada."]));
  const real = { LLM_BASE_URL: server.url, LLM_API_KEY: "sk-1", LLM_MODEL: "big-1" };
  world = await openBrowserWorld(real);
  const { operator } = world.service;
  const ready = await callable(operator);
  const visit = await world.visit("/welcome");
  const { page, reaches, walk } = visit;
  const told = page.waitForResponse("**/api/v1/account");
  await page.reload();
  await told;
  await reaches("welcome");
  expect(await page.locator(NOTICE).count()).toBe(0);
  const callId = await talkOn(visit, operator, ready);
  await walk(`/calls/${callId}`);
  await reaches("call");
  await page.locator('main [data-role="assistant"]', { hasText: "It is Ada." }).first().waitFor();
  await walk(`/assistants/${ready.assistantId}`);
  await reaches("assistant");
  expect(await page.locator(NOTICE).count()).toBe(0);
  await visit.close();
});
