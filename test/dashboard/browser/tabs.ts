import type { Browser, Page } from "playwright-core";

export type TabOptions = {
  readonly colorScheme?: "light" | "dark";
  readonly locale?: string;
  readonly timezoneId?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
};

export type Tabs = {
  open(options: TabOptions): Promise<Page>;
  close(page: Page): Promise<void>;
};

const VIEWPORT = { width: 1280, height: 720 };
/** Of the same origin, and nothing goes on there. */
const QUIET = "/health/live";

/**
 * Tabs of browser contexts. One that is closed is emptied and used again by the next visitor of the
 * same place: a new one costs a process, and has to compile the page's scripts anew, which is most
 * of what a visit takes.
 */
export function openTabs(browser: Browser, baseURL: string): Tabs {
  const idle = new Map<string, Page[]>();
  const placeOf = new Map<Page, string>();
  return {
    open: async ({ colorScheme = "light", locale = "en-GB", timezoneId = "UTC", viewport = VIEWPORT }) => {
      const place = `${locale} ${timezoneId}`;
      const page =
        idle.get(place)?.pop() ??
        (await (
          await browser.newContext({ baseURL, locale, timezoneId, viewport, reducedMotion: "reduce" })
        ).newPage());
      placeOf.set(page, place);
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      return page;
    },
    close: async (page) => {
      if (!(await isEmptied(page))) return page.context().close();
      const place = placeOf.get(page) ?? "";
      idle.set(place, [...(idle.get(place) ?? []), page]);
    },
  };
}

/**
 * Whether nothing of the visit is left: no other page, no cookie, no stored text. Where the service is gone
 * there is no telling.
 */
async function isEmptied(page: Page): Promise<boolean> {
  const context = page.context();
  await Promise.all([page.removeAllListeners(), page.unrouteAll({ behavior: "ignoreErrors" })]);
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.clearCookies();
  try {
    await page.goto(QUIET);
    await page.evaluate("localStorage.clear(); sessionStorage.clear()");
    return true;
  } catch {
    return false;
  }
}
