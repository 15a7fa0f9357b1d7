import process from "node:process";
import { readConfig } from "../infrastructure/config.ts";
import { createLogger } from "../infrastructure/logger.ts";
import { readCommandLine } from "./command-line.ts";
import { openingLines } from "./opening-problem.ts";
import { runProgram } from "./process-exit.ts";
import { REPLAY, replay } from "./replay-command.ts";

async function main(stop: AbortSignal): Promise<number> {
  const given = await readCommandLine(REPLAY);
  if (given === null) return 0;
  const config = readConfig();
  const logger = createLogger(config.logLevel === "info" ? "warn" : config.logLevel);
  return replay(given, config, logger, (line) => {
    // The reader of the output may stop reading (`| head`).
    stop.throwIfAborted();
    process.stdout.write(`${line}\n`);
  });
}

runProgram(main, { tell: openingLines });
