import process from "node:process";
import { ConfigError, readConfig } from "../infrastructure/config.ts";
import { createLogger } from "../infrastructure/logger.ts";
import { openingProblem } from "./opening-problem.ts";
import { replay } from "./replay-command.ts";

async function main(): Promise<number> {
  const config = readConfig();
  const logger = createLogger(config.logLevel === "info" ? "warn" : config.logLevel);
  return replay(process.argv.slice(2), config, logger, (line) => process.stdout.write(`${line}\n`));
}

// Whoever reads the story may stop reading (`| head`).
process.stdout.on("error", () => process.exit(0));

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const lines = error instanceof ConfigError ? error.lines : [openingProblem(error)];
    for (const line of lines) process.stderr.write(`${line}\n`);
    process.exit(1);
  },
);
