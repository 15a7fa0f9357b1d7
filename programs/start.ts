import { spawn } from "node:child_process";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { type Command, readCommandLine } from "./command-line.ts";
import { runProgram, untilStopped } from "./process-exit.ts";

/**
 * In node_modules, which only the installing user can write; if it cannot be written, Node
 * works without the cache.
 */
const COMPILED = join(import.meta.dirname, "../node_modules/.cache/ringfold");

tuneProcess();

const BUILD = join(import.meta.dirname, "../dashboard/build.mjs");
const NOT_BUILT = "The dashboard was not built: ";
/** A build takes seconds; this ends one that hangs. */
const LONGEST_MILLIS = 180_000;

const START = {
  usage: "npm start",
  about:
    "The service, until SIGTERM or Ctrl-C. It prints its address, and its first API key once; its log goes to stderr. /docs is the API, docs/operation.md how it is run.",
  options: {},
  environment: "all",
  exitCodes: { 0: "stopped in order, within 12 s", 1: "it could not start; the lines say why" },
  goesOn: true,
} as const satisfies Command;

let tell = (error: unknown): readonly string[] => [String(error)];

/**
 * `npm start`: the service until SIGTERM or Ctrl-C. The first key is printed once, also by a start that
 * is stopped meanwhile.
 */
async function main(stop: AbortSignal): Promise<number> {
  if ((await readCommandLine(START)) === null) return 0;
  const [{ compose }, { readConfig }, { openingLines }] = await Promise.all([
    import("../composition/service.ts"),
    import("../infrastructure/config.ts"),
    import("./opening-problem.ts"),
  ]);
  tell = openingLines;
  const config = readConfig();
  if (config.simulator.minuteMillis !== 60_000) {
    process.stderr.write(
      `SIMULATOR_MINUTE_MS: a retry minute takes ${config.simulator.minuteMillis} ms; for demos and drills only\n`,
    );
  }
  const service = await compose(config, stop);
  if (service.firstKey !== null)
    process.stdout.write(`First API key (shown this once): ${service.firstKey}\n`);
  process.stdout.write(`Ringfold listens on ${service.url} (API ${service.url}/docs)\n`);
  if (config.dashboard && !(await isDashboardBuilt()))
    void buildDashboardBeside(stop).then(service.dashboardBuilt);
  await untilStopped(stop);
  await service.stop();
  return 0;
}

runProgram(main, { tell: (error) => tell(error), goesOn: true });

/** Asked in this process: one that finds nothing to do takes three times as much. */
async function isDashboardBuilt(): Promise<boolean> {
  try {
    const built: { isDashboardBuilt(): boolean } = await import(pathToFileURL(BUILD).href);
    return built.isDashboardBuilt();
  } catch {
    return false; // an installation without the sources of the dashboard
  }
}

/**
 * Builds the dashboard in a separate process beside the service. Resolves with null, or with why it was not
 * built.
 */
function buildDashboardBeside(stop: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BUILD], {
      stdio: ["ignore", "ignore", "pipe"],
      signal: AbortSignal.any([stop, AbortSignal.timeout(LONGEST_MILLIS)]),
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4_096);
    });
    child.once("error", (error) => resolve(error.message));
    child.once("close", () => {
      const line = said.split("\n").find((each) => each.startsWith(NOT_BUILT));
      resolve(line === undefined ? null : line.slice(NOT_BUILT.length));
    });
  });
}

/**
 * Node settings for the service, before its modules are loaded. Types are stripped and modules compiled once
 * for each release instead of at every start and in every thread. The old generation may grow by 150 %
 * between two collections: more takes hardly less time, and memory that is not needed
 * (docs/decisions/0162-of-what-is-over-little-is-kept.md). The semi-space of the command line is that of this
 * thread alone, which has it by now: others have what their `resourceLimits` say.
 */
function tuneProcess(): void {
  enableCompileCache(COMPILED);
  process.env["NODE_COMPILE_CACHE"] ??= COMPILED;
  setFlagsFromString("--heap-growing-percent=150");
  setFlagsFromString("--max-semi-space-size=0");
}
