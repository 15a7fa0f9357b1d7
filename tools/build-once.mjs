// A folder that is made from sources, once for each state of them. Plain JavaScript, also for Node 20,
// because `npm ci` runs it (`prepare`).
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const LEFT_OUT = new Set(["dist", "node_modules"]);
/** A killed build leaves its lock; after this time the lock is ignored. */
const STALE_LOCK_MILLIS = 120_000;

/**
 * @typedef {object} Made
 * @property {string} folder where it stands
 * @property {readonly string[]} sources files and folders, from the root of the project
 */

/**
 * @param {string} path
 * @returns {string[]} the files below it, or the file itself; none: it is not there
 */
export function filesOf(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isFile()) return [path];
  return readdirSync(path)
    .filter((name) => !LEFT_OUT.has(name))
    .toSorted()
    .flatMap((name) => filesOf(join(path, name)));
}

/** @param {readonly string[]} sources */
function hashOf(sources) {
  const hash = createHash("sha256");
  for (const file of sources.flatMap((each) => filesOf(join(ROOT, each))))
    hash.update(relative(ROOT, file)).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

/** @param {Made} made whether it was made from the sources as they are now */
export function isBuilt({ folder, sources }) {
  try {
    return readFileSync(join(folder, "built-from"), "utf8") === hashOf(sources);
  } catch {
    return false;
  }
}

/**
 * Makes it if needed, beside itself and then put in its place. Another process that builds it goes first.
 *
 * @param {Made} made
 * @param {(folder: string) => Promise<void>} build fills the folder
 * @returns {Promise<string | null>} null, or why it could not be built, as one line
 */
export async function buildOnce(made, build) {
  if (isBuilt(made)) return null;
  const lock = `${made.folder}.lock`;
  try {
    mkdirSync(lock);
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - since < STALE_LOCK_MILLIS) return "another process is building it";
    rmSync(lock, { recursive: true, force: true });
    mkdirSync(lock, { recursive: true });
  }
  const beside = `${made.folder}.${randomUUID()}`;
  try {
    const hash = hashOf(made.sources);
    await build(beside);
    writeFileSync(join(beside, "built-from"), hash);
    rmSync(made.folder, { recursive: true, force: true });
    renameSync(beside, made.folder);
    return null;
  } catch (error) {
    return inOneLine(error);
  } finally {
    rmSync(beside, { recursive: true, force: true });
    rmSync(lock, { recursive: true, force: true });
  }
}

/**
 * rolldown counts its errors first, and says of which file an error is in a line of its own.
 *
 * @param {unknown} error
 */
function inOneLine(error) {
  const lines = String(error instanceof Error ? error.message : error).split("\n");
  const telling = lines.filter((line) => line.trim() !== "" && !line.startsWith("Build failed"));
  return telling.slice(0, 2).join(": ") || "unknown";
}

/**
 * Ends a build that reads a module of the project which is not among its sources: a change of it would not be
 * seen.
 *
 * @param {readonly string[]} sources
 * @returns {import("rolldown").Plugin}
 */
export function fromTheseSources(sources) {
  const inside = sources.map((each) => join(ROOT, each));
  return {
    name: "from-these-sources",
    transform(_code, id) {
      if (!id.startsWith(ROOT + sep) || id.includes(`${sep}node_modules${sep}`)) return;
      if (!inside.some((each) => id === each || id.startsWith(each + sep)))
        throw new Error(`${relative(ROOT, id)} is not among the sources of the build`);
    },
  };
}
