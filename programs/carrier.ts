import process from "node:process";
import { startCarrierServer } from "../infrastructure/carriers/simulated/http/carrier-server.ts";
import { systemClock } from "../infrastructure/clock.ts";
import { readConfig, requireTokenBeyondLoopback } from "../infrastructure/config.ts";
import { type Command, readCommandLine } from "./command-line.ts";
import { openingLines } from "./opening-problem.ts";
import { runProgram, untilStopped } from "./ways-out.ts";

const CARRIER = {
  usage: "npm run carrier",
  about:
    "The simulated carrier as a program of its own, until SIGTERM or Ctrl-C: it dials nobody, and keeps a journal of every dial request. The service uses it when SIMULATOR_URL is its address.",
  options: {},
  environment: [
    "HOST",
    "SIMULATOR_PORT",
    "SIMULATOR_DATA_DIR",
    "SIMULATOR_TOKEN",
    "SIMULATOR_SEED",
    "SIMULATOR_SPEED",
  ],
  exitCodes: { 0: "stopped in order", 1: "it could not start; the lines say why" },
  goesOn: true,
} as const satisfies Command;

/** `npm run carrier`: the simulated carrier as a program of its own. */
async function main(stop: AbortSignal): Promise<number> {
  if ((await readCommandLine(CARRIER)) === null) return 0;
  const config = readConfig();
  requireTokenBeyondLoopback(config);
  const { host, simulator } = config;
  const server = await startCarrierServer({ clock: systemClock, host, ...simulator });
  process.stdout.write(
    `The simulated carrier listens on ${server.url} and keeps its journal in ${simulator.dataDir}\n`,
  );
  await untilStopped(stop);
  await server.stop();
  return 0;
}

runProgram(main, { tell: openingLines, goesOn: true });
