import process from "node:process";
import { buildDashboardBeside } from "./build-dashboard.ts";
import { type Command, readCommandLine } from "./command-line.ts";
import { tuneProcess } from "./process-settings.ts";
import { runProgram, untilStopped } from "./ways-out.ts";

tuneProcess();

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
  if (config.dashboard) void buildDashboardBeside(stop).then(service.dashboardBuilt);
  await untilStopped(stop);
  await service.stop();
  return 0;
}

runProgram(main, { tell: (error) => tell(error), goesOn: true });
