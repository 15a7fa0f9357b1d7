// Joins the modules of the service into few files, in built/, if its sources changed since: a start resolves
// some 2,200 modules otherwise, which is half of its processor time. Plain JavaScript, also for Node 20,
// because `npm ci` runs it (`prepare`). It never fails an installation: without it the service starts from
// its sources.
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { buildOnce, fromTheseSources, isBuilt, ROOT } from "../tools/build-once.mjs";

const SERVICE = {
  folder: join(ROOT, "built"),
  sources: [
    "api",
    "application",
    "client",
    "composition",
    "contract",
    "domain",
    "infrastructure",
    "programs",
    "projections",
    "simulation",
    "package.json",
    "package-lock.json",
  ],
};
/** They read files beside their own, or are looked for and may be absent: they stay packages. */
const PACKAGES = [/^@eventstore\//, /^@fastify\/swagger-ui/, /^@opentelemetry\//, /^pino/, /^twilio/];
const WORKER = /new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/g;

/** The file that starts the service as it was built from the sources as they are; null: there is none. */
export function builtStart() {
  return isBuilt(SERVICE) ? join(SERVICE.folder, "start.js") : null;
}

/** @param {string} folder */
async function build(folder) {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    input: { start: join(ROOT, "programs/start.ts") },
    platform: "node",
    external: PACKAGES,
    plugins: [fromTheseSources(SERVICE.sources), placesAndThreads()],
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, format: "esm", sourcemap: true });
  await bundle.close();
}

/**
 * A module that is started as a thread becomes a file beside the others, of the same name. One that looks for
 * files from where it stands finds them from built/ too, if it stands right below the root.
 *
 * @returns {import("rolldown").Plugin}
 */
function placesAndThreads() {
  return {
    name: "places-and-threads",
    transform(code, id) {
      if (id.includes("node_modules") || !code.includes("import.meta.")) return null;
      if (code.includes("import.meta.dirname") && dirname(dirname(id)) !== ROOT)
        throw new Error(`${id} looks for files from where it stands, which is not right below the root`);
      return code.replace(WORKER, (_whole, name) => {
        const fileName = `${name}.js`;
        this.emitFile({ type: "chunk", id: join(dirname(id), `${name}.ts`), fileName });
        return `new URL("./${fileName}", import.meta.url)`;
      });
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problem = await buildOnce(SERVICE, build).catch(String);
  if (problem !== null)
    process.stderr.write(`The service was not built, and starts from its sources: ${problem}\n`);
}
