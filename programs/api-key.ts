import process from "node:process";
import { readConfig } from "../infrastructure/config.ts";
import { createLogger } from "../infrastructure/logger.ts";
import { API_KEY, makeApiKey } from "./api-key-command.ts";
import { readCommandLine } from "./command-line.ts";
import { openingLines } from "./opening-problem.ts";
import { runProgram } from "./process-exit.ts";

async function main(stop: AbortSignal): Promise<number> {
  const given = await readCommandLine(API_KEY);
  if (given === null) return 0;
  const config = readConfig();
  const logger = createLogger(config.logLevel === "info" ? "warn" : config.logLevel);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  await makeApiKey(given, config, logger, print, stop);
  return 0;
}

runProgram(main, { tell: openingLines });
