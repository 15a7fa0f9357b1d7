import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setup } from "../test/support/postgres-global-setup.ts";

/**
 * node mutation/sample.mjs <folder of folders.json> [mutants] [seed]: measures a sample of the folder's
 * mutants (150), by the tests that reach it. Their one PostgreSQL, with its template of all tables, serves
 * every mutant.
 */
const [folder, size = "150", seed = String(Date.now() % 100_000)] = process.argv.slice(2);
const folders = JSON.parse(readFileSync(new URL("./folders.json", import.meta.url), "utf8"));
const { judges, mutate = [`${folder}/**/*.ts`] } = folders[folder] ?? {};
if (judges === undefined) throw new Error(`Not in mutation/folders.json: ${folder}`);

const provided = {};
const stop = await setup({ provide: (key, value) => Object.assign(provided, { [key]: value }) });
const stryker = spawn(
  "mutation/node_modules/.bin/stryker",
  ["run", "mutation/stryker.json", "--mutate", mutate.join(",")],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      FOLDER: folder,
      SAMPLE: size,
      SEED: seed,
      JUDGES: judges.join(","),
      JUDGE_PROVIDED: JSON.stringify(provided),
    },
  },
);
stryker.on("exit", async (code) => {
  await stop();
  process.exitCode = code ?? 1;
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stryker.kill(signal));
