import process from "node:process";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { BROWSER } from "../../support/browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * Where the Chromium that all browser tests of a run share is reached; "": there is none on this machine.
     */
    chromium: string;
  }
}

/** Starts the shared browser before the first test file and ends it after the last. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (BROWSER === null) {
    project.provide("chromium", "");
    return undefined;
  }
  const args = [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--disable-dev-shm-usage"];
  const server = await chromium.launchServer({ executablePath: BROWSER, args });
  project.provide("chromium", server.wsEndpoint());
  return () => server.close();
}
