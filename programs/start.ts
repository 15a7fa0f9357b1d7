import process from "node:process";
import { requireNode24 } from "./node-version.ts";
import { tuneProcess } from "./process-settings.ts";

requireNode24();
tuneProcess();

const [{ compose }, { ConfigError, readConfig }, { openingProblem }] = await Promise.all([
  import("../main.ts"),
  import("../infrastructure/config.ts"),
  import("./opening-problem.ts"),
]);

/** `npm start`: the service until SIGTERM or Ctrl-C; the first key is printed once. */
async function main(): Promise<void> {
  const config = readConfig();
  if (config.simulator.minuteMillis !== 60_000) {
    process.stderr.write(
      `SIMULATOR_MINUTE_MS: a retry minute takes ${config.simulator.minuteMillis} ms; for demos and drills only\n`,
    );
  }
  const service = await compose(config);
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      service.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${openingProblem(error)}\n`);
          process.exit(1);
        },
      );
    });
  }
  if (service.firstKey !== null)
    process.stdout.write(`First API key (shown this once): ${service.firstKey}\n`);
  process.stdout.write(`Ringfold listens on ${service.url} (API ${service.url}/docs)\n`);
}

main().catch((error: unknown) => {
  const lines = error instanceof ConfigError ? error.lines : [openingProblem(error)];
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exit(1);
});
