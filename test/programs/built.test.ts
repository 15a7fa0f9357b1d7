import { execFile } from "node:child_process";
import { appendFile, cp, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startProgram } from "../../simulation/drills/program.ts";
import { removeFolder } from "../../simulation/drills/remove-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/postgres.ts";

const ROOT = join(import.meta.dirname, "../..");
const LEFT_OUT = /^(?:\..*|bench|built.*|docs|node_modules|reports|test)$/;
const KEY = "va_live_built_0123456789abcdef0123456789ab";
/** Of ours: with the sources they are some 1,000. */
const FEW_MODULES = 100;
/** Tells at its end how many modules were loaded that are no package's, and whether Node's own undici was. */
const COUNTS = `
  import { writeSync } from "node:fs";
  import { registerHooks } from "node:module";
  import { isMainThread } from "node:worker_threads";
  let count = 0;
  registerHooks({
    load: (url, context, next) => {
      if (url.startsWith("file:") && !url.includes("/node_modules/")) count += 1;
      return next(url, context);
    },
  });
  if (isMainThread) process.on("exit", () => {
    const undici = process.moduleLoadList.some((name) => name.includes("deps/undici"));
    writeSync(2, \`loaded \${count} modules, \${undici ? "and" : "without"} undici of Node\\n\`);
  });
`;

let copy: string;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  copy = await mkdtemp(join(tmpdir(), "ringfold-built-"));
  for (const name of await readdir(ROOT))
    if (!LEFT_OUT.test(name)) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  await writeFile(join(copy, "counts.mjs"), COUNTS);
}, 60_000);
afterAll(async () => {
  await database.drop();
  await removeFolder(copy);
});

const build = async () =>
  (await promisify(execFile)(process.execPath, [join(copy, "programs/build.mjs")])).stderr;

/** Starts the service of the copy for `use`; how many of its modules it loaded, and what else. */
async function loadedBy(use: (url: string) => Promise<void> = async () => undefined) {
  const log = join(copy, "log");
  await writeFile(log, "");
  const env = {
    ...{ LOG_LEVEL: "error", PORT: "0", DATA_DIR: join(copy, "data"), BOOTSTRAP_API_KEY: KEY },
    DATABASE_URL: database.connectionString,
    SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
    NODE_OPTIONS: `--import=${join(copy, "counts.mjs")}`,
  };
  const program = startProgram(join(copy, "programs/start.js"), env, log);
  await program.listening.then(use).finally(program.stop);
  const [, modules, undici] = /loaded (\d+) modules, (\w+) undici/.exec(await readFile(log, "utf8")) ?? [];
  return { modules: Number(modules), undici };
}

const call = async (method: string, url: string, type: string, body: string) => {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": type };
  const answer = await fetch(url, { method, headers, body });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
};

it("starts from few files once it was built, its threads too, and serves what lies beside it", async () => {
  expect(await build()).toBe("");
  const loaded = await loadedBy(async (url) => {
    const lists = `${url}/api/v1/suppression-lists`;
    const list = await call("POST", lists, "application/json", '{"name":"Register","kind":"registry"}');
    const numbers = await call("PUT", `${lists}/${list.body.data.id}/numbers`, "text/csv", "+12025550100\n");
    expect([numbers.status, numbers.body.data.count]).toEqual([200, 1]);
    const contacts = Array.from({ length: 5_000 }, () => ({ phoneNumber: "+12025550100" }));
    const large = JSON.stringify({ name: "Large", contacts });
    const refused = await call("POST", `${url}/api/v1/campaigns`, "application/json", large);
    expect([refused.status, refused.body.error.details[1].path]).toEqual([400, ["assistantId"]]);
    const page = await fetch(`${url}/docs/static/index.html`);
    expect([page.status, (await page.text()).slice(0, 20)]).toEqual([200, expect.stringMatching(/<!/)]);
  });
  expect(loaded.modules).toBeGreaterThan(1);
  expect(loaded.modules).toBeLessThan(FEW_MODULES);
  // It takes a 25th of a start, and a mere import of "node:http" loads it.
  expect(loaded.undici).toBe("without");
}, 120_000);

it("has a file for each thread of the sources", async () => {
  const sources = await Promise.all(
    ["api", "infrastructure"].flatMap(async (folder) => {
      const files = await readdir(join(copy, folder), { recursive: true });
      const texts = files.filter((file) => file.endsWith(".ts")).map((file) => join(copy, folder, file));
      return Promise.all(texts.map((file) => readFile(file, "utf8")));
    }),
  );
  const threads = sources
    .flat()
    .flatMap((text) => /new Worker\(\s*new URL\("\.\/([\w-]+)\.ts"/.exec(text)?.[1] ?? []);
  expect(threads.length).toBeGreaterThan(3);
  expect(await readdir(join(copy, "built"))).toEqual(
    expect.arrayContaining(threads.map((name) => `${name}.js`)),
  );
});

it("starts from its sources while they are other ones, until it is built again", async () => {
  await appendFile(join(copy, "domain/shared/errors.ts"), "\n// Another word.\n");
  expect((await loadedBy()).modules).toBeGreaterThan(5 * FEW_MODULES);
  expect(await build()).toBe("");
  expect((await loadedBy()).modules).toBeLessThan(FEW_MODULES);
}, 120_000);

it("is not built from what it would not look at again, and says so", async () => {
  const service = join(copy, "composition/service.ts");
  const before = await readFile(service, "utf8");
  await cp(join(copy, "domain/shared/errors.ts"), join(copy, "tools/errors.ts"));
  await writeFile(service, `import "../tools/errors.ts";\n${before}`);
  expect(await build()).toContain("tools/errors.ts is not among the sources of the build");
  await writeFile(service, `import.meta.dirname;\n${before}`);
  expect(await build()).toBe("");
  const deeper = join(copy, "infrastructure/postgres/embedded/free-port.ts");
  await writeFile(deeper, `import.meta.dirname;\n${await readFile(deeper, "utf8")}`);
  expect(await build()).toMatch(/free-port\.ts looks for files from where it stands/);
}, 120_000);
