import process from "node:process";
import { readConfig } from "../infrastructure/config.ts";
import { createLogger } from "../infrastructure/logger.ts";
import { makeApiKey } from "./api-key-command.ts";
import { openingLines } from "./opening-problem.ts";
import { runProgram } from "./ways-out.ts";

async function main(stop: AbortSignal): Promise<number> {
  const config = readConfig();
  const logger = createLogger(config.logLevel === "info" ? "warn" : config.logLevel);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  await makeApiKey(process.argv.slice(2), config, logger, print, stop);
  return 0;
}

runProgram(main, { tell: openingLines });
