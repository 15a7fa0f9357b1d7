import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const LAYERS = ["domain", "application", "infrastructure", "api", "projections"] as const;
type Layer = (typeof LAYERS)[number];

/**
 * What each layer may import beside itself (docs/architecture.md §1). api may use the query
 * functions of projections.
 */
const MAY_IMPORT: Readonly<Record<Layer, readonly Layer[]>> = {
  domain: [],
  application: ["domain"],
  infrastructure: ["application", "domain"],
  projections: ["application", "domain"],
  api: ["application", "domain", "projections"],
};

/** Packages by layer; infrastructure, api and projections choose their own. */
const PACKAGES: Partial<Record<Layer, readonly string[]>> = {
  domain: ["luxon", "libphonenumber-js", "libphonenumber-js/max"],
  application: [],
};

type Import = { readonly file: string; readonly layer: Layer; readonly target: string };

function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(ROOT, folder, name));
}

function importsOf(file: string, layer: Layer): Import[] {
  const text = readFileSync(file, "utf8");
  const statements =
    /(?:^|\n)\s*(?:import|export)\b[^"';]*?from\s*"([^"]+)"|(?:^|\n)\s*import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/g;
  const specifiers = [...text.matchAll(statements)];
  return specifiers.map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? "";
    const target = specifier.startsWith(".") ? relative(ROOT, resolve(dirname(file), specifier)) : specifier;
    return { file: relative(ROOT, file), layer, target };
  });
}

const files = LAYERS.flatMap((layer) => sourceFiles(layer).map((file) => ({ file, layer })));
const imports = files.flatMap(({ file, layer }) => importsOf(file, layer));
const ours = imports.filter(
  ({ target }) => LAYERS.some((layer) => target.startsWith(`${layer}/`)) || target === "main.ts",
);

describe("the layers", () => {
  it("are read whole: this test looked at the files it speaks of", () => {
    for (const layer of LAYERS)
      expect(files.filter((file) => file.layer === layer).length, layer).toBeGreaterThanOrEqual(8);
    expect(files.length).toBeGreaterThan(120);
    expect(ours.length).toBeGreaterThan(files.length);
  });

  it("import inward only, never sideways", () => {
    const wrong = ours.filter(
      ({ layer, target }) =>
        !target.startsWith(`${layer}/`) &&
        !MAY_IMPORT[layer].some((allowed) => target.startsWith(`${allowed}/`)),
    );
    expect(wrong).toEqual([]);
  });

  it("take only the packages that are theirs", () => {
    const packages = imports.filter(({ target }) => !LAYERS.some((layer) => target.startsWith(`${layer}/`)));
    const wrong = packages.filter(({ layer, target }) => PACKAGES[layer]?.includes(target) === false);
    expect(wrong).toEqual([]);
  });

  it("leave the composition to main.ts alone", () => {
    expect(imports.filter(({ target }) => target === "main.ts")).toEqual([]);
  });
});

describe("the environment", () => {
  it("is read by infrastructure/config.ts alone", () => {
    const readers = files
      .filter(({ file }) => /process\.env\b/.test(readFileSync(file, "utf8")))
      .map(({ file }) => relative(ROOT, file));
    expect(readers).toEqual(["infrastructure/config.ts"]);
  });
});

describe("a WebSocket", () => {
  it("is opened in one file, where frames are bounded and never compressed", () => {
    const everywhere = [...files.map(({ file }) => file), ...sourceFiles("programs")];
    const openers = everywhere
      .filter((file) => /\bnew WebSocket(Stream)?\(/.test(readFileSync(file, "utf8")))
      .map((file) => relative(ROOT, file));
    expect(openers).toEqual(["infrastructure/http/client-socket.ts"]);
  });
});
