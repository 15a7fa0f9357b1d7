import process from "node:process";
import { startCarrierServer } from "../infrastructure/carriers/simulated/http/carrier-server.ts";
import { systemClock } from "../infrastructure/clock.ts";
import { readConfig, requireTokenBeyondLoopback } from "../infrastructure/config.ts";
import { openingLines } from "./opening-problem.ts";
import { runProgram, untilStopped } from "./ways-out.ts";

/** `npm run carrier`: the simulated carrier as a program of its own. */
async function main(stop: AbortSignal): Promise<number> {
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
