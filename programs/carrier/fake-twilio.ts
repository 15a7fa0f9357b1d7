import process from "node:process";
import { systemClock } from "../../infrastructure/clock.ts";
import { type Config, ConfigError } from "../../infrastructure/config.ts";
import { startFakeTwilio } from "../../simulation/twilio/fake-twilio.ts";
import { parseFaults } from "../../simulation/twilio/faults.ts";

/** The account if the environment names none. */
const DEFAULT_ACCOUNT = {
  accountSid: `AC${"fa4e".repeat(8)}`,
  authToken: "fake-auth-token-of-nobody",
};

export type FakeTwilioArguments = {
  readonly callsPerSecond: string;
  readonly faults: string;
};

/** null: no mistake; else the mistake in one line. */
export function fakeTwilioMistake({ callsPerSecond, faults }: FakeTwilioArguments): string | null {
  const perSecond = Number(callsPerSecond);
  if (!(perSecond > 0 && perSecond <= 10_000))
    return `--calls-per-second takes a number above 0, up to 10000, not "${callsPerSecond}"`;
  return parseFaults(faults) === null
    ? `--faults takes names with shares from 0 to 1, such as lostReply=0.1,callbackTwice=0.5, not "${faults}"`
    : null;
}

/** Starts it and prints how to start the service for it. */
export async function runFakeTwilio(
  { host, simulator }: Pick<Config, "host" | "simulator">,
  given: FakeTwilioArguments,
  isLoopback: boolean,
): Promise<{ readonly stop: () => Promise<void> }> {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = process.env;
  if (!isLoopback && authToken === undefined)
    throw new ConfigError([
      `TWILIO_AUTH_TOKEN: required to listen on ${host}: without it everybody knows it`,
    ]);
  const account = {
    accountSid: accountSid ?? DEFAULT_ACCOUNT.accountSid,
    authToken: authToken ?? DEFAULT_ACCOUNT.authToken,
  };
  const { seed, speed, port, dataDir } = simulator;
  const fake = await startFakeTwilio({
    clock: systemClock,
    host,
    port,
    dataDir,
    account,
    seed,
    speed,
    callsPerSecond: Number(given.callsPerSecond),
    ownedNumbers: null,
    faults: parseFaults(given.faults) ?? {},
  });
  process.stdout.write(
    `The fake Twilio listens on ${fake.url} and keeps its journal in ${dataDir}. It dials nobody. Start the service with\n`,
  );
  process.stdout.write(
    `CARRIER=twilio TWILIO_API_URL=${fake.url} TWILIO_ACCOUNT_SID=${account.accountSid} TWILIO_AUTH_TOKEN=${authToken === undefined ? account.authToken : "…"} PUBLIC_URL=http://127.0.0.1:3000 npm start\n`,
  );
  return fake;
}
