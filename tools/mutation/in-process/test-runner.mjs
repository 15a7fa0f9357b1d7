import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { commonTokens, declareFactoryPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import {
  DryRunStatus,
  determineHitLimitReached,
  MutantRunStatus,
  TestStatus,
  toMutantRunResult,
} from "@stryker-mutator/api/test-runner";
import { hookImports } from "./import-hooks.mjs";
import { suiteRunner } from "./run-suite.mjs";

const DURATIONS = ".test-durations.json";
/** What a test may be expected to take that never ran, and what a hook may. */
const FIRST_MILLIS = 30_000;
const USUAL_MILLIS = 2_000;
/** The mutant whose process hung. */
const HUNG = ".hung-mutant";

/**
 * Runs tests within its own process: the code is loaded once, and only test files are loaded anew for each
 * mutant. So a mutant takes milliseconds, where vitest loads everything again. Modules that tests import must
 * keep no state between tests; each test makes its own world.
 */
class InProcessTestRunner {
  #ns = strykerNamespace();
  #round = 0;
  #loaded = new Set();
  #durations = {};
  #isDry = false;

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    const root = process.cwd();
    process.env.NODE_ENV = "test";
    process.env.PROPERTY_RUNS ??= "20";
    process.env.CONVERSATION_RUNS ??= "25";
    process.env.SIMULATION_SEED ??= "1";
    const ofProject = (file) => pathToFileURL(path.join(root, "node_modules", file)).href;
    process.env.JUDGE_VITEST = ofProject("vitest/dist/index.js");
    process.env.JUDGE_FAST_CHECK = ofProject("fast-check/lib/fast-check.js");
    this.shim = await hookImports();
    this.files = judgingFiles(root);
    await import("./fast-check-shim.mjs");
    this.watch = watchForHanging(path.resolve(HUNG));
    this.runSuite = suiteRunner({
      ns: this.#ns,
      atEnd: this.shim.atEnd,
      expectedMillis: (id) => this.#durations[id] ?? (this.#isDry ? FIRST_MILLIS : USUAL_MILLIS),
      shareCoverage: (from, to) => this.#shareCoverage(from, to),
    });
  }

  async #collect(file) {
    const suite = this.shim.beginFile(path.resolve(file));
    this.#round += 1;
    await import(`${pathToFileURL(path.resolve(file)).href}?round=${this.#round}`);
    return suite;
  }

  /** Everything that a test file imports is loaded while no mutant is active. */
  async #load(files) {
    for (const file of files) {
      if (this.#loaded.has(file)) continue;
      this.#loaded.add(file);
      await this.#collect(file);
    }
  }

  async dryRun() {
    this.#isDry = true;
    await this.#load(this.files);
    const tests = [];
    for (const file of this.files) {
      const outside = `${file}#`;
      this.#ns.currentTestId = outside;
      const suite = await this.#collect(file);
      const results = await this.runSuite(suite, { file, isChosen: () => true, bails: false });
      this.#shareCoverage(
        outside,
        results.map(({ id }) => id),
      );
      tests.push(...results.map((result) => told(file, result)));
      for (const { id, millis } of results) this.#durations[id] = millis;
    }
    writeFileSync(DURATIONS, JSON.stringify(this.#durations));
    this.#isDry = false;
    return { status: DryRunStatus.Complete, tests, mutantCoverage: this.#ns.mutantCoverage };
  }

  /** Coverage of hooks and of the file itself counts for each test after them. */
  #shareCoverage(from, to) {
    const perTest = this.#ns.mutantCoverage?.perTest ?? {};
    for (const id of to) {
      const own = perTest[id] ?? {};
      perTest[id] = own;
      for (const [mutant, hits] of Object.entries(perTest[from] ?? {}))
        own[mutant] = (own[mutant] ?? 0) + hits;
    }
    delete perTest[from];
  }

  async mutantRun({ activeMutant, sandboxFileName, testFilter, hitLimit, disableBail }) {
    if (hasHung(activeMutant.id)) return { status: MutantRunStatus.Timeout, reason: "lets nothing else run" };
    // Another process may have made the first run after this one began.
    if (Object.keys(this.#durations).length === 0)
      this.#durations = JSON.parse(readFileSync(DURATIONS, "utf8"));
    const chosen = new Set(this.#withinBudget(testFilter, path.relative(process.cwd(), sandboxFileName)));
    // Files are ordered by their cheapest test.
    const files = [...new Set([...chosen].map((id) => id.slice(0, id.indexOf("#"))))];
    await this.#load(files);
    // JUDGE_NOTHING: no mutant is planted, and whatever is killed then shows a mistake of the judge.
    const planted = process.env.JUDGE_NOTHING === undefined ? activeMutant.id : undefined;
    Object.assign(this.#ns, { hitCount: 0, hitLimit, activeMutant: planted });
    this.watch.postMessage({ mutant: activeMutant.id });
    const tests = [];
    try {
      for (const file of files) {
        // Tests on one database may need those before them in their file.
        const isWhole = process.env.JUDGE_PROVIDED !== undefined;
        const isChosen = (id) => isWhole || chosen.has(id);
        const results = await this.#runFile(file, { isChosen, bails: !disableBail });
        tests.push(...results.map((result) => told(file, result)));
        const failed = results.find(({ problem }) => problem !== null);
        if (failed?.problem.neverEnded) return { status: MutantRunStatus.Timeout, reason: "never ended" };
        if (failed !== undefined) break;
      }
    } finally {
      Object.assign(this.#ns, { hitLimit: undefined, activeMutant: undefined });
      this.watch.postMessage({ mutant: null });
    }
    const overLimit = determineHitLimitReached(this.#ns.hitCount, hitLimit);
    return toMutantRunResult(overLimit ?? { status: DryRunStatus.Complete, tests });
  }

  async #runFile(file, choice) {
    try {
      return await this.runSuite(await this.#collect(file), { file, ...choice });
    } catch (error) {
      return [{ id: `${file}#`, problem: { message: String(error), neverEnded: false }, millis: 0 }];
    }
  }

  /**
   * JUDGE_MILLIS: the nearest tests, cheapest first, up to this time are enough for a mutant; one that only
   * others would kill counts as survived.
   */
  #withinBudget(testIds, mutated) {
    const budget = Number(process.env.JUDGE_MILLIS ?? Number.POSITIVE_INFINITY);
    let spent = 0;
    return testIds
      .toSorted((a, b) => farness(a, mutated) - farness(b, mutated) || this.#cost(a) - this.#cost(b))
      .filter((id, index) => {
        spent += this.#cost(id);
        return index === 0 || spent <= budget;
      });
  }

  #cost(id) {
    return this.#durations[id] ?? 1;
  }
}

/** 0 for a test of the mutated file, 1 for one of its folder, 2 for others. */
function farness(testId, mutated) {
  const tests = testId.slice("test/".length, testId.indexOf(".test.ts#"));
  if (`${tests}.ts` === mutated) return 0;
  return path.dirname(tests) === path.dirname(mutated) ? 1 : 2;
}

/** JUDGES: patterns between commas (not those within braces), instead of those of tests.json. */
function judgingFiles(root) {
  const { include, exclude } = JSON.parse(readFileSync(path.join(root, "tools/mutation/tests.json"), "utf8"));
  const found = (patterns) => patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));
  // Those need a database.
  const left = new Set(process.env.JUDGE_PROVIDED === undefined ? found(exclude) : []);
  return [...new Set(found(process.env.JUDGES?.split(/,(?![^{]*\})/) ?? include))]
    .filter((file) => !left.has(file))
    .sort();
}

/** Where instrumented code looks for the active mutant. */
function strykerNamespace() {
  globalThis.__stryker__ ??= {};
  return globalThis.__stryker__;
}

function watchForHanging(hungFile) {
  const turns = new Int32Array(new SharedArrayBuffer(4));
  const watch = new Worker(new URL("./hang-watch.mjs", import.meta.url), { workerData: { turns, hungFile } });
  watch.unref();
  setInterval(() => Atomics.add(turns, 0, 1), 50).unref();
  return watch;
}

function hasHung(mutant) {
  if (!existsSync(HUNG)) return false;
  const hung = readFileSync(HUNG, "utf8");
  rmSync(HUNG);
  return hung === mutant;
}

function told(file, { id, problem, millis }) {
  const test = { id, name: id.slice(id.indexOf("#") + 1), fileName: path.resolve(file), timeSpentMs: millis };
  return problem === null
    ? { ...test, status: TestStatus.Success }
    : { ...test, status: TestStatus.Failed, failureMessage: problem.message };
}

const create = () => new InProcessTestRunner();
const factory = (injector) => injector.injectFunction(create);
factory.inject = [commonTokens.injector];

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, "in-process", factory)];
