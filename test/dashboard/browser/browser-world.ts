import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { inject } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { startTestService, type TestService } from "../../api/support/service.ts";
import { axeOf, COLOURS } from "./axe.ts";
import { openTabs, type TabOptions, type Tabs } from "./tabs.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** For what a page waits for; only what hangs meets it. */
const PATIENCE_MILLIS = 60_000;

export type BrowserWorld = {
  readonly service: TestService;
  /** A browser context of its own, signed in, at `path`. */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
  stop(): Promise<void>;
};

export type VisitOptions = TabOptions & {
  /** Whose key signs in; the first key of the installation unless said otherwise. "": nobody. */
  readonly key?: string;
};

export type Visit = {
  readonly page: Page;
  /**
   * What the browser complained of so far: errors of scripts, of the console, and what the policy (CSP)
   * forbade. Refused requests are none.
   */
  readonly complaints: readonly string[];
  /** What axe finds against WCAG 2.2 AA on the page as it is. */
  axe(): Promise<readonly string[]>;
  /** The same, and in the other light what depends on colours. The page stays in that light. */
  axeInBothLights(): Promise<readonly string[]>;
  /** Fills the form of the page that asks who one is. */
  signIn(key?: string): Promise<void>;
  /** As a link of the page would: without loading it again. */
  walk(path: string): Promise<void>;
  /** Waits for `main[data-page=name]` in that state. */
  reaches(name: string, state?: "loading" | "empty" | "ready" | "error"): Promise<void>;
  close(): Promise<void>;
};

/** The service with the dashboard of these sources, and a real browser. */
export async function openBrowserWorld(env: Readonly<Record<string, string>> = {}): Promise<BrowserWorld> {
  await built();
  const service = await startTestService(env);
  try {
    const { visit, close } = await openBrowser(service);
    return {
      service,
      visit,
      stop: async () => {
        await close();
        await service.stop();
      },
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** The run's browser, looking at a service which runs already. */
export async function openBrowser(
  service: Pick<TestService, "url" | "operator">,
): Promise<{ readonly visit: BrowserWorld["visit"]; readonly close: () => Promise<void> }> {
  const endpoint = inject("chromium");
  if (endpoint === "")
    throw new Error("There is no Chromium on the PATH or in BROWSER_PATH (Debian: chromium)");
  const browser = await chromium.connect(endpoint, { timeout: PATIENCE_MILLIS });
  const tabs = openTabs(browser, service.url);
  return {
    visit: (path, options = {}) => visit(tabs, service, path, options),
    close: () => browser.close(),
  };
}

/** Another test file, or the service of another test, may be building it right now. */
export async function built(): Promise<void> {
  const build = promisify(execFile);
  let said = "";
  await eventually("the dashboard to be built", async () => {
    const { stderr } = await build(process.execPath, [join(ROOT, "dashboard/build.mjs")]);
    said = stderr;
    return !said.includes("another process");
  });
  if (said !== "") throw new Error(said);
}

async function visit(
  tabs: Tabs,
  { operator }: Pick<TestService, "operator">,
  path: string,
  { key = operator.key, ...options }: VisitOptions,
): Promise<Visit> {
  const page = await tabs.open(options);
  page.context().setDefaultTimeout(PATIENCE_MILLIS);
  const complaints = listen(page);
  if (key !== "") await holdSession(page.context(), key);
  await page.goto(path);
  const reaches: Visit["reaches"] = async (name, state = "ready") => {
    await page.locator(`main[data-page="${name}"][data-state="${state}"]`).waitFor();
  };
  if (key !== "") await page.getByTestId("sign-out").waitFor();
  const walk = async (to: string) => {
    await page.evaluate(
      `history.pushState(null, "", ${JSON.stringify(to)}); dispatchEvent(new PopStateEvent("popstate"))`,
    );
  };
  const signIn = async (apiKey = operator.key) => {
    await reaches("sign-in");
    await page.locator('[name="apiKey"]').fill(apiKey);
    await page.locator('main[data-page="sign-in"] [type="submit"]').click();
    await page.getByTestId("sign-out").waitFor();
  };
  let isDark = options.colorScheme === "dark";
  const axeInBothLights = async () => {
    const found = await axeOf(page);
    isDark = !isDark;
    await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
    return [...found, ...(await axeOf(page, COLOURS))];
  };
  return {
    page,
    complaints,
    axe: () => axeOf(page),
    axeInBothLights,
    signIn,
    walk,
    reaches,
    close: () => tabs.close(page),
  };
}

/**
 * As the page does it, without its form: what the form does is for sign-in.test.ts. The
 * context keeps the cookie.
 */
async function holdSession({ request }: BrowserContext, apiKey: string): Promise<void> {
  const headers = { "Sec-Fetch-Site": "same-origin" };
  const answer = await request.post("/api/v1/session", { headers, data: { apiKey } });
  if (answer.status() !== 201) throw new Error(`Signing in: ${await answer.text()}`);
}

function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // An answer that refuses is an error for the console; whether it was due is for the test to say.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  return complaints;
}
