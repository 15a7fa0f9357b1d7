// Builds the dashboard into dashboard/dist if its sources changed since the last build. Plain JavaScript,
// also for Node 20, because `npm ci` runs it (`prepare`). It never fails an installation: an error is one
// line, and the service reports it again at "/".
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { buildOnce, filesOf, fromTheseSources, isBuilt } from "../tools/build-once.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const DASHBOARD = {
  folder: join(HERE, "dist"),
  sources: [
    "dashboard/src",
    "dashboard/index.html",
    "dashboard/vite.config.ts",
    "api/campaigns",
    "client",
    "contract",
    "domain",
    "package-lock.json",
  ],
};
const COMPRESSED = /\.(?:js|css|html|svg|json|txt)$/;

/** Whether it was built from the sources as they are. */
export function isDashboardBuilt() {
  return isBuilt(DASHBOARD);
}

/** @param {string} folder */
async function build(folder) {
  // vite reads it from here, and would build for development if it said so.
  process.env.NODE_ENV = "production";
  const vite = await import("vite");
  await vite.build({
    configFile: join(HERE, "vite.config.ts"),
    root: HERE,
    logLevel: "error",
    plugins: [fromTheseSources(DASHBOARD.sources)],
    worker: { plugins: () => [fromTheseSources(DASHBOARD.sources)] },
    build: { outDir: folder, emptyOutDir: true },
  });
  compress(folder);
}

/** @param {string} folder brotli beside each file that it makes smaller */
function compress(folder) {
  for (const file of filesOf(folder).filter((each) => COMPRESSED.test(each))) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file), { params }));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = await buildOnce(DASHBOARD, build).catch(String);
  if (problem !== null) process.stderr.write(`The dashboard was not built: ${problem}\n`);
}
