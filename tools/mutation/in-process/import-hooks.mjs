import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

const VITEST = new URL("./vitest-shim.mjs", import.meta.url).href;
const SHIMS = new Map([
  ["vitest", VITEST],
  ["@fast-check/vitest", new URL("./fast-check-shim.mjs", import.meta.url).href],
]);

/**
 * Tests that import vitest get the collector instead; types are stripped once from each file,
 * however often it is loaded.
 */
export async function hookImports() {
  const sources = new Map();
  const sourceOf = (file) => {
    const known = sources.get(file) ?? stripTypeScriptTypes(readFileSync(file, "utf8"));
    sources.set(file, known);
    return known;
  };
  registerHooks({
    resolve: (specifier, context, next) => {
      const shim = context.parentURL?.includes("/node_modules/") ? undefined : SHIMS.get(specifier);
      return shim === undefined ? next(specifier, context) : { url: shim, shortCircuit: true };
    },
    load: (url, context, next) => {
      const isOurs = /^file:.*\.ts(\?round=\d+)?$/.test(url) && !url.includes("/node_modules/");
      if (!isOurs) return next(url, context);
      const source = sourceOf(fileURLToPath(url.replace(/\?.*$/, "")));
      return { format: "module", source, shortCircuit: true };
    },
  });
  return import(VITEST);
}
