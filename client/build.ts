import { execFileSync } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildServer } from "../api/server.ts";
import { throwingDeps } from "../test/api/support/inert-deps.ts";
import { type Document, declarationsOf } from "./declarations.ts";
import { OPERATIONS } from "./operations.ts";

const CLIENT = import.meta.dirname;
/** Of these the package has another form: it knows nothing of the contract. */
const OTHERWISE = ["api.ts", "operations.ts"];

/**
 * `npm run client:build` makes client/dist, what the package ships: JavaScript and declarations that need
 * nothing else. The client's files are compiled beside types that are printed from the service's own OpenAPI
 * document (in place of api.ts) and operations as plain data (in place of operations.ts).
 */
async function build(): Promise<void> {
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
      filter: (source) => !OTHERWISE.includes(source.slice(CLIENT.length + 1)) && source !== dist,
    });
    await writeFile(join(folder, "api.ts"), await declarations());
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
  const api = buildServer(throwingDeps(() => new Error("no work while the document is made")));
  const answer = await api.inject({ url: "/openapi.json" });
  await api.close();
  const document: Document = answer.json();
  return declarationsOf(document, OPERATIONS);
}
const OPERATIONS_TEXT = `import type { Operation } from "./transport.ts";

export const OPERATIONS: readonly Operation[] = ${JSON.stringify(OPERATIONS, null, 2)};
`;

if (import.meta.main) await build();
