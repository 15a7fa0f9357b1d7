import process from "node:process";
import { ConfigError, readConfig } from "../infrastructure/config.ts";
import { createLogger } from "../infrastructure/logger.ts";
import { makeApiKey } from "./api-key-command.ts";
import { openingProblem } from "./opening-problem.ts";

async function main(): Promise<void> {
  const config = readConfig();
  const logger = createLogger(config.logLevel === "info" ? "warn" : config.logLevel);
  await makeApiKey(process.argv.slice(2), config, logger, (line) => process.stdout.write(`${line}\n`));
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const lines = error instanceof ConfigError ? error.lines : [openingProblem(error)];
    for (const line of lines) process.stderr.write(`${line}\n`);
    process.exit(1);
  },
);
