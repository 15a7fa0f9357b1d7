// Builds the dashboard into dashboard/dist, when its sources changed since the last time. Plain JavaScript for Node 20 too: `npm ci` runs it
// (`prepare`). It never fails an installation: what goes wrong is one line, and the service says it again at "/".
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
/** What the built files depend on. */
const SOURCES = [
  "dashboard/src",
  "dashboard/index.html",
  "dashboard/vite.config.ts",
  "client",
  "package-lock.json",
];
const LEFT_OUT = new Set(["dist", "node_modules"]);
/** A build that was killed leaves its lock; nobody builds for so long. */
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

/** The hash of all sources: the name of what is built from them. */
export function sourcesHash() {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap((each) => filesOf(join(ROOT, each))))
    hash.update(relative(ROOT, file)).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

/** Whether dashboard/dist was built from the sources as they are. */
export function isBuilt() {
  try {
    return readFileSync(join(DIST, "built-from"), "utf8") === sourcesHash();
  } catch {
    return false;
  }
}

/** Builds when it is needed. Resolves with null, or with why it could not be built. */
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
    // vite takes it from here, and builds for development where it says so.
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
