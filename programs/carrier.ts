import process from "node:process";
import { systemClock } from "../infrastructure/clock.ts";
import { ConfigError, readConfig, requireTokenBeyondLoopback } from "../infrastructure/config.ts";
import { startCarrierServer } from "../infrastructure/telephony/http/carrier-server.ts";
import { openingProblem } from "./opening-problem.ts";

/** `npm run carrier`: the simulated carrier as a program of its own. */
async function main(): Promise<void> {
  const config = readConfig();
  requireTokenBeyondLoopback(config);
  const { host, simulator } = config;
  const server = await startCarrierServer({ clock: systemClock, host, ...simulator });
  process.stdout.write(
    `The simulated carrier listens on ${server.url} and keeps its journal in ${simulator.dataDir}\n`,
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void server.stop().then(() => process.exit(0)));
  }
}

main().catch((error: unknown) => {
  const lines = error instanceof ConfigError ? error.lines : [openingProblem(error)];
  for (const line of lines) process.stderr.write(`${line}\n`);
  process.exit(1);
});
