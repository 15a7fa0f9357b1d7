import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../infrastructure/postgres/embedded/free-port.ts";
import { type ChildProgram, listeningUrl, startChild } from "./child-program.ts";

/** More than the demo's owner may; a real account accepts fewer. */
const CALLS_PER_SECOND = "50";

export type FakeTwilioProgram = {
  readonly program: ChildProgram;
  /** Environment with which the service uses it. */
  readonly serviceEnv: Readonly<Record<string, string>>;
};

/** `npm run carrier -- --as twilio` with its own account, and the address at which it finds the service. */
export async function startFakeTwilioProgram(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<FakeTwilioProgram> {
  await mkdir(folder, { recursive: true });
  const account = {
    TWILIO_ACCOUNT_SID: `AC${randomBytes(16).toString("hex")}`,
    TWILIO_AUTH_TOKEN: randomBytes(16).toString("hex"),
  };
  const logFile = join(folder, "carrier.log");
  const carrier = join(import.meta.dirname, "..", "carrier.ts");
  const program = startChild(
    [carrier, "--as", "twilio", "--calls-per-second", CALLS_PER_SECOND],
    { ...env, ...account, SIMULATOR_PORT: "0", SIMULATOR_DATA_DIR: folder },
    logFile,
  );
  const url = await listeningUrl(program, logFile);
  // PUBLIC_URL is needed before the service listens.
  const port = await freePort();
  return {
    program,
    serviceEnv: {
      ...account,
      CARRIER: "twilio",
      TWILIO_API_URL: url,
      TWILIO_CALLS_PER_SECOND: CALLS_PER_SECOND,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    },
  };
}
