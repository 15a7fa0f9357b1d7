import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { DashboardFile, DashboardFiles } from "../../application/ports/dashboard-files.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

type Built = { readonly page: DashboardFile; readonly assets: ReadonlyMap<string, DashboardFile> };

/** The built dashboard in memory. `folder`: where it is built; `reload` looks again for what was missing. */
export function loadDashboardFiles(
  folder: string,
): DashboardFiles & { readonly reload: (problem: string | null) => void } {
  let built = readBuilt(folder);
  let problem: string | null = null;
  return {
    page: () => built?.page ?? null,
    asset: (name) => built?.assets.get(name) ?? null,
    problem: () => problem,
    reload: (why) => {
      problem = why;
      built = readBuilt(folder) ?? built;
    },
  };
}

function readBuilt(folder: string): Built | null {
  try {
    const names = readdirSync(join(folder, "assets")).filter((name) => !name.endsWith(".br"));
    const assets = names.map((name) => [name, readOne(join(folder, "assets", name))] as const);
    return { page: readOne(join(folder, "index.html")), assets: new Map(assets) };
  } catch {
    return null;
  }
}

function readOne(path: string): DashboardFile {
  const identity = readFileSync(path);
  return {
    identity,
    brotli: readIfThere(`${path}.br`),
    contentType: TYPES[extname(path)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`,
  };
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
