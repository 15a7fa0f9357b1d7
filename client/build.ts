import { execFileSync } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildServer } from "../api/server.ts";
import { throwingDeps } from "../test/api/support/inert-deps.ts";
import { type Document, declarationsOf } from "./declarations.ts";
import { OPERATIONS } from "./operations.ts";
import { type PythonModules, pythonModulesOf } from "./python-modules.ts";

const CLIENT = import.meta.dirname;
/** Of these the package has another form: it knows nothing of the contract. */
const OTHERWISE = ["api.ts", "operations.ts"];
/** What no build of JavaScript needs. */
const APART = ["dist", "python"];

/**
 * `npm run client:build` makes what the packages ship: client/dist, and what the Python client knows of the
 * table of routes.
 */
async function build(): Promise<void> {
  const document = await loadDocument();
  await writePythonModules(join(CLIENT, "python"), pythonModulesOf(document, OPERATIONS));
  await buildJavaScript(document);
}

/**
 * JavaScript and declarations that need nothing else. The client's files are compiled beside types that are
 * printed from the service's own OpenAPI document (in place of api.ts) and operations as plain data (in place
 * of operations.ts).
 */
async function buildJavaScript(document: Document): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "ringfold-client-"));
  const dist = join(CLIENT, "dist");
  const config = {
    extends: join(CLIENT, "tsconfig.json"),
    compilerOptions: { rootDir: ".", outDir: dist },
    files: ["index.ts"],
  };
  try {
    await cp(CLIENT, folder, {
      recursive: true,
      filter: (source) => ![...OTHERWISE, ...APART].includes(source.slice(CLIENT.length + 1)),
    });
    await writeFile(join(folder, "api.ts"), declarationsOf(document, OPERATIONS));
    await writeFile(join(folder, "operations.ts"), OPERATIONS_TEXT);
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    await rm(dist, { recursive: true, force: true });
    const tsc = join(CLIENT, "../node_modules/.bin/tsc");
    execFileSync(tsc, ["-p", folder], { stdio: "inherit" });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The text of the package's api.ts. */
export async function declarations(): Promise<string> {
  return declarationsOf(await loadDocument(), OPERATIONS);
}

/** What the Python client knows of the table of routes. */
export async function pythonModules(): Promise<PythonModules> {
  return pythonModulesOf(await loadDocument(), OPERATIONS);
}

/** Into the sources of a Python client. */
export async function writePythonModules(folder: string, modules: PythonModules): Promise<void> {
  for (const [name, text] of Object.entries(modules))
    await writeFile(join(folder, "src/ringfold_client", name), text);
}

async function loadDocument(): Promise<Document> {
  const api = buildServer(throwingDeps(() => new Error("no work while the document is made")));
  const answer = await api.inject({ url: "/openapi.json" });
  await api.close();
  return answer.json();
}

const OPERATIONS_TEXT = `import type { Operation } from "./transport.ts";

export const OPERATIONS: readonly Operation[] = ${JSON.stringify(OPERATIONS, null, 2)};
`;

if (import.meta.main) await build();
