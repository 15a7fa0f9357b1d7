import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiUser } from "../../api/support/api-user.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";

const POLICY = "/api/v1/policy";
const TELEPHONE = { width: 390, height: 844 };

describe("who may be called", () => {
  let world: BrowserWorld;
  let user: ApiUser;
  let receiver: Awaited<ReturnType<typeof openReceiver>>;
  beforeAll(async () => {
    receiver = await openReceiver();
    world = await openBrowserWorld();
    user = await world.service.newOwner();
  });
  afterAll(async () => {
    await world.stop();
    receiver.close();
  });

  const current = async () => (await user.send("GET", POLICY)).body.data;
  const isClean = async ({ axe, complaints }: Visit) => {
    expect(await axe()).toEqual([]);
    expect(complaints).toEqual([]);
  };

  it("is said in sentences with their controls, by keyboard, and refused at the control", async () => {
    const visit = await world.visit("/policy", { key: user.key });
    const { page, reaches, close } = visit;
    await reaches("policy");
    await page.getByTestId("no-rule").waitFor();
    const on = async (name: string) => {
      await page.locator(`[name="${name}"]`).focus();
      await page.keyboard.press("Space");
    };
    await on("callableHours.on");
    await page.locator('[name="callableHours.start"]').fill("09:30");
    await page.locator('[name="callableHours.excludedDates"]').fill("2026-12-25, 2026-02-30");
    await on("attemptsPerNumber.on");
    await page.locator('[name="attemptsPerNumber.week"]').fill("5");
    await on("oneCallAtATime");
    await isClean(visit);
    await page.locator('[name="attemptsPerNumber.week"]').press("Enter");
    await page.locator('[name="callableHours.excludedDates"][aria-invalid]').waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("callableHours.excludedDates");
    expect((await current()).version).toBe(0);
    await page.locator('[name="callableHours.excludedDates"]').fill("2026-12-25");
    await page.keyboard.press("Enter");
    const inForce = page.locator('[data-testid="in-force"][data-version="1"]');
    await inForce.waitFor();
    expect((await current()).policy).toMatchObject({
      callableHours: {
        start: 9,
        startMinute: 30,
        end: 20,
        days: [1, 2, 3, 4, 5],
        excludedDates: ["2026-12-25"],
      },
      attemptsPerNumber: { day: 2, week: 5 },
      oneCallAtATime: true,
    });
    expect(await inForce.locator("[data-rule]").allTextContents()).toEqual([
      "People are called: Monday to Friday, 9:30 to 20:00 where they live. Never on 2026-12-25.",
      "A number is dialled at most 2 times a day and 5 times a week, by all campaigns and single calls together.",
      "A number that is in a call is not dialled a second time.",
    ]);
    await page.locator('[data-testid="rules-state"][data-value="saved"]', { hasText: "version 1" }).waitFor();
    await isClean(visit);
    await close();
  });

  it("is not overwritten by whoever had begun before: what changed is told, and both ways are offered", async () => {
    const visit = await world.visit("/policy", { key: user.key });
    const { page, reaches, close } = visit;
    await reaches("policy");
    const before = await current();
    await page.locator('[name="requireConsent"]').check();
    // Its event is on its way to the page as well; whichever comes first.
    const other = await user.send("PUT", POLICY, { body: { attemptsPerNumber: { day: 1 } } });
    expect(other.body.data.version).toBe(before.version + 1);
    await page.getByTestId("save").click({ force: true });
    const meanwhile = page.getByTestId("meanwhile");
    await meanwhile.waitFor();
    expect(await meanwhile.locator("[data-change]").evaluateAll(CHANGES)).toEqual([
      ["callableHours", "off"],
      ["attemptsPerNumber", "changed"],
    ]);
    await isClean(visit);
    expect(await page.getByTestId("save").isDisabled()).toBe(true);
    await page.getByTestId("keep-mine").click();
    await page.getByTestId("save").click();
    await page.locator(`[data-testid="in-force"][data-version="${before.version + 2}"]`).waitFor();
    expect((await current()).policy).toMatchObject({ ...before.policy, requireConsent: true });
    const newest = page.locator(`[data-version="${before.version + 2}"] [data-change]`);
    expect(await newest.evaluateAll(CHANGES)).toEqual([
      ["callableHours", "on"],
      ["attemptsPerNumber", "changed"],
      ["requireConsent", "on"],
    ]);
    await close();
  });

  it("asks an address on trial, as it is typed, and says what would follow", async () => {
    const visit = await world.visit("/policy", { key: user.key });
    const { page, reaches, close } = visit;
    await reaches("policy");
    const before = await current();
    await page.locator('[name="eligibility.on"]').check();
    await page.locator('[name="eligibility.url"]').fill("https://10.0.0.1/may-call");
    await page.getByTestId("try-address").click();
    await page.locator('[data-rule="eligibility"] [role="alert"]', { hasText: "public address" }).waitFor();
    await page.locator('[name="eligibility.url"]').fill(receiver.url);
    receiver.answers('{"allowed": false, "reason": "has paid"}');
    await page.getByTestId("try-address").click();
    await page.locator('[data-testid="tried"][data-follows="skipped"]', { hasText: "has paid" }).waitFor();
    await isClean(visit);
    receiver.answers("yes, of course");
    await page.getByTestId("try-address").click();
    await page.locator('[data-testid="tried"][data-answer="unavailable"]').waitFor();
    expect((await current()).version).toBe(before.version);
    await page.locator('[name="eligibility.url"]').fill("https://10.0.0.1/may-call");
    await page.getByTestId("save").click();
    await page.locator('[name="eligibility.url"][aria-invalid]').waitFor();
    await close();
  });

  it("was something else at another moment, in Turkish and on a telephone, and reads only where it may", async () => {
    const { rows } = await versionsOf(user);
    const [, , first] = rows;
    const reader = await user.send("POST", "/api/v1/api-keys", {
      body: { name: "Reads", scopes: ["account:read"] },
    });
    const visit = await world.visit(`/policy?at=${first.changedAt}`, {
      key: reader.body.data.key,
      locale: "tr-TR",
      viewport: TELEPHONE,
    });
    const { page, reaches, close } = visit;
    await reaches("policy");
    const inForce = page.locator('[data-testid="in-force"][data-version="1"]');
    await inForce.locator('[data-rule="callableHours"]', { hasText: "yaşadıkları yerin saatiyle" }).waitFor();
    expect(await page.getByTestId("save").count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(TELEPHONE.width);
    await isClean(visit);
    await page.getByTestId("now").click();
    await page.locator(`[data-testid="in-force"][data-version="${rows.length}"]`).waitFor();
    expect(new URL(page.url()).searchParams.has("at")).toBe(false);
    await close();
  });
});

const CHANGES = (rows: readonly { readonly dataset: Readonly<Record<string, string | undefined>> }[]) =>
  rows.map(({ dataset }) => [dataset["rule"], dataset["change"]]);

/** Whoever is asked who may be called: answers whatever it was told last. */
async function openReceiver() {
  let answer = "";
  const server = createServer((_request, reply) => reply.end(answer)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/may-call`,
    answers: (next: string) => {
      answer = next;
    },
    close: () => server.close(),
  };
}

async function versionsOf(user: ApiUser) {
  return { rows: (await user.send("GET", `${POLICY}/versions`)).body.data };
}
