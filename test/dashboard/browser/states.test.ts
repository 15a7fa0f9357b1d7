import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { callable, campaignBody, endedCall, made } from "../../api/support/things.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";

type State = "loading" | "empty" | "ready" | "error";
type Shown = {
  readonly path: string;
  readonly name: string;
  /** What an owner finds who has nothing yet; null: the page is of one record, so there is no such owner. */
  readonly whenNew: State | null;
};

/** What a page asks for; the session and the events that happen meanwhile are not its own. */
const ASKED = /\/api\/v1\/(?!session|events\?(?!.*order=desc))/;
const REQUEST_ID = "req-of-this-refusal";

/** Each press asks the service once more. */
const PRESSED_AGAIN_AFTER = 500;

/** Needs nothing of the service before a file is there. */
const ASKS_NOTHING = "campaign-new";

const LISTS: readonly Shown[] = [
  { path: "/", name: "overview", whenNew: "empty" },
  { path: "/campaigns", name: "campaigns", whenNew: "empty" },
  { path: "/campaigns/new", name: ASKS_NOTHING, whenNew: "ready" },
  { path: "/calls", name: "calls", whenNew: "empty" },
  { path: "/numbers", name: "numbers", whenNew: "empty" },
  { path: "/policy", name: "policy", whenNew: "ready" },
  { path: "/do-not-call", name: "do-not-call", whenNew: "empty" },
  { path: "/assistants", name: "assistants", whenNew: "empty" },
  { path: "/squads", name: "squads", whenNew: "empty" },
  { path: "/tools", name: "tools", whenNew: "empty" },
  { path: "/phone-numbers", name: "phone-numbers", whenNew: "empty" },
  { path: "/webhooks", name: "webhooks", whenNew: "empty" },
  { path: "/deliveries", name: "deliveries", whenNew: "empty" },
  { path: "/events", name: "events", whenNew: "empty" },
  { path: "/api-keys", name: "api-keys", whenNew: "ready" },
  { path: "/credits", name: "credits", whenNew: "ready" },
  { path: "/connections", name: "connections", whenNew: "empty" },
  { path: "/privacy", name: "privacy", whenNew: "ready" },
  { path: "/users", name: "users", whenNew: null },
  { path: "/welcome", name: "welcome", whenNew: "ready" },
];

describe("the four states of every page", () => {
  let world: BrowserWorld;
  let visit: Visit;
  let ofNobody: Visit;
  let records: readonly Shown[];
  beforeAll(async () => {
    world = await openBrowserWorld();
    records = await everything();
    visit = await world.visit("/api-keys");
    ofNobody = await world.visit("/api-keys", { key: (await world.service.newOwner()).key });
  });
  afterAll(() => world.stop());

  it("loads in the shape of a page, tells what was refused, and comes with another try", async () => {
    const { page } = visit;
    const service = await standIn(page);
    const found: unknown[] = [];
    for (const { path, name } of [...LISTS, ...records]) {
      if (name === ASKS_NOTHING) continue;
      const release = service.waits();
      await page.goto(path);
      await visit.reaches(name, "loading");
      await page.locator('main [role="status"]').first().waitFor();
      service.refuses(true);
      release();
      await visit.reaches(name, "error");
      const alert = page.locator('main > [role="alert"]');
      const told = (await alert.textContent()) ?? "";
      if (!told.includes("INTERNAL_ERROR") || !told.includes(REQUEST_ID)) found.push([path, told]);
      service.refuses(false);
      await triesAgain(page, name);
    }
    expect(found).toEqual([]);
    expect(visit.complaints).toEqual([]);
  });

  it("says the next step to whoever has nothing yet", async () => {
    const { page } = ofNobody;
    for (const { path, name, whenNew } of LISTS) {
      if (whenNew === null) continue;
      await ofNobody.walk(path);
      await ofNobody.reaches(name, whenNew);
      if (whenNew === "empty" && name !== "events")
        expect([name, await page.locator("main").locator("a, button").count()]).not.toEqual([name, 0]);
    }
    expect(ofNobody.complaints).toEqual([]);
  });

  /**
   * A page asks by itself when its stream opens: what was refused just before brings the fault
   * back after the press.
   */
  async function triesAgain(page: Page, name: string): Promise<void> {
    const ready = page.locator(`main[data-page="${name}"][data-state="ready"]`);
    await eventually(`${name} to come`, async () => {
      await page.evaluate(`document.querySelector('main > [role="alert"] button')?.click()`);
      return ready.waitFor({ timeout: PRESSED_AGAIN_AFTER }).then(
        () => true,
        () => false,
      );
    });
  }

  /** Between the page and the service: lets a request wait, refuses it, or lets it through. */
  async function standIn(page: Page) {
    let gate = Promise.resolve();
    let isRefusing = false;
    await page.route(ASKED, async (route) => {
      await gate;
      if (!isRefusing) return route.continue();
      return route.fulfill({
        status: 500,
        headers: { "X-Request-Id": REQUEST_ID },
        json: { success: false, error: { code: "INTERNAL_ERROR", message: "Something broke" } },
      });
    });
    return {
      waits: () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        gate = promise;
        return resolve;
      },
      refuses: (now: boolean) => {
        isRefusing = now;
      },
    };
  }

  /** Something of each kind; the pages of one record. */
  async function everything(): Promise<readonly Shown[]> {
    const { operator } = world.service;
    const ready = await callable(operator);
    const squad = await made(operator, "/api/v1/squads", { name: "Reception" });
    const to = "+15005550006";
    await made(operator, "/api/v1/tools", {
      name: "orders",
      description: "Looks an order up",
      type: "API_REQUEST",
      config: { url: "https://shop.example.com/", method: "GET" },
    });
    await made(operator, "/api/v1/connections", {
      kind: "model",
      name: "Own model",
      settings: { baseUrl: "http://127.0.0.1:1025/v1", defaultModel: "small" },
      secrets: { apiKey: "x" },
    });
    await operator.send("POST", "/api/v1/suppressions", { body: { phoneNumber: "+15005550001" } });
    await operator.send("PUT", "/api/v1/webhook", { body: { url: "http://127.0.0.1:1025/", enabled: true } });
    const { campaign } = await made(operator, "/api/v1/campaigns", campaignBody(ready));
    const { body } = await operator.send("POST", "/api/v1/calls/outbound", { body: { ...ready, to } });
    await endedCall(operator, body.callId);
    const one = (path: string, name: string) => ({ path, name, whenNew: null });
    return [
      one(`/campaigns/${campaign.id}`, "campaign"),
      one(`/calls/${body.callId}`, "call"),
      one(`/numbers/${to}`, "number"),
      one(`/assistants/${ready.assistantId}`, "assistant"),
      one(`/assistants/${ready.assistantId}/rehearsal?call=${body.callId}`, "rehearsal"),
      one(`/squads/${squad.id}`, "squad"),
    ];
  }
});
