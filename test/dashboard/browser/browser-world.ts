import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import axeCore from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { startTestService, type TestService } from "../../api/support/service.ts";
import { BROWSER } from "../../support/browser.ts";
import { eventually } from "../../support/eventually.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** For what a page waits for; only what hangs meets it. */
const PATIENCE_MILLIS = 60_000;

export type BrowserWorld = {
  readonly service: TestService;
  /** A browser of its own, signed in through the page, at `path`. */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
  stop(): Promise<void>;
};

export type VisitOptions = {
  /** Whose key signs in; the first key of the installation unless said otherwise. "": nobody. */
  readonly key?: string;
  readonly colorScheme?: "light" | "dark";
  readonly locale?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
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

/** A real browser that looks at a service which runs already. */
export async function openBrowser(
  service: Pick<TestService, "url" | "operator">,
): Promise<{ readonly visit: BrowserWorld["visit"]; readonly close: () => Promise<void> }> {
  if (BROWSER === null)
    throw new Error("There is no Chromium on the PATH or in BROWSER_PATH (Debian: chromium)");
  const args = [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-dev-shm-usage"];
  const browser = await chromium.launch({ executablePath: BROWSER, args, timeout: PATIENCE_MILLIS });
  return {
    visit: (path, options = {}) => visit(browser, service, path, options),
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
  browser: Browser,
  { url, operator }: Pick<TestService, "url" | "operator">,
  path: string,
  { key = operator.key, ...options }: VisitOptions,
): Promise<Visit> {
  const settings: BrowserContextOptions = { baseURL: url, locale: "en-GB", ...options };
  const context = await browser.newContext(settings);
  context.setDefaultTimeout(PATIENCE_MILLIS);
  const page = await context.newPage();
  const complaints = listen(page);
  await page.goto(path);
  const reaches: Visit["reaches"] = async (name, state = "ready") => {
    await page.locator(`main[data-page="${name}"][data-state="${state}"]`).waitFor();
  };
  if (key !== "") {
    await reaches("sign-in");
    await page.locator('[name="apiKey"]').fill(key);
    await page.locator('main[data-page="sign-in"] [type="submit"]').click();
    await page.getByTestId("sign-out").waitFor();
  }
  let isDark = options.colorScheme === "dark";
  const axeInBothLights = async () => {
    const found = await axe(page);
    isDark = !isDark;
    await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
    return [...found, ...(await axe(page, COLOURS))];
  };
  return { page, complaints, axe: () => axe(page), axeInBothLights, reaches, close: () => context.close() };
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

type AxeResults = {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
};

const EVERYTHING = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
/** Nothing else can differ between the lights. */
const COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

async function axe(page: Page, runOnly = EVERYTHING): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeCore.source);
  const results: AxeResults = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)} })`,
  );
  return results.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html ?? ""}`);
}
