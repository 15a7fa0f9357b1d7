import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";
import type { Reporter, TestModule } from "vitest/node";
import { canLimitDisks } from "../../simulation/drills/limited-disk.ts";
import { BROWSER, BROWSER_REQUIRED } from "./browser.ts";
import { missingLanguages } from "./languages.ts";
import { PROMTOOL } from "./promtool.ts";
import { countLine, type FileResult, type RunResults } from "./second-try/run-results.ts";
import { slowestLine, suiteLines } from "./suite-lines.ts";
import { PEERS, PEERS_REQUIRED } from "./telephony/peers.ts";

/**
 * The run's last lines: what was not registered, what passed only at a second try, what failed, and finally
 * how much passed. With RESULTS_JSON each file's result goes there instead of the count: who asked for
 * it counts (.ci/run has two halves, and says one sum).
 */
export function resultsReporter(): Reporter {
  let projects: readonly string[] = [];
  return {
    onInit: (vitest) => {
      projects = vitest.projects.map(({ name }) => name);
    },
    onTestRunEnd: (modules, unhandledErrors) => {
      const ran = modules.map((module) => ({ ...resultOf(module), millis: module.diagnostic().duration }));
      const lines = [
        slowestLine(ran),
        ...suiteLines(ran),
        ...notRegistered(projects),
        ...secondTries(modules),
        ...failures(modules, unhandledErrors),
      ];
      for (const line of lines) process.stdout.write(`${line}\n`);
      const results: RunResults = { files: modules.map(resultOf), outside: unhandledErrors.length };
      const file = process.env["RESULTS_JSON"];
      if (file === undefined) process.stdout.write(`${countLine(results)}\n`);
      else writeFileSync(file, JSON.stringify(results));
    },
  };
}

function resultOf(module: TestModule): FileResult {
  const tests = [...module.children.allTests()].map((test) => test.result());
  const failed = tests.filter(({ state }) => state === "failed");
  const outside = failedOutsideOfTests(module);
  const errors = [...failed.flatMap((result) => result.errors ?? []), ...errorsOutsideOfTests(module)];
  return {
    file: relative(process.cwd(), module.moduleId),
    passed: tests.filter(({ state }) => state === "passed").length,
    failed: failed.length + (outside ? 1 : 0),
    said: errors.map(({ message }) => message),
  };
}

/**
 * A file that could not be read has no failed tests; after a failed hook its tests may be
 * skipped, or have passed.
 */
function failedOutsideOfTests(module: TestModule): boolean {
  return !module.ok() && [...module.children.allTests()].every((test) => test.result().state !== "failed");
}

/** What the file itself said, or the hooks of any suite in it. */
function errorsOutsideOfTests(module: TestModule): readonly { readonly message: string }[] {
  return [module, ...module.children.allSuites()].flatMap((each) => each.errors());
}

/** Names of failed tests, after all other output: with their last error, and the number of tries. */
function failures(
  modules: readonly TestModule[],
  unhandledErrors: readonly { readonly message: string }[],
): string[] {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const failed = tests
    .filter((test) => test.result().state === "failed")
    .map((test) => {
      const tried = (test.diagnostic()?.retryCount ?? 0) + 1;
      const tries = tried > 1 ? ` (tried ${tried} times)` : "";
      return `Failed${tries}: ${test.module.moduleId} > ${test.fullName}\n${firstLine(test.result().errors?.at(-1))}`;
    });
  const unread = modules
    .filter(failedOutsideOfTests)
    .map(
      (module) =>
        `Failed to load or in a hook: ${module.moduleId}\n${firstLine(errorsOutsideOfTests(module)[0])}`,
    );
  const unhandled = unhandledErrors.map((error) => `Failed outside of any test: ${firstLine(error)}`);
  return [...failed, ...unread, ...unhandled];
}

function firstLine(error: { readonly message?: string } | undefined): string {
  return error?.message?.split("\n", 1)[0] ?? "";
}

/** Failures of the first try, with their errors. */
function secondTries(modules: readonly TestModule[]): string[] {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  return tests
    .filter((test) => test.diagnostic()?.flaky)
    .map((test) => {
      const [first] = test.result().errors ?? [];
      return `Passed at the second try only: ${test.module.moduleId} > ${test.fullName}\n${first?.message ?? ""}`;
    });
}

/** What a run leaves out: its other half, or what is not on this machine. */
function notRegistered(projects: readonly string[]): string[] {
  const lines: string[] = [];
  if (PROMTOOL === null && projects.includes("together"))
    lines.push(
      "Not registered: the test of metrics and alert rules by promtool (Debian: prometheus). A reader of our own checks the metrics.",
    );
  if (!projects.includes("programs"))
    return [
      ...lines,
      "Not run here: drills, programs, browser, telephones and EventStoreDB (npm run test:rest).",
    ];
  if (process.env["TEST_EVENTSTORE_URL"] === undefined)
    lines.push(
      "Not registered: the tests that need a real EventStoreDB. `docker compose -f docker-compose.eventstoredb.yml up`, then run them with TEST_EVENTSTORE_URL=esdb://127.0.0.1:2113?tls=false",
    );
  if (!canLimitDisks())
    lines.push(
      "Not registered: the drill on a full disk. It needs Linux, root, and the right to mount a tmpfs.",
    );
  if (BROWSER === null && !BROWSER_REQUIRED)
    lines.push(
      "Not registered: the browser tests of the dashboard. They need Chromium (Debian: chromium), on the PATH or in BROWSER_PATH.",
    );
  if (PEERS === null && !PEERS_REQUIRED)
    lines.push(
      "Not registered: the tests with real telephone calls. They need Asterisk, baresip and sipp: .ci/telephony fetches them (Debian's packages, without root).",
    );
  return [...lines, ...missingLanguages()];
}
