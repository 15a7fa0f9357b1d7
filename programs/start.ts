import process from "node:process";
import { requireNode24 } from "./node-version.ts";
import { tuneProcess } from "./process-settings.ts";
import { runProgram, untilStopped } from "./ways-out.ts";

requireNode24();
tuneProcess();

let tell = (error: unknown): readonly string[] => [String(error)];

/** `npm start`: the service until SIGTERM or Ctrl-C; the first key is printed once, also by a start that is stopped meanwhile. */
async function main(stop: AbortSignal): Promise<number> {
  const [{ compose }, { readConfig }, { openingLines }] = await Promise.all([
    import("../main.ts"),
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
  await untilStopped(stop);
  await service.stop();
  return 0;
}

runProgram(main, { tell: (error) => tell(error), goesOn: true });
