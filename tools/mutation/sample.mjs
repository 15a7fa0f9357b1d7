import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setup } from "../../test/support/postgres-global-setup.ts";

/**
 * node tools/mutation/sample.mjs <folder of folders.json> [mutants] [seed]: measures a sample of the folder's
 * mutants (150), by the tests that reach it, and fails below 80 %. Their one PostgreSQL, with its template of
 * all tables, serves every mutant. `"database": false` in folders.json: no judge of the folder asks for one,
 * so that single tests are run and not whole files.
 */
const [folder, size = "150", seed = String(Date.now() % 100_000)] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const folders = read("./folders.json");
const { judges, mutate = [`${folder}/**/*.ts`], database = true } = folders[folder] ?? {};
if (judges === undefined) throw new Error(`Not in tools/mutation/folders.json: ${folder}`);

const CONFIG = "reports/sample.json";
mkdirSync("reports", { recursive: true });
const thresholds = { high: 90, low: 80, break: 80 };
// Whole files are run, of which stryker.json's limit knows only some tests; the judge has its own.
const timeoutMS = 120_000;
writeFileSync(CONFIG, JSON.stringify({ ...read("./stryker.json"), mutate, thresholds, timeoutMS }));
const provided = {};
const stop = database
  ? await setup({ provide: (key, value) => Object.assign(provided, { [key]: value }) })
  : async () => {};
const stryker = spawn("tools/mutation/node_modules/.bin/stryker", ["run", CONFIG], {
  stdio: "inherit",
  env: {
    ...process.env,
    FOLDER: folder,
    SAMPLE: size,
    SEED: seed,
    JUDGES: judges.join(","),
    ...(database ? { JUDGE_PROVIDED: JSON.stringify(provided) } : {}),
  },
});
stryker.on("exit", async (code) => {
  await stop();
  process.exitCode = code ?? 1;
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stryker.kill(signal));
