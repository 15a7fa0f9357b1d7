import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import { removed, temporaryFolder } from "../../infrastructure/own-processes.ts";
import { BROWSER } from "../../test/support/browser.ts";
import { anything, campaignAnswer } from "../bench-api.ts";
import { type BenchService, startBenchService } from "../bench-service.ts";
import { type Benchmark, median, type Result } from "../benchmark.ts";
import { campaignBody, createCampaign, type References, references } from "../campaign-set-up.ts";
import { processorSeconds } from "../processor-time.ts";
import { OURS, row } from "../rows.ts";
import { logEnd, madeSince } from "../run-campaign.ts";

const CONTACTS = Number(process.env["DASHBOARD_CONTACTS"] ?? 10_000);
const RUNS = 7;
const STEPS = 200;
const LIVE_SECONDS = 10;
/** A call of a campaign has about thirteen events: some hundred a second. */
const CALLS_A_SECOND = 8;
/** A service that uses less than this share of a core has finished its work. */
const IDLE_SHARE = 0.1;
const IDLE_MILLIS = 3_000;
const ROOT = join(import.meta.dirname, "../..");
const MB = 1_000_000;

/**
 * What a person waits for in the browser, with a finished campaign of 10,000 contacts. No peer: the goals are
 * those of the dashboard.
 */
export const benchmark: Benchmark = { name: "dashboard", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  if (BROWSER === null)
    throw new Error("There is no Chromium on the PATH or in BROWSER_PATH (Debian: chromium)");
  log("build");
  const build = await timeOfBuild();
  const service = await startBenchService({ env: { SIMULATOR_SPEED: "100000", SIMULATOR_MINUTE_MS: "1" } });
  const given = await references(service);
  log(`a campaign of ${CONTACTS}`);
  const id = await createCampaign(service, given, CONTACTS);
  const before = await logEnd(service);
  await service.api.post(anything, `/api/v1/campaigns/${id}/start`);
  await untilCompleted(service, id);
  const events = (await madeSince(service, before)).events;
  log("until the service has nothing left to do");
  const settled = await untilIdle(service);
  const browser = await chromium.launch({
    executablePath: BROWSER,
    args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-dev-shm-usage"],
  });
  try {
    const context = await signedIn(browser, service);
    log("first paint");
    const paint = await timesOf(context, paintOf);
    log("table");
    const table = await timesOf(context, (page) => tableOf(page, id));
    log("slider and heap");
    const { steps, heap } = await sliderOf(context, id);
    log("live");
    const live = await liveOf(browser, context, service, given);
    return {
      benchmark: "dashboard",
      settings: {
        contacts: CONTACTS,
        "events of the campaign and its calls": events,
        runs: RUNS,
        steps: STEPS,
        browser: browser.version(),
        "events a second while live": live.eventsASecond,
        "seconds until the service was idle": settled,
      },
      rows: [
        row("build", "s", { [OURS]: build }, { atMost: 3 }),
        row("first paint of /, nothing cached", "ms", { [OURS]: median(paint) }, { atMost: 300 }),
        row("first row of the table", "ms", { [OURS]: median(table) }, { atMost: 1_000 }),
        row("slider step, median", "ms", { [OURS]: median(steps) }, { atMost: 16 }),
        row("slider step, p95", "ms", { [OURS]: percentile(steps, 0.95) }, { atMost: 16 }),
        row("heap of the tab", "MB", { [OURS]: heap }, { atMost: 40 }),
        row("live: processor of all its renderers", "% of a core", { [OURS]: live.percent }, { atMost: 10 }),
      ],
    };
  } finally {
    await browser.close();
    await service.remove();
  }
}

/** As `npm ci` does it, into a separate folder. */
async function timeOfBuild(): Promise<number> {
  const folder = temporaryFolder("ringfold-bench-dashboard-");
  const began = performance.now();
  const vite = join(ROOT, "node_modules/vite/bin/vite.js");
  await promisify(execFile)(process.execPath, [vite, "build", "--emptyOutDir", "--outDir", folder], {
    cwd: join(ROOT, "dashboard"),
  });
  const seconds = (performance.now() - began) / 1_000;
  rmSync(folder, { recursive: true, force: true });
  removed(folder);
  return seconds;
}

async function untilCompleted({ api }: BenchService, id: string): Promise<void> {
  while ((await api.get(campaignAnswer, `/api/v1/campaigns/${id}`)).campaign.status !== "COMPLETED")
    await wait(200);
}

/** Returns the seconds: the read models of recordings, search and calls over time come later. */
async function untilIdle({ pid }: BenchService): Promise<number> {
  const began = performance.now();
  for (;;) {
    const spent = processorSeconds(pid);
    await wait(IDLE_MILLIS);
    if (((processorSeconds(pid) - spent) * 1_000) / IDLE_MILLIS < IDLE_SHARE) break;
  }
  return Math.round((performance.now() - began - IDLE_MILLIS) / 1_000);
}

async function signedIn(browser: Browser, { url, apiKey }: BenchService): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto("/calls");
  await page.locator('[name="apiKey"]').fill(apiKey);
  await page.locator('main [type="submit"]').click();
  await page.getByTestId("sign-out").waitFor();
  await page.close();
  return context;
}

/** Each in a new page without a cache. */
async function timesOf(
  context: BrowserContext,
  time: (page: Page) => Promise<number>,
): Promise<readonly number[]> {
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
    times.push(await time(page));
    await page.close();
  }
  return times;
}

async function paintOf(page: Page): Promise<number> {
  await page.goto("/");
  await page.locator('main[data-page="overview"]').waitFor();
  const painted = await page.evaluate(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0",
  );
  return Number(painted);
}

async function tableOf(page: Page, id: string): Promise<number> {
  await page.addInitScript(`
    new MutationObserver((_, watch) => {
      if (document.querySelector("[data-contact]") === null) return;
      watch.disconnect();
      requestAnimationFrame(() => { globalThis.seenAt = performance.now(); });
    }).observe(document, { childList: true, subtree: true });`);
  await page.goto(`/campaigns/${id}`);
  // The page's CSP forbids what waitForFunction does.
  await page.locator("[data-contact]").first().waitFor();
  return Number(
    await page.evaluate(
      "new Promise((seen) => { requestAnimationFrame(() => { requestAnimationFrame(() => seen(globalThis.seenAt)); }); })",
    ),
  );
}

/** From the key press to the finished layout. */
const STEP = `async (steps) => {
  const slider = document.querySelector('[data-testid="slider"]');
  const times = [];
  for (let step = 0; step < steps; step += 1) {
    await new Promise(requestAnimationFrame);
    const began = performance.now();
    slider.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
    await Promise.resolve();
    document.body.getBoundingClientRect();
    times.push(performance.now() - began);
  }
  return times;
}`;

async function sliderOf(
  context: BrowserContext,
  id: string,
): Promise<{ readonly steps: readonly number[]; readonly heap: number }> {
  const page = await context.newPage();
  await page.goto(`/campaigns/${id}`);
  await page.locator("[data-contact]").first().waitFor();
  await page.getByTestId("slider").focus();
  const steps = (await page.evaluate(`(${STEP})(${STEPS})`)) as readonly number[];
  const devtools = await context.newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  await page.close();
  return { steps, heap: usedSize / MB };
}

/** A campaign that runs while the page is open. */
async function liveOf(
  browser: Browser,
  context: BrowserContext,
  service: BenchService,
  given: References,
): Promise<{ readonly percent: number; readonly eventsASecond: number }> {
  const paced = (all: References, count: number) => ({
    ...campaignBody(all, count),
    maxCallsPerSecond: CALLS_A_SECOND,
  });
  const id = await createCampaign(service, given, CONTACTS, paced);
  const page = await context.newPage();
  await page.goto(`/campaigns/${id}`);
  await page.locator('[data-testid="live"][data-state="live"]').waitFor();
  await service.api.post(anything, `/api/v1/campaigns/${id}/start`);
  await wait(3_000);
  const devtools = await browser.newBrowserCDPSession();
  const [spent, logged, began] = [await renderers(devtools), await logEnd(service), performance.now()];
  await wait(LIVE_SECONDS * 1_000);
  const seconds = (performance.now() - began) / 1_000;
  const percent = ((await renderers(devtools)) - spent) / seconds;
  const events = (await madeSince(service, logged)).events;
  await page.close();
  return { percent: percent * 100, eventsASecond: Math.round(events / seconds) };
}

/** Seconds of processor time of all pages and workers. */
async function renderers(devtools: CDPSession): Promise<number> {
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
