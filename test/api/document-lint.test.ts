import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { loadDocument } from "./support/document.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Both extend the recommended rules; a rule that is off has its reason beside it. */
const REDOCLY_RULES = `--config=${join(ROOT, "tools/lint/openapi/redocly.yaml")}`;
const SPECTRAL_RULES = `--ruleset=${join(ROOT, "tools/lint/openapi/spectral.yaml")}`;
const run = promisify(execFile);

let folder = "";
let file = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringfold-document-"));
  file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify((await loadDocument()).raw));
});
afterAll(() => rm(folder, { recursive: true }));

/** What a linter prints, also when it ends with a failure because it found something. Asks no other host. */
async function lint(program: string, ...options: readonly string[]): Promise<unknown> {
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { stdout } = await run(
    process.execPath,
    [join(ROOT, "node_modules/.bin", program), "lint", file, ...options],
    { env: { ...process.env, ...quiet }, maxBuffer: 64 * 1024 * 1024 },
  ).catch((error: { readonly stdout: string }) => error);
  return JSON.parse(stdout);
}

const redoclyReport = z.object({
  totals: z.object({ errors: z.number(), warnings: z.number(), ignored: z.number() }),
  problems: z.array(z.unknown()),
});

it("has no error and no warning of redocly's recommended rules", async () => {
  const report = await lint("redocly", "--format=json", REDOCLY_RULES);
  const { totals, problems } = redoclyReport.parse(report);
  expect(problems).toEqual([]);
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

it("has no error, warning or hint of spectral's rules for OpenAPI", async () => {
  expect(await lint("spectral", "--format=json", "--quiet", SPECTRAL_RULES)).toEqual([]);
});

it("is really looked at: both find what is wrong with a document without answers", async () => {
  const broken = { openapi: "3.1.0", info: { title: "", version: "1" }, paths: { "/x": { get: {} } } };
  await writeFile(file, JSON.stringify(broken));
  const [redocly, spectral] = await Promise.all([
    lint("redocly", "--format=json", REDOCLY_RULES),
    lint("spectral", "--format=json", "--quiet", SPECTRAL_RULES),
  ]);
  expect(redoclyReport.parse(redocly).totals.errors).toBeGreaterThan(0);
  expect(spectral).not.toEqual([]);
});
