import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const require = createRequire(import.meta.url);
/** Half as large as axe.js: each page that is loaded has to read it anew. */
const SOURCE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

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
export const COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** What axe finds on the page as it is. */
export async function axeOf(page: Page, runOnly = EVERYTHING): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(SOURCE);
  const results: AxeResults = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ["violations"] })`,
  );
  return results.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html ?? ""}`);
}
