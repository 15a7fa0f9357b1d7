// Builds the dashboard into dashboard/dist if its sources changed since the last build. Plain JavaScript,
// also for Node 20, because `npm ci` runs it (`prepare`). It never fails an installation: an error is one
// line, and the service reports it again at "/".
import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(HERE, "..");
const DIST = join(HERE, "dist");
/** The files that the build depends on. */
const SOURCES = [
  "dashboard/src",
  "dashboard/index.html",
  "dashboard/vite.config.ts",
  "client",
  "package-lock.json",
];
const LEFT_OUT = new Set(["dist", "node_modules"]);
/** A killed build leaves its lock; after this time the lock is ignored. */
const STALE_LOCK_MILLIS = 120_000;
const COMPRESSED = /\.(?:js|css|html|svg|json|txt)$/;

/** @returns {string[]} files below it, or the file itself */
function filesOf(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => !LEFT_OUT.has(name))
    .toSorted()
    .flatMap((name) => filesOf(join(path, name)));
}

/** The hash of all sources: the name of their build. */
export function sourcesHash() {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap((each) => filesOf(join(ROOT, each))))
    hash.update(relative(ROOT, file)).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

/** Whether dashboard/dist was built from the current sources. */
export function isBuilt() {
  try {
    return readFileSync(join(DIST, "built-from"), "utf8") === sourcesHash();
  } catch {
    return false;
  }
}

/** Builds if needed. Resolves with null, or with why it could not be built. */
export async function buildDashboard() {
  if (isBuilt()) return null;
  const lock = join(HERE, "dist.lock");
  try {
    mkdirSync(lock);
  } catch {
    if (Date.now() - statSync(lock, { throwIfNoEntry: false })?.mtimeMs < STALE_LOCK_MILLIS)
      return "another process is building it";
    rmSync(lock, { recursive: true, force: true });
    mkdirSync(lock, { recursive: true });
  }
  const made = join(HERE, `dist.${randomUUID()}`);
  try {
    // vite reads it from here, and would build for development if it said so.
    process.env.NODE_ENV = "production";
    const { build } = await import("vite");
    const hash = sourcesHash();
    await build({
      configFile: join(HERE, "vite.config.ts"),
      root: HERE,
      logLevel: "error",
      build: { outDir: made, emptyOutDir: true },
    });
    compress(made);
    writeFileSync(join(made, "built-from"), hash);
    rmSync(DIST, { recursive: true, force: true });
    renameSync(made, DIST);
    return null;
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split("\n", 1)[0] || "unknown";
  } finally {
    rmSync(made, { recursive: true, force: true });
    rmSync(lock, { recursive: true, force: true });
  }
}

/** @param {string} folder brotli beside each file that it makes smaller */
function compress(folder) {
  for (const file of filesOf(folder).filter((each) => COMPRESSED.test(each))) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file), { params }));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = await buildDashboard().catch(String);
  if (problem !== null) process.stderr.write(`The dashboard was not built: ${problem}\n`);
}
