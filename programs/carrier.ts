import process from "node:process";
import { systemClock } from "../infrastructure/clock.ts";
import { isLoopback, readConfig, requireTokenBeyondLoopback } from "../infrastructure/config.ts";
import { startCarrierServer } from "../simulation/http/carrier-server.ts";
import { type FakeTwilioArguments, fakeTwilioMistake, runFakeTwilio } from "./carrier/fake-twilio.ts";
import { type Command, readCommandLine, UsageError } from "./command-line.ts";
import { openingLines } from "./opening-problem.ts";
import { runProgram, untilStopped } from "./process-exit.ts";

const CARRIER = {
  usage: "npm run carrier [-- --as twilio]",
  about:
    "The simulated carrier as a program of its own, until SIGTERM or Ctrl-C: it dials nobody, and keeps a journal of every dial request. The service uses it when SIMULATOR_URL is its address. With --as twilio it is a Twilio in its place, for CARRIER=twilio and TWILIO_API_URL (docs/twilio.md).",
  options: {
    as: {
      type: "string",
      default: "simulated",
      value: "carrier",
      about: "which carrier it plays: simulated or twilio (default simulated)",
    },
    "calls-per-second": {
      type: "string",
      default: "1",
      value: "N",
      about: "dials a second that the fake Twilio makes; further ones wait in its queue (default 1)",
    },
    faults: {
      type: "string",
      default: "",
      value: "name=share,…",
      about:
        "what goes wrong at the fake Twilio, each with its share: lostReply, slowReply, tooMany, unavailable, callbackLost, recordingLost, callbackTwice, callbackLate, relayLost (default none)",
    },
  },
  environment: [
    "HOST",
    "SIMULATOR_PORT",
    "SIMULATOR_DATA_DIR",
    "SIMULATOR_TOKEN",
    "SIMULATOR_SEED",
    "SIMULATOR_SPEED",
    ["TWILIO_ACCOUNT_SID", "with --as twilio: its one account (default: one that it tells at its start)"],
    ["TWILIO_AUTH_TOKEN", "with --as twilio: the token of that account; required beyond loopback"],
  ],
  exitCodes: { 0: "stopped in order", 1: "it could not start; the lines say why" },
  goesOn: true,
} as const satisfies Command;

/** `npm run carrier`: the simulated carrier, or a fake Twilio that dials nobody, as a separate program. */
async function main(stop: AbortSignal): Promise<number> {
  const given = await readCommandLine(CARRIER);
  if (given === null) return 0;
  const { as, faults, "calls-per-second": callsPerSecond } = given.values;
  const mistake = carrierMistake(as, { faults, callsPerSecond });
  if (mistake !== null) throw new UsageError(mistake, CARRIER);
  const carrier = as === "twilio" ? await twilio({ faults, callsPerSecond }) : await simulated();
  await untilStopped(stop);
  await carrier.stop();
  return 0;
}

function carrierMistake(as: string, given: FakeTwilioArguments): string | null {
  if (as !== "simulated" && as !== "twilio") return `--as takes simulated or twilio, not "${as}"`;
  return fakeTwilioMistake(given);
}

/** The account is the fake's own, so settings that only a service needs are not required. */
function twilio(given: FakeTwilioArguments): Promise<{ readonly stop: () => Promise<void> }> {
  const { TWILIO_ACCOUNT_SID: _sid, TWILIO_AUTH_TOKEN: _token, CARRIER: _carrier, ...env } = process.env;
  const config = readConfig(env);
  return runFakeTwilio(config, given, isLoopback(config.host));
}

async function simulated(): Promise<{ readonly stop: () => Promise<void> }> {
  const config = readConfig();
  requireTokenBeyondLoopback(config);
  const { host, simulator } = config;
  const server = await startCarrierServer({ clock: systemClock, host, ...simulator });
  process.stdout.write(
    `The simulated carrier listens on ${server.url} and keeps its journal in ${simulator.dataDir}\n`,
  );
  return server;
}

runProgram(main, { tell: openingLines, goesOn: true });
